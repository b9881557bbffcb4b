#include "step/step.h"

#include "base/scalar.h"
#include "step/turn.h"

static size_t rounded(size_t bytes) {
    return (bytes + THRONG_CACHE_LINE - 1) & ~(size_t)(THRONG_CACHE_LINE - 1);
}

/// How many elements an array has for so many rows.
typedef struct sizes {
    size_t rows, positions, tiles, tasks, contacts; // positions: of the tree, in whole tiles
} sizes;

static sizes sizes_of(size_t capacity) {
    const size_t tasks = (capacity + THRONG_TASK_ROWS - 1) / THRONG_TASK_ROWS;
    return (sizes){.rows = capacity,
                   .positions = tasks * THRONG_TASK_ROWS,
                   .tiles = tasks * (THRONG_TASK_ROWS / THRONG_LANES),
                   .tasks = tasks,
                   .contacts = tasks * (THRONG_TASK_ROWS * THRONG_MAX_CONTACTS)};
}

// X(array, its size)
#define STEP_ARRAYS(X)                                                                                                 \
    X(event_bits, rows)                                                                                                \
    X(violation, rows)                                                                                                 \
    X(blocker, rows)                                                                                                   \
    X(displaced, rows)                                                                                                 \
    X(overlap, rows)                                                                                                   \
    X(overlap_with, rows)                                                                                              \
    X(contact_count, positions)                                                                                        \
    X(wall_room, rows)                                                                                                 \
    X(due, positions)                                                                                                  \
    X(due_next, positions)                                                                                             \
    X(contact_first, tiles)                                                                                            \
    X(wall_near, tiles)                                                                                                \
    X(wall_note, tiles)                                                                                                \
    X(pass_moved, tiles)                                                                                               \
    X(buried, tiles)                                                                                                   \
    X(contacts, contacts)                                                                                              \
    X(tallies, tasks)

static void release_rows(throng_step_memory *step, throng_memory *memory) {
    const sizes size = sizes_of(step->capacity);
#define RELEASE(array, many) throng_memory_release(memory, step->array, size.many, sizeof *step->array);
    STEP_ARRAYS(RELEASE)
#undef RELEASE
}

static void start_with_nobody_due(throng_step_memory *step) {
    const sizes size = sizes_of(step->capacity);
    for (size_t i = 0; i < size.positions; ++i) {
        atomic_init(&step->due[i], 0);
        atomic_init(&step->due_next[i], 0);
    }
    for (size_t i = 0; i < size.tiles; ++i) step->pass_moved[i] = 0;
}

static bool reserve_rows(throng_step_memory *step, throng_memory *memory, size_t capacity) {
    if (capacity <= step->capacity) return true;
    const sizes size = sizes_of(capacity);
    throng_step_memory grown = *step;
    grown.capacity = capacity;
    bool whole = true;
#define ALLOCATE(array, many)                                                                                          \
    grown.array = whole ? throng_memory_allocate(memory, size.many, sizeof *grown.array) : NULL;                       \
    whole = whole && grown.array;
    STEP_ARRAYS(ALLOCATE)
#undef ALLOCATE
    if (!whole) {
        release_rows(&grown, memory);
        return false;
    }
    release_rows(step, memory);
    start_with_nobody_due(&grown);
    _Static_assert(2 * sizeof *grown.event_rows + sizeof(uint64_t) <= THRONG_MAX_CONTACTS * sizeof *grown.contacts,
                   "what comes after contacts fits into their memory");
    grown.event_rows = (throng_sort_item *)(void *)grown.contacts;
    grown.event_spare = grown.event_rows + capacity;
    grown.spare = grown.event_spare + capacity;
    *step = grown;
    return true;
}

/// Lays out a tile at `memory`, or only measures it where that is null: the one list of its arrays.
static size_t lay_out_tile(unsigned char *memory, int slots, size_t walls) {
    throng_tile tile = {.slot_capacity = slots};
    size_t used = rounded(sizeof tile);
    const size_t pairs = (size_t)slots * THRONG_LANES, pieces = (size_t)THRONG_MAX_WALLS * THRONG_LANES;
    const size_t turns = (size_t)THRONG_TURN_SLOTS * THRONG_LANES;
#define CARVE(pointer, count)                                                                                          \
    {                                                                                                                  \
        (pointer) = memory ? (void *)(memory + used) : NULL;                                                           \
        used += rounded((count) * sizeof *(pointer));                                                                  \
    }
    CARVE(tile.lists.key, pairs)
    CARVE(tile.lists.position, pairs)
    CARVE(tile.seen_contact_key, (size_t)THRONG_CONTACT_SLOTS * THRONG_LANES)
    CARVE(tile.seen_contact_position, (size_t)THRONG_CONTACT_SLOTS * THRONG_LANES)
    CARVE(tile.neighbor_row, pairs)
    CARVE(tile.pair_x, pairs)
    CARVE(tile.pair_y, pairs)
    CARVE(tile.pair_vx, pairs)
    CARVE(tile.pair_vy, pairs)
    CARVE(tile.pair_radius, pairs)
    CARVE(tile.pair_share, pairs)
    CARVE(tile.degenerate, (size_t)slots)
    CARVE(tile.wall_sx, pieces)
    CARVE(tile.wall_sy, pieces)
    CARVE(tile.wall_ux, pieces)
    CARVE(tile.wall_uy, pieces)
    CARVE(tile.wall_to_a, pieces)
    CARVE(tile.wall_to_b, pieces)
    CARVE(tile.wall_a_dx, pieces)
    CARVE(tile.wall_a_dy, pieces)
    CARVE(tile.wall_b_dx, pieces)
    CARVE(tile.wall_b_dy, pieces)
    CARVE(tile.wall_chain, pieces)
    CARVE(tile.wall_flags, pieces)
    CARVE(tile.planes.nx, pairs + pieces + turns)
    CARVE(tile.planes.ny, pairs + pieces + turns)
    CARVE(tile.planes.c, pairs + pieces + turns)
    CARVE(tile.near_walls, walls)
    CARVE(tile.own_walls, walls)
#undef CARVE
    if (memory) *(throng_tile *)(void *)memory = tile;
    return used;
}

static bool reserve_leaves(throng_step_memory *step, throng_memory *memory, size_t rows) {
    const size_t leaves = (rows + THRONG_LANES - 1) / THRONG_LANES;
    if (leaves <= step->leaf_capacity) return true;
    uint32_t *grown = throng_memory_allocate(memory, leaves, sizeof *grown);
    if (!grown) return false;
    throng_memory_release(memory, step->leaf_support, step->leaf_capacity, sizeof *step->leaf_support);
    step->leaf_support = grown;
    step->leaf_capacity = leaves;
    return true;
}

static bool reserve_tiles(throng_step_memory *step, throng_memory *memory, uint32_t count, int slots, size_t walls) {
    if (count <= step->tile_count && slots <= step->tile_slots && walls <= step->tile_walls) return true;
    if (slots < step->tile_slots) slots = step->tile_slots;
    if (walls < step->tile_walls) walls = step->tile_walls;
    const size_t bytes = lay_out_tile(NULL, slots, walls);
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

size_t throng_step_tile_bytes(int neighbors, size_t walls) {
    return lay_out_tile(NULL, (int)throng_max_u32((uint32_t)neighbors, THRONG_CONTACT_SLOTS), walls);
}

throng_tile *throng_step_tile_lay_out(void *memory, int neighbors, size_t walls) {
    lay_out_tile(memory, (int)throng_max_u32((uint32_t)neighbors, THRONG_CONTACT_SLOTS), walls);
    return memory;
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
           (!throng_has_supports(world) || reserve_leaves(world->step, memory, world->agents.capacity)) &&
           reserve_tiles(world->step, memory, world->parallel.threads, neighbors,
                         throng_max_u32(world->walls->piece_count, world->supports.most_pieces));
}

void throng_step_memory_release(throng_world *world) {
    throng_step_memory *step = world->step;
    if (!step) return;
    release_rows(step, &world->memory);
    throng_memory_release(&world->memory, step->leaf_support, step->leaf_capacity, sizeof *step->leaf_support);
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
