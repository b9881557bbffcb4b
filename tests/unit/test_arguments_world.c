// Wrong arguments of every call on worlds, their walls and doors: the documented code, a message, the first bad item,
// and nothing changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/argument_cases.h"

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
    assert_int_equal(size, f->image.size);
}

static void check_load(fixture *f) {
    refuse(ARGUMENT, throng_world_load(NULL, f->image.bytes, f->image.size));
    refuse(ARGUMENT, throng_world_load(f->world, NULL, f->image.size));
    refuse(SNAPSHOT, throng_world_load(f->world, f->image.bytes, f->image.size - 1));
    refuse(SNAPSHOT, throng_world_load(f->world, f->image.bytes, 0));
    f->image.bytes[f->image.size / 2] ^= 1;
    refuse(SNAPSHOT, throng_world_load(f->world, f->image.bytes, f->image.size));
    f->image.bytes[f->image.size / 2] ^= 1;
}

static const entry entries[] = {
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
};

int main(int argc, char **argv) {
    return run_entries(argc, argv, entries, sizeof entries / sizeof entries[0]);
}
