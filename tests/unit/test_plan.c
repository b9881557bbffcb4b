// Routes: waypoints by radius and bisector, leaving, agents that go, and memory that runs out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <throng/plan.h>
#include <throng/supports.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    throng_world *world;
    throng_plan *plan;
} fixture;

static fixture make(const throng_allocator *allocator) {
    fixture f;
    throng_world_def def = throng_default_world_def();
    def.threads = 1;
    assert_int_equal(throng_world_create(&def, &f.world), THRONG_OK);
    assert_int_equal(throng_plan_create(f.world, allocator, &f.plan), THRONG_OK);
    return f;
}

static void drop(fixture f) {
    throng_plan_destroy(f.plan);
    throng_world_destroy(f.world);
}

// Walks at 1 m/s, heeds nobody.
static throng_agent_id add(fixture f, double x, double y, float goal_radius) {
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = x;
    def.position[1] = y;
    def.preferred_speed = 1.0f;
    def.goal_radius = goal_radius;
    def.mask = 0;
    throng_agent_id id;
    assert_int_equal(throng_agents_add(f.world, &def, 1, &id), THRONG_OK);
    return id;
}

static void set(fixture f, throng_agent_id id, const double *points, uint32_t count, bool leave) {
    throng_route route = {.points = points, .point_count = count, .leave = leave};
    assert_int_equal(throng_plan_set_routes(f.plan, &id, &route, 1), THRONG_OK);
}

static throng_target target_of(fixture f, throng_agent_id id) {
    throng_target target;
    assert_int_equal(throng_agents_read(f.world, THRONG_FIELD_TARGET, &id, 1, &target), THRONG_OK);
    return target;
}

static void put(fixture f, throng_agent_id id, double x, double y) {
    const double place[2] = {x, y};
    assert_int_equal(throng_agents_write(f.world, THRONG_FIELD_POSITION, &id, 1, place), THRONG_OK);
}

static void step(fixture f, double time_step) {
    assert_int_equal(throng_world_step(f.world, time_step), THRONG_OK);
    assert_int_equal(throng_plan_update(f.plan), THRONG_OK);
}

static uint32_t arrived(fixture f, throng_agent_id first[1]) {
    const throng_agent_id *ids;
    uint32_t count;
    assert_int_equal(throng_plan_arrived(f.plan, &ids, &count), THRONG_OK);
    if (count > 0) *first = ids[0];
    return count;
}

static uint32_t left(fixture f) {
    const throng_agent_id *ids;
    uint32_t count;
    assert_int_equal(throng_plan_left(f.plan, &ids, &count), THRONG_OK);
    return count;
}

// The world keeps places on a grid of its own.
static void assert_target(fixture f, throng_agent_id id, double x, double y) {
    throng_target target = target_of(f, id);
    if (target.kind != THRONG_TARGET_POINT || fabs(target.x - x) + fabs(target.y - y) > 1e-6) {
        fail_msg("target (%g, %g), should be (%g, %g)", target.x, target.y, x, y);
    }
}

static void a_route_is_walked_to_its_end(void **state) {
    (void)state;
    fixture f = make(NULL);
    throng_agent_id id = add(f, 0.0, 0.0, 0.25f), who;
    const double points[] = {2.0, 0.0, 2.0, 2.0};
    set(f, id, points, 2, false);
    assert_target(f, id, 2.0, 0.0);
    int steps = 0;
    while (target_of(f, id).y == 0.0) {
        assert_int_equal(arrived(f, &who), 0); // a waypoint is no arrival
        step(f, 0.1);
        if (++steps > 100) fail_msg("the waypoint is not passed after %d steps", steps);
    }
    // On the straight leg the radius comes first: 1.75 m at 1 m/s.
    assert_in_range(steps, 17, 19);
    while (arrived(f, &who) == 0) {
        step(f, 0.1);
        if (++steps > 100) fail_msg("not arrived after %d steps", steps);
    }
    assert_int_equal(who.index, id.index);
    assert_int_equal(left(f), 0);
    step(f, 0.1);
    assert_int_equal(arrived(f, &who), 0); // told once
    assert_target(f, id, 2.0, 2.0);
    drop(f);
}

// The bisector of a right-angled turn at (4, 0) runs through (5, -1) and (3, 1): dot(x - w, (1, 1)) >= 0.
static void the_bisector_passes_a_waypoint(void **state) {
    (void)state;
    static const struct {
        double x, y;
        bool passed;
    } cases[] = {{4.6, -0.5, true}, {4.4, -0.5, false}, {3.6, 0.5, true},
                 {3.4, 0.5, false}, {9.0, 9.0, true},   {0, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f = make(NULL);
        throng_agent_id id = add(f, 0.0, 0.0, 0.1f);
        const double points[] = {4.0, 0.0, 4.0, 4.0};
        set(f, id, points, 2, false);
        put(f, id, cases[i].x, cases[i].y);
        step(f, 1e-3);
        assert_target(f, id, 4.0, cases[i].passed ? 4.0 : 0.0);
        drop(f);
    }
}

// A turn back in any direction, where the sum of the two unit directions may be rounding: from no side near the
// waypoint is it passed but within goal_radius.
static void opposite_legs_have_no_bisector(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        fixture f = make(NULL);
        throng_agent_id id = add(f, 0.0, 0.0, 0.1f);
        const double x = 3.0 + 0.01 * i, y = 1.0 - 0.013 * i, points[] = {x, y, -x / 3.0, -y / 3.0};
        set(f, id, points, 2, false);
        for (int side = 0; side < 4; side++) {
            put(f, id, x + (side % 2 ? 0.5 : -0.5), y + (side / 2 ? 0.5 : -0.5));
            step(f, 1e-3);
            assert_target(f, id, x, y);
        }
        put(f, id, x - 0.05, y);
        step(f, 1e-3);
        assert_target(f, id, points[2], points[3]);
        drop(f);
    }
}

// Repeated points, and a step that is longer than several legs: all are passed in one update.
static void short_legs_are_passed_together(void **state) {
    (void)state;
    fixture f = make(NULL);
    throng_agent_id id = add(f, 0.0, 0.0, 0.25f);
    const double points[] = {0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 9.0, 0.0};
    set(f, id, points, 6, false);
    put(f, id, 2.9, 0.0);
    step(f, 1e-3);
    assert_target(f, id, 9.0, 0.0);
    drop(f);
}

static void who_leaves_is_removed(void **state) {
    (void)state;
    fixture f = make(NULL);
    throng_agent_id ids[3], who;
    const double near[] = {0.1, 0.0}, far[] = {100.0, 0.0};
    for (int i = 0; i < 3; i++) ids[i] = add(f, 0.0, i, 2.5f);
    set(f, ids[2], near, 1, true);
    set(f, ids[0], near, 1, true);
    set(f, ids[1], far, 1, true);
    step(f, 0.1);
    assert_int_equal(left(f), 2);
    assert_int_equal(arrived(f, &who), 2);
    assert_int_equal(who.index, ids[0].index); // by creation, not by the order of the routes
    uint32_t row;
    assert_int_equal(throng_agent_row(f.world, ids[0], &row), THRONG_ERROR_STALE_ID);
    assert_int_equal(throng_agent_row(f.world, ids[1], &row), THRONG_OK);
    drop(f);
}

// Whatever rows a step leaves the agents in, they are told in creation order.
static void arrivals_are_in_creation_order(void **state) {
    (void)state;
    enum { COUNT = 300 };
    fixture f = make(NULL);
    const double points[] = {5.0, 5.0};
    for (int i = 0; i < COUNT; i++)
        set(f, add(f, i * 7919 % COUNT * 0.1, i * 104729 % COUNT * 0.1, 100.0f), points, 1, i % 3 == 0);
    assert_int_equal(throng_world_step(f.world, 0.1), THRONG_OK);
    assert_int_equal(throng_world_step(f.world, 0.1), THRONG_OK);
    throng_view view;
    assert_int_equal(throng_world_view(f.world, &view), THRONG_OK);
    bool mixed = false;
    uint32_t index_of[COUNT]; // by creation number
    for (uint32_t row = 0; row < view.count; row++) {
        mixed |= view.creation[row] != row;
        index_of[view.creation[row]] = view.ids[row].index;
    }
    assert_true(mixed);
    assert_int_equal(throng_plan_update(f.plan), THRONG_OK);
    const throng_agent_id *ids;
    uint32_t count;
    assert_int_equal(throng_plan_arrived(f.plan, &ids, &count), THRONG_OK);
    assert_int_equal(count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(ids[i].index, index_of[i]);
    assert_int_equal(throng_plan_left(f.plan, &ids, &count), THRONG_OK);
    assert_int_equal(count, COUNT / 3);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(ids[i].index, index_of[3 * i]);
    drop(f);
}

// The route of an agent that is gone is forgotten; a new agent under its index has none.
static void the_gone_are_forgotten(void **state) {
    (void)state;
    fixture f = make(NULL);
    const double far[] = {100.0, 0.0, 200.0, 0.0};
    for (int round = 0; round < 300; round++) {
        throng_agent_id id = add(f, 0.0, 0.0, 0.25f), other = add(f, 5.0, 0.0, 0.25f);
        set(f, id, far, 2, false);
        set(f, other, far, 2, true);
        step(f, 0.1);
        assert_int_equal(throng_agents_remove(f.world, &id, 1), THRONG_OK);
        throng_agent_id fresh = add(f, 150.0, 0.0, 0.25f);
        step(f, 0.1);
        assert_int_equal(target_of(f, fresh).kind, THRONG_TARGET_NONE);
        assert_target(f, other, 100.0, 0.0);
        assert_int_equal(throng_agents_remove(f.world, &fresh, 1), THRONG_OK);
        assert_int_equal(throng_agents_remove(f.world, &other, 1), THRONG_OK);
    }
    throng_agent_id who;
    step(f, 0.1);
    assert_int_equal(arrived(f, &who), 0);
    drop(f);
}

static void a_new_route_replaces_the_old(void **state) {
    (void)state;
    fixture f = make(NULL);
    throng_agent_id id = add(f, 0.0, 0.0, 0.25f), who;
    const double first[] = {5.0, 0.0}, second[] = {0.0, 0.5, 0.0, 1.0};
    set(f, id, first, 1, true);
    set(f, id, second, 2, false);
    assert_target(f, id, 0.0, 0.5);
    int count = 0;
    for (int i = 0; i < 30; i++) {
        step(f, 0.1);
        count += (int)arrived(f, &who);
        assert_int_equal(left(f), 0);
    }
    assert_int_equal(count, 1);
    drop(f);
}

// Routes are of the world: the first leg begins where the agent is there, not at its place in a platform's frame.
static void a_route_from_a_platform_begins_in_the_world(void **state) {
    (void)state;
    static const double outline[] = {-2.0, -2.0, 2.0, -2.0, 2.0, 2.0, -2.0, 2.0};
    fixture f = make(NULL);
    throng_support_def def = throng_default_support_def();
    def.motion.position[0] = 100.0;
    def.outline = outline;
    def.outline_count = 4;
    throng_support_id platform;
    assert_int_equal(throng_supports_add(f.world, &def, 1, &platform), THRONG_OK);
    throng_agent_id id = add(f, 0.0, 0.0, 0.1f);
    assert_int_equal(throng_agents_write(f.world, THRONG_FIELD_POSITION, &id, 1, (double[]){100.0, 0.0}), THRONG_OK);
    assert_int_equal(throng_agents_write(f.world, THRONG_FIELD_SUPPORT, &id, 1, &platform), THRONG_OK);
    // From (100, 0) west and then south: who is beyond the bisector through (50, 0) is south-west of it.
    const double points[] = {50.0, 0.0, 50.0, -50.0};
    set(f, id, points, 2, false);
    step(f, 1e-3);
    assert_target(f, id, 50.0, 0.0);
    const throng_support_id ground = {0};
    assert_int_equal(throng_agents_write(f.world, THRONG_FIELD_SUPPORT, &id, 1, &ground), THRONG_OK);
    put(f, id, 49.5, 0.3);
    step(f, 1e-3);
    assert_target(f, id, 50.0, -50.0);
    drop(f);
}

static void wrong_calls_change_nothing(void **state) {
    (void)state;
    fixture f = make(NULL);
    throng_agent_id id = add(f, 0.0, 0.0, 0.25f), stale = {id.index, id.generation + 1};
    const double good[] = {5.0, 0.0}, not_finite[] = {1.0, NAN};
    throng_route routes[2] = {{good, 1, false}, {good, 1, false}};
    throng_agent_id ids[2] = {id, id};
    const throng_agent_id *list;
    uint32_t count;
    throng_plan *plan;
    assert_int_equal(throng_plan_create(NULL, NULL, &plan), THRONG_ERROR_ARGUMENT);
    assert_int_equal(throng_plan_create(f.world, NULL, NULL), THRONG_ERROR_ARGUMENT);
    assert_int_equal(throng_plan_set_routes(NULL, ids, routes, 1), THRONG_ERROR_ARGUMENT);
    assert_int_equal(throng_plan_set_routes(f.plan, NULL, routes, 1), THRONG_ERROR_ARGUMENT);
    assert_int_equal(throng_plan_set_routes(f.plan, ids, NULL, 1), THRONG_ERROR_ARGUMENT);
    routes[1].points = NULL;
    assert_int_equal(throng_plan_set_routes(f.plan, ids, routes, 2), THRONG_ERROR_ARGUMENT);
    assert_int_equal(throng_last_error()->item, 1);
    routes[1] = (throng_route){good, 0, false};
    assert_int_equal(throng_plan_set_routes(f.plan, ids, routes, 2), THRONG_ERROR_VALUE);
    routes[1] = (throng_route){not_finite, 1, false};
    assert_int_equal(throng_plan_set_routes(f.plan, ids, routes, 2), THRONG_ERROR_VALUE);
    assert_int_equal(throng_last_error()->item, 1);
    routes[1] = routes[0];
    ids[1] = stale;
    assert_int_equal(throng_plan_set_routes(f.plan, ids, routes, 2), THRONG_ERROR_STALE_ID);
    ids[1] = (throng_agent_id){UINT32_MAX, 1};
    assert_int_equal(throng_plan_set_routes(f.plan, ids, routes, 2), THRONG_ERROR_STALE_ID);
    assert_int_equal(throng_last_error()->item, 1);
    ids[1] = id;
    assert_int_equal(throng_plan_set_routes(f.plan, ids, routes, 2), THRONG_ERROR_ARGUMENT);
    assert_int_equal(throng_last_error()->item, 1);
    assert_int_equal(throng_plan_update(NULL), THRONG_ERROR_ARGUMENT);
    assert_int_equal(throng_plan_arrived(f.plan, NULL, &count), THRONG_ERROR_ARGUMENT);
    assert_int_equal(throng_plan_left(f.plan, &list, NULL), THRONG_ERROR_ARGUMENT);
    assert_int_equal(target_of(f, id).kind, THRONG_TARGET_NONE);
    throng_plan_destroy(NULL);
    drop(f);
}

// An allocator that fails once, at its n-th allocation, and counts what is out.
typedef struct faulty {
    int until_failure;
    int64_t bytes;
} faulty;

static void *faulty_allocate(void *context, size_t bytes) {
    faulty *memory = context;
    if (memory->until_failure-- == 0) return NULL;
    memory->bytes += (int64_t)bytes;
    return aligned_alloc(64, bytes);
}

static void faulty_release(void *context, void *block, size_t bytes) {
    ((faulty *)context)->bytes -= (int64_t)bytes;
    free(block);
}

enum { WALKERS = 40, WALK_STEPS = 60 };

// A crowd on routes, stepped with each failing call tried again; the hash of the world at the end.
static uint64_t walk(int failure_at, bool *failed) {
    faulty memory = {.until_failure = failure_at};
    throng_allocator allocator = {&memory, faulty_allocate, faulty_release};
    fixture f;
    throng_world_def def = throng_default_world_def();
    def.threads = 1;
    assert_int_equal(throng_world_create(&def, &f.world), THRONG_OK);
    throng_result result = throng_plan_create(f.world, &allocator, &f.plan);
    if (result == THRONG_ERROR_MEMORY) result = throng_plan_create(f.world, &allocator, &f.plan);
    assert_int_equal(result, THRONG_OK);
    throng_agent_id ids[WALKERS];
    double points[WALKERS][6];
    throng_route routes[WALKERS];
    for (int i = 0; i < WALKERS; i++) {
        ids[i] = add(f, i % 8, 0.5 * i, 0.25f);
        for (int j = 0; j < 3; j++) {
            points[i][2 * j] = i % 8 + 0.3 * j * (i % 5);
            points[i][2 * j + 1] = 0.5 * i + 0.7 * j;
        }
        routes[i] = (throng_route){points[i], 3, i % 2 == 0};
    }
    for (int half = 0; half < 2; half++) {
        const int start = half * WALKERS / 2;
        result = throng_plan_set_routes(f.plan, ids + start, routes + start, WALKERS / 2);
        if (result == THRONG_ERROR_MEMORY) {
            assert_int_equal(target_of(f, ids[start]).kind, THRONG_TARGET_NONE);
            result = throng_plan_set_routes(f.plan, ids + start, routes + start, WALKERS / 2);
        }
        assert_int_equal(result, THRONG_OK);
    }
    for (int i = 0; i < WALK_STEPS; i++) {
        assert_int_equal(throng_world_step(f.world, 0.1), THRONG_OK);
        result = throng_plan_update(f.plan);
        if (result == THRONG_ERROR_MEMORY) result = throng_plan_update(f.plan);
        assert_int_equal(result, THRONG_OK);
    }
    throng_hashes hashes;
    assert_int_equal(throng_world_hash(f.world, &hashes), THRONG_OK);
    drop(f);
    assert_int_equal(memory.bytes, 0);
    *failed = memory.until_failure < 0;
    return hashes.whole;
}

static void every_allocation_may_fail_once(void **state) {
    (void)state;
    bool failed;
    const uint64_t due = walk(-1, &failed);
    int failure_at = 0;
    do {
        uint64_t hash = walk(failure_at, &failed);
        if (hash != due) fail_msg("failing allocation %d changes the run", failure_at);
        failure_at++;
    } while (failed && failure_at < 1000);
    assert_in_range(failure_at, 8, 999);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_route_is_walked_to_its_end),
        cmocka_unit_test(the_bisector_passes_a_waypoint),
        cmocka_unit_test(opposite_legs_have_no_bisector),
        cmocka_unit_test(short_legs_are_passed_together),
        cmocka_unit_test(who_leaves_is_removed),
        cmocka_unit_test(arrivals_are_in_creation_order),
        cmocka_unit_test(the_gone_are_forgotten),
        cmocka_unit_test(a_new_route_replaces_the_old),
        cmocka_unit_test(wrong_calls_change_nothing),
        cmocka_unit_test(every_allocation_may_fail_once),
        cmocka_unit_test(a_route_from_a_platform_begins_in_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
