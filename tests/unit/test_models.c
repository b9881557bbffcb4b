// Velocity obstacles and their reciprocal kind: penalties against answers computed independently, against bodies moved
// on in small steps, and the lemmas of the paper.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/kernel_tile.h"

#include <stdbool.h>

typedef struct sample_tile {
    pair_tile others;
    tile_row preferred_vx, preferred_vy, weight, body;
    tile_row sx, sy, ux, uy, to_a, to_b;
    tile_row_int wall_count;
    tile_row candidate_vx, candidate_vy, penalty;
    throng_pairs_input pairs;
    throng_walls_input walls;
    throng_sampled_input in;
} sample_tile;

static sample_tile tile;

static void bind(int others, int walls, int candidates, float time_step) {
    tile.pairs = pairs_of(&tile.others, others, time_step);
    tile.walls = (throng_walls_input){.slot_count = walls,
                                      .count = tile.wall_count.at,
                                      .sx = tile.sx.at,
                                      .sy = tile.sy.at,
                                      .ux = tile.ux.at,
                                      .uy = tile.uy.at,
                                      .to_a = tile.to_a.at,
                                      .to_b = tile.to_b.at,
                                      .radius = tile.body.at};
    tile.in = (throng_sampled_input){.candidate_count = candidates,
                                     .vx = tile.candidate_vx.at,
                                     .vy = tile.candidate_vy.at,
                                     .pairs = &tile.pairs,
                                     .walls = &tile.walls,
                                     .preferred_vx = tile.preferred_vx.at,
                                     .preferred_vy = tile.preferred_vy.at,
                                     .weight = tile.weight.at};
}

static void fill(tile_row *row, int slot, double value) {
    for (int lane = 0; lane < THRONG_LANES; lane++) row->at[slot * THRONG_LANES + lane] = (float)value;
}

static void fill_counts(int others, int walls) {
    for (int lane = 0; lane < THRONG_LANES; lane++) {
        tile.others.count.at[lane] = others;
        tile.wall_count.at[lane] = walls;
    }
    fill(&tile.others.horizon, 0, INFINITY);
}

static void set_self(double vx, double vy, double preferred_x, double preferred_y, double weight, double body) {
    fill(&tile.others.self_vx, 0, vx);
    fill(&tile.others.self_vy, 0, vy);
    fill(&tile.preferred_vx, 0, preferred_x);
    fill(&tile.preferred_vy, 0, preferred_y);
    fill(&tile.weight, 0, weight);
    fill(&tile.body, 0, body);
}

static void set_other(int slot, double px, double py, double vx, double vy, double radius, double share) {
    fill(&tile.others.px, slot, px);
    fill(&tile.others.py, slot, py);
    fill(&tile.others.vx, slot, vx);
    fill(&tile.others.vy, slot, vy);
    fill(&tile.others.radius, slot, radius);
    fill(&tile.others.share, slot, share);
}

static void set_candidate(int slot, double vx, double vy) {
    fill(&tile.candidate_vx, slot, vx);
    fill(&tile.candidate_vy, slot, vy);
}

static void set_wall(int slot, double ax, double ay, double bx, double by) {
    const double length = hypot(bx - ax, by - ay);
    const double ux = length > 0 ? (bx - ax) / length : 0, uy = length > 0 ? (by - ay) / length : 0;
    const double along = fmin(fmax(-(ax * ux + ay * uy), 0), length);
    fill(&tile.sx, slot, ax + along * ux);
    fill(&tile.sy, slot, ay + along * uy);
    fill(&tile.ux, slot, ux);
    fill(&tile.uy, slot, uy);
    fill(&tile.to_a, slot, -along);
    fill(&tile.to_b, slot, length - along);
}

// ---- the answers of the reference

static void reference_penalties(void **state) {
    (void)state;
    for (int k = 0; k < KERNEL_NAMES; k++) {
        const throng_kernels *kernels = kernel_number(k);
        if (!kernels) continue;
        FILE *file = open_reference("penalties.txt");
        int rows = 0;
        double head[9];
        while (read_numbers(file, head, 9)) {
            const int others = (int)head[6], candidates = (int)head[7], due = (int)head[8];
            double expected[THRONG_CANDIDATES];
            set_self(head[1], head[2], head[3], head[4], head[5], head[0]);
            fill_counts(others, 0);
            for (int i = 0; i < others; i++) {
                double r[6];
                assert_true(read_numbers(file, r, 6));
                set_other(i, r[0], r[1], r[2], r[3], head[0] + r[4], r[5]);
            }
            for (int i = 0; i < candidates; i++) {
                double r[3];
                assert_true(read_numbers(file, r, 3));
                set_candidate(i, r[0], r[1]);
                expected[i] = r[2];
            }
            bind(others, 0, candidates, 0.1f);
            kernels->penalties(&tile.in, tile.penalty.at);
            const int lane = rows % THRONG_LANES;
            int best = 0;
            for (int i = 0; i < candidates; i++) {
                const double got = tile.penalty.at[i * THRONG_LANES + lane];
                if (got < tile.penalty.at[best * THRONG_LANES + lane]) best = i;
                if (!(fabs(got - expected[i]) <= 1e-5 * expected[i])) {
                    fail_msg("%s, line %d, candidate %d: penalty %.9g, expected %.9g", kernels->name, rows, i, got,
                             expected[i]);
                }
            }
            if (best != due) fail_msg("%s, line %d: best %d, expected %d", kernels->name, rows, best, due);
            rows++;
        }
        fclose(file);
        assert_int_equal(rows, 200);
    }
}

// ---- bodies moved on in small steps

typedef struct body {
    double px, py, vx, vy, radius, share;
} body;

static double to_segment(double x, double y, const double wall[4]) {
    const double dx = wall[2] - wall[0], dy = wall[3] - wall[1], square = dx * dx + dy * dy;
    const double t = square > 0 ? fmin(fmax(((x - wall[0]) * dx + (y - wall[1]) * dy) / square, 0), 1) : 0;
    return hypot(x - wall[0] - t * dx, y - wall[1] - t * dy);
}

// The first time at which the gap is at most `slack`, by steps that can't jump over a meeting; `late` where none is.
static double meeting_time(const body *other, const double *wall, double body_radius, const double self[2],
                           const double v[2], double slack, double late) {
    double vx = v[0], vy = v[1];
    if (other) {
        vx = v[0] / other->share + (1 - 1 / other->share) * self[0] - other->vx;
        vy = v[1] / other->share + (1 - 1 / other->share) * self[1] - other->vy;
    }
    const double speed = hypot(vx, vy);
    for (double t = 0; t < late;) {
        const double gap = other ? hypot(other->px - vx * t, other->py - vy * t) - other->radius
                                 : to_segment(vx * t, vy * t, wall) - body_radius;
        if (gap <= slack) return t;
        t += fmax(gap, 1e-6) / fmax(speed, 1e-9);
    }
    return late;
}

static void penalties_are_what_happens(void **state) {
    (void)state;
    const throng_kernels *kernels = throng_kernels_select(NULL);
    const double late = 50, slack = 1e-5;
    int hits[2] = {0}, misses[2] = {0};
    for (int trial = 0; trial < 4000; trial++) {
        const int kind = trial % 2;
        const double self[2] = {random_between(-1, 1), random_between(-1, 1)};
        const double v[2] = {random_between(-1.5, 1.5), random_between(-1.5, 1.5)};
        const double body_radius = random_between(0.1, 0.5), shares[4] = {1, 0.5, 0.25, 0.75};
        body other = {.vx = random_between(-1, 1), .vy = random_between(-1, 1), .radius = random_between(0.2, 1)};
        double wall[4];
        other.share = shares[random_below(4)];
        do {
            other.px = random_between(-4, 4);
            other.py = random_between(-4, 4);
            for (int i = 0; i < 4; i++) wall[i] = random_between(-3, 3);
            if (trial % 10 == 1) wall[2] = wall[0], wall[3] = wall[1];
        } while (hypot(other.px, other.py) < other.radius + 0.01 || to_segment(0, 0, wall) < body_radius + 0.01);
        fill_counts(kind == 0, kind == 1);
        set_self(self[0], self[1], v[0], v[1], 1, body_radius);
        set_other(0, other.px, other.py, other.vx, other.vy, other.radius, other.share);
        set_wall(0, wall[0], wall[1], wall[2], wall[3]);
        set_candidate(0, v[0], v[1]);
        bind(kind == 0, kind == 1, 1, 0.1f);
        kernels->penalties(&tile.in, tile.penalty.at);
        const double got = tile.penalty.at[trial % THRONG_LANES];
        // Between the times for bodies a little smaller and a little larger.
        const body *pair = kind == 0 ? &other : NULL;
        const double first = meeting_time(pair, wall, body_radius, self, v, slack, late);
        const double last = meeting_time(pair, wall, body_radius, self, v, -slack, late);
        if (first >= late) {
            misses[kind]++;
            if (got > 1 / (0.99 * late)) fail_msg("trial %d: penalty %.9g, but nothing is met", trial, got);
        } else {
            hits[kind]++;
            const double least = last < late ? 1 / last * (1 - 1e-4) : 0, most = 1 / first * (1 + 1e-4);
            if (!(got >= least && got <= most)) fail_msg("trial %d: %.9g not in %.9g..%.9g", trial, got, least, most);
        }
    }
    for (int kind = 0; kind < 2; kind++) {
        if (hits[kind] < 100 || misses[kind] < 100) fail_msg("%d hits and %d misses", hits[kind], misses[kind]);
    }
}

// A term for bodies that overlap: finite, at most w/dt, and the smaller the sooner they part.
static void overlaps_part_soonest(void **state) {
    (void)state;
    const throng_kernels *kernels = throng_kernels_select(NULL);
    for (int trial = 0; trial < 1000; trial++) {
        const double radius = random_between(0.5, 1), far = random_between(0, 0.9) * radius;
        const double angle = random_between(0, 6.2831853);
        const body other = {far * cos(angle), far * sin(angle), 0, 0, radius, 1};
        fill_counts(1, 0);
        set_other(0, other.px, other.py, 0, 0, radius, 1);
        double times[THRONG_CANDIDATES], terms[THRONG_CANDIDATES];
        for (int i = 0; i < THRONG_CANDIDATES; i++) {
            const double v[2] = {i ? random_between(-1, 1) : 0, i ? random_between(-1, 1) : 0};
            set_candidate(i, v[0], v[1]);
            set_self(0, 0, v[0], v[1], 2, 0.2);
            bind(1, 0, i + 1, 0.1f);
            kernels->penalties(&tile.in, tile.penalty.at);
            terms[i] = tile.penalty.at[i * THRONG_LANES];
            const double square = v[0] * v[0] + v[1] * v[1], along = v[0] * other.px + v[1] * other.py;
            const double root = sqrt(along * along + square * (radius * radius - far * far));
            times[i] = square > 0 ? (along + root) / square : INFINITY;
            if (!(terms[i] > 0 && terms[i] <= 2 / 0.1 * (1 + 1e-6))) fail_msg("trial %d: term %.9g", trial, terms[i]);
        }
        for (int i = 0; i < THRONG_CANDIDATES; i++) {
            for (int j = 0; j < THRONG_CANDIDATES; j++) {
                if (times[i] < 0.999 * times[j] && !(terms[i] < terms[j])) {
                    fail_msg("trial %d: parting after %.9g s costs %.9g, after %.9g s %.9g", trial, times[i], terms[i],
                             times[j], terms[j]);
                }
            }
        }
    }
}

// Bodies that touch: along each other is free, into each other is not.
static void touching_is_free(void **state) {
    (void)state;
    const throng_kernels *kernels = throng_kernels_select(NULL);
    for (int i = -3; i <= 3; i++) {
        const double distance = 0.5 + i * 2e-8;
        fill_counts(1, 1);
        set_self(0, 0, 0, 0, 1, 0.5);
        set_other(0, distance, 0, 0, 0, 0.5, 1);
        set_wall(0, -3, -distance, 5, -distance);
        set_candidate(0, 0, 1);       // along the other, off the wall
        set_candidate(1, -1, 0);      // along the wall, off the other
        set_candidate(2, 0.5, 0.5);   // into the other
        set_candidate(3, -0.5, -0.5); // into the wall
        set_candidate(4, -1, -1e-9);  // along the wall, but for rounding
        bind(1, 1, 5, 0.1f);
        kernels->penalties(&tile.in, tile.penalty.at);
        const float *at = tile.penalty.at;
        if (!(at[0] < 1.1f && at[16] < 1.1f && at[64] < 1.1f && at[32] > 1e3f && at[48] > 1e3f)) {
            fail_msg("%d: %g %g %g %g %g", i, at[0], at[16], at[64], at[32], at[48]);
        }
    }
}

static void all_sets_agree(void **state) {
    (void)state;
    static tile_row expected;
    const throng_kernels *scalar = throng_kernels_select("scalar");
    for (int trial = 0; trial < 500; trial++) {
        const int others = random_below(12), walls = random_below(6), candidates = 1 + random_below(THRONG_CANDIDATES);
        bind(others, walls, candidates, 0.1f);
        tile.in.whole = (uint32_t)random_below(1 << 16);
        for (int at = 0; at < TILE_SLOTS * THRONG_LANES; at++) {
            tile.others.px.at[at] = random_between(-2, 2);
            tile.others.py.at[at] = random_between(-2, 2);
            tile.others.vx.at[at] = random_below(8) ? random_between(-1, 1) : 0;
            tile.others.vy.at[at] = random_below(8) ? random_between(-1, 1) : 0;
            tile.others.radius.at[at] = random_between(0, 1);
            tile.others.share.at[at] = (float)random_below(5) / 4;
            tile.candidate_vx.at[at] = random_below(8) ? random_between(-1, 1) : 0;
            tile.candidate_vy.at[at] = random_below(8) ? random_between(-1, 1) : 0;
            const float angle = random_between(0, 7);
            tile.sx.at[at] = random_between(-1, 1);
            tile.sy.at[at] = random_between(-1, 1);
            tile.ux.at[at] = cosf(angle);
            tile.uy.at[at] = sinf(angle);
            tile.to_a.at[at] = -random_between(0, 2);
            tile.to_b.at[at] = random_between(0, 2);
        }
        for (int lane = 0; lane < THRONG_LANES; lane++) {
            tile.others.self_vx.at[lane] = random_between(-1, 1);
            tile.others.self_vy.at[lane] = random_between(-1, 1);
            tile.others.horizon.at[lane] = random_below(2) ? INFINITY : random_between(0.1, 3);
            tile.preferred_vx.at[lane] = random_between(-1, 1);
            tile.preferred_vy.at[lane] = random_between(-1, 1);
            tile.weight.at[lane] = (float)random_below(4);
            tile.body.at[lane] = random_between(0, 0.5);
            tile.others.count.at[lane] = random_below(others + 1);
            tile.wall_count.at[lane] = random_below(walls + 1);
        }
        scalar->penalties(&tile.in, expected.at);
        for (int k = 0; k < KERNEL_NAMES; k++) {
            const throng_kernels *kernels = kernel_number(k);
            if (!kernels) continue;
            kernels->penalties(&tile.in, tile.penalty.at);
            for (int at = 0; at < candidates * THRONG_LANES; at++) {
                if (memcmp(&tile.penalty.at[at], &expected.at[at], sizeof(float)) != 0 || isnan(expected.at[at])) {
                    fail_msg("%s, trial %d, candidate %d, lane %d: %.9g, scalar %.9g", kernels->name, trial,
                             at / THRONG_LANES, at % THRONG_LANES, tile.penalty.at[at], expected.at[at]);
                }
            }
        }
    }
}

// ---- the lemmas

// Whether v is in the obstacle that the other makes for an agent with velocity `self`.
static bool inside(const double self[2], const body *other, const double v[2]) {
    fill_counts(1, 0);
    set_self(self[0], self[1], v[0], v[1], 1, 0.1);
    set_other(0, other->px, other->py, other->vx, other->vy, other->radius, other->share);
    set_candidate(0, v[0], v[1]);
    bind(1, 0, 1, 0.1f);
    throng_kernels_select(NULL)->penalties(&tile.in, tile.penalty.at);
    return tile.penalty.at[0] > 0;
}

// How far v is from the cone's sides, as the sine of an angle times the speed: questions too near to them are not
// asked.
static double margin_of(const double self[2], const body *other, const double v[2]) {
    const double vx = v[0] / other->share + (1 - 1 / other->share) * self[0] - other->vx;
    const double vy = v[1] / other->share + (1 - 1 / other->share) * self[1] - other->vy;
    const double distance = hypot(other->px, other->py), half = asin(other->radius / distance);
    const double angle = fabs(atan2(other->px * vy - other->py * vx, other->px * vx + other->py * vy));
    return hypot(vx, vy) * fabs(sin(fmin(fabs(angle - half), 1.57)));
}

static body random_body(double share) {
    body other;
    do {
        other = (body){random_between(-3, 3), random_between(-3, 3),  random_between(-1, 1),
                       random_between(-1, 1), random_between(0.3, 1), share};
    } while (hypot(other.px, other.py) < other.radius + 0.05);
    return other;
}

enum { QUESTIONS = 20000 };
static const double near_side = 1e-4;

// A may collide with B exactly when B may with A, and only the relative velocity counts.
static void symmetry_and_translation(void **state) {
    (void)state;
    int counts[2] = {0};
    for (int i = 0; i < QUESTIONS; i++) {
        const body b = random_body(1);
        const double v[2] = {random_between(-1, 1), random_between(-1, 1)};
        if (margin_of(v, &b, v) < near_side) continue;
        const bool in = inside(v, &b, v);
        const body a = {-b.px, -b.py, v[0], v[1], b.radius, 1};
        const double vb[2] = {b.vx, b.vy}, u[2] = {random_between(-2, 2), random_between(-2, 2)};
        if (inside(vb, &a, vb) != in) fail_msg("question %d: in the one but not in the other's", i);
        body moved = b;
        moved.vx += u[0];
        moved.vy += u[1];
        const double shifted[2] = {v[0] + u[0], v[1] + u[1]};
        if (inside(shifted, &moved, shifted) != in) fail_msg("question %d: translation matters", i);
        counts[in]++;
    }
    assert_true(counts[0] > 1000 && counts[1] > 1000);
}

// Two velocities to the left of an obstacle (or to the right) have only such between them.
static void sides_are_convex(void **state) {
    (void)state;
    int asked = 0;
    for (int i = 0; i < QUESTIONS; i++) {
        const double shares[3] = {1, 0.5, 0.25};
        const body b = random_body(shares[i % 3]);
        const double self[2] = {random_between(-1, 1), random_between(-1, 1)};
        double v[2][2], side[2];
        for (int j = 0; j < 2; j++) {
            for (int axis = 0; axis < 2; axis++) v[j][axis] = random_between(-2, 2);
            const double rx = v[j][0] / b.share + (1 - 1 / b.share) * self[0] - b.vx;
            const double ry = v[j][1] / b.share + (1 - 1 / b.share) * self[1] - b.vy;
            side[j] = b.px * ry - b.py * rx;
        }
        if (side[0] * side[1] <= 0 || inside(self, &b, v[0]) || inside(self, &b, v[1])) continue;
        const double part = random_between(0, 1);
        const double between[2] = {v[0][0] + part * (v[1][0] - v[0][0]), v[0][1] + part * (v[1][1] - v[0][1])};
        if (margin_of(self, &b, between) < near_side) continue;
        if (inside(self, &b, between)) fail_msg("question %d: (%g, %g) is in", i, between[0], between[1]);
        asked++;
    }
    assert_true(asked > 1000);
}

// The old velocity stays in (or out of) the obstacle when both take their parts of a change: nobody oscillates. With
// velocity obstacles that does not hold.
static void reciprocal_obstacles_do_not_oscillate(void **state) {
    (void)state;
    int counts[2] = {0}, whole_differs = 0;
    for (int i = 0; i < QUESTIONS; i++) {
        const double shares[4] = {0.5, 0.25, 0.75, 0.8}, share = shares[i % 4];
        const body b = random_body(share);
        const double v[2] = {random_between(-1, 1), random_between(-1, 1)};
        const double u[2] = {random_between(-1, 1), random_between(-1, 1)};
        if (margin_of(v, &b, v) < near_side) continue;
        const bool in = inside(v, &b, v);
        body changed = b;
        changed.vx -= (1 - share) * u[0];
        changed.vy -= (1 - share) * u[1];
        const double self[2] = {v[0] + share * u[0], v[1] + share * u[1]};
        if (inside(self, &changed, v) != in) fail_msg("question %d, share %g: %d before", i, share, in);
        changed.share = 1;
        if (inside(self, &changed, v) != in) whole_differs++;
        counts[in]++;
    }
    assert_true(counts[0] > 1000 && counts[1] > 1000 && whole_differs > 1000);
}

static void apex_is_between_the_velocities(void **state) {
    (void)state;
    for (int i = 0; i < QUESTIONS; i++) {
        const double share = random_between(0.1, 1);
        const body b = random_body((float)share);
        const double self[2] = {random_between(-1, 1), random_between(-1, 1)};
        const double apex[2] = {(1 - b.share) * self[0] + b.share * b.vx, (1 - b.share) * self[1] + b.share * b.vy};
        const double half = asin(b.radius / hypot(b.px, b.py)), turn = random_between(-3.14, 3.14);
        if (fabs(fabs(turn) - half) < 1e-3) continue;
        const double length = random_between(0.02, 1), x = b.px * cos(turn) - b.py * sin(turn);
        const double y = b.px * sin(turn) + b.py * cos(turn), scale = length / hypot(x, y);
        const double v[2] = {apex[0] + x * scale, apex[1] + y * scale};
        if (inside(self, &b, v) != (fabs(turn) < half)) {
            fail_msg("question %d: %g m/s from the apex, %g rad aside, the cone has %g", i, length, turn, half);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_penalties),
        cmocka_unit_test(penalties_are_what_happens),
        cmocka_unit_test(overlaps_part_soonest),
        cmocka_unit_test(touching_is_free),
        cmocka_unit_test(all_sets_agree),
        cmocka_unit_test(symmetry_and_translation),
        cmocka_unit_test(sides_are_convex),
        cmocka_unit_test(reciprocal_obstacles_do_not_oscillate),
        cmocka_unit_test(apex_is_between_the_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
