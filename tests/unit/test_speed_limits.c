// Limits of speed: an agent's own, those of the legs of its route, and routes that find no memory for them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <throng/plan.h>

#include "support/allocator.h"
#include "unit/ground_cases.h"

static void limits_of_a_leg(void **state) {
    (void)state;
    throng_agent_def def = walker(0, 0, 100, 0);
    def.speed_limit = 0.5f;
    assert_near(speed_after_step(NULL, &def, 0.1), 0.5, 1e-6, "limit below the slope's");
    def.gradient[0] = 0.75f;
    assert_near(speed_after_step(NULL, &def, 0.1), 0.5, 1e-6, "min(V / k, limit)");
    def.speed_limit = 1.7f;
    assert_near(speed_after_step(NULL, &def, 0.1), 1.6, 1e-6, "min(V / k, limit)");
    def.speed_limit = 0.0f;
    assert_near(speed_after_step(NULL, &def, 0.1), 0.0, 0, "none at all");
}

// The speed in the middle of every leg, and after the route.
static void legs_of_a_route(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_plan *plan = NULL;
    must(throng_plan_create(world, NULL, &plan));
    const throng_agent_def def = walker(0, 0, 0, 0);
    throng_agent_id ids[3];
    for (int i = 0; i < 3; i++) must(throng_agents_add(world, &def, 1, &ids[i]));
    const uint32_t nobody = 0;
    for (int i = 0; i < 3; i++) must(throng_agents_write(world, THRONG_FIELD_MASK, &ids[i], 1, &nobody));
    const double points[] = {4, 0, 8, 0, 12, 0};
    const float limits[2][3] = {{1.0f, INFINITY, 0.5f}, {INFINITY, 0.25f, 3.0f}};
    const throng_route routes[3] = {{points, 3, false, limits[0]}, {points, 3, false, limits[1]}, {points, 3, false}};
    must(throng_plan_set_routes(plan, ids, routes, 3));
    int checked = 0;
    for (int step = 0; step < 400; step++) {
        must(throng_world_step(world, 0.1));
        must(throng_plan_update(plan));
        for (int i = 0; i < 3; i++) {
            double place[2];
            float velocity[2];
            must(throng_agents_read(world, THRONG_FIELD_POSITION, &ids[i], 1, place));
            must(throng_agents_read(world, THRONG_FIELD_VELOCITY, &ids[i], 1, velocity));
            const int leg = (int)(place[0] / 4.0);
            if (leg > 2 || fabs(place[0] - 4.0 * leg - 2.0) > 1.0) continue;
            const double limit = i < 2 ? fmin(limits[i][leg], 2.0) : 2.0;
            assert_near(velocity[0], limit, 1e-6, "on a leg");
            checked++;
        }
    }
    if (checked < 150) fail_msg("only %d steps on legs", checked);
    float after[3];
    must(throng_agents_read(world, THRONG_FIELD_SPEED_LIMIT, ids, 3, after));
    for (int i = 0; i < 3; i++) assert_true(after[i] == INFINITY);
    must(throng_plan_set_routes(plan, ids, routes, 1));
    must(throng_agents_read(world, THRONG_FIELD_SPEED_LIMIT, ids, 1, after));
    assert_true(after[0] == 1.0f);
    must(throng_plan_set_routes(plan, ids, &routes[2], 1));
    must(throng_agents_read(world, THRONG_FIELD_SPEED_LIMIT, ids, 1, after));
    assert_true(after[0] == INFINITY); // a route of no limits has none
    const float bad[3] = {1.0f, -1.0f, NAN};
    const throng_route refused[2] = {routes[0], {points, 3, false, bad}};
    assert_int_equal(throng_plan_set_routes(plan, ids, refused, 2), THRONG_ERROR_VALUE);
    assert_int_equal(throng_last_error()->item, 1);
    throng_plan_destroy(plan);
    throng_world_destroy(world);
}

// A route that finds no memory changes nothing: neither the agent's target nor its limit.
static void limits_without_memory(void **state) {
    (void)state;
    const double points[] = {4, 0, 8, 0};
    const float limits[] = {0.5f, 0.25f};
    const throng_route route = {points, 2, false, limits};
    test_allocator of_world, of_plan;
    int failures = 0;
    for (int which = 0; which < 2; which++) {
        for (int64_t call = 0;; call++) {
            throng_world_def def = throng_default_world_def();
            def.allocator = allocator_of(&of_world);
            const throng_allocator own = allocator_of(&of_plan);
            throng_world *world = make_world(&def, NULL);
            throng_plan *plan = NULL;
            must(throng_plan_create(world, &own, &plan));
            const throng_agent_def agent = walker(0, 0, -7, 0);
            throng_agent_id id;
            must(throng_agents_add(world, &agent, 1, &id));
            fail_from(which == 0 ? &of_world : &of_plan, call, false);
            const throng_result result = throng_plan_set_routes(plan, &id, &route, 1);
            fail_never(&of_world);
            fail_never(&of_plan);
            throng_target target;
            float limit;
            must(throng_agents_read(world, THRONG_FIELD_TARGET, &id, 1, &target));
            must(throng_agents_read(world, THRONG_FIELD_SPEED_LIMIT, &id, 1, &limit));
            const bool done = result == THRONG_OK;
            assert_true(done || result == THRONG_ERROR_MEMORY);
            assert_true(target.x == (done ? 4.0 : -7.0) && limit == (done ? 0.5f : INFINITY));
            throng_plan_destroy(plan);
            throng_world_destroy(world);
            assert_int_equal(of_world.bytes + of_plan.bytes, 0);
            if (done) break;
            failures++;
        }
    }
    if (failures < 5) fail_msg("only %d allocations failed", failures);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_a_leg),
        cmocka_unit_test(legs_of_a_route),
        cmocka_unit_test(limits_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
