// Executors for tests: threads of our own, and serial ones that take the items in an unusual order.
#ifndef TESTS_EXECUTORS_H
#define TESTS_EXECUTORS_H

#include <throng/base.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct executor_call {
    throng_task *task;
    void *context;
    uint32_t count;
    atomic_uint_least32_t next;
} executor_call;

typedef struct executor_worker {
    executor_call *call;
    uint32_t number;
    pthread_t thread;
} executor_worker;

static inline void *executor_work(void *argument) {
    executor_worker *worker = argument;
    executor_call *call = worker->call;
    for (;;) {
        uint32_t item = atomic_fetch_add(&call->next, 1);
        if (item >= call->count) return NULL;
        call->task(call->context, item, worker->number);
    }
}

enum { EXECUTOR_MAX_WORKERS = 16 };

// Starts its threads for every call: slow, and nothing is shared from call to call. context: uint32_t workers.
static inline void executor_run_threads(void *context, throng_task *task, void *task_context, uint32_t count) {
    uint32_t workers = *(const uint32_t *)context;
    executor_call call = {task, task_context, count, 0};
    executor_worker worker[EXECUTOR_MAX_WORKERS];
    uint32_t started = 1;
    worker[0] = (executor_worker){.call = &call, .number = 0};
    for (; started < workers && started < EXECUTOR_MAX_WORKERS; started++) {
        worker[started] = (executor_worker){.call = &call, .number = started};
        if (pthread_create(&worker[started].thread, NULL, executor_work, &worker[started]) != 0) break;
    }
    (void)executor_work(&worker[0]);
    for (uint32_t i = 1; i < started; i++) (void)pthread_join(worker[i].thread, NULL);
}

static inline void executor_run_backwards(void *context, throng_task *task, void *task_context, uint32_t count) {
    (void)context;
    for (uint32_t i = count; i-- > 0;) task(task_context, i, 0);
}

// Another order in every call, and a worker number that changes from item to item. context: uint32_t random state.
static inline void executor_run_shuffled(void *context, throng_task *task, void *task_context, uint32_t count) {
    uint32_t *random = context;
    uint32_t *order = malloc((size_t)count * sizeof *order);
    if (!order) abort();
    for (uint32_t i = 0; i < count; i++) {
        *random = *random * 1664525u + 1013904223u;
        uint32_t at = (*random >> 8) % (i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (uint32_t i = 0; i < count; i++) task(task_context, order[i], i % 3);
    free(order);
}

// `workers` must live as long as the executor, at most EXECUTOR_MAX_WORKERS.
static inline throng_executor executor_of_threads(uint32_t *workers) {
    return (throng_executor){workers, *workers, executor_run_threads};
}

static inline throng_executor executor_backwards(void) {
    return (throng_executor){NULL, 1, executor_run_backwards};
}

static inline throng_executor executor_shuffled(uint32_t *random) {
    return (throng_executor){random, 3, executor_run_shuffled};
}

#endif
