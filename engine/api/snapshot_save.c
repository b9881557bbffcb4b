#include "api/doors.h"
#include "api/snapshot.h"

#include "base/scalar.h"
#include "state/extras.h"
#include "state/map.h"

#include <string.h>

/// Index 0 is nobody's: whether there is room for it says nothing.
static uint32_t limit_of(const throng_slots *slots) {
    return slots->limit > 1 ? slots->limit : 0;
}

static void fill_header(const throng_world *world, uint64_t header[THRONG_WORD_COUNT]) {
    const throng_own_walls *own = &world->own_walls;
    uint64_t points = 0;
    for (uint32_t i = 0; i < own->count; ++i) points += own->walls[i].point_count;
    const uint32_t columns = throng_snapshot_column_count(throng_extras_find(&world->agents) != 0);
    const uint64_t words[THRONG_WORD_COUNT] = {
        [THRONG_WORD_MAGIC] = THRONG_SNAPSHOT_MAGIC,
        [THRONG_WORD_VERSION] = THRONG_SNAPSHOT_VERSION,
        [THRONG_WORD_MAP] = world->map ? world->map->content : 0,
        [THRONG_WORD_DENSITY] = world->density_tables.content,
        [THRONG_WORD_SEED] = world->seed,
        [THRONG_WORD_SOLVER] = world->solver,
        [THRONG_WORD_PASSES] = world->contact_passes,
        [THRONG_WORD_SAMPLES] = (uint64_t)world->sampling.pattern << 32 | world->sampling.count,
        [THRONG_WORD_SAMPLE_HORIZON] = throng_float_bits(world->sampling.horizon),
        [THRONG_WORD_NEXT_CREATION] = world->next_creation,
        [THRONG_WORD_COLUMNS] = columns,
        [THRONG_WORD_AGENTS] = world->agents.count,
        [THRONG_WORD_ACTIVE] = world->agents.active,
        [THRONG_WORD_AGENT_LIMIT] = limit_of(&world->slots),
        [THRONG_WORD_AGENT_FREE] = world->slots.free_count,
        [THRONG_WORD_WALLS] = own->count,
        [THRONG_WORD_WALL_LIMIT] = limit_of(&own->slots),
        [THRONG_WORD_WALL_FREE] = own->slots.free_count,
        [THRONG_WORD_WALL_POINTS] = points,
        [THRONG_WORD_SUPPORT_BYTES] = throng_snapshot_save_supports(&world->supports, NULL),
        [THRONG_WORD_DOORS] = world->doors.count,
        [THRONG_WORD_STEP] = world->clock.step,
        [THRONG_WORD_SINCE] = world->clock.since,
        [THRONG_WORD_START] = throng_double_bits(world->clock.start),
        [THRONG_WORD_TIME_STEP] = throng_double_bits(world->clock.time_step),
        [THRONG_WORD_INFEASIBLE_TOTAL] = world->counters.infeasible_total,
        [THRONG_WORD_TRUNCATED_TOTAL] = world->counters.truncated_total,
        [THRONG_WORD_OVERLAP_MAX] = throng_float_bits(world->counters.overlap_max),
        [THRONG_WORD_WALL_OVERLAP_MAX] = throng_float_bits(world->counters.wall_overlap_max),
    };
    memcpy(header, words, sizeof words);
}

typedef struct saving {
    const throng_world *world;
    const throng_snapshot_layout *layout;
    unsigned char *out;
    uint32_t column_count;
} saving;

static void save_rows(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const saving *work = context;
    const throng_agents *agents = &work->world->agents;
    const uint32_t first = item * THRONG_SNAPSHOT_ROWS;
    const uint32_t end = throng_min_u32(agents->count, first + THRONG_SNAPSHOT_ROWS);
    const throng_snapshot_column *columns = throng_snapshot_columns;
    for (uint32_t i = 0; i < work->column_count; ++i) {
        const unsigned char *column = throng_snapshot_column_of(agents, &columns[i]);
        const size_t bytes = columns[i].bytes;
        throng_snapshot_copy(work->out + work->layout->column[i] + first * bytes, column + first * bytes, end - first,
                             bytes);
    }
    unsigned char *index = work->out + work->layout->index + (size_t)first * sizeof(uint32_t);
    for (uint32_t row = first; row < end; ++row, index += sizeof(uint32_t)) {
        throng_snapshot_copy(index, &agents->id[row].index, 1, sizeof(uint32_t));
    }
}

static void save_table(unsigned char *to, uint32_t count) {
    const throng_snapshot_column *columns = throng_snapshot_columns;
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(to, columns[i].name, sizeof columns[i].name);
        to += sizeof columns[i].name;
        memcpy(to, columns[i].type, sizeof columns[i].type);
        to += sizeof columns[i].type;
    }
}

static void save_slots(const throng_slots *slots, unsigned char *generation, unsigned char *free_indices) {
    throng_snapshot_copy(generation, slots->generation, limit_of(slots), sizeof *slots->generation);
    for (uint32_t index = slots->first_free; index; index = slots->row[index], free_indices += sizeof index) {
        throng_snapshot_copy(free_indices, &index, 1, sizeof index);
    }
}

static void save_walls(const throng_own_walls *own, unsigned char *heads, unsigned char *points) {
    for (uint32_t i = 0; i < own->count; ++i, heads += THRONG_SNAPSHOT_WALL_WORDS * sizeof(uint32_t)) {
        const throng_wall *wall = &own->walls[i];
        const uint32_t head[THRONG_SNAPSHOT_WALL_WORDS] = {own->ids[i].index,
                                                           (uint32_t)wall->kind,
                                                           wall->layer,
                                                           wall->point_count,
                                                           throng_float_bits(wall->height_low),
                                                           throng_float_bits(wall->height_high)};
        throng_snapshot_copy(heads, head, THRONG_SNAPSHOT_WALL_WORDS, sizeof *head);
        throng_snapshot_copy(points, wall->points, 2 * (size_t)wall->point_count, sizeof(double));
        points += 2 * (size_t)wall->point_count * sizeof(double);
    }
}

static void save_doors(const throng_doors *doors, unsigned char *to) {
    for (uint32_t i = 0; i < doors->count; ++i) {
        uint64_t words[THRONG_SNAPSHOT_DOOR_WORDS];
        throng_snapshot_pack_door(&doors->items[i], words);
        throng_snapshot_copy(to + i * sizeof words, words, THRONG_SNAPSHOT_DOOR_WORDS, sizeof *words);
    }
}

/// Parts end in padding, which a snapshot must not take from what the buffer held before.
static void clear_padding(unsigned char *out, const throng_snapshot_layout *layout, uint32_t columns) {
    const uint64_t parts[] = {
        layout->index,      layout->agent_generation, layout->agent_free, layout->wall_generation, layout->wall_free,
        layout->wall_heads, layout->wall_points,      layout->supports,   layout->doors,           layout->sums};
    for (uint32_t i = 1; i < columns; ++i) {
        if (layout->column[i] > layout->column[i - 1]) memset(out + layout->column[i] - 8, 0, 8);
    }
    uint64_t before = layout->column[columns - 1];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        if (parts[i] > before) memset(out + parts[i] - 8, 0, 8);
        before = parts[i];
    }
}

throng_result throng_world_save(const throng_world *world, void *buffer, size_t capacity, size_t *size) {
    if (!world || !size || (!buffer && capacity)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_save: world, buffer and size must not be null");
    }
    if (world->busy) return throng_fail_busy("world_save");
    uint64_t header[THRONG_WORD_COUNT];
    fill_header(world, header);
    throng_snapshot_layout layout;
    if (!throng_snapshot_lay_out(header, &layout)) {
        return throng_fail(THRONG_ERROR_CAPACITY, -1, "world_save: the world is too large for this machine's memory");
    }
    header[THRONG_WORD_SIZE] = layout.size;
    *size = (size_t)layout.size;
    if (!buffer) return THRONG_OK;
    if (capacity < layout.size) {
        return throng_fail(THRONG_ERROR_CAPACITY, -1, "world_save: the buffer holds %zu bytes, %zu are needed",
                           capacity, *size);
    }
    unsigned char *out = buffer;
    const uint32_t columns = (uint32_t)header[THRONG_WORD_COLUMNS];
    throng_snapshot_copy(out, header, THRONG_WORD_COUNT, sizeof *header);
    clear_padding(out, &layout, columns);
    save_table(out + layout.table, columns);
    save_slots(&world->slots, out + layout.agent_generation, out + layout.agent_free);
    save_slots(&world->own_walls.slots, out + layout.wall_generation, out + layout.wall_free);
    save_walls(&world->own_walls, out + layout.wall_heads, out + layout.wall_points);
    throng_snapshot_save_supports(&world->supports, out + layout.supports);
    save_doors(&world->doors, out + layout.doors);
    saving work = {world, &layout, out, columns};
    const uint32_t blocks = (world->agents.count + THRONG_SNAPSHOT_ROWS - 1) / THRONG_SNAPSHOT_ROWS;
    throng_parallel_for(&world->parallel, blocks, 1, save_rows, &work);
    throng_snapshot_seal(out, &layout, &world->parallel);
    return THRONG_OK;
}
