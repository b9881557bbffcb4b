// What sweeps and free places give, to the bit: wherever a scene lies, from every compiler and architecture.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/grid.h"
#include "state/wall_place.h"
#include "support/wall_sets.h"

// A scene moved by whole grid steps moves bit for bit the same.
static void test_same_bits_wherever_it_lies(void **state) {
    (void)state;
    static wall_scene scene;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        uint64_t random = seed * 179424673;
        const double by_x = floor(uniform(&random, -2e7, 2e7));
        const double by_y = floor(uniform(&random, -2e7, 2e7));
        scene_random(&scene, &random, 0.0, 0.0, 5.0);
        for (uint32_t i = 0; i < scene.count; i++) {
            for (uint32_t j = 0; j < 2 * scene.walls[i].point_count; j++) {
                scene.points[i][j] = throng_on_grid(scene.points[i][j]);
            }
        }
        throng_wall_set here;
        throng_wall_set there;
        build(&here, scene.walls, scene.count);
        for (uint32_t i = 0; i < scene.count; i++) {
            for (uint32_t j = 0; j < 2 * scene.walls[i].point_count; j++) scene.points[i][j] += j % 2 ? by_y : by_x;
        }
        build(&there, scene.walls, scene.count);
        double x = throng_on_grid(uniform(&random, -6, 6));
        double y = throng_on_grid(uniform(&random, -6, 6));
        for (int i = 0; i < 10; i++) {
            const double radius = (float)uniform(&random, 0, 0.5);
            double near[2] = {x, y};
            double far[2] = {x + by_x, y + by_y};
            const bool found = throng_wall_place_find_free(&here, everyone, near[0], near[1], radius, 9.0, near);
            const bool also = throng_wall_place_find_free(&there, everyone, far[0], far[1], radius, 9.0, far);
            if (found != also || near[0] + by_x != far[0] || near[1] + by_y != far[1]) {
                fail_msg("seed %llu, %d: free place (%.17g, %.17g) here, (%.17g, %.17g) there",
                         (unsigned long long)seed, i, near[0], near[1], far[0] - by_x, far[1] - by_y);
            }
            const double dx = throng_on_grid(uniform(&random, -3, 3));
            const double dy = throng_on_grid(uniform(&random, -3, 3));
            const throng_wall_sweep a = sweep(&here, x, y, dx, dy, radius, NULL);
            const throng_wall_sweep b = sweep(&there, x + by_x, y + by_y, dx, dy, radius, NULL);
            if (a.x + by_x != b.x || a.y + by_y != b.y || a.dx != b.dx || a.dy != b.dy || a.piece != b.piece) {
                fail_msg("seed %llu, %d: to (%.17g, %.17g) here, (%.17g, %.17g) there", (unsigned long long)seed, i,
                         a.x, a.y, b.x - by_x, b.y - by_y);
            }
            x = a.x;
            y = a.y;
        }
        throng_wall_set_release(&here, &memory);
        throng_wall_set_release(&there, &memory);
    }
}

static uint64_t hash_double(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(1099511628211);
    return hash ^ hash >> 29;
}

// The same bits from every compiler, optimization level and architecture.
static void test_same_bits_everywhere(void **state) {
    (void)state;
    static wall_scene scene;
    uint64_t hash = 1;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t random = seed * 31337;
        const double origin = seed % 3 == 0 ? 5.9e6 : 0.0;
        scene_random(&scene, &random, origin, origin, 5.0);
        // The generator uses the C library's cosine, which differs in its last digits.
        for (uint32_t i = 0; i < scene.count; i++) {
            for (uint32_t j = 0; j < 2 * scene.walls[i].point_count; j++) {
                scene.points[i][j] = floor(1024.0 * scene.points[i][j] + 0.5) / 1024.0;
            }
        }
        throng_wall_set set;
        build(&set, scene.walls, scene.count);
        double x = origin + uniform(&random, -6, 6);
        double y = origin + uniform(&random, -6, 6);
        for (int i = 0; i < 30; i++) {
            const double dx = uniform(&random, -3, 3);
            const double dy = uniform(&random, -3, 3);
            const throng_wall_sweep end = sweep(&set, x, y, dx, dy, (float)uniform(&random, 0, 0.5), NULL);
            hash = hash_double(hash_double(hash, end.x), end.y);
            hash = hash_double(hash_double(hash, end.dx), end.dy);
            x = end.x;
            y = end.y;
        }
        throng_wall_set_release(&set, &memory);
    }
    if (hash != UINT64_C(0x55d0b9d00c176be0)) fail_msg("hash is 0x%016llx", (unsigned long long)hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_wherever_it_lies),
        cmocka_unit_test(test_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, wall_memory, NULL);
}
