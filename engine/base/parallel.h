// Parallel-for: the one place that knows OpenMP, the host's executor and the floating-point mode of a worker.
#ifndef THRONG_BASE_PARALLEL_H
#define THRONG_BASE_PARALLEL_H

#include <throng/base.h>

typedef struct throng_parallel {
    throng_executor executor;
    uint32_t threads; ///< workers that may run at once, >= 1
    int64_t process;  ///< that made it: a forked child has no OpenMP threads left
} throng_parallel;

/// `threads` 0: all that the machine offers. With an executor: its workers, or fewer.
void throng_parallel_init(throng_parallel *parallel, const throng_executor *executor, uint32_t threads);

/// Calls task(context, item, worker) for every item in [0, count), each on some worker < parallel->threads, with
/// round-to-nearest and denormals kept. Serial, on the calling thread as worker 0, when `grain` items or fewer are
/// left to share, or in a forked child without an executor.
void throng_parallel_for(const throng_parallel *parallel, uint32_t count, uint32_t grain, throng_task *task,
                         void *context);

#endif
