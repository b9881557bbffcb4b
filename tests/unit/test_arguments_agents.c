// Wrong arguments of every call on agents: the documented code, a message, the first bad item, and nothing changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/argument_cases.h"

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

static const entry entries[] = {
    {"throng_default_agent_def", NULL}, {"throng_agents_add", check_add},   {"throng_agents_remove", check_remove},
    {"throng_agents_park", check_park}, {"throng_agents_read", check_read}, {"throng_agents_write", check_write},
    {"throng_agent_row", check_row},
};

int main(int argc, char **argv) {
    return run_entries(argc, argv, entries, sizeof entries / sizeof entries[0]);
}
