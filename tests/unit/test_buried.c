// Heaps: who is covered from all sides stands still until those around it have left; nobody stays buried.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/worlds.h"

enum { HEAP = 400 };

static throng_world *world_with(const throng_agent_def *defs, uint32_t count, throng_map *map, throng_agent_id *ids) {
    throng_world_def def = throng_default_world_def();
    def.map = map;
    throng_world *world;
    must(throng_world_create(&def, &world));
    must(throng_agents_add(world, defs, count, ids));
    return world;
}

// A heap within a square around (0, 0), everybody on the way to somewhere.
static void define_heap(double size, throng_agent_def defs[HEAP]) {
    uint64_t state = 11;
    for (uint32_t i = 0; i < HEAP; i++) {
        defs[i] = throng_default_agent_def();
        for (int axis = 0; axis < 2; axis++) defs[i].position[axis] = random_between(&state, -0.5, 0.5) * size;
        const double angle = random_between(&state, 0.0, 6.28);
        defs[i].target = (throng_target){.kind = THRONG_TARGET_POINT, .x = 100.0 * cos(angle), .y = 100.0 * sin(angle)};
    }
}

static void read_places(const throng_world *world, const throng_agent_id *ids, uint32_t count, double (*place)[2]) {
    for (uint32_t i = 0; i < count; i++) must(throng_agents_read(world, THRONG_FIELD_POSITION, &ids[i], 1, place[i]));
}

static float overlap_max(const throng_world *world) {
    throng_counters counters;
    must(throng_world_counters(world, &counters));
    return counters.overlap;
}

// Nobody in the middle of the heap moves; its rim does. What is left of overlaps is told as it is.
static void the_middle_stands_and_the_rim_parts(void **state) {
    (void)state;
    static throng_agent_def defs[HEAP];
    static throng_agent_id ids[HEAP];
    static double before[HEAP][2], after[HEAP][2];
    define_heap(0.4, defs);
    throng_world *world = world_with(defs, HEAP, NULL, ids);
    read_places(world, ids, HEAP, before);
    must(throng_world_step(world, 0.1));
    read_places(world, ids, HEAP, after);
    uint32_t stood = 0, parted = 0;
    double deepest = 0.0;
    for (uint32_t i = 0; i < HEAP; i++) {
        const double x = before[i][0], y = before[i][1];
        const bool still = after[i][0] == x && after[i][1] == y;
        stood += still;
        // Corners of the square have others on one side only.
        if (fabs(x) + fabs(y) > 0.36 && hypot(after[i][0], after[i][1]) > hypot(x, y) + 0.1) parted++;
        if (fabs(x) < 0.1 && fabs(y) < 0.1 && !still) {
            fail_msg("agent %u moved from the middle (%g, %g) to (%g, %g)", i, x, y, after[i][0], after[i][1]);
        }
        for (uint32_t j = 0; j < i; j++) {
            const double distance = hypot(after[i][0] - after[j][0], after[i][1] - after[j][1]);
            deepest = fmax(deepest, (double)defs[i].radius + (double)defs[j].radius - distance);
        }
    }
    if (stood < HEAP / 2 || parted < 5) fail_msg("%u stood, %u corners parted", stood, parted);
    const double told = (double)overlap_max(world);
    if (fabs(told - deepest) > 1e-6) fail_msg("the deepest overlap is told as %.9g m, is %.9g m", told, deepest);
    // Who stands still asks for nothing: no half-planes, and the wish is what it was.
    throng_explanation explanation;
    uint32_t middle = 0;
    for (uint32_t i = 1; i < HEAP; i++) {
        if (hypot(after[i][0], after[i][1]) < hypot(after[middle][0], after[middle][1])) middle = i;
    }
    must(throng_query_explain(world, ids[middle], 0.1, &explanation));
    assert_true(explanation.feasible);
    assert_int_equal(explanation.neighbor_count, 0);
    assert_true(explanation.solved_velocity[0] == 0.0f && explanation.solved_velocity[1] == 0.0f);
    assert_true(hypotf(explanation.preferred_velocity[0], explanation.preferred_velocity[1]) > 1.0f);
    throng_world_destroy(world);
}

typedef enum start { ON_A_POINT, ON_A_LINE, IN_A_SQUARE, IN_A_CORNER, STARTS } start;

// Everybody gets out of every heap, and at last nobody touches anybody.
static void nobody_stays_buried(void **state) {
    (void)state;
    static const char *const names[STARTS] = {"on a point", "on a line", "in a square", "in a corner"};
    static const double corner[] = {-0.5, 60.0, -0.5, -0.5, 60.0, -0.5};
    static throng_agent_def defs[HEAP];
    static throng_agent_id ids[HEAP];
    const throng_wall wall = {THRONG_WALL_LINE, 3, corner, 1};
    throng_map *map = map_of(&wall, 1);
    for (start how = ON_A_POINT; how < STARTS; how++) {
        define_heap(0.4, defs);
        for (uint32_t i = 0; i < HEAP; i++) {
            if (how == ON_A_POINT) defs[i].position[0] = defs[i].position[1] = 0.0;
            if (how == ON_A_LINE) defs[i].position[1] = 0.0;
            if (how == IN_A_CORNER)
                defs[i].target.x = fabs(defs[i].target.x), defs[i].target.y = fabs(defs[i].target.y);
        }
        throng_world *world = world_with(defs, HEAP, how == IN_A_CORNER ? map : NULL, ids);
        int step = 0;
        for (; step < 300 && (step == 0 || overlap_max(world) > 0.05f); step++) must(throng_world_step(world, 0.1));
        if (step == 300) fail_msg("%s: after 30 s bodies overlap by %g m", names[how], (double)overlap_max(world));
        throng_world_destroy(world);
    }
    throng_map_release(map);
}

// A large body that many small ones touch on all sides is not buried: it walks on.
static void a_large_body_is_not_buried(void **state) {
    (void)state;
    static throng_agent_def defs[HEAP];
    static throng_agent_id ids[HEAP];
    for (uint32_t i = 0; i < 60; i++) {
        defs[i] = throng_default_agent_def();
        const double angle = 6.283185 * i / 59.0;
        defs[i].position[0] = 2.1 * cos(angle);
        defs[i].position[1] = 2.1 * sin(angle);
    }
    defs[59].radius = 2.0f;
    defs[59].position[0] = defs[59].position[1] = 0.0;
    defs[59].target = (throng_target){.kind = THRONG_TARGET_POINT, .x = 50.0, .y = 0.0};
    throng_world *world = world_with(defs, 60, NULL, ids);
    for (int step = 0; step < 100; step++) must(throng_world_step(world, 0.1));
    double place[2];
    must(throng_agents_read(world, THRONG_FIELD_POSITION, &ids[59], 1, place));
    if (!(place[0] > 5.0)) fail_msg("the large body got to %g m in 10 s", place[0]);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_middle_stands_and_the_rim_parts),
        cmocka_unit_test(nobody_stays_buried),
        cmocka_unit_test(a_large_body_is_not_buried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
