// Validation on open ground: circles whose agents change places, and one agent besieged by a ring.
#include "program/validate.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/// Agents as in RVO2's circle: everybody walks to the opposite point.
static trial circle(uint32_t count, double radius) {
    trial t = trial_begin(count, 1);
    for (uint32_t i = 0; !t.failed && i < count; i++) {
        const double angle = 2.0 * pi * i / count, x = radius * cos(angle), y = radius * sin(angle);
        throng_agent_def *a = &t.agents[i];
        a->radius = 0.5f;
        a->preferred_speed = 1.0f;
        a->max_speed = 1.5f;
        a->neighbor_range = 15.0f;
        a->time_horizon = 5.0f;
        a->obstacle_horizon = 5.0f;
        a->position[0] = x;
        a->position[1] = y;
        a->target = (throng_target){.kind = THRONG_TARGET_POINT, .x = -x, .y = -y};
    }
    trial_start(&t);
    return t;
}

/// The last arrival as a multiple of the free time; infinite where somebody has not arrived after three times it.
static double circle_time(uint32_t count, double time_step) {
    const double radius = fmax(10.0, count * 2.5 / (2.0 * pi)), free_time = 2.0 * radius / 1.0;
    trial t = circle(count, radius);
    double last = 0.0;
    while (!t.failed && t.arrived < count && trial_view(&t).time < 3.0 * free_time) trial_step(&t, time_step);
    for (uint32_t i = 0; !t.failed && i < count; i++) last = fmax(last, t.arrival[i] < 0.0 ? INFINITY : t.arrival[i]);
    const double result = t.failed ? NAN : last / free_time;
    trial_end(&t);
    return result;
}

enum { CIRCLES = 31, CIRCLE_STEPS = 3 };

/// n = 2 to 30, 100 and 250.
static uint32_t circle_count(int which) {
    return which < 29 ? (uint32_t)which + 2 : which == 29 ? 100 : 250;
}

static void run_circle(validation *of) {
    static const double steps[CIRCLE_STEPS] = {0.02, 0.1, 0.25};
    static const char *const names[CIRCLE_STEPS] = {"steps of 0.02 s", "0.1 s", "0.25 s"};
    double count[CIRCLES], last[CIRCLE_STEPS][CIRCLES];
    char what[64];
    for (int s = 0; s < CIRCLE_STEPS; s++) {
        double worst = 0.0;
        for (int i = 0; i < CIRCLES; i++) {
            validation_progress("circle", names[s], (uint32_t)i, CIRCLES);
            count[i] = circle_count(i);
            last[s][i] = circle_time(circle_count(i), steps[s]);
            if (i < 29) worst = fmax(worst, last[s][i]);
        }
        snprintf(what, sizeof what, "2 to 30 agents, steps of %g s: last arrival", steps[s]);
        validation_row(of, "circle", what, worst, -INFINITY, 2.0, "free times");
        for (int i = 29; i < CIRCLES; i++) {
            snprintf(what, sizeof what, "%u agents, steps of %g s: last arrival", circle_count(i), steps[s]);
            validation_row(of, "circle", what, last[s][i], -INFINITY, 2.0, "free times");
        }
    }
    validation_progress("circle", "1000 agents", 0, 1);
    validation_row(of, "circle", "1000 agents, steps of 0.1 s: last arrival", circle_time(1000, 0.1), -INFINITY, 3.0,
                   "free times");
    plot_series series[CIRCLE_STEPS];
    for (int s = 0; s < CIRCLE_STEPS; s++) {
        series[s] = (plot_series){.name = names[s], .x = count, .y = last[s], .count = CIRCLES, .line = false};
    }
    validation_plot(of, "circle", "agents on the circle", "last arrival, free times", series, CIRCLE_STEPS);
}

const validation_test validate_circle = {"circle", "agents on a circle walk to the opposite point", run_circle};

/// Rings of agents around one that must leave through them; they stay where they are.
static void run_siege(validation *of) {
    enum { RING = 200, COUNT = RING + 1 };
    trial t = trial_begin(COUNT, 1);
    uint32_t placed = 1;
    for (double radius = 1.0; !t.failed && placed < COUNT; radius += 0.6) {
        const uint32_t fit = (uint32_t)(2.0 * pi * radius / 0.6);
        for (uint32_t i = 0; i < fit && placed < COUNT; i++, placed++) {
            const double angle = 2.0 * pi * i / fit;
            throng_agent_def *a = &t.agents[placed];
            a->position[0] = radius * cos(angle);
            a->position[1] = radius * sin(angle);
            a->target = (throng_target){.kind = THRONG_TARGET_POINT, .x = a->position[0], .y = a->position[1]};
        }
    }
    if (!t.failed) t.agents[0].target = (throng_target){.kind = THRONG_TARGET_POINT, .x = 15.0};
    trial_start(&t);
    enum { LIMIT = 1200 };
    double time[LIMIT], distance[LIMIT];
    uint32_t steps = 0;
    while (!t.failed && t.arrival[0] < 0.0 && steps < LIMIT) {
        trial_step(&t, 0.1);
        double place[2] = {0.0, 0.0};
        t.failed = t.failed || throng_agents_read(t.world, THRONG_FIELD_POSITION, &t.ids[0], 1, place) != THRONG_OK;
        time[steps] = trial_view(&t).time;
        distance[steps++] = hypot(place[0], place[1]);
    }
    const plot_series series = {"the one within", time, distance, steps, true};
    if (t.failed) {
        validation_broken(of, "siege", "200 agents around one");
    } else {
        validation_row(of, "siege", "200 agents around one: it is out after",
                       t.arrival[0] < 0.0 ? INFINITY : t.arrival[0], 0.0, 60.0, "s");
        validation_plot(of, "siege", "time, s", "way made, m", &series, 1);
    }
    trial_end(&t);
}

const validation_test validate_siege = {"siege", "one leaves through 200 that stand around it", run_siege};
