#include "program/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double progress_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

progress progress_start(bool quiet) {
    double now = progress_seconds();
    return (progress){.shown = !quiet && isatty(STDERR_FILENO), .started = now, .drawn = now};
}

void progress_update(progress *bar, uint64_t step, uint64_t steps, uint32_t agents, double time) {
    enum { WIDTH = 24 };
    double now = bar->shown ? progress_seconds() : 0.0;
    if (!bar->shown || now - bar->drawn < 0.1) return;
    bar->drawn = now;
    double spent = now - bar->started, part = steps > 0 ? (double)step / (double)steps : 1.0;
    uint64_t left = part > 0.0 ? (uint64_t)(spent / part - spent + 0.5) : 0;
    char cells[WIDTH + 1] = {0};
    memset(cells, '.', WIDTH);
    memset(cells, '#', (size_t)(part * WIDTH));
    fprintf(stderr,
            "\r[%s] step %" PRIu64 "/%" PRIu64 "  %u agents  %.1fx real time  %" PRIu64 ":%02" PRIu64 " left\033[K",
            cells, step, steps, agents, time / spent, left / 60, left % 60);
    fflush(stderr);
}

void progress_end(progress *bar) {
    if (bar->shown) fprintf(stderr, "\r\033[K");
    bar->shown = false;
}
