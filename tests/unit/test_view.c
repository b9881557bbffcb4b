// Whom an agent sees: the angle and range of its view, and walls that hide others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/worlds.h"

static throng_agent_def standing(double x, double y) {
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = x;
    def.position[1] = y;
    def.neighbor_range = 100.0f;
    return def;
}

static bool sees_other(throng_map *map, const throng_agent_def *viewer, double x, double y) {
    throng_world *world = make_world(NULL, map);
    const throng_agent_def defs[2] = {*viewer, standing(x, y)};
    throng_agent_id ids[2];
    must(throng_agents_add(world, defs, 2, ids));
    must(throng_world_refresh(world));
    throng_explanation why;
    must(throng_query_explain(world, ids[0], 0.1, &why));
    throng_world_destroy(world);
    return why.neighbor_count == 1;
}

// Half angles of 90, about 53.13 and about 126.87 degrees; the border counts as seen.
static void angles(void **state) {
    (void)state;
    const struct {
        float cosine;
        double x, y;
        bool seen;
    } cases[] = {
        {0.0f, 3, 0, true},      {0.0f, 0, 3, true},      {0.0f, -0.001, 3, false}, {0.0f, -3, 0, false},
        {0.6f, 3, 4.001, false}, {0.6f, 3.001, 4, true},  {0.6f, 3, -3.99, true},   {0.6f, -3, 4, false},
        {-0.6f, -3, 4.1, true},  {-0.6f, -3, 3.9, false}, {-0.6f, -5, 0, false},    {-1.0f, -5, 0, true},
        {1.0f, 5, 0, true},      {1.0f, 5, 0.01, false},  {-1.0f, -5, 1e-9, true},  {0.0f, 0, 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        throng_agent_def viewer = standing(0, 0);
        viewer.velocity[0] = 1.0f;
        viewer.view_cosine = cases[i].cosine;
        if (sees_other(NULL, &viewer, cases[i].x, cases[i].y) != cases[i].seen) {
            fail_msg("case %d: (%g, %g) with cosine %g", (int)i, cases[i].x, cases[i].y, cases[i].cosine);
        }
    }
}

static void gazes(void **state) {
    (void)state;
    throng_agent_def viewer = standing(0, 0);
    viewer.view_cosine = 0.5f;
    assert_true(sees_other(NULL, &viewer, -3, 0)); // looks nowhere: sees all round
    viewer.target = (throng_target){.kind = THRONG_TARGET_POINT, .x = 9};
    assert_true(sees_other(NULL, &viewer, 3, 0));
    assert_false(sees_other(NULL, &viewer, -3, 0)); // looks to its target
    viewer.target = (throng_target){.kind = THRONG_TARGET_SEGMENT, .x = -9, .y = -5, .end_x = -9, .end_y = 5};
    assert_true(sees_other(NULL, &viewer, -3, 0));
    assert_false(sees_other(NULL, &viewer, 3, 0));
    viewer.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .y = -1};
    assert_true(sees_other(NULL, &viewer, 0, -3));
    assert_false(sees_other(NULL, &viewer, 3, 0));
    viewer.velocity[0] = 1e-6f; // walks, however slowly
    assert_true(sees_other(NULL, &viewer, 3, 0));
    assert_false(sees_other(NULL, &viewer, 0, -3));
}

static void ranges(void **state) {
    (void)state;
    throng_agent_def viewer = standing(0, 0);
    viewer.view_range = 5.0f;
    assert_true(sees_other(NULL, &viewer, 3, 4));
    assert_false(sees_other(NULL, &viewer, 3, 4.001));
    viewer.view_range = 0.0f;
    assert_false(sees_other(NULL, &viewer, 0.1, 0));
}

static const double screen[] = {2, -1, 2, 1};

static void walls_hide(void **state) {
    (void)state;
    const throng_wall walls[] = {{THRONG_WALL_LINE, 2, screen, 1, 0, 2}};
    throng_map *map = map_of(walls, 1);
    throng_agent_def viewer = standing(0, 0);
    assert_true(sees_other(map, &viewer, 4, 0)); // was not asked for
    viewer.line_of_sight = 1;
    assert_false(sees_other(map, &viewer, 4, 0));
    assert_false(sees_other(map, &viewer, 4, 1.99));
    assert_true(sees_other(map, &viewer, 4, 2.01)); // past the end
    assert_true(sees_other(map, &viewer, 1.5, 0));  // in front of it
    viewer.height_low = 2;
    viewer.height_high = 4;
    assert_true(sees_other(map, &viewer, 4, 0)); // over the wall
    viewer.height_low = 1;
    assert_false(sees_other(map, &viewer, 4, 0));
    viewer.mask = 3;
    assert_false(sees_other(map, &viewer, 4, 0));
    viewer.mask = 2;
    viewer.layer = 2;
    assert_false(sees_other(map, &viewer, 4, 0)); // it heeds nobody of layer 1, walls included
    throng_map_release(map);
}

// The nearest are chosen among those seen: who is behind takes no place among them.
static void the_unseen_take_no_place(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def defs[21] = {standing(0, 0)};
    defs[0].velocity[0] = 1.0f;
    defs[0].view_cosine = 0.0f;
    defs[0].max_neighbors = 4;
    for (int i = 1; i <= 10; i++) {
        defs[i] = standing(-0.6 * i, 0);
        defs[i + 10] = standing(10.0 + 0.6 * i, 0);
    }
    throng_agent_id ids[21];
    must(throng_agents_add(world, defs, 21, ids));
    must(throng_world_refresh(world));
    throng_explanation why;
    must(throng_query_explain(world, ids[0], 0.1, &why));
    assert_int_equal(why.neighbor_count, 4);
    for (int i = 0; i < 4; i++) assert_int_equal(why.neighbors[i].agent.index, ids[11 + i].index);
    throng_world_destroy(world);
}

static double asked(const throng_explanation *why, double vx) {
    assert_int_equal(why->neighbor_count, 1);
    return why->planes[0].c - why->planes[0].nx * vx;
}

// A overtakes B, who does not see it: B walks as if alone, A takes all that both would do in halves.
static void who_is_not_seen_takes_all(void **state) {
    (void)state;
    throng_agent_def a = standing(0, 0.05), b = standing(1.5, 0);
    a.velocity[0] = 1.5f;
    a.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = 1.5};
    b.velocity[0] = 0.5f;
    b.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = 0.5};
    throng_world *worlds[2];
    throng_agent_id ids[2][2];
    throng_explanation why[2];
    for (int i = 0; i < 2; i++) {
        b.view_cosine = i == 0 ? -1.0f : 0.0f;
        worlds[i] = make_world(NULL, NULL);
        must(throng_agents_add(worlds[i], &a, 1, &ids[i][0]));
        must(throng_agents_add(worlds[i], &b, 1, &ids[i][1]));
        must(throng_world_refresh(worlds[i]));
        must(throng_query_explain(worlds[i], ids[i][0], 0.1, &why[i]));
    }
    const double half = asked(&why[0], 1.5), all = asked(&why[1], 1.5);
    if (!(half > 0.05) || fabs(all - 2 * half) > 1e-6) fail_msg("A takes %.9g of %.9g", all, 2 * half);
    for (int step = 0; step < 20; step++) {
        must(throng_world_step(worlds[1], 0.1));
        double p[4];
        float v[4];
        must(throng_agents_read(worlds[1], THRONG_FIELD_POSITION, ids[1], 2, p));
        must(throng_agents_read(worlds[1], THRONG_FIELD_VELOCITY, ids[1], 2, v));
        if (p[0] < p[2] && (v[2] != 0.5f || v[3] != 0.0f)) fail_msg("step %d: B heeds who is behind it", step);
        if (!(hypot(p[2] - p[0], p[3] - p[1]) >= 0.5 - 1e-4)) fail_msg("step %d: they touch", step);
    }
    for (int i = 0; i < 2; i++) throng_world_destroy(worlds[i]);
}

// The same where only one of the two asks whether walls hide the other.
static void who_is_hidden_takes_all(void **state) {
    (void)state;
    const double curtain[] = {1, -1, 1, 1};
    const throng_wall wall = {THRONG_WALL_LINE, 2, curtain, 2};
    throng_map *map = map_of(&wall, 1);
    double took[2];
    for (int i = 0; i < 2; i++) {
        throng_agent_def a = standing(0, 0.05), b = standing(2, 0);
        a.velocity[0] = 1.0f;
        b.velocity[0] = -1.0f;
        b.mask = 3;
        b.line_of_sight = (uint32_t)i;
        throng_world *world = make_world(NULL, map);
        throng_agent_id ids[2];
        must(throng_agents_add(world, &a, 1, &ids[0]));
        must(throng_agents_add(world, &b, 1, &ids[1]));
        must(throng_world_refresh(world));
        throng_explanation why;
        must(throng_query_explain(world, ids[0], 0.1, &why));
        took[i] = asked(&why, 1.0);
        must(throng_query_explain(world, ids[1], 0.1, &why));
        assert_int_equal(why.neighbor_count, 1 - i);
        throng_world_destroy(world);
    }
    if (!(took[0] > 0.05) || fabs(took[1] - 2 * took[0]) > 1e-6) fail_msg("A takes %.9g of %.9g", took[1], 2 * took[0]);
    throng_map_release(map);
}

// Who is not seen is touched all the same: bodies do not stay in each other.
static void the_unseen_are_touched(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def defs[2] = {standing(0, 0), standing(-0.25, 0)};
    defs[0].velocity[0] = 1.0f;
    defs[0].target = (throng_target){.kind = THRONG_TARGET_VELOCITY};
    defs[0].view_cosine = 0.5f;
    throng_agent_id ids[2];
    must(throng_agents_add(world, defs, 2, ids));
    for (int step = 0; step < 5; step++) must(throng_world_step(world, 0.1));
    double p[4];
    must(throng_agents_read(world, THRONG_FIELD_POSITION, ids, 2, p));
    if (!(p[0] - p[2] > 0.499)) fail_msg("they are %.9g m apart", p[0] - p[2]);
    throng_world_destroy(world);
}

// Views that leave nobody out change nothing; others give the same on every kernel and after a snapshot.
static void crowds_that_look(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_world_def scalar = throng_default_world_def();
    scalar.kernel = "scalar";
    scalar.threads = 1;
    throng_world *plain = make_world(NULL, map), *wide = make_world(NULL, map);
    throng_world *look = make_world(NULL, map), *again = make_world(&scalar, map);
    throng_agent_id ids[4][120];
    throng_world *const worlds[] = {plain, wide, look, again};
    for (int w = 0; w < 4; w++) {
        add_crowd(worlds[w], 21, 120, 0, 0, 18, ids[w]);
        for (int i = 0; i < 120 && w > 0; i++) {
            const float range = w == 1 ? 1000.0f : (float)(1 + i % 9), cosine = w == 1 ? -1.0f : 0.1f * (float)(i % 7);
            const uint32_t hidden = w > 1 && i % 3 == 0;
            must(throng_agents_write(worlds[w], THRONG_FIELD_VIEW_RANGE, &ids[w][i], 1, &range));
            must(throng_agents_write(worlds[w], THRONG_FIELD_VIEW_COSINE, &ids[w][i], 1, &cosine));
            must(throng_agents_write(worlds[w], THRONG_FIELD_LINE_OF_SIGHT, &ids[w][i], 1, &hidden));
        }
    }
    for (int step = 0; step < 40; step++) {
        for (int w = 0; w < 4; w++) must(throng_world_step(worlds[w], 0.1));
        const throng_hashes a = hashes_of(plain), b = hashes_of(wide), c = hashes_of(look);
        if (a.places != b.places) fail_msg("step %d: a view of everything changes something", step);
        if (step > 10 && a.places == c.places) fail_msg("step %d: no view changes anything", step);
        assert_same_state(look, again, "scalar kernel");
        must(load_from(again, look));
    }
    for (int w = 0; w < 4; w++) throng_world_destroy(worlds[w]);
    throng_map_release(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles),
        cmocka_unit_test(gazes),
        cmocka_unit_test(ranges),
        cmocka_unit_test(walls_hide),
        cmocka_unit_test(the_unseen_take_no_place),
        cmocka_unit_test(who_is_not_seen_takes_all),
        cmocka_unit_test(who_is_hidden_takes_all),
        cmocka_unit_test(the_unseen_are_touched),
        cmocka_unit_test(crowds_that_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
