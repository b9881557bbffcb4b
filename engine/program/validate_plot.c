// Plots of validation tests as SVG: axes from zero, lines and points.
#include "program/validate.h"

#include <math.h>

enum { WIDTH = 640, HEIGHT = 420, LEFT = 70, BOTTOM = 60, TOP = 20, RIGHT = 20 };

static const char *const colors[] = {"#1f5fa8", "#c8502d", "#2e8b57", "#7a4fa3"};

/// 1, 2 or 5 times a power of ten: about five steps up to `most`.
static double tick_step(double most) {
    const double raw = most / 5.0, power = pow(10.0, floor(log10(raw)));
    const double part = raw / power;
    return (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0) * power;
}

typedef struct scale {
    double x_most, y_most;
} scale;

static double to_x(const scale *s, double x) {
    return LEFT + (WIDTH - LEFT - RIGHT) * x / s->x_most;
}

static double to_y(const scale *s, double y) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * y / s->y_most;
}

/// An infinite time has no place on paper: the table tells it.
static bool has_place(const plot_series *of, uint32_t point) {
    return isfinite(of->x[point]) && isfinite(of->y[point]);
}

static scale scale_of(const plot_series *series, uint32_t count) {
    scale s = {1e-9, 1e-9};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < series[i].count; j++) {
            if (!has_place(&series[i], j)) continue;
            s.x_most = fmax(s.x_most, 1.05 * series[i].x[j]);
            s.y_most = fmax(s.y_most, 1.1 * series[i].y[j]);
        }
    }
    return s;
}

static void write_axes(FILE *file, const scale *s, const char *x_title, const char *y_title) {
    fprintf(file, "<path d='M%d %d V%d H%d' fill='none' stroke='black'/>\n", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
    for (double x = 0.0, step = tick_step(s->x_most); x <= s->x_most; x += step) {
        fprintf(file, "<text x='%.1f' y='%d' text-anchor='middle'>%g</text>\n", to_x(s, x), HEIGHT - BOTTOM + 18, x);
    }
    for (double y = 0.0, step = tick_step(s->y_most); y <= s->y_most; y += step) {
        fprintf(file, "<text x='%d' y='%.1f' text-anchor='end'>%g</text>\n", LEFT - 8, to_y(s, y) + 4, y);
    }
    fprintf(file, "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16,
            x_title);
    fprintf(file, "<text transform='translate(18 %d) rotate(-90)' text-anchor='middle'>%s</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2, y_title);
}

static void write_series(FILE *file, const scale *s, const plot_series *of, uint32_t number) {
    const char *color = colors[number % (sizeof colors / sizeof colors[0])];
    if (of->line) {
        fprintf(file, "<polyline fill='none' stroke='%s' points='", color);
        for (uint32_t i = 0; i < of->count; i++) {
            if (has_place(of, i)) fprintf(file, "%.1f,%.1f ", to_x(s, of->x[i]), to_y(s, of->y[i]));
        }
        fprintf(file, "'/>\n");
    }
    for (uint32_t i = 0; !of->line && i < of->count; i++) {
        if (!has_place(of, i)) continue;
        fprintf(file, "<circle cx='%.1f' cy='%.1f' r='4' fill='%s'/>\n", to_x(s, of->x[i]), to_y(s, of->y[i]), color);
    }
    fprintf(file, "<text x='%d' y='%d' text-anchor='end' fill='%s'>%s</text>\n", WIDTH - RIGHT - 4,
            TOP + 16 + 18 * (int)number, color, of->name);
}

void validation_plot(validation *of, const char *name, const char *x_title, const char *y_title,
                     const plot_series *series, uint32_t count) {
    if (!of->folder) return;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.svg", of->folder, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "throng: %s can't be written\n", path);
        return;
    }
    const scale s = scale_of(series, count);
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='13'>\n",
            WIDTH, HEIGHT);
    fprintf(file, "<rect width='100%%' height='100%%' fill='white'/>\n");
    write_axes(file, &s, x_title, y_title);
    for (uint32_t i = 0; i < count; i++) write_series(file, &s, &series[i], i);
    fprintf(file, "</svg>\n");
    if (fclose(file) != 0) fprintf(stderr, "throng: %s can't be written\n", path);
}
