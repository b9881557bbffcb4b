// Validation of two-way traffic: a narrow door, a corridor between two rooms, lanes.
#include "program/validate.h"

#include <math.h>

/// A line to be crossed.
static throng_target across(double x, double free_half) {
    return (throng_target){.kind = THRONG_TARGET_SEGMENT, .x = x, .y = -free_half, .end_x = x, .end_y = free_half};
}

/// Two groups that change rooms through an opening of `width` and `length` at the origin. Returns when the last of the
/// first group, and of all, has arrived; infinite where some have not.
static bool exchange(uint32_t left, uint32_t right, double width, double length, uint64_t seed, double limit,
                     double *first_group, double *all) {
    const uint32_t count = left + right;
    const double half = 0.5 * length, size = 10.0;
    trial t = trial_begin(count, seed);
    trial_box(&t, -half, 0.5 * width, half, 0.5 * size + 1.0);
    trial_box(&t, -half, -0.5 * size - 1.0, half, -0.5 * width);
    trial_box(&t, -half - size - 1.0, 0.5 * size, half + size + 1.0, 0.5 * size + 1.0);
    trial_box(&t, -half - size - 1.0, -0.5 * size - 1.0, half + size + 1.0, -0.5 * size);
    trial_box(&t, -half - size - 1.0, -0.5 * size - 1.0, -half - size, 0.5 * size + 1.0);
    trial_box(&t, half + size, -0.5 * size - 1.0, half + size + 1.0, 0.5 * size + 1.0);
    trial_scatter(&t, 0, left, -half - size + 0.5, -4.5, -half - 1.0, 4.5, 0.52);
    trial_scatter(&t, left, count, half + 1.0, -4.5, half + size - 0.5, 4.5, 0.52);
    const double free_half = fmax(0.0, 0.5 * width - 0.3);
    for (uint32_t i = 0; !t.failed && i < count; i++) {
        const double sign = i < left ? 1.0 : -1.0;
        throng_target *end = &t.ways[i].targets[0];
        t.agents[i].obstacle_horizon = 0.5f;
        t.agents[i].target = across(sign * (half + 1.0), free_half);
        t.ways[i].count = 1;
        if (length > 1.0) {
            *end++ = t.agents[i].target;
            t.agents[i].target = across(-sign * half, free_half);
            t.ways[i].count = 2;
        }
        *end = (throng_target){
            .kind = THRONG_TARGET_POINT, .x = sign * (half + size - 1.0), .y = trial_random(&t, -4.0, 4.0)};
    }
    trial_start(&t);
    while (!t.failed && t.arrived < count && trial_view(&t).time < limit) trial_step(&t, 0.1);
    *first_group = *all = 0.0;
    for (uint32_t i = 0; !t.failed && i < count; i++) {
        const double time = t.arrival[i] < 0.0 ? INFINITY : t.arrival[i];
        if (i < left) *first_group = fmax(*first_group, time);
        *all = fmax(*all, time);
    }
    const bool done = !t.failed;
    trial_end(&t);
    return done;
}

static void run_counterflow(validation *of) {
    static const uint32_t sizes[] = {50, 100};
    for (int i = 0; i < 2; i++) {
        double worst = 0.0;
        char what[64];
        snprintf(what, sizeof what, "1.0 m, %u against %u: the last is through", sizes[i], sizes[i]);
        for (uint32_t seed = 1; seed <= of->seeds; seed++) {
            double first, all;
            validation_progress("counterflow", what, seed - 1, of->seeds);
            if (!exchange(sizes[i], sizes[i], 1.0, 0.2, seed, 600.0, &first, &all)) {
                validation_broken(of, "counterflow", what);
                return;
            }
            worst = fmax(worst, all);
        }
        validation_row(of, "counterflow", what, worst, 0.0, 600.0, "s");
    }
}

const validation_test validate_counterflow = {"counterflow", "two groups change rooms through 1.0 m", run_counterflow};

/// NIST Technical Note 1822, verification test 2.8.
static void run_corridor(validation *of) {
    static const uint32_t against[] = {0, 10, 50, 100};
    double before = 0.0, opposing[4], time[4];
    for (int i = 0; i < 4; i++) {
        double mean = 0.0, first, all;
        char what[64];
        snprintf(what, sizeof what, "100 against %u: all of the 100 are through", against[i]);
        for (uint32_t seed = 1; seed <= of->seeds; seed++) {
            validation_progress("corridor", what, seed - 1, of->seeds);
            if (!exchange(100, against[i], 2.0, 10.0, seed, 600.0, &first, &all)) {
                validation_broken(of, "corridor", what);
                return;
            }
            mean += fmax(first, all) / of->seeds;
        }
        validation_row(of, "corridor", what, mean, before, 600.0, "s");
        before = mean;
        opposing[i] = against[i];
        time[i] = mean;
    }
    const plot_series series = {"mean of the seeds", opposing, time, 4, false};
    validation_plot(of, "corridor", "people against 100", "all have arrived after, s", &series, 1);
}

const validation_test validate_corridor = {"corridor", "NIST TN 1822, 2.8: two-way traffic in a corridor",
                                           run_corridor};

// ---- lanes

enum { LANES_COUNT = 150 };
static const double lanes_length = 30.0, lanes_width = 5.0; // m: one person per square metre

/// Rex and Löwen's order parameter: how much of each row of the corridor belongs to one direction, 0..1, against a
/// mixture by chance.
static double lane_order(const trial *t) {
    enum { ROWS = 10 };
    double to_right[ROWS] = {0}, to_left[ROWS] = {0}, sum = 0.0;
    const throng_view view = trial_view(t);
    for (uint32_t row = 0; row < view.count; row++) {
        int at = (int)((view.y[row] / lanes_width + 0.5) * ROWS);
        at = at < 0 ? 0 : at >= ROWS ? ROWS - 1 : at;
        (trial_number(t, &view, row) % 2 ? to_right : to_left)[at] += 1.0;
    }
    for (uint32_t row = 0; row < view.count; row++) {
        int at = (int)((view.y[row] / lanes_width + 0.5) * ROWS);
        at = at < 0 ? 0 : at >= ROWS ? ROWS - 1 : at;
        const double part = (to_right[at] - to_left[at]) / (to_right[at] + to_left[at]);
        sum += part * part;
    }
    return sum / view.count;
}

/// A corridor whose ends are joined: who comes to an end is put to the other.
static void run_lanes(validation *of) {
    enum { STEPS = 600 };
    double worst = 1.0, time[STEPS], order[STEPS];
    for (uint32_t seed = 1; seed <= of->seeds; seed++) {
        validation_progress("lanes", "seeds", seed - 1, of->seeds);
        trial t = trial_begin(LANES_COUNT, seed);
        const double half = 0.5 * lanes_length, side = 0.5 * lanes_width;
        trial_box(&t, -half - 50.0, side, half + 50.0, side + 1.0);
        trial_box(&t, -half - 50.0, -side - 1.0, half + 50.0, -side);
        trial_scatter(&t, 0, LANES_COUNT, -half, -side + 0.3, half, side - 0.3, 0.52);
        for (uint32_t i = 0; !t.failed && i < LANES_COUNT; i++) {
            const double x = (half + 40.0) * (i % 2 ? 1.0 : -1.0);
            t.agents[i].target = (throng_target){
                .kind = THRONG_TARGET_SEGMENT, .x = x, .y = -side + 0.3, .end_x = x, .end_y = side - 0.3};
        }
        trial_start(&t);
        double best = 0.0;
        for (int step = 0; !t.failed && step < STEPS; step++) {
            trial_step(&t, 0.1);
            const throng_view view = trial_view(&t);
            for (uint32_t i = 0; !t.failed && i < LANES_COUNT; i++) {
                uint32_t row;
                if (throng_agent_row(t.world, t.ids[i], &row) != THRONG_OK) continue;
                double place[2] = {view.x[row], view.y[row]};
                if (i % 2 ? place[0] <= half : place[0] >= -half) continue;
                place[0] += i % 2 ? -lanes_length : lanes_length;
                t.failed = throng_agents_write(t.world, THRONG_FIELD_POSITION, &t.ids[i], 1, place) != THRONG_OK;
            }
            time[step] = view.time;
            order[step] = lane_order(&t);
            best = fmax(best, order[step]);
        }
        if (t.failed) validation_broken(of, "lanes", "5 m wide, 1 per square metre");
        worst = fmin(worst, best);
        trial_end(&t);
    }
    validation_row(of, "lanes", "5 m wide, 1 per square metre: order in 60 s", worst, 0.8, 1.0, "");
    const plot_series series = {"one of the seeds", time, order, STEPS, true};
    validation_plot(of, "lanes", "time, s", "order", &series, 1);
}

const validation_test validate_lanes = {"lanes", "lanes form in a two-way corridor", run_lanes};
