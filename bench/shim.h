// Google Benchmark for C.
#ifndef THRONG_BENCH_SHIM_H
#define THRONG_BENCH_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_state bench_state;
typedef void bench_function(bench_state *state);

/// Registers a benchmark for one set of arguments (at most 4), shown behind its name.
void bench_add(const char *name, bench_function *function, const int64_t *arguments, int count);

/// Argument number `index` of this run.
int64_t bench_argument(const bench_state *state, int index);

/// True once for each iteration: `while (bench_running(state)) { ... }`.
bool bench_running(bench_state *state);

/// Items that an iteration works on: shown as items a second and ns an item.
void bench_items(bench_state *state, int64_t per_iteration);

void bench_label(bench_state *state, const char *label);

/// Voids the run with a message; no iteration is timed after it.
void bench_void(bench_state *state, const char *message);

/// Keeps a value from being optimized away.
void bench_keep(const void *value);

/// Runs what was registered; takes Google Benchmark's own options.
int bench_main(int count, char **arguments);

#ifdef __cplusplus
}
#endif

#endif
