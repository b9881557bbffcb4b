// The search that decides every tie as it meets it: for long lists, crowds in heaps and lattices.
#include "kernels/lane_candidates.h"
#include "kernels/lane_heed.h"

void LANE_ENTRY(throng_lane_nearest_exact_begin)(throng_nearest_lists *lists);
float LANE_ENTRY(throng_lane_nearest_exact_leaf)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                                                 const throng_nearest_leaf *leaf);

void LANE_ENTRY(throng_lane_nearest_exact_end)(throng_nearest_lists *lists);

void LANE_ENTRY(throng_lane_nearest_exact_begin)(throng_nearest_lists *lists) {
    lists->octants_known = 0;
    empty_lists(lists, lists->slot_count);
    lists->filled = 0;
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

LANE_INLINE int leaf_is_far(const lane_seekers *seekers, const throng_nearest_leaf *leaf, vfloat limit) {
    const vfloat x = seekers->tree_x, y = seekers->tree_y;
    const vfloat dx = vf_max(vf_max(vf_splat(leaf->min_x) - x, x - vf_splat(leaf->max_x)), vf_zero());
    const vfloat dy = vf_max(vf_max(vf_splat(leaf->min_y) - y, y - vf_splat(leaf->max_y)), vf_zero());
    return !vm_any(vf_le(vf_dot(dx, dy, dx, dy), limit));
}

// The exact keys, infinite where the candidate does not count for a lane or can change nothing there.
LANE_INLINE vfloat exact_key(const throng_nearest_lists *lists, const lane_seekers *seekers,
                             const throng_nearest_crowd *crowd, int lane, uint32_t position, vfloat worst) {
    const uint32_t row = crowd->order[position];
    const vfloat dx = vf_from_vd(vd_sub(vd_splat(crowd->x[row]), seekers->x));
    const vfloat dy = vf_from_vd(vd_sub(vd_splat(crowd->y[row]), seekers->y));
    const vfloat key = vf_sqrt(vf_dot(dx, dy, dx, dy)) - vf_splat(crowd->radius[position]);
    vmask counts = vm_and(is_other(seekers, position), vf_le(key, worst));
    if (crowd->heed) counts = heeded(lists, crowd, lane, position, counts);
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

float LANE_ENTRY(throng_lane_nearest_exact_leaf)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                                                 const throng_nearest_leaf *leaf) {
    const uint32_t end = leaf->first + leaf->count;
    float largest = -INFINITY;
    LANE_FOR(lane) {
        const lane_seekers seekers = load_seekers(lists, lane);
        vfloat worst = vf_load(lists->worst + lane);
        vfloat limit = rejected_above(worst, leaf->radius, crowd->guard);
        const uint32_t first = leaf_is_far(&seekers, leaf, limit) ? end : leaf->first;
        for (uint32_t position = first; position < end; position++) {
            if (!vm_any(vf_le(tree_square(&seekers, crowd, position), limit))) continue;
            const vfloat key = exact_key(lists, &seekers, crowd, lane, position, worst);
            if (!vm_any(vf_lt(key, vf_splat(INFINITY)))) continue;
            if (lists->filled < lists->slot_count) lists->filled++;
            insert(lists, crowd, lane, lists->filled - 1, key, (int32_t)position, crowd->rank[position]);
            worst = worst_key(lists, lane);
            limit = rejected_above(worst, leaf->radius, crowd->guard);
        }
        vf_store(lists->worst + lane, worst);
        const float here = vf_largest(worst);
        largest = here > largest ? here : largest;
    }
    return largest;
}

void LANE_ENTRY(throng_lane_nearest_exact_end)(throng_nearest_lists *lists) {
    count_found(lists);
}
