// Line plots as SVG.
#ifndef THRONG_BENCH_PLOT_H
#define THRONG_BENCH_PLOT_H

#include <stdbool.h>
#include <stddef.h>

enum { PLOT_POINTS = 32, PLOT_CURVES = 4 };

typedef struct plot_curve {
    const char *name;
    double x[PLOT_POINTS], y[PLOT_POINTS];
    size_t count;
} plot_curve;

typedef struct plot {
    const char *title, *x_label, *y_label;
    bool log_x;
    plot_curve curves[PLOT_CURVES];
    size_t curve_count;
} plot;

/// False where the file can't be written whole.
bool plot_write(const plot *p, const char *path);

#endif
