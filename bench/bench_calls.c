// Calls between steps: snapshots, adding and removing, bulk reads, queries.
#include "benches.h"
#include "crowd.h"
#include "shim.h"

#include <stdlib.h>

static throng_world *world_of(bench_state *state, crowd_def *def) {
    *def = crowd_default();
    def->agents = (uint32_t)bench_argument(state, 0);
    throng_world *world = crowd_make(def);
    crowd_step(world);
    bench_items(state, def->agents);
    return world;
}

static void save_and_load(bench_state *state, bool load) {
    crowd_def def;
    throng_world *world = world_of(state, &def);
    size_t size = 0;
    throng_world_save(world, NULL, 0, &size);
    void *buffer = malloc(size);
    if (!buffer || throng_world_save(world, buffer, size, &size) != THRONG_OK) bench_void(state, "save failed");
    while (bench_running(state)) {
        const throng_result result =
            load ? throng_world_load(world, buffer, size) : throng_world_save(world, buffer, size, &size);
        if (result != THRONG_OK) bench_void(state, throng_last_error()->message);
    }
    free(buffer);
    throng_world_destroy(world);
}

static void save(bench_state *state) {
    save_and_load(state, false);
}

static void load(bench_state *state) {
    save_and_load(state, true);
}

static void add_and_remove(bench_state *state) {
    crowd_def def;
    throng_world *world = world_of(state, &def);
    enum { BATCH = 1000 };
    static throng_agent_def defs[BATCH];
    static throng_agent_id ids[BATCH];
    for (int i = 0; i < BATCH; i++) {
        defs[i] = throng_default_agent_def();
        defs[i].position[0] = defs[i].position[1] = i;
    }
    while (bench_running(state)) {
        if (throng_agents_add(world, defs, BATCH, ids) != THRONG_OK ||
            throng_agents_remove(world, ids, BATCH) != THRONG_OK) {
            bench_void(state, throng_last_error()->message);
        }
    }
    bench_items(state, BATCH);
    throng_world_destroy(world);
}

static void read_places(bench_state *state) {
    crowd_def def;
    throng_world *world = world_of(state, &def);
    double *places = malloc(2 * (size_t)def.agents * sizeof *places);
    while (places && bench_running(state)) {
        throng_agents_read(world, THRONG_FIELD_POSITION, NULL, def.agents, places);
        bench_keep(places);
    }
    free(places);
    throng_world_destroy(world);
}

static void query_nearest(bench_state *state) {
    crowd_def def;
    throng_world *world = world_of(state, &def);
    throng_query_hit hits[10];
    double at = 0.0;
    while (bench_running(state)) {
        uint32_t count;
        at += 0.37;
        if (at > 90.0) at = 0.0;
        throng_query_nearest(world, at, at, 5.0f, NULL, hits, 10, &count);
        bench_keep(hits);
    }
    bench_items(state, 1);
    throng_world_destroy(world);
}

void bench_calls_add(void) {
    static const int64_t sizes[] = {10000, 100000};
    for (int i = 0; i < 2; i++) {
        bench_add("snapshot/save", save, &sizes[i], 1);
        bench_add("snapshot/load", load, &sizes[i], 1);
        bench_add("agents/add_and_remove_1000", add_and_remove, &sizes[i], 1);
        bench_add("agents/read_places", read_places, &sizes[i], 1);
        bench_add("query/nearest_10", query_nearest, &sizes[i], 1);
    }
}
