// What must not matter: the order of adding, what was there before, strangers, executors, and how a world came about.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/executors.h"
#include "support/worlds.h"

enum { CROWD = 300, STEPS = 40 };

typedef struct place {
    double x, y;
    float vx, vy;
} place;

static place place_of(const throng_world *world, throng_agent_id id) {
    double at[2];
    float velocity[2];
    must(throng_agents_read(world, THRONG_FIELD_POSITION, &id, 1, at));
    must(throng_agents_read(world, THRONG_FIELD_VELOCITY, &id, 1, velocity));
    return (place){at[0], at[1], velocity[0], velocity[1]};
}

static void assert_same_places(const throng_world *a, const throng_agent_id *ids_a, const throng_world *b,
                               const throng_agent_id *ids_b, uint32_t count, const char *when) {
    for (uint32_t i = 0; i < count; i++) {
        const place p = place_of(a, ids_a[i]), q = place_of(b, ids_b[i]);
        if (memcmp(&p, &q, sizeof p) != 0) {
            fail_msg("%s: agent %u of %u at (%.17g, %.17g) and (%.17g, %.17g)", when, i, count, p.x, p.y, q.x, q.y);
        }
    }
}

static void crowd_of(throng_agent_def *defs, uint32_t count, uint64_t seed, double x, double y, double size) {
    for (uint32_t i = 0; i < count; i++) defs[i] = random_agent(&seed, x, y, size);
}

// Creation numbers break ties, so they must come in the same order; everything else may differ.
static void history_leaves_nothing(void **state) {
    (void)state;
    static throng_agent_def defs[CROWD], others[CROWD];
    static throng_agent_id ids_a[CROWD], ids_b[CROWD], temporary[CROWD];
    throng_map *map = make_map();
    throng_world *a = make_world(NULL, map), *b = make_world(NULL, map);
    crowd_of(defs, CROWD, 1, 0, 0, 28);
    crowd_of(others, CROWD, 2, 0, 0, 28);
    must(throng_agents_add(a, defs, CROWD, ids_a));
    // b: others before, between and parked, that are gone by the time of the first step; added one by one.
    must(throng_agents_add(b, others, CROWD, temporary));
    for (int i = 0; i < 3; i++) must(throng_world_step(b, 0.3));
    must(throng_agents_park(b, temporary, CROWD / 2, true));
    for (uint32_t i = 0; i < CROWD; i++) {
        must(throng_agents_add(b, &defs[i], 1, &ids_b[i]));
        must(throng_agents_remove(b, &temporary[i], 1));
        if (i % 50 == 0) must(throng_world_refresh(b));
    }
    must(throng_agents_park(b, ids_b + 20, 30, true));
    must(throng_agents_park(b, ids_b + 20, 30, false));
    for (int step = 0; step < STEPS; step++) {
        must(throng_world_step(a, 0.1));
        must(throng_world_step(b, 0.1));
        assert_same_places(a, ids_a, b, ids_b, CROWD, "with a past");
    }
    throng_world_destroy(a);
    throng_world_destroy(b);
    throng_map_release(map);
}

static void order_of_adding_shows_only_in_ties(void **state) {
    (void)state;
    static throng_agent_def defs[CROWD], reversed[CROWD];
    static throng_agent_id ids_a[CROWD], ids_b[CROWD], ids_back[CROWD];
    crowd_of(defs, CROWD, 3, 0, 0, 40);
    for (uint32_t i = 0; i < CROWD; i++) reversed[i] = defs[CROWD - 1 - i];
    throng_world *a = make_world(NULL, NULL), *b = make_world(NULL, NULL);
    must(throng_agents_add(a, defs, CROWD, ids_a));
    must(throng_agents_add(b, reversed, CROWD, ids_back));
    for (uint32_t i = 0; i < CROWD; i++) ids_b[i] = ids_back[CROWD - 1 - i];
    // No two gaps are equal here, so there is no tie to break.
    for (int step = 0; step < STEPS; step++) {
        must(throng_world_step(a, 0.1));
        must(throng_world_step(b, 0.1));
        assert_same_places(a, ids_a, b, ids_b, CROWD, "added in reverse");
    }
    throng_world_destroy(a);
    throng_world_destroy(b);
}

static void strangers_change_nothing(void **state) {
    (void)state;
    static throng_agent_def defs[2][CROWD];
    static throng_agent_id alone_ids[2][CROWD], ids[2][CROWD];
    crowd_of(defs[0], CROWD, 4, 0, 0, 25);
    crowd_of(defs[1], CROWD, 5, 700, -300, 25);
    throng_world *alone[2] = {make_world(NULL, NULL), make_world(NULL, NULL)}, *both = make_world(NULL, NULL);
    // Creation numbers are the same alone and together, up to their order: the groups come one after the other.
    for (int group = 0; group < 2; group++) {
        must(throng_agents_add(alone[group], defs[group], CROWD, alone_ids[group]));
        must(throng_agents_add(both, defs[group], CROWD, ids[group]));
    }
    for (int step = 0; step < STEPS; step++) {
        must(throng_world_step(both, 0.1));
        for (int group = 0; group < 2; group++) {
            must(throng_world_step(alone[group], 0.1));
            assert_same_places(alone[group], alone_ids[group], both, ids[group], CROWD,
                               group ? "second group" : "first group");
        }
    }
    for (int group = 0; group < 2; group++) throng_world_destroy(alone[group]);
    throng_world_destroy(both);
}

// ---- executors, threads and hashes

static void run_with(const throng_world_def *def, throng_map *map, throng_hashes *hashes) {
    throng_world_def own = *def;
    own.stage_hashes = true;
    throng_world *world = make_world(&own, map);
    add_crowd(world, 7, 700, 0, 0, 28, NULL);
    for (int step = 0; step < STEPS / 2; step++) {
        must(throng_world_step(world, 0.1));
        hashes[step] = hashes_of(world);
    }
    throng_world_destroy(world);
}

static void compare_runs(const throng_hashes *a, const throng_hashes *b, const char *how) {
    for (int step = 0; step < STEPS / 2; step++) {
        for (int stage = 0; stage < THRONG_STAGE_COUNT; stage++) {
            assert_true(a[step].stages[stage] != 0);
            if (a[step].stages[stage] != b[step].stages[stage]) fail_msg("%s: step %d, stage %d", how, step, stage);
        }
        const char *name = first_difference(&a[step], &b[step]);
        if (name) fail_msg("%s: step %d, column %s", how, step, name);
    }
}

static void executors_do_not_matter(void **state) {
    (void)state;
    static throng_hashes plain[STEPS], other[STEPS];
    throng_map *map = make_map();
    throng_world_def def = throng_default_world_def();
    def.threads = 1;
    run_with(&def, map, plain);
    def.threads = 0;
    run_with(&def, map, other);
    compare_runs(plain, other, "all threads");
    def.executor = executor_backwards();
    run_with(&def, map, other);
    compare_runs(plain, other, "backwards");
    uint32_t random = 5, workers = 3;
    def.executor = executor_shuffled(&random);
    run_with(&def, map, other);
    compare_runs(plain, other, "shuffled");
    def.executor = executor_of_threads(&workers);
    run_with(&def, map, other);
    compare_runs(plain, other, "own threads");
    throng_map_release(map);
}

static void hashes_tell_where_runs_part(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_world_def def = throng_default_world_def();
    def.stage_hashes = true;
    throng_world *a = make_world(&def, map), *b = make_world(&def, map);
    throng_agent_id ids[50];
    add_crowd(a, 8, 50, 0, 0, 28, ids);
    add_crowd(b, 8, 50, 0, 0, 28, ids);
    must(throng_world_step(a, 0.1));
    must(throng_world_step(b, 0.1));
    const float speed = 0.01f;
    const throng_target target = {.kind = THRONG_TARGET_POINT, .x = -3, .y = 9};
    must(throng_agents_write(a, THRONG_FIELD_TARGET, &ids[5], 1, &target));
    must(throng_agents_write(b, THRONG_FIELD_TARGET, &ids[5], 1, &target));
    must(throng_agents_write(b, THRONG_FIELD_PREFERRED_SPEED, &ids[5], 1, &speed));
    throng_hashes before_a = hashes_of(a), before_b = hashes_of(b);
    assert_string_equal(first_difference(&before_a, &before_b), "preferred_speed");
    assert_int_equal(before_a.places, before_b.places);
    must(throng_world_step(a, 0.1));
    must(throng_world_step(b, 0.1));
    before_a = hashes_of(a);
    before_b = hashes_of(b);
    assert_int_equal(before_a.stages[THRONG_STAGE_NEIGHBORS], before_b.stages[THRONG_STAGE_NEIGHBORS]);
    assert_int_not_equal(before_a.stages[THRONG_STAGE_SENSE], before_b.stages[THRONG_STAGE_SENSE]);
    throng_world_destroy(a);
    throng_world_destroy(b);
    throng_map_release(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(history_leaves_nothing),      cmocka_unit_test(order_of_adding_shows_only_in_ties),
        cmocka_unit_test(strangers_change_nothing),    cmocka_unit_test(executors_do_not_matter),
        cmocka_unit_test(hashes_tell_where_runs_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
