// A candidate against the lanes of one vector: what both searches ask first.
#pragma once

#include "kernels/lanes.h"
#include "kernels/nearest.h"

#include <math.h>

// The lanes of a vector, loaded once a leaf.
typedef struct lane_seekers {
    vfloat tree_x, tree_y;
    vdouble x, y;
    vint packed_x, packed_y;
    vint self, mask;
    vfloat yield;
} lane_seekers;

LANE_INLINE lane_seekers load_seekers(const throng_nearest_lists *lists, int lane) {
    return (lane_seekers){.tree_x = vf_load(lists->tree_x + lane),
                          .tree_y = vf_load(lists->tree_y + lane),
                          .x = vd_loadu(lists->x + lane),
                          .y = vd_loadu(lists->y + lane),
                          .packed_x = vi_load(lists->packed_x + lane),
                          .packed_y = vi_load(lists->packed_y + lane),
                          .self = vi_load(lists->self + lane),
                          .mask = vi_load(lists->mask + lane),
                          .yield = vf_load(lists->yield + lane)};
}

// Squared distances in tree coordinates above this can't belong to a key of `worst` or less.
LANE_INLINE vfloat rejected_above(vfloat worst, float radius, float guard) {
    const vfloat distance = worst + vf_splat(radius + guard);
    const vfloat square = distance * distance * vf_splat(1.0f + 0x1p-19f);
    return vf_select(vf_lt(distance, vf_zero()), vf_splat(-1.0f), square);
}

LANE_INLINE int leaf_is_far(const lane_seekers *seekers, const throng_nearest_leaf *leaf, vfloat limit) {
    const vfloat x = seekers->tree_x, y = seekers->tree_y;
    const vfloat dx = vf_max(vf_max(vf_splat(leaf->min_x) - x, x - vf_splat(leaf->max_x)), vf_zero());
    const vfloat dy = vf_max(vf_max(vf_splat(leaf->min_y) - y, y - vf_splat(leaf->max_y)), vf_zero());
    return !vm_any(vf_le(vf_dot(dx, dy, dx, dy), limit));
}

// Whom the candidate may concern.
LANE_INLINE vmask candidate_is_near(const lane_seekers *seekers, const throng_nearest_crowd *crowd, uint32_t position,
                                    vfloat limit) {
    const vfloat dx = vf_splat(crowd->tree_x[position]) - seekers->tree_x;
    const vfloat dy = vf_splat(crowd->tree_y[position]) - seekers->tree_y;
    return vf_le(vf_dot(dx, dy, dx, dy), limit);
}

// Squares of distances, m2, from packed places less than THRONG_NARROW apart.
LANE_INLINE vfloat square_of_packed(vint x, vint y, const lane_seekers *seekers) {
    const vfloat dx = vf_from_vi(vi_sub_wrapping(x, seekers->packed_x));
    const vfloat dy = vf_from_vi(vi_sub_wrapping(y, seekers->packed_y));
    return vf_dot(dx, dy, dx, dy) * vf_splat(THRONG_GRID_STEP * THRONG_GRID_STEP);
}

// Squares of distances, m2.
LANE_INLINE vfloat candidate_square(const lane_seekers *seekers, const throng_nearest_crowd *crowd, uint32_t position) {
    const uint32_t row = crowd->order[position];
    const vfloat dx = vf_from_vd(vd_sub(vd_splat(crowd->x[row]), seekers->x));
    const vfloat dy = vf_from_vd(vd_sub(vd_splat(crowd->y[row]), seekers->y));
    return vf_dot(dx, dy, dx, dy);
}

// The lanes that heed the candidate.
LANE_INLINE vmask candidate_counts(const lane_seekers *seekers, const throng_nearest_crowd *crowd, uint32_t position) {
    const uint32_t row = crowd->order[position];
    vmask counts = vm_not(vi_eq(vi_splat((int32_t)position), seekers->self));
    counts = vm_andnot(counts, vi_eq(seekers->mask & vi_splat((int32_t)crowd->layer[row]), vi_splat(0)));
    return vm_and(counts, vf_gt(seekers->yield + vf_splat(crowd->yield[row]), vf_zero()));
}

// The exact keys, infinite where the candidate does not count for a lane or can change nothing there.
LANE_INLINE vfloat candidate_key(const lane_seekers *seekers, const throng_nearest_crowd *crowd, uint32_t position,
                                 vfloat worst) {
    const vfloat key = vf_sqrt(candidate_square(seekers, crowd, position)) - vf_splat(crowd->radius[position]);
    const vmask counts = vm_and(candidate_counts(seekers, crowd, position), vf_le(key, worst));
    return vf_select(counts, key, vf_splat(INFINITY));
}

// The largest key that still changes something for a lane: the last neighbor's, or the last contact candidate's.
LANE_INLINE vfloat worst_key(const throng_nearest_lists *lists, int lane) {
    const vint count = vi_load(lists->neighbors + lane);
    const vmask none = vi_eq(count, vi_splat(0));
    const vint last = vi_select(none, vi_splat(0), count - vi_splat(1));
    const vint at = vi_shl(last, 4) + vi_iota() + vi_splat(lane);
    vfloat neighbor = vf_min(vf_load(lists->range + lane), vf_gather(lists->key, at));
    neighbor = vf_select(none, vf_splat(-INFINITY), neighbor);
    const vfloat contact = vf_min(vf_load(lists->contact_range + lane),
                                  vf_load(lists->key + (THRONG_CONTACT_SLOTS - 1) * THRONG_LANES + lane));
    return vf_max(neighbor, contact);
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
