#include "state/wall_place.h"

#include "state/wall_piece.h"
#include "state/wall_sweep.h"

// Walls of fewer pieces are looked at piece by piece, larger ones through the tree.
enum { FEW_PIECES = 24 };

typedef enum sighting {
    SIGHTING_MISSED,
    SIGHTING_CROSSED,
    SIGHTING_TOUCHED // the place itself lies on the piece
} sighting;

// What the ray from (x, y) towards greater x makes of a piece. A piece owns its lower end and not its upper one, so
// that a ray through a corner counts it once.
static sighting look_at(const throng_wall_set *set, uint32_t piece, double x, double y) {
    const double ax = set->segment[piece].ax;
    const double ay = set->segment[piece].ay;
    const double bx = set->segment[piece].bx;
    const double by = set->segment[piece].by;
    if (y < throng_mind(ay, by) || y > throng_maxd(ay, by) || x > throng_maxd(ax, bx)) return SIGHTING_MISSED;
    const bool spans = (ay > y) != (by > y);
    if (x < throng_mind(ax, bx)) return spans ? SIGHTING_CROSSED : SIGHTING_MISSED;
    const double first = (bx - ax) * (y - ay);
    const double second = (by - ay) * (x - ax);
    const double rounding = 1e-15 * (fabs(first) + fabs(second));
    if (fabs(first - second) <= rounding) return SIGHTING_TOUCHED;
    return spans && (first > second) == (by > ay) ? SIGHTING_CROSSED : SIGHTING_MISSED;
}

// Whether a place lies inside a wall (crossed: an odd number of crossings), outside (missed) or on its border.
static sighting add_sighting(sighting sum, sighting seen) {
    if (sum == SIGHTING_TOUCHED || seen == SIGHTING_MISSED) return sum;
    if (seen == SIGHTING_TOUCHED) return seen;
    return sum == SIGHTING_MISSED ? SIGHTING_CROSSED : SIGHTING_MISSED;
}

static sighting place_in_wall(const throng_wall_set *set, uint32_t wall, double x, double y) {
    const throng_wall_box *extent = &set->extents[wall];
    const uint32_t first = set->first_piece[wall];
    const uint32_t last = set->first_piece[wall + 1];
    sighting sum = SIGHTING_MISSED;
    uint32_t piece;
    if (last - first <= FEW_PIECES) {
        for (piece = first; piece < last; piece++) sum = add_sighting(sum, look_at(set, piece, x, y));
        return sum;
    }
    throng_wall_walk walk = throng_wall_walk_begin(&set->pieces, &(throng_wall_box){x, y, extent->max_x, y});
    while (throng_wall_walk_next(&walk, &piece)) {
        if (set->segment[piece].wall == wall) sum = add_sighting(sum, look_at(set, piece, x, y));
    }
    return sum;
}

bool throng_wall_place_is_solid(const throng_wall_set *set, throng_wall_filter filter, double x, double y) {
    for (uint32_t wall = set->solid_count; wall < set->solid_count + set->enclosure_count; wall++) {
        if (throng_wall_stops(set, set->first_piece[wall], filter) && place_in_wall(set, wall, x, y) == SIGHTING_MISSED)
            return true;
    }
    uint32_t wall;
    throng_wall_walk walk = throng_wall_walk_begin(&set->solids, &(throng_wall_box){x, y, x, y});
    while (throng_wall_walk_next(&walk, &wall)) {
        if (throng_wall_stops(set, set->first_piece[wall], filter) &&
            place_in_wall(set, wall, x, y) == SIGHTING_CROSSED)
            return true;
    }
    return false;
}

double throng_wall_place_distance(const throng_wall_set *set, throng_wall_filter filter, double x, double y,
                                  double reach) {
    double nearest = reach * reach;
    uint32_t piece;
    const throng_wall_box box = throng_wall_box_around(x, y, reach);
    throng_wall_walk walk = throng_wall_walk_begin(&set->pieces, &box);
    while (throng_wall_walk_next(&walk, &piece)) {
        if (!throng_wall_stops(set, piece, filter)) continue;
        nearest = throng_mind(throng_wall_piece_squared(set, piece, x, y), nearest);
    }
    return nearest < reach * reach ? sqrt(nearest) : reach;
}

// How near to a wall a disc may stand.
static double least_distance(double radius) {
    return throng_maxd(radius - THRONG_WALL_SKIN, 0.5 * THRONG_WALL_SKIN);
}

bool throng_wall_place_is_free(const throng_wall_set *set, throng_wall_filter filter, double x, double y,
                               double radius) {
    const double least = least_distance(radius);
    return !(throng_wall_place_distance(set, filter, x, y, least) < least) &&
           !throng_wall_place_is_solid(set, filter, x, y);
}

// A line of sight from its smaller end, so that both ends see alike.
typedef struct sight_line {
    const double *a, *b;
    double least; // how near a wall may be, m
} sight_line;

static sight_line line_between(const double from[2], const double to[2], double radius) {
    const bool swapped = to[0] < from[0] || (to[0] == from[0] && to[1] < from[1]);
    return (sight_line){swapped ? to : from, swapped ? from : to, least_distance(radius)};
}

static throng_wall_box box_of_line(const sight_line *line) {
    return (throng_wall_box){
        line->a[0] - line->least,
        throng_mind(line->a[1], line->b[1]) - line->least,
        line->b[0] + line->least,
        throng_maxd(line->a[1], line->b[1]) + line->least,
    };
}

static bool bars(const throng_wall_set *set, uint32_t piece, throng_wall_filter filter, const sight_line *line) {
    return throng_wall_stops(set, piece, filter) &&
           throng_wall_piece_clearance(set, piece, line->a[0], line->a[1], line->b[0], line->b[1]) < line->least;
}

bool throng_wall_place_sees(const throng_wall_set *set, throng_wall_filter filter, const double from[2],
                            const double to[2], double radius) {
    const sight_line line = line_between(from, to, radius);
    const throng_wall_box box = box_of_line(&line);
    uint32_t piece;
    throng_wall_walk walk = throng_wall_walk_begin(&set->pieces, &box);
    while (throng_wall_walk_next(&walk, &piece)) {
        if (bars(set, piece, filter, &line)) return false;
    }
    return true;
}

bool throng_wall_place_sees_past(const throng_wall_set *set, const uint32_t *pieces, uint32_t count,
                                 throng_wall_filter filter, const double from[2], const double to[2], double radius) {
    const sight_line line = line_between(from, to, radius);
    const throng_wall_box box = box_of_line(&line);
    for (uint32_t i = 0; i < count; ++i) {
        const throng_wall_box own = throng_wall_segment_box(&set->segment[pieces[i]]);
        if (throng_wall_box_overlaps(&own, &box) && bars(set, pieces[i], filter, &line)) return false;
    }
    return true;
}
