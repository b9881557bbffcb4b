// A crowd of one kind is searched, paired and pushed apart by what the index packs; a stranger far away that differs
// sends all of it the general way. Both give the same bits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/worlds.h"

enum { CROWD = 300, STEPS = 15 };

typedef struct motion {
    double x[CROWD], y[CROWD];
    float velocity_x[CROWD], velocity_y[CROWD];
    float overlap;
} motion;

// A press around (0, 0) through which everybody wants; some stand on others. Large bodies that may be fast are pushed
// farther within a step than packed places reach.
static void add_press(throng_world *world, double size, bool large, throng_agent_id *ids) {
    uint64_t state = 5;
    throng_agent_def defs[CROWD];
    for (uint32_t i = 0; i < CROWD; i++) {
        defs[i] = throng_default_agent_def();
        defs[i].radius = (float)(large ? random_between(&state, 0.6, 1.0) : random_between(&state, 0.15, 0.3));
        if (large) defs[i].max_speed = 8.0f;
        defs[i].target.kind = i % 7 == 0 ? THRONG_TARGET_SEGMENT : THRONG_TARGET_POINT;
        for (int axis = 0; axis < 2; axis++) defs[i].position[axis] = random_between(&state, -0.5, 0.5) * size;
        defs[i].target.x = -defs[i].position[0];
        defs[i].target.y = random_between(&state, -0.5, 0.5) * size;
        defs[i].target.end_x = defs[i].target.x + 1.0;
        defs[i].target.end_y = defs[i].target.y;
        if (i % 10 == 9) memcpy(defs[i].position, defs[i - 1].position, sizeof defs[i].position);
    }
    must(throng_agents_add(world, defs, CROWD, ids));
}

static void run(double size, bool large, const throng_agent_def *stranger, const char *kernel, motion *out) {
    throng_world_def def = throng_default_world_def();
    def.kernel = kernel;
    throng_world *world;
    must(throng_world_create(&def, &world));
    throng_agent_id ids[CROWD];
    add_press(world, size, large, ids);
    if (stranger) must(throng_agents_add(world, stranger, 1, NULL));
    out->overlap = 0.0f;
    for (int step = 0; step < STEPS; step++) must(throng_world_step(world, 0.1));
    throng_counters counters;
    must(throng_world_counters(world, &counters));
    out->overlap = counters.overlap_max;
    for (uint32_t i = 0; i < CROWD; i++) {
        double place[2];
        float velocity[2];
        must(throng_agents_read(world, THRONG_FIELD_POSITION, &ids[i], 1, place));
        must(throng_agents_read(world, THRONG_FIELD_VELOCITY, &ids[i], 1, velocity));
        out->x[i] = place[0], out->y[i] = place[1];
        out->velocity_x[i] = velocity[0], out->velocity_y[i] = velocity[1];
    }
    throng_world_destroy(world);
}

static void assert_same(const char *what, const motion *got, const motion *expected) {
    for (uint32_t i = 0; i < CROWD; i++) {
        if (got->x[i] == expected->x[i] && got->y[i] == expected->y[i] &&
            got->velocity_x[i] == expected->velocity_x[i] && got->velocity_y[i] == expected->velocity_y[i]) {
            continue;
        }
        fail_msg("%s: agent %u is at (%.17g, %.17g) with (%.9g, %.9g), alone at (%.17g, %.17g) with (%.9g, %.9g)", what,
                 i, got->x[i], got->y[i], (double)got->velocity_x[i], (double)got->velocity_y[i], expected->x[i],
                 expected->y[i], (double)expected->velocity_x[i], (double)expected->velocity_y[i]);
    }
    assert_true(got->overlap == expected->overlap);
}

static void the_general_way_gives_the_same_bits(void **state) {
    (void)state;
    static motion packed, general;
    static const double sizes[] = {0.7, 6.0, 20.0, 80.0}; // many buried, heaps, a press, few
    static const char *const kernels[] = {NULL, "scalar"};
    for (size_t s = 0; s < 2 * sizeof sizes / sizeof sizes[0]; s++) {
        const double size = sizes[s / 2];
        const bool large = s % 2;
        run(size, large, NULL, NULL, &packed);
        for (size_t k = 0; k < 2; k++) {
            throng_agent_def stranger = throng_default_agent_def();
            stranger.position[0] = 1e4;
            run(size, large, &stranger, kernels[k], &general);
            assert_same("with a stranger of the same kind", &general, &packed);
            stranger.margin = 0.1f;
            run(size, large, &stranger, kernels[k], &general);
            assert_same("with a stranger that has a margin", &general, &packed);
            stranger.margin = 0.0f;
            stranger.flags = THRONG_AGENT_HOST_MOVED;
            run(size, large, &stranger, kernels[k], &general);
            assert_same("with a stranger that the host moves", &general, &packed);
            stranger.flags = 0;
            stranger.position[0] = 1e11;
            run(size, large, &stranger, kernels[k], &general);
            assert_same("with a stranger at the end of the world", &general, &packed);
        }
    }
}

// A heap among 30 walls: lists of contacts are one-sided there, and who is asked in a pass must not hang on the tree.
static void run_heap(bool stranger, motion *out) {
    enum { HEAP = 267, WALLS = 30, HEAP_STEPS = 6 };
    const double size = 2.0;
    uint64_t seed = 30; // of few heaps where this shows
    double points[WALLS][4];
    throng_wall walls[WALLS];
    for (uint32_t i = 0; i < WALLS; i++) {
        for (int axis = 0; axis < 2; axis++) points[i][axis] = random_between(&seed, -0.6, 0.6) * size;
        for (int axis = 0; axis < 2; axis++) {
            points[i][2 + axis] = points[i][axis] + random_between(&seed, -0.3, 0.3) * size;
        }
        walls[i] = (throng_wall){THRONG_WALL_LINE, 2, points[i], 1};
    }
    throng_map *map = map_of(walls, WALLS);
    throng_world *world = make_world(NULL, map);
    throng_map_release(map);
    throng_agent_def defs[HEAP + 1];
    throng_agent_id ids[HEAP + 1];
    for (uint32_t i = 0; i < HEAP; i++) {
        defs[i] = throng_default_agent_def();
        defs[i].radius = 0.6f;
        for (int axis = 0; axis < 2; axis++) defs[i].position[axis] = random_between(&seed, -0.5, 0.5) * size;
        defs[i].target.kind = THRONG_TARGET_POINT;
        defs[i].target.x = -defs[i].position[0];
        defs[i].target.y = random_between(&seed, -0.5, 0.5) * size;
    }
    defs[HEAP] = throng_default_agent_def();
    defs[HEAP].position[0] = 1e11;
    must(throng_agents_add(world, defs, stranger ? HEAP + 1 : HEAP, ids));
    for (int step = 0; step < HEAP_STEPS; step++) must(throng_world_step(world, 0.1));
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < HEAP; i++) {
        double place[2];
        must(throng_agents_read(world, THRONG_FIELD_POSITION, &ids[i], 1, place));
        out->x[i] = place[0], out->y[i] = place[1];
    }
    throng_world_destroy(world);
}

static void a_heap_among_walls_does_not_hang_on_the_tree(void **state) {
    (void)state;
    static motion alone, with_stranger;
    run_heap(false, &alone);
    run_heap(true, &with_stranger);
    assert_same("with a stranger at the end of the world", &with_stranger, &alone);
}

// The host writes velocities and claims between steps: what was packed before them must not be used.
static void what_the_host_writes_counts(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int general = 0; general < 2; general++) {
        throng_world_def def = throng_default_world_def();
        throng_world *world;
        must(throng_world_create(&def, &world));
        throng_agent_id ids[CROWD];
        add_press(world, 15.0, false, ids);
        if (general) {
            throng_agent_def stranger = throng_default_agent_def();
            stranger.position[0] = 1e4;
            stranger.margin = 0.1f;
            must(throng_agents_add(world, &stranger, 1, NULL));
        }
        uint64_t sum = 0;
        for (int step = 0; step < STEPS; step++) {
            must(throng_world_step(world, 0.1));
            for (uint32_t i = (uint32_t)step; i < CROWD; i += 17) {
                const float velocity[2] = {0.5f, -1.0f};
                const throng_target target = {.kind = THRONG_TARGET_POINT, .x = (double)i, .y = -3.0};
                must(throng_agents_write(world, THRONG_FIELD_VELOCITY, &ids[i], 1, velocity));
                must(throng_agents_write(world, THRONG_FIELD_TARGET, &ids[i], 1, &target));
            }
        }
        for (uint32_t i = 0; i < CROWD; i++) {
            double place[2];
            uint64_t bits[2];
            must(throng_agents_read(world, THRONG_FIELD_POSITION, &ids[i], 1, place));
            memcpy(bits, place, sizeof bits);
            sum = sum * 31 + bits[0] * 7 + bits[1];
        }
        hashes[general] = sum;
        throng_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_general_way_gives_the_same_bits),
        cmocka_unit_test(a_heap_among_walls_does_not_hang_on_the_tree),
        cmocka_unit_test(what_the_host_writes_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
