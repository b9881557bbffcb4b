// Snapshots: a world put back goes on as it did; what is damaged or forged is refused whole.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/snapshot.h"
#include "support/worlds.h"

#include <time.h>

enum { CROWD = 300 };

// A world with everything in it: parked, removed and host-moved agents, own walls, some of them removed.
static throng_world *full_world(const throng_world_def *def, throng_map *map, throng_agent_id *ids) {
    static const double crate[] = {-9, 6, -8, 6, -8, 7, -9, 7}, rope[] = {2, -9, 6, -9};
    const throng_wall walls[2] = {{THRONG_WALL_SOLID, 4, crate, 1}, {THRONG_WALL_LINE, 2, rope, 3}};
    static throng_agent_id own[CROWD];
    if (!ids) ids = own;
    throng_wall_id wall_ids[2];
    throng_world *world = make_world(def, map);
    add_crowd(world, 5, CROWD, 0, 0, 28, ids);
    must(throng_agents_park(world, ids + 10, 15, true));
    must(throng_agents_remove(world, ids + 40, 30));
    must(throng_world_add_walls(world, walls, 2, wall_ids));
    must(throng_world_remove_walls(world, wall_ids, 1));
    must(throng_world_add_walls(world, walls, 1, wall_ids));
    for (int i = 0; i < 5; i++) must(throng_world_step(world, 0.1));
    must(throng_world_step(world, 0.05));
    return world;
}

static void put_back_at_every_step(void **state) {
    (void)state;
    static throng_agent_id ids[CROWD];
    throng_map *map = make_map();
    throng_world *world = full_world(NULL, map, ids), *other = make_world(NULL, map);
    uint64_t random = 3;
    for (int step = 0; step < 60; step++) {
        world_image saved = image_of(world);
        must(throng_world_load(other, saved.bytes, saved.size));
        assert_same_state(world, other, "after loading");
        world_image again = image_of(other);
        assert_int_equal(again.size, saved.size);
        assert_memory_equal(again.bytes, saved.bytes, saved.size);
        // The other one lives on while the first sees changes; both must agree at the next loading.
        must(throng_world_step(world, 0.1));
        must(throng_world_step(other, 0.1));
        assert_same_state(world, other, "after a step");
        const throng_view a = view_of(world), b = view_of(other);
        assert_int_equal(a.step, b.step);
        assert_true(a.time == b.time);
        throng_agent_id fresh[2][3];
        for (int i = 0; i < 3; i++) {
            throng_agent_def def = random_agent(&random, 0, 0, 28);
            must(throng_agents_add(world, &def, 1, &fresh[0][i]));
            must(throng_agents_add(other, &def, 1, &fresh[1][i]));
        }
        assert_memory_equal(fresh[0], fresh[1], sizeof fresh[0]); // the same ids are given out
        must(throng_agents_remove(world, &fresh[0][step % 3], 1));
        free(saved.bytes);
        free(again.bytes);
    }
    throng_world_destroy(world);
    throng_world_destroy(other);
    throng_map_release(map);
}

static void ids_survive(void **state) {
    (void)state;
    static throng_agent_id ids[CROWD];
    throng_map *map = make_map();
    throng_world *world = full_world(NULL, map, ids);
    world_image saved = image_of(world);
    uint64_t words[2][CROWD];
    must(throng_agents_read(world, THRONG_FIELD_HOST_WORD, ids + 70, CROWD - 70, words[0]));
    throng_agent_id later;
    throng_agent_def def = throng_default_agent_def();
    must(throng_agents_remove(world, ids + 100, 50));
    must(throng_agents_add(world, &def, 1, &later));
    must(throng_world_load(world, saved.bytes, saved.size));
    must(throng_agents_read(world, THRONG_FIELD_HOST_WORD, ids + 70, CROWD - 70, words[1]));
    assert_memory_equal(words[0], words[1], (CROWD - 70) * sizeof(uint64_t));
    uint32_t row;
    assert_int_equal(throng_agent_row(world, later, &row), THRONG_ERROR_STALE_ID);
    assert_int_equal(throng_agent_row(world, ids[45], &row), THRONG_ERROR_STALE_ID);
    throng_query_hit hit;
    uint32_t count;
    assert_int_equal(throng_query_nearest(world, 0, 0, 9, NULL, &hit, 1, &count), THRONG_ERROR_STALE_INDEX);
    const throng_event *events;
    must(throng_world_events(world, &events, &count));
    assert_int_equal(count, 0);
    free(saved.bytes);
    throng_world_destroy(world);
    throng_map_release(map);
}

static void settings_come_along(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    def.seed = 77;
    def.contact_passes = 3;
    def.solver = THRONG_SOLVER_REFERENCE;
    throng_map *map = make_map();
    throng_world *world = full_world(&def, map, NULL), *other = make_world(NULL, map);
    world_image saved = image_of(world);
    must(throng_world_load(other, saved.bytes, saved.size));
    for (int i = 0; i < 5; i++) {
        must(throng_world_step(world, 0.1));
        must(throng_world_step(other, 0.1));
        assert_same_state(world, other, "with other settings");
    }
    free(saved.bytes);
    throng_world_destroy(world);
    throng_world_destroy(other);
    throng_map_release(map);
}

static void empty_worlds(void **state) {
    (void)state;
    throng_world *empty = make_world(NULL, NULL), *world = make_world(NULL, NULL);
    world_image saved = image_of(empty);
    add_crowd(world, 1, 10, 0, 0, 10, NULL);
    must(throng_world_step(world, 0.1));
    must(throng_world_load(world, saved.bytes, saved.size));
    assert_same_state(empty, world, "emptied");
    add_crowd(world, 2, 20, 0, 0, 10, NULL);
    add_crowd(empty, 2, 20, 0, 0, 10, NULL);
    must(throng_world_step(world, 0.1));
    must(throng_world_step(empty, 0.1));
    assert_same_state(empty, world, "filled again");
    free(saved.bytes);
    throng_world_destroy(world);
    throng_world_destroy(empty);
}

static void sizes_are_asked_first(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_world *world = full_world(NULL, map, NULL);
    world_image saved = image_of(world);
    size_t size = 0;
    memset(saved.bytes, 7, saved.size);
    assert_int_equal(throng_world_save(world, saved.bytes, saved.size - 1, &size), THRONG_ERROR_CAPACITY);
    assert_int_equal(size, saved.size);
    for (size_t i = 0; i < saved.size; i++) assert_int_equal(saved.bytes[i], 7);
    free(saved.bytes);
    throng_world_destroy(world);
    throng_map_release(map);
}

// ---- what is refused

static void refused(throng_world *world, const unsigned char *bytes, size_t size, const char *why) {
    const throng_hashes before = hashes_of(world);
    unsigned char *exact = malloc(size ? size : 1); // so that a sanitizer sees a read past the end
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    const throng_result result = throng_world_load(world, exact, size);
    free(exact);
    if (result != THRONG_ERROR_SNAPSHOT) fail_msg("%s: %s", why, throng_result_name(result));
    const throng_hashes after = hashes_of(world);
    if (first_difference(&before, &after)) fail_msg("%s: refused, yet the world changed", why);
}

static void damage_is_refused(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_world *world = full_world(NULL, map, NULL), *stranger = make_world(NULL, NULL);
    world_image saved = image_of(world);
    refused(stranger, saved.bytes, saved.size, "another map");
    for (size_t size = 0; size < saved.size; size = size < 300 ? size + 1 : size + 997) {
        refused(world, saved.bytes, size, "cut off");
    }
    unsigned char *longer = calloc(saved.size + 8, 1);
    assert_non_null(longer);
    memcpy(longer, saved.bytes, saved.size);
    refused(world, longer, saved.size + 8, "something behind it");
    free(longer);
    // Every byte of the header, and many others, each with one bit turned.
    for (size_t at = 0; at < saved.size; at = at < 300 ? at + 1 : at + 101) {
        saved.bytes[at] ^= (unsigned char)(1u << at % 8);
        refused(world, saved.bytes, saved.size, "a bit turned");
        saved.bytes[at] ^= (unsigned char)(1u << at % 8);
    }
    must(throng_world_load(world, saved.bytes, saved.size));
    free(saved.bytes);
    throng_world_destroy(world);
    throng_world_destroy(stranger);
    throng_map_release(map);
}

static void put_word(unsigned char *at, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> 8 * i);
}

// A forged snapshot, whose checksums hold.
typedef struct forgery {
    const char *what;
    uint64_t at, value;
    size_t bytes;
} forgery;

static uint64_t place_of(const throng_snapshot_layout *layout, const char *name, uint32_t row) {
    const throng_snapshot_column *columns = throng_snapshot_columns;
    for (uint32_t i = 0; i < throng_snapshot_column_count(false); i++) {
        if (strcmp(columns[i].name, name) == 0) return layout->column[i] + row * columns[i].bytes;
    }
    fail_msg("no column %s", name);
    return 0;
}

static void forgery_is_refused(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_world *world = full_world(NULL, map, NULL);
    world_image saved = image_of(world);
    uint64_t header[THRONG_WORD_COUNT];
    memcpy(header, saved.bytes, sizeof header);
    throng_snapshot_layout layout;
    assert_true(throng_snapshot_lay_out(header, &layout));
    const uint64_t nan64 = UINT64_C(0x7ff8000000000000), nan32 = 0x7fc00000, minus_one = 0xbf800000;
    const uint32_t other_index = throng_snapshot_u32(saved.bytes + layout.index + 4);
    const uint32_t free_index = throng_snapshot_u32(saved.bytes + layout.agent_free);
    const forgery forgeries[] = {
        {"x NaN", place_of(&layout, "x", 3), nan64, 8},
        {"y infinite", place_of(&layout, "y", 3), UINT64_C(0x7ff0000000000000), 8},
        {"x too far", place_of(&layout, "x", 3), UINT64_C(0x7fe0000000000000), 8},
        {"radius too large", place_of(&layout, "radius", 3), 0x7f000000, 4},
        {"velocity NaN", place_of(&layout, "velocity_x", 0), nan32, 4},
        {"target NaN", place_of(&layout, "target_x", 7), nan64, 8},
        {"radius negative", place_of(&layout, "radius", 1), minus_one, 4},
        {"acceleration NaN", place_of(&layout, "max_acceleration", 1), nan32, 4},
        {"horizon zero", place_of(&layout, "time_horizon", 5), 0, 4},
        {"unknown target", place_of(&layout, "target_kind", 9), 4, 1},
        {"unknown flag", place_of(&layout, "flags", 9), 2, 2},
        {"leaving", place_of(&layout, "flags", 9), THRONG_FLAG_LEAVING, 2},
        {"parked in the step", place_of(&layout, "flags", 0), THRONG_FLAG_PARKED, 2},
        {"unparked behind it", place_of(&layout, "flags", (uint32_t)header[THRONG_WORD_ACTIVE]), 0, 2},
        {"a support", place_of(&layout, "support", 2), 1, 2},
        {"creation number twice", place_of(&layout, "creation", 2), 0, 8},
        {"creation number to come", place_of(&layout, "creation", 2), header[THRONG_WORD_NEXT_CREATION], 8},
        {"index 0", layout.index, 0, 4},
        {"index beyond the limit", layout.index, header[THRONG_WORD_AGENT_LIMIT], 4},
        {"index twice", layout.index, other_index, 4},
        {"index that is free", layout.index, free_index, 4},
        {"generation 0", layout.agent_generation + 4, 0, 4},
        {"free index twice", layout.agent_free + 4, free_index, 4},
        {"wall kind", layout.wall_heads + 4, 3, 4},
        {"wall with too many points", layout.wall_heads + 12, 1000, 4},
        {"wall with too few points", layout.wall_heads + 12, 3, 4},
        {"wall point NaN", layout.wall_points, nan64, 8},
        {"wall index", layout.wall_heads, 0, 4},
        {"solver", 8 * THRONG_WORD_SOLVER, 2, 8},
        {"passes", 8 * THRONG_WORD_PASSES, 256, 8},
        {"next creation", 8 * THRONG_WORD_NEXT_CREATION, 3, 8},
        {"active", 8 * THRONG_WORD_ACTIVE, header[THRONG_WORD_AGENTS] + 1, 8},
        {"steps since", 8 * THRONG_WORD_SINCE, header[THRONG_WORD_STEP] + 1, 8},
        {"time step", 8 * THRONG_WORD_TIME_STEP, nan64, 8},
        {"overlap", 8 * THRONG_WORD_OVERLAP_MAX, minus_one, 8},
        {"version", 8 * THRONG_WORD_VERSION, THRONG_SNAPSHOT_VERSION + 1, 8},
        {"column name", layout.table, 'z', 1},
        {"agents", 8 * THRONG_WORD_AGENTS, UINT64_C(1) << 60, 8},
        {"fewer free ones", 8 * THRONG_WORD_AGENT_FREE, header[THRONG_WORD_AGENT_FREE] - 2, 8},
    };
    unsigned char *forged = malloc(saved.size);
    assert_non_null(forged);
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        memcpy(forged, saved.bytes, saved.size);
        put_word(forged + forgeries[i].at, forgeries[i].value, forgeries[i].bytes);
        throng_snapshot_seal(forged, &layout, &world->parallel);
        refused(world, forged, saved.size, forgeries[i].what);
    }
    free(forged);
    free(saved.bytes);
    throng_world_destroy(world);
    throng_map_release(map);
}

static void bytes_in_either_order(void **state) {
    (void)state;
    const uint32_t in[2] = {0x01020304, 0xa0b0c0d0};
    uint32_t out[2];
    throng_snapshot_copy_ordered(out, in, 2, sizeof *in, true);
    assert_int_equal(out[0], 0x04030201);
    assert_int_equal(out[1], 0xd0c0b0a0);
    throng_snapshot_copy_ordered(out, in, 2, sizeof *in, false);
    assert_memory_equal(out, in, sizeof in);
}

// ---- speed

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void large_crowds_are_saved_fast(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    add_crowd(world, 9, 100000, 0, 0, 400, NULL);
    world_image saved = image_of(world);
    double save = INFINITY, load = INFINITY;
    for (int i = 0; i < 7; i++) {
        size_t size;
        double begin = seconds();
        must(throng_world_save(world, saved.bytes, saved.size, &size));
        double end = seconds();
        save = fmin(save, end - begin);
        begin = seconds();
        must(throng_world_load(world, saved.bytes, saved.size));
        end = seconds();
        load = fmin(load, end - begin);
    }
    print_message("100,000 agents, %.1f MB: saved in %.1f ms, loaded in %.1f ms\n", 1e-6 * (double)saved.size,
                  1e3 * save, 1e3 * load);
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && defined(THRONG_LONG_TESTS)
    assert_true(save < 0.010);
    assert_true(load < 0.010);
#endif
    free(saved.bytes);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(put_back_at_every_step),      cmocka_unit_test(ids_survive),
        cmocka_unit_test(settings_come_along),         cmocka_unit_test(empty_worlds),
        cmocka_unit_test(sizes_are_asked_first),       cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(forgery_is_refused),          cmocka_unit_test(bytes_in_either_order),
        cmocka_unit_test(large_crowds_are_saved_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
