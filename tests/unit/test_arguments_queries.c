// Wrong arguments of every query: the documented code, a message, and nothing changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/argument_cases.h"

static const double nan_place[2] = {NAN, 0}, infinite_place[2] = {0, INFINITY}, some_place[2] = {1, 2};

#define refuse_filters(call)                                                                                           \
    do {                                                                                                               \
        throng_query_filter wrong = throng_default_query_filter();                                                     \
        const throng_query_filter *filter = &wrong;                                                                    \
        wrong.struct_size++;                                                                                           \
        refuse(ARGUMENT, call);                                                                                        \
        for (int i = 0; i < 4; i++) {                                                                                  \
            wrong = throng_default_query_filter();                                                                     \
            wrong.body_radius = (float)bad_numbers[i];                                                                 \
            refuse(VALUE, call);                                                                                       \
        }                                                                                                              \
        wrong = throng_default_query_filter();                                                                         \
        wrong.height_low = NAN;                                                                                        \
        refuse(VALUE, call);                                                                                           \
        wrong = throng_default_query_filter();                                                                         \
        wrong.height_high = NAN;                                                                                       \
        refuse(VALUE, call);                                                                                           \
    } while (0)

// Puts the index out of date without a change that a snapshot tells.
static void make_stale(fixture *f) {
    must(throng_agents_park(f->world, f->ids, 1, true));
    must(throng_agents_park(f->world, f->ids, 1, false));
}

static void check_nearest(fixture *f) {
    throng_query_hit hit;
    uint32_t count = 77;
    refuse(ARGUMENT, throng_query_nearest(NULL, 0, 0, 1, NULL, &hit, 1, &count));
    refuse(ARGUMENT, throng_query_nearest(f->world, 0, 0, 1, NULL, NULL, 1, &count));
    refuse(ARGUMENT, throng_query_nearest(f->world, 0, 0, 1, NULL, &hit, 1, NULL));
    refuse(VALUE, throng_query_nearest(f->world, NAN, 0, 1, NULL, &hit, 1, &count));
    refuse(VALUE, throng_query_nearest(f->world, 0, -INFINITY, 1, NULL, &hit, 1, &count));
    refuse(VALUE, throng_query_nearest(f->world, 0, 0, -1, NULL, &hit, 1, &count));
    refuse(VALUE, throng_query_nearest(f->world, 0, 0, NAN, NULL, &hit, 1, &count));
    refuse_filters(throng_query_nearest(f->world, 0, 0, 1, filter, &hit, 1, &count));
    make_stale(f);
    refuse(STALE_INDEX, throng_query_nearest(f->world, 0, 0, 1, NULL, &hit, 1, &count));
    assert_int_equal(count, 77);
}

static void check_box(fixture *f) {
    throng_agent_id id;
    uint32_t count = 77;
    const double far[2] = {9, 9}, low[2] = {0, 9};
    refuse(ARGUMENT, throng_query_box(NULL, some_place, far, NULL, &id, 1, &count));
    refuse(ARGUMENT, throng_query_box(f->world, NULL, far, NULL, &id, 1, &count));
    refuse(ARGUMENT, throng_query_box(f->world, some_place, NULL, NULL, &id, 1, &count));
    refuse(ARGUMENT, throng_query_box(f->world, some_place, far, NULL, NULL, 1, &count));
    refuse(ARGUMENT, throng_query_box(f->world, some_place, far, NULL, &id, 1, NULL));
    refuse(VALUE, throng_query_box(f->world, nan_place, far, NULL, &id, 1, &count));
    refuse(VALUE, throng_query_box(f->world, some_place, infinite_place, NULL, &id, 1, &count));
    refuse(VALUE, throng_query_box(f->world, far, some_place, NULL, &id, 1, &count));
    refuse(VALUE, throng_query_box(f->world, some_place, low, NULL, &id, 1, &count));
    refuse_filters(throng_query_box(f->world, some_place, far, filter, &id, 1, &count));
    make_stale(f);
    refuse(STALE_INDEX, throng_query_box(f->world, some_place, far, NULL, &id, 1, &count));
    assert_int_equal(count, 77);
}

static void check_sight(fixture *f) {
    bool visible;
    refuse(ARGUMENT, throng_query_line_of_sight(NULL, some_place, some_place, NULL, &visible));
    refuse(ARGUMENT, throng_query_line_of_sight(f->world, NULL, some_place, NULL, &visible));
    refuse(ARGUMENT, throng_query_line_of_sight(f->world, some_place, NULL, NULL, &visible));
    refuse(ARGUMENT, throng_query_line_of_sight(f->world, some_place, some_place, NULL, NULL));
    refuse(VALUE, throng_query_line_of_sight(f->world, nan_place, some_place, NULL, &visible));
    refuse(VALUE, throng_query_line_of_sight(f->world, some_place, infinite_place, NULL, &visible));
    refuse_filters(throng_query_line_of_sight(f->world, some_place, some_place, filter, &visible));
}

static void check_free_place(fixture *f) {
    double place[2] = {77, 77};
    refuse(ARGUMENT, throng_query_free_place(NULL, 0, 0, 1, NULL, place));
    refuse(ARGUMENT, throng_query_free_place(f->world, 0, 0, 1, NULL, NULL));
    refuse(VALUE, throng_query_free_place(f->world, NAN, 0, 1, NULL, place));
    refuse(VALUE, throng_query_free_place(f->world, 0, INFINITY, 1, NULL, place));
    refuse(VALUE, throng_query_free_place(f->world, 0, 0, -1, NULL, place));
    refuse(VALUE, throng_query_free_place(f->world, 0, 0, NAN, NULL, place));
    refuse(NONE_FOUND, throng_query_free_place(f->world, 1000, 0, 1, NULL, place)); // outside the hall
    refuse_filters(throng_query_free_place(f->world, 0, 0, 1, filter, place));
    assert_true(place[0] == 77);
}

static void check_explain(fixture *f) {
    static throng_explanation why;
    refuse(ARGUMENT, throng_query_explain(NULL, f->ids[0], 0.1, &why));
    refuse(ARGUMENT, throng_query_explain(f->world, f->ids[0], 0.1, NULL));
    refuse(STALE_ID, throng_query_explain(f->world, f->gone, 0.1, &why));
    refuse(VALUE, throng_query_explain(f->world, f->ids[0], 0.0, &why));
    refuse(VALUE, throng_query_explain(f->world, f->ids[0], NAN, &why));
    refuse(VALUE, throng_query_explain(f->world, f->ids[0], 1e300, &why));
    must(throng_agents_park(f->world, f->ids, 1, true));
    refuse(ARGUMENT, throng_query_explain(f->world, f->ids[0], 0.1, &why));
    must(throng_agents_park(f->world, f->ids, 1, false));
    refuse(STALE_INDEX, throng_query_explain(f->world, f->ids[0], 0.1, &why));
}

static const entry entries[] = {
    {"throng_default_query_filter", NULL},
    {"throng_query_nearest", check_nearest, .leaves_marks = true},
    {"throng_query_box", check_box, .leaves_marks = true},
    {"throng_query_line_of_sight", check_sight},
    {"throng_query_free_place", check_free_place},
    {"throng_query_explain", check_explain, .leaves_marks = true},
};

int main(int argc, char **argv) {
    return run_entries(argc, argv, entries, sizeof entries / sizeof entries[0]);
}
