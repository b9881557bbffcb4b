#include "base/parallel.h"
#include "base/compiler.h"

#include <fenv.h>
#include <stdatomic.h>
#if defined(_OPENMP)
#include <omp.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

static int64_t this_process(void) {
#if defined(__unix__) || defined(__APPLE__)
    return (int64_t)getpid();
#else
    return 0;
#endif
}

void throng_parallel_init(throng_parallel *parallel, const throng_executor *executor, uint32_t threads) {
    uint32_t available = 1;
    if (executor->run) {
        available = executor->workers;
    } else {
#if defined(_OPENMP)
        available = (uint32_t)omp_get_max_threads();
        if (threads) available = threads;
#endif
    }
    *parallel = (throng_parallel){
        .executor = *executor,
        .threads = threads && threads < available ? threads : available,
        .process = this_process(),
    };
}

/// The floating-point mode that the step demands, and what was found.
typedef struct float_mode {
    int rounding;
    uint64_t control;
} float_mode;

static float_mode set_float_mode(void) {
    float_mode found = {.rounding = fegetround()};
    if (found.rounding != FE_TONEAREST) fesetround(FE_TONEAREST);
#if defined(__x86_64__) || defined(__i386__)
    found.control = _mm_getcsr();
    const uint32_t flush_to_zero_and_denormals_are_zero = 0x8040;
    if (found.control & flush_to_zero_and_denormals_are_zero) {
        _mm_setcsr((uint32_t)found.control & ~flush_to_zero_and_denormals_are_zero);
    }
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(found.control));
    const uint64_t flush_to_zero = UINT64_C(1) << 24;
    if (found.control & flush_to_zero) __asm__ volatile("msr fpcr, %0" : : "r"(found.control & ~flush_to_zero));
#endif
    return found;
}

static void restore_float_mode(float_mode found) {
#if defined(__x86_64__) || defined(__i386__)
    _mm_setcsr((_mm_getcsr() & ~UINT32_C(0x8040)) | ((uint32_t)found.control & UINT32_C(0x8040)));
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(found.control));
#endif
    if (found.rounding != FE_TONEAREST) fesetround(found.rounding);
}

typedef struct guarded {
    throng_task *task;
    void *context;
} guarded;

static void run_guarded(void *context, uint32_t item, uint32_t worker) {
    const guarded *call = context;
    const float_mode found = set_float_mode();
    call->task(call->context, item, worker);
    restore_float_mode(found);
}

static void run_serially(uint32_t count, throng_task *task, void *context) {
    const float_mode found = set_float_mode();
    for (uint32_t item = 0; item < count; ++item) task(context, item, 0);
    restore_float_mode(found);
}

#if defined(_OPENMP)
/// Workers beyond so many begin with the items of another.
enum { MOST_SHARES = 64 };

/// The items that a worker does first. Each has its own cache line, so that taking one costs nothing while all are busy
/// with their own; and as neighboring items go to the same worker in every stage, its cache keeps what they need.
typedef struct items_share {
    _Alignas(THRONG_CACHE_LINE) _Atomic uint32_t next;
    uint32_t end;
} items_share;

static void share_out(items_share *shares, uint32_t many, uint32_t count) {
    for (uint32_t i = 0; i < many; ++i) {
        atomic_init(&shares[i].next, (uint32_t)((uint64_t)count * i / many));
        shares[i].end = (uint32_t)((uint64_t)count * (i + 1) / many);
    }
}

/// Does the worker's own items, then what is left of others'.
static void work_off(items_share *shares, uint32_t many, throng_task *task, void *context, uint32_t worker) {
    for (uint32_t turn = 0; turn < many; ++turn) {
        items_share *share = &shares[(worker + turn) % many];
        uint32_t item;
        while ((item = atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed)) < share->end) {
            task(context, item, worker);
        }
    }
}
#endif

void throng_parallel_for(const throng_parallel *parallel, uint32_t count, uint32_t grain, throng_task *task,
                         void *context) {
    if (count == 0) return;
    if (count <= grain || parallel->threads == 1) {
        if (!parallel->executor.run || count <= grain) {
            run_serially(count, task, context);
            return;
        }
    }
    if (parallel->executor.run) {
        guarded call = {task, context};
        parallel->executor.run(parallel->executor.context, run_guarded, &call, count);
        return;
    }
#if defined(_OPENMP)
    if (parallel->process == this_process()) {
        items_share shares[MOST_SHARES];
        const uint32_t many = parallel->threads < MOST_SHARES ? parallel->threads : MOST_SHARES;
        share_out(shares, many, count);
#pragma omp parallel num_threads((int)parallel->threads)
        {
            const float_mode found = set_float_mode();
            work_off(shares, many, task, context, (uint32_t)omp_get_thread_num());
            restore_float_mode(found);
        }
        return;
    }
#endif
    run_serially(count, task, context);
}
