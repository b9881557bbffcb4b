// Half-planes and velocity programs of a tile of 16 agents, by number of constraints and kernel.
#include "benches.h"
#include "kernels/kernels.h"
#include "shim.h"

#include <math.h>

enum { MAX_SLOTS = 64 };

static const char *const names[] = {"scalar", "sse2", "avx2", "avx512", "neon"};

static _Alignas(64) float px[MAX_SLOTS * THRONG_LANES], py[MAX_SLOTS * THRONG_LANES];
static _Alignas(64) float vx[MAX_SLOTS * THRONG_LANES], vy[MAX_SLOTS * THRONG_LANES];
static _Alignas(64) float radius[MAX_SLOTS * THRONG_LANES], share[MAX_SLOTS * THRONG_LANES];
static _Alignas(64) float nx[MAX_SLOTS * THRONG_LANES], ny[MAX_SLOTS * THRONG_LANES], c[MAX_SLOTS * THRONG_LANES];
static _Alignas(64) float self_vx[THRONG_LANES], self_vy[THRONG_LANES], horizon[THRONG_LANES];
static _Alignas(64) float preferred_x[THRONG_LANES], preferred_y[THRONG_LANES], max_speed[THRONG_LANES];
static _Alignas(64) float reach[THRONG_LANES], out_x[THRONG_LANES], out_y[THRONG_LANES], violation[THRONG_LANES];
static _Alignas(64) int32_t used[THRONG_LANES];
static uint16_t degenerate[MAX_SLOTS];

static float draw(uint64_t *state, float low, float high) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (float)(*state >> 40) * 0x1p-24f;
}

/// Neighbors between `near` and 3 m away: nearer ones make more programs infeasible.
static void fill(int slots, float near) {
    uint64_t state = 1;
    for (int lane = 0; lane < THRONG_LANES; lane++) {
        used[lane] = slots;
        self_vx[lane] = draw(&state, -1.0f, 1.0f);
        self_vy[lane] = draw(&state, -1.0f, 1.0f);
        preferred_x[lane] = draw(&state, -1.0f, 1.0f);
        preferred_y[lane] = draw(&state, -1.0f, 1.0f);
        horizon[lane] = 2.0f;
        max_speed[lane] = 1.6f;
        reach[lane] = INFINITY;
    }
    for (int at = 0; at < slots * THRONG_LANES; at++) {
        float length;
        do {
            px[at] = draw(&state, -3.0f, 3.0f);
            py[at] = draw(&state, -3.0f, 3.0f);
            length = sqrtf(px[at] * px[at] + py[at] * py[at]);
        } while (length < near || length > 3.0f);
        vx[at] = draw(&state, -1.0f, 1.0f);
        vy[at] = draw(&state, -1.0f, 1.0f);
        radius[at] = 0.5f;
        share[at] = 0.5f;
    }
}

static const throng_kernels *kernels_of(bench_state *state, int argument) {
    const char *name = names[bench_argument(state, argument)];
    const throng_kernels *kernels = throng_kernels_select(name);
    bench_label(state, name);
    if (!kernels) bench_void(state, "not on this machine");
    return kernels;
}

static const throng_tile_planes planes = {nx, ny, c};

static throng_pairs_input pairs_of(int slots) {
    return (throng_pairs_input){.slot_count = slots,
                                .count = used,
                                .px = px,
                                .py = py,
                                .vx = vx,
                                .vy = vy,
                                .radius = radius,
                                .share = share,
                                .self_vx = self_vx,
                                .self_vy = self_vy,
                                .horizon = horizon,
                                .time_step = 0.1f};
}

static void half_planes(bench_state *state) {
    const throng_kernels *kernels = kernels_of(state, 1);
    const throng_pairs_input in = pairs_of((int)bench_argument(state, 0));
    fill(in.slot_count, 0.8f);
    while (bench_running(state)) {
        kernels->agent_planes(&in, planes, degenerate);
        bench_keep(nx);
    }
    bench_items(state, THRONG_LANES);
}

static void programs(bench_state *state, float near) {
    const throng_kernels *kernels = kernels_of(state, 1);
    const throng_pairs_input pairs = pairs_of((int)bench_argument(state, 0));
    fill(pairs.slot_count, near);
    if (kernels) kernels->agent_planes(&pairs, planes, degenerate);
    const throng_program_input in = {.planes = planes,
                                     .slot_count = pairs.slot_count,
                                     .preferred_vx = preferred_x,
                                     .preferred_vy = preferred_y,
                                     .max_speed = max_speed,
                                     .reach_vx = self_vx,
                                     .reach_vy = self_vy,
                                     .reach_radius = reach};
    throng_program_output out = {.vx = out_x, .vy = out_y, .violation = violation};
    while (bench_running(state)) {
        kernels->program(&in, &out);
        bench_keep(out_x);
    }
    bench_items(state, THRONG_LANES);
}

static void feasible_programs(bench_state *state) {
    programs(state, 1.2f);
}

static void crowded_programs(bench_state *state) {
    programs(state, 0.5f);
}

void bench_kernels_add(void) {
    static const int64_t slots[] = {5, 10, 20, 40};
    for (int i = 0; i < 4; i++) {
        for (int64_t kernel = 0; kernel < 5; kernel++) {
            const int64_t arguments[] = {slots[i], kernel};
            bench_add("half_planes", half_planes, arguments, 2);
            bench_add("program", feasible_programs, arguments, 2);
            bench_add("program_crowded", crowded_programs, arguments, 2);
        }
    }
}
