// What other libraries do on the same points and crowds, in the same process. Where one is not there, its functions
// return a negative number.
#ifndef THRONG_BENCH_YARDSTICKS_H
#define THRONG_BENCH_YARDSTICKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// nanoflann's tree over points in the plane, which must outlive it. Null where nanoflann is not there.
typedef struct yardstick_tree yardstick_tree;
yardstick_tree *yardstick_nanoflann_open(const float *x, const float *y, uint32_t count, uint32_t leaf_size);
void yardstick_nanoflann_close(yardstick_tree *tree);

/// One k-nearest query from every point.
void yardstick_nanoflann_nearest(const yardstick_tree *tree, uint32_t k);

/// Seconds for a tree of leaves of 16 over the points, and into *query_seconds (not null) for one k-nearest query from
/// every point.
double yardstick_nanoflann(const float *x, const float *y, uint32_t count, uint32_t k, double *query_seconds);

/// Seconds for a step of RVO2 of a crowd at these places walking to these goals, on `threads` threads: the least of
/// `steps` after a first one. Neighbors 10, range 5 m, horizon 2 s, radius 0.25 m, speed 1.3 m/s, step 0.1 s.
double yardstick_rvo(const float *x, const float *y, const float *goal_x, const float *goal_y, uint32_t count,
                     uint32_t threads, int steps);

#ifdef __cplusplus
}
#endif

#endif
