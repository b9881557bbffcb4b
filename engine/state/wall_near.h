// The pieces near one agent, nearest first.
#ifndef THRONG_STATE_WALL_NEAR_H
#define THRONG_STATE_WALL_NEAR_H

#include "state/wall_set.h"

enum { THRONG_WALL_NEAR_MAX = 32 };

typedef struct throng_wall_near {
    uint32_t count;
    uint32_t cut; // how many more were within reach
    uint32_t piece[THRONG_WALL_NEAR_MAX];
    double squared[THRONG_WALL_NEAR_MAX]; // distance², m²
} throng_wall_near;

/// Those of `pieces`, in any order, that come within `reach` m of (x, y) and stop someone of this mask, ordered by
/// (distance², piece number). The number depends on the coordinates of the walls alone.
void throng_wall_near_find(const throng_wall_set *set, const uint32_t *pieces, uint32_t count, uint32_t mask, double x,
                           double y, double reach, throng_wall_near *near);

#endif
