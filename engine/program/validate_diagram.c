// Validation of speed against density: an oval corridor walked for ever, one way and both ways, measured on its
// straights, against Weidmann's diagram.
#include "program/validate.h"

#include <math.h>
#include <stdlib.h>

// The oval: two straights along x at y = +-(inner + width/2), joined by half rings around (+-straight/2, 0).
static const double straight = 16.0, inner = 3.0, width = 3.0; // m
static const double pi = 3.14159265358979323846;

static double weidmann(double density) {
    return 1.34 * (1.0 - exp(-1.913 * (1.0 / density - 1.0 / 5.4)));
}

/// The unit direction counterclockwise along the oval at a place.
static void along(const double place[2], double direction[2]) {
    const double half = 0.5 * straight;
    if (fabs(place[0]) <= half) {
        direction[0] = place[1] > 0.0 ? -1.0 : 1.0;
        direction[1] = 0.0;
        return;
    }
    const double x = place[0] - copysign(half, place[0]), y = place[1], r = hypot(x, y);
    direction[0] = -y / r;
    direction[1] = x / r;
}

/// A ring of points: the oval at a distance from the straights' line.
static void oval_wall(trial *t, throng_wall_kind kind, double radius) {
    enum { ARC = 24 };
    double points[4 * (ARC + 1)];
    for (int i = 0; i <= ARC; i++) {
        const double angle = pi * i / ARC;
        points[2 * i] = 0.5 * straight + radius * sin(angle);
        points[2 * i + 1] = -radius * cos(angle);
        points[2 * (ARC + 1 + i)] = -0.5 * straight - radius * sin(angle);
        points[2 * (ARC + 1 + i) + 1] = radius * cos(angle);
    }
    trial_wall(t, kind, points, 2 * (ARC + 1));
}

/// A point at an arc length of the oval's lane of a radius.
static void on_oval(double radius, double s, double place[2]) {
    const double arc = pi * radius, half = 0.5 * straight;
    s = fmod(s, 2.0 * (straight + arc));
    if (s < straight) {
        place[0] = s - half;
        place[1] = -radius;
    } else if (s < straight + arc) {
        const double angle = (s - straight) / radius;
        place[0] = half + radius * sin(angle);
        place[1] = -radius * cos(angle);
    } else if (s < 2.0 * straight + arc) {
        place[0] = half - (s - straight - arc);
        place[1] = radius;
    } else {
        const double angle = (s - 2.0 * straight - arc) / radius;
        place[0] = -half - radius * sin(angle);
        place[1] = radius * cos(angle);
    }
}

typedef struct measurement {
    double density, speed;
    bool failed;
} measurement;

/// The mean density (1/m²) and speed (m/s, in the wished direction) on the straights after the start has been
/// forgotten.
static measurement walk(double density, bool two_way, double time_step) {
    const double area = 2.0 * straight * width + pi * (pow(inner + width, 2) - pow(inner, 2));
    const uint32_t count = (uint32_t)(density * area + 0.5);
    const float radius = 0.2f;
    trial t = trial_begin(count, 1);
    oval_wall(&t, THRONG_WALL_SOLID, inner);
    oval_wall(&t, THRONG_WALL_ENCLOSURE, inner + width);
    // A lattice: as many rows as make the spacing along and across about equal.
    const int rows = (int)fmax(1.0, floor((width - 2.0 * radius) * sqrt(density) + 1.0));
    double length = 0.0, radii[64];
    for (int r = 0; r < rows; r++) {
        radii[r] = inner + radius + 0.01 + (rows == 1 ? 0.5 : (double)r / (rows - 1)) * (width - 2.0 * radius - 0.02);
        length += 2.0 * (straight + pi * radii[r]);
    }
    uint32_t placed = 0;
    for (int r = 0; !t.failed && r < rows; r++) {
        const double round = 2.0 * (straight + pi * radii[r]);
        const uint32_t end = r + 1 == rows ? count : placed + (uint32_t)(count * round / length + 0.5);
        const uint32_t here = end > count ? count - placed : end - placed;
        for (uint32_t i = 0; i < here; i++)
            on_oval(radii[r], round * (i + 0.5 * (r % 2)) / here, t.agents[placed++].position);
    }
    double *targets = NULL;
    for (uint32_t i = 0; !t.failed && i < count; i++) {
        throng_agent_def *a = &t.agents[i];
        a->radius = radius;
        a->preferred_speed = 1.34f;
        a->max_speed = 1.8f;
        a->max_neighbors = 16;
        a->density_response = THRONG_DENSITY_WEIDMANN;
        a->goal_radius = 0.0f;
        a->target.kind = THRONG_TARGET_POINT;
    }
    trial_start(&t);
    measurement m = {.failed = t.failed};
    const double settle = 40.0, end = 80.0;
    double people = 0.0, speed = 0.0, frames = 0.0;
    if (!t.failed) targets = calloc(2 * (size_t)trial_view(&t).index_limit, sizeof *targets);
    const throng_inputs inputs = {.struct_size = sizeof inputs, .target = targets};
    m.failed = m.failed || !targets || throng_world_bind_inputs(t.world, &inputs) != THRONG_OK;
    while (!m.failed && trial_view(&t).time < end) {
        throng_view view = trial_view(&t);
        for (uint32_t row = 0; row < view.count; row++) {
            const double place[2] = {view.x[row], view.y[row]};
            const double sign = two_way && trial_number(&t, &view, row) % 2 ? -1.0 : 1.0;
            double direction[2];
            along(place, direction);
            targets[2 * view.ids[row].index] = place[0] + 3.0 * sign * direction[0];
            targets[2 * view.ids[row].index + 1] = place[1] + 3.0 * sign * direction[1];
        }
        trial_step(&t, time_step);
        m.failed = t.failed;
        view = trial_view(&t);
        if (view.time < settle) continue;
        frames += 1.0;
        for (uint32_t row = 0; row < view.count; row++) {
            if (fabs(view.x[row]) > 0.5 * straight) continue;
            const double place[2] = {view.x[row], view.y[row]};
            const double sign = two_way && trial_number(&t, &view, row) % 2 ? -1.0 : 1.0;
            double direction[2];
            along(place, direction);
            people += 1.0;
            speed += sign * (view.velocity_x[row] * direction[0] + view.velocity_y[row] * direction[1]);
        }
    }
    m.density = people / (frames * 2.0 * straight * width);
    m.speed = people > 0.0 ? speed / people : NAN;
    trial_end(&t);
    free(targets);
    return m;
}

enum { DENSITIES = 8, CURVE = 50 };

/// The speed at a density by the measured ones, whose densities ascend: straight lines, the outer ones go on.
static double speed_at(const double *density, const double *speed, double at) {
    int i = 1;
    while (i < DENSITIES - 1 && density[i] < at) i++;
    const double part = (at - density[i - 1]) / (density[i] - density[i - 1]);
    return speed[i - 1] + part * (speed[i] - speed[i - 1]);
}

static bool walk_all(validation *of, bool two_way, double *density, double *speed) {
    for (int i = 0; i < DENSITIES; i++) {
        const double wanted = 0.5 * (i + 1);
        validation_progress("diagram", two_way ? "two-way" : "one-way", (uint32_t)i, DENSITIES);
        const measurement m = walk(wanted, two_way, 0.1);
        if (m.failed) {
            validation_broken(of, "diagram", two_way ? "two-way" : "one-way");
            return false;
        }
        density[i] = m.density;
        speed[i] = m.speed;
    }
    return true;
}

static void run_diagram(validation *of) {
    double density[2][DENSITIES], speed[2][DENSITIES], curve_x[CURVE], curve_y[CURVE];
    char what[64];
    if (!walk_all(of, false, density[0], speed[0]) || !walk_all(of, true, density[1], speed[1])) return;
    for (int i = 0; i < DENSITIES; i++) {
        const double due = weidmann(density[0][i]);
        snprintf(what, sizeof what, "one-way, %.2f per square metre: speed", density[0][i]);
        validation_row(of, "diagram", what, speed[0][i], due - 0.15, due + 0.15, "m/s");
    }
    for (int i = 0; i < DENSITIES; i++) {
        snprintf(what, sizeof what, "two-way, %.2f per square metre: speed", density[1][i]);
        validation_row(of, "diagram", what, speed[1][i], -INFINITY, speed_at(density[0], speed[0], density[1][i]),
                       "m/s");
    }
    for (int i = 0; i < CURVE; i++) {
        curve_x[i] = 0.2 + 4.2 * i / (CURVE - 1);
        curve_y[i] = weidmann(curve_x[i]);
    }
    const plot_series series[] = {{"Weidmann 1993", curve_x, curve_y, CURVE, true},
                                  {"one-way", density[0], speed[0], DENSITIES, false},
                                  {"two-way", density[1], speed[1], DENSITIES, false}};
    validation_plot(of, "diagram", "people per square metre", "speed, m/s", series, 3);
}

const validation_test validate_diagram = {"diagram", "speed against density in an oval corridor", run_diagram};
