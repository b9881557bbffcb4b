#include "kernels/nearest.h"
#include "kernels/lanes.h"

#include <math.h>

void LANE_ENTRY(throng_lane_nearest_begin)(throng_nearest_lists *lists);
void LANE_ENTRY(throng_lane_nearest_leaf)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                                          const throng_nearest_leaf *leaf);

void LANE_ENTRY(throng_lane_nearest_begin)(throng_nearest_lists *lists) {
    const vfloat infinite = vf_splat(INFINITY);
    for (int slot = 0; slot < lists->slot_count; slot++) {
        LANE_FOR(lane) {
            vf_store(lists->key + slot * THRONG_LANES + lane, infinite);
            vi_store(lists->position + slot * THRONG_LANES + lane, vi_splat(-1));
        }
    }
    lists->filled = 0;
    LANE_FOR(lane) {
        // A lane that keeps no neighbors looks for contacts only.
        const vmask none = vi_eq(vi_load(lists->neighbors + lane), vi_splat(0));
        const vfloat contact = vf_load(lists->contact_range + lane);
        const vfloat range = vf_select(none, contact, vf_load(lists->range + lane));
        vf_store(lists->worst + lane, vf_max(range, contact));
    }
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

// Whether the candidate's rank comes before that of what a slot holds, where the keys are equal.
LANE_INLINE vmask rank_before(const throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int at,
                              uint32_t rank) {
    const vint position = vi_load(lists->position + at);
    const vmask present = vm_not(vi_lt(position, vi_splat(0)));
    const vint other = vi_gather((const int32_t *)crowd->rank, vi_select(present, position, vi_splat(0)));
    return vm_and(present, vi_ltu(vi_splat((int32_t)rank), other));
}

LANE_INLINE vmask before_slot(const throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int at, vfloat key,
                              vfloat slot_key, uint32_t rank) {
    const vmask equal = vf_eq(key, slot_key);
    const vmask less = vf_lt(key, slot_key);
    return vm_any(equal) ? vm_or(less, vm_and(equal, rank_before(lists, crowd, at, rank))) : less;
}

// Puts a candidate into the sorted lists of the lanes where its key is finite. Every slot takes either what it had,
// the candidate, or what the slot before had: no slot waits for another.
LANE_INLINE void insert(throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int lane, int last, vfloat key,
                        int32_t position, uint32_t rank) {
    const vint candidate = vi_splat(position);
    int at = last * THRONG_LANES + lane;
    vfloat slot_key = vf_load(lists->key + at);
    vmask before = before_slot(lists, crowd, at, key, slot_key, rank);
    for (; at >= THRONG_LANES; at -= THRONG_LANES) {
        const int next = at - THRONG_LANES;
        const vfloat next_key = vf_load(lists->key + next);
        const vmask before_next = before_slot(lists, crowd, next, key, next_key, rank);
        const vint own = vi_select(before, candidate, vi_load(lists->position + at));
        vf_store(lists->key + at, vf_select(before_next, next_key, vf_select(before, key, slot_key)));
        vi_store(lists->position + at, vi_select(before_next, vi_load(lists->position + next), own));
        slot_key = next_key;
        before = before_next;
    }
    vf_store(lists->key + at, vf_select(before, key, slot_key));
    vi_store(lists->position + at, vi_select(before, candidate, vi_load(lists->position + at)));
}

// Squared distances in tree coordinates above this can't belong to a key of `worst` or less.
LANE_INLINE vfloat rejected_above(vfloat worst, float radius, float guard) {
    const vfloat distance = worst + vf_splat(radius + guard);
    const vfloat square = distance * distance * vf_splat(1.0f + 0x1p-19f);
    return vf_select(vf_lt(distance, vf_zero()), vf_splat(-1.0f), square);
}

void LANE_ENTRY(throng_lane_nearest_leaf)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                                          const throng_nearest_leaf *leaf) {
    const uint32_t end = leaf->first + leaf->count;
    LANE_FOR(lane) {
        const vfloat own_x = vf_load(lists->tree_x + lane), own_y = vf_load(lists->tree_y + lane);
        vfloat worst = vf_load(lists->worst + lane);
        vfloat limit = rejected_above(worst, leaf->radius, crowd->guard);
        const vfloat outside_x =
            vf_max(vf_max(vf_splat(leaf->min_x) - own_x, own_x - vf_splat(leaf->max_x)), vf_zero());
        const vfloat outside_y =
            vf_max(vf_max(vf_splat(leaf->min_y) - own_y, own_y - vf_splat(leaf->max_y)), vf_zero());
        if (!vm_any(vf_le(vf_dot(outside_x, outside_y, outside_x, outside_y), limit))) continue;

        const vdouble exact_x = vd_loadu(lists->x + lane), exact_y = vd_loadu(lists->y + lane);
        const vint self = vi_load(lists->self + lane), mask = vi_load(lists->mask + lane);
        const vfloat yield = vf_load(lists->yield + lane);
        for (uint32_t position = leaf->first; position < end; position++) {
            const vfloat tree_dx = vf_splat(crowd->tree_x[position]) - own_x;
            const vfloat tree_dy = vf_splat(crowd->tree_y[position]) - own_y;
            if (!vm_any(vf_le(vf_dot(tree_dx, tree_dy, tree_dx, tree_dy), limit))) continue;

            const uint32_t row = crowd->order[position];
            const vfloat dx = vf_from_vd(vd_sub(vd_splat(crowd->x[row]), exact_x));
            const vfloat dy = vf_from_vd(vd_sub(vd_splat(crowd->y[row]), exact_y));
            const vfloat key = vf_sqrt(vf_dot(dx, dy, dx, dy)) - vf_splat(crowd->radius[position]);
            vmask counts = vf_le(key, worst);
            counts = vm_andnot(counts, vi_eq(vi_splat((int32_t)position), self));
            counts = vm_andnot(counts, vi_eq(mask & vi_splat((int32_t)crowd->layer[row]), vi_splat(0)));
            counts = vm_and(counts, vf_gt(yield + vf_splat(crowd->yield[row]), vf_zero()));
            if (!vm_any(counts)) continue;

            if (lists->filled < lists->slot_count) lists->filled++;
            insert(lists, crowd, lane, lists->filled - 1, vf_select(counts, key, vf_splat(INFINITY)), (int32_t)position,
                   crowd->rank[position]);
            worst = worst_key(lists, lane);
            limit = rejected_above(worst, leaf->radius, crowd->guard);
        }
        vf_store(lists->worst + lane, worst);
    }
}
