// base/parallel: every item once, workers never shared, the step's floating-point mode, small work stays at home.
#include "base/parallel.h"
#include "support/executors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fenv.h>
#include <float.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 1000, WORKERS = 16 };

typedef struct record {
    atomic_uint calls[ITEMS];
    atomic_uint busy[WORKERS];
    atomic_uint clashes, strangers, bad_rounding, flushed;
    uint32_t workers;
    pthread_t home;
} record;

static void visit(void *context, uint32_t item, uint32_t worker) {
    record *seen = context;
    if (worker >= seen->workers) {
        atomic_fetch_add(&seen->clashes, 1);
        return;
    }
    if (atomic_exchange(&seen->busy[worker], 1)) atomic_fetch_add(&seen->clashes, 1);
    atomic_fetch_add(&seen->calls[item], 1);
    if (!pthread_equal(pthread_self(), seen->home)) atomic_fetch_add(&seen->strangers, 1);
    if (fegetround() != FE_TONEAREST) atomic_fetch_add(&seen->bad_rounding, 1);
    volatile float small = FLT_MIN;
    volatile float smaller = small / 4.0f;
    if (smaller == 0.0f) atomic_fetch_add(&seen->flushed, 1);
    atomic_store(&seen->busy[worker], 0);
}

static void check_run(const throng_executor *executor, uint32_t threads, uint32_t count, uint32_t grain) {
    static record seen;
    throng_parallel parallel;
    throng_parallel_init(&parallel, executor, threads);
    seen = (record){.workers = parallel.threads > 3 ? parallel.threads : 3, .home = pthread_self()};
    throng_parallel_for(&parallel, count, grain, visit, &seen);
    for (uint32_t i = 0; i < ITEMS; i++) {
        unsigned calls = atomic_load(&seen.calls[i]);
        if (calls != (i < count)) fail_msg("item %u of %u ran %u times, %u threads", i, count, calls, threads);
    }
    assert_int_equal(atomic_load(&seen.clashes), 0);
    assert_int_equal(atomic_load(&seen.bad_rounding), 0);
    assert_int_equal(atomic_load(&seen.flushed), 0);
    if (count <= grain) assert_int_equal(atomic_load(&seen.strangers), 0);
}

static void check_counts(const throng_executor *executor, uint32_t threads) {
    const uint32_t counts[] = {0, 1, 2, 7, 8, 9, 63, ITEMS};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        check_run(executor, threads, counts[i], 0);
        check_run(executor, threads, counts[i], 8);
    }
}

static void runs_every_item_once(void **state) {
    (void)state;
    const uint32_t threads[] = {0, 1, 2, 3, 7};
    const throng_executor none = {0};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) check_counts(&none, threads[i]);
    for (uint32_t workers = 1; workers <= 7; workers++) {
        const throng_executor pool = executor_of_threads(&workers);
        check_counts(&pool, 0);
    }
    uint32_t random = 1;
    const throng_executor shuffled = executor_shuffled(&random);
    const throng_executor backwards = executor_backwards();
    check_counts(&shuffled, 0);
    check_counts(&backwards, 0);
}

static void keeps_the_hosts_float_mode(void **state) {
    (void)state;
    uint32_t workers = 3;
    const throng_executor executors[] = {{0}, executor_of_threads(&workers)};
    fenv_t before;
    assert_int_equal(fegetenv(&before), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(fesetround(FE_UPWARD), 0);
        check_run(&executors[i], 2, ITEMS, 8);
        check_run(&executors[i], 2, 5, 8);
        int rounding = fegetround();
        assert_int_equal(fesetenv(&before), 0);
        assert_int_equal(rounding, FE_UPWARD);
    }
}

static void forked_child_runs_alone(void **state) {
    (void)state;
    const throng_executor none = {0};
    throng_parallel parallel;
    static record seen;
    throng_parallel_init(&parallel, &none, 2);
    seen = (record){.workers = 2, .home = pthread_self()};
    throng_parallel_for(&parallel, ITEMS, 0, visit, &seen); // the pool of threads exists before the fork
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        seen = (record){.workers = 2, .home = pthread_self()};
        throng_parallel_for(&parallel, ITEMS, 0, visit, &seen);
        int wrong = atomic_load(&seen.strangers) != 0;
        for (uint32_t i = 0; i < ITEMS; i++) wrong |= atomic_load(&seen.calls[i]) != 1;
        _exit(wrong);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_every_item_once),
        cmocka_unit_test(keeps_the_hosts_float_mode),
        cmocka_unit_test(forked_child_runs_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
