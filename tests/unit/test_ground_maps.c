// Maps with ground: the same far from the origin, known again by snapshots, refused where it is wrong, and without
// memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/allocator.h"
#include "unit/ground_cases.h"

enum { COLUMNS = 12, ROWS = 9 };

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
    must(load_from(b, a));
    assert_int_equal(load_from(c, a), THRONG_ERROR_SNAPSHOT);
    run_beside(a, b, 20, "after the snapshot");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(snapshots_know_their_ground),
        cmocka_unit_test(bad_ground_is_refused),
        cmocka_unit_test(maps_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
