// Validation of doors: a room that empties through one, and its specific flow.
#include "program/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double wall = 0.2; // m, thickness

enum { PEOPLE = 200 };

typedef struct emptying {
    double time;        ///< s, until everybody has passed; infinite: not all
    double stall;       ///< s, longest without anybody passing, until the last
    double flow;        ///< people per second between 20 % and 80 %
    double out[PEOPLE]; ///< s, when they passed, in order
    uint32_t out_count;
    bool failed;
} emptying;

static int ascending(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static trial room(uint32_t count, double width, uint64_t seed, uint32_t density_response) {
    trial t = trial_begin(count, seed);
    const double deep = fmax(6.0, sqrt(count / 2.0)), high = 0.5 * deep;
    trial_box(&t, 0.0, 0.5 * width, wall, high + 3.0);
    trial_box(&t, 0.0, -high - 3.0, wall, -0.5 * width);
    trial_box(&t, -deep - 3.0, high + 2.0, wall, high + 3.0);
    trial_box(&t, -deep - 3.0, -high - 3.0, wall, -high - 2.0);
    for (uint32_t i = 0; !t.failed && i < count; i++) {
        t.agents[i].obstacle_horizon = 0.5f;
        t.agents[i].density_response = density_response;
        if (density_response) t.agents[i].max_neighbors = 16;
        // The nearest place of the opening, behind it so that nobody stops within.
        const double free_half = fmax(0.0, 0.5 * width - t.agents[i].radius), x = wall + 0.3;
        t.agents[i].goal_radius = 0.3f;
        t.agents[i].target =
            (throng_target){.kind = THRONG_TARGET_SEGMENT, .x = x, .y = -free_half, .end_x = x, .end_y = free_half};
    }
    trial_scatter(&t, 0, count, -1.0 - deep, -high, -1.0, high, 0.52);
    for (uint32_t i = 0; !t.failed && i < count; i++) {
        t.ways[i].targets[0] = (throng_target){.kind = THRONG_TARGET_POINT, .x = 8.0, .y = trial_random(&t, -6.0, 6.0)};
        t.ways[i].count = 1;
    }
    trial_start(&t);
    return t;
}

static emptying empty(double width, double time_step, uint64_t seed, uint32_t density_response) {
    const uint32_t count = PEOPLE;
    trial t = room(count, width, seed, density_response);
    const double limit = 20.0 * count / width;
    while (!t.failed && t.arrived < count && trial_view(&t).time < fmin(limit, 1000.0)) trial_step(&t, time_step);
    emptying result = {.time = INFINITY, .failed = t.failed, .out_count = t.arrived};
    if (!t.failed) {
        qsort(t.arrival, count, sizeof *t.arrival, ascending);
        if (t.arrived == count) result.time = t.arrival[count - 1];
        // Who has not passed comes first.
        for (uint32_t i = 0; i < t.arrived; i++) result.out[i] = t.arrival[count - t.arrived + i];
        for (uint32_t i = count - t.arrived + 1; i < count; i++) {
            result.stall = fmax(result.stall, t.arrival[i] - t.arrival[i - 1]);
        }
        const uint32_t from = count / 5, to = count - count / 5;
        if (t.arrived == count) result.flow = (to - from) / (t.arrival[to - 1] - t.arrival[from - 1]);
    }
    trial_end(&t);
    return result;
}

static void run_door(validation *of) {
    double time = 0.0, stall = 0.0;
    for (uint32_t seed = 1; seed <= of->seeds; seed++) {
        validation_progress("door", "seeds", seed - 1, of->seeds);
        const emptying e = empty(0.8, 0.1, seed, THRONG_DENSITY_NONE);
        if (e.failed) {
            validation_broken(of, "door", "200 agents");
            return;
        }
        time = fmax(time, e.time);
        stall = fmax(stall, e.stall);
    }
    validation_row(of, "door", "0.8 m, 200 agents: the last is out after", time, 0.0, 400.0, "s");
    validation_row(of, "door", "0.8 m, 200 agents: longest stall", stall, 0.0, 5.0, "s");
}

const validation_test validate_door = {"door", "200 agents leave through 0.8 m", run_door};

static void run_door_step(validation *of) {
    double coarse = 0.0, fine = 0.0, number[PEOPLE];
    emptying first[2] = {0};
    for (uint32_t seed = 1; seed <= of->seeds; seed++) {
        validation_progress("door-step", "seeds", seed - 1, of->seeds);
        const emptying e[2] = {empty(0.8, 0.1, seed, THRONG_DENSITY_NONE), empty(0.8, 0.05, seed, THRONG_DENSITY_NONE)};
        if (e[0].failed || e[1].failed) {
            validation_broken(of, "door-step", "200 agents");
            return;
        }
        coarse += e[0].time;
        fine += e[1].time;
        if (seed == 1) memcpy(first, e, sizeof first);
    }
    validation_row(of, "door-step", "0.8 m: time at steps of 0.05 s against 0.1 s", fine / coarse, 0.9, 1.1, "");
    for (int i = 0; i < PEOPLE; i++) number[i] = i + 1;
    const plot_series series[] = {{"steps of 0.1 s", first[0].out, number, first[0].out_count, true},
                                  {"0.05 s", first[1].out, number, first[1].out_count, true}};
    validation_plot(of, "door", "time, s", "people through the door", series, 2);
}

const validation_test validate_door_step = {"door-step", "the emptying time and the time step", run_door_step};

/// R² of the least-squares line.
static double linearity(const double *x, const double *y, int count) {
    double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    for (int i = 0; i < count; i++) {
        mx += x[i] / count;
        my += y[i] / count;
    }
    for (int i = 0; i < count; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
        yy += (y[i] - my) * (y[i] - my);
    }
    return xy * xy / (xx * yy);
}

static void run_door_width(validation *of) {
    enum { WIDTHS = 8 };
    double width[WIDTHS], flow[WIDTHS];
    for (int i = 0; i < WIDTHS; i++) {
        width[i] = 1.0 + 0.2 * i;
        flow[i] = 0.0;
        for (uint32_t seed = 1; seed <= of->seeds; seed++) {
            validation_progress("door-width", "runs", (uint32_t)i * of->seeds + seed - 1, WIDTHS * of->seeds);
            const emptying e = empty(width[i], 0.1, seed, THRONG_DENSITY_WEIDMANN);
            if (e.failed) {
                validation_broken(of, "door-width", "200 agents");
                return;
            }
            flow[i] += e.flow / of->seeds;
        }
        char what[64];
        snprintf(what, sizeof what, "%.1f m, with density response: flow", width[i]);
        validation_row(of, "door-width", what, flow[i] / width[i], 1.3, 2.5, "1/(m s)");
    }
    validation_row(of, "door-width", "flow over width: R² of a line", linearity(width, flow, WIDTHS), 0.95, 1.0, "");
    const plot_series series = {"simulated", width, flow, WIDTHS, false};
    validation_plot(of, "door-width", "width of the door, m", "people per second", &series, 1);
}

const validation_test validate_door_width = {"door-width", "flow through doors of 1.0 to 2.4 m", run_door_width};
