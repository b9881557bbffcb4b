#include "state/wall_set.h"

#include "base/error.h"
#include "base/scalar.h"
#include "state/wall_chain.h"

#include <string.h>

// Squares of shorter lengths lose digits to underflow: such a piece is a point.
#define SHORTEST_PIECE 1e-140

#define MAX_POINTS (UINT32_C(1) << 31)

static throng_result check_wall(const throng_wall *wall, uint32_t number) {
    if (wall->kind != THRONG_WALL_SOLID && wall->kind != THRONG_WALL_ENCLOSURE && wall->kind != THRONG_WALL_LINE) {
        return throng_fail(THRONG_ERROR_ARGUMENT, number, "wall %u: unknown kind %d", number, (int)wall->kind);
    }
    const uint32_t least = wall->kind == THRONG_WALL_LINE ? 1 : 3;
    if (wall->point_count < least) {
        return throng_fail(THRONG_ERROR_VALUE, number, "wall %u: must have at least %u points, has %u", number, least,
                           wall->point_count);
    }
    const bool all_heights = wall->height_low == 0.0f && wall->height_high == 0.0f;
    if (!all_heights && !(wall->height_low < wall->height_high)) {
        return throng_fail(THRONG_ERROR_VALUE, number, "wall %u: height_low must be below height_high, are %g and %g",
                           number, wall->height_low, wall->height_high);
    }
    if (!wall->points) return throng_fail(THRONG_ERROR_ARGUMENT, number, "wall %u: points is null", number);
    for (uint32_t i = 0; i < wall->point_count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            const double value = wall->points[2 * (size_t)i + (size_t)axis];
            if (!(value >= -THRONG_WALL_MAX_COORDINATE && value <= THRONG_WALL_MAX_COORDINATE)) {
                return throng_fail(THRONG_ERROR_VALUE, number,
                                   "wall %u, point %u: %c must be finite and within +-1e12 m, is %g", number, i,
                                   axis == 0 ? 'x' : 'y', value);
            }
        }
    }
    return THRONG_OK;
}

static void sift_down(throng_wall_chain *chains, uint32_t at, uint32_t count) {
    const throng_wall_chain sinking = chains[at];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && throng_wall_chain_compare(&chains[child], &chains[child + 1]) < 0) child++;
        if (throng_wall_chain_compare(&sinking, &chains[child]) >= 0) break;
        chains[at] = chains[child];
        at = child;
    }
    chains[at] = sinking;
}

static void heap_sort(throng_wall_chain *chains, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) sift_down(chains, i, count);
    for (uint32_t last = count; last-- > 1;) {
        const throng_wall_chain largest = chains[0];
        chains[0] = chains[last];
        chains[last] = largest;
        sift_down(chains, 0, last);
    }
}

// Sorted, equal chains merged into one that stops whom any of them stops. Returns how many remain.
static uint32_t sort_chains(throng_wall_chain *chains, uint32_t count) {
    if (count == 0) return 0;
    heap_sort(chains, count);
    uint32_t kept = 0;
    for (uint32_t i = 1; i < count; i++) {
        if (throng_wall_chain_compare(&chains[kept], &chains[i]) == 0) {
            chains[kept].layer |= chains[i].layer;
        } else {
            chains[++kept] = chains[i];
        }
    }
    return kept + 1;
}

// Cuts columns from a block; with no block it only counts.
typedef struct cutter {
    unsigned char *block;
    size_t used;
} cutter;

static void *cut(cutter *c, size_t count, size_t size) {
    void *column = c->block ? c->block + c->used : NULL;
    c->used += (count * size + 63) / 64 * 64;
    return column;
}

// The set's columns while they are written.
typedef struct columns {
    throng_wall_segment *segment;
    float *low, *high;
    uint32_t *previous, *next, *first_piece;
    throng_wall_leaf *piece_leaves, *solid_leaves;
    throng_wall *walls;
    throng_wall_box *extents;
    throng_wall_node *piece_nodes, *solid_nodes;
    double *points;
} columns;

static columns cut_columns(cutter *c, size_t pieces, size_t walls, size_t solids, size_t points) {
    columns to;
    to.segment = cut(c, pieces, sizeof(throng_wall_segment));
    uint32_t **const numbers[] = {&to.previous, &to.next};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) *numbers[i] = cut(c, pieces, sizeof(uint32_t));
    to.low = cut(c, pieces, sizeof(float));
    to.high = cut(c, pieces, sizeof(float));
    to.first_piece = cut(c, walls + 1, sizeof(uint32_t));
    to.piece_leaves = cut(c, pieces, sizeof(throng_wall_leaf));
    to.solid_leaves = cut(c, solids, sizeof(throng_wall_leaf));
    to.walls = cut(c, walls, sizeof(throng_wall));
    to.extents = cut(c, walls, sizeof(throng_wall_box));
    to.piece_nodes = cut(c, pieces, sizeof(throng_wall_node));
    to.solid_nodes = cut(c, solids, sizeof(throng_wall_node));
    to.points = cut(c, 2 * points, sizeof(double));
    return to;
}

static void widen(throng_wall_box *box, const throng_wall_box *by) {
    box->min_x = throng_mind(box->min_x, by->min_x);
    box->min_y = throng_mind(box->min_y, by->min_y);
    box->max_x = throng_maxd(box->max_x, by->max_x);
    box->max_y = throng_maxd(box->max_y, by->max_y);
}

static throng_wall_segment segment_between(const double *a, const double *b) {
    const double dx = b[0] - a[0];
    const double dy = b[1] - a[1];
    const double length = sqrt(dx * dx + dy * dy);
    const bool point = !(length > SHORTEST_PIECE);
    return (throng_wall_segment){
        .ax = a[0],
        .ay = a[1],
        .bx = b[0],
        .by = b[1],
        .ux = point ? 0.0 : dx / length,
        .uy = point ? 0.0 : dy / length,
        .length = point ? 0.0 : length,
    };
}

// Writes one wall's pieces from number `first` on.
static void write_wall(columns *to, const throng_wall_chain *chain, uint32_t wall, uint32_t first) {
    const uint32_t count = throng_wall_chain_pieces(chain);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t piece = first + i;
        const double *a = chain->points + 2 * (size_t)i;
        const double *b = chain->points + 2 * (size_t)((i + 1) % chain->count);
        to->segment[piece] = segment_between(a, b);
        to->previous[piece] = i > 0 ? piece - 1 : chain->closed ? first + count - 1 : THRONG_WALL_NONE;
        to->next[piece] = i + 1 < count ? piece + 1 : chain->closed ? first : THRONG_WALL_NONE;
        to->segment[piece].layer = chain->layer;
        to->low[piece] = chain->low;
        to->high[piece] = chain->high;
        to->segment[piece].wall = wall;
        const throng_wall_box box = throng_wall_segment_box(&to->segment[piece]);
        if (i == 0) to->extents[wall] = box;
        widen(&to->extents[wall], &box);
    }
    to->first_piece[wall] = first;
    // A closed line repeats its first point, so that building from the set's own walls gives the same set.
    const uint32_t repeated = chain->closed && chain->kind == THRONG_WALL_LINE ? 1 : 0;
    memcpy(to->points, chain->points, 2 * sizeof(double) * chain->count);
    memcpy(to->points + 2 * (size_t)chain->count, chain->points, 2 * sizeof(double) * repeated);
    to->walls[wall] = (throng_wall){
        .kind = chain->kind,
        .point_count = chain->count + repeated,
        .points = to->points,
        .layer = chain->layer,
        .height_low = throng_wall_chain_at_all_heights(chain) ? 0.0f : chain->low,
        .height_high = throng_wall_chain_at_all_heights(chain) ? 0.0f : chain->high,
    };
    to->points += 2 * (size_t)(chain->count + repeated);
}

// The memory that only the building needs.
typedef struct workshop {
    throng_wall_chain *chains;
    double *points, *scratch;
    throng_wall_box *boxes;
    throng_wall_tree_key *keys;
    size_t wall_count, point_count, longest, piece_count;
} workshop;

static void close_workshop(workshop *w, throng_memory *memory) {
    throng_memory_release(memory, w->keys, w->piece_count, sizeof *w->keys);
    throng_memory_release(memory, w->boxes, w->piece_count, sizeof *w->boxes);
    throng_memory_release(memory, w->scratch, 2 * w->longest, sizeof *w->scratch);
    throng_memory_release(memory, w->points, 2 * w->point_count, sizeof *w->points);
    throng_memory_release(memory, w->chains, w->wall_count, sizeof *w->chains);
}

static void write_set(throng_wall_set *set, columns to, const workshop *w, uint32_t wall_count, uint32_t solid_count) {
    *set = (throng_wall_set){
        .piece_count = (uint32_t)w->piece_count,
        .segment = to.segment,
        .previous = to.previous,
        .next = to.next,
        .low = to.low,
        .high = to.high,
        .wall_count = wall_count,
        .solid_count = solid_count,
        .walls = to.walls,
        .first_piece = to.first_piece,
        .extents = to.extents,
    };
    uint32_t piece = 0;
    for (uint32_t i = 0; i < wall_count; i++) {
        write_wall(&to, &w->chains[i], i, piece);
        piece += throng_wall_chain_pieces(&w->chains[i]);
        if (w->chains[i].kind == THRONG_WALL_ENCLOSURE) set->enclosure_count++;
        if (!throng_wall_chain_at_all_heights(&w->chains[i])) set->by_height = true;
        if (i == 0) set->bounds = to.extents[0];
        widen(&set->bounds, &to.extents[i]);
    }
    to.first_piece[wall_count] = piece;
    for (uint32_t i = 0; i < piece; i++) w->boxes[i] = throng_wall_segment_box(&to.segment[i]);
    throng_wall_tree_build(&set->pieces, w->boxes, piece, to.piece_nodes, to.piece_leaves, w->keys);
    throng_wall_tree_build(&set->solids, to.extents, solid_count, to.solid_nodes, to.solid_leaves, w->keys);
}

// Everything after the checks: false when there is no more memory.
static bool build_set(throng_wall_set *set, const throng_wall *walls, uint32_t count, workshop *w,
                      throng_memory *memory) {
    w->chains = throng_memory_allocate(memory, w->wall_count, sizeof *w->chains);
    w->points = throng_memory_allocate(memory, 2 * w->point_count, sizeof *w->points);
    w->scratch = throng_memory_allocate(memory, 2 * w->longest, sizeof *w->scratch);
    if (!w->chains || !w->points || !w->scratch) return false;

    double *points = w->points;
    for (uint32_t i = 0; i < count; i++) {
        w->chains[i] = throng_wall_chain_normalize(&walls[i], points, w->scratch);
        points += 2 * (size_t)walls[i].point_count;
    }
    const uint32_t wall_count = sort_chains(w->chains, count);
    uint32_t solid_count = 0;
    size_t kept_points = 0;
    for (uint32_t i = 0; i < wall_count; i++) {
        w->piece_count += throng_wall_chain_pieces(&w->chains[i]);
        kept_points += (size_t)w->chains[i].count + 1;
        if (w->chains[i].kind == THRONG_WALL_SOLID) solid_count++;
    }
    w->boxes = throng_memory_allocate(memory, w->piece_count, sizeof *w->boxes);
    w->keys = throng_memory_allocate(memory, w->piece_count, sizeof *w->keys);
    cutter c = {NULL, 0};
    cut_columns(&c, w->piece_count, wall_count, solid_count, kept_points);
    const size_t bytes = c.used;
    c = (cutter){throng_memory_allocate(memory, bytes, 1), 0};
    if (!w->boxes || !w->keys || !c.block) {
        throng_memory_release(memory, c.block, bytes, 1);
        return false;
    }
    void *block = c.block;
    write_set(set, cut_columns(&c, w->piece_count, wall_count, solid_count, kept_points), w, wall_count, solid_count);
    set->block = block;
    set->block_bytes = bytes;
    return true;
}

throng_result throng_wall_set_build(throng_wall_set *set, const throng_wall *walls, uint32_t count,
                                    throng_memory *memory) {
    *set = (throng_wall_set){0};
    workshop w = {.wall_count = count};
    for (uint32_t i = 0; i < count; i++) {
        const throng_result result = check_wall(&walls[i], i);
        if (result != THRONG_OK) return result;
        w.point_count += walls[i].point_count;
        if (walls[i].point_count > w.longest) w.longest = walls[i].point_count;
        if (w.point_count > MAX_POINTS) {
            return throng_fail(THRONG_ERROR_CAPACITY, i, "wall %u: all walls together have more than 2^31 points", i);
        }
    }
    if (count == 0) return THRONG_OK;
    const bool built = build_set(set, walls, count, &w, memory);
    close_workshop(&w, memory);
    if (!built) return throng_fail(THRONG_ERROR_MEMORY, -1, "walls: no memory for %zu points", w.point_count);
    return THRONG_OK;
}

void throng_wall_set_release(throng_wall_set *set, throng_memory *memory) {
    throng_memory_release(memory, set->block, set->block_bytes, 1);
    *set = (throng_wall_set){0};
}

// By the one axis that boxes do not tell apart, across the piece. The slack is above the rounding, so none is lost.
static bool piece_in_box(const throng_wall_set *set, uint32_t piece, const throng_wall_box *box) {
    const double ux = set->segment[piece].ux;
    const double uy = set->segment[piece].uy;
    const double cx = 0.5 * (box->min_x + box->max_x) - set->segment[piece].ax;
    const double cy = 0.5 * (box->min_y + box->max_y) - set->segment[piece].ay;
    const double half_x = 0.5 * (box->max_x - box->min_x);
    const double half_y = 0.5 * (box->max_y - box->min_y);
    const double across = fabs(ux * cy - uy * cx);
    const double slack = 1e-15 * (fabs(box->min_x) + fabs(box->min_y) + fabs(cx) + fabs(cy) + half_x + half_y);
    return across <= half_x * fabs(uy) + half_y * fabs(ux) + slack;
}

bool throng_wall_set_has_in(const throng_wall_set *set, uint32_t piece, const throng_wall_box *box) {
    const throng_wall_box own = throng_wall_segment_box(&set->segment[piece]);
    return throng_wall_box_overlaps(&own, box) && piece_in_box(set, piece, box);
}

/// Keeps of a list of pieces the first `kept`, and of the others those that come into the box and stop somebody like
/// this. Returns how many.
static uint32_t keep_those_in(const throng_wall_set *set, const throng_wall_box *box, throng_wall_filter filter,
                              uint32_t *pieces, uint32_t kept, uint32_t listed) {
    for (uint32_t i = kept; i < listed; i++) {
        const uint32_t piece = pieces[i];
        if (throng_wall_stops(set, piece, filter) && piece_in_box(set, piece, box)) pieces[kept++] = piece;
    }
    return kept;
}

uint32_t throng_wall_set_query(const throng_wall_set *set, const throng_wall_box *box, throng_wall_filter filter,
                               uint32_t *pieces, uint32_t capacity) {
    // Pieces lie apart in memory: they are asked for together, and looked at when all are known.
    uint32_t kept = 0, listed = 0, lost = 0;
    uint32_t piece;
    throng_wall_walk walk = throng_wall_walk_begin(&set->pieces, box);
    while (throng_wall_walk_next(&walk, &piece)) {
        if (listed == capacity) kept = listed = keep_those_in(set, box, filter, pieces, kept, listed);
        if (listed < capacity) {
            throng_fetch(&set->segment[piece]);
            throng_fetch(&set->previous[piece]);
            throng_fetch(&set->next[piece]);
            pieces[listed++] = piece;
        } else if (throng_wall_stops(set, piece, filter) && piece_in_box(set, piece, box)) {
            lost++;
        }
    }
    return keep_those_in(set, box, filter, pieces, kept, listed) + lost;
}
