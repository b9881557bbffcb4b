// Optional columns: nobody sees whether they are there, values stay with their agents, and only what differs counts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/snapshot.h"
#include "state/extras.h"
#include "support/worlds.h"

enum { CROWD = 200 };

static uint64_t bytes_of(const throng_world *world) {
    throng_counters counters;
    must(throng_world_counters(world, &counters));
    return counters.bytes;
}

// A number of every extra float field that nobody has by default.
static const throng_field float_fields[] = {
    THRONG_FIELD_AGGRESSIVENESS, THRONG_FIELD_MAX_TURN_RATE, THRONG_FIELD_SPEED_LIMIT, THRONG_FIELD_HEIGHT_LOW,
    THRONG_FIELD_HEIGHT_HIGH,    THRONG_FIELD_VIEW_COSINE,   THRONG_FIELD_VIEW_RANGE};
static const throng_field choice_fields[] = {THRONG_FIELD_MODEL, THRONG_FIELD_INFEASIBLE, THRONG_FIELD_LINE_OF_SIGHT,
                                             THRONG_FIELD_SWAP};

enum { FLOATS = sizeof float_fields / sizeof *float_fields, CHOICES = sizeof choice_fields / sizeof *choice_fields };

static void absent_columns_read_as_the_default_def(void **state) {
    (void)state;
    throng_agent_def def = throng_default_agent_def();
    def.velocity[0] = 0.5f;
    throng_agent_id id;
    throng_world *world = make_world(NULL, NULL);
    must(throng_agents_add(world, &def, 1, &id));
    const float expected[FLOATS] = {def.aggressiveness, def.max_turn_rate, def.speed_limit, def.height_low,
                                    def.height_high,    def.view_cosine,   def.view_range};
    const uint32_t choices[CHOICES] = {def.model, def.infeasible, def.line_of_sight, def.swap};
    const uint64_t bytes = bytes_of(world);
    for (int there = 0; there < 2; there++) {
        for (int i = 0; i < FLOATS; i++) {
            float value = -77.0f;
            must(throng_agents_read(world, float_fields[i], &id, 1, &value));
            if (value != expected[i]) fail_msg("float field %d: %g, default %g", i, value, expected[i]);
            must(throng_agents_write(world, float_fields[i], &id, 1, &value));
        }
        for (int i = 0; i < CHOICES; i++) {
            uint32_t value = 77;
            must(throng_agents_read(world, choice_fields[i], &id, 1, &value));
            if (value != choices[i]) fail_msg("choice field %d: %u, default %u", i, value, choices[i]);
            must(throng_agents_write(world, choice_fields[i], &id, 1, &value));
        }
        float gradient[2] = {9, 9};
        must(throng_agents_read(world, THRONG_FIELD_GRADIENT, &id, 1, gradient));
        assert_true(gradient[0] == 0 && gradient[1] == 0);
        // Defaults written make no columns; one other value makes all, and the others stay what they were.
        assert_int_equal(world->agents.has_extras, there);
        if (!there) {
            assert_int_equal(bytes_of(world), bytes);
            const float slope[2] = {0.25f, 0}, flat[2] = {0};
            must(throng_agents_write(world, THRONG_FIELD_GRADIENT, &id, 1, slope));
            must(throng_agents_read(world, THRONG_FIELD_GRADIENT, &id, 1, gradient));
            assert_true(gradient[0] == 0.25f && gradient[1] == 0);
            must(throng_agents_write(world, THRONG_FIELD_GRADIENT, &id, 1, flat));
            assert_true(bytes_of(world) > bytes);
        }
    }
    float velocity[2];
    must(throng_agents_read(world, THRONG_FIELD_VELOCITY, &id, 1, velocity));
    assert_true(velocity[0] == 0.5f && velocity[1] == 0);
    throng_world_destroy(world);
}

static void nobody_sees_columns_of_defaults(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_agent_id ids[2][CROWD];
    throng_world *worlds[2] = {make_world(NULL, map), make_world(NULL, map)};
    const uint32_t vo = THRONG_MODEL_VO, orca = THRONG_MODEL_ORCA;
    for (int i = 0; i < 2; i++) add_crowd(worlds[i], 9, CROWD, 0, 0, 28, ids[i]);
    must(throng_agents_write(worlds[1], THRONG_FIELD_MODEL, &ids[1][7], 1, &vo));
    const throng_hashes plain = hashes_of(worlds[0]), other = hashes_of(worlds[1]);
    assert_string_equal(first_difference(&plain, &other), "model");
    must(throng_agents_write(worlds[1], THRONG_FIELD_MODEL, &ids[1][7], 1, &orca));
    for (int step = 0; step < 20; step++) {
        assert_same_state(worlds[0], worlds[1], "with columns of defaults");
        world_image images[2] = {image_of(worlds[0]), image_of(worlds[1])};
        assert_int_equal(images[0].size, images[1].size);
        assert_memory_equal(images[0].bytes, images[1].bytes, images[0].size);
        for (int i = 0; i < 2; i++) {
            free(images[i].bytes);
            must(throng_world_step(worlds[i], 0.1));
        }
    }
    assert_true(worlds[1]->agents.has_extras && !worlds[0]->agents.has_extras);
    for (int i = 0; i < 2; i++) throng_world_destroy(worlds[i]);
    throng_map_release(map);
}

static void expect_limits(const throng_world *world, const throng_agent_id *ids, const float *expected, uint32_t count,
                          const char *when) {
    for (uint32_t i = 0; i < count; i++) {
        float value;
        must(throng_agents_read(world, THRONG_FIELD_SPEED_LIMIT, &ids[i], 1, &value));
        if (value != expected[i]) fail_msg("%s: agent %u has %g, not %g", when, i, value, expected[i]);
    }
}

// Removal, parking, growth and the sorting of rows move values along; new rows start with defaults.
static void values_stay_with_their_agents(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_world *world = make_world(NULL, map);
    static throng_agent_id ids[2 * CROWD];
    static float limits[2 * CROWD];
    add_crowd(world, 11, CROWD, 0, 0, 28, ids);
    for (uint32_t i = 0; i < CROWD; i++) limits[i] = i % 3 ? 2.0f + (float)i : INFINITY;
    must(throng_agents_write(world, THRONG_FIELD_SPEED_LIMIT, ids, CROWD, limits));
    uint64_t random = 12;
    for (int step = 0; step < 30; step++) {
        must(throng_world_step(world, 0.2));
        expect_limits(world, ids, limits, CROWD, "after a step");
        const uint32_t first = random_below(&random, CROWD - 20);
        must(throng_agents_park(world, ids + first, 10, step % 2 == 0));
        expect_limits(world, ids, limits, CROWD, "after parking");
        must(throng_agents_remove(world, ids + first, 7));
        throng_agent_def def = random_agent(&random, 0, 0, 28);
        def.speed_limit = step % 4 ? INFINITY : 500.0f + (float)step;
        for (uint32_t i = first; i < first + 7; i++) {
            must(throng_agents_add(world, &def, 1, &ids[i]));
            limits[i] = def.speed_limit;
        }
        expect_limits(world, ids, limits, CROWD, "after adding");
    }
    add_crowd(world, 13, CROWD, 0, 0, 28, ids + CROWD);
    for (uint32_t i = CROWD; i < 2 * CROWD; i++) limits[i] = INFINITY;
    expect_limits(world, ids, limits, 2 * CROWD, "after growth");
    must(throng_world_step(world, 0.2));
    expect_limits(world, ids, limits, 2 * CROWD, "after growth and a step");
    throng_world_destroy(world);
    throng_map_release(map);
}

static void snapshots_hold_what_differs(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_agent_id ids[CROWD], other_ids[CROWD];
    throng_world *world = make_world(NULL, map), *plain = make_world(NULL, map), *other = make_world(NULL, map);
    add_crowd(world, 14, CROWD, 0, 0, 28, ids);
    world_image without = image_of(world);
    const uint32_t models[3] = {THRONG_MODEL_VO, THRONG_MODEL_ORCA, THRONG_MODEL_RVO};
    must(throng_agents_write(world, THRONG_FIELD_MODEL, ids, 3, models));
    world_image with = image_of(world);
    assert_true(with.size > without.size);
    // Into a world without the columns, into one with others' values, and back to one that holds none.
    must(throng_world_load(plain, with.bytes, with.size));
    assert_same_state(world, plain, "columns made by loading");
    assert_true(THRONG_USES(&plain->agents, model) && !THRONG_USES(&plain->agents, speed_limit));
    add_crowd(other, 15, CROWD, 0, 0, 28, other_ids);
    const float limit = 3.0f;
    must(throng_agents_write(other, THRONG_FIELD_SPEED_LIMIT, other_ids, 1, &limit));
    must(throng_world_load(other, with.bytes, with.size));
    assert_same_state(world, other, "over other values");
    must(throng_world_load(other, without.bytes, without.size));
    must(throng_world_load(world, without.bytes, without.size));
    must(throng_world_load(plain, without.bytes, without.size));
    assert_same_state(plain, other, "values gone");
    assert_int_equal(other->agents.extras_used, 0);
    uint32_t model = 77;
    must(throng_agents_read(other, THRONG_FIELD_MODEL, ids, 1, &model));
    assert_int_equal(model, THRONG_MODEL_ORCA);
    free(with.bytes);
    free(without.bytes);
    throng_world_destroy(world);
    throng_world_destroy(plain);
    throng_world_destroy(other);
    throng_map_release(map);
}

static uint64_t place_of(const throng_snapshot_layout *layout, const char *name) {
    for (uint32_t i = 0; i < throng_snapshot_column_count(true); i++) {
        if (strcmp(throng_snapshot_columns[i].name, name) == 0) return layout->column[i];
    }
    fail_msg("no column %s", name);
    return 0;
}

static void forged_values_are_refused(void **state) {
    (void)state;
    throng_agent_def def = throng_default_agent_def();
    def.model = THRONG_MODEL_RVO;
    throng_world *world = make_world(NULL, NULL);
    must(throng_agents_add(world, &def, 1, NULL));
    static const struct {
        const char *column;
        float value;  // of float columns
        uint8_t byte; // of others
        bool refused;
    } forgeries[] = {
        {"model", 0, 3, true},
        {"infeasible", 0, 2, true},
        {"line_of_sight", 0, 2, true},
        {"swap", 0, 2, true},
        {"view_cosine", 1.5f, 0, true},
        {"view_cosine", NAN, 0, true},
        {"view_cosine", 0.5f, 0, false},
        {"height_low", NAN, 0, true},
        {"height_low", INFINITY, 0, false},
        {"height_high", -3e8f, 0, false},
        {"gradient_x", INFINITY, 0, true},
        {"gradient_y", -1.0f, 0, false},
        {"max_turn_rate", -1.0f, 0, true},
        {"max_turn_rate", NAN, 0, true},
        {"aggressiveness", INFINITY, 0, true},
        {"speed_limit", INFINITY, 0, false},
    };
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        world_image forged = image_of(world);
        uint64_t header[THRONG_WORD_COUNT];
        memcpy(header, forged.bytes, sizeof header);
        throng_snapshot_layout layout;
        assert_true(throng_snapshot_lay_out(header, &layout));
        unsigned char *at = forged.bytes + place_of(&layout, forgeries[i].column);
        if (forgeries[i].byte) {
            *at = forgeries[i].byte;
        } else {
            memcpy(at, &forgeries[i].value, sizeof forgeries[i].value);
        }
        throng_snapshot_seal(forged.bytes, &layout, &world->parallel);
        throng_world *other = make_world(NULL, NULL);
        const throng_result result = throng_world_load(other, forged.bytes, forged.size);
        const throng_result due = forgeries[i].refused ? THRONG_ERROR_SNAPSHOT : THRONG_OK;
        if (result != due) {
            fail_msg("%s as %g or %d: %s: %s", forgeries[i].column, forgeries[i].value, forgeries[i].byte,
                     throng_result_name(result), throng_last_error()->message);
        }
        throng_world_destroy(other);
        free(forged.bytes);
    }
    throng_world_destroy(world);
}

static void bad_values_are_refused(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def def = throng_default_agent_def();
    throng_agent_id id;
    must(throng_agents_add(world, &def, 1, &id));
    const float nan = NAN, wide = 1.5f, slope[2] = {0, INFINITY};
    const uint32_t choice = 3;
    for (int i = 0; i < FLOATS; i++) {
        assert_int_equal(throng_agents_write(world, float_fields[i], &id, 1, &nan), THRONG_ERROR_VALUE);
    }
    for (int i = 0; i < CHOICES; i++) {
        assert_int_equal(throng_agents_write(world, choice_fields[i], &id, 1, &choice), THRONG_ERROR_ARGUMENT);
    }
    assert_int_equal(throng_agents_write(world, THRONG_FIELD_VIEW_COSINE, &id, 1, &wide), THRONG_ERROR_VALUE);
    assert_int_equal(throng_agents_write(world, THRONG_FIELD_GRADIENT, &id, 1, slope), THRONG_ERROR_VALUE);
    def.gradient[0] = NAN;
    assert_int_equal(throng_agents_add(world, &def, 1, NULL), THRONG_ERROR_VALUE);
    def = throng_default_agent_def();
    def.model = 3;
    assert_int_equal(throng_agents_add(world, &def, 1, NULL), THRONG_ERROR_ARGUMENT);
    assert_false(world->agents.has_extras);
    assert_int_equal(view_of(world).count, 1);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_columns_read_as_the_default_def),
        cmocka_unit_test(nobody_sees_columns_of_defaults),
        cmocka_unit_test(values_stay_with_their_agents),
        cmocka_unit_test(snapshots_hold_what_differs),
        cmocka_unit_test(forged_values_are_refused),
        cmocka_unit_test(bad_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
