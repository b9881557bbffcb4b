// The families of benchmarks; each registers its own.
#ifndef THRONG_BENCH_BENCHES_H
#define THRONG_BENCH_BENCHES_H

void bench_tree_add(void);
void bench_kernels_add(void);
void bench_step_add(void);
void bench_calls_add(void);

#endif
