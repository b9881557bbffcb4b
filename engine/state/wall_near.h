// The pieces near agents, nearest first, for a few agents at once.
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

/// For every seeker those of `pieces`, in any order, that come within its reach and stop it, ordered by (distance²,
/// piece number). The number depends on the coordinates of the walls alone.
void throng_wall_near_find(const throng_kernels *kernels, const throng_wall_set *set, const uint32_t *pieces,
                           uint32_t count, const throng_wall_seekers *seekers,
                           const throng_wall_filter filters[THRONG_LANES], throng_wall_near near[THRONG_LANES]);

#endif
