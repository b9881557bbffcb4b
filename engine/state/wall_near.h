// The pieces near agents, nearest first, for a few agents at once.
#ifndef THRONG_STATE_WALL_NEAR_H
#define THRONG_STATE_WALL_NEAR_H

#include "state/wall_set.h"

enum { THRONG_WALL_NEAR_MAX = 32, THRONG_WALL_SEEKERS = 16 };

/// Who seeks walls, side by side.
typedef struct throng_wall_seekers {
    double x[THRONG_WALL_SEEKERS], y[THRONG_WALL_SEEKERS];     // m
    double reach[THRONG_WALL_SEEKERS];                         // m; negative: nobody
    uint32_t mask[THRONG_WALL_SEEKERS];                        // seeks pieces whose layer shares a bit
    float low[THRONG_WALL_SEEKERS], high[THRONG_WALL_SEEKERS]; // m, and whose heights overlap these
} throng_wall_seekers;

typedef struct throng_wall_near {
    uint32_t count;
    uint32_t cut; // how many more were within reach
    uint32_t piece[THRONG_WALL_NEAR_MAX];
    double squared[THRONG_WALL_NEAR_MAX]; // distance², m²
} throng_wall_near;

/// For every seeker those of `pieces`, in any order, that come within its reach, ordered by (distance², piece number).
/// The number depends on the coordinates of the walls alone.
void throng_wall_near_find(const throng_wall_set *set, const uint32_t *pieces, uint32_t count,
                           const throng_wall_seekers *seekers, throng_wall_near near[THRONG_WALL_SEEKERS]);

/// Who has any of `pieces` within reach: a bit for every seeker.
uint32_t throng_wall_near_any(const throng_wall_set *set, const uint32_t *pieces, uint32_t count,
                              const throng_wall_seekers *seekers);

#endif
