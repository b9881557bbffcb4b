// Supports: a crowd on a moving platform moves as on the ground, belts carry, and people on different supports see each
// other's velocities in the world.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/worlds.h"

#include <stdio.h>

static const double dt = 0.1;

static throng_support_id add_support(throng_world *world, const throng_support_def *def) {
    throng_support_id id;
    must(throng_supports_add(world, def, 1, &id));
    return id;
}

static throng_support_id add_belt(throng_world *world, const double *outline, uint32_t points, double vx, double vy) {
    throng_support_def def = throng_default_support_def();
    def.kind = THRONG_SUPPORT_BELT;
    def.outline = outline;
    def.outline_count = points;
    def.motion.velocity[0] = vx;
    def.motion.velocity[1] = vy;
    return add_support(world, &def);
}

// ---- headings

static void headings_are_sines_and_cosines(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        const double range = i % 4 == 0 ? 1e-6 : i % 4 == 1 ? 4.0 : i % 4 == 2 ? 100.0 : 1e4;
        const double angle = random_between(&seed, -range, range);
        double heading[2];
        throng_heading(angle, heading);
        const double error = fmax(fabs(heading[0] - cos(angle)), fabs(heading[1] - sin(angle)));
        const double allowed = 4e-15 + 3e-16 * fabs(angle); // of the angle's own digits whole turns leave fewer
        if (!(error <= allowed)) fail_msg("heading of %.17g is off by %g", angle, error);
        const double length = heading[0] * heading[0] + heading[1] * heading[1];
        if (!(fabs(length - 1.0) < 1e-15)) fail_msg("heading of %.17g has length² 1 + %g", angle, length - 1.0);
    }
}

// ---- a crowd in a frame

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

// What is read and written again changes nothing, however often a heading was turned.
static void a_motion_can_be_read_and_written(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_support_def def = throng_default_support_def();
    def.motion.turn_rate = 0.37;
    const throng_support_id id = add_support(world, &def);
    for (int step = 0; step < 2000; step++) {
        throng_support_motion before, after;
        must(throng_world_step(world, dt));
        must(throng_support_read(world, id, &before));
        must(throng_supports_move(world, &id, &before, 1));
        must(throng_support_read(world, id, &after));
        if (memcmp(&before, &after, sizeof before) != 0)
            fail_msg("step %d: (%.17g, %.17g)", step, before.heading[0], before.heading[1]);
    }
    throng_world_destroy(world);
}

// Places and velocities in the agents' own frames, by creation number.
static void read_own(const throng_world *world, const throng_agent_id *ids, double places[2 * CROWD],
                     float velocities[2 * CROWD]) {
    must(throng_agents_read(world, THRONG_FIELD_POSITION, ids, CROWD, places));
    must(throng_agents_read(world, THRONG_FIELD_VELOCITY, ids, CROWD, velocities));
}

static throng_support_motion turning_ride(void) {
    throng_support_motion motion = {.position = {37.0, -12.0},
                                    .velocity = {4.0, 3.0}, // 5 m/s
                                    .turn_rate = 10.0 * 3.14159265358979323846 / 180.0};
    throng_heading(0.7, motion.heading);
    return motion;
}

static const double deck[] = {-50, -50, 50, -50, 50, 50, -50, 50};

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
    throng_support_def def = throng_default_support_def();
    def.motion = turning_ride();
    def.walls = furniture;
    def.wall_count = wall_count;
    must(throng_world_add_walls(still, furniture, wall_count, NULL));
    def.outline = deck;
    def.outline_count = 4;
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
    throng_support_def def = throng_default_support_def();
    def.motion = turning_ride();
    def.outline = deck;
    def.outline_count = 4;
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

// ---- belts

static const double walkway[] = {10, -1, 30, -1, 30, 1, 10, 1};

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

// ---- stepping on and off

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
    throng_support_def def = throng_default_support_def();
    def.motion = turning_ride();
    def.motion.position[0] = 500.0;
    def.outline = deck;
    def.outline_count = 4;
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
    throng_support_def def = throng_default_support_def();
    def.motion = turning_ride();
    def.outline = deck;
    def.outline_count = 4;
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

// A raft that turns slowly through a crowd, a belt beside it, and people on their way over both.
static throng_world *busy_world(const throng_world_def *def) {
    static const double raft[] = {-4, -4, 4, -4, 4, 4, -4, 4}, rail[] = {-4, 4, -4, -4, 4, -4};
    const throng_wall rails = {.kind = THRONG_WALL_LINE, .point_count = 3, .points = rail, .layer = 1};
    throng_world *world = make_world(def, NULL);
    throng_support_def platform = throng_default_support_def();
    platform.motion = turning_ride();
    platform.motion.position[0] = platform.motion.position[1] = 0.0;
    platform.motion.velocity[0] = 0.5;
    platform.motion.velocity[1] = 0.0;
    platform.outline = raft;
    platform.outline_count = 4;
    platform.walls = &rails;
    platform.wall_count = 1;
    const throng_support_id gone = add_support(world, &platform);
    must(throng_supports_remove(world, &gone, 1));
    const throng_support_id on = add_support(world, &platform);
    add_belt(world, walkway, 4, -0.5, 0.2);
    throng_agent_id ids[400];
    add_crowd(world, 3, 400, 5.0, 0.0, 40.0, ids);
    const throng_target target = {.kind = THRONG_TARGET_POINT, .x = 1.0, .y = -1.0, .support = on};
    for (int i = 0; i < 400; i += 20) must(throng_agents_write(world, THRONG_FIELD_TARGET, &ids[i], 1, &target));
    must(throng_agents_park(world, ids + 10, 5, true));
    return world;
}

static void threads_and_kernels_agree_on_supports(void **state) {
    (void)state;
    uint64_t whole = 0;
    for (int run = 0; run < 3; run++) {
        throng_world_def def = throng_default_world_def();
        def.threads = run == 1 ? 3 : 1;
        def.kernel = run == 2 ? "scalar" : NULL;
        throng_world *world = busy_world(&def);
        for (int step = 0; step < 60; step++) must(throng_world_step(world, dt));
        const throng_hashes hashes = hashes_of(world);
        if (run == 0) whole = hashes.whole;
        if (hashes.whole != whole) fail_msg("run %d differs", run);
        throng_world_destroy(world);
    }
}

static void a_snapshot_at_every_step_holds_supports(void **state) {
    (void)state;
    throng_world *plain = busy_world(NULL), *saved = busy_world(NULL);
    uint32_t on = 0;
    for (int step = 0; step < 60; step++) {
        must(throng_world_step(plain, dt));
        must(throng_world_step(saved, dt));
        size_t size;
        must(throng_world_save(saved, NULL, 0, &size));
        unsigned char *image = malloc(size);
        assert_non_null(image);
        must(throng_world_save(saved, image, size, &size));
        throng_world *fresh = make_world(NULL, NULL);
        must(throng_world_load(fresh, image, size));
        // Each byte that is wrong is told, and nothing changes then.
        image[size - 40] ^= 1;
        assert_int_equal(throng_world_load(fresh, image, size), THRONG_ERROR_SNAPSHOT);
        free(image);
        throng_world_destroy(saved);
        saved = fresh;
        assert_same_state(plain, saved, "after restoring");
        const throng_view a = view_of(plain), b = view_of(saved);
        assert_int_equal(a.count, b.count);
        for (uint32_t row = 0; row < a.count; row++) {
            uint32_t other;
            must(throng_agent_row(saved, a.ids[row], &other));
            assert_true(a.x[row] == b.x[other] && a.y[row] == b.y[other]);
            assert_true(a.velocity_x[row] == b.velocity_x[other] && a.velocity_y[row] == b.velocity_y[other]);
        }
        throng_support_id supports[400];
        must(throng_agents_read(plain, THRONG_FIELD_SUPPORT, NULL, a.count, supports));
        for (int i = 0; i < 400; i++) on += supports[i].index != 0;
    }
    assert_true(on > 1000); // people are on them, and the test is about something
    throng_world_destroy(plain);
    throng_world_destroy(saved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headings_are_sines_and_cosines),
        cmocka_unit_test(a_motion_can_be_read_and_written),
        cmocka_unit_test(crowd_on_a_turning_platform_moves_as_on_the_ground),
        cmocka_unit_test(crowd_beside_another_platform_moves_as_on_the_ground),
        cmocka_unit_test(crowd_among_walls_of_a_turning_platform_moves_as_on_the_ground),
        cmocka_unit_test(the_view_speaks_of_the_world),
        cmocka_unit_test(walkway_of_half_a_metre_a_second_gains_half_a_metre_a_second),
        cmocka_unit_test(who_stands_on_a_belt_is_carried_off_it),
        cmocka_unit_test(people_on_opposite_escalators_see_each_other_in_the_world),
        cmocka_unit_test(on_and_off_the_velocity_in_the_world_stays),
        cmocka_unit_test(one_boards_rides_and_gets_off),
        cmocka_unit_test(supports_far_away_change_nothing),
        cmocka_unit_test(who_is_on_a_support_that_goes_stands_on_the_ground),
        cmocka_unit_test(threads_and_kernels_agree_on_supports),
        cmocka_unit_test(a_snapshot_at_every_step_holds_supports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
