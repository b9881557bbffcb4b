// Random walls, speeds up to 20 m/s, time steps up to 1 s: nobody's disc ever reaches more than 1 mm into a still wall,
// nobody passes one, and no speed exceeds its maximum.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/worlds.h"

#ifdef THRONG_LONG_TESTS
static const uint64_t wanted_agent_steps = 100000000;
#else
static const uint64_t wanted_agent_steps = 1000000;
#endif

enum { CROWD = 200, STEPS = 50, MAX_WALLS = 24, MAX_POINTS = 6 };

typedef struct room {
    throng_wall walls[MAX_WALLS];
    double points[MAX_WALLS][2 * MAX_POINTS];
    uint32_t count;
    double size;
} room;

/// Lines, triangles and quadrilaterals, some of them touching, repeated or without length, in an enclosure.
static void build_room(room *r, uint64_t *random) {
    r->size = random_between(random, 8.0, 40.0);
    r->count = 4 + random_below(random, MAX_WALLS - 4);
    for (uint32_t w = 0; w < r->count; w++) {
        throng_wall *wall = &r->walls[w];
        const uint32_t kind = random_below(random, 4);
        *wall = (throng_wall){.kind = kind == 0 ? THRONG_WALL_SOLID : THRONG_WALL_LINE, .layer = 1};
        wall->point_count = wall->kind == THRONG_WALL_SOLID ? 3 + random_below(random, 2) : 1 + random_below(random, 5);
        wall->points = r->points[w];
        const double cx = random_between(random, -0.5, 0.5) * r->size, cy = random_between(random, -0.5, 0.5) * r->size;
        const double spread = random_between(random, 0.0, 0.3) * r->size;
        for (uint32_t i = 0; i < wall->point_count; i++) {
            r->points[w][2 * i] = cx + random_between(random, -1.0, 1.0) * spread;
            r->points[w][2 * i + 1] = cy + random_between(random, -1.0, 1.0) * spread;
        }
        if (w > 0 && random_below(random, 4) == 0) memcpy(r->points[w], r->points[w - 1], 2 * sizeof(double));
    }
    const double half = 0.5 * r->size;
    const double hall[8] = {-half, -half, half, -half, half, half, -half, half};
    memcpy(r->points[0], hall, sizeof hall);
    r->walls[0] = (throng_wall){THRONG_WALL_ENCLOSURE, 4, r->points[0], 1};
}

typedef struct point {
    double x, y;
} point;

static point corner(const throng_wall *wall, uint32_t i) {
    i %= wall->point_count;
    return (point){wall->points[2 * i], wall->points[2 * i + 1]};
}

static uint32_t piece_count(const throng_wall *wall) {
    if (wall->kind != THRONG_WALL_LINE) return wall->point_count;
    return wall->point_count > 1 ? wall->point_count - 1 : 1;
}

static double distance_to_piece(point p, point a, point b) {
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    double t = square > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/// The least distance from a place to any wall.
static double clearance(const room *r, point p) {
    double least = INFINITY;
    for (uint32_t w = 0; w < r->count; w++) {
        const throng_wall *wall = &r->walls[w];
        for (uint32_t i = 0; i < piece_count(wall); i++) {
            const uint32_t next = wall->kind == THRONG_WALL_LINE && wall->point_count == 1 ? i : i + 1;
            least = fmin(least, distance_to_piece(p, corner(wall, i), corner(wall, next)));
        }
    }
    return least;
}

static double side(point a, point b, point p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/// Whether the way p-q crosses a piece farther than `margin` from its ends (a way may bend round an end).
static bool passes(const room *r, point p, point q, double margin) {
    for (uint32_t w = 0; w < r->count; w++) {
        const throng_wall *wall = &r->walls[w];
        for (uint32_t i = 0; i < piece_count(wall) && wall->point_count > 1; i++) {
            const point a = corner(wall, i), b = corner(wall, i + 1);
            const double sp = side(a, b, p), sq = side(a, b, q), length = hypot(b.x - a.x, b.y - a.y);
            if (sp * sq >= 0.0 || length == 0.0) continue;
            const double t = sp / (sp - sq), x = p.x + t * (q.x - p.x), y = p.y + t * (q.y - p.y);
            const double along = ((x - a.x) * (b.x - a.x) + (y - a.y) * (b.y - a.y)) / length;
            if (along > margin && along < length - margin) return true;
        }
    }
    return false;
}

static void add_people(throng_world *world, const room *r, uint64_t *random, throng_agent_id *ids) {
    throng_agent_def defs[CROWD];
    for (int i = 0; i < CROWD; i++) {
        throng_agent_def *def = &defs[i];
        *def = throng_default_agent_def();
        def->position[0] = random_between(random, -0.5, 0.5) * r->size;
        def->position[1] = random_between(random, -0.5, 0.5) * r->size;
        def->radius = random_below(random, 10) ? (float)random_between(random, 0.05, 0.4) : 0.0f;
        def->max_speed = (float)random_between(random, 0.5, 20.0);
        def->preferred_speed = def->max_speed;
        def->obstacle_horizon = (float)random_between(random, 0.01, 2.0);
        if (random_below(random, 3) == 0) def->max_acceleration = (float)random_between(random, 0.1, 10.0);
        const bool wish = random_below(random, 2);
        def->target.kind = wish ? THRONG_TARGET_VELOCITY : THRONG_TARGET_POINT;
        def->target.x = random_between(random, -1.0, 1.0) * (wish ? 20.0 : r->size);
        def->target.y = random_between(random, -1.0, 1.0) * (wish ? 20.0 : r->size);
    }
    must(throng_agents_add(world, defs, CROWD, ids));
}

typedef struct people {
    double place[CROWD][2];
    float velocity[CROWD][2], radius[CROWD], max_speed[CROWD];
    uint8_t outside[CROWD];
} people;

static void look(const throng_world *world, const throng_agent_id *ids, people *seen) {
    must(throng_agents_read(world, THRONG_FIELD_POSITION, ids, CROWD, seen->place));
    must(throng_agents_read(world, THRONG_FIELD_VELOCITY, ids, CROWD, seen->velocity));
    must(throng_agents_read(world, THRONG_FIELD_OUTSIDE, ids, CROWD, seen->outside));
}

static void run_room(uint64_t seed) {
    static room r;
    static people before, after;
    uint64_t random = seed;
    build_room(&r, &random);
    throng_map_def map_def = throng_default_map_def();
    map_def.walls = r.walls;
    map_def.wall_count = r.count;
    throng_map *map;
    must(throng_map_create(&map_def, &map));
    throng_world *world = make_world(NULL, map);
    throng_agent_id ids[CROWD];
    add_people(world, &r, &random, ids);
    must(throng_agents_read(world, THRONG_FIELD_RADIUS, ids, CROWD, before.radius));
    must(throng_agents_read(world, THRONG_FIELD_MAX_SPEED, ids, CROWD, before.max_speed));
    look(world, ids, &before);
    for (int i = 0; i < CROWD; i++) before.outside[i] = 1; // unknown until the first step
    const double time_step = random_below(&random, 4) ? random_between(&random, 0.01, 1.0) : 1.0;
    for (int step = 1; step <= STEPS; step++) {
        must(throng_world_step(world, time_step));
        look(world, ids, &after);
        for (int i = 0; i < CROWD; i++) {
            const double speed = hypot(after.velocity[i][0], after.velocity[i][1]);
            if (speed > before.max_speed[i] * (1.0 + 1e-5)) {
                fail_msg("seed %" PRIu64 ", step %d, agent %d: speed %.9g of at most %.9g", seed, step, i, speed,
                         before.max_speed[i]);
            }
            const point p = {before.place[i][0], before.place[i][1]}, q = {after.place[i][0], after.place[i][1]};
            if (!after.outside[i] && clearance(&r, q) < before.radius[i] - 1e-3) {
                fail_msg("seed %" PRIu64 ", step %d, agent %d: %.6f m into a wall", seed, step, i,
                         before.radius[i] - clearance(&r, q));
            }
            if (!before.outside[i] && passes(&r, p, q, before.radius[i] + 1e-6)) {
                fail_msg("seed %" PRIu64 ", step %d, agent %d: passed a wall from (%.9g, %.9g) to (%.9g, %.9g), radius %g, step %g",
                         seed, step, i, p.x, p.y, q.x, q.y, before.radius[i], time_step);
            }
        }
        memcpy(before.place, after.place, sizeof before.place);
        memcpy(before.outside, after.outside, sizeof before.outside);
    }
    throng_world_destroy(world);
    throng_map_release(map);
}

static void test_nobody_passes_a_wall(void **state) {
    (void)state;
    const uint64_t rooms = wanted_agent_steps / ((uint64_t)CROWD * STEPS);
    for (uint64_t seed = 1; seed <= rooms; seed++) run_room(seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nobody_passes_a_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
