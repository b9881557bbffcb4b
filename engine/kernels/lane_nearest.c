// The quick search: candidates are gathered in batches, sorted by a network and merged into the sorted lists without
// a branch. Equal keys come out in any order; nearest_end tells where that may matter, and the exact search decides.
#include "base/scalar.h"
#include "kernels/lane_candidates.h"

void LANE_ENTRY(throng_lane_nearest_begin)(throng_nearest_lists *lists);
float LANE_ENTRY(throng_lane_nearest_leaf)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                                           const throng_nearest_leaf *leaf);
uint32_t LANE_ENTRY(throng_lane_nearest_end)(throng_nearest_lists *lists);

enum { SLOTS = THRONG_NEAREST_SLOTS, BATCH = THRONG_NEAREST_BATCH };

void LANE_ENTRY(throng_lane_nearest_begin)(throng_nearest_lists *lists) {
    empty_lists(lists, THRONG_CONTACT_SLOTS);
    LANE_FOR(lane) lists->pending[lane] = 0;
}

typedef struct entries {
    vfloat key[SLOTS];
    vint position[SLOTS];
} entries;

// Puts the nearer of two entries first.
LANE_INLINE void compare(entries *e, int a, int b) {
    const vfloat first = e->key[a], second = e->key[b];
    const vmask swap = vf_lt(second, first);
    e->key[a] = vf_select(swap, second, first);
    e->key[b] = vf_select(swap, first, second);
    const vint kept = e->position[a];
    e->position[a] = vi_select(swap, e->position[b], kept);
    e->position[b] = vi_select(swap, kept, e->position[b]);
}

// Batcher's odd-even merge sort of eight (Knuth, "The Art of Computer Programming" 3, 5.3.4).
LANE_INLINE void sort_batch(entries *e) {
    compare(e, 0, 1), compare(e, 2, 3), compare(e, 4, 5), compare(e, 6, 7);
    compare(e, 0, 2), compare(e, 1, 3), compare(e, 4, 6), compare(e, 5, 7);
    compare(e, 1, 2), compare(e, 5, 6);
    compare(e, 0, 4), compare(e, 1, 5), compare(e, 2, 6), compare(e, 3, 7);
    compare(e, 2, 4), compare(e, 3, 5);
    compare(e, 1, 2), compare(e, 3, 4), compare(e, 5, 6);
}

// Sorts entries that first rise, then fall.
LANE_INLINE void sort_bitonic(entries *e) {
#pragma GCC unroll 4
    for (int half = SLOTS / 2; half > 0; half /= 2) {
#pragma GCC unroll 16
        for (int a = 0; a < SLOTS; a++) {
            if ((a & half) == 0) compare(e, a, a + half);
        }
    }
}

// The nearest SLOTS of list and batch: the batch, sorted and turned round, against the list's far end.
static void merge_batch(throng_nearest_lists *lists, int lane) {
    entries batch, list;
    const int pending = lists->pending[lane];
    for (int slot = pending; slot < BATCH; slot++) {
        vf_store(lists->batch_key + slot * THRONG_LANES + lane, vf_splat(INFINITY));
    }
#pragma GCC unroll 8
    for (int slot = 0; slot < BATCH; slot++) {
        batch.key[slot] = vf_load(lists->batch_key + slot * THRONG_LANES + lane);
        batch.position[slot] = vi_load(lists->batch_position + slot * THRONG_LANES + lane);
    }
    sort_batch(&batch);
#pragma GCC unroll 16
    for (int slot = 0; slot < SLOTS; slot++) {
        list.key[slot] = vf_load(lists->key + slot * THRONG_LANES + lane);
        list.position[slot] = vi_load(lists->position + slot * THRONG_LANES + lane);
    }
#pragma GCC unroll 8
    for (int slot = 0; slot < BATCH; slot++) {
        const int far = SLOTS - 1 - slot;
        const vmask nearer = vf_lt(batch.key[slot], list.key[far]);
        list.key[far] = vf_select(nearer, batch.key[slot], list.key[far]);
        list.position[far] = vi_select(nearer, batch.position[slot], list.position[far]);
    }
    sort_bitonic(&list);
#pragma GCC unroll 16
    for (int slot = 0; slot < SLOTS; slot++) {
        vf_store(lists->key + slot * THRONG_LANES + lane, list.key[slot]);
        vi_store(lists->position + slot * THRONG_LANES + lane, list.position[slot]);
    }
    lists->pending[lane] = 0;
}

float LANE_ENTRY(throng_lane_nearest_leaf)(throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                                           const throng_nearest_leaf *leaf) {
    float largest = -INFINITY;
    LANE_FOR(lane) {
        const lane_seekers seekers = load_seekers(lists, lane);
        vfloat worst = vf_load(lists->worst + lane);
        const vfloat limit = rejected_above(worst, leaf->radius, crowd->guard);
        if (leaf_is_far(&seekers, leaf, limit)) {
            const float here = vf_largest(worst);
            largest = here > largest ? here : largest;
            continue;
        }
        const int narrow = leaf_is_narrow(crowd, leaf, worst);
        // All candidates are told near or far first: a branch for each would be guessed wrong too often.
        vmask near[THRONG_LANES];
        uint32_t some = 0;
        for (uint32_t i = 0; i < leaf->count; i++) {
            near[i] = candidate_is_near(&seekers, crowd, leaf->first + i, limit);
            some |= (uint32_t)vm_any(near[i]) << i;
        }
        for (; some; some &= some - 1) {
            const uint32_t i = throng_lowest_bit(some), position = leaf->first + i;
            const int at = lists->pending[lane]++ * THRONG_LANES + lane;
            vf_store(lists->batch_key + at, narrow ? narrow_key(&seekers, crowd, position, near[i], worst)
                                                   : candidate_key(&seekers, crowd, position, worst));
            vi_store(lists->batch_position + at, vi_splat((int32_t)position));
            if (lists->pending[lane] < BATCH) continue;
            merge_batch(lists, lane);
            worst = worst_key(lists, lane, SLOTS);
        }
        vf_store(lists->worst + lane, worst);
        const float here = vf_largest(worst);
        largest = here > largest ? here : largest;
    }
    return largest;
}

// The lanes, a bit each, whose lists may not be what the order asks for: equal keys, or contacts that fill the list.
uint32_t LANE_ENTRY(throng_lane_nearest_end)(throng_nearest_lists *lists) {
    uint32_t doubtful = 0;
    LANE_FOR(lane) {
        if (lists->pending[lane]) merge_batch(lists, lane);
        const vint count = vi_load(lists->neighbors + lane);
        const vfloat range = vf_load(lists->range + lane), contact_range = vf_load(lists->contact_range + lane);
        vfloat before = vf_load(lists->key + lane);
        vmask doubt = vm_none();
        for (int slot = 1; slot < SLOTS; slot++) {
            const vfloat key = vf_load(lists->key + slot * THRONG_LANES + lane);
            const vmask as_neighbor = vm_and(vm_not(vi_lt(count, vi_splat(slot))), vf_le(key, range));
            const vmask used = vm_or(as_neighbor, vf_le(key, contact_range));
            doubt = vm_or(doubt, vm_and(vf_eq(key, before), used));
            before = key;
        }
        doubt = vm_or(doubt, vf_le(before, contact_range));
        doubtful |= vm_bits(doubt) << lane;
    }
    count_found(lists);
    return doubtful;
}
