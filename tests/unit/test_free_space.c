// Free ground: against the walls themselves at places of chance, and as text out and back in.
#include "record/free_space.h" // before cmocka.h, which defines fail as a macro

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 1;

// Marsaglia's xorshift.
static double random_in(double low, double high) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return low + (high - low) * (double)(random_state >> 11) / 9007199254740992.0;
}

// The sum of the angles under which the edges are seen, in turns: another way than the code's.
static int winding(const double *points, uint32_t count, double x, double y) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double *a = points + 2 * i, *b = points + 2 * ((i + 1) % count);
        double ax = a[0] - x, ay = a[1] - y, bx = b[0] - x, by = b[1] - y;
        sum += atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    return (int)lround(sum / (2 * acos(-1.0)));
}

static double distance_to_segment(const double *a, const double *b, double x, double y) {
    double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    double part = square > 0 ? fmax(0, fmin(1, ((x - a[0]) * dx + (y - a[1]) * dy) / square)) : 0;
    return hypot(x - a[0] - part * dx, y - a[1] - part * dy);
}

// Whether the walls leave a place free: 1, 0, or -1 too near to an edge to say.
static int is_free(const throng_wall *walls, uint32_t count, double x, double y) {
    bool free_place = true;
    for (uint32_t i = 0; i < count; i++) {
        const throng_wall *wall = &walls[i];
        bool line = wall->kind == THRONG_WALL_LINE;
        uint32_t edges = line ? wall->point_count - 1 : wall->point_count;
        double nearest = INFINITY;
        for (uint32_t k = 0; k < edges; k++) {
            const double *a = wall->points + 2 * k, *b = wall->points + 2 * ((k + 1) % wall->point_count);
            nearest = fmin(nearest, distance_to_segment(a, b, x, y));
        }
        if (line ? nearest < 0.0075 : nearest < 1e-4) return -1; // a line is 5 mm to each side, and square at its ends
        if (line) continue;
        bool inside = winding(wall->points, wall->point_count, x, y) != 0;
        if (inside != (wall->kind == THRONG_WALL_ENCLOSURE)) free_place = false;
    }
    return free_place;
}

// Whether the polygons hold a place.
static bool holds(const free_space *space, double x, double y) {
    bool inside = false;
    for (uint32_t i = 0; i < space->ring_count; i++) {
        const free_ring *ring = &space->rings[i];
        if (winding(&space->points[ring->first][0], ring->count, x, y) != 0) inside = !ring->hole;
        if (inside && !ring->hole) { // in this one, unless in one of its holes
            for (uint32_t k = i + 1; k < space->ring_count && space->rings[k].hole; k++) {
                const free_ring *hole = &space->rings[k];
                if (winding(&space->points[hole->first][0], hole->count, x, y) != 0) inside = false;
            }
            if (inside) return true;
        }
    }
    return false;
}

static double area(const free_space *space, const free_ring *ring) {
    double sum = 0;
    for (uint32_t i = 0; i < ring->count; i++) {
        const double *a = space->points[ring->first + i], *b = space->points[ring->first + (i + 1) % ring->count];
        sum += (a[0] * b[1] - b[0] * a[1]) / 2;
    }
    return sum;
}

// What valid polygons are, as far as it is not told by the places.
static void check_rings(const free_space *space) {
    for (uint32_t i = 0; i < space->ring_count; i++) {
        const free_ring *ring = &space->rings[i];
        assert_true(ring->count >= 3);
        if ((area(space, ring) < 0) != ring->hole) {
            fail_msg("ring %u: hole %d with area %g", i, ring->hole, area(space, ring));
        }
        for (uint32_t a = 0; a < ring->count; a++) {
            for (uint32_t b = a + 1; b < ring->count; b++) {
                const double *p = space->points[ring->first + a], *q = space->points[ring->first + b];
                if (p[0] == q[0] && p[1] == q[1]) fail_msg("ring %u comes to (%g, %g) twice", i, p[0], p[1]);
            }
        }
    }
    if (space->ring_count > 0) assert_false(space->rings[0].hole);
}

static void check_text(const free_space *space) {
    char *text = free_space_text(space);
    assert_non_null(text);
    free_space again;
    failure why;
    if (!free_space_read(text, &again, &why)) fail_msg("%s: %s", text, why.text);
    assert_int_equal(again.ring_count, space->ring_count);
    char *text_again = free_space_text(&again);
    assert_non_null(text_again);
    assert_string_equal(text, text_again);
    free(text_again);
    free(text);
    free_space_clear(&again);
}

static const double nothing_min[2] = {1, 1}, nothing_max[2] = {0, 0};

static uint32_t count_outer(const free_space *space) {
    uint32_t outer = 0;
    for (uint32_t i = 0; i < space->ring_count; i++) outer += !space->rings[i].hole;
    return outer;
}

static void check_walls(const throng_wall *walls, uint32_t count, uint32_t outer, uint32_t holes, double whole) {
    failure why;
    free_space space;
    if (!free_space_make(walls, count, nothing_min, nothing_max, &space, &why)) fail_msg("%s", why.text);
    double sum = 0;
    for (uint32_t i = 0; i < space.ring_count; i++) sum += area(&space, &space.rings[i]);
    char *text = free_space_text(&space);
    if (count_outer(&space) != outer || space.ring_count - count_outer(&space) != holes || fabs(sum - whole) > 1e-6) {
        fail_msg("expected %u outer rings, %u holes, area %.9g; got area %.9g: %s", outer, holes, whole, sum, text);
    }
    free(text);
    check_rings(&space);
    check_text(&space);
    free_space_clear(&space);
}

static void test_known_walls(void **state) {
    (void)state;
    double unit[] = {0, 0, 1, 0, 1, 1, 0, 1}, beside[] = {1, 0, 2, 0, 2, 1, 1, 1}, corner[] = {1, 1, 2, 1, 2, 2, 1, 2};
    double within[] = {0.2, 0.2, 0.8, 0.2, 0.5, 0.8}, big[] = {-4, -4, 6, -4, 6, 6, -4, 6};
    double bar[] = {-5, -1, 7, -1, 7, -2, -5, -2}, bow[] = {0, 0, 2, 2, 2, 0, 0, 2},
           backwards[] = {0, 0, 0, 1, 1, 1, 1, 0};
    double frame_low[] = {0, 0, 3, 0, 3, 1, 0, 1}, frame_high[] = {0, 2, 3, 2, 3, 3, 0, 3};
    double frame_left[] = {0, 0, 1, 0, 1, 3, 0, 3}, frame_right[] = {2, 0, 3, 0, 3, 3, 2, 3};
    check_walls(NULL, 0, 1, 0, 4); // 1 m around nothing
    throng_wall one[] = {{THRONG_WALL_SOLID, 4, unit, 1}};
    check_walls(one, 1, 1, 1, 8);
    one[0].points = backwards;
    check_walls(one, 1, 1, 1, 8);
    throng_wall along[] = {{THRONG_WALL_SOLID, 4, unit, 1}, {THRONG_WALL_SOLID, 4, beside, 1}};
    check_walls(along, 2, 1, 1, 12 - 2); // one hole: they share a side
    throng_wall touching[] = {{THRONG_WALL_SOLID, 4, unit, 1}, {THRONG_WALL_SOLID, 4, corner, 1}};
    check_walls(touching, 2, 1, 2, 16 - 2); // two holes that share a corner
    throng_wall nested[] = {{THRONG_WALL_SOLID, 4, unit, 1}, {THRONG_WALL_SOLID, 3, within, 1}};
    check_walls(nested, 2, 1, 1, 8);
    throng_wall twice[] = {{THRONG_WALL_SOLID, 4, unit, 1}, {THRONG_WALL_SOLID, 4, backwards, 1}};
    check_walls(twice, 2, 1, 1, 8);
    throng_wall room[] = {{THRONG_WALL_ENCLOSURE, 4, big, 1}, {THRONG_WALL_SOLID, 4, unit, 1}};
    check_walls(room, 2, 1, 1, 99);
    throng_wall parted[] = {{THRONG_WALL_ENCLOSURE, 4, big, 1}, {THRONG_WALL_SOLID, 4, bar, 1}};
    check_walls(parted, 2, 2, 0, 90); // the bar goes from wall to wall
    throng_wall crossed[] = {{THRONG_WALL_SOLID, 4, bow, 1}};
    check_walls(crossed, 1, 1, 2, 16 - 2); // a bow tie is solid in both wings
    throng_wall yard[] = {{THRONG_WALL_SOLID, 4, frame_low, 1},
                          {THRONG_WALL_SOLID, 4, frame_high, 1},
                          {THRONG_WALL_SOLID, 4, frame_left, 1},
                          {THRONG_WALL_SOLID, 4, frame_right, 1}};
    check_walls(yard, 4, 2, 1, 25 - 8); // the yard within is free ground too
}

static void test_only_where_agents_are(void **state) {
    (void)state;
    double big[] = {-4, -4, 6, -4, 6, 6, -4, 6}, bar[] = {-5, -1, 7, -1, 7, -2, -5, -2},
           box[] = {0, 0, 1, 0, 1, 1, 0, 1};
    throng_wall walls[] = {
        {THRONG_WALL_ENCLOSURE, 4, big, 1}, {THRONG_WALL_SOLID, 4, bar, 1}, {THRONG_WALL_SOLID, 4, box, 1}};
    const double above[][2] = {{3, 3}}, below[][2] = {{0.5, 0.5}, {0, -3}}, nowhere[][2] = {{0.5, 0.5}};
    const struct {
        const double (*places)[2];
        uint64_t count;
        uint32_t rings;
        double low;
    } cases[] = {{above, 1, 2, -1}, {below, 2, 1, -4}, {nowhere, 1, 3, -4}, {NULL, 0, 3, -4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        failure why;
        free_space space;
        assert_true(free_space_make(walls, 3, nothing_min, nothing_max, &space, &why));
        free_space_keep(&space, cases[i].places, cases[i].count);
        assert_int_equal(space.ring_count, cases[i].rings);
        double min[2], max[2];
        assert_true(free_space_bounds(&space, min, max));
        assert_true(min[1] == cases[i].low);
        check_text(&space);
        free_space_clear(&space);
    }
}

enum { MOST_WALLS = 24 };

// Walls of chance: boxes on a coarse lattice (that touch and share corners and sides), triangles, lines.
static uint32_t make_walls(throng_wall *walls, double (*points)[8]) {
    uint32_t count = 1 + (uint32_t)random_in(0, MOST_WALLS - 1);
    for (uint32_t i = 0; i < count; i++) {
        double kind = random_in(0, 1), *p = points[i];
        if (kind < 0.6) {
            double x = floor(random_in(0, 12)), y = floor(random_in(0, 12));
            double wide = 1 + floor(random_in(0, 4)), high = 1 + floor(random_in(0, 4));
            const double box[8] = {x, y, x + wide, y, x + wide, y + high, x, y + high};
            memcpy(p, box, sizeof box);
            walls[i] = (throng_wall){THRONG_WALL_SOLID, 4, p, 1};
        } else {
            for (int k = 0; k < 6; k++) p[k] = random_in(0, 15);
            walls[i] = (throng_wall){kind < 0.9 ? THRONG_WALL_SOLID : THRONG_WALL_LINE, 3, p, 1};
        }
    }
    if (random_in(0, 1) < 0.5) {
        const double room[8] = {1, 1, 13, 1, 13, 14, 1, 14};
        memcpy(points[0], room, sizeof room);
        walls[0] = (throng_wall){THRONG_WALL_ENCLOSURE, 4, points[0], 1};
    }
    return count;
}

static void test_places_of_chance(void **state) {
    (void)state;
    int told = 0, free_places = 0;
    for (int round = 0; round < 400; round++) {
        uint64_t seed = random_state;
        throng_wall walls[MOST_WALLS];
        double points[MOST_WALLS][8];
        uint32_t count = make_walls(walls, points);
        failure why;
        free_space space;
        const double min[2] = {-1, -1}, max[2] = {16, 16};
        if (!free_space_make(walls, count, min, max, &space, &why)) fail_msg("%s", why.text);
        check_rings(&space);
        check_text(&space);
        for (int k = 0; k < 200; k++) {
            double x = random_in(-1.9, 16.9), y = random_in(-1.9, 16.9);
            int expected = is_free(walls, count, x, y);
            if (expected < 0) continue;
            told++;
            free_places += expected;
            if (holds(&space, x, y) != (expected == 1)) {
                char *text = free_space_text(&space);
                fail_msg("seed %" PRIu64 ": (%.9g, %.9g) should be %s: %s", seed, x, y, expected ? "free" : "solid",
                         text);
            }
        }
        free_space_clear(&space);
    }
    assert_true(told > 50000 && free_places > 10000 && free_places < told - 10000);
}

// A scene in map coordinates keeps its micrometres.
static void test_far_from_origin(void **state) {
    (void)state;
    const double east = 456789.125, north = 5912345.25;
    double box[8] = {0, 0, 2.5, 0, 2.5, 1.5, 0, 1.5};
    for (int i = 0; i < 4; i++) {
        box[2 * i] += east;
        box[2 * i + 1] += north;
    }
    throng_wall wall = {THRONG_WALL_SOLID, 4, box, 1};
    failure why;
    free_space space;
    assert_true(free_space_make(&wall, 1, nothing_min, nothing_max, &space, &why));
    assert_int_equal(space.ring_count, 2);
    double min[2], max[2];
    free_space_bounds(&space, min, max);
    assert_true(min[0] == east - 1 && min[1] == north - 1 && max[0] == east + 3.5 && max[1] == north + 2.5);
    free_space_clear(&space);
}

static void test_wrong_text(void **state) {
    (void)state;
    const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "expected POLYGON"},
        {"POINT (1 2)", "expected POLYGON"},
        {"POLYGON", "expected '('"},
        {"POLYGON (", "expected '('"},
        {"POLYGON ((0 0, 1", "expected a number"},
        {"POLYGON ((0 0, 1 x", "expected a number"},
        {"POLYGON ((0 0, 1 nan, 1 1, 0 0))", "expected a number"},
        {"POLYGON ((0 0, 1 0, 1 1, 0 0)", "expected ',' or ')'"},
        {"POLYGON ((0 0, 1 0, 1 1, 0 0)) x", "expected the end"},
        {"GEOMETRYCOLLECTION (LINESTRING (0 0, 1 1))", "expected POLYGON"},
        {"MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0))", "expected ',' or ')'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        failure why;
        free_space space;
        if (free_space_read(cases[i].text, &space, &why)) fail_msg("'%s' was read", cases[i].text);
        if (!strstr(why.text, cases[i].reason)) fail_msg("'%s': said '%s'", cases[i].text, why.text);
        assert_null(space.points);
    }
    const char *good[] = {
        "polygon((0 0,1 0,1 1,0 0),(.1 .1,.2 .2,.2 .1,.1 .1))",
        "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))",
        "GEOMETRYCOLLECTION(POLYGON((0 0,1 0,1 1,0 0)),POLYGON EMPTY)",
        "GEOMETRYCOLLECTION EMPTY",
    };
    const uint32_t rings[] = {2, 2, 1, 0};
    for (size_t i = 0; i < 4; i++) {
        failure why;
        free_space space;
        if (!free_space_read(good[i], &space, &why)) fail_msg("'%s': %s", good[i], why.text);
        assert_int_equal(space.ring_count, rings[i]);
        free_space_clear(&space);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_walls),      cmocka_unit_test(test_only_where_agents_are),
        cmocka_unit_test(test_places_of_chance), cmocka_unit_test(test_far_from_origin),
        cmocka_unit_test(test_wrong_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
