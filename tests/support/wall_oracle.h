// Random walls, and what an independent eye sees of them: distances straight from the walls as given, in long double,
// by searching instead of by formula.
#ifndef THRONG_TESTS_WALL_ORACLE_H
#define THRONG_TESTS_WALL_ORACLE_H

#include <throng/map.h>

#include <cmocka.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

/// Fails with both values unless they are within `tolerance`.
#define assert_near(value, wanted, tolerance) assert_near_at(value, wanted, tolerance, #value, __LINE__)

static inline void assert_near_at(double value, double wanted, double tolerance, const char *what, int line) {
    if (!(fabs(value - wanted) <= tolerance)) {
        fail_msg("line %d: %s is %.17g, should be %.17g within %g", line, what, value, wanted, tolerance);
    }
}

static inline uint64_t next_random(uint64_t *state) {
    // Knuth's MMIX generator, its high bits stirred in.
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = *state;
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    return x ^ (x >> 33);
}

static inline double uniform(uint64_t *state, double low, double high) {
    return low + (high - low) * ((double)(next_random(state) >> 11) / 9007199254740992.0);
}

static inline uint32_t below(uint64_t *state, uint32_t count) {
    return (uint32_t)(next_random(state) % count);
}

enum { ORACLE_WALLS = 24, ORACLE_POINTS = 20 };

typedef struct wall_scene {
    throng_wall walls[ORACLE_WALLS];
    double points[ORACLE_WALLS][2 * ORACLE_POINTS];
    uint32_t count;
} wall_scene;

static inline throng_wall *scene_wall(wall_scene *scene, throng_wall_kind kind) {
    throng_wall *wall = &scene->walls[scene->count];
    *wall = (throng_wall){.kind = kind, .points = scene->points[scene->count], .layer = UINT32_MAX};
    scene->count++;
    return wall;
}

static inline void scene_point(wall_scene *scene, double x, double y) {
    throng_wall *wall = &scene->walls[scene->count - 1];
    scene->points[scene->count - 1][2 * wall->point_count] = x;
    scene->points[scene->count - 1][2 * wall->point_count + 1] = y;
    wall->point_count++;
}

/// Walls of every awkward sort within `size` of (x, y): lines, zigzags, wedges, points, repeated pieces, polygons of
/// either winding, lattices with exact contacts.
static inline void scene_random(wall_scene *scene, uint64_t *random, double x, double y, double size) {
    scene->count = 0;
    const uint32_t count = 1 + below(random, 10);
    const bool lattice = below(random, 4) == 0;
    while (scene->count < count) {
        const uint32_t sort = below(random, 6);
        const double cx = x + uniform(random, -size, size);
        const double cy = y + uniform(random, -size, size);
        const double extent = size * uniform(random, 0.0, 0.7);
        if (sort == 0) {
            scene_wall(scene, THRONG_WALL_LINE);
            scene_point(scene, cx, cy);
            if (below(random, 3) == 0) scene_point(scene, cx, cy);
        } else if (sort == 1) {
            // An acute wedge.
            const double ax = uniform(random, -extent, extent);
            const double ay = uniform(random, -extent, extent);
            const double opening = uniform(random, 0.0, 0.2);
            scene_wall(scene, THRONG_WALL_LINE);
            scene_point(scene, cx + ax, cy + ay);
            scene_point(scene, cx, cy);
            scene_point(scene, cx + ax - opening * ay, cy + ay + opening * ax);
        } else if (sort == 2) {
            const uint32_t corners = 3 + below(random, 6);
            const double turn = below(random, 2) ? 1.0 : -1.0;
            scene_wall(scene, THRONG_WALL_SOLID);
            for (uint32_t i = 0; i < corners; i++) {
                const double angle = turn * 6.283185307179586 * i / corners;
                const double reach = extent * uniform(random, 0.3, 1.0);
                scene_point(scene, cx + reach * cos(angle), cy + reach * sin(angle));
                if (below(random, 8) == 0) scene_point(scene, cx + reach * cos(angle), cy + reach * sin(angle));
            }
        } else if (sort == 3 && scene->count > 0) {
            // An earlier wall again, backwards.
            const throng_wall old = scene->walls[below(random, scene->count)];
            scene_wall(scene, old.kind);
            for (uint32_t i = old.point_count; i-- > 0;) {
                scene_point(scene, old.points[2 * i], old.points[2 * i + 1]);
            }
        } else {
            const uint32_t corners = 2 + below(random, 5);
            scene_wall(scene, THRONG_WALL_LINE);
            for (uint32_t i = 0; i < corners; i++) {
                const double px = cx + uniform(random, -extent, extent);
                const double py = cy + uniform(random, -extent, extent);
                scene_point(scene, px, py);
            }
        }
    }
    if (!lattice) return;
    for (uint32_t i = 0; i < scene->count; i++) {
        for (uint32_t j = 0; j < 2 * scene->walls[i].point_count; j++) {
            scene->points[i][j] = 0.25 * floor(scene->points[i][j] / 0.25);
        }
    }
}

static inline long double oracle_point_distance(const double *a, const double *b, long double x, long double y) {
    const long double dx = (long double)b[0] - a[0];
    const long double dy = (long double)b[1] - a[1];
    const long double squared = dx * dx + dy * dy;
    long double t = squared > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / squared : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const long double ex = x - a[0] - t * dx;
    const long double ey = y - a[1] - t * dy;
    return sqrtl(ex * ex + ey * ey);
}

/// The least distance between segment a b and the straight way: convex along the way, so thirds close in on it.
static inline long double oracle_way_distance(const double *a, const double *b, double x, double y, double to_x,
                                              double to_y) {
    const long double dx = (long double)to_x - x;
    const long double dy = (long double)to_y - y;
    long double low = 0;
    long double high = 1;
    for (int i = 0; i < 80; i++) {
        const long double first = low + (high - low) / 3;
        const long double second = high - (high - low) / 3;
        if (oracle_point_distance(a, b, x + first * dx, y + first * dy) <
            oracle_point_distance(a, b, x + second * dx, y + second * dy)) {
            high = second;
        } else {
            low = first;
        }
    }
    const long double inside = oracle_point_distance(a, b, x + low * dx, y + low * dy);
    const long double start = oracle_point_distance(a, b, x, y);
    const long double end = oracle_point_distance(a, b, to_x, to_y);
    const long double least = start < end ? start : end;
    return inside < least ? inside : least;
}

/// Calls `visit` for every piece of the walls as given; stops when it returns false.
typedef bool oracle_visit(void *context, const double *a, const double *b);

static inline void oracle_pieces(const throng_wall *walls, uint32_t count, oracle_visit *visit, void *context) {
    for (uint32_t i = 0; i < count; i++) {
        const throng_wall *wall = &walls[i];
        const uint32_t n = wall->point_count;
        const uint32_t pieces = wall->kind == THRONG_WALL_LINE && n > 1 ? n - 1 : n;
        bool extended = false;
        for (uint32_t j = 0; j < pieces; j++) {
            const double *a = wall->points + 2 * j;
            const double *b = wall->points + 2 * ((j + 1) % n);
            // A repeated point is no piece of its own, unless the wall is nothing else.
            const bool repeated = a[0] == b[0] && a[1] == b[1];
            if (repeated && (extended || j + 1 < pieces)) continue;
            extended = true;
            if (!visit(context, a, b)) return;
        }
    }
}

typedef struct oracle_nearest {
    double x, y;
    long double distance;
} oracle_nearest;

static inline bool oracle_visit_nearest(void *context, const double *a, const double *b) {
    oracle_nearest *nearest = context;
    const long double distance = oracle_point_distance(a, b, nearest->x, nearest->y);
    if (distance < nearest->distance) nearest->distance = distance;
    return true;
}

/// The distance of a place to the nearest wall.
static inline long double oracle_distance(const throng_wall *walls, uint32_t count, double x, double y) {
    oracle_nearest nearest = {x, y, INFINITY};
    oracle_pieces(walls, count, oracle_visit_nearest, &nearest);
    return nearest.distance;
}

/// Whether a place is within a closed wall: whether its border turns around the place an odd number of times, by adding
/// up angles.
static inline bool oracle_turns_around(const throng_wall *wall, double x, double y) {
    double sum = 0.0;
    for (uint32_t i = 0; i < wall->point_count; i++) {
        const double *a = wall->points + 2 * i;
        const double *b = wall->points + 2 * ((i + 1) % wall->point_count);
        const double ax = a[0] - x;
        const double ay = a[1] - y;
        const double bx = b[0] - x;
        const double by = b[1] - y;
        sum += atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    return (long)lround(sum / 6.283185307179586) % 2 != 0;
}

/// Inside a solid or outside an enclosure.
static inline bool oracle_solid(const throng_wall *walls, uint32_t count, double x, double y) {
    for (uint32_t i = 0; i < count; i++) {
        if (walls[i].kind == THRONG_WALL_LINE) continue;
        if (oracle_turns_around(&walls[i], x, y) == (walls[i].kind == THRONG_WALL_SOLID)) return true;
    }
    return false;
}

#endif
