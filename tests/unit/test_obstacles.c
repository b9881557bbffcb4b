// Obstacles that do not avoid: walls that move, discs that go their way, and what appears right in front of somebody.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/worlds.h"

static const double dt = 0.1;

// A platform that nobody steps on: walls that move.
static throng_support_id add_moving(throng_world *world, const throng_wall *walls, uint32_t count,
                                    throng_support_motion motion) {
    throng_support_def def = throng_default_support_def();
    if (motion.heading[0] == 0.0 && motion.heading[1] == 0.0) motion.heading[0] = 1.0;
    def.motion = motion;
    def.walls = walls;
    def.wall_count = count;
    throng_support_id id;
    must(throng_supports_add(world, &def, 1, &id));
    return id;
}

static throng_wall wall_of(throng_wall_kind kind, const double *points, uint32_t count) {
    return (throng_wall){.kind = kind, .point_count = count, .points = points, .layer = 1};
}

static throng_agent_id add_agent(throng_world *world, throng_agent_def def) {
    throng_agent_id id;
    must(throng_agents_add(world, &def, 1, &id));
    return id;
}

static throng_agent_def walker(double x, double y, double vx, double vy) {
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = x;
    def.position[1] = y;
    def.velocity[0] = (float)vx;
    def.velocity[1] = (float)vy;
    def.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = vx, .y = vy};
    return def;
}

static uint32_t events_of(const throng_world *world, throng_event_kind kind, float *largest) {
    const throng_event *events;
    uint32_t count, found = 0;
    must(throng_world_events(world, &events, &count));
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].kind != kind) continue;
        if (largest) *largest = fmaxf(*largest, events[i].value);
        ++found;
    }
    return found;
}

static throng_world *world_of_events(void) {
    throng_world_def def = throng_default_world_def();
    def.event_mask |= 1 << THRONG_EVENT_INFEASIBLE | 1 << THRONG_EVENT_CONTACT;
    return make_world(&def, NULL);
}

// ---- walls that move

static const double crate[] = {-1, -1, 1, -1, 1, 1, -1, 1};

// The half-planes of walls that move are those of the same walls at rest, seen by who moves the more, and the whole of
// the correction is the agent's.
static void walls_that_move_are_seen_by_their_relative_velocity(void **state) {
    (void)state;
    const throng_wall box = wall_of(THRONG_WALL_SOLID, crate, 4);
    throng_world *moving = make_world(NULL, NULL), *still = make_world(NULL, NULL);
    add_moving(moving, &box, 1, (throng_support_motion){.position = {5, 0.3}, .velocity = {-0.7, 0.4}});
    add_moving(still, &box, 1, (throng_support_motion){.position = {5, 0.3}});
    throng_agent_def fast = walker(2.0, 0.0, 1.2 + 0.7, -0.4);
    fast.max_speed = 1.6f + 0.80622577f; // so that both look as far
    const throng_agent_id a = add_agent(moving, walker(2.0, 0.0, 1.2, 0.0)), b = add_agent(still, fast);
    must(throng_world_refresh(moving));
    must(throng_world_refresh(still));
    throng_explanation seen, wanted;
    must(throng_query_explain(moving, a, dt, &seen));
    must(throng_query_explain(still, b, dt, &wanted));
    assert_true(wanted.wall_count > 0);
    assert_int_equal(seen.wall_count, wanted.wall_count);
    for (uint32_t i = 0; i < wanted.wall_count; i++) {
        const throng_half_plane p = seen.wall_planes[i], q = wanted.wall_planes[i];
        const float c = q.c + (q.nx * -0.7f + q.ny * 0.4f);
        if (!(fabsf(p.nx - q.nx) < 1e-5f && fabsf(p.ny - q.ny) < 1e-5f && fabsf(p.c - c) < 1e-5f)) {
            fail_msg("piece %u: (%g, %g, %g) in place of (%g, %g, %g)", i, p.nx, p.ny, p.c, q.nx, q.ny, c);
        }
    }
    throng_world_destroy(moving);
    throng_world_destroy(still);
}

// A long wall that comes on faster than somebody can walk takes it along.
static void a_wall_that_moves_takes_along_who_stands_before_it(void **state) {
    (void)state;
    static const double front[] = {0, -30, 0, 30};
    const throng_wall wall = wall_of(THRONG_WALL_LINE, front, 2);
    const double steps[] = {0.01, 0.1, 0.5, 2.0};
    for (int i = 0; i < 4; i++) {
        throng_world *world = make_world(NULL, NULL);
        add_moving(world, &wall, 1, (throng_support_motion){.position = {-2, 0}, .velocity = {3.0, 0}});
        throng_agent_def stands = throng_default_agent_def();
        stands.max_speed = 0.5f;
        const throng_agent_id id = add_agent(world, stands);
        for (double time = steps[i]; time < 4.05; time += steps[i]) {
            must(throng_world_step(world, steps[i]));
            double place[2];
            must(throng_agents_read(world, THRONG_FIELD_POSITION, &id, 1, place));
            const double gap = place[0] - (-2.0 + 3.0 * time) - 0.25;
            if (!(gap > -1e-7)) fail_msg("steps of %g s, %g s: %g m from the wall", steps[i], time, gap);
            if (time > 1.0 && gap > 0.6) fail_msg("steps of %g s, %g s: %g m ahead of the wall", steps[i], time, gap);
            const throng_view view = view_of(world);
            assert_true(view.velocity_x[0] <= 0.5f + 1e-6f); // never faster than it can
        }
        throng_world_destroy(world);
    }
}

// A bar that turns through a crowd: nobody is ever on its other side without having walked round its end, whatever the
// step, unless told as crushed.
static void nobody_passes_a_bar_that_turns(void **state) {
    (void)state;
    static const double bar[] = {-6, 0, 6, 0};
    const throng_wall wall = wall_of(THRONG_WALL_LINE, bar, 2);
    enum { CROWD = 120 };
    for (int run = 0; run < 3; run++) {
        const double step_time = run == 0 ? 0.05 : run == 1 ? 0.2 : 0.7;
        throng_world *world = world_of_events();
        const throng_support_id id =
            add_moving(world, &wall, 1, (throng_support_motion){.velocity = {0.3, -0.1}, .turn_rate = 0.6});
        throng_agent_def defs[CROWD];
        throng_agent_id ids[CROWD];
        uint64_t seed = 5;
        for (int i = 0; i < CROWD; i++) {
            defs[i] = walker(random_between(&seed, -8, 8), random_between(&seed, 0.6, 8), 0, 0);
            if (i % 2) defs[i].position[1] = -defs[i].position[1];
            defs[i].target = (throng_target){
                .kind = THRONG_TARGET_POINT, .x = random_between(&seed, -8, 8), .y = random_between(&seed, -8, 8)};
        }
        must(throng_agents_add(world, defs, CROWD, ids));
        double before[CROWD][2];
        int crossings = 0;
        for (int step = 0; step < 20.0 / step_time; step++) {
            throng_support_motion motion;
            double after[CROWD][2], places[CROWD][2];
            bool crushed[CROWD] = {0};
            if (step > 0) must(throng_world_step(world, step_time));
            must(throng_support_read(world, id, &motion));
            must(throng_agents_read(world, THRONG_FIELD_POSITION, ids, CROWD, places));
            const throng_event *events;
            uint32_t count;
            must(throng_world_events(world, &events, &count));
            for (uint32_t e = 0; e < count; e++) {
                for (int i = 0; i < CROWD; i++) {
                    if (events[e].kind == THRONG_EVENT_CRUSHED && events[e].agent.index == ids[i].index)
                        crushed[i] = true;
                }
            }
            for (int i = 0; i < CROWD; i++) {
                const double x = places[i][0] - motion.position[0], y = places[i][1] - motion.position[1];
                after[i][0] = motion.heading[0] * x + motion.heading[1] * y;
                after[i][1] = motion.heading[0] * y - motion.heading[1] * x;
                const double beyond = fmax(0.0, fabs(after[i][0]) - 6.0);
                const double distance = sqrt(beyond * beyond + after[i][1] * after[i][1]);
                if (step > 0 && !crushed[i] && !(distance > 0.25 - 1e-3 - 1e-6)) {
                    fail_msg("step %d of %g s, agent %d: %g m from the bar", step, step_time, i, distance);
                }
                if (step > 0 && (before[i][1] > 0) != (after[i][1] > 0)) {
                    // Where its way in the bar's frame crosses the bar's line.
                    const double part = before[i][1] / (before[i][1] - after[i][1]);
                    const double at = before[i][0] + part * (after[i][0] - before[i][0]);
                    if (fabs(at) < 6.0) fail_msg("step %d of %g s, agent %d passes at %g", step, step_time, i, at);
                    ++crossings;
                }
            }
            memcpy(before, after, sizeof before);
        }
        assert_true(crossings > 20); // round the ends
        throng_world_destroy(world);
    }
}

// Between a wall that comes on and one that stands there is no room in the end: told, and the still wall holds.
static void who_is_between_walls_that_close_is_told_as_crushed(void **state) {
    (void)state;
    static const double still[] = {0, -3, 0, 3}, front[] = {0, -3, 0, 3};
    const throng_wall stands = wall_of(THRONG_WALL_LINE, still, 2), comes = wall_of(THRONG_WALL_LINE, front, 2);
    throng_world *world = make_world(NULL, NULL);
    must(throng_world_add_walls(world, &stands, 1, NULL));
    add_moving(world, &comes, 1, (throng_support_motion){.position = {-2, 0}, .velocity = {1.0, 0}});
    throng_agent_def def = walker(-0.5, 0.0, 0, 0);
    def.max_speed = 0.2f;
    const throng_agent_id id = add_agent(world, def);
    bool crushed = false;
    for (int step = 1; step <= 17; step++) {
        must(throng_world_step(world, dt));
        double place[2];
        float deepest = 0.0f;
        must(throng_agents_read(world, THRONG_FIELD_POSITION, &id, 1, place));
        if (!(place[0] <= -0.25 + 1e-6)) fail_msg("step %d: within the still wall, x = %g", step, place[0]);
        const double room = 2.0 - dt * step;
        const uint32_t told = events_of(world, THRONG_EVENT_CRUSHED, &deepest);
        if (room > 0.5 + 1e-3 && told) fail_msg("crushed with %g m of room", room);
        if (room < 0.5 - 2e-3) {
            if (!told) fail_msg("not told as crushed with %g m of room", room);
            if (!(fabs(deepest - (0.5 - room)) < 0.01))
                fail_msg("%g m of overlap, %g m of room, x = %g", deepest, room, place[0]);
            throng_counters counters;
            must(throng_world_counters(world, &counters));
            assert_true(counters.wall_overlap >= deepest - 1e-6f);
            crushed = true;
        }
    }
    assert_true(crushed);
    throng_world_destroy(world);
}

// Somebody whom a solid is put on walks out of it.
static void who_is_within_a_solid_that_was_moved_walks_out(void **state) {
    (void)state;
    const throng_wall box = wall_of(THRONG_WALL_SOLID, crate, 4);
    throng_world *world = make_world(NULL, NULL);
    const throng_support_id id = add_moving(world, &box, 1, (throng_support_motion){.position = {9, 0}});
    const throng_agent_id inside = add_agent(world, walker(0.4, 0.0, 0, 0));
    must(throng_world_step(world, dt));
    const throng_support_motion here = {.heading = {1, 0}};
    must(throng_supports_move(world, &id, &here, 1));
    must(throng_world_step(world, dt));
    assert_int_equal(events_of(world, THRONG_EVENT_CRUSHED, NULL), 1);
    double before, place[2];
    must(throng_agents_read(world, THRONG_FIELD_POSITION, &inside, 1, place));
    before = place[0];
    assert_true(before - 0.4 <= 1.6 * dt + 1e-6);
    for (int step = 0; step < 20; step++) {
        must(throng_world_step(world, dt));
        must(throng_agents_read(world, THRONG_FIELD_POSITION, &inside, 1, place));
        assert_true(place[0] - before <= 1.6 * dt + 1e-6);
        before = place[0];
    }
    if (!(place[0] >= 1.25 - 1e-6)) fail_msg("stands at x = %g", place[0]);
    assert_int_equal(events_of(world, THRONG_EVENT_CRUSHED, NULL), 0);
    throng_world_destroy(world);
}

// ---- discs

// Who heeds nobody is a disc that does not avoid: it goes straight, and others take the whole correction.
static void discs_go_their_way_and_others_take_the_whole_correction(void **state) {
    (void)state;
    throng_world *world = world_of_events();
    throng_agent_def disc = walker(10.0, 0.05, -1.0, 0.0);
    disc.mask = 0;
    disc.radius = 0.6f;
    const throng_agent_id moving = add_agent(world, disc);
    disc = walker(4.0, -3.0, 0.0, 0.0);
    disc.mask = 0;
    disc.radius = 0.8f;
    const throng_agent_id still = add_agent(world, disc);
    const throng_agent_id people[2] = {add_agent(world, walker(0.0, 0.0, 1.3, 0.0)),
                                       add_agent(world, walker(0.0, -3.1, 1.3, 0.0))};
    must(throng_world_refresh(world));
    for (int step = 1; step <= 90; step++) {
        must(throng_world_step(world, dt));
        double at[2], stays[2];
        must(throng_agents_read(world, THRONG_FIELD_POSITION, &moving, 1, at));
        must(throng_agents_read(world, THRONG_FIELD_POSITION, &still, 1, stays));
        assert_true(fabs(at[0] - (10.0 - dt * step)) < 1e-5);
        assert_true(fabs(at[1] - 0.05) < 1e-7 && stays[0] == 4.0 && stays[1] == -3.0);
        assert_int_equal(events_of(world, THRONG_EVENT_CONTACT, NULL), 0);
    }
    for (int i = 0; i < 2; i++) {
        double place[2];
        must(throng_agents_read(world, THRONG_FIELD_POSITION, &people[i], 1, place));
        if (!(place[0] > 8.0)) fail_msg("agent %d got to x = %g", i, place[0]);
    }
    throng_world_destroy(world);
}

// ---- right in front

// A wall appears nearer than somebody can brake: the solve is infeasible and counted, it stops where its body meets the
// wall and nowhere behind it.
static void a_wall_that_appears_right_in_front_stops_the_body(void **state) {
    (void)state;
    static const double across[] = {0, -2, 0, 2};
    const throng_wall wall = wall_of(THRONG_WALL_LINE, across, 2);
    const double steps[] = {0.02, 0.1, 0.25, 1.0}, gaps[] = {0.001, 0.05, 0.2};
    for (int run = 0; run < 24; run++) {
        const double step_time = steps[run % 4], gap = gaps[run / 4 % 3];
        const bool as_support = run >= 12;
        throng_world *world = world_of_events();
        throng_agent_def def = walker(-0.25 - gap, 0.3, 2.0, 0.0);
        def.max_speed = 2.5f;
        def.max_acceleration = 0.5f; // stops within 4 m
        const throng_agent_id id = add_agent(world, def);
        if (as_support) {
            add_moving(world, &wall, 1, (throng_support_motion){0});
        } else {
            must(throng_world_add_walls(world, &wall, 1, NULL));
        }
        bool infeasible = false;
        double place[2];
        for (int step = 0; step < 12; step++) {
            must(throng_world_step(world, step_time));
            must(throng_agents_read(world, THRONG_FIELD_POSITION, &id, 1, place));
            infeasible |= events_of(world, THRONG_EVENT_INFEASIBLE, NULL) > 0;
            throng_counters counters;
            must(throng_world_counters(world, &counters));
            assert_true(!infeasible || counters.infeasible_total > 0);
            if (!(place[0] < -0.25 + 1e-7)) fail_msg("run %d, step %d: x = %.9g", run, step, place[0]);
            if (step == 0 && 2.0 * step_time > 1.1 * gap) {
                // Straight on to the wall and no farther.
                if (!(fabs(place[0] + 0.25) < 2e-6)) fail_msg("run %d stops at x = %.9g", run, place[0]);
                float velocity[2];
                must(throng_agents_read(world, THRONG_FIELD_VELOCITY, &id, 1, velocity));
                assert_true(velocity[0] <= gap / step_time + 1e-4);
            }
        }
        if (!infeasible) fail_msg("run %d: nothing was infeasible", run);
        throng_world_destroy(world);
    }
}

static void a_disc_that_appears_right_in_front_stops_the_body(void **state) {
    (void)state;
    const double steps[] = {0.02, 0.05, 0.1};
    for (int run = 0; run < 3; run++) {
        throng_world *world = world_of_events();
        throng_agent_def def = walker(-0.8, 0.0, 2.0, 0.0);
        def.max_speed = 2.5f;
        def.max_acceleration = 0.5f;
        const throng_agent_id id = add_agent(world, def);
        must(throng_world_step(world, steps[run]));
        double place[2];
        must(throng_agents_read(world, THRONG_FIELD_POSITION, &id, 1, place));
        throng_agent_def disc = walker(place[0] + 0.25 + 0.5 + 0.01, 0.0, 0, 0);
        disc.mask = 0;
        disc.radius = 0.5f;
        add_agent(world, disc);
        bool infeasible = false;
        for (int step = 0; step < 40; step++) {
            must(throng_world_step(world, steps[run]));
            must(throng_agents_read(world, THRONG_FIELD_POSITION, &id, 1, place));
            infeasible |= events_of(world, THRONG_EVENT_INFEASIBLE, NULL) > 0;
            const double dx = place[0] - disc.position[0], dy = place[1];
            const double apart = sqrt(dx * dx + dy * dy) - 0.75;
            if (!(apart > -2e-4)) fail_msg("steps of %g s, step %d: %g m apart", steps[run], step, apart);
            if (step == 0) assert_true(dx < 0.0 && apart < 1e-3);
        }
        if (!infeasible) fail_msg("steps of %g s: nothing was infeasible", steps[run]);
        throng_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_that_move_are_seen_by_their_relative_velocity),
        cmocka_unit_test(a_wall_that_moves_takes_along_who_stands_before_it),
        cmocka_unit_test(nobody_passes_a_bar_that_turns),
        cmocka_unit_test(who_is_between_walls_that_close_is_told_as_crushed),
        cmocka_unit_test(who_is_within_a_solid_that_was_moved_walks_out),
        cmocka_unit_test(discs_go_their_way_and_others_take_the_whole_correction),
        cmocka_unit_test(a_wall_that_appears_right_in_front_stops_the_body),
        cmocka_unit_test(a_disc_that_appears_right_in_front_stops_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
