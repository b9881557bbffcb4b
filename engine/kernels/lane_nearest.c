// The quick search. A candidate's short key is a float from tree coordinates that nearly orders it, with its number
// among the candidates in place of the lowest bits: a minimum and a maximum sort two. Batches are sorted by a network
// and merged into the sorted lists without a branch. In the end exact keys and ranks order those that stayed, and where
// short keys may have dropped one too many, the exact search decides.
#include "base/scalar.h"
#include "kernels/lane_candidates.h"
#include "kernels/lane_heed.h"

#include <string.h>

void LANE_ENTRY(throng_lane_nearest_begin)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd);
float LANE_ENTRY(throng_lane_nearest_leaf)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                                           const throng_nearest_leaf *leaf);
uint32_t LANE_ENTRY(throng_lane_nearest_end)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd);

enum {
    SLOTS = THRONG_NEAREST_SLOTS,
    BATCH = THRONG_NEAREST_BATCH,
    CANDIDATES = THRONG_NEAREST_CANDIDATES,
    NUMBER = CANDIDATES - 1, // the bits of a short key that tell the candidate
    NOBODY = 0x7f800000,     // short keys from here on, the bits of infinity, stand for no candidate
};

void LANE_ENTRY(throng_lane_nearest_begin)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd) {
    empty_lists(lists, THRONG_CONTACT_SLOTS);
    lists->listed = lists->merged = 0;
    lists->octants_known = 0;
    // Fine keys of one radius are the exact ones but for the bits that are cut off.
    lists->key_guard = lists->fine ? 0.0f : crowd->guard;
    lists->key_rounding = lists->fine && crowd->one_radius ? 0.0f : 0x1p-20f;
    lists->largest = -INFINITY;
    lists->all_keep = lists->neighbors[0];
    for (int lane = 1; lane < THRONG_LANES; lane++) {
        if (lists->neighbors[lane] != lists->neighbors[0]) lists->all_keep = 0;
    }
    LANE_FOR(lane) {
        for (int slot = 0; slot < SLOTS; slot++)
            vi_store(lists->nearest + slot * THRONG_LANES + lane, vi_splat(NOBODY));
        vi_store(lists->dropped + lane, vi_splat(NOBODY));
        const float here = vf_largest(vf_load(lists->worst + lane));
        if (here > lists->largest) lists->largest = here;
    }
}

// Squares of distances, m2, from packed places less than THRONG_NARROW apart.
LANE_INLINE vfloat square_of_steps(vfloat dx, vfloat dy) {
    return vf_dot(dx, dy, dx, dy) * vf_splat(THRONG_GRID_STEP * THRONG_GRID_STEP);
}

LANE_INLINE vfloat square_of_packed(vint x, vint y, const lane_seekers *seekers) {
    return square_of_steps(vf_from_vi(vi_sub_wrapping(x, seekers->packed_x)),
                           vf_from_vi(vi_sub_wrapping(y, seekers->packed_y)));
}

// ---- short keys

// What short keys order by: squares of distances where all have one radius; else keys, made positive. `plain` is a
// constant: what crowds of one kind need no answer to costs them nothing.
LANE_INLINE vint short_key(const throng_nearest_lists *lists, const lane_seekers *seekers,
                           const throng_nearest_crowd *crowd, int lane, int number, int plain) {
    const uint32_t position = (uint32_t)lists->candidates[number];
    const int one_radius = plain || crowd->one_radius;
    vfloat measure;
    if (lists->fine) {
        const throng_packed *packed = &crowd->packed[position];
        measure = square_of_packed(vi_splat(packed->x), vi_splat(packed->y), seekers);
    } else {
        measure = tree_square(seekers, crowd, position);
    }
    if (!one_radius) {
        const vfloat key = vf_sqrt(measure) - vf_splat(crowd->radius[position]);
        measure = vf_max(vf_zero(), key + vf_splat(crowd->lift));
    }
    vmask counts = is_other(seekers, position);
    if (!plain && crowd->heed) counts = heeded(lists, crowd, lane, position, counts);
    const vint bits = vi_select(counts, vi_from_vf_bits(measure), vi_splat(NOBODY));
    return (bits & vi_splat(~(int32_t)NUMBER)) | vi_splat(number);
}

// The key at which a measure stands, and how far the exact one may be from it: by the places' rounding, and by that of
// roots and sums.
LANE_INLINE vfloat key_of(const throng_nearest_lists *lists, const throng_nearest_crowd *crowd, vfloat measure,
                          vfloat *off) {
    const vfloat r = vf_splat(crowd->largest_radius), least = crowd->one_radius ? vf_sqrt(measure) : measure;
    *off = vf_splat(lists->key_guard) + (least + r) * vf_splat(lists->key_rounding);
    return least - vf_splat(crowd->one_radius ? crowd->largest_radius : crowd->lift);
}

// No candidate with such a short key or a later one has a lesser key. Those that were not made positive are all alike.
LANE_INLINE vfloat least_key(const throng_nearest_lists *lists, const throng_nearest_crowd *crowd, vint brief) {
    vfloat off;
    const vint bits = brief & vi_splat(~(int32_t)NUMBER);
    vfloat key = key_of(lists, crowd, vf_from_vi_bits(bits), &off) - off;
    key = vf_select(vi_eq(bits, vi_splat(0)), vf_splat(-INFINITY), key);
    return vf_select(vi_lt(brief, vi_splat(NOBODY)), key, vf_splat(INFINITY));
}

// No candidate with such a short key or an earlier one has a greater key.
LANE_INLINE vfloat greatest_key(const throng_nearest_lists *lists, const throng_nearest_crowd *crowd, vint brief) {
    vfloat off;
    const vfloat key = key_of(lists, crowd, vf_from_vi_bits(brief | vi_splat(NUMBER)), &off);
    return vf_select(vi_lt(brief, vi_splat(NOBODY)), key + off, vf_splat(INFINITY));
}

// ---- merging

LANE_INLINE void order(vint *key, int a, int b) {
    const vint first = key[a], second = key[b];
    key[a] = vi_min(first, second);
    key[b] = vi_max(first, second);
}

// Batcher's odd-even merge sort of eight (Knuth, "The Art of Computer Programming" 3, 5.3.4).
LANE_INLINE void sort_batch(vint *key) {
    order(key, 0, 1), order(key, 2, 3), order(key, 4, 5), order(key, 6, 7);
    order(key, 0, 2), order(key, 1, 3), order(key, 4, 6), order(key, 5, 7);
    order(key, 1, 2), order(key, 5, 6);
    order(key, 0, 4), order(key, 1, 5), order(key, 2, 6), order(key, 3, 7);
    order(key, 2, 4), order(key, 3, 5);
    order(key, 1, 2), order(key, 3, 4), order(key, 5, 6);
}

// Sorts keys that first rise, then fall.
LANE_INLINE void sort_bitonic(vint *key) {
#pragma GCC unroll 4
    for (int half = SLOTS / 2; half > 0; half /= 2) {
#pragma GCC unroll 16
        for (int a = 0; a < SLOTS; a++) {
            if ((a & half) == 0) order(key, a, a + half);
        }
    }
}

// The nearest SLOTS of list and batch: the batch, sorted and turned round, against the list's far end.
LANE_INLINE void merge_lanes(throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int lane, int count,
                             int plain) {
    const lane_seekers seekers = load_seekers(lists, lane);
    vint batch[BATCH], list[SLOTS];
#pragma GCC unroll 8
    for (int slot = 0; slot < BATCH; slot++) {
        const int number = lists->merged + slot;
        batch[slot] = slot < count ? short_key(lists, &seekers, crowd, lane, number, plain) : vi_splat(NOBODY);
    }
    sort_batch(batch);
#pragma GCC unroll 16
    for (int slot = 0; slot < SLOTS; slot++) list[slot] = vi_load(lists->nearest + slot * THRONG_LANES + lane);
    vint dropped = vi_load(lists->dropped + lane);
#pragma GCC unroll 8
    for (int slot = 0; slot < BATCH; slot++) {
        const int far = SLOTS - 1 - slot;
        dropped = vi_min(dropped, vi_max(batch[slot], list[far]));
        list[far] = vi_min(batch[slot], list[far]);
    }
    vi_store(lists->dropped + lane, dropped);
    sort_bitonic(list);
#pragma GCC unroll 16
    for (int slot = 0; slot < SLOTS; slot++) vi_store(lists->nearest + slot * THRONG_LANES + lane, list[slot]);
}

static void merge_full(throng_nearest_lists *lists, const throng_nearest_crowd *crowd) {
    LANE_FOR(lane) merge_lanes(lists, crowd, lane, BATCH, 1);
    lists->merged += BATCH;
}

static void merge_any(throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int count) {
    LANE_FOR(lane) merge_lanes(lists, crowd, lane, count, 0);
    lists->merged += count;
}

// The short key of the last neighbor that a lane keeps.
LANE_INLINE vint last_neighbor(const throng_nearest_lists *lists, int lane) {
    if (lists->all_keep > 0) return vi_load(lists->nearest + (lists->all_keep - 1) * THRONG_LANES + lane);
    const vint count = vi_load(lists->neighbors + lane);
    const vint last = vi_select(vi_lt(vi_splat(0), count), count - vi_splat(1), vi_splat(0));
    return vi_gather(lists->nearest, vi_shl(last, 4) + vi_iota() + vi_splat(lane));
}

// The largest keys that still change something: the last neighbor's, or that of the contact candidate that tells there
// are more of them than slots.
LANE_INLINE void renew_worst(throng_nearest_lists *lists, const throng_nearest_crowd *crowd) {
    vfloat most = vf_splat(-INFINITY);
    LANE_FOR(lane) {
        const vmask none = vi_eq(vi_load(lists->neighbors + lane), vi_splat(0));
        const vfloat neighbor =
            vf_min(vf_load(lists->range + lane), greatest_key(lists, crowd, last_neighbor(lists, lane)));
        const vfloat contact =
            vf_min(vf_load(lists->contact_range + lane), greatest_key(lists, crowd, vi_load(lists->dropped + lane)));
        most = vf_max(most, vf_max(vf_select(none, vf_splat(-INFINITY), neighbor), contact));
    }
    lists->largest = vf_largest(most);
}

// ---- leaves

// Candidates of the leaf that come near enough to the box of the lanes join the list of them.
LANE_INLINE void list_candidates(throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                                 const throng_nearest_leaf *leaf) {
    const vfloat limit = rejected_above(vf_splat(lists->largest), leaf->radius, crowd->guard);
    const vfloat min_x = vf_splat(lists->min_x), max_x = vf_splat(lists->max_x);
    const vfloat min_y = vf_splat(lists->min_y), max_y = vf_splat(lists->max_y);
    LANE_FOR(lane) {
        // Beyond the last point coordinates are NaN, which comes out of these and is not near.
        const vfloat x = vf_load(crowd->tree_x + leaf->first + lane), y = vf_load(crowd->tree_y + leaf->first + lane);
        const vfloat dx = vf_max(vf_zero(), vf_max(min_x - x, x - max_x));
        const vfloat dy = vf_max(vf_zero(), vf_max(min_y - y, y - max_y));
        const vmask near = vf_le(vf_dot(dx, dy, dx, dy), limit);
        const vint position = vi_splat((int32_t)leaf->first + lane) + vi_iota();
        lists->listed += vi_pack(lists->candidates + lists->listed, near, position);
    }
}

float LANE_ENTRY(throng_lane_nearest_leaf)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                                           const throng_nearest_leaf *leaf) {
    list_candidates(lists, crowd, leaf);
    if (lists->listed > CANDIDATES) return -INFINITY;
    // They will be asked for in the end.
    if (crowd->packed) {
        for (uint32_t i = 0; i < leaf->count; i += 2) throng_fetch(crowd->packed + leaf->first + i);
    }
    if (lists->listed - lists->merged < BATCH) return lists->largest;
    while (lists->listed - lists->merged >= BATCH) {
        if (crowd->one_radius && !crowd->heed) {
            merge_full(lists, crowd);
        } else {
            merge_any(lists, crowd, BATCH);
        }
    }
    renew_worst(lists, crowd);
    return lists->largest;
}

// ---- the end

// The last short key of somebody of a common size who is so near that packed places tell how far.
static int32_t last_narrow(const throng_nearest_crowd *crowd) {
    const float distance = 0.999f * THRONG_NARROW - crowd->guard;
    const float measure = crowd->one_radius ? distance * distance : distance;
    int32_t bits;
    memcpy(&bits, &measure, sizeof bits);
    return bits & ~(int32_t)NUMBER;
}

// The octant of a direction, as a bit.
LANE_INLINE vint octant_bit(vfloat dx, vfloat dy) {
    const vmask left = vf_lt(dx, vf_zero()), below = vf_lt(dy, vf_zero());
    const vmask turned = vm_xor(left, below), steep = vf_lt(vf_abs(dx), vf_abs(dy));
    const vint within = vi_select(vm_xor(steep, turned), vi_splat(2), vi_splat(1));
    const vint half = vi_select(turned, vi_shl(within, 2), within);
    return vi_select(below, vi_shl(half, 4), half);
}

// The exact key and the tree position of what a slot of the lists of short keys holds; it adds its octant to theirs.
LANE_INLINE void settle_slot(throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                             const lane_seekers *seekers, int lane, int slot, int32_t narrow, vint *octants) {
    const vint found = vi_load(lists->nearest + slot * THRONG_LANES + lane);
    const vmask used = vi_lt(found, vi_splat(NOBODY));
    const vint number = vi_select(used, found & vi_splat(NUMBER), vi_splat(0));
    const vint position = vi_gather(lists->candidates, number);
    vmask far = vi_lt(vi_splat(narrow), found);
    if (!crowd->one_radius) far = vm_or(far, vf_gt(vf_gather(crowd->radius, position), vf_splat(crowd->lift)));
    vfloat dx, dy, square, radius;
    if (crowd->packed && !vm_any(vm_and(used, far))) {
        _Alignas(64) int32_t at[LANE_WIDTH];
        vfloat record[4];
        vi_store(at, position);
        vf_load_records((const float *)(const void *)crowd->packed, at, record);
        dx = vf_from_vi(vi_sub_wrapping(vi_from_vf_bits(record[0]), seekers->packed_x));
        dy = vf_from_vi(vi_sub_wrapping(vi_from_vf_bits(record[1]), seekers->packed_y));
        square = square_of_steps(dx, dy);
        radius = record[2];
    } else {
        const vint row = vi_gather((const int32_t *)crowd->order, position);
        dx = vf_from_vd(vd_sub(vd_gather(crowd->x, row), seekers->x));
        dy = vf_from_vd(vd_sub(vd_gather(crowd->y, row), seekers->y));
        square = vf_dot(dx, dy, dx, dy);
        radius = vf_gather(crowd->radius, position);
    }
    if (octants) *octants = *octants | octant_bit(dx, dy);
    const vfloat key = vf_sqrt(square) - radius;
    vf_store(lists->key + slot * THRONG_LANES + lane, vf_select(used, key, vf_splat(INFINITY)));
    vi_store(lists->position + slot * THRONG_LANES + lane, vi_select(used, position, vi_splat(-1)));
}

// Sorts the first slots of a lane by key and rank.
static void sort_slots(throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int lane, int slots) {
    for (int slot = 1; slot < slots; slot++) {
        const float key = lists->key[slot * THRONG_LANES + lane];
        const int32_t position = lists->position[slot * THRONG_LANES + lane];
        int to = slot;
        for (; to > 0 && position >= 0; to--) {
            const int before = (to - 1) * THRONG_LANES + lane;
            if (lists->key[before] < key) break;
            if (lists->key[before] == key && crowd->rank[lists->position[before]] < crowd->rank[position]) break;
            lists->key[before + THRONG_LANES] = lists->key[before];
            lists->position[before + THRONG_LANES] = lists->position[before];
        }
        lists->key[to * THRONG_LANES + lane] = key;
        lists->position[to * THRONG_LANES + lane] = position;
    }
}

// The short key of the first that a number of slots has no room for.
LANE_INLINE vint short_beyond(const throng_nearest_lists *lists, int lane, int slots) {
    return slots < SLOTS ? vi_load(lists->nearest + slots * THRONG_LANES + lane) : vi_load(lists->dropped + lane);
}

// Settles the first slots in the exact order. Returns the lanes that may lack somebody. `all` is a constant: slots are
// SLOTS.
LANE_INLINE vmask settle(throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int lane, int slots, int all) {
    const lane_seekers seekers = load_seekers(lists, lane);
    const int32_t narrow = last_narrow(crowd);
    vmask disordered = vm_none();
    vint octants = vi_splat(0);
    for (int slot = 0; slot < slots; slot++) {
        settle_slot(lists, crowd, &seekers, lane, slot, narrow, all ? &octants : 0);
        if (slot == 0) continue;
        const vfloat key = vf_load(lists->key + slot * THRONG_LANES + lane);
        const vmask late = vf_lt(vf_load(lists->key + (slot - 1) * THRONG_LANES + lane), key);
        disordered = vm_or(disordered, vm_andnot(vf_lt(key, vf_splat(INFINITY)), late));
    }
    for (uint32_t bits = vm_bits(disordered); bits; bits &= bits - 1) {
        sort_slots(lists, crowd, lane + (int)throng_lowest_bit(bits), slots);
    }
    if (all) vi_store(lists->octants + lane, octants);
    const vint next = short_beyond(lists, lane, slots);
    const vfloat beyond = least_key(lists, crowd, next);
    const vfloat range = vf_load(lists->range + lane), contact_range = vf_load(lists->contact_range + lane);
    const vint count = vi_load(lists->neighbors + lane);
    const vmask some = vi_lt(vi_splat(0), count);
    const vint last = vi_select(some, count - vi_splat(1), vi_splat(0));
    const vfloat last_key = vf_gather(lists->key, vi_shl(last, 4) + vi_iota() + vi_splat(lane));
    const vmask lacks_neighbor = vm_and(some, vf_le(beyond, vf_min(range, last_key)));
    vmask lacks_contact = vf_le(beyond, contact_range);
    if (all && vm_any(lacks_contact)) {
        // More contacts than slots: sure where all that was dropped comes after them, and is one.
        const vfloat end = vf_load(lists->key + (SLOTS - 1) * THRONG_LANES + lane);
        const vfloat most = greatest_key(lists, crowd, next);
        const vmask sure = vm_and(vf_lt(end, beyond), vf_le(most, contact_range));
        const vint position = vi_gather(lists->candidates, vi_select(sure, next & vi_splat(NUMBER), vi_splat(0)));
        vf_store(lists->key + SLOTS * THRONG_LANES + lane, vf_select(sure, most, vf_splat(INFINITY)));
        vi_store(lists->position + SLOTS * THRONG_LANES + lane, vi_select(sure, position, vi_splat(-1)));
        lacks_contact = vm_andnot(lacks_contact, sure);
    }
    return vm_or(lacks_neighbor, lacks_contact);
}

uint32_t LANE_ENTRY(throng_lane_nearest_end)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd) {
    if (lists->listed > CANDIDATES) return UINT32_MAX;
    if (lists->listed > lists->merged) merge_any(lists, crowd, lists->listed - lists->merged);
    int most = 0;
    for (int lane = 0; lane < THRONG_LANES; lane++) {
        if (lists->neighbors[lane] > most) most = lists->neighbors[lane];
    }
    uint32_t doubtful = 0;
    LANE_FOR(lane) {
        // Contacts beyond the neighbors need all slots; so do neighbors that short keys do not tell apart.
        const vfloat contact_range = vf_load(lists->contact_range + lane);
        vmask lacks = vf_le(least_key(lists, crowd, short_beyond(lists, lane, most)), contact_range);
        if (!vm_any(lacks)) lacks = settle(lists, crowd, lane, most, 0);
        if (vm_any(lacks)) {
            lacks = settle(lists, crowd, lane, SLOTS, 1);
            lists->octants_known |= ((1u << LANE_WIDTH) - 1) << lane;
        }
        doubtful |= vm_bits(lacks) << lane;
    }
    count_found(lists);
    return doubtful;
}
