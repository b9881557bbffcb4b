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

static void run_circle(validation *of) {
    static const double steps[] = {0.02, 0.1, 0.25};
    static const uint32_t large[] = {100, 250};
    for (int s = 0; s < 3; s++) {
        double worst = 0.0;
        char what[64];
        for (uint32_t n = 2; n <= 30; n++) worst = fmax(worst, circle_time(n, steps[s]));
        snprintf(what, sizeof what, "2 to 30 agents, steps of %g s: last arrival", steps[s]);
        validation_row(of, "circle", what, worst, -INFINITY, 2.0, "free times");
        for (int i = 0; i < 2; i++) {
            snprintf(what, sizeof what, "%u agents, steps of %g s: last arrival", large[i], steps[s]);
            validation_row(of, "circle", what, circle_time(large[i], steps[s]), -INFINITY, 2.0, "free times");
        }
    }
    validation_row(of, "circle", "1000 agents, steps of 0.1 s: last arrival", circle_time(1000, 0.1), -INFINITY, 3.0,
                   "free times");
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
    while (!t.failed && t.arrival[0] < 0.0 && trial_view(&t).time < 120.0) trial_step(&t, 0.1);
    if (t.failed) {
        validation_broken(of, "siege", "200 agents around one");
    } else {
        validation_row(of, "siege", "200 agents around one: it is out after",
                       t.arrival[0] < 0.0 ? INFINITY : t.arrival[0], 0.0, 60.0, "s");
    }
    trial_end(&t);
}

const validation_test validate_siege = {"siege", "one leaves through 200 that stand around it", run_siege};
