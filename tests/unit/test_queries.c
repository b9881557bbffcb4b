// Queries between steps, each against the simplest way to answer it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "state/wall_place.h"
#include "state/world.h"
#include "support/worlds.h"

enum { CROWD = 500, TRIALS = 300 };

typedef struct fixture {
    throng_map *map;
    throng_world *world;
    throng_agent_id ids[CROWD];
} fixture;

static void open_fixture(fixture *f, uint64_t seed, double x, double y) {
    f->map = x == 0.0 && y == 0.0 ? make_map() : NULL;
    f->world = make_world(NULL, f->map);
    add_crowd(f->world, seed, CROWD, x, y, 25.0, f->ids);
    must(throng_agents_park(f->world, f->ids + 3, 20, true));
    must(throng_world_refresh(f->world));
}

static void close_fixture(fixture *f) {
    throng_world_destroy(f->world);
    throng_map_release(f->map);
}

typedef struct candidate {
    throng_query_hit hit;
    uint64_t creation;
} candidate;

static int by_gap(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->hit.gap != y->hit.gap) return x->hit.gap < y->hit.gap ? -1 : 1;
    return x->creation < y->creation ? -1 : x->creation > y->creation;
}

static int by_creation(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    return x->creation < y->creation ? -1 : x->creation > y->creation;
}

static bool seen(const throng_world *world, throng_agent_id id, const throng_query_filter *filter) {
    uint8_t parked;
    uint32_t layer;
    must(throng_agents_read(world, THRONG_FIELD_PARKED, &id, 1, &parked));
    must(throng_agents_read(world, THRONG_FIELD_LAYER, &id, 1, &layer));
    return !parked && (layer & filter->mask) &&
           !(id.index == filter->excluded.index && id.generation == filter->excluded.generation);
}

static uint32_t all_near(const throng_world *world, double x, double y, float range, const throng_query_filter *filter,
                         candidate *found) {
    const throng_view view = view_of(world);
    uint32_t count = 0;
    for (uint32_t row = 0; row < view.count; row++) {
        const double dx = view.x[row] - x, dy = view.y[row] - y;
        const float gap = (float)(sqrt(dx * dx + dy * dy) - filter->body_radius - (double)view.radius[row]);
        if (gap <= range && seen(world, view.ids[row], filter)) {
            found[count++] = (candidate){{view.ids[row], gap}, view.creation[row]};
        }
    }
    qsort(found, count, sizeof *found, by_gap);
    return count;
}

static throng_query_filter random_filter(fixture *f, uint64_t *random) {
    throng_query_filter filter = throng_default_query_filter();
    if (random_below(random, 3) == 0) filter.mask = 1 + random_below(random, 3);
    if (random_below(random, 3) == 0) filter.body_radius = (float)random_between(random, 0.0, 1.0);
    if (random_below(random, 3) == 0) filter.excluded = f->ids[random_below(random, CROWD)];
    return filter;
}

static void check_nearest(double x, double y) {
    fixture f;
    open_fixture(&f, 1, x, y);
    uint64_t random = 7;
    for (int trial = 0; trial < TRIALS; trial++) {
        const throng_query_filter filter = random_filter(&f, &random);
        double at[2] = {x + random_between(&random, -15, 15), y + random_between(&random, -15, 15)};
        // Now and then exactly where somebody stands.
        if (trial % 5 == 0) must(throng_agents_read(f.world, THRONG_FIELD_POSITION, &f.ids[trial], 1, at));
        const float range = trial % 7 == 0 ? INFINITY : (float)random_between(&random, 0.0, 6.0);
        const uint32_t capacity = random_below(&random, 40);
        candidate expected[CROWD];
        const uint32_t all = all_near(f.world, at[0], at[1], range, &filter, expected);
        throng_query_hit hits[40];
        uint32_t count = 99;
        must(throng_query_nearest(f.world, at[0], at[1], range, &filter, hits, capacity, &count));
        assert_int_equal(count, all < capacity ? all : capacity);
        for (uint32_t i = 0; i < count; i++) {
            if (hits[i].agent.index != expected[i].hit.agent.index || hits[i].gap != expected[i].hit.gap) {
                fail_msg("trial %d, hit %u: agent %u at %g, must be %u at %g", trial, i, hits[i].agent.index,
                         hits[i].gap, expected[i].hit.agent.index, expected[i].hit.gap);
            }
        }
    }
    close_fixture(&f);
}

static void nearest_is_what_a_scan_finds(void **state) {
    (void)state;
    check_nearest(0.0, 0.0);
}

static void nearest_in_map_coordinates(void **state) {
    (void)state;
    check_nearest(5.9e6, -4.1e6);
}

static void box_is_what_a_scan_finds(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, 2, 0.0, 0.0);
    uint64_t random = 9;
    const throng_view view = view_of(f.world);
    for (int trial = 0; trial < TRIALS; trial++) {
        const throng_query_filter filter = random_filter(&f, &random);
        double min[2], max[2];
        for (int axis = 0; axis < 2; axis++) {
            min[axis] = random_between(&random, -15, 12);
            max[axis] = min[axis] + random_between(&random, 0, 9);
        }
        // Borders count: one that runs through an agent's centre.
        if (trial % 3 == 0) min[0] = view.x[random_below(&random, view.count)];
        if (max[0] < min[0]) max[0] = min[0];
        candidate expected[CROWD];
        uint32_t all = 0;
        for (uint32_t row = 0; row < view.count; row++) {
            const bool inside =
                view.x[row] >= min[0] && view.x[row] <= max[0] && view.y[row] >= min[1] && view.y[row] <= max[1];
            if (inside && seen(f.world, view.ids[row], &filter)) {
                expected[all++] = (candidate){{view.ids[row], 0.0f}, view.creation[row]};
            }
        }
        qsort(expected, all, sizeof *expected, by_creation);
        throng_agent_id agents[60];
        const uint32_t capacity = random_below(&random, 60);
        uint32_t count = 0;
        must(throng_query_box(f.world, min, max, &filter, agents, capacity, &count));
        if (count != all) fail_msg("trial %d: %u found, there are %u", trial, count, all);
        for (uint32_t i = 0; i < count && i < capacity; i++) {
            if (agents[i].index != expected[i].hit.agent.index) {
                fail_msg("trial %d, item %u: agent %u, must be %u", trial, i, agents[i].index,
                         expected[i].hit.agent.index);
            }
        }
    }
    close_fixture(&f);
}

// A place is free where the distance to every wall, and the side of it, allow: here by the room that has tests of its
// own against an independent oracle.
static void free_places_and_sight(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, 3, 0.0, 0.0);
    uint64_t random = 11;
    int found = 0, seen_pairs = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        throng_query_filter filter = throng_default_query_filter();
        filter.body_radius = (float)random_between(&random, 0.0, 0.6);
        const double from[2] = {random_between(&random, -17, 17), random_between(&random, -17, 17)};
        const double to[2] = {random_between(&random, -14, 14), random_between(&random, -14, 14)};
        double place[2] = {NAN, NAN};
        const throng_result result = throng_query_free_place(f.world, from[0], from[1], 1.0f, &filter, place);
        if (result == THRONG_OK) {
            found++;
            assert_true(throng_wall_place_is_free(f.world->walls, throng_wall_filter_of(filter.mask), place[0],
                                                  place[1], filter.body_radius));
            const double dx = place[0] - from[0], dy = place[1] - from[1];
            assert_true(dx * dx + dy * dy <= 1.0);
        } else {
            assert_int_equal(result, THRONG_ERROR_NONE_FOUND);
            assert_true(isnan(place[0]));
        }
        bool visible, back;
        must(throng_query_line_of_sight(f.world, from, to, &filter, &visible));
        must(throng_query_line_of_sight(f.world, to, from, &filter, &back));
        assert_int_equal(visible, back);
        seen_pairs += visible;
    }
    assert_in_range(found, TRIALS / 4, TRIALS - 1);
    assert_in_range(seen_pairs, TRIALS / 20, TRIALS - 1);
    close_fixture(&f);
}

// Not even heights that meet nobody hide an agent from who asks for all heights.
static void all_heights_are_all(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, 3, 0.0, 0.0);
    const float low = INFINITY;
    must(throng_agents_write(f.world, THRONG_FIELD_HEIGHT_LOW, &f.ids[0], 1, &low));
    must(throng_world_refresh(f.world));
    double place[2];
    must(throng_agents_read(f.world, THRONG_FIELD_POSITION, &f.ids[0], 1, place));
    static throng_query_hit hits[CROWD];
    uint32_t count = 0;
    bool found = false;
    must(throng_query_nearest(f.world, place[0], place[1], 100.0, NULL, hits, CROWD, &count));
    for (uint32_t i = 0; i < count; i++) found = found || hits[i].agent.index == f.ids[0].index;
    assert_true(found);
    close_fixture(&f);
}

static void changes_make_the_index_stale(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, 4, 0.0, 0.0);
    throng_query_hit hit;
    uint32_t count;
    const double place[2] = {3.0, 3.0};
    const float radius = 0.3f, speed = 1.0f;
    const uint32_t layer = 1;
    throng_agent_def def = throng_default_agent_def();
    for (int change = 0; change < 7; change++) {
        must(throng_world_refresh(f.world));
        must(throng_query_nearest(f.world, 0, 0, 5.0f, NULL, &hit, 1, &count));
        switch (change) {
        case 0:
            must(throng_agents_write(f.world, THRONG_FIELD_POSITION, &f.ids[0], 1, place));
            break;
        case 1:
            must(throng_agents_write(f.world, THRONG_FIELD_RADIUS, &f.ids[0], 1, &radius));
            break;
        case 2:
            must(throng_agents_write(f.world, THRONG_FIELD_LAYER, &f.ids[0], 1, &layer));
            break;
        case 3:
            must(throng_agents_add(f.world, &def, 1, NULL));
            break;
        case 4:
            must(throng_agents_park(f.world, &f.ids[0], 1, true));
            break;
        case 5:
            must(throng_agents_park(f.world, &f.ids[0], 1, false));
            break;
        default:
            must(throng_agents_remove(f.world, &f.ids[0], 1));
            break;
        }
        const throng_result result = throng_query_nearest(f.world, 0, 0, 5.0f, NULL, &hit, 1, &count);
        if (result != THRONG_ERROR_STALE_INDEX) fail_msg("after change %d: %s", change, throng_result_name(result));
    }
    must(throng_world_refresh(f.world));
    must(throng_agents_write(f.world, THRONG_FIELD_MAX_SPEED, &f.ids[1], 1, &speed));
    must(throng_query_nearest(f.world, 0, 0, 5.0f, NULL, &hit, 1, &count));
    close_fixture(&f);
}

// ---- the why of an agent

static void check_explained(const throng_world *world, throng_agent_id id, const throng_explanation *why) {
    float preferred[2], solved[2];
    must(throng_agents_read(world, THRONG_FIELD_PREFERRED_VELOCITY, &id, 1, preferred));
    must(throng_agents_read(world, THRONG_FIELD_SOLVED_VELOCITY, &id, 1, solved));
    for (int axis = 0; axis < 2; axis++) {
        if (preferred[axis] != why->preferred_velocity[axis] || solved[axis] != why->solved_velocity[axis]) {
            fail_msg("agent %u, axis %d: explained %a from %a, the step solved %a from %a", id.index, axis,
                     why->solved_velocity[axis], why->preferred_velocity[axis], solved[axis], preferred[axis]);
        }
    }
}

static void check_planes(const throng_explanation *why, throng_agent_id id) {
    float worst = 0.0f;
    for (uint32_t i = 0; i < why->neighbor_count + why->wall_count; i++) {
        const throng_half_plane plane = i < why->wall_count ? why->wall_planes[i] : why->planes[i - why->wall_count];
        const float miss = plane.c - plane.nx * why->solved_velocity[0] - plane.ny * why->solved_velocity[1];
        worst = worst > miss ? worst : miss;
    }
    const float allowed = (why->feasible ? 0.0f : why->violation) + 1e-4f;
    if (worst > allowed) fail_msg("agent %u misses a half-plane by %g m/s, told is %g", id.index, worst, allowed);
}

static void check_neighbors(const throng_world *world, throng_agent_id id, const throng_explanation *why) {
    const throng_view view = view_of(world);
    uint32_t row, most, mask;
    float range, yield;
    must(throng_agent_row(world, id, &row));
    must(throng_agents_read(world, THRONG_FIELD_NEIGHBOR_RANGE, &id, 1, &range));
    must(throng_agents_read(world, THRONG_FIELD_MAX_NEIGHBORS, &id, 1, &most));
    must(throng_agents_read(world, THRONG_FIELD_MASK, &id, 1, &mask));
    must(throng_agents_read(world, THRONG_FIELD_YIELD, &id, 1, &yield));
    throng_query_filter filter = throng_default_query_filter();
    filter.mask = mask;
    filter.excluded = id;
    filter.body_radius = view.radius[row];
    candidate near[CROWD];
    const uint32_t all = all_near(world, view.x[row], view.y[row], range, &filter, near);
    uint32_t expected = 0;
    for (uint32_t i = 0; i < all && expected < most; i++) {
        float other;
        must(throng_agents_read(world, THRONG_FIELD_YIELD, &near[i].hit.agent, 1, &other));
        if (yield == 0.0f && other == 0.0f) continue; // take no neighbor slot
        if (expected >= why->neighbor_count) break;
        if (why->neighbors[expected].agent.index != near[i].hit.agent.index &&
            fabsf(why->neighbors[expected].gap - near[i].hit.gap) > 1e-6f) {
            fail_msg("agent %u, neighbor %u: %u, must be %u", id.index, expected, why->neighbors[expected].agent.index,
                     near[i].hit.agent.index);
        }
        expected++;
    }
    assert_int_equal(why->neighbor_count, expected);
}

static void explain_is_what_the_step_does(void **state) {
    (void)state;
    static throng_explanation why[CROWD];
    static bool explained[CROWD];
    fixture f;
    open_fixture(&f, 5, 0.0, 0.0);
    uint32_t infeasible = 0, walls = 0;
    for (int step = 0; step < 4; step++) {
        const throng_hashes before = hashes_of(f.world);
        for (uint32_t i = 0; i < CROWD; i++) {
            const throng_result result = throng_query_explain(f.world, f.ids[i], 0.1, &why[i]);
            explained[i] = result == THRONG_OK;
            assert_int_equal(result, i >= 3 && i < 23 ? THRONG_ERROR_ARGUMENT : THRONG_OK);
            if (!explained[i]) continue;
            check_planes(&why[i], f.ids[i]);
            check_neighbors(f.world, f.ids[i], &why[i]);
            infeasible += !why[i].feasible;
            walls += why[i].wall_count;
        }
        const throng_hashes after = hashes_of(f.world);
        assert_null(first_difference(&before, &after));
        must(throng_world_step(f.world, 0.1));
        for (uint32_t i = 0; i < CROWD; i++) {
            if (explained[i]) check_explained(f.world, f.ids[i], &why[i]);
        }
    }
    assert_true(infeasible > 0);
    assert_true(walls > 0);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_is_what_a_scan_finds),  cmocka_unit_test(nearest_in_map_coordinates),
        cmocka_unit_test(box_is_what_a_scan_finds),      cmocka_unit_test(free_places_and_sight),
        cmocka_unit_test(all_heights_are_all),           cmocka_unit_test(changes_make_the_index_stale),
        cmocka_unit_test(explain_is_what_the_step_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
