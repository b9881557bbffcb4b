// Half-planes between agents against answers computed independently, and against what they mean: the corrected relative
// velocity grazes the other disc within the horizon, and no smaller correction would do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/kernel_tile.h"

static pair_tile tile;
static plane_tile answer;
static uint16_t degenerate[TILE_SLOTS];

typedef struct pair {
    double px, py; // other minus self
    double vx, vy; // other's velocity
    double self_vx, self_vy;
    double radius, share, horizon, time_step;
} pair;

// Every lane gets the same pair, in slot 0.
static void run_pair(const throng_kernels *kernels, const pair *p) {
    for (int lane = 0; lane < THRONG_LANES; lane++) {
        tile.px.at[lane] = (float)p->px;
        tile.py.at[lane] = (float)p->py;
        tile.vx.at[lane] = (float)p->vx;
        tile.vy.at[lane] = (float)p->vy;
        tile.self_vx.at[lane] = (float)p->self_vx;
        tile.self_vy.at[lane] = (float)p->self_vy;
        tile.radius.at[lane] = (float)p->radius;
        tile.share.at[lane] = (float)p->share;
        tile.horizon.at[lane] = (float)p->horizon;
        tile.count.at[lane] = 1;
    }
    const throng_pairs_input in = pairs_of(&tile, 1, p->time_step);
    kernels->agent_planes(&in, planes_of(&answer), degenerate);
}

static void assert_plane(const char *what, double nx, double ny, double c) {
    for (int lane = 0; lane < THRONG_LANES; lane++) {
        const double got[3] = {answer.nx.at[lane], answer.ny.at[lane], answer.c.at[lane]};
        if (got[0] != nx || got[1] != ny || got[2] != c) {
            fail_msg("%s, lane %d: (%.9g, %.9g, %.9g), expected (%.9g, %.9g, %.9g)", what, lane, got[0], got[1], got[2],
                     nx, ny, c);
        }
    }
}

static void test_reference_answers(void **state) {
    (void)state;
    for (int k = 0; k < KERNEL_NAMES; k++) {
        const throng_kernels *kernels = kernel_number(k);
        if (!kernels) continue;
        FILE *file = open_reference("pairs.txt");
        int rows = 0;
        double r[11];
        char name[16];
        while (read_numbers(file, r, 11) && fscanf(file, "%15s", name) == 1) {
            const pair p = {r[0], r[1], -r[2], -r[3], 0, 0, r[4], 1, r[5], r[6]};
            run_pair(kernels, &p);
            const int lane = rows % THRONG_LANES;
            const double nx = answer.nx.at[lane], ny = answer.ny.at[lane], u = answer.c.at[lane];
            const double error_u = hypot(u * nx - r[7], u * ny - r[8]), error_n = hypot(nx - r[9], ny - r[10]);
            const double tolerance = 2e-5 * fmax(1, r[4] / r[6] / 10);
            if (!(error_u <= tolerance && error_n <= tolerance) || degenerate[0]) {
                fail_msg("%s, pair %d (%s): u = (%.9g, %.9g), n = (%.9g, %.9g), expected (%.9g, %.9g), (%.9g, %.9g)",
                         kernels->name, rows, name, u * nx, u * ny, nx, ny, r[7], r[8], r[9], r[10]);
            }
            rows++;
        }
        fclose(file);
        assert_int_equal(rows, 2000);
    }
}

// Discs of body 0.4 and margin 0.1 walking at each other, 4 m apart.
static void test_founding_example(void **state) {
    (void)state;
    for (int k = 0; k < KERNEL_NAMES; k++) {
        const throng_kernels *kernels = kernel_number(k);
        if (!kernels) continue;
        // At 1 m/s each they would meet in 1.5 s: each gives up a quarter.
        run_pair(kernels, &(pair){4, 0, -1, 0, 1, 0, 1, 0.5, 2, 0.1});
        assert_plane(kernels->name, -1, 0, -0.75);
        run_pair(kernels, &(pair){-4, 0, 1, 0, -1, 0, 1, 0.5, 2, 0.1});
        assert_plane(kernels->name, 1, 0, -0.75);
        // At half the speed it is 3 s, beyond the horizon: the half-plane holds what they do.
        run_pair(kernels, &(pair){4, 0, -0.5, 0, 0.5, 0, 1, 0.5, 2, 0.1});
        assert_true(answer.c.at[0] <= 0.5f * answer.nx.at[0]);
    }
}

static void test_zero_vectors(void **state) {
    (void)state;
    for (int k = 0; k < KERNEL_NAMES; k++) {
        const throng_kernels *kernels = kernel_number(k);
        if (!kernels) continue;
        // The relative velocity at the disc's centre: the arc's middle.
        run_pair(kernels, &(pair){3, 4, 0, 0, 1.5, 2, 1, 1, 2, 0.1});
        const float c = answer.c.at[0];
        assert_true(fabsf(answer.nx.at[0] + 0.6f) < 1e-6f && fabsf(answer.ny.at[0] + 0.8f) < 1e-6f);
        assert_true(fabsf(c - (-2.5f + 0.5f)) < 1e-6f);
        // Same place and velocity: nothing tells a direction.
        run_pair(kernels, &(pair){0, 0, 0.5, 0.25, 0.5, 0.25, 1, 0.5, 2, 0.1});
        assert_int_equal(degenerate[0], 0xffff);
        assert_plane("same place", 0, 0, -1);
        float plane[3];
        throng_plane_from_direction(0.6f, -0.8f, 0.5f, 0.25f, 1, 0.5f, 0.1f, plane);
        assert_true(fabsf(plane[2] - (0.3f - 0.2f + 5.0f)) < 1e-5f);
        // A share of nothing, and slots beyond the count.
        run_pair(kernels, &(pair){4, 0, -1, 0, 1, 0, 1, 0, 2, 0.1});
        assert_plane("share 0", 0, 0, -1);
        assert_int_equal(degenerate[0], 0);
        // Points without size, on top of each other, apart, and passing through.
        run_pair(kernels, &(pair){0, 0, 1, 0, 0, 0, 0, 0.5, 2, 0.1});
        assert_plane("two points", -1, 0, 0.5 * -1);
        run_pair(kernels, &(pair){2, 0, 0, 0, 3, 0, 0, 1, 1, 0.1});
        assert_true(fabsf(answer.ny.at[0]) == 1.0f && answer.c.at[0] == 0.0f);
    }
}

// Both agents of a pair see the same picture turned by half a turn, whatever the case: opposite normals and the same
// correction, to the bit, ties of head-on meetings included.
static void test_pairs_agree(void **state) {
    (void)state;
    const throng_kernels *kernels = throng_kernels_select(NULL);
    for (int i = 0; i < 20000; i++) {
        const int head_on = i % 4 == 0;
        const double px = random_between(-3, 3), py = random_between(-3, 3);
        const double speed = random_between(0, 2);
        const double vx = head_on ? (float)px * speed : random_between(-2, 2);
        const double vy = head_on ? (float)py * speed : random_between(-2, 2);
        const double radius = random_between(0, 2);
        const pair mine = {px, py, 0, 0, vx, vy, radius, 1, 2, 0.25};
        const pair yours = {-px, -py, 0, 0, -vx, -vy, radius, 1, 2, 0.25};
        run_pair(kernels, &mine);
        const float nx = answer.nx.at[0], ny = answer.ny.at[0], c = answer.c.at[0];
        run_pair(kernels, &yours);
        if (answer.nx.at[0] != -nx || answer.ny.at[0] != -ny || answer.c.at[0] != c) {
            fail_msg("pair %d: (%.9g, %.9g, %.9g) against (%.9g, %.9g, %.9g)", i, nx, ny, c, answer.nx.at[0],
                     answer.ny.at[0], answer.c.at[0]);
        }
    }
}

// The least distance of the two centres until `until`, at the relative velocity (vx, vy).
static double least_distance(const pair *p, double vx, double vy, double until) {
    const double squared = vx * vx + vy * vy;
    const double t = squared > 0 ? fmin(fmax((p->px * vx + p->py * vy) / squared, 0), until) : 0;
    return hypot(p->px - vx * t, p->py - vy * t);
}

static void test_meaning(void **state) {
    (void)state;
    const throng_kernels *kernels = throng_kernels_select(NULL);
    int inside = 0, outside = 0;
    for (int i = 0; i < 20000; i++) {
        const pair p = {random_between(-4, 4),
                        random_between(-4, 4),
                        0,
                        0,
                        random_between(-2, 2),
                        random_between(-2, 2),
                        random_between(0.05, 1),
                        1,
                        random_between(0.5, 5),
                        0.1};
        if (hypot(p.px, p.py) < p.radius * 1.001) continue;
        run_pair(kernels, &p);
        const double nx = answer.nx.at[0], ny = answer.ny.at[0];
        const double correction = answer.c.at[0] - nx * p.self_vx - ny * p.self_vy;
        const double grazes = least_distance(&p, p.self_vx + correction * nx, p.self_vy + correction * ny, p.horizon);
        if (fabs(grazes - p.radius) > 1e-4 * p.horizon) {
            fail_msg("pair %d: the corrected velocity passes at %.9g, expected %.9g", i, grazes, p.radius);
        }
        // On a circle a little smaller than the correction all velocities collide, or none.
        const int collides = least_distance(&p, p.self_vx, p.self_vy, p.horizon) < p.radius;
        collides ? inside++ : outside++;
        if (collides != (correction > 0)) fail_msg("pair %d: collides %d, correction %.9g", i, collides, correction);
        for (int turn = 0; turn < 32; turn++) {
            const double part = 0.99 * fabs(correction) - 1e-4;
            const double vx = p.self_vx + part * cos(turn * 0.19635), vy = p.self_vy + part * sin(turn * 0.19635);
            if (part > 0 && (least_distance(&p, vx, vy, p.horizon) < p.radius) != collides) {
                fail_msg("pair %d: a correction of %.9g would do, not %.9g", i, part, correction);
            }
        }
    }
    assert_true(inside > 1000 && outside > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_answers), cmocka_unit_test(test_founding_example),
        cmocka_unit_test(test_zero_vectors),      cmocka_unit_test(test_pairs_agree),
        cmocka_unit_test(test_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
