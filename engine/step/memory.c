#include "step/step.h"

#include "base/scalar.h"

enum { SLOT_ARRAYS = 9 }; // float arrays by slot

static size_t rounded(size_t bytes) {
    return (bytes + THRONG_CACHE_LINE - 1) & ~(size_t)(THRONG_CACHE_LINE - 1);
}

#define ROW_ARRAYS(X)                                                                                                  \
    X(contacts, THRONG_MAX_CONTACTS)                                                                                   \
    X(contact_count, 1)                                                                                                \
    X(event_bits, 1)                                                                                                   \
    X(violation, 1)                                                                                                    \
    X(displaced, 1)                                                                                                    \
    X(overlap, 1)                                                                                                      \
    X(overlap_with, 1)                                                                                                 \
    X(pass_x, 1)                                                                                                       \
    X(pass_y, 1)                                                                                                       \
    X(pass_moved, 1)                                                                                                   \
    X(due, 1)                                                                                                          \
    X(due_next, 1)

static void release_rows(throng_step_memory *step, throng_memory *memory) {
#define RELEASE(name, many) throng_memory_release(memory, step->name, step->capacity * (many), sizeof *step->name);
    ROW_ARRAYS(RELEASE)
#undef RELEASE
    throng_memory_release(memory, step->spare, step->capacity, sizeof(uint64_t));
    throng_memory_release(memory, step->tallies, step->tally_capacity, sizeof *step->tallies);
}

static bool reserve_rows(throng_step_memory *step, throng_memory *memory, size_t capacity) {
    if (capacity <= step->capacity) return true;
    throng_step_memory grown = {.capacity = capacity};
    grown.tally_capacity = (capacity + THRONG_TASK_ROWS - 1) / THRONG_TASK_ROWS;
    bool whole = true;
#define ALLOCATE(name, many)                                                                                           \
    grown.name = whole ? throng_memory_allocate(memory, capacity * (many), sizeof *grown.name) : NULL;                 \
    whole = whole && grown.name;
    ROW_ARRAYS(ALLOCATE)
#undef ALLOCATE
    grown.spare = whole ? throng_memory_allocate(memory, capacity, sizeof(uint64_t)) : NULL;
    grown.tallies = grown.spare ? throng_memory_allocate(memory, grown.tally_capacity, sizeof *grown.tallies) : NULL;
    if (!grown.tallies) {
        release_rows(&grown, memory);
        return false;
    }
    release_rows(step, memory);
    grown.tile_count = step->tile_count;
    grown.tile_slots = step->tile_slots;
    grown.tile_walls = step->tile_walls;
    grown.tile_bytes = step->tile_bytes;
    grown.tiles = step->tiles;
    *step = grown;
    return true;
}

/// Hands out pieces of a tile's memory one after the other.
static void *carve(unsigned char **next, size_t bytes) {
    void *piece = *next;
    *next += rounded(bytes);
    return piece;
}

static void lay_out_tile(unsigned char *memory, int slots, size_t walls) {
    unsigned char *next = memory + rounded(sizeof(throng_tile));
    throng_tile *tile = (throng_tile *)(void *)memory;
    const size_t plane = (size_t)slots * THRONG_LANES;
    *tile = (throng_tile){.slot_capacity = slots};
    float **const floats[SLOT_ARRAYS] = {&tile->pair_x,      &tile->pair_y,     &tile->pair_vx,
                                         &tile->pair_vy,     &tile->pair_radius, &tile->pair_share,
                                         &tile->planes.nx,   &tile->planes.ny,  &tile->planes.c};
    for (int i = 0; i < SLOT_ARRAYS; ++i) *floats[i] = carve(&next, plane * sizeof(float));
    tile->lists.key = carve(&next, plane * sizeof(float));
    tile->lists.position = carve(&next, plane * sizeof(int32_t));
    tile->neighbor_row = carve(&next, plane * sizeof(int32_t));
    tile->degenerate = carve(&next, (size_t)slots * sizeof(uint16_t));
    tile->near_walls = carve(&next, walls * sizeof(uint32_t));
    tile->own_walls = carve(&next, walls * sizeof(uint32_t));
}

static size_t tile_bytes(int slots, size_t walls) {
    const size_t plane = (size_t)slots * THRONG_LANES * sizeof(float);
    return rounded(sizeof(throng_tile)) + (SLOT_ARRAYS + 3) * rounded(plane) +
           rounded((size_t)slots * sizeof(uint16_t)) + 2 * rounded(walls * sizeof(uint32_t));
}

static bool reserve_tiles(throng_step_memory *step, throng_memory *memory, uint32_t count, int slots, size_t walls) {
    if (count <= step->tile_count && slots <= step->tile_slots && walls <= step->tile_walls) return true;
    if (slots < step->tile_slots) slots = step->tile_slots;
    if (walls < step->tile_walls) walls = step->tile_walls;
    const size_t bytes = tile_bytes(slots, walls);
    unsigned char *tiles = throng_memory_allocate(memory, count, bytes);
    if (!tiles) return false;
    throng_memory_release(memory, step->tiles, step->tile_count, step->tile_bytes);
    step->tiles = tiles;
    step->tile_count = count;
    step->tile_slots = slots;
    step->tile_walls = walls;
    step->tile_bytes = bytes;
    for (uint32_t worker = 0; worker < count; ++worker) lay_out_tile(tiles + worker * bytes, slots, walls);
    return true;
}

bool throng_step_memory_reserve(throng_world *world) {
    throng_memory *memory = &world->memory;
    if (!world->step) {
        world->step = throng_memory_allocate(memory, 1, sizeof *world->step);
        if (!world->step) return false;
        *world->step = (throng_step_memory){0};
    }
    const int neighbors = (int)throng_max_u32(world->max_neighbors, THRONG_CONTACT_SLOTS);
    return reserve_rows(world->step, memory, world->agents.capacity) &&
           reserve_tiles(world->step, memory, world->parallel.threads, neighbors + THRONG_MAX_WALLS,
                         world->walls->piece_count);
}

void throng_step_memory_release(throng_world *world) {
    throng_step_memory *step = world->step;
    if (!step) return;
    release_rows(step, &world->memory);
    throng_memory_release(&world->memory, step->tiles, step->tile_count, step->tile_bytes);
    throng_memory_release(&world->memory, step, 1, sizeof *step);
    world->step = NULL;
}

uint32_t throng_step_tasks(const throng_step *step) {
    return (step->world->agents.active + THRONG_TASK_ROWS - 1) / THRONG_TASK_ROWS;
}

throng_tile *throng_step_tile(const throng_step_memory *memory, uint32_t worker) {
    assert(worker < memory->tile_count);
    return (throng_tile *)(void *)(memory->tiles + worker * memory->tile_bytes);
}
