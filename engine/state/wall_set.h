// The walls of a world as pieces: straight segments in columns, found by a tree. Built whole, then constant.
//
// Walls are normalized and sorted, and equal ones merged, so that the same walls give the same columns bit for bit in
// whatever order and winding they come, and two pieces keep their order whatever walls stand elsewhere: the piece
// number is a tie key that knows nothing of insertion.
#ifndef THRONG_STATE_WALL_SET_H
#define THRONG_STATE_WALL_SET_H

#include "base/memory.h"
#include "kernels/kernels.h"
#include "state/wall_tree.h"

#include <throng/map.h>

#define THRONG_WALL_NONE UINT32_MAX

/// The largest coordinate of a wall, m: beyond it a double no longer tells a millimetre.
#define THRONG_WALL_MAX_COORDINATE 1e12

typedef struct throng_wall_set {
    // One entry per piece, which runs from a to b.
    uint32_t piece_count;
    const throng_wall_segment *segment;
    const uint32_t *previous, *next; // the piece of the same wall that shares a, and b; THRONG_WALL_NONE at an end
    const float *low, *high;         // m: it stops only those whose heights overlap

    // One entry per wall: the solids first, then the enclosures, then the lines.
    uint32_t wall_count, solid_count, enclosure_count;
    const throng_wall *walls;       // the normal form; points live in the set
    const uint32_t *first_piece;    // wall_count + 1 entries
    const throng_wall_box *extents; // m

    throng_wall_tree pieces; // over all pieces
    throng_wall_tree solids; // over the extents of the solids
    throng_wall_box bounds;  // m, of everything; all zero where there is no wall
    bool by_height;          // some pieces do not stand at all heights

    void *block; // the one piece of memory behind all columns
    size_t block_bytes;
} throng_wall_set;

/// Whom walls stop: of what mask, and from where to where it reaches, m.
typedef struct throng_wall_filter {
    uint32_t mask;
    float low, high;
} throng_wall_filter;

/// Somebody who is at all heights.
static inline throng_wall_filter throng_wall_filter_of(uint32_t mask) {
    return (throng_wall_filter){mask, -INFINITY, INFINITY};
}

/// Somebody whom everything stops that stops one of the two.
static inline throng_wall_filter throng_wall_filter_union(throng_wall_filter a, throng_wall_filter b) {
    return (throng_wall_filter){a.mask | b.mask, throng_minf(a.low, b.low), throng_maxf(a.high, b.high)};
}

/// Heights that only touch do not overlap.
static inline bool throng_wall_stops(const throng_wall_set *set, uint32_t piece, throng_wall_filter filter) {
    if ((set->segment[piece].layer & filter.mask) == 0) return false;
    return !set->by_height || (set->low[piece] < filter.high && filter.low < set->high[piece]);
}

static inline throng_wall_box throng_wall_segment_box(const throng_wall_segment *segment) {
    return (throng_wall_box){throng_mind(segment->ax, segment->bx), throng_mind(segment->ay, segment->by),
                             throng_maxd(segment->ax, segment->bx), throng_maxd(segment->ay, segment->by)};
}

/// Builds the set; the walls' points are copied. On failure nothing is kept and throng_last_error names the wall.
/// ARGUMENT (a kind, null points), VALUE (too few points, a coordinate not finite or out of range, heights upside
/// down), CAPACITY (more than 2^31 points), MEMORY.
throng_result throng_wall_set_build(throng_wall_set *set, const throng_wall *walls, uint32_t count,
                                    throng_memory *memory);

/// A set that was never built (all zero) is fine.
void throng_wall_set_release(throng_wall_set *set, throng_memory *memory);

/// Pieces that come into a box and stop someone of this kind, in no order that may matter: the first `capacity` are
/// written, the return value is how many there are. A buffer of piece_count entries always suffices.
uint32_t throng_wall_set_query(const throng_wall_set *set, const throng_wall_box *box, throng_wall_filter filter,
                               uint32_t *pieces, uint32_t capacity);

/// Whether a query with this box finds the piece, if it stops who asks.
bool throng_wall_set_has_in(const throng_wall_set *set, uint32_t piece, const throng_wall_box *box);

#endif
