// Belts carry: walkways and escalators, stepping on and off them, and people on different belts who see each other's
// velocities in the world.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support_cases.h"

// The time that somebody needs from x = 0 to 40 along y = 0.
static double walking_time(double belt, double toward) {
    throng_world *world = make_world(NULL, NULL);
    if (belt != 0.0) add_belt(world, walkway, 4, belt, 0.0);
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = toward > 0.0 ? 0.0 : 40.0;
    def.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = toward * 1.3};
    throng_agent_id id;
    must(throng_agents_add(world, &def, 1, &id));
    int steps = 0;
    for (;; steps++) {
        const throng_view view = view_of(world);
        if (toward > 0.0 ? view.x[0] >= 40.0 : view.x[0] <= 0.0) break;
        if (view.x[0] > 11.0 && view.x[0] < 29.0) {
            const double wanted = toward * 1.3 + belt;
            if (!(fabs(view.velocity_x[0] - wanted) < 1e-5)) {
                fail_msg("at x = %g: %g m/s, should be %g", view.x[0], view.velocity_x[0], wanted);
            }
        }
        assert_true(steps < 1000);
        must(throng_world_step(world, dt));
    }
    throng_world_destroy(world);
    return steps * dt;
}

static void walkway_of_half_a_metre_a_second_gains_half_a_metre_a_second(void **state) {
    (void)state;
    const double alone = walking_time(0.0, 1.0), with = walking_time(0.5, 1.0), against = walking_time(0.5, -1.0);
    // 20 m of the way at 1.8 or 0.8 in place of 1.3 m/s; a step of rounding at each end.
    const double gain = 20.0 / 1.3 - 20.0 / 1.8, loss = 20.0 / 0.8 - 20.0 / 1.3;
    if (fabs(alone - with - gain) > 3 * dt) fail_msg("gains %g s, should be %g", alone - with, gain);
    if (fabs(against - alone - loss) > 3 * dt) fail_msg("loses %g s, should be %g", against - alone, loss);
}

static void who_stands_on_a_belt_is_carried_off_it(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    add_belt(world, walkway, 4, 0.5, 0.0);
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = 20.0; // it steps on in the first step
    throng_agent_id id;
    must(throng_agents_add(world, &def, 1, &id));
    for (int step = 0; step < 400; step++) must(throng_world_step(world, dt));
    const throng_view view = view_of(world);
    if (!(view.x[0] >= 30.0 && view.x[0] < 30.2)) fail_msg("stands at x = %g", view.x[0]);
    assert_true(view.velocity_x[0] == 0.0f);
    throng_support_id on;
    must(throng_agents_read(world, THRONG_FIELD_SUPPORT, &id, 1, &on));
    assert_int_equal(on.index, 0);
    throng_world_destroy(world);
}

// Two people on their way towards each other, each carried by `belt` m/s more, on belts or walking as fast themselves.
static throng_world *meeting(double belt, bool carried, throng_agent_id ids[2]) {
    static const double up[] = {-40, 0, 40, 0, 40, 2, -40, 2}, down[] = {-40, -2, 40, -2, 40, 0, -40, 0};
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def defs[2];
    for (int i = 0; i < 2; i++) {
        const double sign = i ? -1.0 : 1.0, own = carried ? 1.2 : 1.2 + belt;
        defs[i] = throng_default_agent_def();
        if (carried) defs[i].support = add_belt(world, i ? down : up, 4, sign * belt, 0.0);
        defs[i].position[0] = sign * -3.5; // within 2 s only at the speed of all four
        defs[i].position[1] = sign * 0.2;  // bodies of 0.25 would meet
        defs[i].max_speed = 5.0f;
        defs[i].neighbor_range = 20.0f;
        defs[i].target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = sign * own};
        defs[i].velocity[0] = (float)(sign * own);
    }
    must(throng_agents_add(world, defs, 2, ids));
    must(throng_world_refresh(world));
    return world;
}

// The half-planes of two on opposite escalators are those of the same two who walk as fast as the belts carry them,
// shifted by the own belt's velocity.
static void people_on_opposite_escalators_see_each_other_in_the_world(void **state) {
    (void)state;
    throng_agent_id on[2], off[2];
    throng_world *carried = meeting(0.6, true, on), *walking = meeting(0.6, false, off);
    for (int i = 0; i < 2; i++) {
        const float belt = i ? -0.6f : 0.6f;
        throng_explanation a, b;
        must(throng_query_explain(carried, on[i], dt, &a));
        must(throng_query_explain(walking, off[i], dt, &b));
        assert_int_equal(a.neighbor_count, 1);
        assert_int_equal(b.neighbor_count, 1);
        const throng_half_plane seen = a.planes[0], wanted = b.planes[0];
        const float c = wanted.c - wanted.nx * belt;
        if (!(fabsf(seen.nx - wanted.nx) < 1e-5f && fabsf(seen.ny - wanted.ny) < 1e-5f && fabsf(seen.c - c) < 1e-5f)) {
            fail_msg("(%g, %g, %g) in place of (%g, %g, %g)", seen.nx, seen.ny, seen.c, wanted.nx, wanted.ny, c);
        }
        const float alone = 1.2f * (i ? -1.0f : 1.0f) * seen.nx;
        if (!(alone < seen.c - 1e-3f)) fail_msg("agent %d need not give way: %g, %g", i, alone, seen.c);
        // Solved in the belt's frame it is the same way in the world.
        assert_true(fabsf(a.solved_velocity[0] + belt - b.solved_velocity[0]) < 1e-5f);
        assert_true(fabsf(a.solved_velocity[1] - b.solved_velocity[1]) < 1e-5f);
    }
    double nearest = HUGE_VAL;
    for (int step = 0; step < 60; step++) {
        must(throng_world_step(carried, 0.05));
        const throng_view view = view_of(carried);
        const double dx = view.x[1] - view.x[0], dy = view.y[1] - view.y[0];
        nearest = fmin(nearest, sqrt(dx * dx + dy * dy));
    }
    if (!(nearest > 0.5 - 1e-3)) fail_msg("came as near as %g m", nearest);
    if (!(nearest < 0.6)) fail_msg("never met: %g m", nearest);
    throng_world_destroy(carried);
    throng_world_destroy(walking);
}

static void on_and_off_the_velocity_in_the_world_stays(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    add_belt(world, walkway, 4, 0.5, 0.0);
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = 9.9;
    def.velocity[0] = 1.3f;
    def.max_acceleration = 1.0f;
    def.max_speed = 2.0f;
    def.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = 1.3};
    throng_agent_id id;
    must(throng_agents_add(world, &def, 1, &id));
    float last = 1.3f;
    for (int step = 0; step < 300; step++) {
        must(throng_world_step(world, dt));
        const float now = view_of(world).velocity_x[0];
        if (!(fabsf(now - last) <= 0.1f + 1e-5f)) fail_msg("step %d: from %g to %g m/s", step, last, now);
        last = now;
    }
    assert_true(fabsf(last - 1.3f) < 1e-5f);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walkway_of_half_a_metre_a_second_gains_half_a_metre_a_second),
        cmocka_unit_test(who_stands_on_a_belt_is_carried_off_it),
        cmocka_unit_test(people_on_opposite_escalators_see_each_other_in_the_world),
        cmocka_unit_test(on_and_off_the_velocity_in_the_world_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
