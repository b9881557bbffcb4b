// Wishes towards places, what being blocked makes of them, and the way of a step, on every kernel, against the same
// told agent by agent.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/grid.h"
#include "base/scalar.h"
#include "unit/kernel_tile.h"

enum { ROUNDS = 2000 };

typedef struct lanes {
    _Alignas(64) float at[THRONG_LANES];
} lanes;

static void assert_same(const throng_kernels *kernels, const char *what, int lane, double got, double expected) {
    if (throng_double_bits(got) != throng_double_bits(expected))
        fail_msg("%s, %s of lane %d: %.17g, expected %.17g", kernels->name, what, lane, got, expected);
}

// ---- wishes

/// The largest speed that leaves so many steps of slowing down by `loss` each, the last at 0, no more than the
/// distance: the positive root of v² + loss v = 2 acceleration distance.
static float braking_speed(float distance, float acceleration, float dt) {
    const float half = 0.5f * acceleration * dt;
    return sqrtf(half * half + 2.0f * acceleration * distance) - half;
}

static void test_approach(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        double dx[THRONG_LANES], dy[THRONG_LANES];
        lanes goal_radius, preferred, most, acceleration;
        for (int lane = 0; lane < THRONG_LANES; lane++) {
            const double far = random_below(3) ? 10.0 : 0.3;
            dx[lane] = random_below(20) ? random_between(-far, far) : 0.0;
            dy[lane] = random_below(20) ? random_between(-far, far) : 0.0;
            goal_radius.at[lane] = random_between(0.0, 1.0);
            preferred.at[lane] = random_between(0.0, 2.0);
            most.at[lane] = random_between(0.0, 2.0);
            acceleration.at[lane] = round % 2 && random_below(2) ? random_between(0.1, 5.0) : INFINITY;
        }
        const float dt = 0.1f;
        const throng_approach_input in = {dx, dy, goal_radius.at, preferred.at, most.at, acceleration.at, dt};
        for (int k = 0; k < KERNEL_NAMES; k++) {
            const throng_kernels *kernels = kernel_number(k);
            if (!kernels) continue;
            lanes vx, vy;
            const uint32_t within = kernels->approach(&in, vx.at, vy.at);
            for (int lane = 0; lane < THRONG_LANES; lane++) {
                const double distance = sqrt(dx[lane] * dx[lane] + dy[lane] * dy[lane]);
                float speed = throng_minf(preferred.at[lane], most.at[lane]);
                if (acceleration.at[lane] < INFINITY)
                    speed = throng_minf(speed, braking_speed((float)distance, acceleration.at[lane], dt));
                double scale = speed / distance;
                if (speed * dt >= (float)distance) scale = 1.0 / dt; // no farther than the target
                assert_same(kernels, "vx", lane, vx.at[lane], distance > 0.0 ? (float)(dx[lane] * scale) : 0.0);
                assert_same(kernels, "vy", lane, vy.at[lane], distance > 0.0 ? (float)(dy[lane] * scale) : 0.0);
                const double reach = goal_radius.at[lane];
                const bool inside = dx[lane] * dx[lane] + dy[lane] * dy[lane] <= reach * reach;
                if ((within >> lane & 1) != inside)
                    fail_msg("%s: lane %d, %g m off, within %g", kernels->name, lane, distance, reach);
            }
        }
    }
}

// ---- being blocked

static void test_press(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        lanes blocked, wish_x, wish_y, horizon, obstacle_horizon;
        for (int lane = 0; lane < THRONG_LANES; lane++) {
            blocked.at[lane] = random_between(0.0, 1.0);
            wish_x.at[lane] = random_between(-2.0, 2.0);
            wish_y.at[lane] = random_between(-2.0, 2.0);
            horizon.at[lane] = random_between(0.05, 5.0);
            obstacle_horizon.at[lane] = random_between(0.05, 5.0);
        }
        const uint32_t turning = (uint32_t)random_below(1 << THRONG_LANES);
        const uint32_t left = (uint32_t)random_below(1 << THRONG_LANES);
        const uint32_t hurrying = (uint32_t)random_below(1 << THRONG_LANES);
        for (int k = 0; k < KERNEL_NAMES; k++) {
            const throng_kernels *kernels = kernel_number(k);
            if (!kernels) continue;
            lanes x = wish_x, y = wish_y, ahead = horizon, to_walls = obstacle_horizon;
            const throng_press_lanes in = {.blocked = blocked.at,
                                           .turning = turning,
                                           .left = left,
                                           .hurrying = hurrying,
                                           .least_turn = 0.3f,
                                           .blocked_turn = 0.7f,
                                           .haste = 10.0f,
                                           .least_horizon = 0.2f,
                                           .wish_x = x.at,
                                           .wish_y = y.at,
                                           .horizon = ahead.at,
                                           .obstacle_horizon = to_walls.at};
            kernels->press(&in);
            for (int lane = 0; lane < THRONG_LANES; lane++) {
                float tangent = 0.3f + 0.7f * blocked.at[lane];
                if (left >> lane & 1) tangent = -tangent;
                const float length = 1.0f / sqrtf(1.0f + tangent * tangent);
                const float turned_x = (wish_x.at[lane] + tangent * wish_y.at[lane]) * length;
                const float turned_y = (wish_y.at[lane] - tangent * wish_x.at[lane]) * length;
                const bool turns = turning >> lane & 1;
                assert_same(kernels, "wish_x", lane, x.at[lane], turns ? turned_x : wish_x.at[lane]);
                assert_same(kernels, "wish_y", lane, y.at[lane], turns ? turned_y : wish_y.at[lane]);
                const float divisor = hurrying >> lane & 1 ? 1.0f + 10.0f * blocked.at[lane] : 1.0f;
                const float *given[] = {horizon.at, obstacle_horizon.at}, *got[] = {ahead.at, to_walls.at};
                for (int i = 0; i < 2; i++) {
                    // No shorter than two steps, unless it was.
                    const float least = throng_minf(given[i][lane], 0.2f);
                    assert_same(kernels, i ? "obstacle_horizon" : "horizon", lane, got[i][lane],
                                throng_maxf(least, given[i][lane] / divisor));
                }
            }
        }
    }
}

// ---- the way

static void test_move(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        double x[THRONG_LANES], y[THRONG_LANES];
        lanes vx, vy;
        for (int lane = 0; lane < THRONG_LANES; lane++) {
            const double fast = random_below(5) ? 2.0 : 1e9; // farther than the grid is fine
            x[lane] = throng_on_grid(1e5 * random_unit());
            y[lane] = throng_on_grid(-1e5 * random_unit());
            vx.at[lane] = random_below(10) ? random_between(-fast, fast) : -0.0f;
            vy.at[lane] = random_between(-1e-8, 1e-8);
        }
        const throng_move_input in = {x, y, vx.at, vy.at, 0.1};
        for (int k = 0; k < KERNEL_NAMES; k++) {
            const throng_kernels *kernels = kernel_number(k);
            if (!kernels) continue;
            double to_x[THRONG_LANES], to_y[THRONG_LANES];
            kernels->move(&in, to_x, to_y);
            for (int lane = 0; lane < THRONG_LANES; lane++) {
                assert_same(kernels, "x", lane, to_x[lane], x[lane] + throng_on_grid(vx.at[lane] * 0.1));
                assert_same(kernels, "y", lane, to_y[lane], y[lane] + throng_on_grid(vy.at[lane] * 0.1));
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_approach),
        cmocka_unit_test(test_press),
        cmocka_unit_test(test_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
