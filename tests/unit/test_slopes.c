// Slopes of agents, regions and grids, and what they make of speeds, with exact values.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "state/map.h"
#include "state/world.h"
#include "unit/ground_cases.h"

// k = sqrt(1 + 0.75²) = 1.25 and k = sqrt(1 + 0.6² + 0.8²) = sqrt(2).
static void an_agents_own_slope(void **state) {
    (void)state;
    throng_agent_def def = walker(0, 0, 100, 0);
    def.gradient[0] = 0.75f;
    assert_near(speed_after_step(NULL, &def, 0.1), 1.6, 1e-6, "up");
    def.gradient[0] = -0.75f;
    assert_near(speed_after_step(NULL, &def, 0.1), 1.6, 1e-6, "down");
    def.gradient[0] = 0.0f;
    def.gradient[1] = 0.75f;
    assert_near(speed_after_step(NULL, &def, 0.1), 1.6, 1e-6, "across");
    def.gradient[0] = 0.6f;
    def.gradient[1] = 0.8f;
    assert_near(speed_after_step(NULL, &def, 0.1), 2.0 / sqrt(2.0), 1e-6, "of both axes");
    def = walker(0, 0, 100, 0);
    def.gradient[0] = 0.75f;
    def.max_acceleration = 2.5f;
    assert_near(speed_after_step(NULL, &def, 0.1), 2.5 / 1.25 * 0.1, 1e-6, "acceleration");
    def = walker(0, 0, 100, 0);
    def.gradient[0] = 0.75f;
    def.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = 5.0};
    assert_near(speed_after_step(NULL, &def, 0.1), 1.6, 1e-6, "a fixed wish is limited");
    def.target.x = 1.5;
    assert_near(speed_after_step(NULL, &def, 0.1), 1.5, 1e-6, "and else kept");
}

static void a_slope_is_written_and_taken_back(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    const throng_agent_def def = walker(0, 0, 1000, 0);
    throng_agent_id id;
    must(throng_agents_add(world, &def, 1, &id));
    const float gradient[2] = {0.75f, 0}, level[2] = {0, 0};
    must(throng_agents_write(world, THRONG_FIELD_GRADIENT, &id, 1, gradient));
    must(throng_world_step(world, 0.1));
    assert_near(view_of(world).velocity_x[0], 1.6, 1e-6, "on the slope");
    must(throng_agents_write(world, THRONG_FIELD_GRADIENT, &id, 1, level));
    must(throng_world_step(world, 0.1));
    assert_near(view_of(world).velocity_x[0], 2.0, 1e-6, "level again");
    throng_world_destroy(world);
}

// ---- regions

static void regions_slow(void **state) {
    (void)state;
    throng_map *map = map_of_regions(regions, 3);
    const struct {
        const char *what;
        double x, y, goal_x, goal_y, speed;
    } cases[] = {
        {"before", 5, 0, 100, 0, 2},
        {"in the first", 10.5, 0, -100, 0, 1},
        {"where both overlap", 11.5, 0, 100, 0, 2 * 0.5 / 1.25},
        {"in the second", 15, 0, 100, 0, 2 * 0.8 / 1.25},
        {"beside", 11, 6, 100, 6, 2},
        {"a step into it", 9.9, 0, 100, 0, 1},
        {"a step that ends before it", 9.7, 0, 100, 0, 2},
        {"a step out of it", 10.1, 0, -100, 0, 1},
        {"a step over it", 29.95, 0, 100, 0, 0.5},
        {"a step past its corner", 9.95, -5.05, 100, -5.05, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const throng_agent_def def = walker(cases[i].x, cases[i].y, cases[i].goal_x, cases[i].goal_y);
        assert_near(speed_after_step(map, &def, 0.1), cases[i].speed, 1e-6, cases[i].what);
    }
    // Whatever turns a fixed wish, the way that is really gone obeys.
    throng_agent_def def = walker(9.9, 0, 0, 0);
    def.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = 2.0};
    assert_near(speed_after_step(map, &def, 0.1), 1.0, 1e-6, "a fixed wish into it");
    throng_map_release(map);
}

// Stairs of one floor are nothing to those on another.
static void regions_at_heights(void **state) {
    (void)state;
    const throng_region stairs = {strip, 4, 0.5f, {0.75f, 0}, 3, 6};
    throng_map *map = map_of_regions(&stairs, 1);
    const struct {
        float low, high;
        double speed;
    } cases[] = {{-INFINITY, INFINITY, 0.8}, {0, 3, 2}, {0, 3.5f, 0.8}, {3, 5, 0.8}, {6, 8, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        throng_agent_def def = walker(10.5, 0, 100, 0);
        def.height_low = cases[i].low;
        def.height_high = cases[i].high;
        assert_near(speed_after_step(map, &def, 0.1), cases[i].speed, 1e-6, "at its height");
    }
    throng_map_release(map);
    throng_map_def def = throng_default_map_def();
    const throng_region bad = {strip, 4, 0.5f, {0.75f, 0}, 3, 3};
    def.regions = &bad;
    def.region_count = 1;
    assert_int_equal(throng_map_create(&def, &map), THRONG_ERROR_VALUE);
}

// Somebody stands in the way, so that the way gone is another than the wish: every step obeys the ground under it.
static void the_way_gone_obeys(void **state) {
    (void)state;
    throng_map *map = map_of_regions(regions, 3);
    throng_world *world = make_world(NULL, map);
    throng_agent_def defs[40];
    for (int i = 0; i < 40; i++) {
        defs[i] = walker(i < 20 ? i * 0.7 - 6.0 : 44.0 - i * 0.6, (i * 7 % 20) * 0.4 - 4.0, i < 20 ? 40 : -10, 0);
        defs[i].max_speed = 2.5f;
    }
    must(throng_agents_add(world, defs, 40, NULL));
    double x[40], y[40];
    int slowed = 0;
    for (int step = 0; step < 300; step++) {
        throng_view view = view_of(world);
        for (uint32_t row = 0; row < view.count; row++) {
            x[view.creation[row]] = view.x[row];
            y[view.creation[row]] = view.y[row];
        }
        must(throng_world_step(world, 0.1));
        view = view_of(world);
        for (uint32_t row = 0; row < view.count; row++) {
            const uint64_t i = view.creation[row];
            const double vx = view.velocity_x[row], vy = view.velocity_y[row], speed = sqrt(vx * vx + vy * vy);
            const throng_footing way =
                throng_ground_along(&world->map->ground, -INFINITY, INFINITY, x[i], y[i], vx * 0.1, vy * 0.1);
            const double limit = 2.5 * way.factor / way.steepness;
            if (way.factor < 1.0f && speed > 0.9 * limit) slowed++;
            if (!(speed <= limit + 1e-5)) {
                fail_msg("step %d, agent %d: %.7g m/s where %.7g are the most", step, (int)i, speed, limit);
            }
        }
    }
    if (slowed < 100) fail_msg("only %d steps were limited by a region", slowed);
    throng_world_destroy(world);
    throng_map_release(map);
}

// ---- grids

enum { COLUMNS = 12, ROWS = 9 };

static throng_map *map_of_grid(double x, double y, double cell, const double *heights) {
    throng_map_def def = throng_default_map_def();
    def.heights = (throng_height_grid){COLUMNS, ROWS, x, y, cell, heights};
    throng_map *map = NULL;
    must(throng_map_create(&def, &map));
    return map;
}

static void a_plane_is_equally_steep_everywhere(void **state) {
    (void)state;
    double heights[COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; i++) heights[i] = 0.75 * 2.0 * (i % COLUMNS);
    throng_map *map = map_of_grid(0, 0, 2.0, heights);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        const throng_agent_def def = walker(2.0 * (i % COLUMNS) + 1.0, 2.0 * (i / COLUMNS) + 1.0, 12, 100);
        assert_near(speed_after_step(map, &def, 0.1), 1.6, 1e-6, "on the plane");
    }
    const throng_agent_def outside = walker(-3, 4, -100, 4), onto = walker(-0.1, 4, 100, 4);
    assert_near(speed_after_step(map, &outside, 0.1), 2.0, 1e-6, "outside");
    assert_near(speed_after_step(map, &onto, 0.1), 1.6, 1e-6, "a step onto it");
    throng_map_release(map);
}

static void slopes_by_differences(void **state) {
    (void)state;
    double heights[COLUMNS * ROWS] = {0};
    heights[4 * COLUMNS + 5] = 3.0; // a peak, 1 m squares
    heights[4 * COLUMNS + 9] = NAN; // not known
    throng_map *map = map_of_grid(0, 0, 1.0, heights);
    const struct {
        double x, y, k;
    } cases[] = {{5.5, 4.5, 1.0}, // level on the peak
                 {4.5, 4.5, sqrt(1 + 1.5 * 1.5)},
                 {6.5, 4.5, sqrt(1 + 1.5 * 1.5)},
                 {5.5, 3.5, sqrt(1 + 1.5 * 1.5)},
                 {4.5, 3.5, 1.0}, // diagonal neighbors do not count
                 {9.5, 4.5, 1.0}, // not known: level
                 {8.5, 4.5, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const throng_footing here =
            throng_ground_along(&map->ground, -INFINITY, INFINITY, cases[i].x, cases[i].y, 0, 0);
        assert_near(here.steepness, cases[i].k, 1e-6, "k");
        assert_near(here.factor, 1.0, 0, "factor");
    }
    throng_map_release(map);
}

// Whether a way meets a square grown by `more`, by cutting the way to the square's two slabs.
static bool meets_square(double ax, double ay, double dx, double dy, double left, double bottom, double more) {
    double from = 0.0, to = 1.0;
    const double start[2] = {ax - left, ay - bottom}, way[2] = {dx, dy};
    for (int axis = 0; axis < 2; axis++) {
        if (way[axis] == 0.0) {
            if (start[axis] < -more || start[axis] > 1.0 + more) return false;
            continue;
        }
        const double first = (-more - start[axis]) / way[axis], second = (1.0 + more - start[axis]) / way[axis];
        from = fmax(from, fmin(first, second));
        to = fmin(to, fmax(first, second));
    }
    return from <= to;
}

static void ways_over_squares(void **state) {
    (void)state;
    uint64_t random = 7;
    double heights[COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; i++) heights[i] = random_between(&random, 0, 5);
    throng_map *map = map_of_grid(0, 0, 1.0, heights);
    for (int trial = 0; trial < 20000; trial++) {
        double way[4];
        for (int i = 0; i < 4; i++) way[i] = random_between(&random, -4, 14) * (i < 2 ? 1.0 : 0.3);
        if (trial % 5 == 0) way[0] = floor(way[0]);
        if (trial % 7 == 0) way[3] = 0.0;
        if (trial % 11 == 0) way[2] = 0.0;
        way[2] = ldexp(floor(ldexp(way[2], 20)), -20);
        way[3] = ldexp(floor(ldexp(way[3], 20)), -20);
        float least = 1.0f, most = 1.0f;
        for (int i = 0; i < COLUMNS * ROWS; i++) {
            const double left = i % COLUMNS, bottom = i / COLUMNS;
            const float k = map->ground.steepness[i];
            if (meets_square(way[0], way[1], way[2], way[3], left, bottom, -1e-9)) least = fmaxf(least, k);
            if (meets_square(way[0], way[1], way[2], way[3], left, bottom, 1e-9)) most = fmaxf(most, k);
        }
        const float is =
            throng_ground_along(&map->ground, -INFINITY, INFINITY, way[0], way[1], way[2], way[3]).steepness;
        if (is < least || is > most) {
            fail_msg("trial %d: k is %.7g, should be %.7g to %.7g", trial, is, least, most);
        }
    }
    throng_map_release(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agents_own_slope),   cmocka_unit_test(a_slope_is_written_and_taken_back),
        cmocka_unit_test(regions_slow),          cmocka_unit_test(regions_at_heights),
        cmocka_unit_test(the_way_gone_obeys),    cmocka_unit_test(a_plane_is_equally_steep_everywhere),
        cmocka_unit_test(slopes_by_differences), cmocka_unit_test(ways_over_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
