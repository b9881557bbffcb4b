// libkdtree beside nanoflann, on the same points: builds and queries by number, leaf size, distribution and hits.
#include "benches.h"
#include "crowd.h"
#include "shim.h"
#include "yardsticks/yardsticks.h"

#include <kdtree.h>
#include <math.h>
#include <stdlib.h>

typedef enum distribution { UNIFORM, CLUSTERED, LINE, COINCIDENT, DISTRIBUTIONS } distribution;

static const char *const distribution_names[] = {"uniform", "clustered", "line", "coincident"};

enum { MOST_HITS = 32 };

// The arguments of every benchmark of this file: points, points a leaf, distribution, hits.
typedef struct fixture {
    uint32_t count, leaf_size, hits;
    distribution spread;
    float *x, *y, *moved_x; // a step later everybody is elsewhere
    uint32_t *order;
    kdt_points_2f points;
    void *memory, *scratch;
    kdt_tree_2f tree;
} fixture;

static void spread_out(fixture *f) {
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->spread == COINCIDENT) f->x[i] = 1.0f;
        if (f->spread == COINCIDENT || f->spread == LINE) f->y[i] = 1.0f;
        if (f->spread == CLUSTERED) {
            f->x[i] = floorf(f->x[i] / 20.0f) * 20.0f + fmodf(f->x[i], 20.0f) * 0.05f;
            f->y[i] = floorf(f->y[i] / 20.0f) * 20.0f + fmodf(f->y[i], 20.0f) * 0.05f;
        }
        // What a walker makes in a step: up to 0.13 m.
        f->moved_x[i] = f->spread == COINCIDENT ? f->x[i] : f->x[i] + 0.13f * (float)(i * 2654435761u >> 16) / 65536.0f;
    }
}

static void forget_order(fixture *f) {
    for (uint32_t i = 0; i < f->count; i++) f->order[i] = i;
}

static void build_tree(fixture *f) {
    kdt_tree_2f_build(&f->tree, &f->points, f->memory, f->scratch, NULL);
}

static bool open_fixture(fixture *f, const bench_state *state, bool sorted) {
    const uint32_t count = (uint32_t)bench_argument(state, 0);
    *f = (fixture){.count = count,
                   .leaf_size = (uint32_t)bench_argument(state, 1),
                   .spread = (distribution)bench_argument(state, 2),
                   .hits = (uint32_t)bench_argument(state, 3),
                   .x = malloc(count * sizeof(float)),
                   .y = malloc(count * sizeof(float)),
                   .moved_x = malloc(count * sizeof(float)),
                   .order = malloc(count * sizeof(uint32_t))};
    if (!f->x || !f->y || !f->moved_x || !f->order) return false;
    crowd_places(count, sorted, f->x, f->y);
    spread_out(f);
    forget_order(f);
    f->points = (kdt_points_2f){.count = count, .leaf_size = f->leaf_size, .coord = {f->x, f->y}, .order = f->order};
    f->memory = malloc(kdt_tree_2f_memory(&f->points));
    f->scratch = malloc(kdt_build_2f_memory(&f->points));
    if (!f->memory || !f->scratch) return false;
    build_tree(f);
    return true;
}

static void close_fixture(fixture *f, bench_state *state) {
    bench_label(state, distribution_names[f->spread]);
    bench_items(state, f->count);
    free(f->x);
    free(f->y);
    free(f->moved_x);
    free(f->order);
    free(f->memory);
    free(f->scratch);
}

// Of points in no order.
static void first_build(bench_state *state) {
    fixture f;
    if (!open_fixture(&f, state, false)) bench_void(state, "no memory");
    while (bench_running(state)) {
        forget_order(&f);
        build_tree(&f);
    }
    close_fixture(&f, state);
}

// Of points in the order of the last build, which all moved a little.
static void rebuild(bench_state *state) {
    fixture f;
    if (!open_fixture(&f, state, true)) bench_void(state, "no memory");
    for (bool moved = true; bench_running(state); moved = !moved) {
        f.points.coord[0] = moved ? f.moved_x : f.x;
        build_tree(&f);
    }
    close_fixture(&f, state);
}

static void nanoflann_builds(bench_state *state, bool sorted) {
    fixture f;
    if (!open_fixture(&f, state, sorted)) bench_void(state, "no memory");
    while (bench_running(state)) {
        yardstick_tree *tree = yardstick_nanoflann_open(f.x, f.y, f.count, f.leaf_size);
        if (!tree) bench_void(state, "nanoflann is not installed");
        yardstick_nanoflann_close(tree);
    }
    close_fixture(&f, state);
}

static void nanoflann_build_unsorted(bench_state *state) {
    nanoflann_builds(state, false);
}

static void nanoflann_build_sorted(bench_state *state) {
    nanoflann_builds(state, true);
}

static void nearest_by_leaf(bench_state *state) {
    fixture f;
    if (!open_fixture(&f, state, true)) bench_void(state, "no memory");
    static kdt_hit_2f hits[KDT_MAX_LEAF_SIZE * MOST_HITS];
    uint32_t found[KDT_MAX_LEAF_SIZE];
    while (bench_running(state)) {
        for (uint32_t first = 0; first < f.count; first += f.leaf_size) {
            const kdt_block_2f block = {.count = f.count - first < f.leaf_size ? f.count - first : f.leaf_size,
                                        .coord = {f.tree.coord[0] + first, f.tree.coord[1] + first},
                                        .range = INFINITY,
                                        .mask = KDT_ALL};
            kdt_tree_2f_nearest_block(&f.tree, &block, f.hits, hits, found);
        }
        bench_keep(hits);
    }
    close_fixture(&f, state);
}

static void nearest_by_point(bench_state *state) {
    fixture f;
    if (!open_fixture(&f, state, true)) bench_void(state, "no memory");
    kdt_hit_2f hits[MOST_HITS];
    uint32_t found;
    while (bench_running(state)) {
        for (uint32_t i = 0; i < f.count; i++) {
            const kdt_query_2f query = kdt_query_2f_point((const float[2]){f.x[i], f.y[i]});
            kdt_tree_2f_nearest(&f.tree, &query, f.hits, hits, &found);
        }
        bench_keep(hits);
    }
    close_fixture(&f, state);
}

static void nanoflann_nearest(bench_state *state) {
    fixture f;
    if (!open_fixture(&f, state, true)) bench_void(state, "no memory");
    yardstick_tree *tree = yardstick_nanoflann_open(f.x, f.y, f.count, f.leaf_size);
    if (!tree) bench_void(state, "nanoflann is not installed");
    while (bench_running(state)) yardstick_nanoflann_nearest(tree, f.hits);
    yardstick_nanoflann_close(tree);
    close_fixture(&f, state);
}

static void add_all(int64_t count, int64_t leaf_size, int64_t spread, int64_t hits) {
    const int64_t arguments[] = {count, leaf_size, spread, hits};
    bench_add("kdtree/first_build", first_build, arguments, 4);
    bench_add("nanoflann/build_unsorted", nanoflann_build_unsorted, arguments, 4);
    bench_add("kdtree/rebuild", rebuild, arguments, 4);
    bench_add("nanoflann/build_sorted", nanoflann_build_sorted, arguments, 4);
    bench_add("kdtree/nearest_by_leaf", nearest_by_leaf, arguments, 4);
    bench_add("kdtree/nearest_by_point", nearest_by_point, arguments, 4);
    // A query of nanoflann's at a heap looks at all of it.
    if (spread != COINCIDENT) bench_add("nanoflann/nearest", nanoflann_nearest, arguments, 4);
}

void bench_tree_add(void) {
    static const int64_t counts[] = {1000, 10000, 100000, 1000000};
    static const int64_t hits[] = {1, 4, MOST_HITS};
    for (int i = 0; i < 4; i++) add_all(counts[i], 16, UNIFORM, 10);
    for (int64_t spread = UNIFORM + 1; spread < DISTRIBUTIONS; spread++) add_all(100000, 16, spread, 10);
    for (int64_t leaf_size = 4; leaf_size <= 64; leaf_size *= 2) {
        if (leaf_size != 16) add_all(100000, leaf_size, UNIFORM, 10);
    }
    for (int i = 0; i < 3; i++) add_all(100000, 16, UNIFORM, hits[i]);
}
