// The whole step: by agents, threads, density, layout and kernel.
#include "benches.h"
#include "crowd.h"
#include "shim.h"

#include <stdio.h>

static void run(bench_state *state, const crowd_def *def) {
    throng_world *world = crowd_make(def);
    for (int i = 0; i < 3; i++) crowd_step(world);
    while (bench_running(state)) crowd_step(world);
    bench_items(state, def->agents);
    throng_world_destroy(world);
}

static void by_agents(bench_state *state) {
    crowd_def def = crowd_default();
    def.agents = (uint32_t)bench_argument(state, 0);
    def.threads = (uint32_t)bench_argument(state, 1);
    run(state, &def);
}

static void by_density(bench_state *state) {
    crowd_def def = crowd_default();
    def.density = 0.01 * (double)bench_argument(state, 0);
    run(state, &def);
}

static void by_layout(bench_state *state) {
    crowd_def def = crowd_default();
    def.layout = (crowd_layout)bench_argument(state, 0);
    def.agents = (uint32_t)bench_argument(state, 1);
    bench_label(state, crowd_layout_name(def.layout));
    run(state, &def);
}

static void by_walls(bench_state *state) {
    crowd_def def = crowd_default();
    def.agents = 100000;
    def.wall_segments = (uint32_t)bench_argument(state, 0);
    run(state, &def);
}

static const char *const kernels[] = {"scalar", "sse2", "avx2", "avx512", "neon"};

static void by_kernel(bench_state *state) {
    crowd_def def = crowd_default();
    def.kernel = kernels[bench_argument(state, 0)];
    bench_label(state, def.kernel);
    throng_world_def world_def = throng_default_world_def();
    world_def.kernel = def.kernel;
    throng_world *world = NULL;
    if (throng_world_create(&world_def, &world) != THRONG_OK) {
        bench_void(state, "not on this machine");
        return;
    }
    throng_world_destroy(world);
    run(state, &def);
}

void bench_step_add(void) {
    static const int64_t agents[] = {100, 1000, 10000, 100000, 1000000};
    for (int i = 0; i < 5; i++) {
        for (int64_t threads = 1; threads <= 2; threads++) {
            bench_add("step/agents", by_agents, (const int64_t[]){agents[i], threads}, 2);
        }
    }
    static const int64_t percents[] = {10, 50, 100, 200, 400};
    for (int i = 0; i < 5; i++) bench_add("step/density_percent", by_density, &percents[i], 1);
    for (int64_t layout = 0; layout < CROWD_LAYOUT_COUNT; layout++) {
        bench_add("step/layout", by_layout, (const int64_t[]){layout, 100000}, 2);
    }
    static const int64_t walls[] = {0, 1000, 10000};
    for (int i = 0; i < 3; i++) bench_add("step/walls", by_walls, &walls[i], 1);
    for (int64_t kernel = 0; kernel < 5; kernel++) bench_add("step/kernel", by_kernel, &kernel, 1);
}
