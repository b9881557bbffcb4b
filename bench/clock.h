// Time and the middle of several measurements.
#ifndef THRONG_BENCH_CLOCK_H
#define THRONG_BENCH_CLOCK_H

#include <stddef.h>

/// Seconds since some moment.
double bench_seconds(void);

/// The median; sorts the values.
double bench_median(double *values, size_t count);

#endif
