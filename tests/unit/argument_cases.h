// What the tests of wrong arguments share: a world to call, what a refusal must be, and the run of a table that names
// the functions tested, so that a script can tell those that have no such test (--list). Include after cmocka.h.
#ifndef THRONG_TESTS_ARGUMENT_CASES_H
#define THRONG_TESTS_ARGUMENT_CASES_H

#include <throng/plan.h>

#include "support/worlds.h"

#include <stdio.h>

enum { CROWD = 40 };

typedef struct fixture {
    throng_map *map;
    throng_world *world;
    throng_plan *plan;
    throng_agent_id ids[CROWD];
    throng_agent_id gone; // was removed
    throng_wall_id wall, gone_wall;
    throng_support_id support, gone_support;
    world_image image; // of the world before any wrong call
} fixture;

#define refuse(expected, call)            refused(THRONG_ERROR_##expected, -2, (call), #call, __LINE__)
#define refuse_item(expected, item, call) refused(THRONG_ERROR_##expected, item, (call), #call, __LINE__)

static inline void refused(throng_result expected, int64_t item, throng_result result, const char *call, int line) {
    const throng_error *error = throng_last_error();
    if (result != expected) {
        fail_msg("line %d: %s: %s, must be %s", line, call, throng_result_name(result), throng_result_name(expected));
    }
    if (error->result != expected || error->message[0] == '\0' || strchr(error->message, '\n')) {
        fail_msg("line %d: %s: last error is %s, \"%s\"", line, call, throng_result_name(error->result),
                 error->message);
    }
    if (item >= -1 && error->item != item) {
        fail_msg("line %d: %s: item %d, must be %d", line, call, (int)error->item, (int)item);
    }
}

static const double bad_numbers[] = {NAN, INFINITY, -INFINITY, -1.0};

static inline void open_fixture(fixture *f) {
    static const double crate[] = {-9, 6, -8, 6, -8, 7, -9, 7};
    const throng_wall wall = {THRONG_WALL_SOLID, 4, crate, 1};
    *f = (fixture){.map = make_map()};
    f->world = make_world(NULL, f->map);
    add_crowd(f->world, 6, CROWD, 0, 0, 28, f->ids);
    const throng_target targets[2] = {{.kind = THRONG_TARGET_VELOCITY, .x = 1}, {.kind = THRONG_TARGET_POINT, .x = 5}};
    must(throng_agents_write(f->world, THRONG_FIELD_TARGET, f->ids, 2, targets));
    f->gone = f->ids[CROWD - 1];
    must(throng_agents_remove(f->world, &f->gone, 1));
    must(throng_world_add_walls(f->world, &wall, 1, &f->gone_wall));
    must(throng_world_remove_walls(f->world, &f->gone_wall, 1));
    must(throng_world_add_walls(f->world, &wall, 1, &f->wall));
    const throng_support_def support = throng_default_support_def();
    must(throng_supports_add(f->world, &support, 1, &f->gone_support));
    must(throng_supports_remove(f->world, &f->gone_support, 1));
    must(throng_supports_add(f->world, &support, 1, &f->support));
    must(throng_world_step(f->world, 0.1));
    must(throng_plan_create(f->world, NULL, &f->plan));
    f->image = image_of(f->world);
}

static inline void close_fixture(fixture *f) {
    throng_plan_destroy(f->plan);
    throng_world_destroy(f->world);
    throng_map_release(f->map);
    free(f->image.bytes);
}

typedef struct entry {
    const char *name;
    void (*check)(fixture *f); // NULL: takes no argument
    bool leaves_marks;         // makes the index stale by parking and unparking, which may move rows
} entry;

typedef struct entry_list {
    const entry *entries;
    size_t count;
} entry_list;

static inline void wrong_arguments_change_nothing(void **state) {
    const entry_list *list = *state;
    for (size_t i = 0; i < list->count; i++) {
        const entry *which = &list->entries[i];
        if (!which->check) continue;
        fixture f;
        open_fixture(&f);
        which->check(&f);
        const world_image after = image_of(f.world);
        assert_int_equal(after.size, f.image.size);
        if (!which->leaves_marks && memcmp(after.bytes, f.image.bytes, after.size) != 0) {
            fail_msg("%s: the world changed", which->name);
        }
        free(after.bytes);
        must(throng_world_step(f.world, 0.1));
        close_fixture(&f);
    }
}

static inline int run_entries(int argc, char **argv, const entry *entries, size_t count) {
    if (argc > 1 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < count; i++) (void)puts(entries[i].name);
        return 0;
    }
    entry_list list = {entries, count};
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(wrong_arguments_change_nothing, &list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
