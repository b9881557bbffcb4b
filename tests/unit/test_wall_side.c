// Agents of a world against walls, at several time steps and horizons: walls met end on, corners, gaps, and starts
// inside walls.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/worlds.h"

static const double time_steps[] = {0.02, 0.1, 0.5};
static const float horizons[] = {0.01f, 1.0f}; // the first is shorter than every step

static double distance_to(const throng_wall *wall, double x, double y) {
    double least = 1e9;
    const uint32_t sides = wall->kind == THRONG_WALL_LINE ? wall->point_count - 1 : wall->point_count;
    for (uint32_t i = 0; i < sides; i++) {
        const double *a = wall->points + 2 * i, *b = wall->points + 2 * ((i + 1) % wall->point_count);
        const double dx = b[0] - a[0], dy = b[1] - a[1], wx = x - a[0], wy = y - a[1];
        const double t = fmax(0, fmin(1, (wx * dx + wy * dy) / (dx * dx + dy * dy)));
        least = fmin(least, hypot(wx - t * dx, wy - t * dy));
    }
    return least;
}

// Where a body of 0.25 m comes that wishes to walk from a place with a fixed velocity for so long.
static void walk(const throng_wall *walls, uint32_t count, double x, double y, double vx, double vy, double seconds,
                 double time_step, float horizon, double end[2]) {
    throng_map *map = map_of(walls, count);
    throng_world *world = make_world(NULL, map);
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = x;
    def.position[1] = y;
    def.max_speed = 20.0f;
    def.obstacle_horizon = horizon;
    def.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = vx, .y = vy};
    must(throng_agents_add(world, &def, 1, NULL));
    for (int step = 0; step < seconds / time_step; step++) {
        must(throng_world_step(world, time_step));
        const throng_view view = view_of(world);
        for (uint32_t i = 0; i < count; i++) {
            const double distance = distance_to(&walls[i], view.x[0], view.y[0]);
            if (distance < 0.25 - 1e-5) fail_msg("step %d of %g s: %.9g m from wall %u", step, time_step, distance, i);
        }
    }
    end[0] = view_of(world).x[0];
    end[1] = view_of(world).y[0];
    throng_world_destroy(world);
    throng_map_release(map);
}

#define EVERY(step, horizon)                                                                                           \
    for (size_t step = 0; step < 3; step++)                                                                            \
        for (size_t horizon = 0; horizon < 2; horizon++)

// A wall met end on: exactly so it may hold, beside its line the body passes.
static void end_on(void **state) {
    (void)state;
    const double points[] = {0, 0, 6, 0};
    const throng_wall wall = {THRONG_WALL_LINE, 2, points, 1};
    EVERY(i, j) {
        double end[2];
        walk(&wall, 1, -3, 0, 1.5, 0, 20, time_steps[i], horizons[j], end);
        const bool held = end[0] <= -0.25 + 1e-5 && end[0] > -0.4 && fabs(end[1])<1e-6, passed = end[0]> 6.0;
        if (!held && !passed) fail_msg("exactly, %g s: (%.9g, %.9g)", time_steps[i], end[0], end[1]);
        for (double y = -0.2; y < 0.3; y += 0.4) {
            walk(&wall, 1, -3, y, 1.5, 0, 20, time_steps[i], horizons[j], end);
            if (!(end[0] > 6.0 && end[1] * y > 0 && fabs(end[1]) >= 0.25 - 1e-5)) {
                fail_msg("at y = %g, %g s: (%.9g, %.9g)", y, time_steps[i], end[0], end[1]);
            }
        }
    }
}

// A gap is passed where it is wider than the body, and holds where it is not.
static void gaps(void **state) {
    (void)state;
    static const double widths[] = {0.0, 0.2, 0.49, 0.501, 0.6};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const double half = 0.5 * widths[w];
        const double upper[] = {0, half, 0, 5}, lower[] = {0, -half, 0, -5};
        const throng_wall walls[] = {{THRONG_WALL_LINE, 2, upper, 1}, {THRONG_WALL_LINE, 2, lower, 1}};
        EVERY(i, j) {
            double end[2];
            walk(walls, 2, -2, 0, 1.5, 0, 20, time_steps[i], horizons[j], end);
            const bool passed = end[0] > 5.0, held = end[0] < 0.0 && end[0] > -0.5;
            if (widths[w] > 0.5 ? !passed : !held) {
                fail_msg("gap of %g m, %g s, horizon %g: x = %.9g", widths[w], time_steps[i], horizons[j], end[0]);
            }
        }
    }
}

// Into the inner corner of a room a body comes as near as it fits.
static void inner_corner(void **state) {
    (void)state;
    const double room[] = {-4, -4, 4, -4, 4, 4, -4, 4};
    const throng_wall wall = {THRONG_WALL_ENCLOSURE, 4, room, 1};
    EVERY(i, j) {
        double end[2];
        walk(&wall, 1, 0, 0.5, 1.5, 1.2, 30, time_steps[i], horizons[j], end);
        for (int axis = 0; axis < 2; axis++) {
            if (!(end[axis] <= 3.75 + 1e-5 && end[axis] > 3.6)) {
                fail_msg("%g s, horizon %g: (%.9g, %.9g)", time_steps[i], horizons[j], end[0], end[1]);
            }
        }
    }
}

// Round the outer corner of a block it slides, at high speed, too.
static void outer_corner(void **state) {
    (void)state;
    const double block[] = {0, 0, 4, 0, 4, 4, 0, 4};
    const throng_wall wall = {THRONG_WALL_SOLID, 4, block, 1};
    EVERY(i, j) {
        double end[2];
        walk(&wall, 1, -3, 3.5, 1.5, 0.5, 20, time_steps[i], horizons[j], end);
        if (!(end[0] > 4.0 && end[1] > 4.25 - 1e-5)) {
            fail_msg("%g s, horizon %g: (%.9g, %.9g)", time_steps[i], horizons[j], end[0], end[1]);
        }
        walk(&wall, 1, -3, 2, 20, 0, 5, time_steps[i], horizons[j], end); // square at it
        if (!(end[0] <= -0.25 + 1e-5)) fail_msg("%g s at 20 m/s: x = %.9g", time_steps[i], end[0]);
    }
}

// Who starts within a wall comes to the nearest free place, at no more than its greatest speed, and the event says how
// far that is.
static void starts_inside(void **state) {
    (void)state;
    const double block[] = {0, 0, 4, 0, 4, 4, 0, 4};
    const throng_wall wall = {THRONG_WALL_SOLID, 4, block, 1};
    throng_map *map = map_of(&wall, 1);
    const struct {
        double x, y, to_x, to_y;
    } cases[] = {{1, 2, -0.25, 2}, {2, 3.5, 2, 4.25}, {-0.1, 2, -0.25, 2}, {4.1, 4.1, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        throng_world *world = make_world(NULL, map);
        throng_agent_def def = throng_default_agent_def();
        def.position[0] = cases[i].x;
        def.position[1] = cases[i].y;
        def.max_speed = 1.0f;
        must(throng_agents_add(world, &def, 1, NULL));
        double x = cases[i].x, y = cases[i].y, walked = 0, told = -1;
        for (int step = 0; step < 30; step++) {
            must(throng_world_step(world, 0.1));
            const throng_event *events;
            uint32_t count;
            must(throng_world_events(world, &events, &count));
            for (uint32_t k = 0; k < count; k++) {
                if (events[k].kind == THRONG_EVENT_DISPLACED) told = events[k].value;
            }
            const throng_view view = view_of(world);
            const double length = hypot(view.x[0] - x, view.y[0] - y);
            if (length > 0.1 + 1e-6) fail_msg("case %d: %.9g m in a step", (int)i, length);
            walked += length;
            x = view.x[0];
            y = view.y[0];
        }
        // At the corner the nearest place lies on the circle around it.
        const double to_x = i < 3 ? cases[i].to_x : 4 + 0.25 / sqrt(2.0), to_y = i < 3 ? cases[i].to_y : to_x;
        if (hypot(x - to_x, y - to_y) > 1e-5) fail_msg("case %d: ends at (%.9g, %.9g)", (int)i, x, y);
        if (fabs(walked - hypot(to_x - cases[i].x, to_y - cases[i].y)) > 1e-5 || fabs(told - walked) > 1e-5) {
            fail_msg("case %d: walked %.9g m, told %.9g", (int)i, walked, told);
        }
        throng_world_destroy(world);
    }
    throng_map_release(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(end_on),       cmocka_unit_test(gaps),          cmocka_unit_test(inner_corner),
        cmocka_unit_test(outer_corner), cmocka_unit_test(starts_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
