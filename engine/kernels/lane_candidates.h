// What both searches have in common.
#pragma once

#include "kernels/lanes.h"
#include "kernels/nearest.h"

#include <math.h>

// The lanes of a vector, loaded once a leaf.
typedef struct lane_seekers {
    vfloat tree_x, tree_y;
    vdouble x, y;
    vint packed_x, packed_y;
    vint self;
} lane_seekers;

LANE_INLINE lane_seekers load_seekers(const throng_nearest_lists *lists, int lane) {
    return (lane_seekers){.tree_x = vf_load(lists->tree_x + lane),
                          .tree_y = vf_load(lists->tree_y + lane),
                          .x = vd_loadu(lists->x + lane),
                          .y = vd_loadu(lists->y + lane),
                          .packed_x = vi_load(lists->packed_x + lane),
                          .packed_y = vi_load(lists->packed_y + lane),
                          .self = vi_load(lists->self + lane)};
}

// Squared distances in tree coordinates above this can't belong to a key of `worst` or less.
LANE_INLINE vfloat rejected_above_each(vfloat worst, vfloat radius, float guard) {
    const vfloat distance = worst + (radius + vf_splat(guard));
    const vfloat square = distance * distance * vf_splat(1.0f + 0x1p-19f);
    return vf_select(vf_lt(distance, vf_zero()), vf_splat(-1.0f), square);
}

LANE_INLINE vfloat rejected_above(vfloat worst, float radius, float guard) {
    return rejected_above_each(worst, vf_splat(radius), guard);
}

// Squares of distances in tree coordinates, m2.
LANE_INLINE vfloat tree_square(const lane_seekers *seekers, const throng_nearest_crowd *crowd, uint32_t position) {
    const vfloat dx = vf_splat(crowd->tree_x[position]) - seekers->tree_x;
    const vfloat dy = vf_splat(crowd->tree_y[position]) - seekers->tree_y;
    return vf_dot(dx, dy, dx, dy);
}

LANE_INLINE vmask is_other(const lane_seekers *seekers, uint32_t position) {
    return vm_not(vi_eq(vi_splat((int32_t)position), seekers->self));
}

LANE_INLINE void empty_lists(throng_nearest_lists *lists, int slot_count) {
    for (int slot = 0; slot < slot_count; slot++) {
        LANE_FOR(lane) {
            vf_store(lists->key + slot * THRONG_LANES + lane, vf_splat(INFINITY));
            vi_store(lists->position + slot * THRONG_LANES + lane, vi_splat(-1));
        }
    }
    LANE_FOR(lane) {
        // A lane that keeps no neighbors looks for contacts only.
        const vmask none = vi_eq(vi_load(lists->neighbors + lane), vi_splat(0));
        const vfloat contact = vf_load(lists->contact_range + lane);
        const vfloat range = vf_select(none, contact, vf_load(lists->range + lane));
        vf_store(lists->worst + lane, vf_max(range, contact));
    }
}

// Counts the neighbors that the lists hold: they stand in the first slots.
LANE_INLINE void count_found(throng_nearest_lists *lists) {
    int slots = 0;
    for (int lane = 0; lane < THRONG_LANES; lane++) {
        if (lists->neighbors[lane] > slots) slots = lists->neighbors[lane];
    }
    LANE_FOR(lane) {
        const vint limit = vi_load(lists->neighbors + lane);
        const vfloat range = vf_load(lists->range + lane);
        vint found = vi_splat(0);
        for (int slot = 0; slot < slots; slot++) {
            const vmask within = vf_le(vf_load(lists->key + slot * THRONG_LANES + lane), range);
            const vmask counts = vm_and(within, vi_lt(vi_splat(slot), limit));
            found = found + vi_select(counts, vi_splat(1), vi_splat(0));
        }
        vi_store(lists->found + lane, found);
    }
}
