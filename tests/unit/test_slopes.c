// The ground: slopes of agents, grids and regions, and what they make of speeds, with exact values.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "state/map.h"
#include "state/world.h"
#include "support/allocator.h"
#include "support/worlds.h"
#include <throng/plan.h>

static void assert_near(double is, double wanted, double slack, const char *what) {
    if (!(fabs(is - wanted) <= slack)) fail_msg("%s: is %.9g, should be %.9g", what, is, wanted);
}

static throng_agent_def walker(double x, double y, double goal_x, double goal_y) {
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = x;
    def.position[1] = y;
    def.target = (throng_target){.kind = THRONG_TARGET_POINT, .x = goal_x, .y = goal_y};
    def.max_speed = def.preferred_speed = 2.0f;
    return def;
}

// The speed after one step of a single agent.
static double speed_after_step(throng_map *map, const throng_agent_def *def, double time_step) {
    throng_world *world = make_world(NULL, map);
    must(throng_agents_add(world, def, 1, NULL));
    must(throng_world_step(world, time_step));
    const throng_view view = view_of(world);
    const double vx = view.velocity_x[0], vy = view.velocity_y[0];
    throng_world_destroy(world);
    return sqrt(vx * vx + vy * vy);
}

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

static void limits_of_a_leg(void **state) {
    (void)state;
    throng_agent_def def = walker(0, 0, 100, 0);
    def.speed_limit = 0.5f;
    assert_near(speed_after_step(NULL, &def, 0.1), 0.5, 1e-6, "limit below the slope's");
    def.gradient[0] = 0.75f;
    assert_near(speed_after_step(NULL, &def, 0.1), 0.5, 1e-6, "min(V / k, limit)");
    def.speed_limit = 1.7f;
    assert_near(speed_after_step(NULL, &def, 0.1), 1.6, 1e-6, "min(V / k, limit)");
    def.speed_limit = 0.0f;
    assert_near(speed_after_step(NULL, &def, 0.1), 0.0, 0, "none at all");
}

static void limits_written_and_taken_back(void **state) {
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

// The speed in the middle of every leg, and after the route.
static void legs_of_a_route(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_plan *plan = NULL;
    must(throng_plan_create(world, NULL, &plan));
    const throng_agent_def def = walker(0, 0, 0, 0);
    throng_agent_id ids[3];
    for (int i = 0; i < 3; i++) must(throng_agents_add(world, &def, 1, &ids[i]));
    const uint32_t nobody = 0;
    for (int i = 0; i < 3; i++) must(throng_agents_write(world, THRONG_FIELD_MASK, &ids[i], 1, &nobody));
    const double points[] = {4, 0, 8, 0, 12, 0};
    const float limits[2][3] = {{1.0f, INFINITY, 0.5f}, {INFINITY, 0.25f, 3.0f}};
    const throng_route routes[3] = {{points, 3, false, limits[0]}, {points, 3, false, limits[1]}, {points, 3, false}};
    must(throng_plan_set_routes(plan, ids, routes, 3));
    int checked = 0;
    for (int step = 0; step < 400; step++) {
        must(throng_world_step(world, 0.1));
        must(throng_plan_update(plan));
        for (int i = 0; i < 3; i++) {
            double place[2];
            float velocity[2];
            must(throng_agents_read(world, THRONG_FIELD_POSITION, &ids[i], 1, place));
            must(throng_agents_read(world, THRONG_FIELD_VELOCITY, &ids[i], 1, velocity));
            const int leg = (int)(place[0] / 4.0);
            if (leg > 2 || fabs(place[0] - 4.0 * leg - 2.0) > 1.0) continue;
            const double limit = i < 2 ? fmin(limits[i][leg], 2.0) : 2.0;
            assert_near(velocity[0], limit, 1e-6, "on a leg");
            checked++;
        }
    }
    if (checked < 150) fail_msg("only %d steps on legs", checked);
    float after[3];
    must(throng_agents_read(world, THRONG_FIELD_SPEED_LIMIT, ids, 3, after));
    for (int i = 0; i < 3; i++) assert_true(after[i] == INFINITY);
    must(throng_plan_set_routes(plan, ids, routes, 1));
    must(throng_agents_read(world, THRONG_FIELD_SPEED_LIMIT, ids, 1, after));
    assert_true(after[0] == 1.0f);
    must(throng_plan_set_routes(plan, ids, &routes[2], 1));
    must(throng_agents_read(world, THRONG_FIELD_SPEED_LIMIT, ids, 1, after));
    assert_true(after[0] == INFINITY); // a route of no limits has none
    const float bad[3] = {1.0f, -1.0f, NAN};
    const throng_route refused[2] = {routes[0], {points, 3, false, bad}};
    assert_int_equal(throng_plan_set_routes(plan, ids, refused, 2), THRONG_ERROR_VALUE);
    assert_int_equal(throng_last_error()->item, 1);
    throng_plan_destroy(plan);
    throng_world_destroy(world);
}

// ---- regions

static throng_map *map_of_regions(const throng_region *regions, uint32_t count) {
    throng_map_def def = throng_default_map_def();
    def.regions = regions;
    def.region_count = count;
    throng_map *map = NULL;
    must(throng_map_create(&def, &map));
    return map;
}

static const double strip[] = {10, -5, 12, -5, 12, 5, 10, 5};
static const double right_half[] = {11, -5, 11, 5, 20, 5, 20, -5}; // clockwise
static const double sliver[] = {30, -5, 30.01, -5, 30.01, 5, 30, 5};

static const throng_region regions[] = {
    {strip, 4, 0.5f, {0, 0}}, {right_half, 4, 0.8f, {0.75f, 0}}, {sliver, 4, 0.25f, {0, 0}}};

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

// ---- the same everywhere, and again after a snapshot

static throng_map *hilly_map(double x, double y, bool backwards) {
    double heights[COLUMNS * ROWS], points[3][8];
    uint64_t random = 3;
    for (int i = 0; i < COLUMNS * ROWS; i++) heights[i] = random_between(&random, 0, 2);
    throng_region moved[3];
    for (int i = 0; i < 3; i++) {
        const throng_region *from = &regions[backwards ? 2 - i : i];
        moved[i] = *from;
        for (int j = 0; j < 8; j++) points[i][j] = from->points[j] - (j % 2 ? 0 : 14) + (j % 2 ? y : x);
        moved[i].points = points[i];
    }
    throng_map_def def = throng_default_map_def();
    def.heights = (throng_height_grid){COLUMNS, ROWS, x - 12, y - 9, 2.0, heights};
    def.regions = moved;
    def.region_count = 3;
    throng_map *map = NULL;
    must(throng_map_create(&def, &map));
    return map;
}

static void far_from_the_origin(void **state) {
    (void)state;
    const double x = 5900000.0, y = -3100000.0;
    throng_map *map = hilly_map(0, 0, false), *far = hilly_map(x, y, true);
    throng_world *a = make_world(NULL, map), *b = make_world(NULL, far);
    add_crowd(a, 11, 60, 0, 0, 20, NULL);
    add_crowd(b, 11, 60, 0, 0, 20, NULL);
    throng_agent_id ids[60];
    double places[120];
    throng_target targets[60];
    memcpy(ids, view_of(b).ids, sizeof ids);
    must(throng_agents_read(b, THRONG_FIELD_POSITION, ids, 60, places));
    must(throng_agents_read(b, THRONG_FIELD_TARGET, ids, 60, targets));
    for (int i = 0; i < 60; i++) {
        places[2 * i] += x;
        places[2 * i + 1] += y;
        if (targets[i].kind == THRONG_TARGET_NONE || targets[i].kind == THRONG_TARGET_VELOCITY) continue;
        targets[i].x += x;
        targets[i].y += y;
        targets[i].end_x += x;
        targets[i].end_y += y;
    }
    must(throng_agents_write(b, THRONG_FIELD_POSITION, ids, 60, places));
    must(throng_agents_write(b, THRONG_FIELD_TARGET, ids, 60, targets));
    for (int step = 0; step < 50; step++) {
        must(throng_world_step(a, 0.1));
        must(throng_world_step(b, 0.1));
    }
    const throng_view va = view_of(a), vb = view_of(b);
    for (uint32_t i = 0; i < va.count; i++) {
        for (uint32_t j = 0; j < vb.count; j++) {
            if (va.creation[i] != vb.creation[j]) continue;
            if (va.x[i] != vb.x[j] - x || va.y[i] != vb.y[j] - y) {
                fail_msg("agent %d: (%.17g, %.17g) here, (%.17g, %.17g) there", (int)va.creation[i], va.x[i], va.y[i],
                         vb.x[j] - x, vb.y[j] - y);
            }
        }
    }
    throng_world_destroy(a);
    throng_world_destroy(b);
    throng_map_release(map);
    throng_map_release(far);
}

static void snapshots_know_their_ground(void **state) {
    (void)state;
    throng_map *map = hilly_map(0, 0, false), *same = hilly_map(0, 0, true), *other = map_of_regions(regions, 3);
    throng_world *a = make_world(NULL, map), *b = make_world(NULL, same), *c = make_world(NULL, other);
    add_crowd(a, 5, 40, 0, 0, 20, NULL);
    for (int step = 0; step < 20; step++) must(throng_world_step(a, 0.1));
    size_t size;
    must(throng_world_save(a, NULL, 0, &size));
    void *buffer = malloc(size);
    assert_non_null(buffer);
    must(throng_world_save(a, buffer, size, &size));
    must(throng_world_load(b, buffer, size));
    assert_int_equal(throng_world_load(c, buffer, size), THRONG_ERROR_SNAPSHOT);
    for (int step = 0; step < 20; step++) {
        must(throng_world_step(a, 0.1));
        must(throng_world_step(b, 0.1));
        assert_same_state(a, b, "after the snapshot");
    }
    free(buffer);
    throng_world_destroy(a);
    throng_world_destroy(b);
    throng_world_destroy(c);
    throng_map_release(map);
    throng_map_release(same);
    throng_map_release(other);
}

static void bad_ground_is_refused(void **state) {
    (void)state;
    double heights[COLUMNS * ROWS] = {0};
    const double far[] = {0, 0, 1, 0, 2e12, 1};
    const struct {
        const char *what;
        throng_height_grid grid;
        throng_region region;
        throng_result result;
        int64_t item;
    } cases[] = {
        {"cell 0", {COLUMNS, ROWS, 0, 0, 0, heights}, {strip, 4, 1, {0}}, THRONG_ERROR_VALUE, -1},
        {"corner", {COLUMNS, ROWS, NAN, 0, 1, heights}, {strip, 4, 1, {0}}, THRONG_ERROR_VALUE, -1},
        {"no heights", {COLUMNS, ROWS, 0, 0, 1, NULL}, {strip, 4, 1, {0}}, THRONG_ERROR_ARGUMENT, -1},
        {"too many", {1u << 20, 1u << 20, 0, 0, 1, heights}, {strip, 4, 1, {0}}, THRONG_ERROR_CAPACITY, -1},
        {"two points", {0}, {strip, 2, 1, {0}}, THRONG_ERROR_VALUE, 1},
        {"no points", {0}, {NULL, 4, 1, {0}}, THRONG_ERROR_ARGUMENT, 1},
        {"factor 0", {0}, {strip, 4, 0, {0}}, THRONG_ERROR_VALUE, 1},
        {"factor 2", {0}, {strip, 4, 2, {0}}, THRONG_ERROR_VALUE, 1},
        {"factor NaN", {0}, {strip, 4, NAN, {0}}, THRONG_ERROR_VALUE, 1},
        {"gradient", {0}, {strip, 4, 1, {0, INFINITY}}, THRONG_ERROR_VALUE, 1},
        {"place", {0}, {far, 3, 1, {0}}, THRONG_ERROR_VALUE, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const throng_region two[2] = {regions[0], cases[i].region};
        throng_map_def def = throng_default_map_def();
        def.heights = cases[i].grid;
        def.regions = two;
        def.region_count = 2;
        throng_map *map = NULL;
        const throng_result result = throng_map_create(&def, &map);
        if (result != cases[i].result || throng_last_error()->item != cases[i].item || map) {
            fail_msg("%s: %s, item %d", cases[i].what, throng_result_name(result), (int)throng_last_error()->item);
        }
    }
    heights[5] = 1e10;
    throng_map_def def = throng_default_map_def();
    def.heights = (throng_height_grid){COLUMNS, ROWS, 0, 0, 1, heights};
    throng_map *map = NULL;
    assert_int_equal(throng_map_create(&def, &map), THRONG_ERROR_VALUE);
}

// ---- memory runs out

static void maps_without_memory(void **state) {
    (void)state;
    const double heights[4] = {0, 1, 2, 3}, wall_points[] = {0, 0, 1, 0};
    const throng_wall wall = {THRONG_WALL_LINE, 2, wall_points, 1};
    test_allocator own;
    throng_map_def def = throng_default_map_def();
    def.walls = &wall;
    def.wall_count = 1;
    def.heights = (throng_height_grid){2, 2, 0, 0, 1, heights};
    def.regions = regions;
    def.region_count = 3;
    def.allocator = allocator_of(&own);
    throng_map *map = NULL;
    for (int64_t call = 0;; call++) {
        fail_from(&own, call, false);
        const throng_result result = throng_map_create(&def, &map);
        if (result == THRONG_OK) break;
        assert_int_equal(result, THRONG_ERROR_MEMORY);
        assert_null(map);
        if (own.bytes != 0) fail_msg("allocation %d failed: %d bytes are left", (int)call, (int)own.bytes);
    }
    if (own.calls < 12) fail_msg("only %d allocations", (int)own.calls);
    throng_map_release(map);
    assert_int_equal(own.bytes, 0);
}

// A route that finds no memory changes nothing: neither the agent's target nor its limit.
static void limits_without_memory(void **state) {
    (void)state;
    const double points[] = {4, 0, 8, 0};
    const float limits[] = {0.5f, 0.25f};
    const throng_route route = {points, 2, false, limits};
    test_allocator of_world, of_plan;
    int failures = 0;
    for (int which = 0; which < 2; which++) {
        for (int64_t call = 0;; call++) {
            throng_world_def def = throng_default_world_def();
            def.allocator = allocator_of(&of_world);
            const throng_allocator own = allocator_of(&of_plan);
            throng_world *world = make_world(&def, NULL);
            throng_plan *plan = NULL;
            must(throng_plan_create(world, &own, &plan));
            const throng_agent_def agent = walker(0, 0, -7, 0);
            throng_agent_id id;
            must(throng_agents_add(world, &agent, 1, &id));
            fail_from(which == 0 ? &of_world : &of_plan, call, false);
            const throng_result result = throng_plan_set_routes(plan, &id, &route, 1);
            fail_never(&of_world);
            fail_never(&of_plan);
            throng_target target;
            float limit;
            must(throng_agents_read(world, THRONG_FIELD_TARGET, &id, 1, &target));
            must(throng_agents_read(world, THRONG_FIELD_SPEED_LIMIT, &id, 1, &limit));
            const bool done = result == THRONG_OK;
            assert_true(done || result == THRONG_ERROR_MEMORY);
            assert_true(target.x == (done ? 4.0 : -7.0) && limit == (done ? 0.5f : INFINITY));
            throng_plan_destroy(plan);
            throng_world_destroy(world);
            assert_int_equal(of_world.bytes + of_plan.bytes, 0);
            if (done) break;
            failures++;
        }
    }
    if (failures < 5) fail_msg("only %d allocations failed", failures);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agents_own_slope),
        cmocka_unit_test(limits_of_a_leg),
        cmocka_unit_test(limits_written_and_taken_back),
        cmocka_unit_test(legs_of_a_route),
        cmocka_unit_test(regions_slow),
        cmocka_unit_test(regions_at_heights),
        cmocka_unit_test(the_way_gone_obeys),
        cmocka_unit_test(a_plane_is_equally_steep_everywhere),
        cmocka_unit_test(slopes_by_differences),
        cmocka_unit_test(ways_over_squares),
        cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(snapshots_know_their_ground),
        cmocka_unit_test(bad_ground_is_refused),
        cmocka_unit_test(maps_without_memory),
        cmocka_unit_test(limits_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
