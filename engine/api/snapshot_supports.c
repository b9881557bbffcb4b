// The supports of a snapshot, words of 64 bits and whatever fits in them, so that nothing needs padding:
//
//     limit of indices, number of supports, number of free indices; generation of each index below the limit; free
//     indices in the order of their reuse
//     per support: index, kind, layer, points of its outline, number of walls; position, heading, velocity, turn rate;
//     the outline; per wall: kind, layer, number of points, heights from and to (f32), the points
#include "api/snapshot.h"

#include "base/scalar.h"

#include <string.h>

// ---- writing

/// Writes where `out` is set; counts in any case.
typedef struct writer {
    unsigned char *out;
    uint64_t words;
} writer;

static void put(writer *w, uint64_t word) {
    if (w->out) throng_snapshot_copy(w->out + w->words * sizeof word, &word, 1, sizeof word);
    w->words++;
}

static void put_number(writer *w, double number) {
    put(w, throng_double_bits(number));
}

static void put_numbers(writer *w, const double *numbers, size_t count) {
    for (size_t i = 0; i < count; ++i) put_number(w, numbers[i]);
}

static void put_support(writer *w, const throng_support *support, uint32_t index) {
    put(w, index);
    put(w, (uint64_t)support->kind);
    put(w, support->layer);
    put(w, support->outline_count);
    put(w, support->walls.wall_count);
    const double motion[] = {support->pose.x,     support->pose.y,     support->pose.ux,  support->pose.uy,
                             support->velocity.x, support->velocity.y, support->turn_rate};
    put_numbers(w, motion, sizeof motion / sizeof *motion);
    put_numbers(w, support->outline, 2 * (size_t)support->outline_count);
    for (uint32_t i = 0; i < support->walls.wall_count; ++i) {
        const throng_wall *wall = &support->walls.walls[i];
        put(w, (uint64_t)wall->kind);
        put(w, wall->layer);
        put(w, wall->point_count);
        put(w, throng_float_bits(wall->height_low));
        put(w, throng_float_bits(wall->height_high));
        put_numbers(w, wall->points, 2 * (size_t)wall->point_count);
    }
}

uint64_t throng_snapshot_save_supports(const throng_supports *supports, unsigned char *out) {
    writer w = {out, 0};
    const throng_slots *slots = &supports->slots;
    if (slots->limit <= 1) return 0;
    put(&w, slots->limit);
    put(&w, supports->count);
    put(&w, slots->free_count);
    for (uint32_t i = 1; i < slots->limit; ++i) put(&w, slots->generation[i]);
    for (uint32_t index = slots->first_free; index; index = slots->row[index]) put(&w, index);
    for (uint32_t i = 1; i < slots->limit; ++i) {
        if (slots->used[i]) put_support(&w, &supports->items[i], i);
    }
    return w.words * sizeof(uint64_t);
}

// ---- reading

/// Reads zeros and turns bad where something is missing or out of range.
typedef struct reader {
    const unsigned char *at;
    uint64_t words; ///< left
    bool bad, no_memory;
} reader;

static uint64_t get(reader *r, uint64_t most) {
    uint64_t word = 0;
    if (r->words == 0) {
        r->bad = true;
        return 0;
    }
    throng_snapshot_copy(&word, r->at, 1, sizeof word);
    r->at += sizeof word;
    r->words--;
    if (word <= most) return word;
    r->bad = true;
    return 0;
}

static double get_number(reader *r, double limit) {
    const double number = throng_double_of_bits(get(r, UINT64_MAX));
    if (throng_is_within(number, limit)) return number;
    r->bad = true;
    return 0.0;
}

static float get_float(reader *r) {
    return throng_float_of_bits((uint32_t)get(r, UINT32_MAX));
}

/// Pairs of numbers that must be there; null where they are not, or where there is no memory.
static double *get_points(reader *r, uint64_t count, throng_memory *memory) {
    if (count > r->words / 2) {
        r->bad = true;
        return NULL;
    }
    double *points = throng_memory_allocate(memory, 2 * (size_t)count, sizeof *points);
    if (!points) r->no_memory = true;
    for (uint64_t i = 0; points && i < 2 * count; ++i) points[i] = get_number(r, THRONG_LIMIT_PLACE);
    return points;
}

static void get_walls(reader *r, throng_support *support, uint32_t count, throng_memory *memory) {
    throng_wall *walls = throng_memory_allocate(memory, count, sizeof *walls);
    if (!walls) r->no_memory = true;
    uint32_t read = 0;
    for (; walls && read < count && !r->bad && !r->no_memory; ++read) {
        walls[read].kind = (throng_wall_kind)get(r, THRONG_WALL_LINE);
        walls[read].layer = (uint32_t)get(r, UINT32_MAX);
        walls[read].point_count = (uint32_t)get(r, UINT32_MAX);
        walls[read].height_low = get_float(r);
        walls[read].height_high = get_float(r);
        walls[read].points = get_points(r, walls[read].point_count, memory);
    }
    if (!r->bad && !r->no_memory) {
        const throng_result result = throng_wall_set_build(&support->walls, walls, count, memory);
        r->no_memory = result == THRONG_ERROR_MEMORY;
        r->bad = result != THRONG_OK && !r->no_memory;
    }
    for (uint32_t i = 0; i < read; ++i) throng_own_walls_release_points(&walls[i], memory);
    throng_memory_release(memory, walls, count, sizeof *walls);
}

/// Whether the pose is what a support of its kind may have.
static bool can_be(const throng_support *support) {
    const throng_pose *pose = &support->pose;
    const double length = pose->ux * pose->ux + pose->uy * pose->uy;
    if (!(length > 1.0 - 1e-12 && length < 1.0 + 1e-12)) return false;
    if (support->kind == THRONG_SUPPORT_PLATFORM) return true;
    return pose->x == 0.0 && pose->y == 0.0 && pose->ux == 1.0 && pose->uy == 0.0 && support->turn_rate == 0.0 &&
           support->walls.piece_count == 0;
}

static void get_support(reader *r, throng_supports *supports, uint32_t limit, throng_memory *memory) {
    const uint32_t index = (uint32_t)get(r, limit - 1);
    if (index == 0 || supports->slots.used[index]) r->bad = true;
    if (r->bad) return;
    throng_support *support = &supports->items[index];
    supports->slots.used[index] = 1;
    support->kind = (throng_support_kind)get(r, THRONG_SUPPORT_BELT);
    support->layer = (uint32_t)get(r, UINT32_MAX);
    const uint32_t outline_count = (uint32_t)get(r, UINT32_MAX), wall_count = (uint32_t)get(r, UINT32_MAX);
    support->pose.x = get_number(r, 1e30);
    support->pose.y = get_number(r, 1e30);
    support->pose.ux = get_number(r, 1.0 + 1e-12);
    support->pose.uy = get_number(r, 1.0 + 1e-12);
    support->next = support->pose;
    support->velocity.x = get_number(r, THRONG_SUPPORT_MAX_SPEED);
    support->velocity.y = get_number(r, THRONG_SUPPORT_MAX_SPEED);
    support->turn_rate = get_number(r, THRONG_SUPPORT_MAX_TURN_RATE);
    support->frame = support->kind == THRONG_SUPPORT_PLATFORM ? index : 0;
    double *outline = get_points(r, outline_count, memory);
    if (!r->bad && outline && outline_count && !throng_support_copy_outline(support, outline, outline_count, memory)) {
        r->no_memory = true;
    }
    throng_memory_release(memory, outline, 2 * (size_t)outline_count, sizeof *outline);
    if (wall_count > r->words) r->bad = true;
    if (!r->bad && !r->no_memory) get_walls(r, support, wall_count, memory);
    if (!can_be(support) || outline_count == 1 || outline_count == 2) r->bad = true;
    supports->most_pieces = throng_max_u32(supports->most_pieces, support->walls.piece_count);
}

static void get_free(reader *r, throng_slots *slots, uint32_t count) {
    for (uint32_t i = 0; i < count && !r->bad; ++i) {
        const uint32_t index = (uint32_t)get(r, slots->limit - 1);
        if (index == 0 || slots->used[index]) {
            r->bad = true;
            return;
        }
        slots->used[index] = 2; // told from those not named yet
        throng_slots_queue(slots, index);
    }
}

static void get_all(reader *r, throng_supports *supports, throng_memory *memory) {
    const uint32_t limit = (uint32_t)get(r, THRONG_MAX_SUPPORTS + 1), count = (uint32_t)get(r, THRONG_MAX_SUPPORTS);
    const uint32_t free_count = (uint32_t)get(r, THRONG_MAX_SUPPORTS);
    if (r->bad || limit < 2 || count + free_count + 1 != limit || limit > r->words) {
        r->bad = true;
        return;
    }
    if (!throng_supports_reserve(supports, memory, limit)) {
        r->no_memory = true;
        return;
    }
    throng_slots *slots = &supports->slots;
    slots->limit = limit;
    slots->row[0] = slots->generation[0] = 0;
    memset(slots->used, 0, limit);
    for (uint32_t i = 1; i < limit; ++i) {
        slots->row[i] = 0;
        slots->generation[i] = (uint32_t)get(r, UINT32_MAX);
        if (slots->generation[i] == 0) r->bad = true;
    }
    get_free(r, slots, free_count);
    for (uint32_t i = 0; i < count && !r->bad && !r->no_memory; ++i) get_support(r, supports, limit, memory);
    for (uint32_t i = 1; i < limit; ++i) slots->used[i] = slots->used[i] == 1;
    supports->count = count;
}

throng_result throng_snapshot_load_supports(throng_supports *supports, throng_memory *memory, const unsigned char *from,
                                            uint64_t bytes) {
    *supports = (throng_supports){0};
    if (bytes == 0) return THRONG_OK;
    reader r = {.at = from, .words = bytes / sizeof(uint64_t)};
    get_all(&r, supports, memory);
    if (!r.bad && !r.no_memory && r.words == 0) return THRONG_OK;
    throng_supports_release(supports, memory);
    if (r.no_memory) return throng_fail(THRONG_ERROR_MEMORY, -1, "world_load: no memory for supports");
    return throng_fail(THRONG_ERROR_SNAPSHOT, -1, "world_load: a support that can't be");
}

throng_result throng_snapshot_check_supports(const throng_supports *supports, const unsigned char *snapshot,
                                             const uint64_t header[THRONG_WORD_COUNT],
                                             const throng_snapshot_layout *layout) {
    for (uint32_t i = 0; i < header[THRONG_WORD_COLUMNS]; ++i) {
        const throng_snapshot_column *column = &throng_snapshot_columns[i];
        if (column->range != THRONG_RANGE_SUPPORT) continue;
        for (uint32_t row = 0; row < header[THRONG_WORD_AGENTS]; ++row) {
            uint16_t index;
            throng_snapshot_copy(&index, snapshot + layout->column[i] + row * sizeof index, 1, sizeof index);
            if (index == 0 || (index < supports->slots.limit && supports->slots.used[index])) continue;
            return throng_fail(THRONG_ERROR_SNAPSHOT, row, "world_load: %s of row %u is no support", column->name,
                               (unsigned)row);
        }
    }
    return THRONG_OK;
}
