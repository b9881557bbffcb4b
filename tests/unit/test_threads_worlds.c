// Worlds and threads: several worlds at once, readers beside each other, a fork, a step inside a parallel region, and
// who is woken.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/parallel.h"
#include "support/executors.h"
#include "support/worlds.h"

#include <sys/wait.h>
#include <unistd.h>

enum { CROWD = 600, STEPS = 15, WORLDS = 4 };

static uint64_t run_world(const throng_world_def *def, throng_map *map, uint64_t seed) {
    throng_world *world = make_world(def, map);
    add_crowd(world, seed, CROWD, 0, 0, 28, NULL);
    for (int step = 0; step < STEPS; step++) must(throng_world_step(world, 0.1));
    const uint64_t hash = hashes_of(world).whole;
    throng_world_destroy(world);
    return hash;
}

// ---- several worlds at once

typedef struct runner {
    pthread_t thread;
    throng_map *map;
    const throng_world_def *def;
    uint64_t seed, hash;
    throng_error error;
} runner;

static void *run_in_thread(void *argument) {
    runner *own = argument;
    own->hash = run_world(own->def, own->map, own->seed);
    (void)throng_world_step(NULL, (double)own->seed); // errors are each thread's own
    own->error = *throng_last_error();
    return NULL;
}

static void run_at_once(const throng_world_def *def) {
    throng_map *map = make_map();
    runner runners[WORLDS];
    for (int i = 0; i < WORLDS; i++) {
        runners[i] = (runner){.map = map, .def = def, .seed = (uint64_t)i};
        assert_int_equal(pthread_create(&runners[i].thread, NULL, run_in_thread, &runners[i]), 0);
    }
    for (int i = 0; i < WORLDS; i++) assert_int_equal(pthread_join(runners[i].thread, NULL), 0);
    for (int i = 0; i < WORLDS; i++) {
        const uint64_t alone = run_world(def, map, (uint64_t)i);
        if (runners[i].hash != alone) fail_msg("world %d is another among others", i);
        assert_int_equal(runners[i].error.result, THRONG_ERROR_ARGUMENT);
    }
    throng_map_release(map);
}

static void several_worlds_at_once(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    def.threads = 2;
    run_at_once(&def);
    uint32_t workers = 2;
    def.executor = executor_of_threads(&workers);
    run_at_once(&def);
}

typedef struct nest {
    throng_map *map;
    const throng_world_def *def;
    uint64_t hash[WORLDS];
} nest;

static void run_item(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    nest *own = context;
    own->hash[item] = run_world(own->def, own->map, item);
}

static void steps_inside_a_parallel_region(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    const throng_executor none = {0};
    nest inside = {.map = make_map(), .def = &def};
    throng_parallel parallel;
    throng_parallel_init(&parallel, &none, WORLDS);
    throng_parallel_for(&parallel, WORLDS, 1, run_item, &inside);
    for (uint32_t i = 0; i < WORLDS; i++) assert_int_equal(inside.hash[i], run_world(&def, inside.map, i));
    throng_map_release(inside.map);
}

// ---- readers

typedef struct reader {
    pthread_t thread;
    const throng_world *world;
    const throng_agent_id *ids;
    uint64_t sum;
} reader;

static void *read_all(void *argument) {
    reader *own = argument;
    throng_explanation *why = malloc(sizeof *why);
    size_t size;
    assert_non_null(why);
    must(throng_world_save(own->world, NULL, 0, &size));
    unsigned char *image = malloc(size);
    assert_non_null(image);
    own->sum = 0;
    for (int round = 0; round < 3; round++) {
        own->sum += hashes_of(own->world).whole;
        must(throng_world_save(own->world, image, size, &size));
        for (size_t i = 0; i < size; i++) own->sum += image[i];
        for (uint32_t i = 0; i < CROWD; i += 7) {
            throng_query_hit hits[5];
            throng_agent_id found[5];
            uint32_t count, row;
            double at[2], place[2];
            bool visible;
            must(throng_agents_read(own->world, THRONG_FIELD_POSITION, &own->ids[i], 1, at));
            must(throng_query_nearest(own->world, at[0], at[1], 3.0f, NULL, hits, 5, &count));
            for (uint32_t k = 0; k < count; k++) own->sum += hits[k].agent.index;
            const double far[2] = {at[0] + 2, at[1] + 2};
            must(throng_query_box(own->world, at, far, NULL, found, 5, &count));
            own->sum += count;
            must(throng_query_line_of_sight(own->world, at, far, NULL, &visible));
            own->sum += visible;
            own->sum += throng_query_free_place(own->world, at[0], at[1], 1.0f, NULL, place) == THRONG_OK;
            must(throng_query_explain(own->world, own->ids[i], 0.1, why));
            own->sum += why->neighbor_count + why->wall_count;
            must(throng_agent_row(own->world, own->ids[i], &row));
        }
    }
    free(image);
    free(why);
    return NULL;
}

static void readers_beside_each_other(void **state) {
    (void)state;
    static throng_agent_id ids[CROWD];
    throng_map *map = make_map();
    // Saving runs on the world's executor: this one may be called by several threads at once.
    uint32_t workers = 2;
    throng_world_def def = throng_default_world_def();
    def.executor = executor_of_threads(&workers);
    throng_world *world = make_world(&def, map);
    add_crowd(world, 2, CROWD, 0, 0, 28, ids);
    for (int step = 0; step < 3; step++) {
        must(throng_world_step(world, 0.1));
        reader readers[4];
        for (int i = 0; i < 4; i++) {
            readers[i] = (reader){.world = world, .ids = ids};
            assert_int_equal(pthread_create(&readers[i].thread, NULL, read_all, &readers[i]), 0);
        }
        for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
        for (int i = 1; i < 4; i++) assert_int_equal(readers[i].sum, readers[0].sum);
    }
    throng_world_destroy(world);
    throng_map_release(map);
}

// ---- fork

static void fork_after_a_step(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_world_def def = throng_default_world_def();
    def.threads = 2;
    throng_world *world = make_world(&def, map);
    add_crowd(world, 3, CROWD, 0, 0, 28, NULL);
    must(throng_world_step(world, 0.1)); // OpenMP's threads exist from here on
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60); // a child that hangs fails
        uint64_t hash = 0;
        if (throng_world_step(world, 0.1) == THRONG_OK) hash = hashes_of(world).whole;
        _exit(write(pipes[1], &hash, sizeof hash) != sizeof hash);
    }
    must(throng_world_step(world, 0.1));
    uint64_t hash = 0;
    int status = -1;
    assert_int_equal(read(pipes[0], &hash, sizeof hash), sizeof hash);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(hash, hashes_of(world).whole);
    (void)close(pipes[0]);
    (void)close(pipes[1]);
    throng_world_destroy(world);
    throng_map_release(map);
}

// ---- who is woken

typedef struct counting {
    int calls;
} counting;

static void count_calls(void *context, throng_task *task, void *task_context, uint32_t count) {
    ((counting *)context)->calls++;
    for (uint32_t item = 0; item < count; item++) task(task_context, item, 0);
}

static int calls_of_step(uint32_t agents, bool save) {
    counting own = {0};
    throng_world_def def = throng_default_world_def();
    def.executor = (throng_executor){&own, 4, count_calls};
    throng_map *map = make_map();
    throng_world *world = make_world(&def, map);
    add_crowd(world, 4, agents, 0, 0, 28, NULL);
    for (int step = 0; step < 3; step++) must(throng_world_step(world, 0.1));
    must(throng_world_refresh(world));
    if (save) must(load_from(world, world));
    throng_world_destroy(world);
    throng_map_release(map);
    return own.calls;
}

static void small_worlds_wake_nobody(void **state) {
    (void)state;
    assert_int_equal(calls_of_step(0, true), 0);
    assert_int_equal(calls_of_step(10, true), 0);
    assert_true(calls_of_step(5000, false) > 0); // else this test could not fail
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_worlds_at_once),    cmocka_unit_test(steps_inside_a_parallel_region),
        cmocka_unit_test(readers_beside_each_other), cmocka_unit_test(fork_after_a_step),
        cmocka_unit_test(small_worlds_wake_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
