// Tests of libkdtree for one kind of tree: each test_kdtree_*.c defines KDT_SUFFIX, KDT_DIM and KDT_REAL and includes
// this. The oracle is brute force over all points, sorted by (gap, rank, row).
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <pthread.h>

#include "kdtree_crowd.h"

#include "kdtree_block_cases.h"
#include "kdtree_kept_cases.h"

static void check_shape(const crowd *c) {
    const tree_def *tree = &c->tree;
    uint32_t count = c->points.count, size = tree->leaf_size;
    assert_int_equal(tree->leaf_count, (count + size - 1) / size);
    uint32_t depth = 0;
    while (tree->first_leaf >> depth > 1) ++depth;
    if (count > 1 && depth > 2 * log2(count) + 8) fail_msg("depth %u for %u points", depth, count);
    unsigned char *seen = calloc(count + 1, 1);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(tree->order[i] < count);
        if (seen[tree->order[i]]++) fail_msg("row %u is there twice", tree->order[i]);
        for (int d = 0; d < KDT_DIM; ++d) assert_true(tree->coord[d][i] == c->coord[d][tree->order[i]]);
    }
    free(seen);
    for (uint32_t i = count; i < tree->leaf_count * size; ++i)
        for (int d = 0; d < KDT_DIM; ++d) assert_true(isnan(tree->coord[d][i]));
    // Every node holds exactly the extremes of its positions.
    for (uint32_t h = 1; h < 2 * tree->first_leaf; ++h) {
        uint32_t level = depth;
        for (uint32_t k = h; k > 1; k /= 2) --level;
        uint64_t begin = (((uint64_t)h << level) - tree->first_leaf) * size, end = begin + ((uint64_t)size << level);
        if (begin >= count) continue;
        if (end > count) end = count;
        node_def right = {.rank = UINT32_MAX};
        for (uint64_t i = begin; i < end; ++i) {
            uint32_t row = tree->order[i], rank = c->rank != NULL ? c->rank[row] : row;
            for (int d = 0; d < KDT_DIM; ++d) {
                real x = c->coord[d][row];
                if (i == begin || x < right.lo[d]) right.lo[d] = x;
                if (i == begin || x > right.hi[d]) right.hi[d] = x;
            }
            if (c->radius != NULL && c->radius[row] > right.radius) right.radius = c->radius[row];
            if (rank < right.rank) right.rank = rank;
            right.bits |= c->bits != NULL ? c->bits[row] : KDT_ALL;
        }
        const node_def *node = &tree->nodes[h];
        for (int d = 0; d < KDT_DIM; ++d)
            if (node->lo[d] != right.lo[d] || node->hi[d] != right.hi[d])
                fail_msg("node %u of %u points: side %d is %g..%g, should be %g..%g", h, count, d, (double)node->lo[d],
                         (double)node->hi[d], (double)right.lo[d], (double)right.hi[d]);
        assert_true(node->radius == right.radius);
        assert_int_equal(node->rank, right.rank);
        assert_int_equal(node->bits, right.bits);
    }
}

static void test_queries_against_brute_force(void **state) {
    (void)state;
    static const uint32_t counts[] = {1, 2, 15, 16, 17, 33, 100, 600, 1700};
    static const uint32_t sizes[] = {0, 1, 3, 16, 32};
    random_state = 1;
    for (int kind = 0; kind < PATTERN_COUNT; ++kind) {
        for (size_t n = 0; n < sizeof counts / sizeof counts[0]; ++n) {
            for (uint32_t variant = 0; variant < 5; ++variant) {
                crowd c = new_crowd((pattern)kind, counts[n], sizes[variant], variant & 1, variant & 2, variant & 4);
                if (variant > 0) shuffle(c.order, counts[n]);
                build_crowd(&c);
                char what[80];
                snprintf(what, sizeof what, "pattern %d, %u points, variant %u", kind, counts[n], variant);
                check_shape(&c);
                check_queries(&c, 30, what);
                free_crowd(&c);
            }
        }
    }
}

// Large enough for bands, scatter and several subtrees.
static void test_large_builds(void **state) {
    (void)state;
    random_state = 2;
    for (int kind = 0; kind < PATTERN_COUNT; ++kind) {
        crowd c = new_crowd((pattern)kind, 20011, kind % 2 == 0 ? 16 : 4, kind % 3 == 0, true, kind % 2 == 1);
        for (int round = 0; round < 4; ++round) {
            if (round == 1) shuffle(c.order, c.points.count);
            if (round == 2)
                for (uint32_t i = 0; i < c.points.count; ++i)
                    c.coord[0][i] += random_unit() / 4; // everybody moves a little
            if (round == 3)
                for (uint32_t i = 0; i < c.points.count; i += 500) c.coord[1][i] += 1000; // a few far away
            build_crowd(&c);
            char what[80];
            snprintf(what, sizeof what, "pattern %d, round %d", kind, round);
            check_shape(&c);
            check_queries(&c, 2, what);
        }
        free_crowd(&c);
    }
}

static void run_in_parts(crowd *c, uint32_t parts, bool backwards) {
    build_def build;
    assert_int_equal(KDT_FUNCTION(build, begin)(&build, &c->points, c->memory, c->scratch), KDT_OK);
    for (uint32_t tasks; (tasks = KDT_FUNCTION(build, next)(&build)) > 0;) {
        for (uint32_t p = 0; p < parts; ++p) {
            uint32_t part = backwards ? parts - 1 - p : p;
            for (uint32_t task = part; task < tasks; task += parts) KDT_FUNCTION(build, run)(&build, task);
        }
    }
    assert_int_equal(KDT_FUNCTION(build, end)(&build, &c->tree, NULL), KDT_OK);
}

static void test_same_tree_for_any_parts(void **state) {
    (void)state;
    static const uint32_t parts[] = {1, 2, 3, 7, 64};
    random_state = 3;
    crowd c = new_crowd(PATTERN_UNIFORM, 30011, 0, true, true, true);
    shuffle(c.order, c.points.count);
    size_t nodes = 0, orders = c.points.count * sizeof(uint32_t);
    uint32_t *start = malloc(orders), *order = malloc(orders);
    memcpy(start, c.order, orders);
    node_def *first = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        memcpy(c.order, start, orders);
        run_in_parts(&c, parts[i], i % 2 == 1);
        if (first == NULL) {
            nodes = (c.tree.first_leaf + c.tree.leaf_count) * sizeof(node_def);
            first = malloc(nodes);
            memcpy(first, c.tree.nodes, nodes);
            memcpy(order, c.order, orders);
        }
        for (uint32_t k = 0; k < c.tree.leaf_count; ++k)
            assert_memory_equal(&c.tree.nodes[c.tree.first_leaf + k], &first[c.tree.first_leaf + k], sizeof(node_def));
        assert_memory_equal(c.order, order, orders);
    }
    free(first);
    free(start);
    free(order);
    free_crowd(&c);
}

typedef struct part {
    build_def *build;
    uint32_t first, stride, tasks;
} part;

static void *run_part(void *argument) {
    const part *p = argument;
    for (uint32_t task = p->first; task < p->tasks; task += p->stride) KDT_FUNCTION(build, run)(p->build, task);
    return NULL;
}

// Under the thread sanitizer this also shows that tasks of a phase share nothing.
static void test_threads_build_the_same_tree(void **state) {
    (void)state;
    enum { THREADS = 3 };
    random_state = 9;
    crowd c = new_crowd(PATTERN_UNIFORM, 20000, 4, true, true, true);
    for (int round = 0; round < 3; ++round) { // in no order, in order, after a small move
        uint32_t *start = malloc(c.points.count * sizeof(uint32_t)), *order = malloc(c.points.count * sizeof(uint32_t));
        for (uint32_t i = 0; round == 2 && i < c.points.count; ++i) c.coord[1][i] += random_unit() / 8;
        memcpy(start, c.order, c.points.count * sizeof(uint32_t));
        run_in_parts(&c, 1, false);
        memcpy(order, c.order, c.points.count * sizeof(uint32_t));
        memcpy(c.order, start, c.points.count * sizeof(uint32_t));
        build_def build;
        assert_int_equal(KDT_FUNCTION(build, begin)(&build, &c.points, c.memory, c.scratch), KDT_OK);
        for (uint32_t tasks; (tasks = KDT_FUNCTION(build, next)(&build)) > 0;) {
            pthread_t threads[THREADS];
            part parts[THREADS];
            for (uint32_t i = 0; i < THREADS; ++i) {
                parts[i] = (part){.build = &build, .first = i, .stride = THREADS, .tasks = tasks};
                int error = pthread_create(&threads[i], NULL, run_part, &parts[i]);
                assert_int_equal(error, 0);
            }
            for (uint32_t i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
        }
        assert_int_equal(KDT_FUNCTION(build, end)(&build, &c.tree, NULL), KDT_OK);
        assert_memory_equal(c.order, order, c.points.count * sizeof(uint32_t));
        check_shape(&c);
        free(start);
        free(order);
    }
    free_crowd(&c);
}

// What a query finds must not depend on the order that the tree was built from.
static void test_previous_order_is_invisible(void **state) {
    (void)state;
    random_state = 4;
    for (int kind = 0; kind < PATTERN_COUNT; ++kind) {
        crowd c = new_crowd((pattern)kind, 5000, 0, false, true, false);
        hit_def hits[50][12], again[12];
        query_def queries[50];
        uint32_t found[50], count;
        for (int q = 0; q < 50; ++q) queries[q] = random_query(&c);
        for (int round = 0; round < 4; ++round) {
            if (round == 2)
                for (uint32_t i = 0; i < 5000; ++i) c.order[i] = 4999 - i;
            if (round == 3) shuffle(c.order, 5000);
            build_crowd(&c);
            for (int q = 0; q < 50; ++q) {
                KDT_FUNCTION(tree, nearest)(&c.tree, &queries[q], 12, round == 0 ? hits[q] : again, &count);
                if (round == 0) found[q] = count;
                assert_int_equal(count, found[q]);
                if (round > 0) expect_hits(again, hits[q], count, "from another order");
            }
        }
        free_crowd(&c);
    }
}

// The walk alone, as the engine uses it: blocks with a radius of their own and coordinates off by up to a slack.
static void test_walk_misses_nothing(void **state) {
    (void)state;
    random_state = 6;
    for (int kind = 0; kind < PATTERN_COUNT; ++kind) {
        crowd c = new_crowd((pattern)kind, 3000, 0, kind % 2 == 0, true, false);
        build_crowd(&c);
        unsigned char *given = malloc(c.tree.leaf_count);
        for (uint32_t round = 0; round < 40; ++round) {
            uint32_t tile = random_bits() % c.tree.leaf_count, leaf;
            const node_def *box = &c.tree.nodes[c.tree.first_leaf + tile];
            real own = (real)(round % 3) / 4, slack = round % 2 == 0 ? 0 : (real)0.001,
                 bound = (real)(round % 5) - (real)0.5;
            memset(given, 0, c.tree.leaf_count);
            KDT_WALK walk;
            KDT_FUNCTION(walk, begin)(&walk, &c.tree, box->lo, box->hi, own, slack, KDT_ALL);
            while (KDT_FUNCTION(walk, next)(&walk, bound, UINT32_MAX, &leaf)) {
                assert_true(leaf < c.tree.leaf_count);
                if (given[leaf]++) fail_msg("leaf %u given twice", leaf);
            }
            KDT_FUNCTION(walk, begin)(&walk, &c.tree, box->lo, box->hi, own, slack, KDT_ALL);
            assert_false(KDT_FUNCTION(walk, next)(&walk, (real)-INFINITY, UINT32_MAX, &leaf));
            for (uint32_t i = 0; i < c.points.count; ++i) {
                double square = 0;
                for (int d = 0; d < KDT_DIM; ++d) {
                    double x = (double)c.tree.coord[d][i], side = fmax(fmax(box->lo[d] - x, x - box->hi[d]), 0);
                    square += side * side;
                }
                double distance = fmax(sqrt(square) - (double)slack, 0);
                double gap = distance - ((double)own + (c.radius != NULL ? (double)c.tree.radius[i] : 0));
                if (gap <= (double)bound && !given[i / c.tree.leaf_size])
                    fail_msg("pattern %d: the leaf of position %u at gap %.9g <= %g is missing", kind, i, gap,
                             (double)bound);
            }
        }
        free(given);
        free_crowd(&c);
    }
}

// A query at a heap of coincident points looks at a few leaves only: the others come later by rank.
static void test_coincident_points_stop_early(void **state) {
    (void)state;
    random_state = 7;
    uint32_t count = 100000, leaves = 0, leaf, rank = UINT32_MAX;
    crowd c = new_crowd(PATTERN_COINCIDENT, count, 0, false, true, false);
    build_crowd(&c);
    uint32_t best[10], kept = 0;
    KDT_WALK walk;
    real bound = 5;
    KDT_FUNCTION(walk, begin)(&walk, &c.tree, c.tree.nodes[1].lo, c.tree.nodes[1].hi, 0, 0, KDT_ALL);
    while (KDT_FUNCTION(walk, next)(&walk, bound, rank, &leaf)) {
        ++leaves;
        for (uint32_t i = leaf * 16; i < leaf * 16 + 16 && i < count; ++i) {
            uint32_t j = kept < 10 ? kept++ : 10;
            for (; j > 0 && best[j - 1] > c.tree.rank[i]; --j)
                if (j < 10) best[j] = best[j - 1];
            if (j < 10) best[j] = c.tree.rank[i];
        }
        if (kept == 10) {
            bound = 0;
            rank = best[9];
        }
    }
    for (uint32_t i = 0; i < 10; ++i) assert_int_equal(best[i], 3 * i + 5);
    if (leaves > 300) fail_msg("%u of %u leaves looked at", leaves, c.tree.leaf_count);
    free_crowd(&c);
}

static void test_errors_leave_the_order(void **state) {
    (void)state;
    random_state = 8;
    crowd c = new_crowd(PATTERN_UNIFORM, 9000, 0, true, false, false);
    shuffle(c.order, 9000);
    uint32_t *before = malloc(9000 * sizeof(uint32_t)), bad = 0;
    memcpy(before, c.order, 9000 * sizeof(uint32_t));
    static const double values[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        real kept = c.coord[KDT_DIM - 1][4321], later = c.coord[0][8000];
        c.coord[KDT_DIM - 1][4321] = c.coord[0][8000] = (real)values[i];
        kdt_result result = KDT_FUNCTION(tree, build)(&c.tree, &c.points, c.memory, c.scratch, &bad);
        assert_int_equal(result, KDT_ERROR_NOT_FINITE);
        assert_int_equal(bad, 4321);
        assert_int_equal(c.tree.count, 0);
        c.coord[KDT_DIM - 1][4321] = kept;
        c.coord[0][8000] = later;
    }
    static const double radii[] = {NAN, INFINITY, -1};
    for (int i = 0; i < 3; ++i) {
        real kept = c.radius[77];
        c.radius[77] = (real)radii[i];
        assert_int_equal(KDT_FUNCTION(tree, build)(&c.tree, &c.points, c.memory, c.scratch, &bad),
                         KDT_ERROR_NOT_FINITE);
        assert_int_equal(bad, 77);
        c.radius[77] = kept;
    }
    assert_memory_equal(c.order, before, 9000 * sizeof(uint32_t));
    c.order[5000] = 9000;
    assert_int_equal(KDT_FUNCTION(tree, build)(&c.tree, &c.points, c.memory, c.scratch, &bad), KDT_ERROR_ORDER);
    assert_int_equal(bad, 5000);
    c.order[5000] = before[5000];
    build_crowd(&c);

    points_def points = c.points;
    points.count = KDT_MAX_COUNT + 1;
    assert_int_equal(KDT_FUNCTION(tree, memory)(&points), 0);
    assert_int_equal(KDT_FUNCTION(tree, build)(&c.tree, &points, c.memory, c.scratch, NULL), KDT_ERROR_ARGUMENT);
    points = c.points;
    points.leaf_size = KDT_MAX_LEAF_SIZE + 1;
    assert_int_equal(KDT_FUNCTION(tree, build)(&c.tree, &points, c.memory, c.scratch, NULL), KDT_ERROR_ARGUMENT);
    points = c.points;
    points.order = NULL;
    assert_int_equal(KDT_FUNCTION(tree, build)(&c.tree, &points, c.memory, c.scratch, NULL), KDT_ERROR_ARGUMENT);
    points = c.points;
    points.coord[1] = NULL;
    assert_int_equal(KDT_FUNCTION(tree, build)(&c.tree, &points, c.memory, c.scratch, NULL), KDT_ERROR_ARGUMENT);
    assert_int_equal(KDT_FUNCTION(tree, build)(&c.tree, &c.points, NULL, c.scratch, NULL), KDT_ERROR_ARGUMENT);

    build_crowd(&c);
    real at[KDT_DIM] = {0};
    query_def query = KDT_FUNCTION(query, point)(at);
    hit_def hit;
    query.lo[0] = (real)NAN;
    assert_int_equal(KDT_FUNCTION(tree, nearest)(&c.tree, &query, 1, &hit, &bad), KDT_ERROR_ARGUMENT);
    query = KDT_FUNCTION(query, point)(at);
    query.hi[1] = -1;
    assert_int_equal(KDT_FUNCTION(tree, within)(&c.tree, &query, 1, &hit, &bad), KDT_ERROR_ARGUMENT);
    query = KDT_FUNCTION(query, point)(at);
    query.range = (real)NAN;
    assert_int_equal(KDT_FUNCTION(tree, nearest)(&c.tree, &query, 1, &hit, &bad), KDT_ERROR_ARGUMENT);
    free(before);
    free_crowd(&c);
}

static void test_no_points(void **state) {
    (void)state;
    crowd c = new_crowd(PATTERN_UNIFORM, 0, 0, false, false, false);
    build_crowd(&c);
    real at[KDT_DIM] = {0};
    query_def query = KDT_FUNCTION(query, point)(at);
    hit_def hit;
    uint32_t found = 1;
    assert_int_equal(KDT_FUNCTION(tree, nearest)(&c.tree, &query, 1, &hit, &found), KDT_OK);
    assert_int_equal(found, 0);
    found = 1;
    assert_int_equal(KDT_FUNCTION(tree, within)(&c.tree, &query, 0, NULL, &found), KDT_OK);
    assert_int_equal(found, 0);
    free_crowd(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queries_against_brute_force),  cmocka_unit_test(test_large_builds),
        cmocka_unit_test(test_same_tree_for_any_parts),      cmocka_unit_test(test_threads_build_the_same_tree),
        cmocka_unit_test(test_previous_order_is_invisible),  cmocka_unit_test(test_kept_tree_is_like_a_new_one),
        cmocka_unit_test(test_block_is_like_single_queries), cmocka_unit_test(test_blocks_of_any_points),
        cmocka_unit_test(test_walk_misses_nothing),          cmocka_unit_test(test_coincident_points_stop_early),
        cmocka_unit_test(test_errors_leave_the_order),       cmocka_unit_test(test_no_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
