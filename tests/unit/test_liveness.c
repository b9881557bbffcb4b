// What an agent makes of its wish among others: sides, settling, being stuck, density.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/worlds.h"

static throng_agent_def walker(double x, double y, double goal_x, double goal_y) {
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = x;
    def.position[1] = y;
    def.target = (throng_target){.kind = THRONG_TARGET_POINT, .x = goal_x, .y = goal_y};
    return def;
}

static void place_of(const throng_world *world, throng_agent_id id, double place[2]) {
    must(throng_agents_read(world, THRONG_FIELD_POSITION, &id, 1, place));
}

static throng_agent_state state_of(const throng_world *world, throng_agent_id id) {
    uint8_t value;
    must(throng_agents_read(world, THRONG_FIELD_STATE, &id, 1, &value));
    return (throng_agent_state)value;
}

static void a_free_path_is_straight(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    // Somebody stands beside the path, clear of it.
    const throng_agent_def defs[] = {walker(0, 0, 20, 0), walker(10, 0.6, 10, 0.6)};
    throng_agent_id ids[2];
    must(throng_agents_add(world, defs, 2, ids));
    for (int step = 0; step < 200; step++) {
        must(throng_world_step(world, 0.1));
        double place[2];
        place_of(world, ids[0], place);
        if (fabs(place[1]) >= 0.01) fail_msg("%.4f m off the line at x = %.2f", place[1], place[0]);
    }
    assert_int_equal(state_of(world, ids[0]), THRONG_AGENT_ARRIVED);
    throng_world_destroy(world);
}

/// Two head on, exactly: the places of both over time.
static void meet(uint32_t side, double time_step, double places[][4], int steps) {
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def defs[] = {walker(-8, 0, 8, 0), walker(8, 0, -8, 0)};
    defs[0].side = defs[1].side = side;
    throng_agent_id ids[2];
    must(throng_agents_add(world, defs, 2, ids));
    for (int step = 0; step < steps; step++) {
        must(throng_world_step(world, time_step));
        place_of(world, ids[0], places[step]);
        place_of(world, ids[1], places[step] + 2);
    }
    throng_world_destroy(world);
}

enum { MEET_STEPS = 3000 };
static double right[MEET_STEPS][4], left[MEET_STEPS][4];

static void two_pass_on_their_side(void **state) {
    (void)state;
    static const double time_steps[] = {0.01, 0.02, 0.1, 0.25};
    for (size_t s = 0; s < sizeof time_steps / sizeof time_steps[0]; s++) {
        const int steps = (int)(30.0 / time_steps[s]);
        meet(THRONG_SIDE_RIGHT, time_steps[s], right, steps);
        meet(THRONG_SIDE_LEFT, time_steps[s], left, steps);
        for (int i = 0; i < steps; i++) {
            // Each is the other turned by half a circle.
            assert_true(right[i][0] == -right[i][2] && right[i][1] == -right[i][3]);
            if (left[i][0] > -1.0 && left[i][0] < 1.0) assert_true(left[i][1] > 0.2);
            if (right[i][0] > -1.0 && right[i][0] < 1.0 && right[i][1] > -0.2) {
                fail_msg("at y = %.3f m where they meet, steps of %g s", right[i][1], time_steps[s]);
            }
        }
        if (fabs(right[steps - 1][0] - 8.0) > 0.01) {
            fail_msg("still at x = %.3f m with steps of %g s", right[steps - 1][0], time_steps[s]);
        }
    }
}

static const throng_event *stuck_event(const throng_world *world, throng_agent_id agent) {
    const throng_event *events;
    uint32_t count;
    must(throng_world_events(world, &events, &count));
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].kind == THRONG_EVENT_STUCK && events[i].agent.index == agent.index) return &events[i];
    }
    return NULL;
}

static void who_keeps_to_no_side_is_told_stuck_and_gets_by(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def defs[] = {walker(-4, 0, 4, 0), walker(4, 0, -4, 0)};
    for (int i = 0; i < 2; i++) {
        defs[i].side = THRONG_SIDE_NONE;
        defs[i].stuck_time = 3.0f;
    }
    throng_agent_id ids[2];
    must(throng_agents_add(world, defs, 2, ids));
    int told = 0;
    for (int step = 1; step <= 200; step++) {
        must(throng_world_step(world, 0.1));
        const throng_event *event = stuck_event(world, ids[0]);
        if (!event) continue;
        told++;
        assert_int_equal(event->reason, THRONG_STUCK_JAM);
        assert_int_equal(event->other.index, ids[1].index);
        assert_true(fabsf(event->value - 4.25f) < 0.1f); // they stand a radius from the middle
        assert_int_equal(state_of(world, ids[0]), THRONG_AGENT_STUCK);
        assert_in_range(step, 50, 80); // 3 s of walking, then stuck_time
    }
    assert_int_equal(told, 1);
    // Later one of them steps aside.
    for (int step = 0; step < 200; step++) must(throng_world_step(world, 0.1));
    for (int i = 0; i < 2; i++) assert_int_equal(state_of(world, ids[i]), THRONG_AGENT_ARRIVED);
    throng_world_destroy(world);
}

static void the_reason_is_told(void **state) {
    (void)state;
    const double solid[] = {3, -1, 5, -1, 5, 1, 3, 1};
    const double line[] = {-3, 1, -3, -1, -1, -1, -1, 1, -3, 1};
    const throng_wall walls[] = {
        {.kind = THRONG_WALL_SOLID, .point_count = 4, .points = solid, .layer = UINT32_MAX},
        {.kind = THRONG_WALL_LINE, .point_count = 5, .points = line, .layer = UINT32_MAX},
    };
    throng_map *map = map_of(walls, 2);
    throng_world *world = make_world(NULL, map);
    // Into a solid; out of a pen through its bottom.
    const throng_agent_def defs[] = {walker(0, 0, 4, 0), walker(-2, 0, -2, -5)};
    throng_agent_id ids[2];
    must(throng_agents_add(world, defs, 2, ids));
    throng_stuck_reason reasons[2] = {THRONG_STUCK_NOT, THRONG_STUCK_NOT};
    for (int step = 0; step < 200; step++) {
        must(throng_world_step(world, 0.1));
        for (int i = 0; i < 2; i++) {
            const throng_event *event = stuck_event(world, ids[i]);
            if (event) reasons[i] = event->reason;
        }
    }
    assert_int_equal(reasons[0], THRONG_STUCK_UNREACHABLE);
    assert_int_equal(reasons[1], THRONG_STUCK_WALLS);
    throng_world_destroy(world);
    throng_map_release(map);
}

static void a_fixed_velocity_is_left_alone(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def defs[] = {walker(-2, 0, 0, 0), walker(2, 0, 0, 0)};
    for (int i = 0; i < 2; i++) {
        defs[i].target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = i ? -1.3 : 1.3};
        defs[i].stuck_time = 1.0f;
    }
    throng_agent_id ids[2];
    must(throng_agents_add(world, defs, 2, ids));
    for (int step = 0; step < 100; step++) {
        must(throng_world_step(world, 0.1));
        float wish[2][2];
        must(throng_agents_read(world, THRONG_FIELD_PREFERRED_VELOCITY, ids, 2, wish));
        assert_true(wish[0][0] == 1.3f && wish[0][1] == 0.0f && wish[1][0] == -1.3f && wish[1][1] == 0.0f);
        assert_null(stuck_event(world, ids[0]));
    }
    throng_world_destroy(world);
}

static void those_with_one_goal_settle(void **state) {
    (void)state;
    enum { COUNT = 30 };
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def defs[COUNT];
    throng_agent_id ids[COUNT];
    for (int i = 0; i < COUNT; i++) defs[i] = walker(i % 6 * 2.0 - 5.0, i / 6 * 2.0 - 4.0 + 0.1 * (i % 6), 0.3, 0.2);
    must(throng_agents_add(world, defs, COUNT, ids));
    for (int step = 0; step < 600; step++) must(throng_world_step(world, 0.1));
    throng_view view;
    must(throng_world_view(world, &view));
    double speed = 0.0, square = 0.0;
    for (uint32_t row = 0; row < COUNT; row++) {
        speed += hypot((double)view.velocity_x[row], (double)view.velocity_y[row]) / COUNT;
        square += (pow(view.x[row] - 0.3, 2) + pow(view.y[row] - 0.2, 2)) / COUNT;
        const throng_agent_state got = state_of(world, view.ids[row]);
        if (got != THRONG_AGENT_ARRIVED) fail_msg("row %u is in state %d", row, (int)got);
    }
    if (speed >= 0.01) fail_msg("they move at %.4f m/s in the mean", speed);
    // A disc of 30 bodies in close packing (0.9069) has this radius; twice the mean square is a disc's radius squared.
    const double least = 0.25 * sqrt(COUNT / 0.9069), radius = sqrt(2.0 * square);
    if (radius > 1.4 * least) fail_msg("they fill a disc of %.3f m, %.3f m would do", radius, least);
    throng_world_destroy(world);
}

/// The wish of an agent that walks behind a row of others, standing, at a distance.
static float wish_behind(uint32_t response, int others) {
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def defs[10];
    throng_agent_id ids[10];
    defs[0] = walker(0, 0, 100, 0);
    defs[0].density_response = response;
    defs[0].side = THRONG_SIDE_NONE;
    for (int i = 1; i <= others; i++) {
        defs[i] = throng_default_agent_def();
        defs[i].position[0] = 0.6 + 0.55 * ((i - 1) / 3);
        defs[i].position[1] = ((i - 1) % 3 - 1) * 0.55;
    }
    must(throng_agents_add(world, defs, (uint32_t)others + 1, ids));
    must(throng_world_step(world, 0.1));
    float wish[2];
    must(throng_agents_read(world, THRONG_FIELD_PREFERRED_VELOCITY, ids, 1, wish));
    throng_world_destroy(world);
    return hypotf(wish[0], wish[1]);
}

static void density_slows_those_who_ask(void **state) {
    (void)state;
    assert_true(wish_behind(THRONG_DENSITY_NONE, 9) == 1.3f);
    assert_true(fabsf(wish_behind(THRONG_DENSITY_WEIDMANN, 0) - 1.3f) < 0.001f);
    const float few = wish_behind(THRONG_DENSITY_WEIDMANN, 3), many = wish_behind(THRONG_DENSITY_WEIDMANN, 9);
    if (!(few < 1.25f && many < 0.7f * few && many > 0.05f)) fail_msg("%.3f m/s behind 3, %.3f behind 9", few, many);
}

/// A world with a table that is Weidmann's curve, roughly, and one that stops everybody.
static throng_world *make_table_world(void) {
    static const float like_weidmann[] = {0, 1, 1, 0.7896f, 2, 0.4524f, 3, 0.2468f, 4, 0.1166f, 5.4f, 0},
                       still[] = {1, 0};
    const throng_density_table tables[] = {{.point_count = 6, .points = like_weidmann},
                                           {.point_count = 1, .points = still}};
    throng_world_def def = throng_default_world_def();
    def.density_tables = tables;
    def.density_table_count = 2;
    throng_world *world;
    must(throng_world_create(&def, &world));
    return world;
}

static void density_tables_are_walked_by(void **state) {
    (void)state;
    throng_world *world = make_table_world();
    throng_agent_def defs[10];
    throng_agent_id ids[10];
    float wish[3];
    for (uint32_t response = 0; response < 3; response++) {
        defs[0] = walker(0, 0, 100, 0);
        defs[0].density_response = THRONG_DENSITY_WEIDMANN + response;
        defs[0].side = THRONG_SIDE_NONE;
        for (int i = 1; i < 10; i++) {
            defs[i] = throng_default_agent_def();
            defs[i].position[0] = 0.6 + 0.55 * ((i - 1) / 3);
            defs[i].position[1] = ((i - 1) % 3 - 1) * 0.55;
        }
        must(throng_agents_add(world, defs, 10, ids));
        must(throng_world_step(world, 0.1));
        float velocity[2];
        must(throng_agents_read(world, THRONG_FIELD_PREFERRED_VELOCITY, ids, 1, velocity));
        wish[response] = hypotf(velocity[0], velocity[1]);
        must(throng_agents_remove(world, ids, 10));
    }
    // Chords of a curve of this bend are within 0.03 of it.
    if (!(fabsf(wish[1] - wish[0]) < 0.04f && wish[0] > 0.05f)) {
        fail_msg("Weidmann %.4f m/s, its table %.4f m/s", wish[0], wish[1]);
    }
    assert_true(wish[2] == 0.0f);
    throng_world_destroy(world);
}

static void density_tables_are_checked(void **state) {
    (void)state;
    static const float falling[] = {1, 1, 1, 0.5f}, negative[] = {-1, 1}, faster[] = {0, 1.5f},
                       not_a_number[] = {NAN, 1};
    const struct {
        uint32_t count;
        const float *points;
        throng_result result;
    } wrong[] = {{2, falling, THRONG_ERROR_VALUE}, {1, negative, THRONG_ERROR_VALUE},
                 {1, faster, THRONG_ERROR_VALUE},  {1, not_a_number, THRONG_ERROR_VALUE},
                 {0, falling, THRONG_ERROR_VALUE}, {257, falling, THRONG_ERROR_VALUE},
                 {1, NULL, THRONG_ERROR_ARGUMENT}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        static const float good[] = {0, 1};
        const throng_density_table tables[] = {{1, good}, {wrong[i].count, wrong[i].points}};
        throng_world_def def = throng_default_world_def();
        def.density_tables = tables;
        def.density_table_count = 2;
        throng_world *world = NULL;
        const throng_result result = throng_world_create(&def, &world);
        if (result != wrong[i].result) fail_msg("table %zu: %s", i, throng_result_name(result));
        assert_null(world);
        assert_int_equal(throng_last_error()->item, 1);
    }
    throng_world *world = make_table_world(), *plain = make_world(NULL, NULL);
    throng_agent_def def = throng_default_agent_def();
    throng_agent_id id;
    def.density_response = THRONG_DENSITY_TABLE + 2;
    assert_int_equal(throng_agents_add(world, &def, 1, &id), THRONG_ERROR_ARGUMENT);
    def.density_response = THRONG_DENSITY_TABLE + 1;
    assert_int_equal(throng_agents_add(plain, &def, 1, &id), THRONG_ERROR_ARGUMENT);
    must(throng_agents_add(world, &def, 1, &id));
    // A snapshot needs the tables that its agents name.
    assert_int_equal(load_from(plain, world), THRONG_ERROR_SNAPSHOT);
    throng_world *same = make_table_world();
    must(load_from(same, world));
    throng_hashes a, b;
    must(throng_world_hash(world, &a));
    must(throng_world_hash(same, &b));
    assert_true(a.whole == b.whole);
    throng_world_destroy(same);
    throng_world_destroy(plain);
    throng_world_destroy(world);
}

static void sides_responses_and_stuck_times_are_checked(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def def = throng_default_agent_def();
    throng_agent_id id;
    def.side = 3;
    assert_int_equal(throng_agents_add(world, &def, 1, &id), THRONG_ERROR_ARGUMENT);
    def.side = THRONG_SIDE_LEFT;
    def.density_response = 9;
    assert_int_equal(throng_agents_add(world, &def, 1, &id), THRONG_ERROR_ARGUMENT);
    def.density_response = THRONG_DENSITY_NONE;
    def.stuck_time = -1.0f;
    assert_int_equal(throng_agents_add(world, &def, 1, &id), THRONG_ERROR_VALUE);
    def.stuck_time = INFINITY;
    must(throng_agents_add(world, &def, 1, &id));
    uint32_t side = 7;
    assert_int_equal(throng_agents_write(world, THRONG_FIELD_SIDE, &id, 1, &side), THRONG_ERROR_ARGUMENT);
    must(throng_agents_read(world, THRONG_FIELD_SIDE, &id, 1, &side));
    assert_int_equal(side, THRONG_SIDE_LEFT);
    assert_int_equal(state_of(world, id), THRONG_AGENT_IDLE);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_path_is_straight),
        cmocka_unit_test(two_pass_on_their_side),
        cmocka_unit_test(who_keeps_to_no_side_is_told_stuck_and_gets_by),
        cmocka_unit_test(the_reason_is_told),
        cmocka_unit_test(a_fixed_velocity_is_left_alone),
        cmocka_unit_test(those_with_one_goal_settle),
        cmocka_unit_test(density_slows_those_who_ask),
        cmocka_unit_test(density_tables_are_walked_by),
        cmocka_unit_test(density_tables_are_checked),
        cmocka_unit_test(sides_responses_and_stuck_times_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
