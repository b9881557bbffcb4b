// Agents with the largest and the smallest numbers that are taken: every step stays finite, by every kernel alike.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "support/worlds.h"

static const float large = (float)THRONG_LIMIT_NUMBER, tiny = FLT_TRUE_MIN;

// A number at either end of its range, or the default.
static void take_extreme(uint64_t *state, float least, float *number) {
    const uint32_t kind = random_below(state, 6);
    if (kind == 0) *number = large;
    if (kind == 1) *number = least;
    if (kind == 2) *number = tiny;
}

static double extreme_place(uint64_t *state) {
    static const double places[] = {THRONG_LIMIT_PLACE, -THRONG_LIMIT_PLACE, 0.0, 1.0, 1e-300, DBL_TRUE_MIN, 1e6};
    return places[random_below(state, sizeof places / sizeof places[0])];
}

static throng_agent_def extreme_agent(uint64_t *state) {
    throng_agent_def def = throng_default_agent_def();
    for (int axis = 0; axis < 2; axis++) {
        def.position[axis] = extreme_place(state);
        take_extreme(state, -large, &def.velocity[axis]);
    }
    def.target.kind = (throng_target_kind)random_below(state, 3);
    const bool velocity = def.target.kind == THRONG_TARGET_VELOCITY;
    def.target.x = velocity ? large : extreme_place(state);
    def.target.y = velocity ? -large : extreme_place(state);
    take_extreme(state, 0, &def.radius);
    take_extreme(state, 0, &def.margin);
    take_extreme(state, 0, &def.max_speed);
    take_extreme(state, 0, &def.preferred_speed);
    take_extreme(state, 0, &def.max_acceleration);
    take_extreme(state, tiny, &def.time_horizon);
    take_extreme(state, tiny, &def.obstacle_horizon);
    take_extreme(state, 0, &def.neighbor_range);
    take_extreme(state, 0, &def.yield);
    take_extreme(state, 0, &def.goal_radius);
    take_extreme(state, tiny, &def.stuck_time);
    def.max_neighbors = random_below(state, 2) ? 10 : 255;
    return def;
}

static void check_finite(const throng_world *world, uint64_t seed, double time_step) {
    throng_view view;
    must(throng_world_view(world, &view));
    for (uint32_t row = 0; row < view.count; row++) {
        if (isfinite(view.x[row]) && isfinite(view.y[row]) && isfinite(view.velocity_x[row]) &&
            isfinite(view.velocity_y[row])) {
            continue;
        }
        fail_msg("crowd %" PRIu64 ", time step %g: agent %" PRIu64 " is at (%g, %g) with velocity (%g, %g)", seed,
                 time_step, view.creation[row], view.x[row], view.y[row], (double)view.velocity_x[row],
                 (double)view.velocity_y[row]);
    }
}

static uint64_t run_crowd(uint64_t seed, double time_step, throng_solver solver, const char *kernel, throng_map *map) {
    throng_world_def def = throng_default_world_def();
    def.solver = solver;
    def.kernel = kernel;
    def.map = map;
    throng_world *world;
    must(throng_world_create(&def, &world));
    uint64_t state = seed;
    const uint32_t count = 2 + random_below(&state, 60);
    for (uint32_t i = 0; i < count; i++) {
        throng_agent_def agent = extreme_agent(&state);
        if (solver == THRONG_SOLVER_REFERENCE) agent.max_neighbors %= 9; // it tries every pair of half-planes
        must(throng_agents_add(world, &agent, 1, NULL));
    }
    for (int step = 0; step < 8; step++) {
        must(throng_world_step(world, time_step));
        check_finite(world, seed, time_step);
    }
    throng_hashes hashes;
    must(throng_world_hash(world, &hashes));
    throng_world_destroy(world);
    return hashes.whole;
}

static void the_largest_and_smallest_stay_finite(void **state) {
    (void)state;
    static const double steps[] = {FLT_TRUE_MIN, 1e-9, 0.1, 10, THRONG_LIMIT_TIME_STEP};
    throng_map *map = make_map();
    for (uint64_t crowd = 0; crowd < 60; crowd++) {
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            throng_map *const walls = crowd % 3 == 0 ? map : NULL;
            const uint64_t scalar = run_crowd(crowd, steps[i], THRONG_SOLVER_FAST, "scalar", walls);
            const uint64_t best = run_crowd(crowd, steps[i], THRONG_SOLVER_FAST, NULL, walls);
            if (scalar != best) fail_msg("crowd %" PRIu64 ", time step %g: the kernels differ", crowd, steps[i]);
        }
    }
    throng_map_release(map);
}

static void the_reference_solver_answers_too(void **state) {
    (void)state;
    static const double steps[] = {FLT_TRUE_MIN, 0.1, THRONG_LIMIT_TIME_STEP};
    throng_map *map = make_map();
    for (uint64_t crowd = 0; crowd < 60; crowd++) {
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            run_crowd(crowd, steps[i], THRONG_SOLVER_REFERENCE, NULL, crowd % 3 == 0 ? map : NULL);
        }
    }
    throng_map_release(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_largest_and_smallest_stay_finite),
                                       cmocka_unit_test(the_reference_solver_answers_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
