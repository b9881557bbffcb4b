// Platforms: a crowd on one that moves does as on the ground, one boards and gets off, and who cannot meet one does not
// notice it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support_cases.h"

enum { CROWD = 50 };

// A crowd within 8 m x 8 m, each on its way across.
static void fill_crowd(throng_agent_def defs[CROWD], throng_support_id support) {
    uint64_t seed = 7;
    for (int i = 0; i < CROWD; i++) {
        defs[i] = random_agent(&seed, 0.0, 0.0, 8.0);
        defs[i].support = support;
        defs[i].target.support = support;
        if (i % 10 == 9) memcpy(defs[i].position, defs[i - 1].position, sizeof defs[i].position);
    }
}

// Places and velocities in the agents' own frames, by creation number.
static void read_own(const throng_world *world, const throng_agent_id *ids, double places[2 * CROWD],
                     float velocities[2 * CROWD]) {
    must(throng_agents_read(world, THRONG_FIELD_POSITION, ids, CROWD, places));
    must(throng_agents_read(world, THRONG_FIELD_VELOCITY, ids, CROWD, velocities));
}

static const double deck[] = {-50, -50, 50, -50, 50, 50, -50, 50};

static throng_support_def turning_deck(void) {
    throng_support_def def = throng_default_support_def();
    def.motion = turning_ride();
    def.outline = deck;
    def.outline_count = 4;
    return def;
}

static const double cabin[] = {-6, -6, 6, -6, 6, 6, -6, 6}, pillar[] = {-1, -1, 1, -1, 0.5, 1.5};
static const double counter[] = {-4, -3, -2, -3, -2, -5};
static const throng_wall furniture[] = {{.kind = THRONG_WALL_ENCLOSURE, .point_count = 4, .points = cabin, .layer = 3},
                                        {.kind = THRONG_WALL_SOLID, .point_count = 3, .points = pillar, .layer = 3},
                                        {.kind = THRONG_WALL_LINE, .point_count = 3, .points = counter, .layer = 1}};
enum { FURNITURE = sizeof furniture / sizeof furniture[0] };

// People on another platform that moves alike, at the same places, and whom nobody heeds.
static void add_unheeded(throng_world *world, throng_support_def def) {
    throng_agent_def defs[CROWD];
    def.wall_count = 0;
    fill_crowd(defs, add_support(world, &def));
    for (int i = 0; i < CROWD; i++) defs[i].layer = defs[i].mask = 8;
    must(throng_agents_add(world, defs, CROWD, NULL));
}

static void compare_crowds(uint32_t wall_count, bool among_others) {
    throng_world *still = make_world(NULL, NULL), *riding = make_world(NULL, NULL);
    throng_support_def def = turning_deck();
    def.walls = furniture;
    def.wall_count = wall_count;
    must(throng_world_add_walls(still, furniture, wall_count, NULL));
    const throng_support_id platform = add_support(riding, &def);
    throng_agent_def defs[CROWD];
    throng_agent_id still_ids[CROWD], riding_ids[CROWD];
    fill_crowd(defs, (throng_support_id){0});
    must(throng_agents_add(still, defs, CROWD, still_ids));
    fill_crowd(defs, platform);
    must(throng_agents_add(riding, defs, CROWD, riding_ids));
    if (among_others) add_unheeded(riding, def);
    for (int step = 0; step < 300; step++) {
        must(throng_world_step(still, dt));
        must(throng_world_step(riding, dt));
        double places[2][2 * CROWD];
        float velocities[2][2 * CROWD];
        read_own(still, still_ids, places[0], velocities[0]);
        read_own(riding, riding_ids, places[1], velocities[1]);
        for (int i = 0; i < 2 * CROWD; i++) {
            if (places[0][i] != places[1][i] || velocities[0][i] != velocities[1][i]) {
                fail_msg("step %d, agent %d: at %.17g on the ground and at %.17g on the platform", step, i / 2,
                         places[0][i], places[1][i]);
            }
        }
    }
    // And the platform went where it should: a straight line, turned.
    throng_support_motion now;
    must(throng_support_read(riding, platform, &now));
    assert_true(fabs(now.position[0] - (37.0 + 30.0 * 4.0)) < 1e-9 && fabs(now.position[1] - (-12.0 + 90.0)) < 1e-9);
    double heading[2];
    throng_heading(0.7 + 30.0 * def.motion.turn_rate, heading);
    assert_true(fabs(now.heading[0] - heading[0]) < 1e-12 && fabs(now.heading[1] - heading[1]) < 1e-12);
    throng_world_destroy(still);
    throng_world_destroy(riding);
}

static void crowd_on_a_turning_platform_moves_as_on_the_ground(void **state) {
    (void)state;
    compare_crowds(0, false);
}

static void crowd_beside_another_platform_moves_as_on_the_ground(void **state) {
    (void)state;
    compare_crowds(0, true);
}

static void crowd_among_walls_of_a_turning_platform_moves_as_on_the_ground(void **state) {
    (void)state;
    compare_crowds(FURNITURE, false);
}

static void the_view_speaks_of_the_world(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    const throng_support_def def = turning_deck();
    throng_agent_def agent = throng_default_agent_def();
    agent.support = add_support(world, &def);
    agent.position[0] = 6.0;
    agent.position[1] = -2.0;
    throng_agent_id id;
    must(throng_agents_add(world, &agent, 1, &id));
    for (int step = 0; step < 40; step++) {
        const throng_view before = view_of(world);
        const double x = before.x[0], y = before.y[0];
        throng_support_motion now;
        must(throng_support_read(world, agent.support, &now));
        const double rx = x - now.position[0], ry = y - now.position[1];
        assert_true(fabs(rx * rx + ry * ry - 40.0) < 1e-9);
        const double vx = 4.0 - now.turn_rate * ry, vy = 3.0 + now.turn_rate * rx;
        if (!(fabs(before.velocity_x[0] - vx) < 1e-5 && fabs(before.velocity_y[0] - vy) < 1e-5)) {
            fail_msg("step %d: carried at (%g, %g) m/s, should be (%g, %g)", step, before.velocity_x[0],
                     before.velocity_y[0], vx, vy);
        }
        must(throng_world_step(world, 0.01));
        const throng_view after = view_of(world);
        // Second order of a turn of 0.1 degrees at 6.3 m.
        assert_true(fabs(after.x[0] - x - 0.01 * vx) < 1e-4 && fabs(after.y[0] - y - 0.01 * vy) < 1e-4);
        // Queries, too.
        throng_query_hit hit;
        uint32_t count;
        must(throng_query_nearest(world, after.x[0], after.y[0], 0.5f, NULL, &hit, 1, &count));
        assert_int_equal(count, 1);
    }
    throng_world_destroy(world);
}

// A ferry with a rail around it but for a gap: one walks aboard, is carried over, and walks off; one runs at the rail.
static void one_boards_rides_and_gets_off(void **state) {
    (void)state;
    static const double ferry[] = {0, -2, 6, -2, 6, 2, 0, 2};
    static const double bow[] = {0, 0.8, 0, 2, 6, 2, 6, 0.8}, stern[] = {0, -0.8, 0, -2, 6, -2, 6, -0.8};
    const throng_wall rails[] = {{.kind = THRONG_WALL_LINE, .point_count = 4, .points = bow, .layer = 1},
                                 {.kind = THRONG_WALL_LINE, .point_count = 4, .points = stern, .layer = 1}};
    throng_world *world = make_world(NULL, NULL);
    throng_support_def def = throng_default_support_def();
    def.outline = ferry;
    def.outline_count = 4;
    def.walls = rails;
    def.wall_count = 2;
    const throng_support_id id = add_support(world, &def);
    throng_agent_def people[2] = {throng_default_agent_def(), throng_default_agent_def()};
    people[0].position[0] = people[1].position[0] = -3.0;
    people[1].position[1] = 1.4;
    for (int i = 0; i < 2; i++) people[i].target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = 1.0};
    throng_agent_id ids[2];
    must(throng_agents_add(world, people, 2, ids));
    bool aboard = false, off = false;
    for (int step = 0; step < 400; step++) {
        throng_support_motion motion = {.heading = {1, 0}};
        must(throng_support_read(world, id, &motion));
        // It waits for ten seconds, crosses forty metres, and waits again.
        motion.velocity[0] = step >= 100 && step < 200 ? 4.0 : 0.0;
        must(throng_supports_move(world, &id, &motion, 1));
        if (step == 55 || step == 210) {
            const throng_target target = {.kind = THRONG_TARGET_VELOCITY, .x = step == 55 ? 0.0 : 1.0};
            must(throng_agents_write(world, THRONG_FIELD_TARGET, ids, 1, &target));
        }
        must(throng_world_step(world, dt));
        throng_support_id on[2];
        uint32_t row;
        must(throng_agents_read(world, THRONG_FIELD_SUPPORT, ids, 2, on));
        must(throng_agent_row(world, ids[0], &row));
        const throng_view view = view_of(world);
        if (step > 60 && step < 210) {
            assert_int_equal(on[0].index, id.index);
            if (step > 100 && step < 200) assert_true(view.velocity_x[row] == 4.0f);
            aboard = true;
        }
        if (step > 300) {
            assert_int_equal(on[0].index, 0);
            assert_true(view.x[row] > 46.0);
            off = true;
        }
        // The other stands before the rail and never gets through it; the ferry leaves it behind.
        assert_int_equal(on[1].index, 0);
        double place[2];
        must(throng_agents_read(world, THRONG_FIELD_POSITION, &ids[1], 1, place));
        if (step < 100) assert_true(place[0] < -0.25 + 1e-6);
    }
    assert_true(aboard && off);
    throng_world_destroy(world);
}

// A crowd on the ground does not notice supports that it cannot meet.
static void supports_far_away_change_nothing(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_world *alone = make_world(NULL, map), *beside = make_world(NULL, map);
    throng_agent_id ids[2][CROWD];
    add_crowd(alone, 9, CROWD, 0, 0, 28, ids[0]);
    add_crowd(beside, 9, CROWD, 0, 0, 28, ids[1]);
    throng_support_def def = turning_deck();
    def.motion.position[0] = 500.0;
    def.walls = furniture;
    def.wall_count = FURNITURE;
    throng_agent_def rider = throng_default_agent_def();
    rider.support = add_support(beside, &def);
    rider.position[0] = 3.0;
    must(throng_agents_add(beside, &rider, 1, NULL));
    for (int step = 0; step < 100; step++) {
        must(throng_world_step(alone, dt));
        must(throng_world_step(beside, dt));
        double places[2][2 * CROWD];
        float velocities[2][2 * CROWD];
        read_own(alone, ids[0], places[0], velocities[0]);
        read_own(beside, ids[1], places[1], velocities[1]);
        for (int i = 0; i < 2 * CROWD; i++) {
            if (places[0][i] == places[1][i] && velocities[0][i] == velocities[1][i]) continue;
            fail_msg("step %d, agent %d: %.17g alone, %.17g beside", step, i / 2, places[0][i], places[1][i]);
        }
    }
    throng_world_destroy(alone);
    throng_world_destroy(beside);
    throng_map_release(map);
}

static void who_is_on_a_support_that_goes_stands_on_the_ground(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    const throng_support_def def = turning_deck();
    const throng_support_id platform = add_support(world, &def);
    throng_agent_def defs[CROWD];
    throng_agent_id ids[CROWD];
    fill_crowd(defs, platform);
    must(throng_agents_add(world, defs, CROWD, ids));
    for (int step = 0; step < 20; step++) must(throng_world_step(world, dt));
    throng_view view = view_of(world);
    double x[CROWD], y[CROWD];
    for (uint32_t row = 0; row < CROWD; row++) {
        x[view.creation[row]] = view.x[row];
        y[view.creation[row]] = view.y[row];
    }
    must(throng_supports_remove(world, &platform, 1));
    view = view_of(world);
    for (uint32_t row = 0; row < CROWD; row++) {
        const uint64_t i = view.creation[row];
        assert_true(fabs(x[i] - view.x[row]) < 1e-8 && fabs(y[i] - view.y[row]) < 1e-8);
    }
    throng_support_id on[CROWD];
    throng_target targets[CROWD];
    must(throng_agents_read(world, THRONG_FIELD_SUPPORT, ids, CROWD, on));
    must(throng_agents_read(world, THRONG_FIELD_TARGET, ids, CROWD, targets));
    for (int i = 0; i < CROWD; i++) assert_true(on[i].index == 0 && targets[i].support.index == 0);
    assert_int_equal(throng_agents_write(world, THRONG_FIELD_SUPPORT, ids, 1, &platform), THRONG_ERROR_STALE_ID);
    for (int step = 0; step < 20; step++) must(throng_world_step(world, dt));
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crowd_on_a_turning_platform_moves_as_on_the_ground),
        cmocka_unit_test(crowd_beside_another_platform_moves_as_on_the_ground),
        cmocka_unit_test(crowd_among_walls_of_a_turning_platform_moves_as_on_the_ground),
        cmocka_unit_test(the_view_speaks_of_the_world),
        cmocka_unit_test(one_boards_rides_and_gets_off),
        cmocka_unit_test(supports_far_away_change_nothing),
        cmocka_unit_test(who_is_on_a_support_that_goes_stands_on_the_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
