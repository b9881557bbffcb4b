// Queries of blocks of points: up to BLOCK_LANES of them walk together, each in a lane.
//
// The quick search keeps, for each lane, a sorted list of short keys: the measure of a candidate in float, whose lowest
// bits are replaced by the candidate's number. The measure is the squared distance, or distance + (largest radius of
// all - radius) where there are radii: what orders as the gap does, and is never negative, so that the bits of floats
// order as they do. The list has some slots more than are wanted: short keys can't tell the order of near equals, so
// whatever stands in the list is sorted by its exact gap at the end, and a lane whose last wanted gap does not lie
// clearly below all that the list has dropped is searched again, exactly.

enum {
    BLOCK_LANES = 16,           // points that walk together
    BLOCK_BATCH = 8,            // candidates that are merged together
    BLOCK_SPARE = 3,            // slots beside the wanted ones, at least
    BLOCK_FEW = 2,              // entries beside the wanted ones that are sorted at first
    BLOCK_ALONE = 4,            // hits from which on a single point is searched as a block
    BLOCK_SLOTS = 64,           // of the longest list; 16 times a power of two
    BLOCK_NUMBER = 1023,        // the bits of a candidate's number
    BLOCK_INFINITE = 0x7f800000 // the bits of an infinite float
};

// A search of a block under way.
typedef struct block_search {
    _Alignas(64) int32_t key[BLOCK_SLOTS][BLOCK_LANES];
    _Alignas(64) real at[KDT_DIM][BLOCK_LANES];
    int32_t doubt[BLOCK_LANES];    // not 0: the first `few` keys do not tell the order
    real lo[KDT_DIM], hi[KDT_DIM]; // the box of the points
    const kdt_tree *tree;
    real largest; // radius of all
    real limit;   // measures above it do not matter
    real range;
    uint32_t mask;
    uint32_t slots;  // of the lists
    uint32_t wanted; // slots whose last key bounds the search
    uint32_t few;    // of the slots, a multiple of 4: what mostly settles the order
    uint32_t listed; // candidates, and how many of them the lists have seen
    uint32_t merged;
    uint32_t candidate[BLOCK_NUMBER + 1]; // positions
} block_search;

#define LANES_SET base
#define LANES_TARGET
#include "block_lanes.h"
#undef LANES_SET
#undef LANES_TARGET

#if LANES_HAVE_X86
#define LANES_SET    avx2
#define LANES_TARGET LANES_AVX2
#include "block_lanes.h"
#undef LANES_SET
#undef LANES_TARGET
#define LANES_SET    avx512
#define LANES_TARGET LANES_AVX512
#include "block_lanes.h"
#undef LANES_SET
#undef LANES_TARGET
#endif

typedef struct lane_functions {
    int32_t (*take_leaf)(block_search *s, uint32_t leaf, real limit);
    void (*take_rest)(block_search *s);
} lane_functions;

static lane_functions functions_of(lane_set set) {
#if LANES_HAVE_X86
    if (set == LANE_SET_AVX512) return (lane_functions){take_leaf_avx512, take_rest_avx512};
    if (set == LANE_SET_AVX2) return (lane_functions){take_leaf_avx2, take_rest_avx2};
#endif
    (void)set;
    return (lane_functions){take_leaf_base, take_rest_base};
}

static inline real real_of_key(int32_t key) {
    if (key >= BLOCK_INFINITE) return KDT_INF;
    float value;
    memcpy(&value, &key, sizeof value);
    return (real)value;
}

// A measure above which gaps are greater than that of any measure with this key: the next float after all that the key
// stands for, and room for gaps that rounding makes equal.
static inline real most_of_key(const block_search *s, int32_t key) {
    if (key >= BLOCK_INFINITE - BLOCK_NUMBER - 1) return KDT_INF;
    real most = real_of_key((key | BLOCK_NUMBER) + 1);
    return most + 2 * KDT_GUARD * (most + s->largest);
}

// Every measure with this key or one after it is greater, if this is >= 0.
static inline real least_of_key(int32_t key) {
    if (key >= BLOCK_INFINITE) key = BLOCK_INFINITE - 1;
    key &= ~(int32_t)BLOCK_NUMBER;
    return key > BLOCK_NUMBER ? real_of_key(key - BLOCK_NUMBER - 1) : -1;
}

// The greatest measure of a gap, and the greatest gap of a measure, with room for rounding.
static inline real measure_of_gap(const block_search *s, real gap) {
    if (s->tree->radius == NULL) return gap * gap * (1 + 2 * KDT_GUARD) + WALK_TINY * WALK_TINY;
    return gap + s->largest + KDT_GUARD * (magnitude(gap) + s->largest) + WALK_TINY;
}

static inline real gap_of_measure(const block_search *s, real measure) {
    if (s->tree->radius == NULL) return square_root(measure) * (1 + KDT_GUARD) + WALK_TINY;
    return measure - s->largest + KDT_GUARD * (measure + s->largest) + WALK_TINY;
}

static void begin_block(block_search *s, const kdt_tree *tree, const kdt_block *block, uint32_t begin, uint32_t lanes) {
    s->tree = tree;
    s->mask = block->mask;
    s->range = block->range;
    s->largest = tree->radius != NULL ? tree->nodes[1].radius : 0;
    s->limit = measure_of_gap(s, block->range);
    s->listed = s->merged = 0;
    for (int d = 0; d < KDT_DIM; ++d) {
        const real *x = block->coord[d] + begin;
        s->lo[d] = s->hi[d] = x[0];
        for (uint32_t i = 0; i < BLOCK_LANES; ++i) {
            s->at[d][i] = x[i < lanes ? i : 0];
            s->lo[d] = smaller(s->lo[d], s->at[d][i]);
            s->hi[d] = larger(s->hi[d], s->at[d][i]);
        }
    }
    for (uint32_t i = 0; i < s->slots; ++i)
        for (uint32_t lane = 0; lane < BLOCK_LANES; ++lane) s->key[i][lane] = INT32_MAX;
}

// False in a heap, which only ranks can end: where all lanes have what they want at no distance, or candidates are too
// many.
static bool fill_lists(block_search *s, lane_functions functions) {
    real limit = s->limit;
    uint32_t leaf;
    kdt_walk walk;
    KDT_FUNCTION(walk, begin)(&walk, s->tree, s->lo, s->hi, 0, 0, s->mask);
    while (KDT_FUNCTION(walk, next)(&walk, gap_of_measure(s, limit), UINT32_MAX, &leaf)) {
        if (s->listed + s->tree->leaf_size > BLOCK_NUMBER) return false;
        int32_t worst = functions.take_leaf(s, leaf, limit);
        if (worst <= BLOCK_NUMBER) return false;
        limit = smaller(s->limit, most_of_key(s, worst));
    }
    functions.take_rest(s);
    return true;
}

// Entries of a lane's list with their exact gaps, in order.
typedef struct lane_hits {
    uint32_t count;
    real gap[BLOCK_SLOTS];
    uint32_t position[BLOCK_SLOTS];
} lane_hits;

static kdt_hit hit_at(const kdt_tree *tree, const lane_hits *list, uint32_t i) {
    uint32_t position = list->position[i], row = tree->order[position];
    return (kdt_hit){.gap = list->gap[i], .rank = tree->rank != NULL ? tree->rank[position] : row, .row = row};
}

static void sort_lane_hits(const kdt_tree *tree, lane_hits *list) {
    for (uint32_t i = 1; i < list->count; ++i) {
        if (list->gap[i - 1] < list->gap[i]) continue;
        kdt_hit hit = hit_at(tree, list, i), before;
        uint32_t position = list->position[i], hole = i;
        for (; hole > 0 && (before = hit_at(tree, list, hole - 1), hit_before(&hit, &before)); --hole) {
            list->gap[hole] = list->gap[hole - 1];
            list->position[hole] = list->position[hole - 1];
        }
        list->gap[hole] = hit.gap;
        list->position[hole] = position;
    }
}

// The first entries of a lane's list, a multiple of 4.
static void measure_entries(const block_search *s, uint32_t lane, uint32_t entries, lane_hits *list) {
    const kdt_tree *tree = s->tree;
    for (uint32_t first = 0; first < entries; first += 4) {
        const int32_t *key = &s->key[first][lane];
        uint32_t *position = list->position + first;
        real square[4] = {0, 0, 0, 0}, *gap = list->gap + first;
        for (int i = 0; i < 4; ++i) position[i] = s->candidate[key[BLOCK_LANES * i] & BLOCK_NUMBER];
        for (int d = 0; d < KDT_DIM; ++d) {
            const real *x = tree->coord[d];
            real at = s->at[d][lane];
            for (int i = 0; i < 4; ++i) {
                real side = x[position[i]] - at;
                square[i] += side * side;
            }
        }
        for (int i = 0; i < 4; ++i) gap[i] = square_root(square[i]);
        if (tree->radius != NULL)
            for (int i = 0; i < 4; ++i) gap[i] -= tree->radius[position[i]];
    }
    list->count = s->listed < entries ? s->listed : entries;
    if (entries > s->few || s->doubt[lane] != 0 || tree->radius != NULL) sort_lane_hits(tree, list);
}

// The hits of a lane from so many entries of its list; false where something that is not among them may belong to them.
static bool finish_lane(const block_search *s, uint32_t lane, uint32_t entries, uint32_t skip, uint32_t k,
                        kdt_hit *hits, uint32_t *found) {
    lane_hits list;
    measure_entries(s, lane, entries, &list);
    const uint32_t *order = s->tree->order, *rank = s->tree->rank;
    uint32_t count = list.count, kept = 0;
    if (skip == KDT_NONE) {
        while (count > 0 && !(list.gap[count - 1] <= s->range)) --count;
        kept = count < k ? count : k;
        for (uint32_t i = 0; i < kept; ++i) {
            uint32_t position = list.position[i], row = order[position];
            hits[i] = (kdt_hit){.gap = list.gap[i], .rank = rank != NULL ? rank[position] : row, .row = row};
        }
    } else {
        for (uint32_t i = 0; i < count && kept < k && list.gap[i] <= s->range; ++i) {
            kdt_hit hit = hit_at(s->tree, &list, i);
            if (hit.row != skip) hits[kept++] = hit;
        }
    }
    *found = kept;
    if (s->listed <= entries) return true;
    uint32_t first_left = entries < s->slots ? entries : s->slots - 1;
    return measure_of_gap(s, kept < k ? s->range : hits[k - 1].gap) <= least_of_key(s->key[first_left][lane]);
}

// The exact search of some points of a block, at most BLOCK_LANES: the walk is around their box, with the last of all
// their last hits.
static void search_lanes_exactly(const kdt_tree *tree, const kdt_block *block, uint32_t begin, uint32_t lanes,
                                 uint32_t k, kdt_hit *hits, uint32_t *found) {
    kdt_query query[BLOCK_LANES];
    search lane[BLOCK_LANES];
    real lo[KDT_DIM], hi[KDT_DIM];
    for (int d = 0; d < KDT_DIM; ++d) lo[d] = hi[d] = block->coord[d][begin];
    for (uint32_t i = 0; i < lanes; ++i) {
        query[i] = (kdt_query){.range = block->range, .mask = block->mask};
        query[i].skip = block->skip != NULL ? block->skip[begin + i] : KDT_NONE;
        for (int d = 0; d < KDT_DIM; ++d) {
            real x = block->coord[d][begin + i];
            query[i].lo[d] = query[i].hi[d] = x;
            lo[d] = smaller(lo[d], x);
            hi[d] = larger(hi[d], x);
        }
        begin_search(&lane[i], tree, &query[i], k, hits + (size_t)i * k, false);
    }
    real bound = block->range;
    uint32_t rank = UINT32_MAX, leaf;
    kdt_walk walk;
    KDT_FUNCTION(walk, begin)(&walk, tree, lo, hi, 0, 0, block->mask);
    while (KDT_FUNCTION(walk, next)(&walk, bound, rank, &leaf)) {
        kdt_hit last = {.gap = -KDT_INF};
        bool full = true;
        for (uint32_t i = 0; i < lanes; ++i) {
            test_leaf(&lane[i], leaf);
            full = full && lane[i].list.count == k;
            if (lane[i].list.count < k) continue;
            kdt_hit own_last = last_hit(&lane[i].list);
            if (hit_before(&last, &own_last)) last = own_last;
        }
        if (!full) continue;
        bound = last.gap;
        rank = last.rank;
    }
    for (uint32_t i = 0; i < lanes; ++i) found[i] = finish_hits(&lane[i].list);
}

// Some points of a block, at most BLOCK_LANES.
static void search_lanes(block_search *s, lane_functions functions, const kdt_tree *tree, const kdt_block *block,
                         uint32_t begin, uint32_t lanes, uint32_t k, kdt_hit *hits, uint32_t *found) {
    bool quick =
        k < BLOCK_SLOTS - BLOCK_SPARE && block->range + (tree->radius != NULL ? tree->nodes[1].radius : 0) >= 0;
    if (quick) {
        begin_block(s, tree, block, begin, lanes);
        quick = fill_lists(s, functions);
    }
    if (!quick) {
        search_lanes_exactly(tree, block, begin, lanes, k, hits, found);
        return;
    }
    for (uint32_t i = 0; i < lanes; ++i) {
        uint32_t skip = block->skip != NULL ? block->skip[begin + i] : KDT_NONE;
        kdt_hit *own = hits + (size_t)i * k;
        if (finish_lane(s, i, s->few, skip, k, own, &found[i]) || finish_lane(s, i, s->slots, skip, k, own, &found[i]))
            continue;
        search_lanes_exactly(tree, block, begin + i, 1, k, own, &found[i]);
    }
}

// With a set of one's own choice, for tests. The set must run here.
kdt_result KDT_FUNCTION(tree, nearest_block_with)(const kdt_tree *tree, const kdt_block *block, uint32_t k,
                                                  kdt_hit *hits, uint32_t *found, lane_set set);

kdt_result KDT_FUNCTION(tree, nearest_block_with)(const kdt_tree *tree, const kdt_block *block, uint32_t k,
                                                  kdt_hit *hits, uint32_t *found, lane_set set) {
    if (tree == NULL || block == NULL || found == NULL || (hits == NULL && k > 0)) return KDT_ERROR_ARGUMENT;
    bool valid = block->range == block->range;
    for (int d = 0; d < KDT_DIM; ++d) {
        if (block->count > 0 && block->coord[d] == NULL) return KDT_ERROR_ARGUMENT;
        for (uint32_t i = 0; i < block->count; ++i) valid = valid && is_finite(block->coord[d][i]);
    }
    if (!valid) return KDT_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < block->count; ++i) found[i] = 0;
    if (k == 0 || block->mask == 0) return KDT_OK;
    block_search s;
    s.wanted = k + (block->skip != NULL); // what is skipped takes a slot
    s.slots = 16;
    while (s.slots < BLOCK_SLOTS && s.slots < s.wanted + BLOCK_SPARE) s.slots *= 2;
    s.few = (s.wanted + BLOCK_FEW + 3) / 4 * 4;
    s.few = s.few < s.slots ? s.few : s.slots;
    s.candidate[BLOCK_NUMBER] = 0; // of empty entries
    lane_functions functions = functions_of(set);
    for (uint32_t begin = 0; begin < block->count; begin += BLOCK_LANES) {
        uint32_t lanes = block->count - begin < BLOCK_LANES ? block->count - begin : BLOCK_LANES;
        search_lanes(&s, functions, tree, block, begin, lanes, k, hits + (size_t)begin * k, found + begin);
    }
    return KDT_OK;
}

kdt_result KDT_FUNCTION(tree, nearest_block)(const kdt_tree *tree, const kdt_block *block, uint32_t k, kdt_hit *hits,
                                             uint32_t *found) {
    return KDT_FUNCTION(tree, nearest_block_with)(tree, block, k, hits, found, best_lane_set());
}

kdt_result KDT_FUNCTION(tree, nearest)(const kdt_tree *tree, const kdt_query *query, uint32_t k, kdt_hit *hits,
                                       uint32_t *found) {
    if (!arguments_are_valid(tree, query, k, hits, found)) return KDT_ERROR_ARGUMENT;
    search s;
    begin_search(&s, tree, query, k, hits, false);
    // Alone in its block a point leaves lanes idle, and still is found sooner than by insertion of one hit at a time.
    if (s.from_point && k >= BLOCK_ALONE && k < BLOCK_SLOTS - BLOCK_SPARE) {
        kdt_block block = {.count = 1, .range = query->range, .mask = query->mask};
        if (query->skip != KDT_NONE) block.skip = &query->skip;
        for (int d = 0; d < KDT_DIM; ++d) block.coord[d] = &query->lo[d];
        return KDT_FUNCTION(tree, nearest_block)(tree, &block, k, hits, found);
    }
    if (k > 0) run_search(&s);
    *found = finish_hits(&s.list);
    return KDT_OK;
}
