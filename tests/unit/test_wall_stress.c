// Whole worlds in random walls, at speeds up to 20 m/s and time steps up to 1 s: no body reaches into a wall, nobody
// changes sides, nobody is too fast.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <throng/throng.h>

#include "support/wall_oracle.h"

#ifdef THRONG_LONG_TESTS
enum { WORLDS = 65000 };
#else
enum { WORLDS = 650 };
#endif

enum { AGENTS = 50, STEPS = 40 };

// Within this radius, m, walls and agents are strewn.
static const double extent = 6.0;

// Closed loops around (x, y): a room that holds everybody, and lines that no one may cross.
static void add_loops(wall_scene *scene, uint64_t *random, double x, double y) {
    for (uint32_t loop = 0; loop < 4; loop++) {
        const double reach = loop == 0 ? 2.0 * extent : uniform(random, 0.5, extent);
        const double cx = loop == 0 ? x : x + uniform(random, -4, 4);
        const double cy = loop == 0 ? y : y + uniform(random, -4, 4);
        const uint32_t corners = 3 + below(random, 8);
        scene_wall(scene, loop == 0 ? THRONG_WALL_ENCLOSURE : THRONG_WALL_LINE);
        for (uint32_t i = 0; i <= corners; i++) {
            const double angle = 6.283185307179586 * (i % corners) / corners;
            scene_point(scene, cx + reach * cos(angle), cy + reach * sin(angle));
        }
    }
}

// Which side of every closed wall a place is on, a bit each.
static uint32_t sides(const wall_scene *scene, double x, double y) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < scene->count; i++) {
        const throng_wall *wall = &scene->walls[i];
        const double *last = wall->points + 2 * (wall->point_count - 1);
        const bool closed =
            wall->kind != THRONG_WALL_LINE || (wall->points[0] == last[0] && wall->points[1] == last[1]);
        if (closed && wall->point_count > 2 && oracle_turns_around(wall, x, y)) bits |= UINT32_C(1) << i;
    }
    return bits;
}

static uint32_t add_agents(throng_world *world, const wall_scene *scene, uint64_t *random, double x, double y,
                           throng_agent_id *ids, throng_agent_def *defs, uint32_t *side) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < AGENTS; i++) {
        throng_agent_def *def = &defs[count];
        *def = throng_default_agent_def();
        def->position[0] = x + uniform(random, -extent, extent);
        def->position[1] = y + uniform(random, -extent, extent);
        def->radius = below(random, 8) ? (float)uniform(random, 0.05, 0.4) : 0.0f;
        def->max_speed = below(random, 2) ? 20.0f : 2.0f;
        def->obstacle_horizon = (float)uniform(random, 0.05, 2.0);
        def->time_horizon = (float)uniform(random, 0.05, 2.0);
        if (below(random, 4) == 0) def->max_acceleration = (float)uniform(random, 0.1, 9.0);
        const double room = (double)oracle_distance(scene->walls, scene->count, def->position[0], def->position[1]);
        if (room < def->radius + 1e-6 || oracle_solid(scene->walls, scene->count, def->position[0], def->position[1])) {
            continue;
        }
        side[count++] = sides(scene, def->position[0], def->position[1]);
    }
    assert_int_equal(throng_agents_add(world, defs, count, ids), THRONG_OK);
    return count;
}

static void check_agents(const wall_scene *scene, const throng_world *world, const throng_agent_id *ids,
                         const throng_agent_def *defs, const uint32_t *side, uint32_t count, uint64_t seed, int step) {
    static double places[AGENTS][2];
    static float velocities[AGENTS][2];
    assert_int_equal(throng_agents_read(world, THRONG_FIELD_POSITION, ids, count, places), THRONG_OK);
    assert_int_equal(throng_agents_read(world, THRONG_FIELD_VELOCITY, ids, count, velocities), THRONG_OK);
    for (uint32_t i = 0; i < count; i++) {
        const double x = places[i][0];
        const double y = places[i][1];
        const long double depth = defs[i].radius - oracle_distance(scene->walls, scene->count, x, y);
        if (!(depth <= 1e-6L) || sides(scene, x, y) != side[i]) {
            fail_msg("seed %llu, step %d, agent %u at (%.17g, %.17g): %Lg m in a wall, sides %x, were %x",
                     (unsigned long long)seed, step, i, x, y, depth, sides(scene, x, y), side[i]);
        }
        const double speed = hypot(velocities[i][0], velocities[i][1]);
        if (!(speed <= defs[i].max_speed + 1e-5)) {
            fail_msg("seed %llu, step %d, agent %u: %.9g m/s, at most %g", (unsigned long long)seed, step, i, speed,
                     defs[i].max_speed);
        }
    }
}

// Returns the agent-steps made.
static uint64_t run_world(uint64_t seed) {
    static wall_scene scene;
    static throng_agent_def defs[AGENTS];
    static throng_agent_id ids[AGENTS];
    static throng_target targets[AGENTS];
    static uint32_t side[AGENTS];
    uint64_t random = seed * 86028121;
    const double x = seed % 4 == 0 ? 5.9e6 : 0.0;
    const double y = seed % 3 == 0 ? -1e7 : 0.0;
    scene_random(&scene, &random, x, y, extent);
    add_loops(&scene, &random, x, y);

    throng_map_def map_def = throng_default_map_def();
    map_def.walls = scene.walls;
    map_def.wall_count = scene.count;
    throng_map *map;
    assert_int_equal(throng_map_create(&map_def, &map), THRONG_OK);
    throng_world_def world_def = throng_default_world_def();
    world_def.map = map;
    world_def.threads = 1;
    throng_world *world;
    assert_int_equal(throng_world_create(&world_def, &world), THRONG_OK);
    const uint32_t count = add_agents(world, &scene, &random, x, y, ids, defs, side);
    const double time_steps[] = {0.01, 0.1, 0.25, 1.0};
    for (int step = 0; step < STEPS; step++) {
        if (step % 5 == 0) {
            for (uint32_t i = 0; i < count; i++) {
                targets[i] = (throng_target){.kind = THRONG_TARGET_VELOCITY};
                targets[i].x = uniform(&random, -20, 20);
                targets[i].y = uniform(&random, -20, 20);
            }
            assert_int_equal(throng_agents_write(world, THRONG_FIELD_TARGET, ids, count, targets), THRONG_OK);
        }
        assert_int_equal(throng_world_step(world, time_steps[below(&random, 4)]), THRONG_OK);
        check_agents(&scene, world, ids, defs, side, count, seed, step);
    }
    throng_counters counters;
    assert_int_equal(throng_world_counters(world, &counters), THRONG_OK);
    if (!(counters.wall_overlap_max <= 2e-6f)) {
        fail_msg("seed %llu: the world itself counts %g m in a wall", (unsigned long long)seed,
                 counters.wall_overlap_max);
    }
    throng_world_destroy(world);
    throng_map_release(map);
    return (uint64_t)count * STEPS;
}

static void test_nobody_enters_a_wall(void **state) {
    (void)state;
    uint64_t agent_steps = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) agent_steps += run_world(seed);
    print_message("%llu agent-steps\n", (unsigned long long)agent_steps);
    assert_true(agent_steps >= (uint64_t)WORLDS * 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody_enters_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
