// Walls of a world's own: they act as the map's would, come and go between steps, and catch whom they catch.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/worlds.h"

enum { CROWD = 200, WALLS = 4 };

static const double hall[] = {-15, -15, 15, -15, 15, 15, -15, 15};
static const double pillar[] = {-1, -1, 1, -1, 0.5, 1.5};
static const double fence[] = {-6, -4, -3, -5, -3, -8};
static const double block[] = {4, 3, 9, 3, 9, 4, 4, 4};
static const throng_wall walls[WALLS] = {{THRONG_WALL_ENCLOSURE, 4, hall, UINT32_MAX},
                                         {THRONG_WALL_SOLID, 3, pillar, UINT32_MAX},
                                         {THRONG_WALL_LINE, 3, fence, 1},
                                         {THRONG_WALL_SOLID, 4, block, UINT32_MAX}};

static void act_as_the_maps_walls(void **state) {
    (void)state;
    throng_map *whole = map_of(walls, WALLS);
    for (uint32_t own = 1; own <= WALLS; own++) {
        throng_map *part = own == WALLS ? NULL : map_of(walls + own, WALLS - own);
        throng_world *a = make_world(NULL, whole), *b = make_world(NULL, part);
        // One by one, in reverse.
        for (uint32_t i = own; i-- > 0;) must(throng_world_add_walls(b, &walls[i], 1, NULL));
        add_crowd(a, 1, CROWD, 0, 0, 28, NULL);
        add_crowd(b, 1, CROWD, 0, 0, 28, NULL);
        run_beside(a, b, 30, "own walls");
        throng_world_destroy(a);
        throng_world_destroy(b);
        throng_map_release(part);
    }
    throng_map_release(whole);
}

static void leave_no_trace(void **state) {
    (void)state;
    throng_map *map = map_of(walls, 2);
    throng_world *a = make_world(NULL, map), *b = make_world(NULL, map);
    add_crowd(a, 2, CROWD, 0, 0, 28, NULL);
    add_crowd(b, 2, CROWD, 0, 0, 28, NULL);
    throng_wall_id ids[WALLS];
    const throng_wall twice[2] = {walls[3], walls[3]};
    must(throng_world_add_walls(b, walls, WALLS, ids));
    throng_wall_id doubles[2];
    must(throng_world_add_walls(b, twice, 2, doubles));
    must(throng_world_remove_walls(b, ids, WALLS));
    must(throng_world_remove_walls(b, &doubles[1], 1));
    bool visible;
    const double from[2] = {6, 2}, to[2] = {6, 5};
    must(throng_query_line_of_sight(b, from, to, NULL, &visible));
    assert_false(visible); // the other one of the two still stands
    must(throng_world_remove_walls(b, &doubles[0], 1));
    must(throng_query_line_of_sight(b, from, to, NULL, &visible));
    assert_true(visible);
    assert_int_equal(throng_world_remove_walls(b, &doubles[0], 1), THRONG_ERROR_STALE_ID);
    // A wall that comes and goes unnoticed changes nothing.
    for (int i = 0; i < 20; i++) {
        const double far[] = {100, 100, 101, 100, 101, 101};
        const throng_wall away = {THRONG_WALL_SOLID, 3, far, 1};
        throng_wall_id id;
        must(throng_world_add_walls(b, &away, 1, &id));
        run_beside(a, b, 1, "with a wall far away");
        must(throng_world_remove_walls(b, &id, 1));
        run_beside(a, b, 1, "after it left");
    }
    throng_world_destroy(a);
    throng_world_destroy(b);
    throng_map_release(map);
}

static uint32_t events_of(const throng_world *world, throng_event_kind kind) {
    const throng_event *events;
    uint32_t count, found = 0;
    must(throng_world_events(world, &events, &count));
    for (uint32_t i = 0; i < count; i++) found += events[i].kind == kind;
    return found;
}

static uint8_t outside(const throng_world *world, throng_agent_id id) {
    uint8_t value;
    must(throng_agents_read(world, THRONG_FIELD_OUTSIDE, &id, 1, &value));
    return value;
}

static void catch_whom_they_catch(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def defs[3];
    throng_agent_id ids[3];
    for (int i = 0; i < 3; i++) {
        defs[i] = throng_default_agent_def();
        defs[i].position[0] = 2.0 * i; // 0: within the wall to come; 2: free; 4: parked where it comes
    }
    must(throng_agents_add(world, defs, 3, ids));
    must(throng_agents_park(world, &ids[2], 1, true));
    must(throng_world_step(world, 0.1));
    assert_int_equal(events_of(world, THRONG_EVENT_DISPLACED), 0);
    const double around_first[] = {-1, -1, 1, -1, 1, 1, -1, 1}, around_last[] = {3.5, -1, 5, -1, 5, 1, 3.5, 1};
    const throng_wall both[2] = {{THRONG_WALL_SOLID, 4, around_first, 1}, {THRONG_WALL_SOLID, 4, around_last, 1}};
    throng_wall_id wall_ids[2];
    must(throng_world_add_walls(world, both, 2, wall_ids));
    must(throng_world_step(world, 0.1));
    assert_int_equal(events_of(world, THRONG_EVENT_DISPLACED), 1);
    assert_int_equal(outside(world, ids[0]), 1);
    assert_int_equal(outside(world, ids[1]), 0);
    float velocity[2];
    must(throng_agents_read(world, THRONG_FIELD_VELOCITY, &ids[0], 1, velocity));
    const float speed = sqrtf(velocity[0] * velocity[0] + velocity[1] * velocity[1]);
    assert_true(speed <= defs[0].max_speed * 1.00001f && speed > 0.5f);
    // More walls do not announce it again.
    must(throng_world_step(world, 0.1));
    must(throng_world_remove_walls(world, &wall_ids[1], 1));
    must(throng_world_step(world, 0.1));
    assert_int_equal(events_of(world, THRONG_EVENT_DISPLACED), 0);
    assert_int_equal(outside(world, ids[0]), 1);
    must(throng_world_add_walls(world, &both[1], 1, &wall_ids[1]));
    must(throng_agents_park(world, &ids[2], 1, false));
    must(throng_world_step(world, 0.1));
    assert_int_equal(events_of(world, THRONG_EVENT_DISPLACED), 1);
    assert_int_equal(outside(world, ids[2]), 1);
    // Without walls everybody is free at once.
    must(throng_world_remove_walls(world, wall_ids, 2));
    must(throng_world_step(world, 0.1));
    for (int i = 0; i < 3; i++) assert_int_equal(outside(world, ids[i]), 0);
    throng_world_destroy(world);
}

static void growing_into_a_wall_is_noticed(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def def = throng_default_agent_def();
    throng_agent_id id;
    const double line[] = {0.5, -2, 0.5, 2};
    const throng_wall wall = {THRONG_WALL_LINE, 2, line, 2};
    must(throng_agents_add(world, &def, 1, &id));
    must(throng_world_add_walls(world, &wall, 1, NULL));
    must(throng_world_step(world, 0.1));
    const float radius = 0.8f;
    must(throng_agents_write(world, THRONG_FIELD_RADIUS, &id, 1, &radius));
    must(throng_world_step(world, 0.1));
    assert_int_equal(outside(world, id), 0); // it does not heed that layer
    const uint32_t mask = 3;
    must(throng_agents_write(world, THRONG_FIELD_MASK, &id, 1, &mask));
    must(throng_world_step(world, 0.1));
    assert_int_equal(events_of(world, THRONG_EVENT_DISPLACED), 1);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(act_as_the_maps_walls),
        cmocka_unit_test(leave_no_trace),
        cmocka_unit_test(catch_whom_they_catch),
        cmocka_unit_test(growing_into_a_wall_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
