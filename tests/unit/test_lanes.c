// Every instruction set gives the bits of the scalar kernels: each operation of the lanes, and each kernel on random
// input and on input full of zeros, ties, touching and coincident bodies.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/lane_ops.h"
#include "unit/program_tile.h"

#ifdef THRONG_LONG_TESTS
enum { TILES = 100000 };
#else
enum { TILES = 4000 };
#endif

static void assert_same_bits(const char *kernel, int tile, const char *what, const void *got, const void *expected,
                             size_t count) {
    const uint32_t *a = got, *b = expected;
    for (size_t i = 0; i < count; i++) {
        if (a[i] == b[i]) continue;
        float x, y;
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        fail_msg("%s, tile %d, %s, slot %d, lane %d: %.9g (%08x), the scalar kernel says %.9g (%08x)", kernel, tile,
                 what, (int)i / THRONG_LANES, (int)i % THRONG_LANES, x, a[i], y, b[i]);
    }
}

static void assert_same_planes(const char *kernel, int tile, const plane_tile *got, const plane_tile *expected,
                               int slots) {
    const size_t count = (size_t)slots * THRONG_LANES;
    assert_same_bits(kernel, tile, "nx", got->nx.at, expected->nx.at, count);
    assert_same_bits(kernel, tile, "ny", got->ny.at, expected->ny.at, count);
    assert_same_bits(kernel, tile, "c", got->c.at, expected->c.at, count);
}

// A number with a fair chance of being a small whole one, so that ties and zeros of both signs happen.
static float odd_number(double reach) {
    switch (random_below(8)) {
    case 0:
        return 0.0f;
    case 1:
        return -0.0f;
    case 2:
    case 3:
        return (float)(random_below(5) - 2);
    default:
        return random_between(-reach, reach);
    }
}

typedef void lane_ops(const lane_operands *in, lane_results *out);

static lane_ops *const ops_of_kernel[KERNEL_NAMES] = {
    lane_ops_scalar,
#ifdef THRONG_HAVE_SSE2
    [1] = lane_ops_sse2,
#endif
#ifdef THRONG_HAVE_AVX2
    [2] = lane_ops_avx2,
#endif
#ifdef THRONG_HAVE_AVX512
    [3] = lane_ops_avx512,
#endif
#ifdef THRONG_HAVE_NEON
    [4] = lane_ops_neon,
#endif
};

static float any_float(void) {
    static const float odd[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-42f, 3.4e38f, 1.0f, -1.0f};
    return random_below(2) ? odd[random_below((int)(sizeof odd / sizeof odd[0]))] : random_between(-4, 4);
}

static int32_t any_int(void) {
    return random_below(3) ? random_below(7) - 3 : (random_below(2) ? 1 : -1) * random_below(1 << 29);
}

// Rows of arithmetic, where a NaN is a NaN whatever its bits, come first.
static void assert_same_results(const char *kernel, int tile, const lane_results *got, const lane_results *expected) {
    enum { FLOAT_ARITHMETIC = 6, DOUBLE_ARITHMETIC = 5 };
    for (int row = 0; row < FLOAT_ROWS; row++) {
        for (int lane = 0; lane < THRONG_LANES; lane++) {
            const float x = got->f[row][lane], y = expected->f[row][lane];
            const int both_nan = isnan(x) && isnan(y), arithmetic = row < FLOAT_ARITHMETIC || (row > 15 && row < 19);
            if ((both_nan && arithmetic) || memcmp(&x, &y, sizeof x) == 0) continue;
            fail_msg("%s, tile %d: float row %d, lane %d is %.9g, not %.9g", kernel, tile, row, lane, x, y);
        }
    }
    for (int row = 0; row < DOUBLE_ROWS; row++) {
        for (int lane = 0; lane < THRONG_LANES; lane++) {
            const double x = got->d[row][lane], y = expected->d[row][lane];
            if ((isnan(x) && isnan(y) && (row < DOUBLE_ARITHMETIC || row == 6)) || memcmp(&x, &y, sizeof x) == 0)
                continue;
            fail_msg("%s, tile %d: double row %d, lane %d is %.17g, not %.17g", kernel, tile, row, lane, x, y);
        }
    }
    assert_memory_equal(got->i, expected->i, sizeof got->i);
    assert_memory_equal(got->m, expected->m, sizeof got->m);
}

static void test_operations(void **state) {
    (void)state;
    static lane_operands in;
    static lane_results expected, got;
    for (int n = 0; n < TILES; n++) {
        for (int lane = 0; lane < THRONG_LANES; lane++) {
            in.a[lane] = any_float();
            in.b[lane] = random_below(4) ? any_float() : in.a[lane];
            in.p[lane] = any_float();
            in.q[lane] = random_below(4) ? any_float() * 1.1 : in.p[lane];
            in.i[lane] = any_int();
            in.j[lane] = random_below(4) ? any_int() : in.i[lane];
            in.index[lane] = random_below(THRONG_LANES);
        }
        in.mask = (uint32_t)random_below(0x10000);
        ops_of_kernel[0](&in, &expected);
        for (int lane = 0; lane < THRONG_LANES; lane++) {
            const float a = in.a[lane], b = in.b[lane];
            const float least = a < b ? a : b, most = a > b ? a : b; // what the scalar kernel itself must say
            assert_memory_equal(&expected.f[7][lane], &least, sizeof least);
            assert_memory_equal(&expected.f[8][lane], &most, sizeof most);
            assert_true((expected.m[0] >> lane & 1) == (a < b) && (expected.m[5] >> lane & 1) == (a != b));
        }
        for (int k = 1; k < KERNEL_NAMES; k++) {
            if (!ops_of_kernel[k] || !kernel_number(k)) continue;
            ops_of_kernel[k](&in, &got);
            assert_same_results(kernel_names[k], n, &got, &expected);
        }
    }
}

static void test_selection(void **state) {
    (void)state;
    int known = 0;
    for (int k = 0; k < KERNEL_NAMES; k++) {
        const throng_kernels *kernels = kernel_number(k);
        if (!kernels) continue;
        assert_string_equal(kernels->name, kernel_names[k]);
        known++;
    }
    assert_true(known >= 1 && kernel_number(0) != NULL);
    assert_non_null(throng_kernels_select(NULL));
    assert_null(throng_kernels_select("mmx"));
    assert_null(throng_kernels_select(""));
}

typedef struct pairs_case {
    pair_tile pairs;
    plane_tile planes;
    uint16_t degenerate[TILE_SLOTS];
} pairs_case;

static void run_pairs(const throng_kernels *kernels, pairs_case *t, int slots) {
    const throng_pairs_input in = pairs_of(&t->pairs, slots, 0.125);
    kernels->agent_planes(&in, planes_of(&t->planes), t->degenerate);
}

static void test_pairs(void **state) {
    (void)state;
    static pairs_case expected, got;
    const throng_kernels *scalar = kernel_number(0);
    int degenerate = 0;
    for (int n = 0; n < TILES; n++) {
        const int slots = 1 + random_below(12);
        for (int i = 0; i < slots * THRONG_LANES; i++) {
            expected.pairs.px.at[i] = odd_number(3);
            expected.pairs.py.at[i] = odd_number(3);
            expected.pairs.vx.at[i] = odd_number(2);
            expected.pairs.vy.at[i] = odd_number(2);
            expected.pairs.radius.at[i] = fabsf(odd_number(1));
            expected.pairs.share.at[i] = (float)random_below(3) * 0.5f;
        }
        for (int lane = 0; lane < THRONG_LANES; lane++) {
            expected.pairs.count.at[lane] = random_below(slots + 1);
            expected.pairs.self_vx.at[lane] = odd_number(2);
            expected.pairs.self_vy.at[lane] = odd_number(2);
            expected.pairs.horizon.at[lane] = (float)(1 + random_below(4)) * 0.5f;
        }
        run_pairs(scalar, &expected, slots);
        for (int slot = 0; slot < slots; slot++) degenerate += expected.degenerate[slot] != 0;
        for (int i = 0; i < slots * THRONG_LANES; i++) {
            const float *c = expected.planes.c.at;
            if (!isfinite(expected.planes.nx.at[i]) || !isfinite(expected.planes.ny.at[i]) || !isfinite(c[i])) {
                fail_msg("tile %d, slot %d: not finite", n, i / THRONG_LANES);
            }
        }
        for (int k = 1; k < KERNEL_NAMES; k++) {
            const throng_kernels *kernels = kernel_number(k);
            if (!kernels) continue;
            got = expected;
            memset(&got.planes, 0xff, sizeof got.planes);
            memset(got.degenerate, 0xff, sizeof got.degenerate);
            run_pairs(kernels, &got, slots);
            assert_same_planes(kernels->name, n, &got.planes, &expected.planes, slots);
            assert_memory_equal(got.degenerate, expected.degenerate, (size_t)slots * sizeof got.degenerate[0]);
        }
    }
    assert_true(degenerate > 0);
}

typedef struct walls_case {
    tile_row sx, sy, ux, uy, to_a, to_b, a_dx, a_dy, b_dx, b_dy, self_vx, self_vy, radius, horizon;
    tile_row_int count, chain, flags;
    plane_tile planes;
} walls_case;

static void run_walls(const throng_kernels *kernels, walls_case *t, int slots) {
    const throng_walls_input in = {slots,       t->count.at, t->sx.at,      t->sy.at,      t->ux.at,     t->uy.at,
                                   t->to_a.at,  t->to_b.at,  t->a_dx.at,    t->a_dy.at,    t->b_dx.at,   t->b_dy.at,
                                   t->chain.at, t->flags.at, t->self_vx.at, t->self_vy.at, t->radius.at, t->horizon.at};
    kernels->wall_planes(&in, planes_of(&t->planes));
}

static void test_walls(void **state) {
    (void)state;
    static walls_case expected, got;
    const throng_kernels *scalar = kernel_number(0);
    for (int n = 0; n < TILES; n++) {
        const int slots = 1 + random_below(8);
        for (int i = 0; i < slots * THRONG_LANES; i++) {
            // The nearest point is an end, or the foot of the agent on the piece's line.
            const double angle = random_below(3) ? 6.283 * random_unit() : 1.5707963267948966 * random_below(4);
            const int without_length = random_below(16) == 0, at_end = random_below(3);
            const float ux = without_length ? 0.0f : (float)cos(angle), uy = without_length ? 0.0f : (float)sin(angle);
            float sx = odd_number(3), sy = odd_number(3);
            if (at_end == 0 && !without_length) {
                const float away = odd_number(3);
                sx = -uy * away;
                sy = ux * away;
            }
            const int leads_away = sx * ux + sy * uy >= 0;
            expected.sx.at[i] = sx;
            expected.sy.at[i] = sy;
            expected.ux.at[i] = ux;
            expected.uy.at[i] = uy;
            expected.to_a.at[i] = without_length || (at_end && leads_away) ? 0.0f : -random_between(0, 3);
            expected.to_b.at[i] = without_length || (at_end && !leads_away) ? 0.0f : random_between(0, 3);
            const double a_angle = 6.283 * random_unit(), b_angle = 6.283 * random_unit();
            expected.a_dx.at[i] = (float)cos(a_angle);
            expected.a_dy.at[i] = (float)sin(a_angle);
            expected.b_dx.at[i] = (float)cos(b_angle);
            expected.b_dy.at[i] = (float)sin(b_angle);
            expected.chain.at[i] = random_below(2);
            expected.flags.at[i] = random_below(4) + (random_below(4) ? 0 : 4 << random_below(2));
        }
        for (int lane = 0; lane < THRONG_LANES; lane++) {
            expected.count.at[lane] = random_below(slots + 1);
            expected.self_vx.at[lane] = odd_number(2);
            expected.self_vy.at[lane] = odd_number(2);
            expected.radius.at[lane] = random_below(6) ? random_between(0.1, 1) : 0.0f;
            expected.horizon.at[lane] = (float)(1 + random_below(4)) * 0.5f;
        }
        run_walls(scalar, &expected, slots);
        for (int i = 0; i < slots * THRONG_LANES; i++) {
            const float nx = expected.planes.nx.at[i], ny = expected.planes.ny.at[i], c = expected.planes.c.at[i];
            const float length = nx * nx + ny * ny;
            if (!(fabsf(length - 1) < 1e-5f || (length == 0 && c == -1)) || !isfinite(c)) {
                const int lane = i % THRONG_LANES;
                fail_msg(
                    "tile %d, slot %d, lane %d: (%.9g, %.9g, %.9g) of (%.9g, %.9g) along (%.9g, %.9g), radius %.9g, "
                    "velocity (%.9g, %.9g)",
                    n, i / THRONG_LANES, lane, nx, ny, c, expected.sx.at[i], expected.sy.at[i], expected.ux.at[i],
                    expected.uy.at[i], expected.radius.at[lane], expected.self_vx.at[lane], expected.self_vy.at[lane]);
            }
        }
        for (int k = 1; k < KERNEL_NAMES; k++) {
            const throng_kernels *kernels = kernel_number(k);
            if (!kernels) continue;
            got = expected;
            memset(&got.planes, 0xff, sizeof got.planes);
            run_walls(kernels, &got, slots);
            assert_same_planes(kernels->name, n, &got.planes, &expected.planes, slots);
        }
    }
}

static void test_programs(void **state) {
    (void)state;
    static program_tile tile;
    static program_answer expected, got;
    for (int n = 0; n < TILES; n++) {
        random_programs(&tile);
        solve_tile(kernel_number(0), &tile, &expected);
        for (int k = 1; k < KERNEL_NAMES; k++) {
            const throng_kernels *kernels = kernel_number(k);
            if (!kernels) continue;
            solve_tile(kernels, &tile, &got);
            assert_same_bits(kernels->name, n, "vx", got.vx.at, expected.vx.at, THRONG_LANES);
            assert_same_bits(kernels->name, n, "vy", got.vy.at, expected.vy.at, THRONG_LANES);
            assert_same_bits(kernels->name, n, "violation", got.violation.at, expected.violation.at, THRONG_LANES);
            assert_int_equal(got.infeasible, expected.infeasible);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations), cmocka_unit_test(test_selection), cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_walls),      cmocka_unit_test(test_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
