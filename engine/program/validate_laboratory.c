// Validation against people: the start places of a laboratory experiment, and when they passed its opening.
#include "program/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The experiment of the Pedestrian Dynamics Data Archive (Forschungszentrum Jülich) that the file holds: people walk
// from a corridor 5.6 m wide towards smaller y through an opening of 0.5 m, at y = 0 around x = 0. By the trajectories
// the opening is about 0.8 m long.
static const char *const beside = "../shared/data/bottleneck-experiment-040_c_56_h.txt";
static const double corridor = 5.6, opening = 0.5, opening_length = 0.8; // m
static const double frame_rate = 25.0;                                   // 1/s
static const double measured_flow = 1.16;                                // 1/s, between 20 % and 80 % of the people

enum { MOST_PEOPLE = 1000 };

typedef struct experiment {
    uint32_t count;
    long id[MOST_PEOPLE];
    double start[MOST_PEOPLE][2]; ///< m
    double passed[MOST_PEOPLE];   ///< s, y = 0; infinite: not
} experiment;

static int ascending(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/// Lines "id frame x y z", frames of a person ascending. False where it is no such file.
static bool read_experiment(FILE *file, experiment *of) {
    char line[256];
    of->count = 0;
    while (fgets(line, sizeof line, file)) {
        long id, frame;
        double x, y;
        if (line[0] == '#' || line[0] == '\n') continue;
        if (sscanf(line, "%ld %ld %lf %lf", &id, &frame, &x, &y) != 4) return false;
        uint32_t at = of->count;
        for (uint32_t i = 0; i < of->count && at == of->count; i++) {
            if (of->id[i] == id) at = i;
        }
        if (at == of->count) {
            if (of->count == MOST_PEOPLE) return false;
            of->id[at] = id;
            of->start[at][0] = x;
            of->start[at][1] = y;
            of->passed[at] = INFINITY;
            of->count++;
        }
        if (y < 0.0 && !(of->passed[at] < INFINITY)) of->passed[at] = (double)frame / frame_rate;
    }
    return of->count >= 5 && !ferror(file);
}

/// Start places are off by up to 1 cm, another way for every seed: the flow of a single run is chance by a fifth.
static trial walk_of(const experiment *of, uint64_t seed) {
    const float radius = 0.18f; // m, a disc as large as a body seen from above, 0.46 m by 0.28 m
    const double half = 0.5 * opening, side = 0.5 * corridor, free_half = half - (double)radius;
    double deep = 0.0;
    trial t = trial_begin(of->count, seed);
    for (uint32_t i = 0; !t.failed && i < of->count; i++) {
        throng_agent_def *a = &t.agents[i];
        a->position[0] = of->start[i][0] + trial_random(&t, -0.01, 0.01);
        a->position[1] = of->start[i][1] + trial_random(&t, -0.01, 0.01);
        deep = fmax(deep, a->position[1]);
        a->radius = radius;
        a->density_response = THRONG_DENSITY_WEIDMANN;
        a->max_neighbors = 16;
        a->time_horizon = 1.0f; // they stand an arm's length apart from the start
        a->obstacle_horizon = 0.5f;
        a->goal_radius = 0.3f;
        a->target = (throng_target){
            .kind = THRONG_TARGET_SEGMENT, .x = -free_half, .y = -0.3, .end_x = free_half, .end_y = -0.3};
        t.ways[i].targets[0] = (throng_target){.kind = THRONG_TARGET_POINT, .x = a->position[0], .y = -8.0};
        t.ways[i].count = 1;
    }
    trial_box(&t, half, -opening_length, side + 1.0, 0.0);
    trial_box(&t, -side - 1.0, -opening_length, -half, 0.0);
    trial_box(&t, side, 0.0, side + 1.0, deep + 2.0);
    trial_box(&t, -side - 1.0, 0.0, -side, deep + 2.0);
    trial_start(&t);
    return t;
}

/// When each passes y = 0, in order; infinite for those who do not within 300 s.
static bool pass(const experiment *of, uint64_t seed, double *passed) {
    trial t = walk_of(of, seed);
    uint32_t through = 0;
    for (uint32_t i = 0; i < of->count; i++) passed[i] = INFINITY;
    while (!t.failed && through < of->count && trial_view(&t).time < 300.0) {
        trial_step(&t, 0.05);
        const throng_view view = trial_view(&t);
        for (uint32_t row = 0; row < view.count; row++) {
            double *time = &passed[trial_number(&t, &view, row)];
            if (view.y[row] >= 0.0 || *time < INFINITY) continue;
            *time = view.time;
            through++;
        }
    }
    const bool done = !t.failed;
    trial_end(&t);
    qsort(passed, of->count, sizeof *passed, ascending);
    return done;
}

/// People a second between 20 % and 80 % of them; `passed` ascends.
static double mean_flow(const double *passed, uint32_t count) {
    const uint32_t from = count / 5, to = count - count / 5;
    return (to - from) / (passed[to - 1] - passed[from - 1]);
}

static void plot(validation *of, const experiment *people, const double *passed) {
    static double number[MOST_PEOPLE];
    uint32_t through = 0;
    for (uint32_t i = 0; i < people->count; i++) number[i] = i + 1;
    while (through < people->count && passed[through] < INFINITY) through++;
    const plot_series series[] = {{"measured", people->passed, number, people->count, true},
                                  {"simulated", passed, number, through, true}};
    validation_plot(of, "laboratory", "time, s", "people through the opening", series, 2);
}

static void run_laboratory(validation *of) {
    static const char what[] = "0.5 m: flow between 20 % and 80 %";
    static experiment people;
    static double passed[MOST_PEOPLE];
    const char *path = of->laboratory ? of->laboratory : beside;
    FILE *file = fopen(path, "r");
    if (!file) {
        validation_skipped(of, "laboratory", what, of->laboratory ? path : "give the trajectories by --laboratory");
        return;
    }
    const bool read = read_experiment(file, &people);
    fclose(file);
    if (!read) {
        validation_skipped(of, "laboratory", what, "the file holds no trajectories");
        return;
    }
    double flow = 0.0;
    for (uint32_t seed = of->seeds; seed > 0; seed--) {
        validation_progress("laboratory", "runs", of->seeds - seed, of->seeds);
        if (!pass(&people, seed, passed)) {
            validation_broken(of, "laboratory", what);
            return;
        }
        flow += mean_flow(passed, people.count) / of->seeds;
    }
    validation_row(of, "laboratory", what, flow, 0.75 * measured_flow, 1.25 * measured_flow, "1/s");
    qsort(people.passed, people.count, sizeof *people.passed, ascending);
    plot(of, &people, passed);
}

const validation_test validate_laboratory = {"laboratory", "75 people of an experiment pass an opening of 0.5 m",
                                             run_laboratory};
