// Wrong arguments of maps and of what needs no world: the documented code, a message, the first bad item, and nothing
// changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/argument_cases.h"

static void check_last_error(fixture *f) {
    (void)f;
    refuse(ARGUMENT, throng_world_create(NULL, NULL));
    assert_non_null(throng_last_error());
}

static void check_direction(fixture *f) {
    (void)f;
    double direction[2] = {77, 77};
    refuse(ARGUMENT, throng_direction(0, NULL));
    for (int i = 0; i < 3; i++) refuse(VALUE, throng_direction(bad_numbers[i], direction));
    refuse(VALUE, throng_direction(1.1e9, direction));
    assert_true(direction[0] == 77 && direction[1] == 77);
}

static void check_result_name(fixture *f) {
    (void)f;
    assert_string_equal(throng_result_name((throng_result)-1), "unknown");
    assert_string_equal(throng_result_name((throng_result)11), "unknown");
    assert_string_equal(throng_result_name((throng_result)1000000), "unknown");
    for (int i = 0; i <= THRONG_ERROR_NONE_FOUND; i++) {
        assert_memory_equal(throng_result_name((throng_result)i), "THRONG_", 7);
    }
}

static void check_version(fixture *f) {
    (void)f;
    char expected[32];
    (void)snprintf(expected, sizeof expected, "%d.%d.%d", THRONG_VERSION_MAJOR, THRONG_VERSION_MINOR,
                   THRONG_VERSION_PATCH);
    assert_string_equal(throng_version(), expected);
}

static void check_map(fixture *f) {
    (void)f;
    throng_map *map = NULL;
    throng_map_def def = throng_default_map_def();
    refuse(ARGUMENT, throng_map_create(NULL, &map));
    refuse(ARGUMENT, throng_map_create(&def, NULL));
    def.struct_size--;
    refuse(ARGUMENT, throng_map_create(&def, &map));
    def = throng_default_map_def();
    def.wall_count = 1;
    refuse(ARGUMENT, throng_map_create(&def, &map));
    const double good[] = {0, 0, 1, 0, 1, 1};
    for (int axis = 0; axis < 6; axis++) {
        for (int i = 0; i < 3; i++) {
            double points[6];
            memcpy(points, good, sizeof points);
            points[axis] = bad_numbers[i];
            const throng_wall walls[2] = {{THRONG_WALL_LINE, 3, good, 1}, {THRONG_WALL_SOLID, 3, points, 1}};
            def.walls = walls;
            def.wall_count = 2;
            refuse_item(VALUE, 1, throng_map_create(&def, &map));
        }
    }
    throng_wall wall = {(throng_wall_kind)3, 3, good, 1};
    def.walls = &wall;
    def.wall_count = 1;
    refuse_item(ARGUMENT, 0, throng_map_create(&def, &map));
    wall = (throng_wall){(throng_wall_kind)-1, 3, good, 1};
    refuse_item(ARGUMENT, 0, throng_map_create(&def, &map));
    wall = (throng_wall){THRONG_WALL_SOLID, 3, NULL, 1};
    refuse_item(ARGUMENT, 0, throng_map_create(&def, &map));
    wall = (throng_wall){THRONG_WALL_ENCLOSURE, 2, good, 1};
    refuse_item(VALUE, 0, throng_map_create(&def, &map));
    wall = (throng_wall){THRONG_WALL_LINE, 0, good, 1};
    refuse_item(VALUE, 0, throng_map_create(&def, &map));
    def = throng_default_map_def();
    def.allocator.allocate = (void *(*)(void *, size_t))1;
    refuse(ARGUMENT, throng_map_create(&def, &map));
    assert_null(map);
}

static void check_map_release(fixture *f) {
    (void)f;
    throng_map_release(NULL);
}

static const entry entries[] = {
    {"throng_last_error", check_last_error},   {"throng_result_name", check_result_name},
    {"throng_version", check_version},         {"throng_direction", check_direction},
    {"throng_default_map_def", NULL},          {"throng_map_create", check_map},
    {"throng_map_release", check_map_release},
};

int main(int argc, char **argv) {
    return run_entries(argc, argv, entries, sizeof entries / sizeof entries[0]);
}
