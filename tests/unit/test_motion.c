// Limits of how an agent may change its velocity: reach, turns, braking; and sampled models in whole worlds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/executors.h"
#include "support/worlds.h"

enum { CROWD = 150 };

static void velocity_of(const throng_world *world, throng_agent_id id, float velocity[2]) {
    must(throng_agents_read(world, THRONG_FIELD_VELOCITY, &id, 1, velocity));
}

// ---- turns

// Walks along x and wishes to walk 60 degrees to its left; returns the steps until it does, and holds every turn
// against the limit.
static int steps_to_turn(uint32_t model, double rate) {
    throng_agent_def def = throng_default_agent_def();
    def.velocity[0] = 1.3f;
    const double wish[2] = {0.65, 1.125833};
    def.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = wish[0], .y = wish[1]};
    def.max_turn_rate = (float)rate;
    def.model = model;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_id id;
    must(throng_agents_add(world, &def, 1, &id));
    float before[2] = {1.3f, 0};
    int steps = 0;
    for (; steps < 100; steps++) {
        float now[2];
        must(throng_world_step(world, 0.1));
        velocity_of(world, id, now);
        const double turn = fabs(atan2((double)before[0] * now[1] - (double)before[1] * now[0],
                                       (double)before[0] * now[0] + (double)before[1] * now[1]));
        const bool stood = hypotf(before[0], before[1]) <= 1e-3f || hypotf(now[0], now[1]) == 0;
        if (!stood && turn > rate * 0.1 + 1e-5) fail_msg("model %u, step %d: turned by %g rad", model, steps, turn);
        memcpy(before, now, sizeof before);
        if (hypot(now[0] - wish[0], now[1] - wish[1]) < 0.2) break;
    }
    throng_world_destroy(world);
    return steps;
}

static void turns_are_limited(void **state) {
    (void)state;
    for (uint32_t model = 0; model < 3; model++) {
        assert_int_equal(steps_to_turn(model, INFINITY), 0);
        assert_int_equal(steps_to_turn(model, 40), 0); // more than half a turn a step
        // Turns of 0.5 and of 0.2 rad a step; the last may end just short of the wish.
        const int fast = steps_to_turn(model, 5), slow = steps_to_turn(model, 2);
        if (!(fast >= 1 && fast <= 2 && slow >= 4 && slow <= 6)) fail_msg("model %u: %d and %d", model, fast, slow);
    }
}

// ---- braking

// Walks between two walkers who come at it from both sides and give no way: nothing is feasible.
static throng_world *trap(uint32_t infeasible, float acceleration, throng_solver solver, throng_agent_id *id) {
    throng_world_def world_def = throng_default_world_def();
    world_def.event_mask = 1 << THRONG_EVENT_INFEASIBLE;
    world_def.solver = solver;
    throng_world *world = make_world(&world_def, NULL);
    throng_agent_def defs[3];
    for (int i = 0; i < 3; i++) defs[i] = throng_default_agent_def();
    defs[0].velocity[0] = 1.2f;
    defs[0].target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = 1.2};
    defs[0].max_acceleration = acceleration;
    defs[0].infeasible = infeasible;
    for (int i = 1; i < 3; i++) {
        const double side = i == 1 ? 1 : -1;
        defs[i].position[0] = 0.4;
        defs[i].position[1] = 0.55 * side;
        defs[i].velocity[1] = (float)(-1.5 * side);
        defs[i].target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .y = -1.5 * side};
        defs[i].yield = 0;
    }
    throng_agent_id ids[3];
    must(throng_agents_add(world, defs, 3, ids));
    *id = ids[0];
    return world;
}

static void braking_is_as_hard_as_can_be(void **state) {
    (void)state;
    for (int solver = 0; solver < 2; solver++) {
        for (uint32_t infeasible = 0; infeasible < 2; infeasible++) {
            throng_agent_id id;
            throng_world *world = trap(infeasible, 3, (throng_solver)solver, &id);
            must(throng_world_step(world, 0.1));
            float solved[2];
            must(throng_agents_read(world, THRONG_FIELD_SOLVED_VELOCITY, &id, 1, solved));
            const bool braked = fabsf(solved[0] - 0.9f) < 1e-5f && fabsf(solved[1]) < 1e-5f;
            if (braked != (infeasible == THRONG_INFEASIBLE_BRAKE)) {
                fail_msg("solver %d, infeasible %u: solved (%g, %g)", solver, infeasible, solved[0], solved[1]);
            }
            const throng_event *events;
            uint32_t count;
            must(throng_world_events(world, &events, &count));
            bool told = false;
            for (uint32_t i = 0; i < count; i++) {
                told |= events[i].agent.index == id.index && events[i].kind == THRONG_EVENT_INFEASIBLE &&
                        events[i].value > 0;
            }
            assert_true(told);
            throng_world_destroy(world);
        }
        // Without a limit it stops at once.
        throng_agent_id id;
        throng_world *world = trap(THRONG_INFEASIBLE_BRAKE, INFINITY, (throng_solver)solver, &id);
        must(throng_world_step(world, 0.1));
        float solved[2];
        must(throng_agents_read(world, THRONG_FIELD_SOLVED_VELOCITY, &id, 1, solved));
        if (hypotf(solved[0], solved[1]) > 1e-6f) fail_msg("solver %d: solved (%g, %g)", solver, solved[0], solved[1]);
        throng_world_destroy(world);
    }
}

// Braking straight on would be (0.31, -0.19) m/s, but 0.1 m above a wall that is heeded for 1 s only -0.1 m/s are free:
// the slowest velocity then is where the reach circle cuts that line.
static void walls_are_harder_than_braking(void **state) {
    (void)state;
    static const double ground[] = {-10, -0.35, 10, -0.35};
    const throng_wall wall = {.kind = THRONG_WALL_LINE,
                              .point_count = 2,
                              .points = ground,
                              .layer = UINT32_MAX,
                              .height_low = -INFINITY,
                              .height_high = INFINITY};
    throng_world_def world_def = throng_default_world_def();
    for (int solver = 0; solver < 2; solver++) {
        world_def.solver = (throng_solver)solver;
        throng_world *world = make_world(&world_def, NULL);
        must(throng_world_add_walls(world, &wall, 1, NULL));
        throng_agent_def defs[2] = {throng_default_agent_def(), throng_default_agent_def()};
        defs[0].velocity[0] = 1.0f;
        defs[0].velocity[1] = -0.6f;
        defs[0].target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = 1, .y = -0.6};
        defs[0].max_acceleration = 8;
        defs[0].infeasible = THRONG_INFEASIBLE_BRAKE;
        defs[1].position[0] = defs[1].position[1] = 0.3; // overlaps it and gives no way
        defs[1].yield = 0;
        throng_agent_id ids[2];
        must(throng_agents_add(world, defs, 2, ids));
        must(throng_world_step(world, 0.1));
        float solved[2];
        must(throng_agents_read(world, THRONG_FIELD_SOLVED_VELOCITY, ids, 1, solved));
        const double x = 1 - sqrt(0.8 * 0.8 - 0.5 * 0.5);
        if (!(fabs(solved[0] - x) < 1e-5 && fabsf(solved[1] + 0.1f) < 1e-5f)) {
            fail_msg("solver %d: solved (%g, %g), expected (%g, -0.1)", solver, solved[0], solved[1], x);
        }
        throng_world_destroy(world);
    }
}

// ---- reach and turns in crowds of all models

static void any_model(throng_agent_def *def, uint32_t i) {
    def->model = i % 3;
    def->aggressiveness = 0.5f + (float)(i % 4);
    if (i % 5 < 2) def->max_acceleration = 2.0f;
    if (i % 4 == 1) def->max_turn_rate = 1.5f;
    def->infeasible = i % 2;
    def->flags = 0;
}

static throng_world *crowd_of_models(const throng_world_def *def, throng_map *map, throng_agent_id *ids) {
    static throng_agent_def defs[CROWD];
    uint64_t random = 21;
    for (uint32_t i = 0; i < CROWD; i++) {
        defs[i] = random_agent(&random, 0, 0, 20);
        any_model(&defs[i], i);
    }
    throng_world *world = make_world(def, map);
    must(throng_agents_add(world, defs, CROWD, ids));
    return world;
}

// The disc is centred on the velocity really had: after walls and ground have had their say.
static void solved_velocities_are_within_reach(void **state) {
    (void)state;
    const double dt = 0.1;
    throng_agent_id ids[CROWD];
    throng_map *map = make_map();
    throng_world *world = crowd_of_models(NULL, map, ids);
    static float before[CROWD][2], solved[CROWD][2];
    static uint8_t outside[CROWD];
    int stopped_by_walls = 0;
    for (int step = 0; step < 60; step++) {
        must(throng_agents_read(world, THRONG_FIELD_VELOCITY, ids, CROWD, before));
        must(throng_world_step(world, dt));
        must(throng_agents_read(world, THRONG_FIELD_SOLVED_VELOCITY, ids, CROWD, solved));
        must(throng_agents_read(world, THRONG_FIELD_OUTSIDE, ids, CROWD, outside));
        for (uint32_t i = 0; i < CROWD; i++) {
            float acceleration, rate, speed, now[2];
            must(throng_agents_read(world, THRONG_FIELD_MAX_ACCELERATION, &ids[i], 1, &acceleration));
            must(throng_agents_read(world, THRONG_FIELD_MAX_TURN_RATE, &ids[i], 1, &rate));
            must(throng_agents_read(world, THRONG_FIELD_MAX_SPEED, &ids[i], 1, &speed));
            velocity_of(world, ids[i], now);
            if (hypotf(now[0] - solved[i][0], now[1] - solved[i][1]) > 0.1f) stopped_by_walls++;
            const double had = hypot(before[i][0], before[i][1]), has = hypot(solved[i][0], solved[i][1]);
            const double change = hypot(solved[i][0] - before[i][0], solved[i][1] - before[i][1]);
            if (has > speed * (1 + 1e-6)) fail_msg("step %d, agent %u: %g m/s of %g", step, i, has, speed);
            // A turn that slows more than the reach allows goes before it, as does the speed disc.
            if (rate == INFINITY && had <= speed && change > acceleration * dt + 1e-5) {
                fail_msg("step %d, agent %u of model %u: changed by %g m/s", step, i, i % 3, change);
            }
            const double turn = fabs(atan2((double)before[i][0] * solved[i][1] - (double)before[i][1] * solved[i][0],
                                           (double)before[i][0] * solved[i][0] + (double)before[i][1] * solved[i][1]));
            if (had > 1e-3 && has > 1e-6 && turn > rate * dt + 1e-4) {
                fail_msg("step %d, agent %u of model %u: turned by %g rad", step, i, i % 3, turn);
            }
        }
    }
    assert_true(stopped_by_walls > 0);
    throng_world_destroy(world);
    throng_map_release(map);
}

// ---- the choice of sampled models, done anew in double

enum { FEW = 4, SAMPLES = 100 };

static double penalty_of(const throng_agent_def *defs, int self, const double v[2]) {
    const throng_agent_def *a = &defs[self];
    double soonest = INFINITY;
    for (int i = 0; i < FEW; i++) {
        const throng_agent_def *b = &defs[i];
        if (i == self || a->yield == 0) continue;
        const double share = a->model == THRONG_MODEL_VO ? 1 : a->yield / (a->yield + b->yield);
        const double px = b->position[0] - a->position[0], py = b->position[1] - a->position[1];
        const double vx = v[0] / share + (1 - 1 / share) * a->velocity[0] - b->velocity[0];
        const double vy = v[1] / share + (1 - 1 / share) * a->velocity[1] - b->velocity[1];
        const double radius = a->radius + b->radius, square = vx * vx + vy * vy, along = px * vx + py * vy;
        const double root = along * along - square * (px * px + py * py - radius * radius);
        if (along > 0 && root >= 0) soonest = fmin(soonest, (along - sqrt(root)) / square);
    }
    return a->aggressiveness / soonest + hypot(v[0] - a->target.x, v[1] - a->target.y);
}

// The least penalty of the candidates that the manual names: preferred and present velocity, and points of the unit
// disc by Roberts' sequence, each followed by its opposite.
static double least_penalty(const throng_agent_def *defs, int self, double dt, double best[2]) {
    const throng_agent_def *a = &defs[self];
    const double reach = a->max_acceleration * dt, speed = a->max_speed, plastic = 1.32471795724474602596;
    double least = INFINITY, x = 0, y = 0;
    int index = 0;
    for (int i = -2; i < SAMPLES; i++) {
        double v[2] = {a->target.x, a->target.y};
        if (i == -1) v[0] = a->velocity[0], v[1] = a->velocity[1];
        if (i >= 0) {
            do {
                if (i % 2) break;
                index++;
                x = 2 * fmod(index / plastic, 1) - 1;
                y = 2 * fmod(index / (plastic * plastic), 1) - 1;
            } while (x * x + y * y > 1);
            const double sign = i % 2 ? -1 : 1, radius = fmin(reach, speed);
            v[0] = (reach < speed ? a->velocity[0] : 0) + sign * radius * x;
            v[1] = (reach < speed ? a->velocity[1] : 0) + sign * radius * y;
        }
        if (hypot(v[0], v[1]) > speed || hypot(v[0] - a->velocity[0], v[1] - a->velocity[1]) > reach) continue;
        const double penalty = penalty_of(defs, self, v);
        if (penalty >= least) continue;
        least = penalty;
        best[0] = v[0];
        best[1] = v[1];
    }
    return least;
}

static void the_least_penalty_wins(void **state) {
    (void)state;
    uint64_t random = 31;
    int colliding = 0;
    for (int trial = 0; trial < 300; trial++) {
        throng_world_def def = throng_default_world_def();
        def.sampling = (throng_sampling){.count = SAMPLES, .pattern = THRONG_SAMPLES_EVEN, .horizon = INFINITY};
        throng_world *world = make_world(&def, NULL);
        throng_agent_def defs[FEW];
        throng_agent_id ids[FEW];
        for (int i = 0; i < FEW; i++) {
            defs[i] = throng_default_agent_def();
            defs[i].position[0] = i % 2 * 1.5 + random_between(&random, 0, 0.5);
            defs[i].position[1] = i / 2 * 1.5 + random_between(&random, 0, 0.5);
            for (int axis = 0; axis < 2; axis++) defs[i].velocity[axis] = (float)random_between(&random, -0.9, 0.9);
            defs[i].target = (throng_target){.kind = THRONG_TARGET_VELOCITY,
                                             .x = (float)random_between(&random, -1, 1),
                                             .y = (float)random_between(&random, -1, 1)};
            defs[i].yield = (float)random_below(&random, 4) + (float)(i % 2);
            defs[i].model = 1 + (uint32_t)i / 2;
            defs[i].aggressiveness = (float)random_between(&random, 0.1, 3);
            if (trial % 2) defs[i].max_acceleration = (float)random_between(&random, 3, 12);
        }
        must(throng_agents_add(world, defs, FEW, ids));
        must(throng_world_step(world, 0.1));
        for (int i = 0; i < FEW; i++) {
            float solved[2];
            double best[2];
            must(throng_agents_read(world, THRONG_FIELD_SOLVED_VELOCITY, &ids[i], 1, solved));
            const double least = least_penalty(defs, i, 0.1, best), v[2] = {solved[0], solved[1]};
            const double got = penalty_of(defs, i, v);
            // A graze decides by rounding; then the velocity is a candidate all the same.
            if (!(got <= least * (1 + 1e-4) + 1e-4)) {
                fail_msg("trial %d, agent %d: (%g, %g) costs %.9g; (%g, %g) would cost %.9g", trial, i, v[0], v[1], got,
                         best[0], best[1], least);
            }
            if (!(got >= least * (1 - 1e-4) - 1e-4)) {
                fail_msg("trial %d, agent %d: (%g, %g) costs %.9g and is no candidate", trial, i, v[0], v[1], got);
            }
            colliding += hypot(v[0] - defs[i].target.x, v[1] - defs[i].target.y) > 1e-3;
        }
        throng_world_destroy(world);
    }
    assert_true(colliding > 200);
}

static void models_hide_no_state(void **state) {
    (void)state;
    throng_agent_id ids[CROWD];
    throng_map *map = make_map();
    uint32_t random = 5;
    throng_world_def shuffled = throng_default_world_def();
    shuffled.executor = executor_shuffled(&random);
    shuffled.kernel = "scalar";
    for (int pattern = 0; pattern < 2; pattern++) {
        throng_world_def def = throng_default_world_def();
        def.sampling = (throng_sampling){.count = 60, .pattern = (throng_sample_pattern)pattern, .horizon = 5};
        throng_world *world = crowd_of_models(&def, map, ids), *other = make_world(&shuffled, map);
        for (int step = 0; step < 20; step++) {
            must(load_from(other, world));
            run_beside(world, other, 1, pattern ? "even samples" : "random samples");
        }
        throng_world_destroy(world);
        throng_world_destroy(other);
    }
    throng_map_release(map);
}

// On a platform, walls are half-planes to sampled models: nobody leaves a cabin that moves.
static void models_heed_walls_of_platforms(void **state) {
    (void)state;
    enum { PEOPLE = 12 };
    static const double cabin[] = {-3, -3, 3, -3, 3, 3, -3, 3};
    const throng_wall wall = {.kind = THRONG_WALL_ENCLOSURE,
                              .point_count = 4,
                              .points = cabin,
                              .layer = UINT32_MAX,
                              .height_low = -INFINITY,
                              .height_high = INFINITY};
    throng_support_def support = throng_default_support_def();
    support.outline = cabin;
    support.outline_count = 4;
    support.walls = &wall;
    support.wall_count = 1;
    support.motion.velocity[0] = 3;
    support.motion.turn_rate = 0.2;
    throng_world *world = make_world(NULL, NULL);
    throng_support_id id;
    must(throng_supports_add(world, &support, 1, &id));
    throng_agent_def defs[PEOPLE];
    throng_agent_id ids[PEOPLE];
    for (int i = 0; i < PEOPLE; i++) {
        defs[i] = throng_default_agent_def();
        defs[i].position[0] = i % 4 - 1.5;
        defs[i].position[1] = i / 4 - 1.0;
        defs[i].support = id;
        defs[i].model = i % 2 ? THRONG_MODEL_RVO : THRONG_MODEL_VO;
        defs[i].target =
            (throng_target){.kind = THRONG_TARGET_POINT, .x = i % 3 ? 6 : -2, .y = i % 2 ? 5 : -5, .support = id};
    }
    must(throng_agents_add(world, defs, PEOPLE, ids));
    int near_walls = 0;
    for (int step = 0; step < 60; step++) {
        must(throng_world_step(world, 0.1));
        double places[PEOPLE][2];
        must(throng_agents_read(world, THRONG_FIELD_POSITION, ids, PEOPLE, places));
        for (int i = 0; i < PEOPLE; i++) {
            const double out = fmax(fabs(places[i][0]), fabs(places[i][1])) + 0.25 - 3;
            if (out > 1e-3) fail_msg("step %d, agent %d at (%g, %g)", step, i, places[i][0], places[i][1]);
            near_walls += out > -0.3;
        }
    }
    assert_true(near_walls > 100);
    throng_world_destroy(world);
}

static void samplings_are_checked(void **state) {
    (void)state;
    const throng_sampling bad[] = {{70000, THRONG_SAMPLES_RANDOM, 1},
                                   {10, (throng_sample_pattern)2, 1},
                                   {10, THRONG_SAMPLES_EVEN, 0},
                                   {10, THRONG_SAMPLES_EVEN, NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        throng_world_def def = throng_default_world_def();
        def.sampling = bad[i];
        throng_world *world = NULL;
        assert_int_equal(throng_world_create(&def, &world), THRONG_ERROR_VALUE);
        assert_null(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_limited),
        cmocka_unit_test(braking_is_as_hard_as_can_be),
        cmocka_unit_test(walls_are_harder_than_braking),
        cmocka_unit_test(solved_velocities_are_within_reach),
        cmocka_unit_test(the_least_penalty_wins),
        cmocka_unit_test(models_hide_no_state),
        cmocka_unit_test(models_heed_walls_of_platforms),
        cmocka_unit_test(samplings_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
