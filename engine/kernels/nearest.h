// The neighbor lists of a tile: who of a leaf of the tree belongs among the nearest of each lane.
//
// The order is (gap, creation number), gap = distance - r_A - r_B. As r_A is the same for all candidates of a lane, the
// key that is kept is distance - r_B, in float from places subtracted in double; equal keys are told apart by rank,
// which orders as creation numbers do. Tests in tree coordinates (float, relative to the tree's origin) only reject
// what is farther than the worst kept key by more than their guard.
#pragma once

#include "kernels/kernels.h"

#include <math.h>

// Keeps this many candidates for contacts at least: one more than are used, to tell who has more.
#define THRONG_CONTACT_SLOTS 17

// What neighbors need of an agent, by tree position. Places are whole numbers of grid steps (base/grid.h) modulo 2^32:
// differences of places less than THRONG_NARROW apart are exact.
typedef struct throng_packed {
    _Alignas(32) int32_t x;
    int32_t y;
    float radius; // m
    uint32_t row;
    float velocity_x, velocity_y; // m/s
    float claim;
    uint32_t stander; // not 0: it has arrived where it wanted to go
} throng_packed;

// Where push-out has brought somebody: in the memory of throng_packed, two places that passes read and write in turn.
typedef struct throng_push_place {
    _Alignas(16) int32_t x; // as throng_packed
    int32_t y;
    float radius; // m
    float claim;
} throng_push_place;

typedef struct throng_push_places {
    throng_push_place of_pass[2];
} throng_push_places;

#define THRONG_GRID_STEP 0x1p-28f // m
#define THRONG_NARROW    8.0f     // m: 2^31 grid steps

// Whom the lanes heed of those who are near, where that is more than a matter of distance. What it holds of others is
// by row.
typedef struct throng_nearest_heed {
    _Alignas(64) float low[THRONG_LANES]; // m, own heights
    _Alignas(64) float high[THRONG_LANES];
    _Alignas(64) double gaze_x[THRONG_LANES]; // where it looks, of any length
    _Alignas(64) double gaze_y[THRONG_LANES];
    _Alignas(64) double view_limit[THRONG_LANES];  // throng_view_limit
    _Alignas(64) double view_square[THRONG_LANES]; // m², the farthest it sees
    // The same in float: they decide what is far from every border.
    _Alignas(64) float look_x[THRONG_LANES]; // of length 1
    _Alignas(64) float look_y[THRONG_LANES];
    _Alignas(64) float cosine[THRONG_LANES]; // less than -1: sees all round
    _Alignas(64) float range[THRONG_LANES];  // m
    const float *other_low, *other_high;     // m; null where heights do not matter
    bool mixed;                              // by masks and yields
    bool views;
    bool looks_in_tree; // gazes are directions in tree coordinates, too
} throng_nearest_heed;

// A field of view, by signed squares q(a) = a * abs(a): another at p is left out where
// q(dot(gaze, p)) < q(cosine) * gaze² * p². The limit is the part that p has nothing to do with.
static inline double throng_view_limit(double cosine, double gaze_x, double gaze_y) {
    const double size = cosine < 0.0 ? -cosine : cosine;
    return cosine <= -1.0 ? -INFINITY : cosine * size * (gaze_x * gaze_x + gaze_y * gaze_y);
}

// Candidates, by tree position.
typedef struct throng_nearest_crowd {
    const float *tree_x, *tree_y; // m, relative to the tree's origin
    const float *radius;          // m
    const uint32_t *rank;
    const uint32_t *order; // row
    const double *x, *y;   // m, by row, likewise below
    const float *yield;
    const uint32_t *layer;
    const throng_packed *packed;     // null where they do not speak of the crowd as it is now
    const throng_nearest_heed *heed; // null where nothing but distance matters
    bool one_radius;                 // all have the largest radius
    float largest_radius;            // m
    float lift;                      // m, at most largest_radius: makes all keys positive but those of giants
    float guard;                     // m: no distance in tree coordinates is off by more
} throng_nearest_crowd;

typedef struct throng_nearest_leaf {
    uint32_t first, count;            // tree positions
    float min_x, min_y, max_x, max_y; // m, tree coordinates
    float radius;                     // m, the largest in it
} throng_nearest_leaf;

// The quick search keeps the first so many candidates, sorted, and merges new ones in by batches; it needs a slot more
// than there are neighbors, to tell ties at the end of a list. It gives up beyond so many candidates.
#define THRONG_NEAREST_SLOTS      16
#define THRONG_NEAREST_BATCH      8
#define THRONG_NEAREST_CANDIDATES 256

// The lanes and their lists. Slots are sorted by the order above; unused ones hold an infinite key.
typedef struct throng_nearest_lists {
    _Alignas(64) float tree_x[THRONG_LANES];
    _Alignas(64) float tree_y[THRONG_LANES];
    _Alignas(64) double x[THRONG_LANES];
    _Alignas(64) double y[THRONG_LANES];
    _Alignas(64) int32_t packed_x[THRONG_LANES]; // as throng_packed; unused where the crowd has none
    _Alignas(64) int32_t packed_y[THRONG_LANES];
    _Alignas(64) int32_t self[THRONG_LANES];        // own tree position
    _Alignas(64) int32_t neighbors[THRONG_LANES];   // slots that count as neighbors, <= slot_count
    _Alignas(64) float range[THRONG_LANES];         // m: keys of neighbors are at most this
    _Alignas(64) float contact_range[THRONG_LANES]; // m: keys of contact candidates are at most this
    _Alignas(64) int32_t mask[THRONG_LANES];
    _Alignas(64) float yield[THRONG_LANES];
    _Alignas(64) float worst[THRONG_LANES];   // m: a key above it changes nothing
    _Alignas(64) int32_t found[THRONG_LANES]; // slots that hold neighbors, told at the end of a search
    // The quick search's lists of short keys, see lane_nearest.c, the least of those that fell out of them, and its
    // candidates, by tree position, with room for a leaf more than it takes.
    _Alignas(64) int32_t nearest[THRONG_NEAREST_SLOTS * THRONG_LANES];
    _Alignas(64) int32_t dropped[THRONG_LANES];
    _Alignas(64) int32_t candidates[THRONG_NEAREST_CANDIDATES + 2 * THRONG_LANES];
    // Of the octants around, cut at the axes and their bisectors and counted from the x-axis, a bit for each in which
    // one of the first THRONG_NEAREST_SLOTS stands; who stands at the very place counts as of the first.
    _Alignas(64) int32_t octants[THRONG_LANES];
    uint32_t octants_known; // a bit per lane: they speak of the lists
    bool fine;              // short keys are to be from packed places: all who matter are less than THRONG_NARROW away
    float key_guard, key_rounding;    // m, and a part: short keys are off by no more but for the bits cut off
    int listed, merged;               // candidates
    int all_keep;                     // neighbors, 0 where lanes differ
    float min_x, min_y, max_x, max_y; // m: box of the lanes, tree coordinates
    float largest;                    // m: a key above it changes nothing for any lane
    int slot_count;                   // slots of the lists: the most that a lane keeps, THRONG_CONTACT_SLOTS at least
    int filled;                       // slots in use, at most
    float *key;                       // [slot] m
    int32_t *position;                // [slot] tree position, -1 where there is none
} throng_nearest_lists;

// Makes the lists of one lane of the quick search's candidates, by exact keys, where its end named it. The candidates
// must not be too many, and the crowd one where nothing but distance matters.
void throng_nearest_settle_one(throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int lane);

// The boxes of leaves that are near some tiles, and how far they are from one of them.
#define THRONG_NEAR_LEAVES 64
typedef struct throng_near_leaves {
    _Alignas(64) float min_x[THRONG_NEAR_LEAVES]; // m, tree coordinates
    _Alignas(64) float min_y[THRONG_NEAR_LEAVES];
    _Alignas(64) float max_x[THRONG_NEAR_LEAVES];
    _Alignas(64) float max_y[THRONG_NEAR_LEAVES];
    _Alignas(64) float radius[THRONG_NEAR_LEAVES]; // m, the largest of each
    _Alignas(64) float square[THRONG_NEAR_LEAVES]; // m2, of the gap to the box of the lanes
    uint32_t leaf[THRONG_NEAR_LEAVES];
    int count;      // negative: they are not known
    uint32_t first; // tree position of the tiles' first agent
    float reach;    // m: who is not in these leaves has no key of at most so much, whoever of the tiles seeks
} throng_near_leaves;
