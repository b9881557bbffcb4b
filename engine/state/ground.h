// The ground: how steep it is and how fast one walks on it. Built with its map, then constant.
#ifndef THRONG_STATE_GROUND_H
#define THRONG_STATE_GROUND_H

#include "base/memory.h"
#include "state/wall_tree.h"

#include <throng/map.h>

typedef struct throng_ground_region {
    uint32_t first, count; // points
    float factor;
    float steepness;
    float low, high; // m
} throng_ground_region;

typedef struct throng_ground {
    uint32_t columns, rows; // of the grid; 0: none
    double x, y, cell;      // m
    float *steepness;       // k = sqrt(1 + g.g) of each square, rows from least to greatest y

    uint32_t region_count, point_count;
    throng_ground_region *regions;
    double *points;          // m, pairs
    throng_wall_tree tree;   // over the regions' boxes
    throng_wall_node *nodes; // its memory
    throng_wall_leaf *leaves;
} throng_ground;

/// What somebody walks on: 1 and 1 on level ground.
typedef struct throng_footing {
    float steepness; // k = sqrt(1 + g.g) >= 1
    float factor;    // of speeds, 0..1
} throng_footing;

/// VALUE (item: the region), ARGUMENT, CAPACITY, MEMORY. On failure nothing is kept.
throng_result throng_ground_build(throng_ground *ground, const throng_map_def *def, throng_memory *memory);

/// A ground that was never built (all zero) is fine.
void throng_ground_release(throng_ground *ground, throng_memory *memory);

static inline bool throng_ground_is_level(const throng_ground *ground) {
    return ground->columns == 0 && ground->region_count == 0;
}

/// Of everything on the straight way from (x, y) along (dx, dy), m, the steepest and the slowest, for somebody who is
/// from `low` to `high`, m.
throng_footing throng_ground_along(const throng_ground *ground, float low, float high, double x, double y, double dx,
                                   double dy);

/// 0 of none.
uint64_t throng_ground_content(const throng_ground *ground);

#endif
