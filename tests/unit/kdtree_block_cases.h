// Block queries of one kind of tree, on every instruction set that runs here, against single queries.
#include "../../spatial/src/lanes.h"

typedef KDT_BLOCK block_def;

kdt_result KDT_FUNCTION(tree, nearest_block_with)(const tree_def *tree, const block_def *block, uint32_t k,
                                                  hit_def *hits, uint32_t *found, lane_set set);

enum { MOST_HITS = 70 }; // more than lists of lanes hold

// What single queries find for each point of a block, MOST_HITS apart.
static void find_singly(const crowd *c, const block_def *block, hit_def *hits, uint32_t *found) {
    for (uint32_t i = 0; i < block->count; ++i) {
        real at[KDT_DIM];
        for (int d = 0; d < KDT_DIM; ++d) at[d] = block->coord[d][i];
        query_def query = KDT_FUNCTION(query, point)(at);
        query.range = block->range;
        query.mask = block->mask;
        if (block->skip != NULL) query.skip = block->skip[i];
        assert_int_equal(KDT_FUNCTION(tree, nearest)(&c->tree, &query, MOST_HITS, hits + MOST_HITS * i, &found[i]),
                         KDT_OK);
    }
}

static void check_block(const crowd *c, const block_def *block, const char *what) {
    static const uint32_t counts[] = {1, 10, 13, 14, 33, 61, MOST_HITS};
    size_t n = block->count;
    hit_def *right = malloc(n * MOST_HITS * sizeof(hit_def)), *hits = malloc(n * MOST_HITS * sizeof(hit_def));
    uint32_t *total = malloc(n * sizeof(uint32_t)), *found = malloc(n * sizeof(uint32_t));
    find_singly(c, block, right, total);
    for (int set = 0; set < LANE_SET_COUNT; ++set) {
        if (!lane_set_runs((lane_set)set)) continue;
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            uint32_t k = counts[i];
            kdt_result result = KDT_FUNCTION(tree, nearest_block_with)(&c->tree, block, k, hits, found, (lane_set)set);
            assert_int_equal(result, KDT_OK);
            for (uint32_t p = 0; p < block->count; ++p) {
                uint32_t expected = k < total[p] ? k : total[p];
                char where[160];
                snprintf(where, sizeof where, "%s, set %d, %u nearest of point %u", what, set, k, p);
                if (found[p] != expected) fail_msg("%s: found %u, should be %u", where, found[p], expected);
                expect_hits(hits + (size_t)k * p, right + (size_t)MOST_HITS * p, expected, where);
            }
        }
    }
    free(right);
    free(hits);
    free(total);
    free(found);
}

static void test_block_is_like_single_queries(void **state) {
    (void)state;
    random_state = 5;
    for (int kind = 0; kind < PATTERN_COUNT; ++kind) {
        for (int variant = 0; variant < 4; ++variant) {
            crowd c = new_crowd((pattern)kind, 203, variant == 3 ? 5 : 0, variant & 1, kind % 3 == 0, variant & 2);
            build_crowd(&c);
            block_def block = {.count = c.points.count, .range = (real)INFINITY, .mask = variant & 2 ? 7 : KDT_ALL};
            if (variant > 0) block.skip = c.tree.order;
            if (variant == 1) block.range = 3;
            if (variant == 3) block.range = kind % 2 == 0 ? (real)-0.05 : (real)0.5;
            for (int d = 0; d < KDT_DIM; ++d) block.coord[d] = c.tree.coord[d];
            char what[80];
            snprintf(what, sizeof what, "pattern %d, variant %d", kind, variant);
            check_block(&c, &block, what);
            free_crowd(&c);
        }
    }
}

// Points that are no neighbors of each other, far off, or beyond what squares hold; and trees of few points.
static void test_blocks_of_any_points(void **state) {
    (void)state;
    random_state = 10;
    static const uint32_t counts[] = {0, 1, 5, 16, 40, 1500};
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; ++n) {
        for (int variant = 0; variant < 4; ++variant) {
            crowd c = new_crowd(PATTERN_UNIFORM, counts[n], 0, variant == 1, true, false);
            real scale = variant == 2 ? KDT_LIMIT(MAX) / 256 : variant == 3 ? KDT_LIMIT(MIN) : 1;
            for (int d = 0; d < KDT_DIM; ++d)
                for (uint32_t i = 0; i < counts[n]; ++i) c.coord[d][i] *= scale;
            build_crowd(&c);
            real coord[KDT_DIM][37];
            block_def block = {.count = 37, .range = (real)INFINITY, .mask = KDT_ALL};
            for (int d = 0; d < KDT_DIM; ++d) {
                for (int i = 0; i < 37; ++i) coord[d][i] = (200 * random_unit() - 50) * scale;
                block.coord[d] = coord[d];
            }
            char what[80];
            snprintf(what, sizeof what, "%u points, variant %d", counts[n], variant);
            check_block(&c, &block, what);
            free_crowd(&c);
        }
    }
}
