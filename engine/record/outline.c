#include "record/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef outline_spot spot;

// A straight piece from a to b; once they are chosen, with free ground on its left.
typedef struct edge {
    spot a, b;
} edge;

// Where an edge is cut.
typedef struct cut {
    uint32_t edge;
    double along; // quanta squared, the projection on the edge
    spot at;
} cut;

// A growing array: room for one more element, or false.
static bool make_room(void *array, uint32_t count, uint32_t *capacity, size_t element) {
    if (count < *capacity) return true;
    uint32_t larger = *capacity ? 2 * *capacity : 64;
    void *memory;
    memcpy(&memory, array, sizeof memory); // a pointer to any kind of pointer
    memory = realloc(memory, larger * element);
    if (!memory) return false;
    memcpy(array, &memory, sizeof memory);
    *capacity = larger;
    return true;
}

static double cross(spot a, spot b, spot c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool same(spot a, spot b) {
    return a.x == b.x && a.y == b.y;
}

static int compare_spots(spot a, spot b) {
    if (a.x != b.x) return a.x < b.x ? -1 : 1;
    if (a.y != b.y) return a.y < b.y ? -1 : 1;
    return 0;
}

static int compare_edges(const void *left, const void *right) {
    const edge *a = left, *b = right;
    int order = compare_spots(a->a, b->a);
    return order ? order : compare_spots(a->b, b->b);
}

static int compare_cuts(const void *left, const void *right) {
    const cut *a = left, *b = right;
    if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
    if (a->along != b->along) return a->along < b->along ? -1 : 1;
    return compare_spots(a->at, b->at);
}

static bool is_inside(const outline_ground *ground, const outline_loop *loop, double x, double y) {
    if (x < loop->min.x || x > loop->max.x || y < loop->min.y || y > loop->max.y) return false;
    const spot *spots = ground->spots + loop->first;
    const spot place = {x, y};
    int winding = 0;
    for (uint32_t i = 0; i < loop->count; i++) {
        spot a = spots[i], b = spots[i + 1 < loop->count ? i + 1 : 0];
        if (a.y <= y) {
            if (b.y > y && cross(a, b, place) > 0) winding++;
        } else {
            if (b.y <= y && cross(a, b, place) < 0) winding--;
        }
    }
    return winding != 0;
}

bool outline_is_free(const outline_ground *ground, double x, double y) {
    for (uint32_t i = 0; i < ground->loop_count; i++) {
        if (is_inside(ground, &ground->loops[i], x, y) != ground->loops[i].enclosure) return false;
    }
    return true;
}

// Everything under way.
typedef struct workshop {
    edge *edges; // by their least x
    edge *pieces;
    cut *cuts;
    bool *used; // pieces
    uint32_t edge_count, piece_count, cut_count;
    uint32_t edge_room, piece_room, cut_room;
} workshop;

static bool gather_edges(const outline_ground *ground, workshop *work) {
    for (uint32_t i = 0; i < ground->loop_count; i++) {
        const outline_loop *loop = &ground->loops[i];
        const spot *spots = ground->spots + loop->first;
        for (uint32_t k = 0; k < loop->count; k++) {
            spot a = spots[k], b = spots[k + 1 < loop->count ? k + 1 : 0];
            if (same(a, b)) continue;
            if (!make_room(&work->edges, work->edge_count, &work->edge_room, sizeof *work->edges)) return false;
            // From west to east: the same line is the same edge, whoever's it is.
            work->edges[work->edge_count++] = compare_spots(a, b) < 0 ? (edge){a, b} : (edge){b, a};
        }
    }
    if (work->edge_count > 1) qsort(work->edges, work->edge_count, sizeof *work->edges, compare_edges);
    return true;
}

static bool add_cut(workshop *work, uint32_t index, spot at) {
    const edge *e = &work->edges[index];
    if (same(at, e->a) || same(at, e->b)) return true;
    if (!make_room(&work->cuts, work->cut_count, &work->cut_room, sizeof *work->cuts)) return false;
    double along = (at.x - e->a.x) * (e->b.x - e->a.x) + (at.y - e->a.y) * (e->b.y - e->a.y);
    work->cuts[work->cut_count++] = (cut){index, along, at};
    return true;
}

// Whether a place lies on an edge, to a quantum.
static bool lies_on(const edge *e, spot at) {
    double dx = e->b.x - e->a.x, dy = e->b.y - e->a.y;
    double along = (at.x - e->a.x) * dx + (at.y - e->a.y) * dy;
    double square = dx * dx + dy * dy;
    double off = cross(e->a, e->b, at);
    return along > 0 && along < square && off * off < square;
}

static bool cut_pair(workshop *work, uint32_t i, uint32_t k) {
    const edge a = work->edges[i], b = work->edges[k];
    bool touches = false;
    const struct {
        uint32_t index;
        spot at;
    } ends[4] = {{i, b.a}, {i, b.b}, {k, a.a}, {k, a.b}};
    for (int n = 0; n < 4; n++) {
        if (!lies_on(&work->edges[ends[n].index], ends[n].at)) continue;
        touches = true;
        if (!add_cut(work, ends[n].index, ends[n].at)) return false;
    }
    if (touches) return true;
    double from = cross(a.a, a.b, b.a), to = cross(a.a, a.b, b.b);
    if ((from > 0) == (to > 0) || (cross(b.a, b.b, a.a) > 0) == (cross(b.a, b.b, a.b) > 0)) return true;
    double part = from / (from - to);
    spot at = {floor(b.a.x + part * (b.b.x - b.a.x) + 0.5), floor(b.a.y + part * (b.b.y - b.a.y) + 0.5)};
    return add_cut(work, i, at) && add_cut(work, k, at);
}

static bool cut_edges(workshop *work) {
    for (uint32_t i = 0; i < work->edge_count; i++) {
        const edge *a = &work->edges[i];
        double low = a->a.y < a->b.y ? a->a.y : a->b.y, high = a->a.y < a->b.y ? a->b.y : a->a.y;
        for (uint32_t k = i + 1; k < work->edge_count && work->edges[k].a.x <= a->b.x + 1; k++) {
            const edge *b = &work->edges[k];
            if ((b->a.y < low - 1 && b->b.y < low - 1) || (b->a.y > high + 1 && b->b.y > high + 1)) continue;
            if (!cut_pair(work, i, k)) return false;
        }
    }
    if (work->cut_count > 1) qsort(work->cuts, work->cut_count, sizeof *work->cuts, compare_cuts);
    return true;
}

static bool add_piece(workshop *work, spot a, spot b) {
    if (same(a, b)) return true;
    if (!make_room(&work->pieces, work->piece_count, &work->piece_room, sizeof *work->pieces)) return false;
    work->pieces[work->piece_count++] = compare_spots(a, b) < 0 ? (edge){a, b} : (edge){b, a};
    return true;
}

static bool split_edges(workshop *work) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < work->edge_count; i++) {
        spot at = work->edges[i].a;
        for (; next < work->cut_count && work->cuts[next].edge == i; next++) {
            if (!add_piece(work, at, work->cuts[next].at)) return false;
            at = work->cuts[next].at;
        }
        if (!add_piece(work, at, work->edges[i].b)) return false;
    }
    return true;
}

// Keeps a piece once, and only where free ground is on one side; turned so that it is on the left.
static void choose_pieces(const outline_ground *ground, workshop *work) {
    const double aside = 3; // quanta: more than rounding moved the pieces
    if (work->piece_count > 1) qsort(work->pieces, work->piece_count, sizeof *work->pieces, compare_edges);
    uint32_t kept = 0;
    edge last = {{0, 0}, {0, 0}};
    for (uint32_t i = 0; i < work->piece_count; i++) {
        edge e = work->pieces[i];
        if (i > 0 && same(e.a, last.a) && same(e.b, last.b)) continue;
        last = e;
        double dx = e.b.x - e.a.x, dy = e.b.y - e.a.y;
        double scale = aside / sqrt(dx * dx + dy * dy);
        double x = e.a.x + dx / 2, y = e.a.y + dy / 2;
        bool left = outline_is_free(ground, x - dy * scale, y + dx * scale);
        bool right = outline_is_free(ground, x + dy * scale, y - dx * scale);
        if (left != right) work->pieces[kept++] = left ? e : (edge){e.b, e.a};
    }
    work->piece_count = kept;
    if (kept > 1) qsort(work->pieces, kept, sizeof *work->pieces, compare_edges);
}

// A number that grows with the angle from `from` counterclockwise to `to`, in (0, 4].
static double turn(spot from, spot to) {
    double forward = from.x * to.x + from.y * to.y, left = from.x * to.y - from.y * to.x;
    double size = fabs(forward) + fabs(left);
    double quarter = left >= 0 ? 1 - forward / size : 3 + forward / size;
    return quarter > 0 ? quarter : 4;
}

// The unused piece that goes on from the end of `last` with the sharpest turn to the left, so that a ring leaves the
// fewest corners twice. piece_count: none.
static uint32_t next_piece(const workshop *work, edge last) {
    uint32_t low = 0, high = work->piece_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_spots(work->pieces[middle].a, last.b) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint32_t best = work->piece_count;
    double best_turn = 0;
    spot back = {last.a.x - last.b.x, last.a.y - last.b.y};
    for (; low < work->piece_count && same(work->pieces[low].a, last.b); low++) {
        if (work->used[low]) continue;
        edge e = work->pieces[low];
        double angle = turn(back, (spot){e.b.x - e.a.x, e.b.y - e.a.y});
        if (angle > best_turn) {
            best_turn = angle;
            best = low;
        }
    }
    return best;
}

// Closes a ring of the last `count` spots, less those on a straight line between their neighbors.
static bool add_ring(outline_result *result, const spot *spots, uint32_t count, uint32_t *spot_room,
                     uint32_t *ring_room) {
    outline_ring ring = {.first = result->spot_count};
    for (uint32_t i = 0; i < count; i++) {
        spot before = spots[i ? i - 1 : count - 1], at = spots[i], after = spots[i + 1 < count ? i + 1 : 0];
        edge across = {before, after};
        if (lies_on(&across, at)) continue;
        if (!make_room(&result->spots, result->spot_count, spot_room, sizeof *result->spots)) return false;
        result->spots[result->spot_count++] = at;
    }
    ring.count = result->spot_count - ring.first;
    const spot *kept = result->spots + ring.first;
    for (uint32_t i = 1; i + 1 < ring.count; i++) ring.area += cross(kept[0], kept[i], kept[i + 1]) / 2;
    if (ring.count < 3 || fabs(ring.area) < 100) {
        result->spot_count = ring.first;
        return true;
    }
    if (!make_room(&result->rings, result->ring_count, ring_room, sizeof *result->rings)) return false;
    result->rings[result->ring_count++] = ring;
    return true;
}

static outline_status link_pieces(workshop *work, outline_result *result) {
    outline_status status = OUTLINE_MEMORY;
    uint32_t spot_room = 0, ring_room = 0;
    spot *path = malloc(((size_t)work->piece_count + 1) * sizeof *path);
    work->used = calloc((size_t)work->piece_count + 1, sizeof *work->used);
    if (!path || !work->used) goto done;
    for (uint32_t start = 0; start < work->piece_count; start++) {
        if (work->used[start]) continue;
        uint32_t length = 0;
        path[length++] = work->pieces[start].a;
        for (uint32_t at = start; length > 0;) {
            edge e = work->pieces[at];
            work->used[at] = true;
            // A spot met again closes a ring of its own.
            uint32_t again = length;
            while (again > 0 && !same(path[again - 1], e.b)) again--;
            if (again > 0) {
                if (!add_ring(result, path + again - 1, length - again + 1, &spot_room, &ring_room)) goto done;
                length = again;
                if (again == 1) break;
            } else {
                path[length++] = e.b;
            }
            at = next_piece(work, e);
            if (at == work->piece_count) {
                status = OUTLINE_SLIVERS;
                goto done;
            }
        }
    }
    status = OUTLINE_DONE;
done:
    free(path);
    return status;
}

outline_status outline_make(const outline_ground *ground, outline_result *result) {
    *result = (outline_result){0};
    workshop work = {0};
    outline_status status = OUTLINE_MEMORY;
    if (gather_edges(ground, &work) && cut_edges(&work) && split_edges(&work)) {
        choose_pieces(ground, &work);
        status = link_pieces(&work, result);
    }
    if (status != OUTLINE_DONE) outline_clear(result);
    free(work.edges);
    free(work.pieces);
    free(work.cuts);
    free(work.used);
    return status;
}

void outline_clear(outline_result *result) {
    free(result->spots);
    free(result->rings);
    *result = (outline_result){0};
}
