// Events and counters of a step: which, in what order, and that they are the last step's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/worlds.h"

static const uint32_t all_kinds = (1u << THRONG_EVENT_KIND_COUNT) - 1;

static const throng_event *events_of(const throng_world *world, uint32_t *count) {
    const throng_event *events;
    must(throng_world_events(world, &events, count));
    return events;
}

static const throng_event *find_event(const throng_world *world, throng_event_kind kind, throng_agent_id agent) {
    uint32_t count;
    const throng_event *events = events_of(world, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].kind == kind && events[i].agent.index == agent.index) return &events[i];
    }
    return NULL;
}

static void arrival_is_told_once(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def def = throng_default_agent_def();
    throng_agent_id id;
    def.target = (throng_target){.kind = THRONG_TARGET_POINT, .x = 1};
    must(throng_agents_add(world, &def, 1, &id));
    int arrivals = 0;
    for (int step = 0; step < 30; step++) {
        must(throng_world_step(world, 0.1));
        double at[2];
        uint8_t arrived;
        must(throng_agents_read(world, THRONG_FIELD_POSITION, &id, 1, at));
        must(throng_agents_read(world, THRONG_FIELD_ARRIVED, &id, 1, &arrived));
        const bool told = find_event(world, THRONG_EVENT_ARRIVED, id) != NULL;
        arrivals += told;
        if (told) assert_true(fabs(at[0] - 1.0) <= def.goal_radius);
        assert_int_equal(arrived, arrivals);
    }
    assert_int_equal(arrivals, 1);
    // A new target is another arrival.
    must(
        throng_agents_write(world, THRONG_FIELD_TARGET, &id, 1, &(throng_target){.kind = THRONG_TARGET_POINT, .x = 2}));
    for (int step = 0; step < 30; step++) {
        must(throng_world_step(world, 0.1));
        arrivals += find_event(world, THRONG_EVENT_ARRIVED, id) != NULL;
    }
    assert_int_equal(arrivals, 2);
    throng_world_destroy(world);
}

static void order_and_mask(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_world_def def = throng_default_world_def();
    def.event_mask = all_kinds;
    throng_world *every = make_world(&def, map);
    def.event_mask = 1u << THRONG_EVENT_CONTACT;
    throng_world *contacts = make_world(&def, map);
    def.event_mask = 0;
    throng_world *none = make_world(&def, map);
    throng_world *worlds[3] = {every, contacts, none};
    for (int i = 0; i < 3; i++) add_crowd(worlds[i], 3, 600, 0, 0, 26, NULL);
    uint32_t seen = 0;
    for (int step = 0; step < 60; step++) {
        for (int i = 0; i < 3; i++) must(throng_world_step(worlds[i], 0.1));
        assert_same_state(every, none, "events");
        uint32_t count[3], of_contact = 0;
        const throng_event *events = events_of(every, &count[0]);
        const throng_event *only = events_of(contacts, &count[1]);
        (void)events_of(none, &count[2]);
        assert_int_equal(count[2], 0);
        uint64_t before = 0;
        for (uint32_t i = 0; i < count[0]; i++) {
            uint64_t creation;
            must(throng_agents_read(every, THRONG_FIELD_CREATION, &events[i].agent, 1, &creation));
            const uint64_t key = creation * THRONG_EVENT_KIND_COUNT + (uint64_t)events[i].kind + 1;
            assert_true(key > before); // by (creation number, kind), none twice
            before = key;
            seen |= 1u << events[i].kind;
            assert_true(events[i].value >= 0.0f && isfinite(events[i].value));
            const bool with_another = events[i].other.index != 0;
            assert_int_equal(with_another, events[i].kind == THRONG_EVENT_CONTACT);
            if (events[i].kind != THRONG_EVENT_CONTACT) continue;
            assert_int_equal(events[i].agent.index, only[of_contact].agent.index);
            assert_true(events[i].value == only[of_contact].value);
            of_contact++;
        }
        assert_int_equal(of_contact, count[1]);
    }
    const uint32_t wanted = 1u << THRONG_EVENT_ARRIVED | 1u << THRONG_EVENT_DISPLACED | 1u << THRONG_EVENT_INFEASIBLE |
                            1u << THRONG_EVENT_CONTACT;
    assert_int_equal(seen & wanted, wanted);
    for (int i = 0; i < 3; i++) throng_world_destroy(worlds[i]);
    throng_map_release(map);
}

// An agent in a solid wall that nothing leads out of, with a goal where it stands: as many kinds at once as can be.
static void all_that_can_come_together(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    def.event_mask = all_kinds;
    throng_world *world = make_world(&def, NULL);
    const double around[] = {-3e4, -3e4, 3e4, -3e4, 3e4, 3e4, -3e4, 3e4};
    const throng_wall wall = {THRONG_WALL_SOLID, 4, around, 1};
    must(throng_world_add_walls(world, &wall, 1, NULL));
    throng_agent_def defs[40];
    throng_agent_id ids[40];
    for (int i = 0; i < 40; i++) {
        defs[i] = throng_default_agent_def();
        defs[i].target.kind = THRONG_TARGET_POINT;
    }
    must(throng_agents_add(world, defs, 40, ids));
    must(throng_world_step(world, 0.1));
    const throng_event *crushed = find_event(world, THRONG_EVENT_CRUSHED, ids[0]);
    assert_non_null(crushed);
    assert_non_null(find_event(world, THRONG_EVENT_DISPLACED, ids[0]));
    assert_non_null(find_event(world, THRONG_EVENT_ARRIVED, ids[0]));
    assert_non_null(find_event(world, THRONG_EVENT_CONTACT, ids[0]));
    throng_world_destroy(world);
}

static void counters_add_up(void **state) {
    (void)state;
    throng_map *map = make_map();
    throng_world_def def = throng_default_world_def();
    def.event_mask = all_kinds;
    def.profile = true;
    throng_world *world = make_world(&def, map);
    throng_agent_id ids[600];
    add_crowd(world, 4, 600, 0, 0, 26, ids);
    must(throng_agents_park(world, ids, 25, true));
    throng_counters counters;
    throng_profile profile;
    uint64_t infeasible = 0;
    float overlap = 0.0f;
    for (int step = 1; step <= 10; step++) {
        must(throng_world_step(world, 0.1));
        must(throng_world_counters(world, &counters));
        uint32_t count, told = 0;
        float deepest = 0.0f;
        const throng_event *events = events_of(world, &count);
        for (uint32_t i = 0; i < count; i++) {
            told += events[i].kind == THRONG_EVENT_INFEASIBLE;
            if (events[i].kind == THRONG_EVENT_CONTACT && events[i].value > deepest) deepest = events[i].value;
        }
        assert_int_equal(counters.infeasible, told);
        infeasible += told;
        overlap = overlap > counters.overlap ? overlap : counters.overlap;
        assert_int_equal(counters.infeasible_total, infeasible);
        assert_true(counters.overlap_max == overlap);
        if (deepest > 0.0f) assert_true(counters.overlap == deepest);
        assert_int_equal(counters.agents, 600);
        assert_int_equal(counters.parked, 25);
        must(throng_world_profile(world, &profile));
        assert_int_equal(profile.agent_steps, 575u * (unsigned)step);
        assert_true(profile.total_seconds > 0.0 && profile.run_seconds >= profile.total_seconds);
        assert_true(profile.seconds[THRONG_STAGE_NEIGHBORS] > 0.0);
    }
    assert_true(infeasible > 0);
    throng_world_destroy(world);
    throng_map_release(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrival_is_told_once),
        cmocka_unit_test(order_and_mask),
        cmocka_unit_test(all_that_can_come_together),
        cmocka_unit_test(counters_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
