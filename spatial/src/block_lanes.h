// The lanes of a block search: what is done for all its points at once. block.h includes this for each instruction set,
// with LANES_SET (the end of the functions' names) and LANES_TARGET (their attribute) defined. Loops over lanes have no
// branches and a fixed count, so that compilers make vectors of them.
#define LANES_FUNCTION(name) KDT_JOIN(name, LANES_SET)

// Puts the lesser key of each lane first.
LANES_TARGET static inline void LANES_FUNCTION(order)(int32_t *restrict first, int32_t *restrict second) {
    LANES_LOOP
    for (int lane = 0; lane < BLOCK_LANES; ++lane) {
        int32_t a = first[lane], b = second[lane];
        first[lane] = a < b ? a : b;
        second[lane] = a < b ? b : a;
    }
}

#define ORDER(a, b) LANES_FUNCTION(order)(row[a], row[b])

// Batcher's odd-even merge sort of eight (Knuth, "The Art of Computer Programming" 3, 5.3.4).
LANES_TARGET static inline void LANES_FUNCTION(sort_batch)(int32_t row[BLOCK_BATCH][BLOCK_LANES]) {
    ORDER(0, 1), ORDER(2, 3), ORDER(4, 5), ORDER(6, 7);
    ORDER(0, 2), ORDER(1, 3), ORDER(4, 6), ORDER(5, 7);
    ORDER(1, 2), ORDER(5, 6);
    ORDER(0, 4), ORDER(1, 5), ORDER(2, 6), ORDER(3, 7);
    ORDER(2, 4), ORDER(3, 5);
    ORDER(1, 2), ORDER(3, 4), ORDER(5, 6);
}

// Sorts 16 rows that first rise, then fall.
LANES_TARGET static inline void LANES_FUNCTION(sort_bitonic)(int32_t row[16][BLOCK_LANES]) {
    ORDER(0, 8), ORDER(1, 9), ORDER(2, 10), ORDER(3, 11), ORDER(4, 12), ORDER(5, 13), ORDER(6, 14), ORDER(7, 15);
    ORDER(0, 4), ORDER(1, 5), ORDER(2, 6), ORDER(3, 7), ORDER(8, 12), ORDER(9, 13), ORDER(10, 14), ORDER(11, 15);
    ORDER(0, 2), ORDER(1, 3), ORDER(4, 6), ORDER(5, 7), ORDER(8, 10), ORDER(9, 11), ORDER(12, 14), ORDER(13, 15);
    ORDER(0, 1), ORDER(2, 3), ORDER(4, 5), ORDER(6, 7), ORDER(8, 9), ORDER(10, 11), ORDER(12, 13), ORDER(14, 15);
}

#undef ORDER

// The keys of a candidate: its measure from each lane, with its number in place of the lowest bits.
LANES_TARGET static inline void LANES_FUNCTION(measure)(const block_search *s, uint32_t number, bool with_radius,
                                                        int32_t *key) {
    const kdt_tree *tree = s->tree;
    uint32_t position = s->candidate[number];
    float measure[BLOCK_LANES];
    real square[BLOCK_LANES] = {0};
    for (int d = 0; d < KDT_DIM; ++d) {
        real x = tree->coord[d][position];
        LANES_LOOP
        for (int lane = 0; lane < BLOCK_LANES; ++lane) {
            real side = x - s->at[d][lane];
            square[lane] += side * side;
        }
    }
    if (with_radius) {
        real less = s->largest - tree->radius[position];
        LANES_LOOP
        for (int lane = 0; lane < BLOCK_LANES; ++lane) square[lane] = square_root(square[lane]) + less;
    }
    LANES_LOOP
    for (int lane = 0; lane < BLOCK_LANES; ++lane) measure[lane] = (float)square[lane];
    memcpy(key, measure, sizeof measure);
    LANES_LOOP
    for (int lane = 0; lane < BLOCK_LANES; ++lane) key[lane] = (key[lane] & ~(int32_t)BLOCK_NUMBER) | (int32_t)number;
}

// Merges up to BLOCK_BATCH candidates into the lists. The batch, sorted and turned round, against the lists' far ends
// leaves the least of both, which rise, then fall.
LANES_TARGET static void LANES_FUNCTION(merge)(block_search *s, uint32_t count, bool with_radius) {
    int32_t batch[BLOCK_BATCH][BLOCK_LANES];
    for (uint32_t i = 0; i < count; ++i) LANES_FUNCTION(measure)(s, s->merged + i, with_radius, batch[i]);
    for (uint32_t i = count; i < BLOCK_BATCH; ++i) LANES_LOOP
    for (int lane = 0; lane < BLOCK_LANES; ++lane) batch[i][lane] = INT32_MAX;
    s->merged += count;
    LANES_FUNCTION(sort_batch)(batch);
    int32_t(*list)[BLOCK_LANES] = s->key, (*far)[BLOCK_LANES] = list + s->slots - BLOCK_BATCH;
    for (int i = 0; i < BLOCK_BATCH; ++i) LANES_LOOP
    for (int lane = 0; lane < BLOCK_LANES; ++lane) {
        int32_t a = far[i][lane], b = batch[BLOCK_BATCH - 1 - i][lane];
        far[i][lane] = a < b ? a : b;
    }
    for (uint32_t half = s->slots / 2; half >= 16; half /= 2)
        for (uint32_t i = 0; i < s->slots; ++i)
            if ((i & half) == 0) LANES_FUNCTION(order)(list[i], list[i + half]);
    for (uint32_t i = 0; i < s->slots; i += 16) LANES_FUNCTION(sort_bitonic)(list + i);
}

// Which of POINT_GROUP points from a position on come within `limit` of the box of the block: 1 or 0.
LANES_TARGET static inline void LANES_FUNCTION(test_group)(const block_search *s, uint32_t position, real limit,
                                                           bool with_radius, kdt_key *restrict near) {
    real measure[POINT_GROUP];
    LANES_LOOP
    for (int i = 0; i < POINT_GROUP; ++i) measure[i] = 0;
    for (int d = 0; d < KDT_DIM; ++d) {
        const real *x = s->tree->coord[d] + position;
        real lo = s->lo[d], hi = s->hi[d];
        LANES_LOOP
        for (int i = 0; i < POINT_GROUP; ++i) {
            // max(lo - x, x - hi, 0), exactly, as in walk_expand.
            real before = lo - x[i], after = x[i] - hi;
            real side = ((before + magnitude(before)) + (after + magnitude(after))) / 2;
            measure[i] += side * side;
        }
    }
    if (with_radius) {
        const real *radius = s->tree->radius + position;
        real largest = s->largest;
        LANES_LOOP
        for (int i = 0; i < POINT_GROUP; ++i) measure[i] = square_root(measure[i]) + (largest - radius[i]);
    }
    LANES_LOOP
    for (int i = 0; i < POINT_GROUP; ++i) near[i] = measure[i] <= limit;
}

// Lists the points of a leaf that come near enough, and merges full batches.
LANES_TARGET static inline void LANES_FUNCTION(take)(block_search *s, uint32_t leaf, real limit, bool with_radius) {
    const kdt_tree *tree = s->tree;
    uint32_t begin = leaf * tree->leaf_size, end = begin + tree->leaf_size, listed = s->listed;
    for (uint32_t group = begin; group < end; group += POINT_GROUP) {
        kdt_key near[POINT_GROUP];
        LANES_FUNCTION(test_group)(s, group, limit, with_radius, near);
        uint32_t count = end - group < POINT_GROUP ? end - group : POINT_GROUP;
        for (uint32_t i = 0; tree->bits != NULL && i < count; ++i)
            near[i] &= (kdt_key)((tree->bits[group + i] & s->mask) != 0);
        for (uint32_t i = 0; i < count; ++i) {
            s->candidate[listed] = group + i;
            listed += (uint32_t)near[i];
        }
    }
    s->listed = listed;
    while (s->listed - s->merged >= BLOCK_BATCH) LANES_FUNCTION(merge)(s, BLOCK_BATCH, with_radius);
}

// Takes a leaf; the greatest of the lanes' last wanted keys.
LANES_TARGET static int32_t LANES_FUNCTION(take_leaf)(block_search *s, uint32_t leaf, real limit) {
    if (s->tree->radius == NULL)
        LANES_FUNCTION(take)(s, leaf, limit, false);
    else
        LANES_FUNCTION(take)(s, leaf, limit, true);
    int32_t worst = 0;
    LANES_LOOP
    for (int lane = 0; lane < BLOCK_LANES; ++lane) {
        int32_t key = s->key[s->wanted - 1][lane];
        worst = key > worst ? key : worst;
    }
    return worst;
}

// Merges the last candidates, and finds the lanes where measures are equal or next to each other, so that their gaps
// may not rise.
LANES_TARGET static void LANES_FUNCTION(take_rest)(block_search *s) {
    if (s->listed > s->merged) LANES_FUNCTION(merge)(s, s->listed - s->merged, s->tree->radius != NULL);
    int32_t doubt[BLOCK_LANES] = {0};
    for (uint32_t i = 1; i < s->few; ++i) {
        const int32_t *before = s->key[i - 1], *key = s->key[i];
        LANES_LOOP
        for (int lane = 0; lane < BLOCK_LANES; ++lane)
            doubt[lane] |= (key[lane] & ~(int32_t)BLOCK_NUMBER) - (before[lane] | BLOCK_NUMBER) <= BLOCK_NUMBER;
    }
    memcpy(s->doubt, doubt, sizeof doubt);
}

#undef LANES_FUNCTION
