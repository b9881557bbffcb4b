// Velocity obstacles and their reciprocal kind: penalties against answers computed independently, and against bodies
// moved on in small steps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/sample_tile.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_penalties),   cmocka_unit_test(penalties_are_what_happens),
        cmocka_unit_test(overlaps_part_soonest), cmocka_unit_test(touching_is_free),
        cmocka_unit_test(all_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
