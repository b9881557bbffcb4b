// Inside and outside, free places, lines of sight, nearest pieces: against plain searching.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "state/wall_near.h"
#include "state/wall_place.h"
#include "support/wall_sets.h"

static const throng_wall_filter nobody = {0, -INFINITY, INFINITY};

static void test_solid_square(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        const double o = i == 0 ? 0.0 : 5.9e6;
        const double counterclockwise[] = {o, o, o + 4, o, o + 4, o + 4, o, o + 4};
        const double clockwise[] = {o, o, o, o + 4, o + 4, o + 4, o + 4, o};
        const double *spellings[] = {counterclockwise, clockwise};
        for (int s = 0; s < 2; s++) {
            const throng_wall wall = wall_of(THRONG_WALL_SOLID, 4, spellings[s]);
            throng_wall_set set;
            build(&set, &wall, 1);
            assert_true(throng_wall_place_is_solid(&set, everyone, o + 2, o + 2));
            assert_true(throng_wall_place_is_solid(&set, everyone, o + 1e-6, o + 1e-6));
            assert_false(throng_wall_place_is_solid(&set, everyone, o - 1e-6, o + 2));
            assert_false(throng_wall_place_is_solid(&set, everyone, o + 2, o + 4 + 1e-6));
            // Level with corners, left and right.
            assert_false(throng_wall_place_is_solid(&set, everyone, o - 1, o));
            assert_false(throng_wall_place_is_solid(&set, everyone, o - 1, o + 4));
            assert_false(throng_wall_place_is_solid(&set, everyone, o + 5, o + 4));
            // The border touches and is not inside.
            const double border[][2] = {{0, 0}, {4, 4}, {0, 2}, {4, 2}, {2, 0}, {2, 4}, {4, 0}, {0, 4}};
            for (int j = 0; j < 8; j++) {
                if (throng_wall_place_is_solid(&set, everyone, o + border[j][0], o + border[j][1])) {
                    fail_msg("spelling %d: (%g, %g) is on the border", s, border[j][0], border[j][1]);
                }
            }
            assert_false(throng_wall_place_is_solid(&set, nobody, o + 2, o + 2));
            throng_wall_set_release(&set, &memory);
        }
    }
}

static void test_solid_within_an_enclosure(void **state) {
    (void)state;
    const double room[] = {0, 0, 10, 0, 10, 10, 0, 10};
    const double hall[] = {2, -5, 20, -5, 20, 15, 2, 15};
    const double pillar[] = {4, 4, 4, 6, 6, 6, 6, 4};
    const throng_wall walls[] = {
        wall_of(THRONG_WALL_ENCLOSURE, 4, room),
        wall_of(THRONG_WALL_SOLID, 4, pillar),
        wall_of(THRONG_WALL_ENCLOSURE, 4, hall),
    };
    throng_wall_set set;
    build(&set, walls, 3);
    assert_false(throng_wall_place_is_solid(&set, everyone, 3, 3));
    assert_true(throng_wall_place_is_solid(&set, everyone, 5, 5));
    assert_true(throng_wall_place_is_solid(&set, everyone, 1, 5));  // in the room, not in the hall
    assert_true(throng_wall_place_is_solid(&set, everyone, 12, 5)); // in the hall, not in the room
    assert_true(throng_wall_place_is_solid(&set, everyone, 1e9, 5));
    assert_false(throng_wall_place_is_solid(&set, everyone, 10, 5)); // on the border
    throng_wall_set_release(&set, &memory);
}

static void test_solid_agrees_with_turning(void **state) {
    (void)state;
    uint32_t inside = 0;
    uint32_t asked = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        uint64_t random = seed * 999983;
        static double points[2 * 4000];
        throng_wall wall = wall_of(below(&random, 4) ? THRONG_WALL_SOLID : THRONG_WALL_ENCLOSURE, 0, points);
        wall.point_count = seed % 50 == 0 ? 4000 : 3 + below(&random, 40);
        const bool lattice = below(&random, 2) == 0;
        const bool star = below(&random, 2) == 0;
        for (uint32_t i = 0; i < wall.point_count; i++) {
            const double angle = 6.283185307179586 * i / wall.point_count;
            const double reach = uniform(&random, 2.0, 9.0);
            points[2 * i] = star ? reach * cos(angle) : uniform(&random, -9, 9);
            points[2 * i + 1] = star ? reach * sin(angle) : uniform(&random, -9, 9);
            if (lattice) {
                points[2 * i] = floor(points[2 * i]);
                points[2 * i + 1] = floor(points[2 * i + 1]);
            }
        }
        throng_wall_set set;
        build(&set, &wall, 1);
        if (set.wall_count == 1 && set.walls[0].kind != wall.kind) {
            throng_wall_set_release(&set, &memory);
            continue; // collapsed
        }
        for (int i = 0; i < 60; i++) {
            double x = uniform(&random, -10, 10);
            double y = uniform(&random, -10, 10);
            if (lattice && below(&random, 2)) x = floor(x);
            if (lattice && below(&random, 2)) y = floor(y);
            if (oracle_distance(&wall, 1, x, y) < 1e-6L) continue;
            const bool wanted = oracle_solid(&wall, 1, x, y);
            if (throng_wall_place_is_solid(&set, everyone, x, y) != wanted) {
                fail_msg("seed %llu: (%.17g, %.17g) is %s", (unsigned long long)seed, x, y, wanted ? "solid" : "free");
            }
            asked++;
            inside += wanted;
        }
        throng_wall_set_release(&set, &memory);
    }
    if (inside < asked / 10 || inside > asked - asked / 10) fail_msg("only %u of %u places inside", inside, asked);
}

static void test_free_place_beside_a_square(void **state) {
    (void)state;
    const double square[] = {-1, -1, 1, -1, 1, 1, -1, 1};
    const throng_wall wall = wall_of(THRONG_WALL_SOLID, 4, square);
    throng_wall_set set;
    build(&set, &wall, 1);
    double place[2] = {7, 7};
    // The four sides are as near: the smallest x wins.
    assert_true(throng_wall_place_find_free(&set, everyone, 0, 0, 0.25, 10, place));
    assert_near(place[0], -1.25 - THRONG_WALL_SKIN, 1e-8);
    assert_near(place[1], 0.0, 1e-8);
    assert_true(throng_wall_place_find_free(&set, everyone, 0.9, 0.2, 0.25, 10, place));
    assert_near(place[0], 1.25 + THRONG_WALL_SKIN, 1e-8);
    assert_near(place[1], 0.2, 1e-8);
    // Outside, overlapping a corner: straight away from it.
    assert_true(throng_wall_place_find_free(&set, everyone, 1.1, 1.1, 0.25, 10, place));
    const double diagonal = 1.0 + (0.25 + THRONG_WALL_SKIN) * sqrt(0.5);
    assert_near(place[0], diagonal, 1e-8);
    assert_near(place[1], diagonal, 1e-8);
    // A free place is kept, bit for bit, and touching is free.
    assert_true(throng_wall_place_find_free(&set, everyone, 1.25, 0.3, 0.25, 10, place));
    assert_true(place[0] == 1.25 && place[1] == 0.3);
    // Out of range: nothing changes.
    assert_false(throng_wall_place_find_free(&set, everyone, 0, 0, 0.25, 1.2, place));
    assert_true(place[0] == 1.25 && place[1] == 0.3);
    throng_wall_set_release(&set, &memory);
}

static void test_free_place_needs_room(void **state) {
    (void)state;
    const double room[] = {0, 0, 1, 0, 1, 1, 0, 1};
    const throng_wall wall = wall_of(THRONG_WALL_ENCLOSURE, 4, room);
    throng_wall_set set;
    build(&set, &wall, 1);
    double place[2];
    assert_false(throng_wall_place_find_free(&set, everyone, 0.5, 0.5, 0.6, 1e300, place));
    assert_false(throng_wall_place_find_free(&set, everyone, 50, 0.5, 0.3, 10, place));
    // From outside into the room, around its corner of offset curves.
    assert_true(throng_wall_place_find_free(&set, everyone, 50, 90, 0.3, INFINITY, place));
    assert_near(place[0], 0.7 - THRONG_WALL_SKIN, 1e-8);
    assert_near(place[1], 0.7 - THRONG_WALL_SKIN, 1e-8);
    // A room that fits the disc exactly: its middle is free.
    assert_true(throng_wall_place_find_free(&set, everyone, 0.5, 0.5, 0.5, 1, place));
    throng_wall_set_release(&set, &memory);
}

static void test_free_place_is_the_nearest(void **state) {
    (void)state;
    static wall_scene scene;
    uint32_t found = 0;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        uint64_t random = seed * 7907;
        const double origin = seed % 3 == 0 ? 5.9e6 : 0.0;
        scene_random(&scene, &random, origin, origin, 3.0);
        if (seed % 4 == 0) {
            scene_wall(&scene, THRONG_WALL_ENCLOSURE);
            for (int i = 0; i < 5; i++) {
                scene_point(&scene, origin + 4.0 * cos(1.2566 * i), origin + 4.0 * sin(1.2566 * i));
            }
        }
        throng_wall_set set;
        build(&set, scene.walls, scene.count);
        for (int i = 0; i < 12; i++) {
            const double radius = (float)uniform(&random, 0.0, 0.8);
            const double x = origin + uniform(&random, -4, 4);
            const double y = origin + uniform(&random, -4, 4);
            if (throng_wall_place_is_free(&set, everyone, x, y, radius)) continue;
            double place[2];
            const double range = 6.0;
            double distance = range;
            if (throng_wall_place_find_free(&set, everyone, x, y, radius, range, place)) {
                distance = hypot(place[0] - x, place[1] - y);
                const long double gap = oracle_distance(scene.walls, scene.count, place[0], place[1]) - radius;
                if (gap < 0 || distance > range || oracle_solid(scene.walls, scene.count, place[0], place[1])) {
                    fail_msg("seed %llu: (%.17g, %.17g) is not free: gap %Lg, %g m away", (unsigned long long)seed,
                             place[0], place[1], gap, distance);
                }
                found++;
            }
            // No place that is free by a hair's breadth lies nearer.
            for (int j = 0; j < 600; j++) {
                const double angle = uniform(&random, 0, 6.2831853);
                const double reach = distance * sqrt(uniform(&random, 0, 1)) - 1e-5;
                const double px = x + reach * cos(angle);
                const double py = y + reach * sin(angle);
                if (oracle_distance(scene.walls, scene.count, px, py) > radius + 1e-5L &&
                    !oracle_solid(scene.walls, scene.count, px, py)) {
                    fail_msg("seed %llu, radius %g: from (%.17g, %.17g) to (%.17g, %.17g) is %g m, found %g m",
                             (unsigned long long)seed, radius, x, y, px, py, reach, distance);
                }
            }
        }
        throng_wall_set_release(&set, &memory);
    }
    assert_true(found > 500);
}

static void test_sight(void **state) {
    (void)state;
    const double line[] = {0, -50, 0, 50};
    const double jamb[] = {5, 1, 5, 50};
    const throng_wall walls[] = {wall_of(THRONG_WALL_LINE, 2, line), wall_of(THRONG_WALL_LINE, 2, jamb)};
    throng_wall_set set;
    build(&set, walls, 2);
    const struct {
        double from[2], to[2], radius;
        bool sees;
    } cases[] = {
        {{-1, 0}, {1, 0}, 0, false},     {{-1, 0}, {-1e-3, 40}, 0, true},    {{-1, 0}, {-0.1, 40}, 0.25, false},
        {{1, 0}, {9, 0}, 0.25, true},    {{1, 0}, {9, 1.5}, 0.25, false},    {{1, 0}, {9, 0.5}, 0.8, false},
        {{1, 0.4}, {9, 0.4}, 0.6, true}, {{1, 0.4}, {9, 0.4}, 0.601, false}, {{5, 60}, {5, 0}, 0, false},
        {{-1, 51}, {1, 51}, 0.9, true},  {{3, 3}, {3, 3}, 2, true},          {{3, 3}, {3, 3}, 2.1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool there = throng_wall_place_sees(&set, everyone, cases[i].from, cases[i].to, cases[i].radius);
        const bool back = throng_wall_place_sees(&set, everyone, cases[i].to, cases[i].from, cases[i].radius);
        if (there != cases[i].sees || back != there) fail_msg("case %zu: %d there, %d back", i, there, back);
    }
    assert_true(throng_wall_place_sees(&set, nobody, cases[0].from, cases[0].to, 0));
    throng_wall_set_release(&set, &memory);
}

typedef struct sight_check {
    const double *from, *to;
    long double least;
} sight_check;

static bool visit_sight(void *context, const double *a, const double *b) {
    sight_check *check = context;
    const long double distance = oracle_way_distance(a, b, check->from[0], check->from[1], check->to[0], check->to[1]);
    if (distance < check->least) check->least = distance;
    return true;
}

static void test_sight_agrees_with_searching(void **state) {
    (void)state;
    static wall_scene scene;
    static uint32_t pieces[1000];
    for (uint64_t seed = 1; seed <= 500; seed++) {
        uint64_t random = seed * 3557;
        const double origin = seed % 3 == 0 ? 5.9e6 : 0.0;
        scene_random(&scene, &random, origin, origin, 5.0);
        throng_wall_set set;
        build(&set, scene.walls, scene.count);
        assert_true(set.piece_count <= sizeof pieces / sizeof pieces[0]);
        for (uint32_t i = 0; i < set.piece_count; i++) pieces[i] = i;
        for (int i = 0; i < 20; i++) {
            double from[2];
            double to[2];
            for (int axis = 0; axis < 2; axis++) {
                from[axis] = origin + uniform(&random, -6, 6);
                to[axis] = origin + uniform(&random, -6, 6);
            }
            const double radius = i % 2 ? 0.0 : uniform(&random, 0, 0.5);
            sight_check check = {from, to, INFINITY};
            oracle_pieces(scene.walls, scene.count, visit_sight, &check);
            if (fabsl(check.least - radius) < 3e-6L) continue;
            const bool sees = throng_wall_place_sees(&set, everyone, from, to, radius);
            if (sees != (check.least > radius) || sees != throng_wall_place_sees(&set, everyone, to, from, radius)) {
                fail_msg("seed %llu, way %d: sees %d, %Lg m from a wall", (unsigned long long)seed, i, sees,
                         check.least);
            }
            if (sees != throng_wall_place_sees_past(&set, pieces, set.piece_count, everyone, from, to, radius)) {
                fail_msg("seed %llu, way %d: past all pieces it sees otherwise", (unsigned long long)seed, i);
            }
        }
        throng_wall_set_release(&set, &memory);
    }
}

static void check_near(const throng_wall_set *set, const throng_wall_seekers *seekers, uint32_t mask, int seeker,
                       const throng_wall_near *near, uint64_t seed) {
    uint32_t within = 0;
    for (uint32_t i = 0; i < set->piece_count; i++) {
        const double a[] = {set->segment[i].ax, set->segment[i].ay};
        const double b[] = {set->segment[i].bx, set->segment[i].by};
        const double distance = (double)oracle_point_distance(a, b, seekers->x[seeker], seekers->y[seeker]);
        if ((set->segment[i].layer & mask) == 0 || distance > seekers->reach[seeker]) continue;
        within++;
        bool listed = false;
        for (uint32_t j = 0; j < near->count; j++) listed = listed || near->piece[j] == i;
        const bool nearer = near->count > 0 && distance * distance < near->squared[near->count - 1] - 1e-9;
        if (!listed && (near->count < THRONG_WALL_NEAR_MAX || nearer)) {
            fail_msg("seed %llu, seeker %d: piece %u, %g m away, is missing", (unsigned long long)seed, seeker, i,
                     distance);
        }
    }
    assert_int_equal(near->count + near->cut, within);
    for (uint32_t j = 1; j < near->count; j++) {
        if (near->squared[j] < near->squared[j - 1] ||
            (near->squared[j] == near->squared[j - 1] && near->piece[j] <= near->piece[j - 1])) {
            fail_msg("seed %llu, seeker %d: entry %u is out of order", (unsigned long long)seed, seeker, j);
        }
    }
}

static void test_nearest_pieces(void **state) {
    (void)state;
    enum { COUNT = 60 };
    double points[COUNT][4];
    throng_wall walls[COUNT];
    uint32_t pieces[COUNT];
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed * 6151;
        for (uint32_t i = 0; i < COUNT; i++) {
            for (int j = 0; j < 4; j++) points[i][j] = floor(uniform(&random, -4, 4)); // many ties
            walls[i] = wall_of(THRONG_WALL_LINE, 2, points[i]);
            walls[i].layer = 1 + below(&random, 3);
        }
        throng_wall_set set;
        build(&set, walls, COUNT);
        for (uint32_t i = 0; i < set.piece_count; i++) pieces[i] = i;
        for (uint32_t i = set.piece_count; i-- > 1;) {
            const uint32_t at = below(&random, i + 1);
            const uint32_t kept = pieces[i];
            pieces[i] = pieces[at];
            pieces[at] = kept;
        }
        throng_wall_seekers seekers;
        throng_wall_filter filters[THRONG_LANES];
        for (int i = 0; i < THRONG_LANES; i++) {
            seekers.x[i] = floor(uniform(&random, -4, 4));
            seekers.y[i] = floor(uniform(&random, -4, 4));
            seekers.reach[i] = i == 3 ? -1.0 : uniform(&random, 0, 4);
            filters[i] = throng_wall_filter_of(below(&random, 2) ? 1 : 3);
        }
        static const char *const names[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            const throng_kernels *kernels = throng_kernels_select(names[k]);
            if (!kernels) continue;
            throng_wall_near near[THRONG_LANES];
            throng_wall_near_find(kernels, &set, pieces, set.piece_count, &seekers, filters, near);
            for (int i = 0; i < THRONG_LANES; i++) check_near(&set, &seekers, filters[i].mask, i, &near[i], seed);
        }
        throng_wall_set_release(&set, &memory);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solid_square),
        cmocka_unit_test(test_solid_within_an_enclosure),
        cmocka_unit_test(test_solid_agrees_with_turning),
        cmocka_unit_test(test_free_place_beside_a_square),
        cmocka_unit_test(test_free_place_needs_room),
        cmocka_unit_test(test_free_place_is_the_nearest),
        cmocka_unit_test(test_sight),
        cmocka_unit_test(test_sight_agrees_with_searching),
        cmocka_unit_test(test_nearest_pieces),
    };
    return cmocka_run_group_tests(tests, wall_memory, NULL);
}
