#include "plot.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 720, HEIGHT = 440, LEFT = 80, RIGHT = 150, TOP = 50, BOTTOM = 60 };

typedef struct frame {
    double x0, x1, y1; // data at the left, right and top; the bottom is 0
    bool log_x;
} frame;

static double scale_x(const frame *f, double x) {
    const double at = f->log_x ? log10(x) : x, a = f->log_x ? log10(f->x0) : f->x0, b = f->log_x ? log10(f->x1) : f->x1;
    return LEFT + (b > a ? (at - a) / (b - a) : 0.5) * (WIDTH - LEFT - RIGHT);
}

static double scale_y(const frame *f, double y) {
    return HEIGHT - BOTTOM - y / f->y1 * (HEIGHT - TOP - BOTTOM);
}

/// 1, 2 or 5 times a power of ten: a round distance between about five lines up to `top`.
static double round_step(double top) {
    const double base = pow(10.0, floor(log10(top / 5.0)));
    const double parts = top / 5.0 / base;
    return base * (parts < 1.5 ? 1.0 : parts < 3.5 ? 2.0 : parts < 7.5 ? 5.0 : 10.0);
}

static frame frame_of(const plot *p) {
    frame f = {.x0 = INFINITY, .x1 = -INFINITY, .y1 = 0.0, .log_x = p->log_x};
    for (size_t c = 0; c < p->curve_count; c++) {
        for (size_t i = 0; i < p->curves[c].count; i++) {
            f.x0 = fmin(f.x0, p->curves[c].x[i]);
            f.x1 = fmax(f.x1, p->curves[c].x[i]);
            f.y1 = fmax(f.y1, p->curves[c].y[i]);
        }
    }
    const double step = f.y1 > 0.0 ? round_step(f.y1) : 1.0;
    f.y1 = step * ceil(1.05 * f.y1 / step);
    return f;
}

static void write_axes(FILE *file, const plot *p, const frame *f) {
    fprintf(file, "<text x=\"%d\" y=\"28\" font-size=\"17\" font-weight=\"bold\">%s</text>\n", LEFT, p->title);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16,
            p->x_label);
    fprintf(file, "<text transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2, p->y_label);
    const double step = round_step(f->y1);
    for (double y = 0.0; y <= f->y1 * 1.0001; y += step) {
        fprintf(file, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT, WIDTH - RIGHT,
                scale_y(f, y), scale_y(f, y));
        fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 8, scale_y(f, y) + 4, y);
    }
    const plot_curve *first = &p->curves[0];
    for (size_t i = 0; i < first->count; i++) {
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", scale_x(f, first->x[i]),
                HEIGHT - BOTTOM + 20, first->x[i]);
    }
}

static void write_curve(FILE *file, const plot_curve *curve, const frame *f, size_t number) {
    static const char *const colors[PLOT_CURVES] = {"#1b6ca8", "#d1495b", "#3a7d44", "#7a5195"};
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colors[number]);
    for (size_t i = 0; i < curve->count; i++)
        fprintf(file, "%.1f,%.1f ", scale_x(f, curve->x[i]), scale_y(f, curve->y[i]));
    fprintf(file, "\"/>\n");
    for (size_t i = 0; i < curve->count; i++) {
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", scale_x(f, curve->x[i]),
                scale_y(f, curve->y[i]), colors[number]);
    }
    fprintf(file, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", WIDTH - RIGHT + 12, TOP + 20 + 20 * (int)number,
            colors[number], curve->name);
}

bool plot_write(const plot *p, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    const frame f = frame_of(p);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT);
    write_axes(file, p, &f);
    for (size_t c = 0; c < p->curve_count; c++) write_curve(file, &p->curves[c], &f, c);
    fprintf(file, "</svg>\n");
    const bool whole = !ferror(file);
    return fclose(file) == 0 && whole;
}
