// The velocity program in double by trying every candidate. Slow and plain on purpose: the oracle of the lane kernel,
// and a solver for small cases. It shares no idea with the kernel but the meaning of the program.
//
// The nearest point to the preferred velocity is that velocity itself, its foot on a line or a circle, or a point where
// two of the lines and circles meet. The least greatest violation is taken where two of the planes' lines, bisectors
// (where two planes are violated alike) and circles meet, or at a point of a circle farthest along a plane's normal.
#include "kernels/kernels.h"

#include <math.h>

// m/s, times the numbers' magnitude. Where numbers differ by so many magnitudes that rounding takes every candidate for
// wrong, the tolerance grows until one is right; from the largest on they all are.
static const double least_tolerance = 1e-10, tolerance_growth = 1e3, largest_tolerance = 1e50;

typedef struct curve {
    double x, y, c; // line: unit normal and offset; circle: centre and radius
    int is_circle;
} curve;

typedef struct search {
    const throng_reference_program *program;
    int hard_count, soft_count; // planes [0, hard_count) hard, [hard_count, soft_count) measured
    double hard_relax, soft_relax;
    double tolerance;
    int by_violation; // least violation of the soft planes; else nearest to the preferred velocity, soft ones binding
    double best, best_x, best_y;
    int found;
} search;

static double norm(double x, double y) {
    return sqrt(x * x + y * y);
}

static double violation_of(const double *plane, double x, double y) {
    return plane[2] - plane[0] * x - plane[1] * y;
}

static int in_disc(const search *s, double cx, double cy, double radius, double x, double y) {
    return norm(x - cx, y - cy) <= radius + s->tolerance * (1 + radius);
}

static void try_point(search *s, double x, double y) {
    const throng_reference_program *p = s->program;
    if (!isfinite(x) || !isfinite(y) || !in_disc(s, 0, 0, p->max_speed, x, y)) return;
    if (isfinite(p->reach_radius) && !in_disc(s, p->reach[0], p->reach[1], p->reach_radius, x, y)) return;
    double worst = -INFINITY;
    for (int i = 0; i < s->soft_count; i++) {
        const double *plane = p->planes + 3 * i;
        const double slack = s->tolerance * (1 + fabs(plane[2]));
        const double violation = violation_of(plane, x, y);
        if (i < s->hard_count && violation > s->hard_relax + slack) return;
        if (i >= s->hard_count && !s->by_violation && violation > s->soft_relax + slack) return;
        if (i >= s->hard_count) worst = fmax(worst, violation);
    }
    const double value = s->by_violation ? worst : norm(x - p->preferred[0], y - p->preferred[1]);
    if (s->found && value >= s->best) return;
    s->found = 1;
    s->best = value;
    s->best_x = x;
    s->best_y = y;
}

static void try_line_circle(search *s, const curve *line, const curve *circle) {
    const double offset = line->c - line->x * circle->x - line->y * circle->y;
    const double half = sqrt(fmax(0, (circle->c - offset) * (circle->c + offset)));
    const double foot_x = circle->x + offset * line->x, foot_y = circle->y + offset * line->y;
    try_point(s, foot_x - half * line->y, foot_y + half * line->x);
    try_point(s, foot_x + half * line->y, foot_y - half * line->x);
}

static void try_meeting(search *s, const curve *a, const curve *b) {
    if (a->is_circle && b->is_circle) {
        // Both circles hold the points of their radical line.
        const double dx = b->x - a->x, dy = b->y - a->y, distance = norm(dx, dy);
        const double along = (distance + (a->c - b->c) * (a->c + b->c) / distance) / 2;
        const curve radical = {dx / distance, dy / distance, along + (dx * a->x + dy * a->y) / distance, 0};
        try_line_circle(s, &radical, a);
    } else if (a->is_circle) {
        try_line_circle(s, b, a);
    } else if (b->is_circle) {
        try_line_circle(s, a, b);
    } else {
        const double determinant = a->x * b->y - a->y * b->x;
        try_point(s, (a->c * b->y - b->c * a->y) / determinant, (a->x * b->c - b->x * a->c) / determinant);
    }
}

static void try_foot(search *s, const curve *a, const double from[2]) {
    if (a->is_circle) {
        const double dx = from[0] - a->x, dy = from[1] - a->y, distance = norm(dx, dy);
        const double scale = distance > 0 ? a->c / distance : 0;
        try_point(s, a->x + dx * scale, a->y + dy * scale);
    } else {
        const double lack = a->c - a->x * from[0] - a->y * from[1];
        try_point(s, from[0] + lack * a->x, from[1] + lack * a->y);
    }
}

// Curve number k of a search: the circles, the hard planes' lines, the soft planes' lines or bisectors. Returns 0 when
// there is none of that number, -1 when it is no curve.
static int curve_at(const search *s, int k, curve *out) {
    const throng_reference_program *p = s->program;
    if (k == 0) {
        *out = (curve){0, 0, p->max_speed, 1};
        return 1;
    }
    if (k == 1) {
        *out = (curve){p->reach[0], p->reach[1], p->reach_radius, 1};
        return isfinite(p->reach_radius) ? 1 : -1;
    }
    k -= 2;
    double nx, ny, c;
    if (k < s->hard_count || (!s->by_violation && k < s->soft_count)) {
        const double *plane = p->planes + 3 * k;
        nx = plane[0];
        ny = plane[1];
        c = plane[2] - (k < s->hard_count ? s->hard_relax : s->soft_relax);
    } else {
        const int soft = s->soft_count - s->hard_count;
        k -= s->hard_count;
        if (!s->by_violation || k >= soft * soft) return 0;
        const int first = k / soft, second = k % soft;
        if (second <= first) return -1;
        const double *a = p->planes + 3 * (s->hard_count + first), *b = p->planes + 3 * (s->hard_count + second);
        nx = a[0] - b[0];
        ny = a[1] - b[1];
        c = a[2] - b[2];
    }
    const double length = norm(nx, ny);
    if (!(length > 0)) return -1;
    *out = (curve){nx / length, ny / length, c / length, 0};
    return 1;
}

static int run_search(search *s) {
    const throng_reference_program *p = s->program;
    s->found = 0;
    try_point(s, p->preferred[0], p->preferred[1]);
    curve a, b;
    for (int i = 0, kind; (kind = curve_at(s, i, &a)) != 0; i++) {
        if (kind < 0) continue;
        try_foot(s, &a, p->preferred);
        for (int j = 0; j < i; j++) {
            if (curve_at(s, j, &b) > 0) try_meeting(s, &a, &b);
        }
        for (int plane = s->hard_count; s->by_violation && a.is_circle && plane < s->soft_count; plane++) {
            const double *n = p->planes + 3 * plane;
            const double length = norm(n[0], n[1]);
            if (length > 0) try_point(s, a.x + a.c * n[0] / length, a.y + a.c * n[1] / length);
        }
    }
    return s->found;
}

static void run_search_to_the_end(search *s) {
    while (!run_search(s) && s->tolerance < largest_tolerance) s->tolerance *= tolerance_growth;
    s->tolerance = least_tolerance;
}

// Relaxes the planes [hard_count, soft_count) as little as possible above hard ones; returns by how much.
static double least_violation(const throng_reference_program *program, int hard_count, int soft_count,
                              double hard_relax) {
    search s = {.program = program,
                .hard_count = hard_count,
                .soft_count = soft_count,
                .hard_relax = hard_relax,
                .tolerance = least_tolerance};
    if (run_search(&s)) return 0; // feasible as it is
    s.by_violation = 1;
    run_search_to_the_end(&s);
    return fmax(s.best, 0);
}

int throng_reference_solve(const throng_reference_program *program, double v[2], double *violation) {
    const double distance = norm(program->reach[0], program->reach[1]);
    *violation = 0;
    if (isfinite(program->reach_radius) && distance > program->max_speed + program->reach_radius) {
        for (int axis = 0; axis < 2; axis++) v[axis] = program->reach[axis] / distance * program->max_speed;
        for (int i = 0; i < program->count; i++) {
            *violation = fmax(*violation, violation_of(program->planes + 3 * i, v[0], v[1]));
        }
        return *violation <= least_tolerance;
    }
    const double walls = least_violation(program, 0, program->wall_count, 0);
    const double agents = least_violation(program, program->wall_count, program->count, walls);
    search s = {.program = program,
                .hard_count = program->wall_count,
                .soft_count = program->count,
                .hard_relax = walls,
                .soft_relax = agents,
                .tolerance = least_tolerance};
    run_search_to_the_end(&s);
    v[0] = s.best_x;
    v[1] = s.best_y;
    *violation = fmax(walls, agents);
    return !(*violation > 0);
}
