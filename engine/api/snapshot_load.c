#include "api/doors.h"
#include "api/snapshot.h"

#include "base/scalar.h"
#include "state/extras.h"
#include "state/map.h"

#include <stdatomic.h>
#include <string.h>

static throng_result refuse(const char *why) {
    return throng_fail(THRONG_ERROR_SNAPSHOT, -1, "world_load: %s", why);
}

static throng_clock clock_of(const uint64_t header[THRONG_WORD_COUNT]) {
    return (throng_clock){.step = header[THRONG_WORD_STEP],
                          .since = header[THRONG_WORD_SINCE],
                          .start = throng_double_of_bits(header[THRONG_WORD_START]),
                          .time_step = throng_double_of_bits(header[THRONG_WORD_TIME_STEP])};
}

static throng_sampling sampling_of(const uint64_t header[THRONG_WORD_COUNT]) {
    return (throng_sampling){.count = (uint32_t)header[THRONG_WORD_SAMPLES],
                             .pattern = (throng_sample_pattern)(header[THRONG_WORD_SAMPLES] >> 32),
                             .horizon = throng_float_of_bits((uint32_t)header[THRONG_WORD_SAMPLE_HORIZON])};
}

// ---- checks of the whole

typedef struct summing {
    const unsigned char *snapshot;
    const throng_snapshot_layout *layout;
    _Atomic bool damaged;
} summing;

static void check_sum(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    summing *work = context;
    const uint64_t begin = work->layout->table + (uint64_t)item * THRONG_SNAPSHOT_BLOCK;
    const uint64_t left = work->layout->sums - begin;
    const size_t count = left < THRONG_SNAPSHOT_BLOCK ? (size_t)left : THRONG_SNAPSHOT_BLOCK;
    uint64_t due;
    throng_snapshot_copy(&due, work->snapshot + work->layout->sums + (size_t)item * sizeof due, 1, sizeof due);
    if (throng_snapshot_block_sum(work->snapshot + begin, count) != due) {
        atomic_store_explicit(&work->damaged, true, memory_order_relaxed);
    }
}

static throng_result check_frame(const throng_world *world, const unsigned char *snapshot, size_t size,
                                 uint64_t header[THRONG_WORD_COUNT], throng_snapshot_layout *layout) {
    if (size < THRONG_WORD_COUNT * sizeof *header) return refuse("too short to be a snapshot");
    throng_snapshot_copy(header, snapshot, THRONG_WORD_COUNT, sizeof *header);
    if (header[THRONG_WORD_MAGIC] != THRONG_SNAPSHOT_MAGIC) return refuse("not a snapshot");
    if (header[THRONG_WORD_VERSION] != THRONG_SNAPSHOT_VERSION) return refuse("a snapshot of another version");
    if (header[THRONG_WORD_SIZE] != size) return refuse("cut off, or with something behind it");
    if (header[THRONG_WORD_COLUMNS] != throng_snapshot_column_count(false) &&
        header[THRONG_WORD_COLUMNS] != throng_snapshot_column_count(true)) {
        return refuse("a snapshot with other columns than this version's");
    }
    if (!throng_snapshot_lay_out(header, layout) || layout->size != size) return refuse("damaged counts");
    const unsigned char *sums = snapshot + layout->sums;
    if (throng_snapshot_checksum(header, sums, layout->sum_count) != header[THRONG_WORD_CHECKSUM]) {
        return refuse("damaged header");
    }
    summing work = {.snapshot = snapshot, .layout = layout};
    throng_parallel_for(&world->parallel, layout->sum_count, 4, check_sum, &work);
    return atomic_load_explicit(&work.damaged, memory_order_relaxed) ? refuse("damaged contents") : THRONG_OK;
}

static throng_result check_table(const unsigned char *at, uint64_t count) {
    const throng_snapshot_column *columns = throng_snapshot_columns;
    for (uint32_t i = 0; i < count; ++i) {
        const size_t name = sizeof columns[i].name, type = sizeof columns[i].type;
        if (memcmp(at, columns[i].name, name) != 0 || memcmp(at + name, columns[i].type, type) != 0) {
            return throng_fail(THRONG_ERROR_SNAPSHOT, -1, "world_load: column %u is not %s (%s)", (unsigned)i,
                               columns[i].name, columns[i].type);
        }
        at += name + type;
    }
    return THRONG_OK;
}

static throng_result check_settings(const throng_world *world, const uint64_t header[THRONG_WORD_COUNT]) {
    if (header[THRONG_WORD_MAP] != (world->map ? world->map->content : 0)) return refuse("of a world with another map");
    if (header[THRONG_WORD_DENSITY] != world->density_tables.content) {
        return refuse("of a world with other density tables");
    }
    if (header[THRONG_WORD_SOLVER] > THRONG_SOLVER_REFERENCE) return refuse("an unknown solver");
    const throng_sampling sampling = sampling_of(header);
    if (!throng_sampling_is_sound(&sampling)) return refuse("a sampling that can't be");
    if (header[THRONG_WORD_PASSES] > 255) return refuse("contact passes beyond 255");
    if (header[THRONG_WORD_AGENTS] > THRONG_MAX_AGENTS) return refuse("too many agents");
    if (header[THRONG_WORD_ACTIVE] > header[THRONG_WORD_AGENTS])
        return refuse("more agents in the step than there are");
    const throng_clock clock = clock_of(header);
    const double time = throng_clock_time(&clock);
    if (clock.since > clock.step || !(clock.time_step >= 0.0) || !(clock.start >= 0.0) || !throng_is_finite(time)) {
        return refuse("a time that can't be");
    }
    const float overlap = throng_float_of_bits((uint32_t)header[THRONG_WORD_OVERLAP_MAX]);
    const float wall_overlap = throng_float_of_bits((uint32_t)header[THRONG_WORD_WALL_OVERLAP_MAX]);
    if (!(overlap >= 0.0f) || !(wall_overlap >= 0.0f)) return refuse("an overlap that can't be");
    return THRONG_OK;
}

// ---- walls

static bool append_wall(throng_own_walls *own, throng_memory *memory, const uint32_t head[THRONG_SNAPSHOT_WALL_WORDS],
                        const unsigned char *points) {
    const throng_wall wall = {.kind = (throng_wall_kind)head[1],
                              .point_count = head[3],
                              .layer = head[2],
                              .height_low = throng_float_of_bits(head[4]),
                              .height_high = throng_float_of_bits(head[5])};
    double *copy = throng_memory_allocate(memory, 2 * (size_t)wall.point_count, sizeof *copy);
    if (!copy) return false;
    throng_snapshot_copy(copy, points, 2 * (size_t)wall.point_count, sizeof *copy);
    own->walls[own->count] = wall;
    own->walls[own->count].points = copy;
    own->ids[own->count].index = head[0];
    own->count++;
    return true;
}

/// Copies the walls, without their ids' generations. On failure *own still holds what is to be released.
static throng_result read_walls(throng_own_walls *own, throng_memory *memory, const unsigned char *snapshot,
                                const uint64_t header[THRONG_WORD_COUNT], const throng_snapshot_layout *layout) {
    const uint64_t count = header[THRONG_WORD_WALLS], limit = header[THRONG_WORD_WALL_LIMIT];
    if (limit == 0) return THRONG_OK;
    if (!throng_slots_reserve_limit(&own->slots, memory, (size_t)limit) ||
        !throng_own_walls_reserve(own, memory, (uint32_t)count)) {
        return throng_fail(THRONG_ERROR_MEMORY, -1, "world_load: no memory for %u walls", (unsigned)count);
    }
    uint64_t used = 0;
    for (uint64_t i = 0; i < count; ++i) {
        uint32_t head[THRONG_SNAPSHOT_WALL_WORDS];
        throng_snapshot_copy(head, snapshot + layout->wall_heads + i * sizeof head, THRONG_SNAPSHOT_WALL_WORDS,
                             sizeof *head);
        if (head[1] > THRONG_WALL_LINE) return refuse("a wall of unknown kind");
        if (head[3] > header[THRONG_WORD_WALL_POINTS] - used) return refuse("walls with more points than there are");
        const unsigned char *points = snapshot + layout->wall_points + 2 * used * sizeof(double);
        if (!append_wall(own, memory, head, points)) {
            return throng_fail(THRONG_ERROR_MEMORY, -1, "world_load: no memory for a wall's points");
        }
        used += head[3];
    }
    return used == header[THRONG_WORD_WALL_POINTS] ? THRONG_OK : refuse("points of no wall");
}

static throng_result read_supports(throng_world *world, throng_supports *supports, const unsigned char *snapshot,
                                   const uint64_t header[THRONG_WORD_COUNT], const throng_snapshot_layout *layout) {
    throng_memory *memory = &world->memory;
    const throng_result result =
        throng_snapshot_load_supports(supports, memory, snapshot + layout->supports, header[THRONG_WORD_SUPPORT_BYTES]);
    if (result != THRONG_OK) return result;
    if (supports->count && !throng_supports_reserve_rows(supports, memory, world->agents.capacity)) {
        return throng_fail(THRONG_ERROR_MEMORY, -1, "world_load: no memory for world places");
    }
    return throng_snapshot_check_supports(supports, snapshot, header, layout);
}

static throng_result read_doors(throng_doors *doors, throng_memory *memory, const unsigned char *from, uint64_t count) {
    if (count == 0) return THRONG_OK;
    if (count > THRONG_MAX_DOORS) return refuse("too many doors");
    doors->items = throng_memory_allocate(memory, (size_t)count, sizeof *doors->items);
    if (!doors->items)
        return throng_fail(THRONG_ERROR_MEMORY, -1, "world_load: no memory for %u doors", (unsigned)count);
    doors->count = (uint32_t)count;
    for (uint32_t i = 0; i < doors->count; ++i) {
        uint64_t words[THRONG_SNAPSHOT_DOOR_WORDS];
        throng_snapshot_copy(words, from + i * sizeof words, THRONG_SNAPSHOT_DOOR_WORDS, sizeof *words);
        if (!throng_snapshot_unpack_door(words, &doors->items[i])) return refuse("a door that can't be");
    }
    return THRONG_OK;
}

// ---- taking over: nothing can fail from here on

static void restore_slots(throng_slots *slots, const unsigned char *generation, const unsigned char *free_indices,
                          uint32_t limit, uint32_t free_count) {
    throng_snapshot_copy(slots->generation, generation, limit, sizeof *slots->generation);
    if (limit == 0 && slots->capacity) limit = 1; // index 0 is nobody's
    if (limit) {
        memset(slots->used, 1, limit);
        slots->used[0] = 0;
        slots->row[0] = slots->generation[0] = 0;
    }
    slots->limit = limit;
    slots->free_count = slots->first_free = slots->last_free = 0;
    for (uint32_t i = 0; i < free_count; ++i) {
        const uint32_t index = throng_snapshot_u32(free_indices + (size_t)i * sizeof index);
        slots->used[index] = 0;
        throng_slots_queue(slots, index);
    }
}

typedef struct restoring {
    throng_world *world;
    const unsigned char *snapshot;
    const throng_snapshot_layout *layout;
    const throng_sort_item *order;
    uint32_t column_count;
} restoring;

static void restore_rows(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const restoring *work = context;
    throng_agents *agents = &work->world->agents;
    throng_slots *slots = &work->world->slots;
    const uint32_t first = item * THRONG_SNAPSHOT_ROWS;
    const uint32_t end = throng_min_u32(agents->count, first + THRONG_SNAPSHOT_ROWS);
    const throng_snapshot_column *columns = throng_snapshot_columns;
    for (uint32_t i = 0; i < work->column_count; ++i) {
        unsigned char *column = throng_snapshot_column_of(agents, &columns[i]);
        const size_t bytes = columns[i].bytes;
        throng_snapshot_copy(column + first * bytes, work->snapshot + work->layout->column[i] + first * bytes,
                             end - first, bytes);
    }
    if (work->column_count == throng_snapshot_column_count(false)) throng_extras_clear(agents, first, end);
    const unsigned char *index = work->snapshot + work->layout->index;
    for (uint32_t row = first; row < end; ++row) {
        const uint32_t own = throng_snapshot_u32(index + (size_t)row * sizeof own);
        agents->id[row] = (throng_agent_id){own, slots->generation[own]};
        slots->row[own] = row;
        agents->rank[work->order[row].value] = row; // the row-th by creation number
    }
}

static void restore_agents(throng_world *world, const unsigned char *snapshot, const uint64_t header[THRONG_WORD_COUNT],
                           const throng_snapshot_layout *layout, const throng_sort_item *order) {
    throng_agents *agents = &world->agents;
    restore_slots(&world->slots, snapshot + layout->agent_generation, snapshot + layout->agent_free,
                  (uint32_t)header[THRONG_WORD_AGENT_LIMIT], (uint32_t)header[THRONG_WORD_AGENT_FREE]);
    agents->count = (uint32_t)header[THRONG_WORD_AGENTS];
    agents->active = (uint32_t)header[THRONG_WORD_ACTIVE];
    restoring work = {world, snapshot, layout, order, (uint32_t)header[THRONG_WORD_COLUMNS]};
    const uint32_t blocks = (agents->count + THRONG_SNAPSHOT_ROWS - 1) / THRONG_SNAPSHOT_ROWS;
    throng_parallel_for(&world->parallel, blocks, 1, restore_rows, &work);
    world->next_rank = agents->count;
    world->mixed = world->claims_vary = true;
    world->next_creation = header[THRONG_WORD_NEXT_CREATION];
    world->max_neighbors = 0;
    world->mixed = world->host_moves = world->feels_density = false;
    for (uint32_t row = 0; row < agents->count; ++row) {
        world->max_neighbors = throng_max_u32(world->max_neighbors, agents->max_neighbors[row]);
        throng_world_note_kind(world, row);
    }
    agents->extras_used = throng_extras_find(agents);
    throng_places_changed(world);
}

static void restore_walls(throng_world *world, const throng_own_walls *own, const throng_wall_set *merged,
                          const unsigned char *snapshot, const uint64_t header[THRONG_WORD_COUNT],
                          const throng_snapshot_layout *layout) {
    throng_own_walls_release(&world->own_walls, &world->memory);
    world->own_walls = *own;
    throng_slots *slots = &world->own_walls.slots;
    restore_slots(slots, snapshot + layout->wall_generation, snapshot + layout->wall_free,
                  (uint32_t)header[THRONG_WORD_WALL_LIMIT], (uint32_t)header[THRONG_WORD_WALL_FREE]);
    for (uint32_t i = 0; i < own->count; ++i) {
        throng_slot_id *id = &world->own_walls.ids[i];
        id->generation = slots->generation[id->index];
        slots->row[id->index] = i;
    }
    throng_world_take_walls(world, merged);
}

static void restore_settings(throng_world *world, const uint64_t header[THRONG_WORD_COUNT]) {
    world->seed = header[THRONG_WORD_SEED];
    world->solver = (throng_solver)header[THRONG_WORD_SOLVER];
    world->contact_passes = (uint32_t)header[THRONG_WORD_PASSES];
    world->sampling = sampling_of(header);
    world->clock = clock_of(header);
    world->events.count = 0;
    world->counters =
        (throng_counters){.infeasible_total = header[THRONG_WORD_INFEASIBLE_TOTAL],
                          .truncated_total = header[THRONG_WORD_TRUNCATED_TOTAL],
                          .overlap_max = throng_float_of_bits((uint32_t)header[THRONG_WORD_OVERLAP_MAX]),
                          .wall_overlap_max = throng_float_of_bits((uint32_t)header[THRONG_WORD_WALL_OVERLAP_MAX])};
    memset(world->stage_hashes, 0, sizeof world->stage_hashes);
}

// ---- the call

/// Everything that can fail after the frame was found sound; then takes over.
static throng_result load(throng_world *world, const unsigned char *snapshot, const uint64_t header[THRONG_WORD_COUNT],
                          const throng_snapshot_layout *layout, unsigned char *marks) {
    throng_memory *memory = &world->memory;
    // The step's scratch serves here as well; the next step needs it anyway.
    throng_sort_item *order = world->step->event_rows;
    throng_result result =
        throng_snapshot_check(world, snapshot, header, layout, order, world->step->event_spare, marks);
    if (result != THRONG_OK) return result;
    throng_own_walls own = {0};
    throng_wall_set merged = {0};
    throng_supports supports = {0};
    throng_doors doors = {0};
    result = read_walls(&own, memory, snapshot, header, layout);
    if (result == THRONG_OK) result = read_supports(world, &supports, snapshot, header, layout);
    if (result == THRONG_OK && own.count) {
        const throng_wall_set *map = world->map ? &world->map->walls : NULL;
        result = throng_own_walls_merge(&merged, own.walls, own.count, NULL, 0, map, memory);
        if (result != THRONG_OK && result != THRONG_ERROR_MEMORY) result = refuse("a wall that can't be");
    }
    if (result == THRONG_OK) {
        result = read_doors(&doors, memory, snapshot + layout->doors, header[THRONG_WORD_DOORS]);
    }
    if (result != THRONG_OK) {
        throng_doors_release(&doors, memory);
        throng_own_walls_release(&own, memory);
        throng_wall_set_release(&merged, memory);
        throng_supports_release(&supports, memory);
        return result;
    }
    throng_supports_release(&world->supports, memory);
    world->supports = supports;
    restore_settings(world, header);
    throng_doors_release(&world->doors, memory);
    world->doors = doors;
    restore_walls(world, &own, &merged, snapshot, header, layout);
    restore_agents(world, snapshot, header, layout, order);
    throng_renew_world_columns(world);
    return THRONG_OK;
}

/// Room for the snapshot's agents, which changes nothing that can be seen.
static bool reserve(throng_world *world, const uint64_t header[THRONG_WORD_COUNT]) {
    const bool extras = header[THRONG_WORD_COLUMNS] == throng_snapshot_column_count(true);
    return throng_agents_reserve(&world->agents, &world->memory, (uint32_t)header[THRONG_WORD_AGENTS]) &&
           (!extras || throng_extras_reserve(&world->agents, &world->memory)) &&
           throng_slots_reserve_limit(&world->slots, &world->memory, (size_t)header[THRONG_WORD_AGENT_LIMIT]) &&
           throng_step_memory_reserve(world);
}

throng_result throng_world_load(throng_world *world, const void *buffer, size_t size) {
    if (!world || !buffer) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_load: world and buffer must not be null");
    }
    if (world->busy) return throng_fail_busy("world_load");
    uint64_t header[THRONG_WORD_COUNT];
    throng_snapshot_layout layout;
    const unsigned char *snapshot = buffer;
    throng_result result = check_frame(world, snapshot, size, header, &layout);
    if (result == THRONG_OK) result = check_table(snapshot + layout.table, header[THRONG_WORD_COLUMNS]);
    if (result == THRONG_OK) result = check_settings(world, header);
    if (result != THRONG_OK) return result;
    throng_memory *memory = &world->memory;
    const size_t mark_count = (size_t)header[THRONG_WORD_AGENT_LIMIT] + (size_t)header[THRONG_WORD_WALL_LIMIT];
    unsigned char *marks = reserve(world, header) ? throng_memory_allocate(memory, mark_count, 1) : NULL;
    if (!marks) {
        return throng_fail(THRONG_ERROR_MEMORY, -1, "world_load: no memory for a snapshot of %zu bytes", size);
    }
    result = load(world, snapshot, header, &layout, marks);
    throng_memory_release(memory, marks, mark_count, 1);
    return result;
}
