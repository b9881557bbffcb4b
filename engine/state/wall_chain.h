// One wall's points brought into the one form that all its spellings share.
#ifndef THRONG_STATE_WALL_CHAIN_H
#define THRONG_STATE_WALL_CHAIN_H

#include <math.h>
#include <throng/map.h>

typedef struct throng_wall_chain {
    throng_wall_kind kind;
    bool closed;    // the last point is followed by the first
    uint32_t count; // of points, >= 1; no point equals the one before it
    uint32_t layer;
    float low, high; // m, -INFINITY and INFINITY where it stands at all heights
    double *points;  // m, x0 y0 x1 y1 ...
} throng_wall_chain;

/// Writes the normal form of a wall to `points` (room for all of the wall's); `scratch` holds as many. Repeated points
/// and the repeated first point of a closed wall are dropped, negative zeros become zeros. A closed chain starts at its
/// smallest point (x, then y); polygons run counterclockwise; an open chain starts at its smaller end. A polygon that
/// collapses to fewer than three points becomes a line, and a line without length a single point.
throng_wall_chain throng_wall_chain_normalize(const throng_wall *wall, double *points, double *scratch);

/// A total order over kind, points and heights: 0 where two chains are the same place for place, whatever their layers.
int throng_wall_chain_compare(const throng_wall_chain *a, const throng_wall_chain *b);

static inline bool throng_wall_chain_at_all_heights(const throng_wall_chain *chain) {
    return chain->low == -INFINITY && chain->high == INFINITY;
}

static inline uint32_t throng_wall_chain_pieces(const throng_wall_chain *chain) {
    return chain->closed || chain->count == 1 ? chain->count : chain->count - 1;
}

#endif
