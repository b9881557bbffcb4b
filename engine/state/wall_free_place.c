// The nearest free place. The border of the free places is made of the curves at one distance from the pieces: lines
// beside them and circles around their ends. The nearest free place is the nearest point of one such curve, or a point
// where two of them cross.
#include "base/grid.h"
#include "state/wall_piece.h"
#include "state/wall_place.h"
#include "state/wall_sweep.h"

// All places are seen from the start, so that where a scene lies changes nothing.
typedef struct hunt {
    const throng_wall_set *set;
    throng_wall_filter filter;
    double x, y;    // the start, m
    double offset;  // of the curves, m
    double squared; // of the best place's distance, or of the limit while there is none, m²
    double place[2];
    bool found;
} hunt;

static void consider(hunt *h, double x, double y) {
    x = throng_on_grid(x);
    y = throng_on_grid(y);
    const double squared = x * x + y * y;
    if (!(squared <= h->squared)) return;
    const bool later = x > h->place[0] || (x == h->place[0] && y >= h->place[1]);
    if (h->found && squared == h->squared && later) return;
    // The places proposed keep the whole skin: half of it is left to the rounding.
    const double least = h->offset - 0.5 * THRONG_WALL_SKIN;
    if (throng_wall_place_distance(h->set, h->filter, h->x + x, h->y + y, least) < least) return;
    if (throng_wall_place_is_solid(h->set, h->filter, h->x + x, h->y + y)) return;
    h->squared = squared;
    h->place[0] = x;
    h->place[1] = y;
    h->found = true;
}

// The two curves of a kind that a piece has: its sides or its ends, each given by a point.
typedef struct curves {
    double x[2], y[2]; // m, of the point of each side that is nearest to the start, or of each end
    double ux, uy;
    bool sides; // a piece without length has none
} curves;

static curves sides_of(const hunt *h, uint32_t piece) {
    const double ux = h->set->segment[piece].ux;
    const double uy = h->set->segment[piece].uy;
    const double ax = h->set->segment[piece].ax - h->x;
    const double ay = h->set->segment[piece].ay - h->y;
    const double across = ux * ay - uy * ax;
    return (curves){
        .x = {-(across + h->offset) * uy, -(across - h->offset) * uy},
        .y = {(across + h->offset) * ux, (across - h->offset) * ux},
        .ux = ux,
        .uy = uy,
        .sides = h->set->segment[piece].length > 0.0,
    };
}

static curves ends_of(const hunt *h, uint32_t piece) {
    const throng_wall_set *set = h->set;
    return (curves){
        .x = {set->segment[piece].ax - h->x, set->segment[piece].bx - h->x},
        .y = {set->segment[piece].ay - h->y, set->segment[piece].by - h->y},
    };
}

static void consider_nearest(hunt *h, uint32_t piece) {
    const curves sides = sides_of(h, piece);
    const curves ends = ends_of(h, piece);
    for (int i = 0; i < 2; i++) {
        const double x = ends.x[i];
        const double y = ends.y[i];
        if (sides.sides) consider(h, sides.x[i], sides.y[i]);
        const double distance = sqrt(x * x + y * y);
        if (distance > 0.0) {
            consider(h, x - h->offset * (x / distance), y - h->offset * (y / distance));
        } else {
            consider(h, -h->offset, 0.0);
            consider(h, h->offset, 0.0);
            consider(h, 0.0, -h->offset);
            consider(h, 0.0, h->offset);
        }
    }
}

static void cross_lines(hunt *h, const curves *a, const curves *b) {
    const double sine = a->ux * b->uy - a->uy * b->ux;
    if (!a->sides || !b->sides || sine == 0.0) return;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const double wx = b->x[j] - a->x[i];
            const double wy = b->y[j] - a->y[i];
            const double along = (wx * b->uy - wy * b->ux) / sine;
            consider(h, a->x[i] + along * a->ux, a->y[i] + along * a->uy);
        }
    }
}

static void cross_line_and_circle(hunt *h, const curves *line, const curves *circle) {
    if (!line->sides) return;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const double wx = circle->x[j] - line->x[i];
            const double wy = circle->y[j] - line->y[i];
            const double across = fabs(line->ux * wy - line->uy * wx);
            // A line that only just misses the circle, by rounding, touches it.
            if (across > h->offset + 0.25 * THRONG_WALL_SKIN) continue;
            const double half = sqrt(throng_maxd((h->offset - across) * (h->offset + across), 0.0));
            const double middle = line->ux * wx + line->uy * wy;
            consider(h, line->x[i] + (middle - half) * line->ux, line->y[i] + (middle - half) * line->uy);
            consider(h, line->x[i] + (middle + half) * line->ux, line->y[i] + (middle + half) * line->uy);
        }
    }
}

static void cross_circles(hunt *h, const curves *a, const curves *b) {
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const double wx = b->x[j] - a->x[i];
            const double wy = b->y[j] - a->y[i];
            const double distance = sqrt(wx * wx + wy * wy);
            if (!(distance > 0.0) || distance > 2.0 * h->offset + 0.5 * THRONG_WALL_SKIN) continue;
            const double half = 0.5 * distance;
            const double height = sqrt(throng_maxd((h->offset - half) * (h->offset + half), 0.0)) / distance;
            consider(h, a->x[i] + 0.5 * wx - height * wy, a->y[i] + 0.5 * wy + height * wx);
            consider(h, a->x[i] + 0.5 * wx + height * wy, a->y[i] + 0.5 * wy - height * wx);
        }
    }
}

static void consider_crossings(hunt *h, uint32_t first, uint32_t second) {
    const curves first_sides = sides_of(h, first);
    const curves first_ends = ends_of(h, first);
    const curves second_sides = sides_of(h, second);
    const curves second_ends = ends_of(h, second);
    cross_lines(h, &first_sides, &second_sides);
    cross_line_and_circle(h, &first_sides, &second_ends);
    cross_line_and_circle(h, &second_sides, &first_ends);
    cross_circles(h, &first_ends, &second_ends);
}

// Whether curves of a piece come within `limit` of the start. The skin is slack, so that places as near as the best are
// found in whatever order the pieces come.
static bool within(const hunt *h, uint32_t piece, double limit) {
    const double reach = limit + h->offset + THRONG_WALL_SKIN;
    return throng_wall_stops(h->set, piece, h->filter) &&
           throng_wall_piece_foot(h->set, piece, h->x, h->y).distance <= reach;
}

// All places no farther than `limit`: their curves belong to pieces within `limit` plus the offset.
static void search(hunt *h, double limit) {
    h->squared = limit * limit;
    h->found = false;
    throng_wall_box box = throng_wall_box_around(h->x, h->y, limit + h->offset + THRONG_WALL_SKIN);
    uint32_t first;
    throng_wall_walk walk = throng_wall_walk_begin(&h->set->pieces, &box);
    while (throng_wall_walk_next(&walk, &first)) {
        if (within(h, first, limit)) consider_nearest(h, first);
    }
    walk = throng_wall_walk_begin(&h->set->pieces, &box);
    while (throng_wall_walk_next(&walk, &first)) {
        if (!within(h, first, sqrt(h->squared))) continue;
        const throng_wall_set *set = h->set;
        const double apart = 2.0 * h->offset + THRONG_WALL_SKIN;
        box.min_x = throng_mind(set->segment[first].ax, set->segment[first].bx) - apart;
        box.min_y = throng_mind(set->segment[first].ay, set->segment[first].by) - apart;
        box.max_x = throng_maxd(set->segment[first].ax, set->segment[first].bx) + apart;
        box.max_y = throng_maxd(set->segment[first].ay, set->segment[first].by) + apart;
        uint32_t second;
        throng_wall_walk others = throng_wall_walk_begin(&set->pieces, &box);
        while (throng_wall_walk_next(&others, &second)) {
            if (second > first && within(h, second, sqrt(h->squared))) consider_crossings(h, first, second);
        }
    }
}

// No curve reaches farther than this.
static double farthest(const hunt *h) {
    const throng_wall_box *bounds = &h->set->bounds;
    const double dx = throng_maxd(fabs(h->x - bounds->min_x), fabs(h->x - bounds->max_x)) + h->offset;
    const double dy = throng_maxd(fabs(h->y - bounds->min_y), fabs(h->y - bounds->max_y)) + h->offset;
    return sqrt(dx * dx + dy * dy) + THRONG_WALL_SKIN;
}

bool throng_wall_place_find_free(const throng_wall_set *set, throng_wall_filter filter, double x, double y,
                                 double radius, double range, double place[2]) {
    if (throng_wall_place_is_free(set, filter, x, y, radius)) {
        place[0] = x;
        place[1] = y;
        return true;
    }
    hunt h = {.set = set, .filter = filter, .x = x, .y = y, .offset = radius + THRONG_WALL_SKIN};
    const double most = throng_mind(range, farthest(&h));
    for (double limit = 2.0 * h.offset;; limit *= 2.0) {
        search(&h, throng_mind(limit, most));
        if (h.found) {
            place[0] = x + h.place[0];
            place[1] = y + h.place[1];
            return true;
        }
        if (!(limit < most)) return false;
    }
}
