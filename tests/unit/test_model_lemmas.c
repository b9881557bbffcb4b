// What the RVO paper proves of velocity obstacles and reciprocal ones (van den Berg et al. 2008), asked of the kernels.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/sample_tile.h"

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
        cmocka_unit_test(symmetry_and_translation),
        cmocka_unit_test(sides_are_convex),
        cmocka_unit_test(reciprocal_obstacles_do_not_oscillate),
        cmocka_unit_test(apex_is_between_the_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
