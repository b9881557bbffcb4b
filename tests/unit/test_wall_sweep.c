// Nobody ever passes or enters a still wall: the sweep against an independent eye.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "state/wall_sweep.h"
#include "support/wall_oracle.h"

#include <stdlib.h>

#ifdef THRONG_LONG_TESTS
enum { SCENES = 500000 };
#else
enum { SCENES = 5000 };
#endif

enum { SWEEPS = 40 };

static throng_memory memory;

static int setup(void **state) {
    (void)state;
    return throng_memory_init(&memory, &(throng_allocator){0}) ? 0 : -1;
}

static void build(throng_wall_set *set, const throng_wall *walls, uint32_t count) {
    assert_int_equal(throng_wall_set_build(set, walls, count, &memory), THRONG_OK);
}

static uint32_t find(const throng_wall_set *set, double x, double y, double reach, uint32_t *pieces) {
    const throng_wall_box box = throng_wall_box_around(x, y, reach);
    return throng_wall_set_query(set, &box, UINT32_MAX, pieces, 4096);
}

static throng_wall_sweep sweep(const throng_wall_set *set, double x, double y, double dx, double dy, double radius,
                               throng_wall_way *way) {
    static uint32_t pieces[4096];
    const uint32_t count = find(set, x, y, throng_wall_sweep_reach(sqrt(dx * dx + dy * dy), radius), pieces);
    return throng_wall_sweep_disc(set, pieces, count, x, y, dx, dy, radius, way);
}

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
        if (oracle_point_distance(a, b, way->x[i], way->y[i]) > length + check->radius) continue;
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
        if (length > hypot(dx, dy) + 4e-15 * (fabs(x) + fabs(y) + 100)) {
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
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_enters_a_wall),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
