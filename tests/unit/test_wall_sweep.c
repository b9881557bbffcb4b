// Nobody ever passes or enters a still wall: the sweep against an independent eye.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/grid.h"
#include "support/wall_sets.h"

static const throng_wall_filter nobody = {0, -INFINITY, INFINITY};

#ifdef THRONG_LONG_TESTS
enum { SCENES = 500000 };
#else
enum { SCENES = 5000 };
#endif

enum { SWEEPS = 40 };

typedef struct way_check {
    const throng_wall_way *way;
    double radius;
    long double worst; // m, negative where the disc came too close
} way_check;

static bool check_piece(void *context, const double *a, const double *b) {
    way_check *check = context;
    const throng_wall_way *way = check->way;
    const long double start = oracle_point_distance(a, b, way->x[0], way->y[0]);
    const long double least = start < check->radius ? start : check->radius;
    for (uint32_t i = 0; i + 1 < way->count; i++) {
        const double length = hypot(way->x[i + 1] - way->x[i], way->y[i + 1] - way->y[i]);
        const long double from = oracle_point_distance(a, b, way->x[i], way->y[i]);
        const long double to = oracle_point_distance(a, b, way->x[i + 1], way->y[i + 1]);
        if ((from + to - length) / 2 > check->radius) continue; // nothing in between can be nearer than that
        const long double slack = oracle_way_distance(a, b, way->x[i], way->y[i], way->x[i + 1], way->y[i + 1]) - least;
        if (slack < check->worst) check->worst = slack;
    }
    return true;
}

static long double worst_slack(const wall_scene *scene, const throng_wall_way *way, double radius) {
    way_check check = {way, radius, INFINITY};
    oracle_pieces(scene->walls, scene->count, check_piece, &check);
    return check.worst;
}

// A disc wanders with random wishes; each sweep starts where the last one ended, so that it rests on walls and in
// corners most of the time.
static void wander(uint64_t seed, double allowed) {
    uint64_t random = seed;
    const double offsets[] = {0.0, 0.0, 1e3, 5.9e6, 1e7};
    const double origin_x = offsets[below(&random, 5)];
    const double origin_y = -offsets[below(&random, 5)];
    const double radii[] = {0.0, 1e-3, 0.1, 0.25, 0.5, 2.0};
    const double radius = (float)radii[below(&random, 6)];
    static wall_scene scene;
    scene_random(&scene, &random, origin_x, origin_y, 5.0);
    throng_wall_set set;
    build(&set, scene.walls, scene.count);
    double x = origin_x + uniform(&random, -6, 6);
    double y = origin_y + uniform(&random, -6, 6);
    for (int i = 0; i < SWEEPS; i++) {
        const double reach = below(&random, 3) == 0 ? 20.0 : below(&random, 2) ? 1.0 : 0.02;
        double dx = uniform(&random, -reach, reach);
        double dy = uniform(&random, -reach, reach);
        if (below(&random, 4) == 0) dx = 0.0;
        if (below(&random, 4) == 0) dy = 0.0;
        throng_wall_way way;
        const throng_wall_sweep end = sweep(&set, x, y, dx, dy, radius, &way);
        const long double slack = worst_slack(&scene, &way, radius);
        if (slack < -allowed) {
            fail_msg("seed %llu, sweep %d: (%.17g, %.17g) by (%.17g, %.17g), radius %g: %Lg m too close",
                     (unsigned long long)seed, i, x, y, dx, dy, radius, -slack);
        }
        double length = 0.0;
        for (uint32_t j = 0; j + 1 < way.count; j++) length += hypot(way.x[j + 1] - way.x[j], way.y[j + 1] - way.y[j]);
        if (length > hypot(dx, dy) + 5e-9 * way.count) {
            fail_msg("seed %llu, sweep %d: a way of %.17g m for a wish of %.17g m", (unsigned long long)seed, i, length,
                     hypot(dx, dy));
        }
        if (!(end.x == way.x[way.count - 1] && end.y == way.y[way.count - 1])) fail_msg("the way ends elsewhere");
        x = end.x;
        y = end.y;
        if (hypot(x - origin_x, y - origin_y) > 12.0) {
            x = origin_x + uniform(&random, -6, 6);
            y = origin_y + uniform(&random, -6, 6);
        }
    }
    throng_wall_set_release(&set, &memory);
}

static void test_never_enters_a_wall(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= SCENES; seed++) wander(seed * 77777, 1e-7);
}

static void test_stops_at_a_wall(void **state) {
    (void)state;
    const double line[] = {0, -50, 0, 50};
    const throng_wall wall = wall_of(THRONG_WALL_LINE, 2, line);
    throng_wall_set set;
    build(&set, &wall, 1);
    throng_wall_sweep end = sweep(&set, -7.3, 0.1, 20, 0, 0.25, NULL);
    assert_near(end.x, -0.25 - THRONG_WALL_SKIN, 1e-8);
    assert_near(end.y, 0.1, 1e-8);
    assert_near(end.dx, 7.05 - THRONG_WALL_SKIN, 1e-8);
    assert_true(end.turned);
    assert_int_equal(end.piece, 0);
    // A second wish against it changes nothing.
    end = sweep(&set, end.x, end.y, 20, 0, 0.25, NULL);
    assert_near(end.x, -0.25 - THRONG_WALL_SKIN, 1e-8);
    // What the wall leaves of a slanting wish is its part along the wall.
    end = sweep(&set, -7.3, 0, 10, 10, 0.25, NULL);
    assert_near(end.x, -0.25 - THRONG_WALL_SKIN, 1e-8);
    assert_near(end.y, 10, 1e-5);
    // Away from it and beside it all is free.
    end = sweep(&set, -0.25, 3, -5, 1, 0.25, NULL);
    assert_true(end.x == -5.25 && end.y == 4 && !end.turned);
    assert_int_equal(end.piece, THRONG_WALL_NONE);
    // A mask that the wall's layer does not meet.
    uint32_t pieces[] = {0};
    end = throng_wall_sweep_disc(&set, pieces, 1, nobody, -7.3, 0, 20, 0, 0.25, NULL);
    assert_near(end.x, 12.7, 1e-8);
    throng_wall_set_release(&set, &memory);
}

static void test_slides_around_an_end(void **state) {
    (void)state;
    // A disc that meets the very end of a line slides aside until it is past, then walks on as it wished.
    const double line[] = {0, 0, 0, 50};
    const throng_wall wall = wall_of(THRONG_WALL_LINE, 2, line);
    throng_wall_set set;
    build(&set, &wall, 1);
    throng_wall_sweep end = sweep(&set, -3, -0.1, 6, 0, 0.25, NULL);
    assert_true(end.turned);
    assert_near(end.y, -0.25 - THRONG_WALL_SKIN, 1e-8);
    if (!(end.x > 2.6)) fail_msg("past the end only to x = %g", end.x);
    // Exactly end on it stops, and does not slip past.
    end = sweep(&set, 0, -3, 0, 6, 0.25, NULL);
    assert_near(end.x, 0, 1e-8);
    assert_near(end.y, -0.25 - THRONG_WALL_SKIN, 1e-8);
    throng_wall_set_release(&set, &memory);
}

static void test_corner_and_gap_hold(void **state) {
    (void)state;
    const double corner[] = {-9, 0, 0, 0, 0, -9};
    const double gap_low[] = {5, -9, 5, -0.24};
    const double gap_high[] = {5, 0.24, 5, 9};
    const throng_wall walls[] = {
        wall_of(THRONG_WALL_LINE, 3, corner),
        wall_of(THRONG_WALL_LINE, 2, gap_low),
        wall_of(THRONG_WALL_LINE, 2, gap_high),
    };
    throng_wall_set set;
    build(&set, walls, 3);
    throng_wall_sweep end = sweep(&set, -4, -3, 20, 15, 0.25, NULL);
    assert_near(end.x, -0.25 - THRONG_WALL_SKIN, 1e-7);
    assert_near(end.y, -0.25 - THRONG_WALL_SKIN, 1e-7);
    // Narrower than the disc: it stops between the two ends, touching both.
    end = sweep(&set, 2, 0, 20, 0, 0.25, NULL);
    const double reach = 0.25 + THRONG_WALL_SKIN;
    assert_near(end.x, 5 - sqrt(reach * reach - 0.24 * 0.24), 1e-6);
    // A little narrower, and it passes.
    end = sweep(&set, 2, 0, 20, 0, 0.2399, NULL);
    assert_near(end.x, 22, 1e-8);
    throng_wall_set_release(&set, &memory);
}

static void test_overlapping_disc_may_leave_and_not_enter(void **state) {
    (void)state;
    const double square[] = {0, 0, 4, 0, 4, 4, 0, 4};
    const throng_wall wall = wall_of(THRONG_WALL_SOLID, 4, square);
    throng_wall_set set;
    build(&set, &wall, 1);
    const double depths[] = {1e-9, 1e-4, 0.1, 0.249, 0.25};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        const double y = -0.25 + depths[i];
        throng_wall_sweep end = sweep(&set, 2, y, 0.01, 0.5, 0.25, NULL);
        if (depths[i] < 0.25 && end.y > y + 1e-12) fail_msg("%g m deep: went %g m deeper", depths[i], end.y - y);
        end = sweep(&set, 2, y, 0.125, -1, 0.25, NULL);
        if (end.x != 2.125 || end.y != y - 1) fail_msg("%g m deep: held at (%g, %g)", depths[i], end.x, end.y);
    }
    throng_wall_set_release(&set, &memory);
}

// A way may end early only where the disc touches: nobody is held by nothing. And it depends neither on the order of
// the pieces nor on pieces out of reach.
static void test_stops_only_at_walls_and_ignores_order(void **state) {
    (void)state;
    static wall_scene scene;
    static uint32_t pieces[4096];
    uint32_t stopped = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        uint64_t random = seed * 15485863;
        const double origin = seed % 4 == 0 ? 5.9e6 : 0.0;
        scene_random(&scene, &random, origin, origin, 5.0);
        throng_wall_set set;
        build(&set, scene.walls, scene.count);
        for (int i = 0; i < 10; i++) {
            const double radius = (float)uniform(&random, 0, 0.6);
            const double x = origin + uniform(&random, -6, 6);
            const double y = origin + uniform(&random, -6, 6);
            if (oracle_distance(scene.walls, scene.count, x, y) < radius + 1e-5L) continue;
            const double dx = uniform(&random, -9, 9);
            const double dy = uniform(&random, -9, 9);
            throng_wall_way way;
            const throng_wall_sweep end = sweep(&set, x, y, dx, dy, radius, &way);
            if (way.count > 1 && end.turned) {
                stopped++;
                const long double gap = oracle_distance(scene.walls, scene.count, way.x[1], way.y[1]) - radius;
                if (gap > 2e-6L)
                    fail_msg("seed %llu, sweep %d: held %Lg m before a wall", (unsigned long long)seed, i, gap);
            } else if (!end.turned && (end.x != x + throng_on_grid(dx) || end.y != y + throng_on_grid(dy))) {
                fail_msg("seed %llu, sweep %d: a free way ends elsewhere", (unsigned long long)seed, i);
            }
            for (uint32_t j = 0; j < set.piece_count; j++) pieces[j] = set.piece_count - 1 - j;
            const throng_wall_sweep again =
                throng_wall_sweep_disc(&set, pieces, set.piece_count, everyone, x, y, dx, dy, radius, NULL);
            if (memcmp(&end.x, &again.x, 4 * sizeof(double)) != 0 || end.piece != again.piece) {
                fail_msg("seed %llu, sweep %d: another order, another end", (unsigned long long)seed, i);
            }
        }
        throng_wall_set_release(&set, &memory);
    }
    assert_true(stopped > 2000);
}

// More touching pieces than the sweep weighs: spikes all around, at a hair's breadth. It may be held, never let
// through.
static void test_in_a_cage_of_spikes(void **state) {
    (void)state;
    enum { SPIKES = 400 };
    static double points[SPIKES][4];
    static throng_wall walls[SPIKES];
    for (int i = 0; i < SPIKES; i++) {
        const double angle = 6.283185307179586 * i / SPIKES;
        const double reach = 0.25 + 1.2 * THRONG_WALL_SKIN;
        points[i][0] = reach * cos(angle);
        points[i][1] = reach * sin(angle);
        points[i][2] = 2.0 * points[i][0];
        points[i][3] = 2.0 * points[i][1];
        walls[i] = wall_of(THRONG_WALL_LINE, i % 2 ? 2 : 1, points[i]);
    }
    throng_wall_set set;
    build(&set, walls, SPIKES);
    uint64_t random = 17;
    double x = 0.0;
    double y = 0.0;
    for (int i = 0; i < 2000; i++) {
        const double dx = uniform(&random, -20, 20);
        const double dy = uniform(&random, -20, 20);
        const throng_wall_sweep end = sweep(&set, x, y, dx, dy, 0.25, NULL);
        x = end.x;
        y = end.y;
        const long double gap = oracle_distance(walls, SPIKES, x, y) - 0.25L;
        if (gap < -1e-8L || hypot(x, y) > 1e-5) fail_msg("sweep %d: at (%g, %g), gap %Lg", i, x, y, gap);
    }
    throng_wall_set_release(&set, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops_at_a_wall),
        cmocka_unit_test(test_slides_around_an_end),
        cmocka_unit_test(test_corner_and_gap_hold),
        cmocka_unit_test(test_overlapping_disc_may_leave_and_not_enter),
        cmocka_unit_test(test_stops_only_at_walls_and_ignores_order),
        cmocka_unit_test(test_in_a_cage_of_spikes),
        cmocka_unit_test(test_never_enters_a_wall),
    };
    return cmocka_run_group_tests(tests, wall_memory, NULL);
}
