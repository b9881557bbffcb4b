// libkdtree beside nanoflann: builds and queries by number, leaf size and distribution.
#include "benches.h"
#include "crowd.h"
#include "shim.h"
#include "yardsticks/yardsticks.h"

#include <kdtree.h>
#include <math.h>
#include <stdlib.h>

enum { UNIFORM, CLUSTERED, COINCIDENT, DISTRIBUTIONS };

static const char *const distribution_names[] = {"uniform", "clustered", "coincident"};

typedef struct fixture {
    uint32_t count;
    float *x, *y;
    uint32_t *order;
    kdt_points_2f points;
    void *memory, *scratch;
    kdt_tree_2f tree;
} fixture;

static bool open_fixture(fixture *f, uint32_t count, uint32_t leaf_size, int distribution, bool sorted) {
    *f = (fixture){.count = count,
                   .x = malloc(count * sizeof(float)),
                   .y = malloc(count * sizeof(float)),
                   .order = malloc(count * sizeof(uint32_t))};
    if (!f->x || !f->y || !f->order) return false;
    crowd_places(count, sorted, f->x, f->y);
    for (uint32_t i = 0; i < count; i++) {
        f->order[i] = i;
        if (distribution == COINCIDENT) f->x[i] = f->y[i] = 1.0f;
        if (distribution == CLUSTERED) {
            f->x[i] = floorf(f->x[i] / 20.0f) * 20.0f + fmodf(f->x[i], 20.0f) * 0.05f;
            f->y[i] = floorf(f->y[i] / 20.0f) * 20.0f + fmodf(f->y[i], 20.0f) * 0.05f;
        }
    }
    f->points = (kdt_points_2f){.count = count, .leaf_size = leaf_size, .coord = {f->x, f->y}, .order = f->order};
    f->memory = malloc(kdt_tree_2f_memory(&f->points));
    f->scratch = malloc(kdt_build_2f_memory(&f->points));
    return f->memory && f->scratch && kdt_tree_2f_build(&f->tree, &f->points, f->memory, f->scratch, NULL) == KDT_OK;
}

static void close_fixture(fixture *f) {
    free(f->x);
    free(f->y);
    free(f->order);
    free(f->memory);
    free(f->scratch);
}

static void build(bench_state *state) {
    fixture f;
    const int distribution = (int)bench_argument(state, 2);
    if (!open_fixture(&f, (uint32_t)bench_argument(state, 0), (uint32_t)bench_argument(state, 1), distribution, true)) {
        bench_void(state, "no tree");
    }
    bench_label(state, distribution_names[distribution]);
    while (bench_running(state)) kdt_tree_2f_build(&f.tree, &f.points, f.memory, f.scratch, NULL);
    bench_items(state, f.count);
    close_fixture(&f);
}

static void nearest_by_leaf(bench_state *state) {
    fixture f;
    const uint32_t leaf = (uint32_t)bench_argument(state, 1);
    if (!open_fixture(&f, (uint32_t)bench_argument(state, 0), leaf, UNIFORM, true)) bench_void(state, "no tree");
    static kdt_hit_2f hits[KDT_MAX_LEAF_SIZE * 10];
    uint32_t found[KDT_MAX_LEAF_SIZE];
    while (bench_running(state)) {
        for (uint32_t first = 0; first < f.count; first += leaf) {
            const kdt_block_2f block = {.count = f.count - first < leaf ? f.count - first : leaf,
                                        .coord = {f.tree.coord[0] + first, f.tree.coord[1] + first},
                                        .range = INFINITY,
                                        .mask = KDT_ALL};
            kdt_tree_2f_nearest_block(&f.tree, &block, 10, hits, found);
        }
        bench_keep(hits);
    }
    bench_items(state, f.count);
    close_fixture(&f);
}

static void nearest_by_point(bench_state *state) {
    fixture f;
    if (!open_fixture(&f, (uint32_t)bench_argument(state, 0), (uint32_t)bench_argument(state, 1), UNIFORM, true)) {
        bench_void(state, "no tree");
    }
    kdt_hit_2f hits[10];
    uint32_t found;
    while (bench_running(state)) {
        for (uint32_t i = 0; i < f.count; i++) {
            const kdt_query_2f query = kdt_query_2f_point((const float[2]){f.x[i], f.y[i]});
            kdt_tree_2f_nearest(&f.tree, &query, 10, hits, &found);
        }
        bench_keep(hits);
    }
    bench_items(state, f.count);
    close_fixture(&f);
}

static void nanoflann(bench_state *state) {
    fixture f;
    if (!open_fixture(&f, (uint32_t)bench_argument(state, 0), 16, UNIFORM, true)) bench_void(state, "no memory");
    double query = 0.0;
    while (bench_running(state)) {
        if (yardstick_nanoflann(f.x, f.y, f.count, 10, &query) < 0.0) bench_void(state, "nanoflann is not installed");
    }
    bench_items(state, f.count);
    close_fixture(&f);
}

void bench_tree_add(void) {
    static const int64_t counts[] = {10000, 100000, 1000000};
    for (int i = 0; i < 3; i++) {
        for (int64_t distribution = 0; distribution < DISTRIBUTIONS; distribution++) {
            bench_add("kdtree/build", build, (const int64_t[]){counts[i], 16, distribution}, 3);
        }
        bench_add("kdtree/nearest_10_by_leaf", nearest_by_leaf, (const int64_t[]){counts[i], 16}, 2);
        bench_add("kdtree/nearest_10_by_point", nearest_by_point, (const int64_t[]){counts[i], 16}, 2);
        bench_add("nanoflann/build_and_nearest_10", nanoflann, &counts[i], 1);
    }
    for (int64_t leaf = 4; leaf <= 64; leaf *= 2) {
        bench_add("kdtree/build_by_leaf_size", build, (const int64_t[]){100000, leaf, UNIFORM}, 3);
        bench_add("kdtree/nearest_10_by_leaf_size", nearest_by_leaf, (const int64_t[]){100000, leaf}, 2);
    }
}
