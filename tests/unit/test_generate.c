// Generated scenes: the same text every time, good to read, nobody overlapping, routes clear of walls.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scene/generate.h"
#include "scene/generate_pen.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The text of a kind with up to two assignments over its defaults.
static char *make_text(const generate_kind *kind, const char *first, const char *second, size_t *size) {
    double parameters[GENERATE_PARAMETERS];
    char why[512];
    generate_defaults(kind, parameters);
    if (first && !generate_set(kind, first, parameters, why, sizeof why)) fail_msg("%s %s: %s", kind->name, first, why);
    if (second && !generate_set(kind, second, parameters, why, sizeof why)) {
        fail_msg("%s %s: %s", kind->name, second, why);
    }
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    assert_non_null(file);
    assert_true(kind->write(file, parameters));
    assert_int_equal(fclose(file), 0);
    return text;
}

static scene *parse(const generate_kind *kind, const char *text, size_t size) {
    scene_problems problems = {0};
    scene *which = scene_parse(text, size, kind->name, NULL, 0, &problems);
    if (problems.count > 0) fail_msg("%s", problems.items[0].text);
    assert_non_null(which);
    scene_problems_free(&problems);
    return which;
}

static void check_starts(const generate_kind *kind, const scene *which) {
    for (uint32_t i = 0; i < which->agent_count; i++) {
        const throng_agent_def *a = &which->agents[i];
        for (uint32_t k = i + 1; k < which->agent_count; k++) {
            const throng_agent_def *b = &which->agents[k];
            double gap = hypot(a->position[0] - b->position[0], a->position[1] - b->position[1]);
            gap -= (double)a->radius + (double)b->radius;
            if (gap < 0) fail_msg("%s: agents %u and %u start with %g m of overlap", kind->name, i, k, -gap);
        }
    }
}

static double distance_to_edge(const double *p, const double *a, const double *b) {
    double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    double part = square > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square : 0;
    part = fmax(0, fmin(1, part));
    return hypot(p[0] - a[0] - part * dx, p[1] - a[1] - part * dy);
}

static double side(const double *a, const double *b, const double *p) {
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

// How near the straight way from p to q comes to the walls, 0 where it meets one.
static double clearance(const scene *which, const double *p, const double *q) {
    double nearest = INFINITY;
    for (uint32_t i = 0; i < which->wall_count; i++) {
        const throng_wall *wall = &which->walls[i];
        for (uint32_t k = 0; k < wall->point_count; k++) {
            const double *a = wall->points + 2 * k, *b = wall->points + 2 * ((k + 1) % wall->point_count);
            if (side(a, b, p) * side(a, b, q) < 0 && side(p, q, a) * side(p, q, b) < 0) return 0;
            nearest = fmin(nearest, fmin(distance_to_edge(a, p, q), distance_to_edge(p, a, b)));
            nearest = fmin(nearest, distance_to_edge(q, a, b));
        }
    }
    return nearest;
}

static void check_routes(const generate_kind *kind, const scene *which) {
    bool funnel = kind == &generate_bottleneck; // there they slide along the wall to the opening
    for (uint32_t i = 0; i < which->agent_count; i++) {
        const throng_agent_def *agent = &which->agents[i];
        const double *at = agent->position;
        for (uint32_t k = 0; k < which->routes[i].point_count; k++) {
            const double *next = which->routes[i].points + 2 * k;
            double gap = clearance(which, at, next) - (double)agent->radius;
            if (gap < -1e-6 && !(funnel && k == 0)) {
                fail_msg("%s: agent %u, leg %u from (%g, %g) to (%g, %g) comes %g m too near to a wall", kind->name, i,
                         k, at[0], at[1], next[0], next[1], -gap);
            }
            at = next;
        }
        double gap = clearance(which, agent->position, agent->position) - (double)agent->radius;
        if (gap < 0) fail_msg("%s: agent %u starts %g m within a wall", kind->name, i, -gap);
    }
}

static void test_scenes_are_sound(void **state) {
    (void)state;
    size_t count;
    const generate_kind *const *kinds = generate_kinds(&count);
    assert_true(count >= 10);
    for (size_t i = 0; i < count; i++) {
        size_t size;
        char *text = make_text(kinds[i], NULL, NULL, &size);
        scene *which = parse(kinds[i], text, size);
        assert_string_equal(which->name, kinds[i]->name);
        assert_string_equal(which->description, kinds[i]->shows);
        assert_true(which->agent_count > 0);
        check_starts(kinds[i], which);
        check_routes(kinds[i], which);
        scene_free(which);
        free(text);
    }
}

static void test_numbers_of_agents(void **state) {
    (void)state;
    const struct {
        const generate_kind *kind;
        const char *first, *second;
        uint32_t agents;
    } cases[] = {
        {&generate_uniform, "n=1", NULL, 1},
        {&generate_uniform, "n=1237", "density=3.9", 1237},
        {&generate_circle, "n=7", NULL, 7},
        {&generate_circle, "n=1", "ring=5", 1},
        {&generate_crossing, "n=13", "lanes=4", 26},
        {&generate_ring_siege, "n=1", NULL, 2},
        {&generate_ring_siege, "n=777", NULL, 778},
        {&generate_blocks, "side=1", NULL, 4},
        {&generate_doorway, "n=1", "width=1.2", 2},
        {&generate_counterflow, "n=99", "seed=7", 198},
        {&generate_bottleneck, "n=150", NULL, 150},
        {&generate_bottleneck, "width=1.2", "seed=3", 75},
        {&generate_concourse, "n=1", NULL, 1},
        {&generate_concourse, "n=9000", "seed=5", 9000},
        {&generate_concourse, "n=20000", NULL, 20000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size;
        char *text = make_text(cases[i].kind, cases[i].first, cases[i].second, &size);
        scene *which = parse(cases[i].kind, text, size);
        assert_int_equal(which->agent_count, cases[i].agents);
        check_starts(cases[i].kind, which);
        scene_free(which);
        free(text);
    }
}

static void test_files_are_what_is_made(void **state) {
    (void)state;
    size_t count, found = 0;
    const generate_kind *const *kinds = generate_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/scenes/%s.json", THRONG_DATA, kinds[i]->name);
        FILE *file = fopen(path, "r");
        if (!file) continue;
        found++;
        size_t size;
        char *text = make_text(kinds[i], NULL, NULL, &size);
        char *stored = malloc(size + 2);
        assert_non_null(stored);
        size_t stored_size = fread(stored, 1, size + 2, file);
        fclose(file);
        if (stored_size != size || memcmp(stored, text, size) != 0) {
            fail_msg("%s is not what `throng make %s` writes", path, kinds[i]->name);
        }
        free(stored);
        free(text);
    }
    assert_true(found >= 9);
}

static void test_seeds_differ(void **state) {
    (void)state;
    size_t size, other_size, again_size;
    char *text = make_text(&generate_uniform, "seed=1", NULL, &size);
    char *other = make_text(&generate_uniform, "seed=2", NULL, &other_size);
    char *again = make_text(&generate_uniform, "seed=1", NULL, &again_size);
    assert_int_equal(size, again_size);
    assert_memory_equal(text, again, size);
    assert_string_not_equal(text, other);
    free(text);
    free(other);
    free(again);
}

static void test_turn(void **state) {
    (void)state;
    const uint64_t counts[] = {1, 2, 3, 4, 5, 7, 8, 16, 250, 1000, 99991};
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        uint64_t count = counts[n];
        for (uint64_t i = 0; i < count; i++) {
            generate_point turn = generate_turn(i, count);
            double angle = 2 * acos(-1.0) * (double)i / (double)count;
            double off = fmax(fabs(turn.x - cos(angle)), fabs(turn.y - sin(angle)));
            if (off > 2e-15)
                fail_msg("part %llu of %llu is off by %g", (unsigned long long)i, (unsigned long long)count, off);
            if (count % 2 == 0) { // opposite points are exact mirrors, so that swapping places is symmetric
                generate_point opposite = generate_turn(i + count / 2, count);
                assert_true(opposite.x == -turn.x && opposite.y == -turn.y);
            }
        }
    }
}

static void test_chance(void **state) {
    (void)state;
    enum { DRAWS = 100000, BINS = 10 };
    int bins[BINS] = {0};
    double product = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        double value = generate_chance(5, i, 0);
        assert_true(value >= 0 && value < 1);
        bins[(int)(value * BINS)]++;
        product += (value - 0.5) * (generate_chance(5, i, 1) - 0.5);
    }
    for (int i = 0; i < BINS; i++) {
        if (abs(bins[i] - DRAWS / BINS) > 500) fail_msg("bin %d holds %d of %d", i, bins[i], DRAWS);
    }
    // The correlation of two purposes: 0, give or take 1/sqrt(n).
    double correlation = product / DRAWS * 12;
    if (fabs(correlation) > 0.02) fail_msg("purposes are correlated by %g", correlation);
}

static void test_wrong_parameters(void **state) {
    (void)state;
    const struct {
        const char *assignment, *reason;
    } cases[] = {
        {"n", "expected key=value"},       {"m=3", "'m' is no parameter of circle; there are n, ring"},
        {"n=", "expected a number"},       {"n=3x", "expected a number"},
        {"n=0", "from 1 to 100000"},       {"n=1e30", "from 1 to 100000"},
        {"n=2.5", "whole number"},         {"ring=nan", "expected a number"},
        {"ring=inf", "expected a number"}, {"=3", "no parameter"},
    };
    double parameters[GENERATE_PARAMETERS], before[GENERATE_PARAMETERS];
    generate_defaults(&generate_circle, parameters);
    memcpy(before, parameters, sizeof before);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char why[512];
        assert_false(generate_set(&generate_circle, cases[i].assignment, parameters, why, sizeof why));
        if (!strstr(why, cases[i].reason)) fail_msg("%s: said '%s'", cases[i].assignment, why);
    }
    for (size_t i = 0; i < generate_parameter_count(&generate_circle); i++) {
        assert_true(parameters[i] == before[i]);
    }
    assert_null(generate_find("nothing"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes_are_sound),
        cmocka_unit_test(test_numbers_of_agents),
        cmocka_unit_test(test_files_are_what_is_made),
        cmocka_unit_test(test_seeds_differ),
        cmocka_unit_test(test_turn),
        cmocka_unit_test(test_chance),
        cmocka_unit_test(test_wrong_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
