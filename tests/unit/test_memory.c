// Every allocation of every call fails once, alone and with all that follow: a code, nothing changed, nothing leaked,
// and the next try gives what it would have given.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "state/world.h"
#include "support/allocator.h"
#include "support/worlds.h"
#include <throng/doors.h>

enum { SMALL = 30, LARGE = 700 };

static const double crate[] = {-9, 6, -8, 6, -8, 7, -9, 7}, rope[] = {2, -9, 6, -9};
static const throng_wall walls[2] = {{THRONG_WALL_SOLID, 4, crate, 1}, {THRONG_WALL_LINE, 2, rope, 3}};

// A world and what its calls gave out.
typedef struct subject {
    throng_world *world;
    throng_agent_id ids[SMALL + LARGE];
    throng_wall_id walls[2];
    throng_support_id supports[2];
    unsigned char *image;
    size_t image_size;
    throng_explanation *why;
} subject;

typedef struct operation {
    const char *name;
    throng_result (*run)(subject *s);
    bool allocates; // for sure
} operation;

static throng_result add(subject *s, uint32_t first, uint32_t count) {
    throng_agent_def *defs = malloc(count * sizeof *defs);
    assert_non_null(defs);
    uint64_t seed = first + 1;
    for (uint32_t i = 0; i < count; i++) defs[i] = random_agent(&seed, 0, 0, 28);
    const throng_result result = throng_agents_add(s->world, defs, count, s->ids + first);
    free(defs);
    return result;
}

static throng_result add_few(subject *s) {
    return add(s, 0, SMALL);
}

static throng_result add_many(subject *s) {
    return add(s, SMALL, LARGE);
}

static throng_result park(subject *s) {
    return throng_agents_park(s->world, s->ids + 3, 10, true);
}

static throng_result unpark(subject *s) {
    return throng_agents_park(s->world, s->ids + 3, 10, false);
}

static throng_result teleport(subject *s) {
    const double places[2][2] = {{3, 3}, {-4, 5}};
    return throng_agents_write(s->world, THRONG_FIELD_POSITION, s->ids + 20, 2, places);
}

static throng_result heed_more(subject *s) {
    const uint32_t most = 200;
    return throng_agents_write(s->world, THRONG_FIELD_MAX_NEIGHBORS, s->ids, 1, &most);
}

static throng_result differ(subject *s) {
    const float rate = 0.5f;
    return throng_agents_write(s->world, THRONG_FIELD_MAX_TURN_RATE, s->ids + 2, 1, &rate);
}

static throng_result remove_some(subject *s) {
    return throng_agents_remove(s->world, s->ids + SMALL, 100);
}

// The next call numbers the ranks anew.
static throng_result add_beyond_ranks(subject *s) {
    s->world->next_rank = UINT32_MAX - 5;
    return add(s, SMALL, 100);
}

static throng_result step(subject *s) {
    return throng_world_step(s->world, 0.1);
}

static throng_result refresh(subject *s) {
    return throng_world_refresh(s->world);
}

static throng_result add_walls(subject *s) {
    return throng_world_add_walls(s->world, walls, 2, s->walls);
}

static throng_result add_supports(subject *s) {
    static const double deck[] = {-9, -9, 9, -9, 9, 9, -9, 9};
    throng_support_def defs[2] = {throng_default_support_def(), throng_default_support_def()};
    for (int i = 0; i < 2; i++) {
        defs[i].outline = deck;
        defs[i].outline_count = 4;
        defs[i].motion.velocity[0] = 0.5;
    }
    defs[0].walls = walls;
    defs[0].wall_count = 2;
    defs[0].motion.turn_rate = 0.1;
    defs[1].kind = THRONG_SUPPORT_BELT;
    return throng_supports_add(s->world, defs, 2, s->supports);
}

static throng_result get_on(subject *s) {
    const throng_target target = {.kind = THRONG_TARGET_POINT, .x = 1, .support = s->supports[0]};
    const throng_result result = throng_agents_write(s->world, THRONG_FIELD_SUPPORT, s->ids, 1, s->supports);
    return result == THRONG_OK ? throng_agents_write(s->world, THRONG_FIELD_TARGET, s->ids, 1, &target) : result;
}

static throng_result move_supports(subject *s) {
    const throng_support_motion motion = {.position = {1, 1}, .heading = {0, 2}};
    return throng_supports_move(s->world, s->supports, &motion, 1);
}

static throng_result remove_supports(subject *s) {
    return throng_supports_remove(s->world, s->supports, 2);
}

static throng_result set_doors(subject *s) {
    const throng_door doors[2] = {{{0, -1}, {0, 1}, 0.5f, 1}, {{4, 3}, {5, 3}, 0, 0}};
    return throng_world_set_doors(s->world, doors, 2);
}

static throng_result remove_wall(subject *s) {
    return throng_world_remove_walls(s->world, s->walls, 1);
}

static throng_result explain(subject *s) {
    return throng_query_explain(s->world, s->ids[0], 0.1, s->why);
}

static throng_result save(subject *s) {
    if (!s->image) {
        throng_result result = throng_world_save(s->world, NULL, 0, &s->image_size);
        if (result != THRONG_OK) return result;
        s->image = malloc(s->image_size);
        assert_non_null(s->image);
    }
    return throng_world_save(s->world, s->image, s->image_size, &s->image_size);
}

static throng_result load(subject *s) {
    return throng_world_load(s->world, s->image, s->image_size);
}

static const operation operations[] = {
    {"step of nobody", step, true},
    {"add few", add_few, true},
    {"refresh", refresh, true},
    {"step", step, true},
    {"park", park, false},
    {"provide extra columns", differ, true},
    {"add many", add_many, true},
    {"explain after", refresh, true},
    {"explain", explain, true},
    {"step of many", step, true},
    {"warm step", step, false},
    {"add walls", add_walls, true},
    {"step among walls", step, true},
    {"add supports", add_supports, true},
    {"get on", get_on, false},
    {"step with supports", step, false},
    {"set doors", set_doors, true},
    {"step with doors", step, false},
    {"set doors again", set_doors, true},
    {"save", save, false},
    {"remove a wall", remove_wall, true},
    {"remove agents", remove_some, false},
    {"teleport", teleport, false},
    {"heed more", heed_more, false},
    {"step with more lists", step, true},
    {"add beyond ranks", add_beyond_ranks, true},
    {"unpark", unpark, false},
    {"step anew", step, false},
    {"move supports", move_supports, false},
    {"remove supports", remove_supports, false},
    {"step without supports", step, false},
    {"load", load, true},
    {"step after loading", step, false},
};

// Runs an operation until no allocation of it fails; returns how many failed before. A snapshot tells every change but
// one of the index.
static int64_t run_failing(subject *s, const operation *what, test_allocator *allocator, bool on) {
    int64_t failures = 0;
    const world_image before = image_of(s->world);
    for (;; failures++) {
        fail_from(allocator, failures, on);
        const throng_result result = what->run(s);
        fail_never(allocator);
        if (result == THRONG_OK) break;
        if (result != THRONG_ERROR_MEMORY) {
            fail_msg("%s, allocation %d: %s", what->name, (int)failures, throng_last_error()->message);
        }
        const world_image after = image_of(s->world);
        if (after.size != before.size || memcmp(before.bytes, after.bytes, before.size) != 0) {
            fail_msg("%s, allocation %d: it failed, yet the world changed", what->name, (int)failures);
        }
        free(after.bytes);
        if (failures > 1000) fail_msg("%s never succeeds", what->name);
    }
    free(before.bytes);
    return failures;
}

static void run_all(bool on) {
    test_allocator allocator;
    throng_map *map = make_map();
    throng_world_def def = throng_default_world_def();
    def.threads = 1;
    def.event_mask = (1 << THRONG_EVENT_KIND_COUNT) - 1;
    static subject plain, failing;
    static throng_explanation why[2];
    plain = (subject){.world = make_world(&def, map), .why = &why[0]};
    def.allocator = allocator_of(&allocator);
    failing = (subject){.world = make_world(&def, map), .why = &why[1]};
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        const operation *what = &operations[i];
        must(what->run(&plain));
        const int64_t failures = run_failing(&failing, what, &allocator, on);
        if (what->allocates && failures == 0) fail_msg("%s did not allocate", what->name);
        assert_same_state(plain.world, failing.world, what->name);
        const throng_event *events[2];
        uint32_t count[2];
        must(throng_world_events(plain.world, &events[0], &count[0]));
        must(throng_world_events(failing.world, &events[1], &count[1]));
        assert_int_equal(count[0], count[1]);
        for (uint32_t e = 0; e < count[0]; e++) {
            assert_int_equal(events[0][e].kind, events[1][e].kind);
            assert_int_equal(events[0][e].agent.index, events[1][e].agent.index);
            assert_true(events[0][e].value == events[1][e].value);
        }
    }
    assert_memory_equal(plain.ids, failing.ids, sizeof plain.ids);
    assert_memory_equal(plain.walls, failing.walls, sizeof plain.walls);
    assert_memory_equal(plain.supports, failing.supports, sizeof plain.supports);
    throng_counters counters;
    must(throng_world_counters(failing.world, &counters));
    assert_int_equal(counters.bytes, allocator.bytes);
    throng_world_destroy(failing.world);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.bytes, 0);
    throng_world_destroy(plain.world);
    throng_map_release(map);
    free(plain.image);
    free(failing.image);
}

static void one_fails(void **state) {
    (void)state;
    run_all(false);
}

static void one_and_all_after_it_fail(void **state) {
    (void)state;
    run_all(true);
}

static void creating_fails(void **state) {
    (void)state;
    test_allocator allocator;
    throng_map_def map_def = throng_default_map_def();
    throng_world_def world_def = throng_default_world_def();
    const double heights[] = {0, 1, 2, 3}, mud[] = {0, 0, 1, 0, 1, 1};
    const float slowing[] = {0, 1, 4, 0};
    const throng_region region = {.points = mud, .point_count = 3, .speed_factor = 0.5f};
    const throng_density_table table = {2, slowing};
    map_def.walls = walls;
    map_def.wall_count = 2;
    map_def.heights = (throng_height_grid){.columns = 2, .rows = 2, .cell = 1, .heights = heights};
    map_def.regions = &region;
    map_def.region_count = 1;
    world_def.density_tables = &table;
    world_def.density_table_count = 1;
    map_def.allocator = world_def.allocator = allocator_of(&allocator);
    int failures = 0;
    for (throng_result result = THRONG_ERROR_MEMORY; result != THRONG_OK; failures++) {
        throng_map *map = NULL;
        throng_world *world = NULL;
        fail_from(&allocator, failures, false);
        result = throng_map_create(&map_def, &map);
        if (result == THRONG_OK) {
            world_def.map = map;
            result = throng_world_create(&world_def, &world);
            if (result != THRONG_OK) assert_null(world);
            uint32_t doors = 7;
            if (result == THRONG_OK) result = throng_map_find_doors(map, 0.1, 30.0, NULL, 0, &doors);
            if (result != THRONG_OK) assert_int_equal(doors, 7);
        } else {
            assert_null(map);
        }
        fail_never(&allocator);
        assert_true(result == THRONG_OK || result == THRONG_ERROR_MEMORY);
        throng_map_release(map);
        throng_world_destroy(world); // keeps the map until here
        assert_int_equal(allocator.blocks, 0);
        assert_int_equal(allocator.bytes, 0);
    }
    assert_true(failures > 5);
}

static void check_warm_steps(bool carried) {
    test_allocator allocator;
    throng_map *map = make_map();
    throng_world_def def = throng_default_world_def();
    def.allocator = allocator_of(&allocator);
    throng_world *world = make_world(&def, map);
    throng_agent_id ids[LARGE];
    add_crowd(world, 4, LARGE, 0, 0, 28, ids);
    subject with = {.world = world};
    if (carried) must(add_supports(&with));
    must(throng_world_step(world, 0.1));
    const int64_t calls = allocator.calls;
    throng_counters counters;
    for (int i = 0; i < 30; i++) {
        must(throng_world_step(world, 0.1));
        must(throng_world_counters(world, &counters));
        assert_int_equal(counters.step_allocations, 0);
    }
    // Nor do removals with as many additions, once they happened.
    for (int i = 0; i < 30; i++) {
        throng_agent_def defs[5];
        uint64_t seed = (uint64_t)i;
        for (int k = 0; k < 5; k++) defs[k] = random_agent(&seed, 0, 0, 28);
        must(throng_agents_remove(world, ids + 5 * i, 5));
        must(throng_agents_add(world, defs, 5, ids + 5 * i));
        must(throng_world_step(world, 0.1));
    }
    assert_int_equal(allocator.calls, calls);
    throng_world_destroy(world);
    throng_map_release(map);
}

static void warm_steps_allocate_nothing(void **state) {
    (void)state;
    check_warm_steps(false);
    check_warm_steps(true);
}

// One agent per square metre, everybody on the way: what a snapshot holds is the state.
static void bytes_an_agent(void **state) {
    (void)state;
    enum { PEOPLE = 100000 };
    const double most_state = 200.0, most = 400.0; // bytes an agent
    throng_agent_def *defs = malloc(PEOPLE * sizeof *defs);
    assert_non_null(defs);
    uint64_t random = 3;
    const double size = sqrt((double)PEOPLE); // m
    for (uint32_t i = 0; i < PEOPLE; i++) {
        defs[i] = throng_default_agent_def();
        for (int axis = 0; axis < 2; axis++) defs[i].position[axis] = random_between(&random, 0.0, size);
        defs[i].target.kind = THRONG_TARGET_POINT;
        defs[i].target.x = random_between(&random, 0.0, size);
        defs[i].target.y = random_between(&random, 0.0, size);
    }
    throng_world_def def = throng_default_world_def();
    def.threads = 1; // each thread has scratch of its own
    throng_world *world = make_world(&def, NULL);
    must(throng_agents_add(world, defs, PEOPLE, NULL));
    free(defs);
    for (int i = 0; i < 3; i++) must(throng_world_step(world, 0.1));
    throng_counters counters;
    must(throng_world_counters(world, &counters));
    size_t held;
    must(throng_world_save(world, NULL, 0, &held));
    const double bytes = (double)counters.bytes / PEOPLE, kept = (double)held / PEOPLE;
    if (!(kept > 100.0 && kept <= most_state && bytes > kept && bytes <= most)) {
        fail_msg("%g bytes an agent of at most %g, state: %g of at most %g", bytes, most, kept, most_state);
    }
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_fails),      cmocka_unit_test(one_and_all_after_it_fail),
        cmocka_unit_test(creating_fails), cmocka_unit_test(warm_steps_allocate_nothing),
        cmocka_unit_test(bytes_an_agent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
