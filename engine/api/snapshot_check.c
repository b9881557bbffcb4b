#include "api/snapshot.h"

#include "base/scalar.h"

#include <stdatomic.h>
#include <string.h>

typedef struct checking {
    const throng_world *world;
    const unsigned char *snapshot;
    const uint64_t *header;
    const throng_snapshot_layout *layout;
    const throng_snapshot_column *columns;
    uint32_t column_count, agents, active;
    _Atomic uint64_t first_bad; // row << 8 | column
} checking;

static void note_bad(checking *work, uint32_t row, uint32_t column) {
    const uint64_t bad = (uint64_t)row << 8 | column;
    uint64_t known = atomic_load_explicit(&work->first_bad, memory_order_relaxed);
    while (bad < known && !atomic_compare_exchange_weak_explicit(&work->first_bad, &known, bad, memory_order_relaxed,
                                                                 memory_order_relaxed)) {
    }
}

/// A value of any column as a double; whole numbers beyond 2^53 are only compared with 0.
static double value_at(const unsigned char *values, const throng_snapshot_column *column, uint32_t row) {
    const unsigned char *at = values + row * column->bytes;
    if (column->type[0] == 'f' && column->bytes == sizeof(float)) {
        float value;
        throng_snapshot_copy(&value, at, 1, sizeof value);
        return value;
    }
    if (column->type[0] == 'f') {
        double value;
        throng_snapshot_copy(&value, at, 1, sizeof value);
        return value;
    }
    uint64_t whole = 0;
    for (size_t byte = column->bytes; byte-- > 0;) whole = whole << 8 | at[byte];
    return (double)whole;
}

/// Far above what any number of steps may reach, far below where sums and squares of differences overflow to infinity
/// in the index.
static const double largest = 1e30;

static bool in_range(const checking *work, throng_column_range range, double value, uint32_t row) {
    switch (range) {
    case THRONG_RANGE_FINITE:
        return throng_is_within(value, largest);
    case THRONG_RANGE_NOT_NEGATIVE:
        return value <= largest && value >= 0.0;
    case THRONG_RANGE_POSITIVE:
        return value <= largest && value > 0.0;
    case THRONG_RANGE_OR_INFINITE:
        return value >= 0.0;
    case THRONG_RANGE_TARGET_KIND:
        return value <= THRONG_TARGET_SEGMENT;
    case THRONG_RANGE_SIDE:
        return value <= THRONG_SIDE_LEFT;
    case THRONG_RANGE_DENSITY:
        return value <= THRONG_DENSITY_WEIDMANN + work->world->density_tables.count;
    case THRONG_RANGE_SIGNED_OR_INFINITE:
        return value == value;
    case THRONG_RANGE_COSINE:
        return value >= -1.0 && value <= 1.0;
    case THRONG_RANGE_MODEL:
        return value <= THRONG_MODEL_VO;
    case THRONG_RANGE_INFEASIBLE:
        return value <= THRONG_INFEASIBLE_BRAKE;
    case THRONG_RANGE_TRUTH:
        return value <= 1.0;
    case THRONG_RANGE_FLAGS: {
        const uint32_t flags = (uint32_t)value;
        const uint32_t known = THRONG_AGENT_HOST_MOVED | THRONG_FLAG_PARKED | THRONG_FLAG_ARRIVED |
                               THRONG_FLAG_OUTSIDE | THRONG_FLAG_UNPLACED | THRONG_FLAG_SETTLED | THRONG_FLAG_STUCK |
                               THRONG_FLAG_ASIDE;
        return (flags & ~known) == 0 && ((flags & THRONG_FLAG_PARKED) != 0) == (row >= work->active);
    }
    default:
        return true;
    }
}

enum { CHUNK = 256 };

/// Whether all numbers of a float column are in range. One pass without branches, since nearly all always are.
#define ALL_IN_RANGE(type)                                                                                             \
    static bool all_in_range_##type(throng_column_range range, const type *values, uint32_t count) {                   \
        bool good = true;                                                                                              \
        const type most = range == THRONG_RANGE_COSINE ? 1 : (type)largest;                                            \
        const bool any_sign =                                                                                          \
            range == THRONG_RANGE_FINITE || range == THRONG_RANGE_SIGNED_OR_INFINITE || range == THRONG_RANGE_COSINE;  \
        const bool unbounded = range == THRONG_RANGE_OR_INFINITE || range == THRONG_RANGE_SIGNED_OR_INFINITE;          \
        for (uint32_t i = 0; i < count; ++i) {                                                                         \
            const type value = values[i];                                                                              \
            good &=                                                                                                    \
                (unbounded | ((value >= -most) & (value <= most))) & ((any_sign & (value == value)) | (value >= 0));   \
        }                                                                                                              \
        if (range == THRONG_RANGE_POSITIVE) {                                                                          \
            for (uint32_t i = 0; i < count; ++i) good &= values[i] > 0;                                                \
        }                                                                                                              \
        return good;                                                                                                   \
    }
ALL_IN_RANGE(float)
ALL_IN_RANGE(double)
#undef ALL_IN_RANGE

static bool chunk_in_range(const throng_snapshot_column *column, const unsigned char *values, uint32_t count) {
    if (column->type[0] != 'f') return false;
    if (column->bytes == sizeof(float)) {
        float copies[CHUNK];
        throng_snapshot_copy(copies, values, count, sizeof *copies);
        return all_in_range_float(column->range, copies, count);
    }
    double copies[CHUNK];
    throng_snapshot_copy(copies, values, count, sizeof *copies);
    return all_in_range_double(column->range, copies, count);
}

static void check_rows(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    checking *work = context;
    const uint32_t first = item * THRONG_SNAPSHOT_ROWS;
    const uint32_t end = throng_min_u32(work->agents, first + THRONG_SNAPSHOT_ROWS);
    for (uint32_t i = 0; i < work->column_count; ++i) {
        const throng_snapshot_column *column = &work->columns[i];
        if (column->range == THRONG_RANGE_ANY) continue;
        const unsigned char *values = work->snapshot + work->layout->column[i];
        for (uint32_t row = first; row < end; row += CHUNK) {
            const uint32_t count = throng_min_u32(CHUNK, end - row);
            if (chunk_in_range(column, values + row * column->bytes, count)) continue;
            uint32_t bad = 0;
            while (bad < count && in_range(work, column->range, value_at(values, column, row + bad), row + bad)) ++bad;
            if (bad == count) continue;
            note_bad(work, row + bad, i);
            break;
        }
    }
}

static uint32_t column_named(const checking *work, const char *name) {
    uint32_t i = 0;
    while (strcmp(work->columns[i].name, name) != 0) ++i;
    return i;
}

/// A fixed preferred velocity is used as floats.
static void check_targets(checking *work) {
    const uint32_t kind = column_named(work, "target_kind");
    const uint32_t axis[2] = {column_named(work, "target_x"), column_named(work, "target_y")};
    for (uint32_t row = 0; row < work->agents; ++row) {
        if (work->snapshot[work->layout->column[kind] + row] != THRONG_TARGET_VELOCITY) continue;
        for (int i = 0; i < 2; ++i) {
            const unsigned char *values = work->snapshot + work->layout->column[axis[i]];
            const float value = (float)value_at(values, &work->columns[axis[i]], row);
            if (!throng_is_finite(value)) note_bad(work, row, axis[i]);
        }
    }
}

static throng_result check_creation(const checking *work, throng_sort_item *order, throng_sort_item *spare) {
    const unsigned char *values = work->snapshot + work->layout->column[column_named(work, "creation")];
    for (uint32_t row = 0; row < work->agents; ++row) {
        uint64_t creation;
        throng_snapshot_copy(&creation, values + (size_t)row * sizeof creation, 1, sizeof creation);
        order[row] = (throng_sort_item){creation, row};
    }
    throng_sort(order, spare, work->agents);
    for (uint32_t i = 0; i < work->agents; ++i) {
        const uint64_t next = i + 1 < work->agents ? order[i + 1].key : work->header[THRONG_WORD_NEXT_CREATION];
        if (order[i].key < next) continue;
        return throng_fail(THRONG_ERROR_SNAPSHOT, order[i].value,
                           "world_load: creation number of row %u is not its own, or not yet given out",
                           (unsigned)order[i].value);
    }
    return THRONG_OK;
}

/// Every index below the limit is either one of those in use or one of the free ones.
static throng_result check_slots(const checking *work, const char *what, const throng_snapshot_word words[3],
                                 uint64_t used, uint64_t used_stride, uint64_t generation, uint64_t free_at,
                                 unsigned char *marks) {
    const uint64_t used_count = work->header[words[0]], limit = work->header[words[1]];
    const uint64_t free_count = work->header[words[2]];
    if (limit > UINT32_MAX || used_count + free_count + (limit > 0) != limit) {
        return throng_fail(THRONG_ERROR_SNAPSHOT, -1, "world_load: counts of %s ids do not add up", what);
    }
    memset(marks, 0, (size_t)limit);
    for (uint64_t i = 0; i < used_count + free_count; ++i) {
        const uint64_t at = i < used_count ? used + i * used_stride : free_at + (i - used_count) * sizeof(uint32_t);
        const uint32_t index = throng_snapshot_u32(work->snapshot + at);
        if (index == 0 || index >= limit || marks[index]) {
            return throng_fail(THRONG_ERROR_SNAPSHOT, -1, "world_load: %s index %u is out of range or named twice",
                               what, (unsigned)index);
        }
        marks[index] = 1;
    }
    for (uint64_t index = 1; index < limit; ++index) {
        if (throng_snapshot_u32(work->snapshot + generation + index * sizeof(uint32_t)) == 0) {
            return throng_fail(THRONG_ERROR_SNAPSHOT, -1, "world_load: %s index %u has no generation", what,
                               (unsigned)index);
        }
    }
    return THRONG_OK;
}

throng_result throng_snapshot_check(const throng_world *world, const unsigned char *snapshot,
                                    const uint64_t header[THRONG_WORD_COUNT], const throng_snapshot_layout *layout,
                                    throng_sort_item *order, throng_sort_item *spare, unsigned char *marks) {
    checking work = {.world = world, .snapshot = snapshot, .header = header, .layout = layout};
    work.columns = throng_snapshot_columns;
    work.column_count = (uint32_t)header[THRONG_WORD_COLUMNS];
    work.agents = (uint32_t)header[THRONG_WORD_AGENTS];
    work.active = (uint32_t)header[THRONG_WORD_ACTIVE];
    atomic_init(&work.first_bad, UINT64_MAX);
    const uint32_t blocks = (work.agents + THRONG_SNAPSHOT_ROWS - 1) / THRONG_SNAPSHOT_ROWS;
    throng_parallel_for(&world->parallel, blocks, 1, check_rows, &work);
    check_targets(&work);
    const uint64_t bad = atomic_load_explicit(&work.first_bad, memory_order_relaxed);
    if (bad != UINT64_MAX) {
        return throng_fail(THRONG_ERROR_SNAPSHOT, (int64_t)(bad >> 8), "world_load: %s of row %u is out of range",
                           work.columns[bad & 0xff].name, (unsigned)(bad >> 8));
    }
    throng_result result = check_creation(&work, order, spare);
    if (result != THRONG_OK) return result;
    static const throng_snapshot_word agents[3] = {THRONG_WORD_AGENTS, THRONG_WORD_AGENT_LIMIT, THRONG_WORD_AGENT_FREE};
    static const throng_snapshot_word walls[3] = {THRONG_WORD_WALLS, THRONG_WORD_WALL_LIMIT, THRONG_WORD_WALL_FREE};
    result = check_slots(&work, "agent", agents, layout->index, sizeof(uint32_t), layout->agent_generation,
                         layout->agent_free, marks);
    if (result != THRONG_OK) return result;
    return check_slots(&work, "wall", walls, layout->wall_heads, THRONG_SNAPSHOT_WALL_WORDS * sizeof(uint32_t),
                       layout->wall_generation, layout->wall_free, marks);
}
