// Who counts: layers and masks, one-sided too, and heights of agents and walls. Who does not count leaves no trace.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "state/wall_set.h"
#include "state/world.h"
#include "support/worlds.h"

enum { CROWD = 150, STEPS = 40 };

static void set_heights(throng_world *world, const throng_agent_id *ids, uint32_t count, float low, float high) {
    for (uint32_t i = 0; i < count; i++) {
        must(throng_agents_write(world, THRONG_FIELD_HEIGHT_LOW, &ids[i], 1, &low));
        must(throng_agents_write(world, THRONG_FIELD_HEIGHT_HIGH, &ids[i], 1, &high));
    }
}

// The agents of `ids` are in both worlds at the same places with the same velocities.
static void assert_same_places(const throng_world *a, const throng_world *b, const throng_agent_id *in_a,
                               const throng_agent_id *in_b, uint32_t count, const char *when, int step) {
    for (uint32_t i = 0; i < count; i++) {
        double place_a[2], place_b[2];
        float velocity_a[2], velocity_b[2];
        must(throng_agents_read(a, THRONG_FIELD_POSITION, &in_a[i], 1, place_a));
        must(throng_agents_read(b, THRONG_FIELD_POSITION, &in_b[i], 1, place_b));
        must(throng_agents_read(a, THRONG_FIELD_VELOCITY, &in_a[i], 1, velocity_a));
        must(throng_agents_read(b, THRONG_FIELD_VELOCITY, &in_b[i], 1, velocity_b));
        if (memcmp(place_a, place_b, sizeof place_a) != 0 || memcmp(velocity_a, velocity_b, sizeof velocity_a) != 0) {
            fail_msg("%s, step %d: agent %u is at (%.17g, %.17g) and (%.17g, %.17g)", when, step, (unsigned)i,
                     place_a[0], place_a[1], place_b[0], place_b[1]);
        }
    }
}

// Heights that all overlap change nothing: the search that heeds them finds what the search of lanes finds.
static void heights_that_all_overlap(void **state) {
    (void)state;
    throng_map *map = make_map();
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const double size = seed == 4 ? 2.0 : 28.0; // the last is a heap
        throng_world *a = make_world(NULL, map), *b = make_world(NULL, map);
        throng_agent_id ids[CROWD];
        add_crowd(a, seed, CROWD, 0, 0, size, NULL);
        add_crowd(b, seed, CROWD, 0, 0, size, ids);
        for (uint32_t i = 0; i < CROWD; i++) set_heights(b, &ids[i], 1, -0.01f * (float)i, 1.0f + 0.1f * (float)i);
        for (int step = 0; step < STEPS; step++) {
            must(throng_world_step(a, 0.1));
            must(throng_world_step(b, 0.1));
            const throng_hashes first = hashes_of(a), second = hashes_of(b);
            if (first.places != second.places) fail_msg("seed %d, step %d: heights matter", (int)seed, step);
        }
        throng_world_destroy(a);
        throng_world_destroy(b);
    }
    throng_map_release(map);
}

static const double hall[] = {-15, -15, 15, -15, 15, 15, -15, 15};
static const double pillar[] = {-1, -1, 1, -1, 0.5, 1.5};
static const double fence[] = {-6, -4, -3, -5, -3, -8};
static const double block[] = {4, 3, 9, 3, 9, 4, 4, 4};
static const double room[] = {-9, -9, 9, -9, 9, 9, -9, 9};

// What stands on the ground floor, at both, and on the floor above.
static const throng_wall floors[] = {
    {THRONG_WALL_ENCLOSURE, 4, hall, UINT32_MAX, 0, 0},  {THRONG_WALL_SOLID, 3, pillar, UINT32_MAX, 0, 2.5f},
    {THRONG_WALL_LINE, 3, fence, UINT32_MAX, -1, 1},     {THRONG_WALL_LINE, 3, fence, UINT32_MAX, 3, 5},
    {THRONG_WALL_ENCLOSURE, 4, room, UINT32_MAX, 3, 10}, {THRONG_WALL_SOLID, 4, block, UINT32_MAX, 3, INFINITY},
};

// Two floors of people among each other: each moves as if the other were not there, people and walls.
static void floors_do_not_meet(void **state) {
    (void)state;
    throng_map *ground = map_of(floors, 3), *both = map_of(floors, 6);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        throng_world *alone = make_world(NULL, ground), *shared = make_world(NULL, both);
        throng_agent_id here[CROWD], there[CROWD], above[CROWD];
        add_crowd(alone, seed, CROWD, 0, 0, 24, here);
        add_crowd(shared, seed, CROWD, 0, 0, 24, there);
        add_crowd(shared, seed, CROWD, 0, 0, 16, above); // also at the same places
        set_heights(alone, here, CROWD, 0, 2);
        set_heights(shared, there, CROWD, 0, 2);
        set_heights(shared, above, CROWD, 3, 5);
        for (int step = 0; step < STEPS; step++) {
            must(throng_world_step(alone, 0.1));
            must(throng_world_step(shared, 0.1));
            assert_same_places(alone, shared, here, there, CROWD, "ground floor", step);
        }
        throng_world_destroy(alone);
        throng_world_destroy(shared);
    }
    throng_map_release(ground);
    throng_map_release(both);
}

// The same by masks, in two groups that ignore each other: no trace, though they stand in each other.
static void groups_that_ignore_each_other(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_world *alone = make_world(NULL, map), *shared = make_world(NULL, map);
    throng_agent_id here[CROWD], there[CROWD], others[CROWD];
    add_crowd(alone, 9, CROWD, 0, 0, 20, here);
    add_crowd(shared, 9, CROWD, 0, 0, 20, there);
    add_crowd(shared, 9, CROWD, 0, 0, 20, others);
    const uint32_t own = 0x100; // the masks of the others are 1 and 3
    for (int i = 0; i < CROWD; i++) {
        must(throng_agents_write(shared, THRONG_FIELD_LAYER, &others[i], 1, &own));
        must(throng_agents_write(shared, THRONG_FIELD_MASK, &others[i], 1, &own));
    }
    for (int step = 0; step < STEPS; step++) {
        must(throng_world_step(alone, 0.1));
        must(throng_world_step(shared, 0.1));
        assert_same_places(alone, shared, here, there, CROWD, "ignored", step);
    }
    throng_world_destroy(alone);
    throng_world_destroy(shared);
    throng_map_release(map);
}

static throng_agent_def walker(double x, double y, double vx) {
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = x;
    def.position[1] = y;
    def.velocity[0] = (float)vx;
    def.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = vx};
    return def;
}

static throng_explanation explained(throng_world *world, throng_agent_id id) {
    throng_explanation why;
    must(throng_world_refresh(world));
    must(throng_query_explain(world, id, 0.1, &why));
    return why;
}

// How much of its velocity the half-plane of its only neighbor asks of an agent.
static double asked(const throng_explanation *why, double vx, double vy) {
    assert_int_equal(why->neighbor_count, 1);
    return why->planes[0].c - (why->planes[0].nx * vx + why->planes[0].ny * vy);
}

// A heeds B, who ignores A: A does all that both would do in halves, and B walks as if alone.
static void one_sided(void **state) {
    (void)state;
    throng_agent_def a = walker(0, 0, 1), b = walker(2, 0.1, -1);
    throng_agent_id ids[2];
    throng_world *mutual = make_world(NULL, NULL), *sided = make_world(NULL, NULL), *alone = make_world(NULL, NULL);
    must(throng_agents_add(mutual, &a, 1, &ids[0]));
    must(throng_agents_add(mutual, &b, 1, &ids[1]));
    const throng_explanation halves = explained(mutual, ids[0]);
    b.layer = 2;
    b.mask = 4;
    a.mask = 2;
    must(throng_agents_add(sided, &a, 1, &ids[0]));
    must(throng_agents_add(sided, &b, 1, &ids[1]));
    const throng_explanation whole = explained(sided, ids[0]);
    const double half = asked(&halves, 1, 0), all = asked(&whole, 1, 0);
    if (!(half > 0.1) || fabs(all - 2 * half) > 1e-6) fail_msg("A takes %.9g of %.9g", all, 2 * half);
    assert_int_equal(explained(sided, ids[1]).neighbor_count, 0);
    must(throng_agents_add(alone, &a, 1, NULL)); // for the same creation numbers
    throng_agent_id lone;
    must(throng_agents_add(alone, &b, 1, &lone));
    const uint32_t nothing = 0;
    must(throng_agents_write(alone, THRONG_FIELD_MASK, &ids[0], 1, &nothing));
    double nearest = 1e9;
    for (int step = 0; step < STEPS; step++) {
        must(throng_world_step(sided, 0.1));
        must(throng_world_step(alone, 0.1));
        assert_same_places(sided, alone, &ids[1], &lone, 1, "who ignores", step);
        double p[4];
        must(throng_agents_read(sided, THRONG_FIELD_POSITION, ids, 2, p));
        nearest = fmin(nearest, hypot(p[2] - p[0], p[3] - p[1]));
    }
    if (!(nearest >= 0.5 - 1e-4 && nearest < 1.0)) fail_msg("they came as near as %.9g m", nearest);
    throng_world_destroy(mutual);
    throng_world_destroy(sided);
    throng_world_destroy(alone);
}

// Bodies in each other part only where their heights overlap; heights that touch do not.
static void push_out_heeds_heights(void **state) {
    (void)state;
    const struct {
        float low, high;
        bool parts;
    } cases[] = {{0, 2, true}, {1.9f, 4, true}, {2, 4, false}, {3, 4, false}, {-2, 0, false}, {-INFINITY, 0.5f, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        throng_world *world = make_world(NULL, NULL);
        throng_agent_def defs[2] = {throng_default_agent_def(), throng_default_agent_def()};
        defs[1].position[0] = 0.3125;
        defs[0].height_low = 0;
        defs[0].height_high = 2;
        defs[1].height_low = cases[i].low;
        defs[1].height_high = cases[i].high;
        throng_agent_id ids[2];
        must(throng_agents_add(world, defs, 2, ids));
        must(throng_world_step(world, 0.1));
        double p[4];
        must(throng_agents_read(world, THRONG_FIELD_POSITION, ids, 2, p));
        throng_counters counters;
        must(throng_world_counters(world, &counters));
        const bool parted = p[2] - p[0] != 0.3125;
        if (parted != cases[i].parts) fail_msg("case %d: they are %.9g m apart", (int)i, p[2] - p[0]);
        if (!parted) assert_true(counters.overlap == 0.0f);
        throng_world_destroy(world);
    }
}

// ---- walls

static const double across[] = {2, -5, 2, 5};

static double walked(float wall_low, float wall_high, float low, float high) {
    const throng_wall wall = {THRONG_WALL_LINE, 2, across, 1, wall_low, wall_high};
    throng_map *map = map_of(&wall, 1);
    throng_world *world = make_world(NULL, map);
    throng_agent_def def = walker(0, 0, 1.5);
    def.height_low = low;
    def.height_high = high;
    must(throng_agents_add(world, &def, 1, NULL));
    for (int step = 0; step < 40; step++) must(throng_world_step(world, 0.1));
    const double x = view_of(world).x[0];
    throng_world_destroy(world);
    throng_map_release(map);
    return x;
}

static void walls_stop_at_their_heights(void **state) {
    (void)state;
    const struct {
        float wall_low, wall_high, low, high;
        bool stops;
    } cases[] = {{0, 0, 0, 2, true}, // the wall stands at all heights
                 {0, 3, 0, 2, true},        {1.5f, 3, 0, 2, true}, {0, 3, -INFINITY, INFINITY, true},
                 {2, 3, 0, 2, false}, // they only touch
                 {3, INFINITY, 0, 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double x = walked(cases[i].wall_low, cases[i].wall_high, cases[i].low, cases[i].high);
        const bool good = cases[i].stops ? x > 1.7 && x <= 1.75 : fabs(x - 6.0) < 1e-6;
        if (!good) fail_msg("case %d: it comes to x = %.9g", (int)i, x);
    }
}

static void walls_in_the_set(void **state) {
    (void)state;
    throng_memory memory;
    assert_true(throng_memory_init(&memory, &(throng_allocator){0}));
    const double reversed[] = {2, 5, 2, -5};
    const throng_wall walls[] = {{THRONG_WALL_LINE, 2, across, 1, 0, 2},
                                 {THRONG_WALL_LINE, 2, reversed, 2, 0, 2}, // the same but for its layer
                                 {THRONG_WALL_LINE, 2, across, 1, 3, 5},
                                 {THRONG_WALL_LINE, 2, across, 1, -INFINITY, INFINITY},
                                 {THRONG_WALL_LINE, 2, across, 4, 0, 0}}; // the same again
    throng_wall_set set, again;
    must(throng_wall_set_build(&set, walls, 5, &memory));
    assert_int_equal(set.wall_count, 3);
    assert_true(set.by_height);
    must(throng_wall_set_build(&again, set.walls, set.wall_count, &memory));
    assert_int_equal(again.wall_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(set.low[i] == again.low[i] && set.high[i] == again.high[i] &&
                    set.segment[i].layer == again.segment[i].layer);
        const uint32_t layer = set.low[i] == 0.0f ? 3 : set.low[i] == 3.0f ? 1 : 5;
        assert_int_equal(set.segment[i].layer, layer);
    }
    throng_wall_set_release(&set, &memory);
    throng_wall_set_release(&again, &memory);
    const float bad[][2] = {{2, 2}, {3, 1}, {NAN, 1}, {0, NAN}};
    for (size_t i = 0; i < 4; i++) {
        const throng_wall wall = {THRONG_WALL_LINE, 2, across, 1, bad[i][0], bad[i][1]};
        assert_int_equal(throng_wall_set_build(&set, &wall, 1, &memory), THRONG_ERROR_VALUE);
    }
    assert_int_equal(memory.bytes, 0);
}

// Maps that differ in heights alone are different maps; a snapshot keeps the heights of a world's own walls.
static void snapshots_keep_heights(void **state) {
    (void)state;
    throng_map *maps[2] = {map_of(floors, 6), NULL};
    throng_wall other[6];
    memcpy(other, floors, sizeof other);
    other[2].height_high = 1.5f;
    maps[1] = map_of(other, 6);
    throng_world *a = make_world(NULL, maps[0]), *b = make_world(NULL, maps[0]), *c = make_world(NULL, maps[1]);
    const throng_wall own = {THRONG_WALL_LINE, 2, across, 1, 2.5f, 4};
    must(throng_world_add_walls(a, &own, 1, NULL));
    throng_agent_id ids[60];
    add_crowd(a, 4, 60, 0, 0, 20, ids);
    set_heights(a, ids, 30, 0, 2);
    set_heights(a, ids + 30, 30, 3, 5);
    for (int step = 0; step < 10; step++) must(throng_world_step(a, 0.1));
    must(load_from(b, a));
    assert_int_equal(load_from(c, a), THRONG_ERROR_SNAPSHOT);
    run_beside(a, b, STEPS, "after the snapshot");
    throng_world_destroy(a);
    throng_world_destroy(b);
    throng_world_destroy(c);
    for (int i = 0; i < 2; i++) throng_map_release(maps[i]);
}

// Who changes floors in the middle of a solid of the other floor finds the way out of it.
static void changing_floors(void **state) {
    (void)state;
    throng_map *map = map_of(floors, 6);
    throng_world *world = make_world(NULL, map);
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = 6.5;
    def.position[1] = 3.4;
    def.height_low = 0;
    def.height_high = 2;
    throng_agent_id id;
    must(throng_agents_add(world, &def, 1, &id));
    must(throng_world_step(world, 0.1));
    uint8_t outside;
    must(throng_agents_read(world, THRONG_FIELD_OUTSIDE, &id, 1, &outside));
    assert_int_equal(outside, 0);
    set_heights(world, &id, 1, 3, 5);
    must(throng_world_step(world, 0.1));
    must(throng_agents_read(world, THRONG_FIELD_OUTSIDE, &id, 1, &outside));
    assert_int_equal(outside, 1);
    for (int step = 0; step < 20; step++) must(throng_world_step(world, 0.1));
    must(throng_agents_read(world, THRONG_FIELD_OUTSIDE, &id, 1, &outside));
    assert_int_equal(outside, 0);
    const double y = view_of(world).y[0];
    if (!(fabs(y - 2.75) < 1e-3)) fail_msg("it stands at y = %.9g", y);
    throng_world_destroy(world);
    throng_map_release(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_that_all_overlap),
        cmocka_unit_test(floors_do_not_meet),
        cmocka_unit_test(groups_that_ignore_each_other),
        cmocka_unit_test(one_sided),
        cmocka_unit_test(push_out_heeds_heights),
        cmocka_unit_test(walls_stop_at_their_heights),
        cmocka_unit_test(walls_in_the_set),
        cmocka_unit_test(snapshots_keep_heights),
        cmocka_unit_test(changing_floors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
