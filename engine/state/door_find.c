#include "state/door_find.h"

#include "base/scalar.h"
#include "base/sort.h"
#include "state/wall_piece.h"
#include "state/wall_place.h"

/// Walls that run from a gap's ends by no more than this part of its width nearer to each other count as parallel.
static const double parallel = 1e-9;
/// This part of a gap at either end is not asked whether it is free: there the walls are.
static const double end_part = 1e-3;

/// A straight line between two walls, across which they are nearest to each other.
typedef struct gap {
    double a[2], b[2];         // m, a before b by (x, y)
    uint32_t at_a[2], at_b[2]; // the pieces that it ends on; THRONG_WALL_NONE where there is but one
    uint32_t group;            // the lowest gap of its passage
    uint32_t next;             // of the passage's gaps, in their order; NONE: it is the last
} gap;

#define NONE UINT32_MAX

typedef struct gaps {
    gap *items;
    size_t capacity;
    uint32_t count;
} gaps;

/// The end of a piece with what runs on from there.
typedef struct corner {
    double x, y;
    uint32_t pieces[2]; // THRONG_WALL_NONE: it is a free end
} corner;

static corner corner_of(const throng_wall_set *walls, uint32_t piece, bool at_b) {
    return (corner){at_b ? walls->segment[piece].bx : walls->segment[piece].ax,
                    at_b ? walls->segment[piece].by : walls->segment[piece].ay,
                    {piece, at_b ? walls->next[piece] : walls->previous[piece]}};
}

/// Whether no wall comes nearer to `to` along the pieces of a corner.
static bool is_nearest(const throng_wall_set *walls, const corner *from, const double to[2]) {
    const double dx = to[0] - from->x, dy = to[1] - from->y, limit = parallel * (dx * dx + dy * dy);
    for (int i = 0; i < 2; ++i) {
        const uint32_t piece = from->pieces[i];
        if (piece == THRONG_WALL_NONE) continue;
        const bool starts_here = walls->segment[piece].ax == from->x && walls->segment[piece].ay == from->y;
        const double ux = starts_here ? walls->segment[piece].ux : -walls->segment[piece].ux;
        const double uy = starts_here ? walls->segment[piece].uy : -walls->segment[piece].uy;
        if (ux * dx + uy * dy > limit) return false;
    }
    return true;
}

static bool is_free(const throng_wall_set *walls, const double from[2], const double to[2]) {
    const throng_wall_filter all = throng_wall_filter_of(UINT32_MAX);
    const double dx = to[0] - from[0], dy = to[1] - from[1];
    const double begin[2] = {from[0] + end_part * dx, from[1] + end_part * dy};
    const double end[2] = {to[0] - end_part * dx, to[1] - end_part * dy};
    return !throng_wall_place_is_solid(walls, all, from[0] + 0.5 * dx, from[1] + 0.5 * dy) &&
           throng_wall_place_sees(walls, all, begin, end, 0.0);
}

static bool add(gaps *to, throng_memory *memory, const corner *from, const corner *end) {
    if (!throng_memory_reserve(memory, (void **)&to->items, &to->capacity, to->count, to->count + (size_t)1,
                               sizeof *to->items)) {
        return false;
    }
    const bool ordered = from->x < end->x || (from->x == end->x && from->y < end->y);
    const corner *a = ordered ? from : end, *b = ordered ? end : from;
    to->items[to->count] = (gap){.a = {a->x, a->y},
                                 .b = {b->x, b->y},
                                 .at_a = {a->pieces[0], a->pieces[1]},
                                 .at_b = {b->pieces[0], b->pieces[1]},
                                 .group = to->count,
                                 .next = NONE};
    to->count++;
    return true;
}

/// The point of a piece nearest to a corner, as a corner of its own.
static corner foot_of(const throng_wall_set *walls, uint32_t piece, const corner *from) {
    const double along = (from->x - walls->segment[piece].ax) * walls->segment[piece].ux +
                         (from->y - walls->segment[piece].ay) * walls->segment[piece].uy;
    if (!(along > 0.0)) return corner_of(walls, piece, false);
    if (!(along < walls->segment[piece].length)) return corner_of(walls, piece, true);
    return (corner){walls->segment[piece].ax + along * walls->segment[piece].ux,
                    walls->segment[piece].ay + along * walls->segment[piece].uy,
                    {piece, THRONG_WALL_NONE}};
}

static bool find_from(const throng_wall_set *walls, const corner *from, double least, double most, uint32_t *near,
                      throng_memory *memory, gaps *found) {
    const throng_wall_box box = throng_wall_box_around(from->x, from->y, most);
    const uint32_t count =
        throng_wall_set_query(walls, &box, throng_wall_filter_of(UINT32_MAX), near, walls->piece_count);
    for (uint32_t i = 0; i < count; ++i) {
        if (near[i] == from->pieces[0] || near[i] == from->pieces[1]) continue;
        const corner end = foot_of(walls, near[i], from);
        const double at[2] = {from->x, from->y}, to[2] = {end.x, end.y};
        const double dx = to[0] - at[0], dy = to[1] - at[1], width = sqrt(dx * dx + dy * dy);
        if (!(width > least) || !(width <= most)) continue;
        if (!is_nearest(walls, from, to) || !is_nearest(walls, &end, at) || !is_free(walls, at, to)) continue;
        if (!add(found, memory, from, &end)) return false;
    }
    return true;
}

// ---- passages

static bool share(const uint32_t one[2], const uint32_t other[2]) {
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) {
            if (one[i] != THRONG_WALL_NONE && one[i] == other[k]) return true;
        }
    }
    return false;
}

/// Gaps between the same two walls belong to one passage.
static bool belong(const gap *one, const gap *other) {
    return (share(one->at_a, other->at_a) && share(one->at_b, other->at_b)) ||
           (share(one->at_a, other->at_b) && share(one->at_b, other->at_a));
}

static uint32_t root_of(const gaps *all, uint32_t i) {
    while (all->items[i].group != i) i = all->items[i].group;
    return i;
}

static void unite(gaps *all, uint32_t one, uint32_t other) {
    const uint32_t a = root_of(all, one), b = root_of(all, other);
    all->items[throng_max_u32(a, b)].group = throng_min_u32(a, b);
}

/// Unites those that end on the same piece and belong together.
static void unite_at_piece(gaps *all, const throng_sort_item *ends, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < i; ++k) {
            const uint32_t one = ends[i].value, other = ends[k].value;
            if (belong(&all->items[one], &all->items[other])) unite(all, one, other);
        }
    }
}

/// The ends of all gaps by the piece they are on; returns how many there are.
static size_t list_ends(const gaps *all, throng_sort_item *ends) {
    size_t count = 0;
    for (uint32_t i = 0; i < all->count; ++i) {
        const gap *of = &all->items[i];
        const uint32_t pieces[4] = {of->at_a[0], of->at_a[1], of->at_b[0], of->at_b[1]};
        for (int k = 0; k < 4; ++k) {
            if (pieces[k] != THRONG_WALL_NONE) ends[count++] = (throng_sort_item){pieces[k], i};
        }
    }
    return count;
}

static bool group(gaps *all, throng_memory *memory) {
    const size_t room = 4 * (size_t)all->count;
    throng_sort_item *ends = throng_memory_allocate(memory, 2 * room, sizeof *ends);
    if (!ends) return false;
    const size_t count = list_ends(all, ends);
    throng_sort(ends, ends + room, (uint32_t)count);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && ends[end].key == ends[first].key;) ++end;
        unite_at_piece(all, ends + first, end - first);
    }
    throng_memory_release(memory, ends, 2 * room, sizeof *ends);
    for (uint32_t i = all->count; i-- > 0;) {
        const uint32_t root = all->items[i].group = root_of(all, i);
        if (root == i) continue;
        all->items[i].next = all->items[root].next;
        all->items[root].next = i;
    }
    return true;
}

static double middle(const gap *of, int axis) {
    return of->a[axis] + 0.5 * (of->b[axis] - of->a[axis]);
}

static double apart(const gap *one, const gap *other) {
    const double dx = middle(one, 0) - middle(other, 0), dy = middle(one, 1) - middle(other, 1);
    return sqrt(dx * dx + dy * dy);
}

/// The door amid the two gaps of a passage that are farthest apart.
static throng_door door_of(const gaps *all, uint32_t first) {
    const gap *begin = &all->items[first], *end = begin;
    for (uint32_t i = first; i != NONE; i = all->items[i].next) {
        for (uint32_t k = first; k != i; k = all->items[k].next) {
            if (!(apart(&all->items[i], &all->items[k]) > apart(begin, end))) continue;
            begin = &all->items[k];
            end = &all->items[i];
        }
    }
    const bool same_way =
        (begin->b[0] - begin->a[0]) * (end->b[0] - end->a[0]) + (begin->b[1] - begin->a[1]) * (end->b[1] - end->a[1]) >=
        0.0;
    throng_door door = {.depth = (float)(0.5 * apart(begin, end))};
    for (int axis = 0; axis < 2; ++axis) {
        const double a = same_way ? end->a[axis] : end->b[axis], b = same_way ? end->b[axis] : end->a[axis];
        door.a[axis] = begin->a[axis] + 0.5 * (a - begin->a[axis]);
        door.b[axis] = begin->b[axis] + 0.5 * (b - begin->b[axis]);
    }
    return door;
}

static bool comes_before(const throng_door *one, const throng_door *other) {
    const double own[4] = {one->a[0], one->a[1], one->b[0], one->b[1]};
    const double its[4] = {other->a[0], other->a[1], other->b[0], other->b[1]};
    for (int i = 0; i < 4; ++i) {
        if (own[i] != its[i]) return own[i] < its[i];
    }
    return false;
}

static bool take(const gaps *all, throng_memory *memory, throng_found_doors *found) {
    for (uint32_t i = 0; i < all->count; ++i) {
        if (all->items[i].group != i) continue;
        if (!throng_memory_reserve(memory, (void **)&found->items, &found->capacity, found->count,
                                   found->count + (size_t)1, sizeof *found->items)) {
            return false;
        }
        const throng_door door = door_of(all, i);
        uint32_t at = found->count++;
        for (; at > 0 && comes_before(&door, &found->items[at - 1]); --at) found->items[at] = found->items[at - 1];
        found->items[at] = door;
    }
    return true;
}

bool throng_door_find(const throng_wall_set *walls, double least, double most, throng_memory *memory,
                      throng_found_doors *found) {
    *found = (throng_found_doors){0};
    if (walls->piece_count == 0) return true;
    uint32_t *near = throng_memory_allocate(memory, walls->piece_count, sizeof *near);
    gaps all = {0};
    bool done = near;
    for (uint32_t piece = 0; done && piece < walls->piece_count; ++piece) {
        const corner begin = corner_of(walls, piece, false), end = corner_of(walls, piece, true);
        done = find_from(walls, &begin, least, most, near, memory, &all);
        // Where pieces join, the next one's beginning is this one's end.
        if (done && walls->next[piece] == THRONG_WALL_NONE) {
            done = find_from(walls, &end, least, most, near, memory, &all);
        }
    }
    done = done && group(&all, memory) && take(&all, memory, found);
    throng_memory_release(memory, near, walls->piece_count, sizeof *near);
    throng_memory_release(memory, all.items, all.capacity, sizeof *all.items);
    return done;
}
