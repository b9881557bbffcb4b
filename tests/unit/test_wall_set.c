// The same walls are the same set, however they are written.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/wall_sets.h"

static void assert_same(const throng_wall_set *a, const throng_wall_set *b, uint64_t seed) {
    if (a->piece_count != b->piece_count || a->wall_count != b->wall_count) {
        fail_msg("seed %llu: %u pieces of %u walls, and %u of %u", (unsigned long long)seed, a->piece_count,
                 a->wall_count, b->piece_count, b->wall_count);
    }
    if (a->piece_count == 0) return;
    const size_t size = a->piece_count * sizeof(uint32_t);
    assert_memory_equal(a->segment, b->segment, a->piece_count * sizeof *a->segment);
    assert_memory_equal(a->next, b->next, size);
    assert_memory_equal(a->previous, b->previous, size);
    assert_memory_equal(&a->bounds, &b->bounds, sizeof a->bounds);
    assert_int_equal(a->pieces.node_count, b->pieces.node_count);
    for (uint32_t i = 0; i < a->piece_count; i++) {
        assert_int_equal(a->pieces.leaves[i].item, b->pieces.leaves[i].item);
    }
}

// Another spelling of the same walls: shuffled, turned, started elsewhere, points repeated, lines closed or not as
// they were.
static void respell(const wall_scene *scene, wall_scene *to, uint64_t *random) {
    uint32_t order[ORACLE_WALLS];
    for (uint32_t i = 0; i < scene->count; i++) {
        const uint32_t at = below(random, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    to->count = 0;
    for (uint32_t i = 0; i < scene->count; i++) {
        const throng_wall *wall = &scene->walls[order[i]];
        const uint32_t n = wall->point_count;
        const bool backwards = below(random, 2) == 0;
        const uint32_t start = wall->kind == THRONG_WALL_LINE ? (backwards ? n - 1 : 0) : below(random, n);
        throng_wall *other = scene_wall(to, wall->kind);
        other->layer = wall->layer;
        for (uint32_t j = 0; j < n; j++) {
            const uint32_t at = (backwards ? start + n - j : start + j) % n;
            scene_point(to, wall->points[2 * at], wall->points[2 * at + 1]);
            if (n <= ORACLE_POINTS / 2 && below(random, 3) == 0)
                scene_point(to, wall->points[2 * at], wall->points[2 * at + 1]);
        }
    }
}

static void test_spelling_does_not_matter(void **state) {
    (void)state;
    static wall_scene scene;
    static wall_scene other;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        uint64_t random = seed * 104729;
        scene_random(&scene, &random, 0.0, 0.0, 5.0);
        respell(&scene, &other, &random);
        throng_wall_set a;
        throng_wall_set b;
        throng_wall_set c;
        build(&a, scene.walls, scene.count);
        build(&b, other.walls, other.count);
        assert_same(&a, &b, seed);
        build(&c, a.walls, a.wall_count);
        assert_same(&a, &c, seed);
        throng_wall_set_release(&a, &memory);
        throng_wall_set_release(&b, &memory);
        throng_wall_set_release(&c, &memory);
    }
    assert_int_equal(memory.bytes, 0);
}

static void test_normal_form(void **state) {
    (void)state;
    // Clockwise, its closing point repeated, a negative zero in it.
    const double square[] = {1, 1, 1, 1, 1, -0.0, 0, 0, 0, 1, 1, 1};
    const double line[] = {5, 0, 3, 0, 3, 0};
    const throng_wall walls[] = {
        {.kind = THRONG_WALL_LINE, .point_count = 3, .points = line, .layer = 4},
        {.kind = THRONG_WALL_SOLID, .point_count = 6, .points = square, .layer = 1},
        {.kind = THRONG_WALL_LINE, .point_count = 3, .points = line, .layer = 2},
    };
    throng_wall_set set;
    build(&set, walls, 3);
    assert_int_equal(set.wall_count, 2);
    assert_int_equal(set.solid_count, 1);
    assert_int_equal(set.piece_count, 5);
    const double ax[] = {0, 1, 1, 0, 3};
    const double ay[] = {0, 0, 1, 1, 0};
    const uint32_t next[] = {1, 2, 3, 0, THRONG_WALL_NONE};
    const uint32_t previous[] = {3, 0, 1, 2, THRONG_WALL_NONE};
    for (uint32_t i = 0; i < set.piece_count; i++) {
        if (set.segment[i].ax != ax[i] || set.segment[i].ay != ay[i]) {
            fail_msg("piece %u begins at (%g, %g)", i, set.segment[i].ax, set.segment[i].ay);
        }
    }
    assert_memory_equal(set.next, next, sizeof next);
    assert_memory_equal(set.previous, previous, sizeof previous);
    assert_int_equal(set.segment[0].layer, 1);
    assert_int_equal(set.segment[4].layer, 6); // both spellings of the line
    assert_true(set.segment[4].length == 2.0 && set.segment[4].ux == 1.0 && set.segment[4].uy == 0.0);
    assert_true(set.bounds.min_x == 0 && set.bounds.max_x == 5 && set.bounds.min_y == 0 && set.bounds.max_y == 1);
    throng_wall_set_release(&set, &memory);
}

static void test_collapsed_walls_stay(void **state) {
    (void)state;
    const double same[] = {2, 3, 2, 3, 2, 3};
    const double flat[] = {0, 0, 1, 0, 0, 0};
    const throng_wall walls[] = {
        {.kind = THRONG_WALL_SOLID, .point_count = 3, .points = same, .layer = 1},
        {.kind = THRONG_WALL_ENCLOSURE, .point_count = 3, .points = flat, .layer = 1},
        {.kind = THRONG_WALL_LINE, .point_count = 1, .points = same, .layer = 1},
    };
    throng_wall_set set;
    build(&set, walls, 3);
    assert_int_equal(set.wall_count, 2);
    assert_int_equal(set.solid_count + set.enclosure_count, 0);
    assert_int_equal(set.piece_count, 2);
    assert_true(set.segment[0].length == 1.0);
    assert_true(set.segment[1].length == 0.0 && set.segment[1].ux == 0.0 && set.segment[1].ax == 2.0 &&
                set.segment[1].by == 3.0);
    throng_wall_set_release(&set, &memory);
}

// A polygon that goes back and forth a hundred thousand times is read in linear time.
static void test_periodic_polygon(void **state) {
    (void)state;
    enum { COUNT = 200000 };
    double *points = malloc(sizeof(double) * 2 * (COUNT + 1));
    assert_non_null(points);
    for (size_t i = 0; i < COUNT; i++) {
        points[2 * i] = (double)(i % 2);
        points[2 * i + 1] = 0.0;
    }
    points[2 * COUNT] = 0.0;
    points[2 * COUNT + 1] = 5.0;
    for (uint32_t count = COUNT; count <= COUNT + 1; count++) {
        const throng_wall wall = {.kind = THRONG_WALL_SOLID, .point_count = count, .points = points, .layer = 1};
        throng_wall_set set;
        build(&set, &wall, 1);
        assert_int_equal(set.piece_count, count);
        assert_true(set.segment[0].ax == 0.0 && set.segment[0].ay == 0.0);
        throng_wall_set_release(&set, &memory);
    }
    free(points);
}

static void test_refusals(void **state) {
    (void)state;
    const double fine[] = {0, 0, 1, 0, 1, 1};
    const double bad[] = {0, 0, 1, NAN, 1, 1};
    const double far[] = {0, 0, 1, 0, 1e13, 1};
    const throng_wall good = {.kind = THRONG_WALL_SOLID, .point_count = 3, .points = fine, .layer = 1};
    const struct {
        throng_wall wall;
        throng_result result;
        const char *says;
    } cases[] = {
        {{.kind = THRONG_WALL_SOLID, .point_count = 3, .points = bad}, THRONG_ERROR_VALUE, "wall 1, point 1: y"},
        {{.kind = THRONG_WALL_LINE, .point_count = 3, .points = far}, THRONG_ERROR_VALUE, "wall 1, point 2: x"},
        {{.kind = THRONG_WALL_SOLID, .point_count = 2, .points = fine}, THRONG_ERROR_VALUE, "at least 3 points, has 2"},
        {{.kind = THRONG_WALL_LINE, .point_count = 0, .points = fine}, THRONG_ERROR_VALUE, "at least 1 points"},
        {{.kind = THRONG_WALL_LINE, .point_count = 2}, THRONG_ERROR_ARGUMENT, "points is null"},
        {{.kind = (throng_wall_kind)7, .point_count = 2, .points = fine}, THRONG_ERROR_ARGUMENT, "kind 7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const throng_wall walls[] = {good, cases[i].wall};
        throng_wall_set set;
        const throng_result result = throng_wall_set_build(&set, walls, 2, &memory);
        const throng_error *error = throng_last_error();
        if (result != cases[i].result || error->item != 1 || !strstr(error->message, cases[i].says)) {
            fail_msg("case %zu: result %d, item %lld, \"%s\"", i, (int)result, (long long)error->item, error->message);
        }
        assert_null(set.block);
    }
    assert_int_equal(memory.bytes, 0);
}

typedef struct failing {
    int left;
} failing;

static void *failing_allocate(void *context, size_t bytes) {
    failing *f = context;
    return f->left-- > 0 ? aligned_alloc(64, bytes) : NULL;
}

static void failing_release(void *context, void *block, size_t bytes) {
    (void)context;
    (void)bytes;
    free(block);
}

static void test_memory_runs_out(void **state) {
    (void)state;
    static wall_scene scene;
    uint64_t random = 5;
    scene_random(&scene, &random, 0.0, 0.0, 5.0);
    for (int allowed = 0;; allowed++) {
        failing f = {allowed};
        const throng_allocator allocator = {&f, failing_allocate, failing_release};
        throng_memory tight;
        assert_true(throng_memory_init(&tight, &allocator));
        throng_wall_set set;
        const throng_result result = throng_wall_set_build(&set, scene.walls, scene.count, &tight);
        if (result == THRONG_OK) {
            assert_true(allowed > 3);
            throng_wall_set_release(&set, &tight);
            assert_int_equal(tight.bytes, 0);
            return;
        }
        assert_int_equal(result, THRONG_ERROR_MEMORY);
        assert_int_equal(tight.bytes, 0);
    }
}

static void test_no_walls(void **state) {
    (void)state;
    throng_wall_set set;
    build(&set, NULL, 0);
    const throng_wall_box everywhere = {-1e9, -1e9, 1e9, 1e9};
    assert_int_equal(throng_wall_set_query(&set, &everywhere, everyone, NULL, 0), 0);
    throng_wall_set_release(&set, &memory);
}

// Clips the piece against the box by halving: whether any point of it lies inside.
static bool comes_into(const throng_wall_set *set, uint32_t piece, const throng_wall_box *box, double grow) {
    double low = 0.0;
    double high = 1.0;
    const double from[] = {set->segment[piece].ax, set->segment[piece].ay};
    const double by[] = {set->segment[piece].bx - set->segment[piece].ax,
                         set->segment[piece].by - set->segment[piece].ay};
    const double min[] = {box->min_x - grow, box->min_y - grow};
    const double max[] = {box->max_x + grow, box->max_y + grow};
    for (int axis = 0; axis < 2; axis++) {
        if (by[axis] == 0.0) {
            if (from[axis] < min[axis] || from[axis] > max[axis]) return false;
            continue;
        }
        const double first = (min[axis] - from[axis]) / by[axis];
        const double second = (max[axis] - from[axis]) / by[axis];
        low = fmax(low, fmin(first, second));
        high = fmin(high, fmax(first, second));
    }
    return low <= high;
}

static void test_query_finds_what_comes_into_a_box(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    static double points[COUNT][4];
    static throng_wall walls[COUNT];
    static uint32_t found[COUNT];
    static bool is_found[COUNT];
    uint64_t random = 99;
    for (int round = 0; round < 4; round++) {
        const double offset = round == 1 ? 1e7 : 0.0;
        for (uint32_t i = 0; i < COUNT; i++) {
            const double x = offset + uniform(&random, -50, 50);
            const double y = offset + uniform(&random, -50, 50);
            const double size = round == 3 ? 0.0 : below(&random, 10) == 0 ? 40.0 : 2.0;
            points[i][0] = round == 2 ? floor(x) : x;
            points[i][1] = y;
            points[i][2] = round == 2 ? floor(x) : x + uniform(&random, -size, size);
            points[i][3] = y + uniform(&random, -size, size);
            walls[i] =
                (throng_wall){.kind = THRONG_WALL_LINE, .point_count = 2, .points = points[i], .layer = 1 + i % 3};
        }
        throng_wall_set set;
        build(&set, walls, COUNT);
        assert_int_equal(set.piece_count, COUNT);
        for (int query = 0; query < 200; query++) {
            const double reach = query % 3 == 0 ? 30.0 : query % 3 == 1 ? 2.0 : 0.0;
            const double x = offset + uniform(&random, -60, 60);
            const double y = offset + uniform(&random, -60, 60);
            const throng_wall_box box = throng_wall_box_around(x, y, reach);
            const uint32_t mask = query % 5 == 0 ? 1 : UINT32_MAX;
            const uint32_t count = throng_wall_set_query(&set, &box, throng_wall_filter_of(mask), found, COUNT);
            assert_true(count <= COUNT);
            memset(is_found, 0, sizeof is_found);
            for (uint32_t i = 0; i < count; i++) {
                if (is_found[found[i]]) fail_msg("piece %u given twice", found[i]);
                is_found[found[i]] = true;
            }
            for (uint32_t i = 0; i < COUNT; i++) {
                const bool heeded = (set.segment[i].layer & mask) != 0;
                if (heeded && comes_into(&set, i, &box, 0.0) && !is_found[i]) fail_msg("piece %u was lost", i);
                if (is_found[i] && !(heeded && comes_into(&set, i, &box, 1e-7))) fail_msg("piece %u is elsewhere", i);
            }
            uint32_t few[2] = {7777777, 7777777};
            assert_int_equal(throng_wall_set_query(&set, &box, throng_wall_filter_of(mask), few, 1), count);
            assert_int_equal(few[1], 7777777);
        }
        throng_wall_set_release(&set, &memory);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spelling_does_not_matter),
        cmocka_unit_test(test_normal_form),
        cmocka_unit_test(test_collapsed_walls_stay),
        cmocka_unit_test(test_periodic_polygon),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_no_walls),
        cmocka_unit_test(test_query_finds_what_comes_into_a_box),
    };
    return cmocka_run_group_tests(tests, wall_memory, NULL);
}
