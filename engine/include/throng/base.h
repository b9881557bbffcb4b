// Result codes, errors, memory and threads: what every other header of the library builds on.
//
// Units are SI throughout: metres, seconds, metres per second, radians. Places and time are double,
// everything else float. Places are kept on a grid of 2^-28 m (about 4 nm): what is given is rounded to it, so that a
// scene moves bit for bit the same wherever it lies within 3e7 m of the origin.
//
// Thread contract of the whole library: one writer per world. Calls that take a `const` world, and reads of a view,
// may run on any number of threads at once as long as no call that takes a non-const world runs. Different worlds
// are independent, also when they share a map or step at the same time.
#ifndef THRONG_BASE_H
#define THRONG_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(THRONG_BUILD_SHARED)
#define THRONG_API __declspec(dllexport)
#elif defined(__GNUC__)
#define THRONG_API __attribute__((visibility("default")))
#else
#define THRONG_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_VERSION_MAJOR 0
#define THRONG_VERSION_MINOR 1
#define THRONG_VERSION_PATCH 0

/// What the engine takes, so that no sum or square of it overflows. Numbers of agents without a range of their own are
/// at most THRONG_LIMIT_NUMBER.
#define THRONG_LIMIT_PLACE     1e12 ///< m, of places and their targets, either sign
#define THRONG_LIMIT_NUMBER    1e9  ///< m, m/s, s, shares
#define THRONG_LIMIT_TIME_STEP 1e6  ///< s

/// What a call says. The numbers are stable.
typedef enum throng_result {
    THRONG_OK = 0,
    THRONG_ERROR_ARGUMENT = 1,    ///< a null pointer, an unknown enumerator, a struct of unknown size
    THRONG_ERROR_VALUE = 2,       ///< a number that is not finite or out of its documented range
    THRONG_ERROR_STALE_ID = 3,    ///< an id that was never given out, or whose agent or wall is gone
    THRONG_ERROR_STALE_INDEX = 4, ///< a query after a change, before throng_world_refresh or a step
    THRONG_ERROR_MEMORY = 5,      ///< the allocator had no more
    THRONG_ERROR_BUSY = 6,        ///< a call that changes the world, made from inside a step of it
    THRONG_ERROR_CAPACITY = 7,    ///< the caller's buffer is too small, or a count exceeds what can be numbered
    THRONG_ERROR_SNAPSHOT = 8,    ///< a snapshot that is damaged, of another version, or of another map
    THRONG_ERROR_UNSUPPORTED = 9, ///< a kernel that this machine or build does not have
    THRONG_ERROR_NONE_FOUND = 10  ///< nothing within the given distance
} throng_result;

/// What went wrong in the last failing call of this thread.
typedef struct throng_error {
    throng_result result;
    int64_t item;      ///< index of the first bad item of a bulk call, -1 where there is none
    char message[240]; ///< what, where, and what would be right; one line, no final newline
} throng_error;

/// The last failure on the calling thread; valid until the thread's next failing call. Never null; result is
/// THRONG_OK while nothing has failed yet.
THRONG_API const throng_error *throng_last_error(void);

/// The enumerator's name ("THRONG_ERROR_VALUE"), or "unknown" for other numbers. Never null.
THRONG_API const char *throng_result_name(throng_result result);

/// "major.minor.patch" of the library that runs (the macros are those compiled against).
THRONG_API const char *throng_version(void);

/// The unit vector (cosine, sine) of an angle in degrees, counterclockwise from x, the same bits on every machine and
/// exact at multiples of 90: headings and, by half an angle's cosine, fields of view. ARGUMENT, VALUE (not within
/// +-1e9).
THRONG_API throng_result throng_direction(double degrees, double direction[2]);

/// Where a world or map gets its memory. `allocate` returns `bytes` bytes aligned to at least 64, or null;
/// `release` gets back the pointer and the same size. Both are called from the thread that calls the library, never
/// from the executor's workers. All zero: the C library's.
typedef struct throng_allocator {
    void *context;
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *memory, size_t bytes);
} throng_allocator;

/// A piece of a stage. `item` is the piece, `worker` numbers the scratch memory it may use.
typedef void throng_task(void *task_context, uint32_t item, uint32_t worker);

/// The host's own threads in place of OpenMP. `run` must call `task(task_context, item, worker)` once for every item
/// in [0, count), in any order, on any threads, and return when all are done; worker < workers, and no two calls that
/// run at the same time may share a worker number. Results never depend on the order or the threads.
/// `run` null: OpenMP.
typedef struct throng_executor {
    void *context;
    uint32_t workers; ///< 1..1024 where run is set
    void (*run)(void *context, throng_task *task, void *task_context, uint32_t count);
} throng_executor;

#ifdef __cplusplus
}
#endif

#endif
