// Wrong arguments of every call on plans: the documented code, a message, the first bad item, and nothing changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/argument_cases.h"

static void check_plan_create(fixture *f) {
    throng_plan *plan = NULL;
    throng_allocator half = {.allocate = (void *(*)(void *, size_t))1};
    refuse(ARGUMENT, throng_plan_create(NULL, NULL, &plan));
    refuse(ARGUMENT, throng_plan_create(f->world, NULL, NULL));
    refuse(ARGUMENT, throng_plan_create(f->world, &half, &plan));
    assert_null(plan);
}

static void check_plan_destroy(fixture *f) {
    (void)f;
    throng_plan_destroy(NULL);
}

static void check_plan_routes(fixture *f) {
    const double points[] = {1, 1, 2, 2}, bad[] = {1, 1, NAN, 2};
    const throng_route good = {.points = points, .point_count = 2};
    const throng_route wrong[2] = {good, {.points = bad, .point_count = 2}};
    refuse(ARGUMENT, throng_plan_set_routes(NULL, f->ids, &good, 1));
    refuse(ARGUMENT, throng_plan_set_routes(f->plan, NULL, &good, 1));
    refuse(ARGUMENT, throng_plan_set_routes(f->plan, f->ids, NULL, 1));
    refuse_item(VALUE, 1, throng_plan_set_routes(f->plan, f->ids, wrong, 2));
    refuse_item(STALE_ID, 0, throng_plan_set_routes(f->plan, &f->gone, &good, 1));
}

static void check_plan_update(fixture *f) {
    (void)f;
    refuse(ARGUMENT, throng_plan_update(NULL));
}

static void check_plan_lists(fixture *f) {
    const throng_agent_id *ids;
    uint32_t count;
    refuse(ARGUMENT, throng_plan_arrived(NULL, &ids, &count));
    refuse(ARGUMENT, throng_plan_arrived(f->plan, NULL, &count));
    refuse(ARGUMENT, throng_plan_arrived(f->plan, &ids, NULL));
    refuse(ARGUMENT, throng_plan_left(NULL, &ids, &count));
    refuse(ARGUMENT, throng_plan_left(f->plan, NULL, &count));
    refuse(ARGUMENT, throng_plan_left(f->plan, &ids, NULL));
}

static const entry entries[] = {
    {"throng_plan_create", check_plan_create},     {"throng_plan_destroy", check_plan_destroy},
    {"throng_plan_set_routes", check_plan_routes}, {"throng_plan_update", check_plan_update},
    {"throng_plan_arrived", check_plan_lists},     {"throng_plan_left", check_plan_lists},
};

int main(int argc, char **argv) {
    return run_entries(argc, argv, entries, sizeof entries / sizeof entries[0]);
}
