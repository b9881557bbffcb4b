#include "quantities.h"

#include "clock.h"
#include "yardsticks/yardsticks.h"

#include <kdtree.h>
#include <math.h>
#include <stdlib.h>

struct quantity {
    quantity_def def;
    throng_world *world;
    float *x, *y, *goal_x, *goal_y;
    uint32_t *order;
    void *memory, *scratch;
    kdt_tree_2f tree;
    uint64_t moves; ///< how often the points were moved a little
};

enum { NEIGHBORS = 10, WARM_STEPS = 3, LEAF = 16 };

const char *quantity_kind_name(quantity_kind kind) {
    static const char *const names[] = {"step",          "stage",        "bytes",           "kdtree_build",
                                        "kdtree_first",  "kdtree_query", "nanoflann_build", "nanoflann_query",
                                        "nanoflann_all", "rvo_step"};
    return kind < QUANTITY_KIND_COUNT ? names[kind] : NULL;
}

const char *quantity_stage_name(throng_stage stage) {
    static const char *const names[] = {"ingest",    "neighbors", "sense", "constraints", "solve",
                                        "integrate", "contacts",  "index", "publish"};
    return stage < THRONG_STAGE_COUNT ? names[stage] : NULL;
}

static bool has_world(const quantity *q) {
    return q->def.kind <= QUANTITY_BYTES;
}

static bool open_points(quantity *q) {
    const uint32_t count = q->def.crowd.agents;
    float **const columns[] = {&q->x, &q->y, &q->goal_x, &q->goal_y};
    for (int i = 0; i < 4; i++) {
        *columns[i] = malloc(count * sizeof(float));
        if (!*columns[i]) return false;
    }
    crowd_places(count, q->def.sorted, q->x, q->y);
    crowd_places(count, false, q->goal_x, q->goal_y);
    // Goals elsewhere: the same places in another order.
    for (uint32_t i = 0; i < count / 2; i++) {
        const float x = q->goal_x[i], y = q->goal_y[i];
        q->goal_x[i] = q->goal_x[count - 1 - i];
        q->goal_y[i] = q->goal_y[count - 1 - i];
        q->goal_x[count - 1 - i] = x;
        q->goal_y[count - 1 - i] = y;
    }
    return true;
}

static kdt_points_2f points_of(const quantity *q) {
    return (kdt_points_2f){.count = q->def.crowd.agents, .leaf_size = LEAF, .coord = {q->x, q->y}, .order = q->order};
}

static bool open_tree(quantity *q) {
    const uint32_t count = q->def.crowd.agents;
    q->order = malloc(count * sizeof *q->order);
    if (!q->order) return false;
    for (uint32_t i = 0; i < count; i++) q->order[i] = i;
    const kdt_points_2f points = points_of(q);
    q->memory = malloc(kdt_tree_2f_memory(&points));
    q->scratch = malloc(kdt_build_2f_memory(&points));
    return q->memory && q->scratch && kdt_tree_2f_build(&q->tree, &points, q->memory, q->scratch, NULL) == KDT_OK;
}

quantity *quantity_open(const quantity_def *def) {
    quantity *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    q->def = *def;
    if (has_world(q)) {
        q->def.crowd.profile = def->kind == QUANTITY_STAGE;
        q->world = crowd_make(&q->def.crowd);
        for (int i = 0; i < WARM_STEPS; i++) crowd_step(q->world);
        return q;
    }
    const bool is_tree = def->kind >= QUANTITY_KDTREE_BUILD && def->kind <= QUANTITY_KDTREE_QUERY;
    if (!open_points(q) || (is_tree && !open_tree(q)) || (!is_tree && quantity_measure(q) < 0.0)) {
        quantity_close(q);
        return NULL;
    }
    return q;
}

/// Moves every point by what a walker makes in a step: 0.13 m in some direction.
static void move_points(quantity *q) {
    q->moves++;
    for (uint32_t i = 0; i < q->def.crowd.agents; i++) {
        const uint64_t word = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ q->moves * UINT64_C(0xbf58476d1ce4e5b9);
        q->x[i] += ((float)(word >> 40 & 0xffff) - 32768.0f) * (0.13f / 32768.0f);
        q->y[i] += ((float)(word >> 20 & 0xffff) - 32768.0f) * (0.13f / 32768.0f);
    }
}

static double build_tree(quantity *q) {
    move_points(q);
    const kdt_points_2f points = points_of(q);
    const double begin = bench_seconds();
    kdt_tree_2f_build(&q->tree, &points, q->memory, q->scratch, NULL);
    return bench_seconds() - begin;
}

static double build_first_tree(quantity *q) {
    for (uint32_t i = 0; i < q->def.crowd.agents; i++) q->order[i] = i;
    const kdt_points_2f points = points_of(q);
    const double begin = bench_seconds();
    kdt_tree_2f_build(&q->tree, &points, q->memory, q->scratch, NULL);
    return bench_seconds() - begin;
}

static double query_tree(const quantity *q) {
    static kdt_hit_2f hits[LEAF * NEIGHBORS];
    uint32_t found[LEAF];
    const kdt_tree_2f *tree = &q->tree;
    const double begin = bench_seconds();
    for (uint32_t first = 0; first < tree->count; first += LEAF) {
        const kdt_block_2f block = {.count = tree->count - first < LEAF ? tree->count - first : LEAF,
                                    .coord = {tree->coord[0] + first, tree->coord[1] + first},
                                    .range = INFINITY,
                                    .mask = KDT_ALL};
        kdt_tree_2f_nearest_block(tree, &block, NEIGHBORS, hits, found);
    }
    return bench_seconds() - begin;
}

static double measure_stage(const quantity *q) {
    throng_profile profile;
    crowd_step(q->world);
    throng_world_profile(q->world, &profile);
    // Stages that run per tile are told summed over workers.
    const bool per_tile = q->def.stage >= THRONG_STAGE_NEIGHBORS && q->def.stage <= THRONG_STAGE_INTEGRATE;
    throng_counters counters;
    throng_world_counters(q->world, &counters);
    return profile.seconds[q->def.stage] / (per_tile ? counters.threads : 1);
}

static double measure_bytes(const quantity *q) {
    throng_counters counters;
    throng_world_counters(q->world, &counters);
    return 1e-9 * (double)counters.bytes;
}

static double measure_step(const quantity *q) {
    const double begin = bench_seconds();
    crowd_step(q->world);
    return bench_seconds() - begin;
}

double quantity_measure(quantity *q) {
    double seconds = -1.0, query = 0.0;
    const uint32_t count = q->def.crowd.agents;
    switch (q->def.kind) {
    case QUANTITY_STEP:
        seconds = measure_step(q);
        break;
    case QUANTITY_STAGE:
        seconds = measure_stage(q);
        break;
    case QUANTITY_BYTES:
        seconds = measure_bytes(q);
        break;
    case QUANTITY_KDTREE_BUILD:
        seconds = build_tree(q);
        break;
    case QUANTITY_KDTREE_FIRST:
        seconds = build_first_tree(q);
        break;
    case QUANTITY_KDTREE_QUERY:
        seconds = query_tree(q);
        break;
    case QUANTITY_NANOFLANN_BUILD:
        seconds = yardstick_nanoflann(q->x, q->y, count, NEIGHBORS, &query);
        break;
    case QUANTITY_NANOFLANN_QUERY:
        yardstick_nanoflann(q->x, q->y, count, NEIGHBORS, &query);
        seconds = query;
        break;
    case QUANTITY_NANOFLANN_ALL:
        seconds = yardstick_nanoflann(q->x, q->y, count, NEIGHBORS, &query);
        seconds += query;
        break;
    case QUANTITY_RVO_STEP:
        seconds = yardstick_rvo(q->x, q->y, q->goal_x, q->goal_y, count, q->def.crowd.threads, 1);
        break;
    default:
        break;
    }
    return seconds < 0.0 ? -1.0 : 1e9 * seconds / count;
}

const throng_world *quantity_world(const quantity *q) {
    return q->world;
}

void quantity_close(quantity *q) {
    if (!q) return;
    throng_world_destroy(q->world);
    free(q->x);
    free(q->y);
    free(q->goal_x);
    free(q->goal_y);
    free(q->order);
    free(q->memory);
    free(q->scratch);
    free(q);
}
