// Every public call with every kind of wrong argument: the documented code, a message, the first bad item, and nothing
// changed. A table names the functions, so that a script can tell those that have no such test (--list).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
    unsigned char *image; // a snapshot
    size_t image_size;
} fixture;

#define refuse(expected, call)            refused(THRONG_ERROR_##expected, -2, (call), #call, __LINE__)
#define refuse_item(expected, item, call) refused(THRONG_ERROR_##expected, item, (call), #call, __LINE__)

static void refused(throng_result expected, int64_t item, throng_result result, const char *call, int line) {
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

static const double nan_place[2] = {NAN, 0}, infinite_place[2] = {0, INFINITY}, some_place[2] = {1, 2};
static const double bad_numbers[] = {NAN, INFINITY, -INFINITY, -1.0};

// ---- base

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

// ---- map

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

// ---- world

static void check_world_create(fixture *f) {
    throng_world *world = NULL;
    throng_world_def def = throng_default_world_def();
    refuse(ARGUMENT, throng_world_create(NULL, &world));
    refuse(ARGUMENT, throng_world_create(&def, NULL));
#define WITH(field, value, code)                                                                                       \
    def = throng_default_world_def();                                                                                  \
    def.map = f->map;                                                                                                  \
    def.field = value;                                                                                                 \
    refuse(code, throng_world_create(&def, &world));
    WITH(struct_size, sizeof def + 8, ARGUMENT)
    WITH(struct_size, 0, ARGUMENT)
    WITH(contact_passes, 256, VALUE)
    WITH(solver, (throng_solver)2, ARGUMENT)
    WITH(kernel, "mmx", UNSUPPORTED)
    WITH(event_mask, 1u << THRONG_EVENT_KIND_COUNT, ARGUMENT)
    WITH(threads, 100000, VALUE)
    WITH(executor.run, (void (*)(void *, throng_task *, void *, uint32_t))1, VALUE)
    WITH(allocator.release, (void (*)(void *, void *, size_t))1, ARGUMENT)
#undef WITH
    assert_null(world);
}

static void check_world_destroy(fixture *f) {
    (void)f;
    throng_world_destroy(NULL);
}

static void check_step(fixture *f) {
    refuse(ARGUMENT, throng_world_step(NULL, 0.1));
    const double steps[] = {0.0, -0.1, NAN, INFINITY, 1e-60, 2e6, 1e300};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) refuse(VALUE, throng_world_step(f->world, steps[i]));
    // Input columns that are not numbers.
    const uint32_t limit = view_of(f->world).index_limit;
    float *velocity = calloc(2 * limit, sizeof *velocity);
    double *target = calloc(2 * limit, sizeof *target);
    assert_non_null(velocity);
    assert_non_null(target);
    throng_inputs inputs = {.struct_size = sizeof inputs, .preferred_velocity = velocity, .target = target};
    must(throng_world_bind_inputs(f->world, &inputs));
    throng_target kinds[2];
    must(throng_agents_read(f->world, THRONG_FIELD_TARGET, f->ids, 2, kinds));
    assert_int_equal(kinds[0].kind, THRONG_TARGET_VELOCITY);
    assert_int_equal(kinds[1].kind, THRONG_TARGET_POINT);
    velocity[2 * f->ids[0].index + 1] = NAN;
    refuse_item(VALUE, f->ids[0].index, throng_world_step(f->world, 0.1));
    velocity[2 * f->ids[0].index + 1] = 0.0f;
    target[2 * f->ids[1].index] = INFINITY;
    refuse_item(VALUE, f->ids[1].index, throng_world_step(f->world, 0.1));
    must(throng_world_bind_inputs(f->world, NULL));
    free(velocity);
    free(target);
}

static void check_refresh(fixture *f) {
    (void)f;
    refuse(ARGUMENT, throng_world_refresh(NULL));
}

static void check_view(fixture *f) {
    throng_view view;
    refuse(ARGUMENT, throng_world_view(NULL, &view));
    refuse(ARGUMENT, throng_world_view(f->world, NULL));
}

static void check_bind_inputs(fixture *f) {
    throng_inputs inputs = {.struct_size = sizeof inputs - 1};
    refuse(ARGUMENT, throng_world_bind_inputs(NULL, NULL));
    refuse(ARGUMENT, throng_world_bind_inputs(f->world, &inputs));
}

static void check_set_doors(fixture *f) {
    const throng_door good = {{0, 0}, {1, 0}, 0.5f, 2};
    throng_door doors[3] = {good, good, good};
    refuse(ARGUMENT, throng_world_set_doors(NULL, &good, 1));
    refuse(ARGUMENT, throng_world_set_doors(f->world, NULL, 1));
    refuse(CAPACITY, throng_world_set_doors(f->world, &good, 65536));
    for (size_t i = 0; i < sizeof bad_numbers / sizeof bad_numbers[0]; i++) {
        doors[1] = good;
        doors[1].depth = (float)bad_numbers[i];
        refuse_item(VALUE, 1, throng_world_set_doors(f->world, doors, 3));
        doors[1] = good;
        doors[1].a[0] = 1e13 * bad_numbers[i];
        refuse_item(VALUE, 1, throng_world_set_doors(f->world, doors, 3));
    }
    doors[1] = good;
    doors[2].b[0] = 0.0;
    refuse_item(VALUE, 2, throng_world_set_doors(f->world, doors, 3));
}

static void check_doors(fixture *f) {
    uint32_t count;
    throng_door_state state;
    refuse(ARGUMENT, throng_world_doors(NULL, &state, 1, &count));
    refuse(ARGUMENT, throng_world_doors(f->world, NULL, 1, &count));
    refuse(ARGUMENT, throng_world_doors(f->world, &state, 1, NULL));
}

static void check_find_doors(fixture *f) {
    uint32_t count;
    throng_door door;
    refuse(ARGUMENT, throng_map_find_doors(NULL, 0, 1, &door, 1, &count));
    refuse(ARGUMENT, throng_map_find_doors(f->map, 0, 1, NULL, 1, &count));
    refuse(ARGUMENT, throng_map_find_doors(f->map, 0, 1, &door, 1, NULL));
    for (size_t i = 0; i < sizeof bad_numbers / sizeof bad_numbers[0]; i++) {
        refuse(VALUE, throng_map_find_doors(f->map, bad_numbers[i], 1, &door, 1, &count));
        refuse(VALUE, throng_map_find_doors(f->map, 0, bad_numbers[i], &door, 1, &count));
    }
    refuse(VALUE, throng_map_find_doors(f->map, 2, 1, &door, 1, &count));
}

static void check_add_walls(fixture *f) {
    const double points[] = {0, 0, 1, 0, NAN, 1};
    const throng_wall good = {THRONG_WALL_LINE, 2, points, 1};
    refuse(ARGUMENT, throng_world_add_walls(NULL, &good, 1, NULL));
    refuse(ARGUMENT, throng_world_add_walls(f->world, NULL, 1, NULL));
    const throng_wall bad[] = {{THRONG_WALL_SOLID, 3, points, 1},
                               {THRONG_WALL_SOLID, 2, points, 1},
                               {THRONG_WALL_LINE, 0, points, 1},
                               {THRONG_WALL_LINE, 2, NULL, 1},
                               {(throng_wall_kind)9, 2, points, 1}};
    for (int i = 0; i < 5; i++) {
        const throng_wall both[2] = {good, bad[i]};
        throng_wall_id ids[2] = {{7, 7}, {7, 7}};
        if (i < 3) refuse_item(VALUE, 1, throng_world_add_walls(f->world, both, 2, ids));
        if (i >= 3) refuse_item(ARGUMENT, 1, throng_world_add_walls(f->world, both, 2, ids));
        assert_int_equal(ids[0].index, 7);
    }
}

static void check_remove_walls(fixture *f) {
    const throng_wall_id twice[2] = {f->wall, f->wall}, stale[2] = {f->wall, f->gone_wall}, none = {0, 0};
    const throng_wall_id other = {f->wall.index, f->wall.generation + 1}, beyond = {1000, 1};
    refuse(ARGUMENT, throng_world_remove_walls(NULL, &f->wall, 1));
    refuse(ARGUMENT, throng_world_remove_walls(f->world, NULL, 1));
    refuse_item(ARGUMENT, 1, throng_world_remove_walls(f->world, twice, 2));
    refuse_item(STALE_ID, 1, throng_world_remove_walls(f->world, stale, 2));
    refuse_item(STALE_ID, 0, throng_world_remove_walls(f->world, &none, 1));
    refuse_item(STALE_ID, 0, throng_world_remove_walls(f->world, &other, 1));
    refuse_item(STALE_ID, 0, throng_world_remove_walls(f->world, &beyond, 1));
}

static void check_events(fixture *f) {
    const throng_event *events;
    uint32_t count;
    refuse(ARGUMENT, throng_world_events(NULL, &events, &count));
    refuse(ARGUMENT, throng_world_events(f->world, NULL, &count));
    refuse(ARGUMENT, throng_world_events(f->world, &events, NULL));
}

static void check_counters(fixture *f) {
    throng_counters counters;
    refuse(ARGUMENT, throng_world_counters(NULL, &counters));
    refuse(ARGUMENT, throng_world_counters(f->world, NULL));
}

static void check_profile(fixture *f) {
    throng_profile profile;
    refuse(ARGUMENT, throng_world_profile(NULL, &profile));
    refuse(ARGUMENT, throng_world_profile(f->world, NULL));
}

static void check_hash(fixture *f) {
    throng_hashes hashes;
    refuse(ARGUMENT, throng_world_hash(NULL, &hashes));
    refuse(ARGUMENT, throng_world_hash(f->world, NULL));
}

static void check_save(fixture *f) {
    size_t size;
    unsigned char byte = 7;
    refuse(ARGUMENT, throng_world_save(NULL, &byte, 1, &size));
    refuse(ARGUMENT, throng_world_save(f->world, NULL, 1, &size));
    refuse(ARGUMENT, throng_world_save(f->world, &byte, 1, NULL));
    refuse(CAPACITY, throng_world_save(f->world, &byte, 1, &size));
    assert_int_equal(byte, 7);
    assert_int_equal(size, f->image_size);
}

static void check_load(fixture *f) {
    refuse(ARGUMENT, throng_world_load(NULL, f->image, f->image_size));
    refuse(ARGUMENT, throng_world_load(f->world, NULL, f->image_size));
    refuse(SNAPSHOT, throng_world_load(f->world, f->image, f->image_size - 1));
    refuse(SNAPSHOT, throng_world_load(f->world, f->image, 0));
    f->image[f->image_size / 2] ^= 1;
    refuse(SNAPSHOT, throng_world_load(f->world, f->image, f->image_size));
    f->image[f->image_size / 2] ^= 1;
}

// ---- agents

static void refuse_def(fixture *f, const throng_agent_def *bad, throng_result expected, int line) {
    const throng_agent_def both[2] = {throng_default_agent_def(), *bad};
    throng_agent_id ids[2] = {{7, 7}, {7, 7}};
    refused(expected, 1, throng_agents_add(f->world, both, 2, ids), "agents_add", line);
    assert_int_equal(ids[0].index, 7);
}

static void check_add(fixture *f) {
    throng_agent_def def = throng_default_agent_def();
    refuse(ARGUMENT, throng_agents_add(NULL, &def, 1, NULL));
    refuse(ARGUMENT, throng_agents_add(f->world, NULL, 1, NULL));
#define WITH(field, value, code)                                                                                       \
    def = throng_default_agent_def();                                                                                  \
    def.field = value;                                                                                                 \
    refuse_def(f, &def, THRONG_ERROR_##code, __LINE__);
#define WITH_NUMBERS(field)                                                                                            \
    for (int i = 0; i < 4; i++) {                                                                                      \
        WITH(field, (float)bad_numbers[i], VALUE)                                                                      \
    }                                                                                                                  \
    WITH(field, 2e9f, VALUE)
    WITH(struct_size, 0, ARGUMENT)
    WITH(struct_size, sizeof def + 1, ARGUMENT)
    for (int i = 0; i < 3; i++) {
        WITH(position[0], bad_numbers[i], VALUE)
        WITH(position[1], bad_numbers[i], VALUE)
        WITH(velocity[0], (float)bad_numbers[i], VALUE)
        WITH(velocity[1], (float)bad_numbers[i], VALUE)
    }
    const double too_far[] = {2e12, -2e12}, too_fast[] = {2e9, -2e9};
    for (int i = 0; i < 2; i++) {
        WITH(position[0], too_far[i], VALUE)
        WITH(position[1], too_far[i], VALUE)
        WITH(velocity[0], (float)too_fast[i], VALUE)
        WITH(velocity[1], (float)too_fast[i], VALUE)
        WITH(target, ((throng_target){THRONG_TARGET_POINT, 0, too_far[i], 0, 0}), VALUE)
        WITH(target, ((throng_target){THRONG_TARGET_VELOCITY, too_fast[i], 0, 0, 0}), VALUE)
    }
    WITH_NUMBERS(radius)
    WITH_NUMBERS(margin)
    WITH_NUMBERS(max_speed)
    WITH_NUMBERS(preferred_speed)
    WITH_NUMBERS(time_horizon)
    WITH_NUMBERS(obstacle_horizon)
    WITH_NUMBERS(neighbor_range)
    WITH_NUMBERS(yield)
    WITH_NUMBERS(goal_radius)
    WITH(max_acceleration, NAN, VALUE)
    WITH(max_acceleration, -1.0f, VALUE)
    WITH(time_horizon, 0.0f, VALUE)
    WITH(obstacle_horizon, 0.0f, VALUE)
    WITH(stuck_time, 0.0f, VALUE)
    WITH(stuck_time, NAN, VALUE)
    WITH(side, 1000, ARGUMENT)
    WITH(density_response, 1000, ARGUMENT)
    WITH(max_neighbors, 256, VALUE)
    WITH(flags, 2, ARGUMENT)
    WITH(target.kind, (throng_target_kind)4, ARGUMENT)
    WITH(target.kind, (throng_target_kind)-1, ARGUMENT)
    for (int kind = THRONG_TARGET_VELOCITY; kind <= THRONG_TARGET_SEGMENT; kind++) {
        throng_target target = {(throng_target_kind)kind, NAN, 0, 1, 1};
        WITH(target, target, VALUE)
        target = (throng_target){(throng_target_kind)kind, 0, INFINITY, 1, 1};
        WITH(target, target, VALUE)
    }
    const throng_target fast = {THRONG_TARGET_VELOCITY, 1e300, 0, 0, 0};
    const throng_target endless = {THRONG_TARGET_SEGMENT, 0, 0, NAN, 0},
                        longest = {THRONG_TARGET_SEGMENT, 0, 0, 2e6, 0};
    WITH(target, fast, VALUE)
    WITH(target, endless, VALUE)
    WITH(target, longest, VALUE)
#undef WITH
#undef WITH_NUMBERS
}

#define refuse_ids(f, call)                                                                                            \
    do {                                                                                                               \
        const throng_agent_id wrong[] = {                                                                              \
            {0, 0}, {1000000, 1}, (f)->gone, {(f)->ids[0].index, (f)->ids[0].generation + 1}, {(f)->ids[0].index, 0}}; \
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {                                                  \
            const throng_agent_id ids[2] = {(f)->ids[1], wrong[i]};                                                    \
            refuse_item(STALE_ID, 1, call);                                                                            \
        }                                                                                                              \
    } while (0)

static void check_remove(fixture *f) {
    refuse(ARGUMENT, throng_agents_remove(NULL, f->ids, 1));
    refuse(ARGUMENT, throng_agents_remove(f->world, NULL, 1));
    refuse_ids(f, throng_agents_remove(f->world, ids, 2));
    const throng_agent_id twice[3] = {f->ids[2], f->ids[3], f->ids[2]};
    refuse_item(ARGUMENT, 2, throng_agents_remove(f->world, twice, 3));
}

static void check_park(fixture *f) {
    refuse(ARGUMENT, throng_agents_park(NULL, f->ids, 1, true));
    refuse(ARGUMENT, throng_agents_park(f->world, NULL, 1, true));
    refuse_ids(f, throng_agents_park(f->world, ids, 2, true));
    refuse_ids(f, throng_agents_park(f->world, ids, 2, false));
}

static void check_read(fixture *f) {
    throng_target values[CROWD];
    for (int field = 0; field < THRONG_FIELD_COUNT; field++) {
        refuse(ARGUMENT, throng_agents_read(NULL, (throng_field)field, f->ids, 1, values));
        refuse(ARGUMENT, throng_agents_read(f->world, (throng_field)field, f->ids, 1, NULL));
        refuse(ARGUMENT, throng_agents_read(f->world, (throng_field)field, NULL, 1, values)); // not all of them
        refuse_ids(f, throng_agents_read(f->world, (throng_field)field, ids, 2, values));
    }
    refuse(ARGUMENT, throng_agents_read(f->world, THRONG_FIELD_COUNT, f->ids, 1, values));
    refuse(ARGUMENT, throng_agents_read(f->world, (throng_field)-1, f->ids, 1, values));
}

static bool is_number(throng_field field) {
    return field >= THRONG_FIELD_RADIUS && field <= THRONG_FIELD_GOAL_RADIUS;
}

static void check_write(fixture *f) {
    static throng_target values[CROWD];
    for (int field = 0; field < THRONG_FIELD_COUNT; field++) {
        const bool written = field <= THRONG_FIELD_HOST_WORD || field == THRONG_FIELD_STUCK_TIME ||
                             field == THRONG_FIELD_SIDE || field == THRONG_FIELD_DENSITY_RESPONSE ||
                             field >= THRONG_FIELD_MODEL;
        refuse(ARGUMENT, throng_agents_write(NULL, (throng_field)field, f->ids, 1, values));
        refuse(ARGUMENT, throng_agents_write(f->world, (throng_field)field, f->ids, 1, NULL));
        refuse(ARGUMENT, throng_agents_write(f->world, (throng_field)field, NULL, 1, values));
        if (written) refuse_ids(f, throng_agents_write(f->world, (throng_field)field, ids, 2, values));
        if (!written) refuse(ARGUMENT, throng_agents_write(f->world, (throng_field)field, f->ids, 1, values));
        if (!is_number((throng_field)field)) continue;
        for (int i = 0; i < 4; i++) {
            const float numbers[2] = {1.0f, (float)bad_numbers[i]};
            if (field == THRONG_FIELD_MAX_ACCELERATION && numbers[1] == INFINITY) continue;
            refuse_item(VALUE, 1, throng_agents_write(f->world, (throng_field)field, f->ids, 2, numbers));
        }
    }
    const uint32_t no_enumerator = 1000;
    refuse_item(ARGUMENT, 0, throng_agents_write(f->world, THRONG_FIELD_SIDE, f->ids, 1, &no_enumerator));
    refuse_item(ARGUMENT, 0, throng_agents_write(f->world, THRONG_FIELD_DENSITY_RESPONSE, f->ids, 1, &no_enumerator));
    const float no_times[] = {0.0f, -1.0f, NAN, -INFINITY};
    for (int i = 0; i < 4; i++) {
        refuse_item(VALUE, 0, throng_agents_write(f->world, THRONG_FIELD_STUCK_TIME, f->ids, 1, &no_times[i]));
    }
    const float zero = 0.0f, velocity[4] = {0, 0, 0, NAN};
    const double places[4] = {0, 0, INFINITY, 0};
    const uint32_t many = 256, bits = 2;
    const throng_target targets[2] = {{.kind = THRONG_TARGET_NONE}, {.kind = THRONG_TARGET_POINT, .x = NAN}};
    const throng_target unknown = {.kind = (throng_target_kind)4};
    refuse_item(VALUE, 0, throng_agents_write(f->world, THRONG_FIELD_TIME_HORIZON, f->ids, 1, &zero));
    refuse_item(VALUE, 0, throng_agents_write(f->world, THRONG_FIELD_OBSTACLE_HORIZON, f->ids, 1, &zero));
    refuse_item(VALUE, 1, throng_agents_write(f->world, THRONG_FIELD_VELOCITY, f->ids, 2, velocity));
    refuse_item(VALUE, 1, throng_agents_write(f->world, THRONG_FIELD_POSITION, f->ids, 2, places));
    refuse_item(VALUE, 0, throng_agents_write(f->world, THRONG_FIELD_MAX_NEIGHBORS, f->ids, 1, &many));
    refuse_item(ARGUMENT, 0, throng_agents_write(f->world, THRONG_FIELD_FLAGS, f->ids, 1, &bits));
    refuse_item(VALUE, 1, throng_agents_write(f->world, THRONG_FIELD_TARGET, f->ids, 2, targets));
    refuse_item(ARGUMENT, 0, throng_agents_write(f->world, THRONG_FIELD_TARGET, f->ids, 1, &unknown));
    refuse(ARGUMENT, throng_agents_write(f->world, THRONG_FIELD_COUNT, f->ids, 1, &zero));
}

static void check_row(fixture *f) {
    uint32_t row = 77;
    refuse(ARGUMENT, throng_agent_row(NULL, f->ids[0], &row));
    refuse(ARGUMENT, throng_agent_row(f->world, f->ids[0], NULL));
    refuse(STALE_ID, throng_agent_row(f->world, f->gone, &row));
    refuse(STALE_ID, throng_agent_row(f->world, (throng_agent_id){0, 0}, &row));
    assert_int_equal(row, 77);
}

// ---- queries

#define refuse_filters(call)                                                                                           \
    do {                                                                                                               \
        throng_query_filter wrong = throng_default_query_filter();                                                     \
        const throng_query_filter *filter = &wrong;                                                                    \
        wrong.struct_size++;                                                                                           \
        refuse(ARGUMENT, call);                                                                                        \
        for (int i = 0; i < 4; i++) {                                                                                  \
            wrong = throng_default_query_filter();                                                                     \
            wrong.body_radius = (float)bad_numbers[i];                                                                 \
            refuse(VALUE, call);                                                                                       \
        }                                                                                                              \
        wrong = throng_default_query_filter();                                                                         \
        wrong.height_low = NAN;                                                                                        \
        refuse(VALUE, call);                                                                                           \
        wrong = throng_default_query_filter();                                                                         \
        wrong.height_high = NAN;                                                                                       \
        refuse(VALUE, call);                                                                                           \
    } while (0)

// Puts the index out of date without a change that a snapshot tells.
static void make_stale(fixture *f) {
    must(throng_agents_park(f->world, f->ids, 1, true));
    must(throng_agents_park(f->world, f->ids, 1, false));
}

static void check_nearest(fixture *f) {
    throng_query_hit hit;
    uint32_t count = 77;
    refuse(ARGUMENT, throng_query_nearest(NULL, 0, 0, 1, NULL, &hit, 1, &count));
    refuse(ARGUMENT, throng_query_nearest(f->world, 0, 0, 1, NULL, NULL, 1, &count));
    refuse(ARGUMENT, throng_query_nearest(f->world, 0, 0, 1, NULL, &hit, 1, NULL));
    refuse(VALUE, throng_query_nearest(f->world, NAN, 0, 1, NULL, &hit, 1, &count));
    refuse(VALUE, throng_query_nearest(f->world, 0, -INFINITY, 1, NULL, &hit, 1, &count));
    refuse(VALUE, throng_query_nearest(f->world, 0, 0, -1, NULL, &hit, 1, &count));
    refuse(VALUE, throng_query_nearest(f->world, 0, 0, NAN, NULL, &hit, 1, &count));
    refuse_filters(throng_query_nearest(f->world, 0, 0, 1, filter, &hit, 1, &count));
    make_stale(f);
    refuse(STALE_INDEX, throng_query_nearest(f->world, 0, 0, 1, NULL, &hit, 1, &count));
    assert_int_equal(count, 77);
}

static void check_box(fixture *f) {
    throng_agent_id id;
    uint32_t count = 77;
    const double far[2] = {9, 9}, low[2] = {0, 9};
    refuse(ARGUMENT, throng_query_box(NULL, some_place, far, NULL, &id, 1, &count));
    refuse(ARGUMENT, throng_query_box(f->world, NULL, far, NULL, &id, 1, &count));
    refuse(ARGUMENT, throng_query_box(f->world, some_place, NULL, NULL, &id, 1, &count));
    refuse(ARGUMENT, throng_query_box(f->world, some_place, far, NULL, NULL, 1, &count));
    refuse(ARGUMENT, throng_query_box(f->world, some_place, far, NULL, &id, 1, NULL));
    refuse(VALUE, throng_query_box(f->world, nan_place, far, NULL, &id, 1, &count));
    refuse(VALUE, throng_query_box(f->world, some_place, infinite_place, NULL, &id, 1, &count));
    refuse(VALUE, throng_query_box(f->world, far, some_place, NULL, &id, 1, &count));
    refuse(VALUE, throng_query_box(f->world, some_place, low, NULL, &id, 1, &count));
    refuse_filters(throng_query_box(f->world, some_place, far, filter, &id, 1, &count));
    make_stale(f);
    refuse(STALE_INDEX, throng_query_box(f->world, some_place, far, NULL, &id, 1, &count));
    assert_int_equal(count, 77);
}

static void check_sight(fixture *f) {
    bool visible;
    refuse(ARGUMENT, throng_query_line_of_sight(NULL, some_place, some_place, NULL, &visible));
    refuse(ARGUMENT, throng_query_line_of_sight(f->world, NULL, some_place, NULL, &visible));
    refuse(ARGUMENT, throng_query_line_of_sight(f->world, some_place, NULL, NULL, &visible));
    refuse(ARGUMENT, throng_query_line_of_sight(f->world, some_place, some_place, NULL, NULL));
    refuse(VALUE, throng_query_line_of_sight(f->world, nan_place, some_place, NULL, &visible));
    refuse(VALUE, throng_query_line_of_sight(f->world, some_place, infinite_place, NULL, &visible));
    refuse_filters(throng_query_line_of_sight(f->world, some_place, some_place, filter, &visible));
}

static void check_free_place(fixture *f) {
    double place[2] = {77, 77};
    refuse(ARGUMENT, throng_query_free_place(NULL, 0, 0, 1, NULL, place));
    refuse(ARGUMENT, throng_query_free_place(f->world, 0, 0, 1, NULL, NULL));
    refuse(VALUE, throng_query_free_place(f->world, NAN, 0, 1, NULL, place));
    refuse(VALUE, throng_query_free_place(f->world, 0, INFINITY, 1, NULL, place));
    refuse(VALUE, throng_query_free_place(f->world, 0, 0, -1, NULL, place));
    refuse(VALUE, throng_query_free_place(f->world, 0, 0, NAN, NULL, place));
    refuse(NONE_FOUND, throng_query_free_place(f->world, 1000, 0, 1, NULL, place)); // outside the hall
    refuse_filters(throng_query_free_place(f->world, 0, 0, 1, filter, place));
    assert_true(place[0] == 77);
}

static void check_explain(fixture *f) {
    static throng_explanation why;
    refuse(ARGUMENT, throng_query_explain(NULL, f->ids[0], 0.1, &why));
    refuse(ARGUMENT, throng_query_explain(f->world, f->ids[0], 0.1, NULL));
    refuse(STALE_ID, throng_query_explain(f->world, f->gone, 0.1, &why));
    refuse(VALUE, throng_query_explain(f->world, f->ids[0], 0.0, &why));
    refuse(VALUE, throng_query_explain(f->world, f->ids[0], NAN, &why));
    refuse(VALUE, throng_query_explain(f->world, f->ids[0], 1e300, &why));
    must(throng_agents_park(f->world, f->ids, 1, true));
    refuse(ARGUMENT, throng_query_explain(f->world, f->ids[0], 0.1, &why));
    must(throng_agents_park(f->world, f->ids, 1, false));
    refuse(STALE_INDEX, throng_query_explain(f->world, f->ids[0], 0.1, &why));
}

// ---- plan

static void check_plan_create(fixture *f) {
    throng_plan *plan = NULL;
    throng_allocator half = {.allocate = (void *(*)(void *, size_t))1};
    refuse(ARGUMENT, throng_plan_create(NULL, NULL, &plan));
    refuse(ARGUMENT, throng_plan_create(f->world, NULL, NULL));
    refuse(ARGUMENT, throng_plan_create(f->world, &half, &plan));
    assert_null(plan);
}

static void check_plan_destroy(fixture *f) {
    (void)f;
    throng_plan_destroy(NULL);
}

static void check_plan_routes(fixture *f) {
    const double points[] = {1, 1, 2, 2}, bad[] = {1, 1, NAN, 2};
    const throng_route good = {.points = points, .point_count = 2};
    const throng_route wrong[2] = {good, {.points = bad, .point_count = 2}};
    refuse(ARGUMENT, throng_plan_set_routes(NULL, f->ids, &good, 1));
    refuse(ARGUMENT, throng_plan_set_routes(f->plan, NULL, &good, 1));
    refuse(ARGUMENT, throng_plan_set_routes(f->plan, f->ids, NULL, 1));
    refuse_item(VALUE, 1, throng_plan_set_routes(f->plan, f->ids, wrong, 2));
    refuse_item(STALE_ID, 0, throng_plan_set_routes(f->plan, &f->gone, &good, 1));
}

static void check_plan_update(fixture *f) {
    (void)f;
    refuse(ARGUMENT, throng_plan_update(NULL));
}

static void check_plan_lists(fixture *f) {
    const throng_agent_id *ids;
    uint32_t count;
    refuse(ARGUMENT, throng_plan_arrived(NULL, &ids, &count));
    refuse(ARGUMENT, throng_plan_arrived(f->plan, NULL, &count));
    refuse(ARGUMENT, throng_plan_arrived(f->plan, &ids, NULL));
    refuse(ARGUMENT, throng_plan_left(NULL, &ids, &count));
    refuse(ARGUMENT, throng_plan_left(f->plan, NULL, &count));
    refuse(ARGUMENT, throng_plan_left(f->plan, &ids, NULL));
}

// ---- supports

static void check_heading(fixture *f) {
    (void)f;
    double heading[2] = {7, 7};
    throng_heading(0.0, NULL);
    throng_heading(NAN, heading);
    assert_true(heading[0] == 1.0 && heading[1] == 0.0);
}

static void check_supports_add(fixture *f) {
    const throng_support_def good = throng_default_support_def();
    const double line[] = {0, 0, 1, 0}, beyond[] = {0, 0, 1, 0, 2e12, 3};
    const throng_wall wall = {THRONG_WALL_LINE, 2, line, .layer = 1},
                      no_wall = {THRONG_WALL_SOLID, 2, line, .layer = 1};
    refuse(ARGUMENT, throng_supports_add(NULL, &good, 1, NULL));
    refuse(ARGUMENT, throng_supports_add(f->world, NULL, 1, NULL));
    throng_support_def bad[16];
    for (int i = 0; i < 16; i++) bad[i] = good;
    bad[0].struct_size--;
    bad[1].kind = (throng_support_kind)2;
    bad[2].outline_count = 3;
    bad[3].wall_count = 1;
    bad[4].outline = line;
    bad[4].outline_count = 2;
    bad[5].outline = beyond;
    bad[5].outline_count = 3;
    bad[6].walls = &no_wall;
    bad[6].wall_count = 1;
    bad[7].motion.position[1] = NAN;
    bad[8].motion.velocity[0] = 1e7;
    bad[9].motion.heading[0] = 0;
    bad[10].motion.heading[1] = INFINITY;
    bad[11].motion.turn_rate = -1e4;
    bad[12].kind = bad[13].kind = bad[14].kind = bad[15].kind = THRONG_SUPPORT_BELT;
    bad[12].motion.position[0] = 1;
    bad[13].motion.heading[1] = 1;
    bad[14].motion.turn_rate = 1;
    bad[15].walls = &wall;
    bad[15].wall_count = 1;
    for (int i = 0; i < 16; i++) {
        const throng_support_def both[2] = {good, bad[i]};
        throng_support_id ids[2] = {{7, 7}, {7, 7}};
        if (i < 4) refuse_item(ARGUMENT, 1, throng_supports_add(f->world, both, 2, ids));
        if (i >= 4) refuse_item(VALUE, 1, throng_supports_add(f->world, both, 2, ids));
        assert_int_equal(ids[0].index, 7);
    }
    throng_agent_def agent = throng_default_agent_def();
    agent.support = f->gone_support;
    refuse_item(STALE_ID, 0, throng_agents_add(f->world, &agent, 1, NULL));
    agent.support = f->support;
    agent.target.support = (throng_support_id){5, 1};
    refuse_item(STALE_ID, 0, throng_agents_add(f->world, &agent, 1, NULL));
}

static void check_supports_remove(fixture *f) {
    const throng_support_id twice[2] = {f->support, f->support}, stale[2] = {f->support, f->gone_support},
                            none = {0, 0};
    refuse(ARGUMENT, throng_supports_remove(NULL, &f->support, 1));
    refuse(ARGUMENT, throng_supports_remove(f->world, NULL, 1));
    refuse_item(ARGUMENT, 1, throng_supports_remove(f->world, twice, 2));
    refuse_item(STALE_ID, 1, throng_supports_remove(f->world, stale, 2));
    refuse_item(STALE_ID, 0, throng_supports_remove(f->world, &none, 1));
}

static void check_supports_move(fixture *f) {
    const throng_support_motion good = throng_default_support_def().motion;
    throng_support_motion both[2] = {good, good};
    const throng_support_id ids[2] = {f->support, f->support}, none = {0, 0};
    refuse(ARGUMENT, throng_supports_move(NULL, ids, both, 1));
    refuse(ARGUMENT, throng_supports_move(f->world, NULL, both, 1));
    refuse(ARGUMENT, throng_supports_move(f->world, ids, NULL, 1));
    refuse_item(STALE_ID, 0, throng_supports_move(f->world, &f->gone_support, both, 1));
    refuse_item(STALE_ID, 0, throng_supports_move(f->world, &none, both, 1));
    both[0].velocity[0] = 1;
    both[1].velocity[1] = NAN;
    refuse_item(VALUE, 1, throng_supports_move(f->world, ids, both, 2));
}

static void check_support_read(fixture *f) {
    throng_support_motion motion;
    refuse(ARGUMENT, throng_support_read(NULL, f->support, &motion));
    refuse(ARGUMENT, throng_support_read(f->world, f->support, NULL));
    refuse(STALE_ID, throng_support_read(f->world, f->gone_support, &motion));
    refuse(STALE_ID, throng_support_read(f->world, (throng_support_id){0, 0}, &motion));
}

// ---- the table

typedef struct entry {
    const char *name;
    void (*check)(fixture *f); // NULL: takes no argument
} entry;

static const entry entries[] = {
    {"throng_last_error", check_last_error},
    {"throng_result_name", check_result_name},
    {"throng_version", check_version},
    {"throng_direction", check_direction},
    {"throng_default_map_def", NULL},
    {"throng_map_create", check_map},
    {"throng_map_release", check_map_release},
    {"throng_default_world_def", NULL},
    {"throng_world_create", check_world_create},
    {"throng_world_destroy", check_world_destroy},
    {"throng_world_step", check_step},
    {"throng_world_refresh", check_refresh},
    {"throng_world_view", check_view},
    {"throng_world_bind_inputs", check_bind_inputs},
    {"throng_world_set_doors", check_set_doors},
    {"throng_world_doors", check_doors},
    {"throng_map_find_doors", check_find_doors},
    {"throng_world_add_walls", check_add_walls},
    {"throng_world_remove_walls", check_remove_walls},
    {"throng_world_events", check_events},
    {"throng_world_counters", check_counters},
    {"throng_world_profile", check_profile},
    {"throng_world_hash", check_hash},
    {"throng_world_save", check_save},
    {"throng_world_load", check_load},
    {"throng_default_agent_def", NULL},
    {"throng_agents_add", check_add},
    {"throng_agents_remove", check_remove},
    {"throng_agents_park", check_park},
    {"throng_agents_read", check_read},
    {"throng_agents_write", check_write},
    {"throng_agent_row", check_row},
    {"throng_default_support_def", NULL},
    {"throng_heading", check_heading},
    {"throng_supports_add", check_supports_add},
    {"throng_supports_remove", check_supports_remove},
    {"throng_supports_move", check_supports_move},
    {"throng_support_read", check_support_read},
    {"throng_default_query_filter", NULL},
    {"throng_query_nearest", check_nearest},
    {"throng_query_box", check_box},
    {"throng_query_line_of_sight", check_sight},
    {"throng_query_free_place", check_free_place},
    {"throng_query_explain", check_explain},
    {"throng_plan_create", check_plan_create},
    {"throng_plan_destroy", check_plan_destroy},
    {"throng_plan_set_routes", check_plan_routes},
    {"throng_plan_update", check_plan_update},
    {"throng_plan_arrived", check_plan_lists},
    {"throng_plan_left", check_plan_lists},
};

static void open_fixture(fixture *f) {
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
    must(throng_world_save(f->world, NULL, 0, &f->image_size));
    f->image = malloc(f->image_size);
    assert_non_null(f->image);
    must(throng_world_save(f->world, f->image, f->image_size, &f->image_size));
}

static void close_fixture(fixture *f) {
    throng_plan_destroy(f->plan);
    throng_world_destroy(f->world);
    throng_map_release(f->map);
    free(f->image);
}

// A stale index is made by parking and unparking, which leaves a mark and may move rows.
static bool leaves_marks(const char *name) {
    return strcmp(name, "throng_query_nearest") == 0 || strcmp(name, "throng_query_box") == 0 ||
           strcmp(name, "throng_query_explain") == 0;
}

static void wrong_arguments_change_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (!entries[i].check) continue;
        fixture f;
        open_fixture(&f);
        entries[i].check(&f);
        size_t size;
        unsigned char *after = malloc(f.image_size);
        assert_non_null(after);
        must(throng_world_save(f.world, NULL, 0, &size));
        assert_int_equal(size, f.image_size);
        must(throng_world_save(f.world, after, size, &size));
        if (!leaves_marks(entries[i].name) && memcmp(after, f.image, size) != 0) {
            fail_msg("%s: the world changed", entries[i].name);
        }
        free(after);
        must(throng_world_step(f.world, 0.1));
        close_fixture(&f);
    }
}

// ---- from inside a step

typedef struct intruder {
    fixture *f;
    bool inside;
    int calls;
} intruder;

static void intrude(void *context, throng_task *task, void *task_context, uint32_t count) {
    intruder *own = context;
    for (uint32_t item = 0; item < count; item++) task(task_context, item, 0);
    if (!own->inside) return;
    own->calls++;
    fixture *f = own->f;
    const throng_agent_def def = throng_default_agent_def();
    const double points[] = {0, 0, 1, 0};
    const throng_wall wall = {THRONG_WALL_LINE, 2, points, 1};
    size_t size;
    refuse(BUSY, throng_world_step(f->world, 0.1));
    refuse(BUSY, throng_world_refresh(f->world));
    refuse(BUSY, throng_world_bind_inputs(f->world, NULL));
    refuse(BUSY, throng_world_add_walls(f->world, &wall, 1, NULL));
    refuse(BUSY, throng_world_remove_walls(f->world, &f->wall, 1));
    const throng_support_def support = throng_default_support_def();
    refuse(BUSY, throng_supports_add(f->world, &support, 1, NULL));
    refuse(BUSY, throng_supports_remove(f->world, &f->support, 1));
    refuse(BUSY, throng_supports_move(f->world, &f->support, &support.motion, 1));
    refuse(BUSY, throng_world_save(f->world, NULL, 0, &size));
    refuse(BUSY, throng_world_load(f->world, f->image, f->image_size));
    refuse(BUSY, throng_agents_add(f->world, &def, 1, NULL));
    refuse(BUSY, throng_agents_remove(f->world, f->ids, 1));
    refuse(BUSY, throng_agents_park(f->world, f->ids, 1, true));
    refuse(BUSY, throng_agents_write(f->world, THRONG_FIELD_POSITION, f->ids, 1, some_place));
    throng_world_destroy(f->world); // ignored
}

static void changes_within_a_step_are_refused(void **state) {
    (void)state;
    fixture f, plain;
    open_fixture(&f);
    open_fixture(&plain);
    intruder own = {.f = &f};
    throng_world_def def = throng_default_world_def();
    def.executor = (throng_executor){&own, 1, intrude};
    throng_world *world = make_world(&def, f.map);
    must(throng_world_load(world, f.image, f.image_size));
    throng_world_destroy(f.world);
    throng_plan_destroy(f.plan);
    f.plan = NULL;
    f.world = world;
    // So many that tasks go to the executor.
    for (int i = 0; i < 20; i++) {
        add_crowd(f.world, (uint64_t)i, CROWD, 0, 0, 28, NULL);
        add_crowd(plain.world, (uint64_t)i, CROWD, 0, 0, 28, NULL);
    }
    own.inside = true;
    must(throng_world_step(f.world, 0.1));
    own.inside = false;
    assert_true(own.calls > 0);
    must(throng_world_step(plain.world, 0.1));
    assert_same_state(f.world, plain.world, "after a step with intruders");
    close_fixture(&f);
    close_fixture(&plain);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) (void)puts(entries[i].name);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments_change_nothing),
        cmocka_unit_test(changes_within_a_step_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
