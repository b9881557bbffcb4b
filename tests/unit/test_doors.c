// Doors: where they are found, whose turn it is, who waits, and that all of it is state.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "state/world.h"
#include "support/worlds.h"

// ---- finding them

static uint32_t find(const throng_wall *walls, uint32_t wall_count, double least, double most, throng_door *doors,
                     uint32_t capacity) {
    throng_map *map = map_of(walls, wall_count);
    uint32_t count;
    must(throng_map_find_doors(map, least, most, doors, capacity, &count));
    throng_map_release(map);
    return count;
}

static void assert_door(const throng_door *door, double ax, double ay, double bx, double by, double depth) {
    const double off = fabs(door->a[0] - ax) + fabs(door->a[1] - ay) + fabs(door->b[0] - bx) + fabs(door->b[1] - by);
    if (off < 1e-7 && fabs((double)door->depth - depth) < 1e-6) return;
    fail_msg("(%.12g, %.12g) to (%.12g, %.12g), depth %.12g; (%g, %g) to (%g, %g), depth %g is right", door->a[0],
             door->a[1], door->b[0], door->b[1], (double)door->depth, ax, ay, bx, by, depth);
}

static const double two_rooms[] = {-9, -4, -0.1, -4, -0.1, -0.5, 0.1,  -0.5, 0.1,  -4, 9,  -4,
                                   9,  4,  0.1,  4,  0.1,  0.5,  -0.1, 0.5,  -0.1, 4,  -9, 4};

static void a_gap_of_one_wall_is_found(void **state) {
    (void)state;
    const throng_wall rooms = {.kind = THRONG_WALL_ENCLOSURE, .point_count = 12, .points = two_rooms, .layer = 1};
    throng_door doors[4];
    assert_int_equal(find(&rooms, 1, 0.5, 1.0, doors, 4), 1);
    assert_door(&doors[0], 0, -0.5, 0, 0.5, 0.1);
    assert_int_equal(find(&rooms, 1, 0.5, 0.99, doors, 4), 0); // the gap is 1 m
    assert_int_equal(find(&rooms, 1, 1.0, 2.0, doors, 4), 0);
    assert_int_equal(find(&rooms, 1, 0.5, 1.0, NULL, 0), 1);
}

static void a_long_passage_is_one_door(void **state) {
    (void)state;
    const double top[] = {-3, 0.4, 3, 0.4, 3, 5, -3, 5}, bottom[] = {-3, -5, 3, -5, 3, -0.4, -3, -0.4};
    throng_wall walls[] = {{.kind = THRONG_WALL_SOLID, .point_count = 4, .points = top, .layer = 1},
                           {.kind = THRONG_WALL_SOLID, .point_count = 4, .points = bottom, .layer = 1}};
    throng_door doors[4];
    assert_int_equal(find(walls, 2, 0.5, 1.0, doors, 4), 1);
    assert_door(&doors[0], 0, -0.4, 0, 0.4, 3);
    const throng_wall first = walls[0];
    walls[0] = walls[1];
    walls[1] = first;
    assert_int_equal(find(walls, 2, 0.5, 1.0, doors, 4), 1);
    assert_door(&doors[0], 0, -0.4, 0, 0.4, 3);
}

static void a_passage_without_end_is_a_door_that_worlds_take(void **state) {
    (void)state;
    const double top[] = {-1e7, 0.4, 1e7, 0.4}, bottom[] = {-1e7, -0.4, 1e7, -0.4};
    const throng_wall walls[] = {{.kind = THRONG_WALL_LINE, .point_count = 2, .points = top, .layer = 1},
                                 {.kind = THRONG_WALL_LINE, .point_count = 2, .points = bottom, .layer = 1}};
    throng_door doors[4];
    assert_int_equal(find(walls, 2, 0.5, 1.0, doors, 4), 1);
    assert_door(&doors[0], 0, -0.4, 0, 0.4, 1e6);
    throng_world *world = make_world(NULL, NULL);
    must(throng_world_set_doors(world, doors, 1));
    throng_world_destroy(world);
}

static void a_row_of_pillars_has_a_door_between_each_two(void **state) {
    (void)state;
    enum { PILLARS = 4 };
    double points[PILLARS][8];
    throng_wall walls[PILLARS];
    for (int i = 0; i < PILLARS; i++) {
        const double y = 1.2 * i;
        const double square[] = {0, y, 0.4, y, 0.4, y + 0.4, 0, y + 0.4};
        memcpy(points[i], square, sizeof square);
        walls[i] = (throng_wall){.kind = THRONG_WALL_SOLID, .point_count = 4, .points = points[i], .layer = 1};
    }
    throng_door doors[8];
    assert_int_equal(find(walls, PILLARS, 0.5, 1.0, doors, 8), PILLARS - 1);
    for (int i = 0; i < PILLARS - 1; i++) assert_door(&doors[i], 0.2, 1.2 * i + 0.4, 0.2, 1.2 * i + 1.2, 0.2);
    // Less than the gap: none. A free end before a wall is a gap, too.
    assert_int_equal(find(walls, PILLARS, 0.5, 0.7, doors, 8), 0);
    const double line[] = {1.1, 0.2, 5, 0.2};
    const throng_wall end[] = {walls[0], {.kind = THRONG_WALL_LINE, .point_count = 2, .points = line, .layer = 1}};
    assert_int_equal(find(end, 2, 0.5, 1.0, doors, 8), 1);
    assert_door(&doors[0], 0.4, 0.2, 1.1, 0.2, 0);
}

// Thousands of gaps take no longer than their neighborhood asks for.
static void a_field_of_pillars_has_a_door_between_each_two(void **state) {
    (void)state;
    enum { SIDE = 60, DOORS = 2 * SIDE * (SIDE - 1) };
    static double points[SIDE * SIDE][8];
    static throng_wall walls[SIDE * SIDE];
    static throng_door doors[DOORS];
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double x = 1.2 * (i % SIDE), y = 1.2 * (i / SIDE);
        const double square[] = {x, y, x + 0.4, y, x + 0.4, y + 0.4, x, y + 0.4};
        memcpy(points[i], square, sizeof square);
        walls[i] = (throng_wall){.kind = THRONG_WALL_SOLID, .point_count = 4, .points = points[i], .layer = 1};
    }
    assert_int_equal(find(walls, SIDE * SIDE, 0.5, 1.0, doors, DOORS), DOORS);
    for (int i = 0; i < DOORS; i++) {
        const double width = hypot(doors[i].b[0] - doors[i].a[0], doors[i].b[1] - doors[i].a[1]);
        if (fabs(width - 0.8) > 1e-7 || fabs((double)doors[i].depth - 0.2) > 1e-6) {
            fail_msg("door %d is %g m wide and %g m deep", i, width, (double)doors[i].depth);
        }
    }
}

// ---- turns

enum { GROUP = 20, LIMIT = 3000 };

typedef struct exchange {
    throng_map *map;
    throng_world *world;
    throng_agent_id ids[2 * GROUP];
    uint32_t left; // who has not left the room yet
} exchange;

/// Two groups that change rooms through 0.7 m; `count` of the right one.
static exchange begin(uint32_t count, const throng_world_def *def, const throng_door *door) {
    static const double rooms[] = {-9, -4, -0.1, -4, -0.1, -0.35, 0.1,  -0.35, 0.1,  -4, 9,  -4,
                                   9,  4,  0.1,  4,  0.1,  0.35,  -0.1, 0.35,  -0.1, 4,  -9, 4};
    const throng_wall wall = {.kind = THRONG_WALL_ENCLOSURE, .point_count = 12, .points = rooms, .layer = 1};
    exchange made = {.map = map_of(&wall, 1), .left = GROUP + count};
    made.world = make_world(def, made.map);
    if (door) must(throng_world_set_doors(made.world, door, 1));
    throng_agent_def defs[2 * GROUP];
    for (uint32_t i = 0; i < made.left; i++) {
        const uint32_t place = i % GROUP;
        const double sign = i < GROUP ? -1.0 : 1.0;
        defs[i] = throng_default_agent_def();
        defs[i].position[0] = sign * (1.5 + 0.8 * (place / 5));
        defs[i].position[1] = 0.8 * (place % 5) - 1.6 + 0.01 * place;
        defs[i].goal_radius = 0.8f;
        defs[i].target = (throng_target){.kind = THRONG_TARGET_POINT, .x = -sign * 1.0, .y = 0.02 * place - 0.2};
    }
    must(throng_agents_add(made.world, defs, made.left, made.ids));
    return made;
}

/// A step, after which those who came through are gone.
static void go_on(exchange *of) {
    must(throng_world_step(of->world, 0.1));
    const throng_event *events;
    throng_agent_id gone[2 * GROUP];
    uint32_t count, gone_count = 0;
    must(throng_world_events(of->world, &events, &count));
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].kind == THRONG_EVENT_ARRIVED) gone[gone_count++] = events[i].agent;
    }
    if (gone_count) must(throng_agents_remove(of->world, gone, gone_count));
    of->left -= gone_count;
}

static void end(exchange *of) {
    throng_world_destroy(of->world);
    throng_map_release(of->map);
}

static throng_door_state door_of(const throng_world *world) {
    throng_door_state state;
    uint32_t count;
    must(throng_world_doors(world, &state, 1, &count));
    assert_int_equal(count, 1);
    return state;
}

static const throng_door door = {{0, -0.35}, {0, 0.35}, 0.1f, 0};

static void both_sides_get_through_in_turns(void **state) {
    (void)state;
    exchange e = begin(GROUP, NULL, &door);
    int turns = 0, mixed = 0, steps = 0;
    float longest = 0.0f;
    throng_door_way way = THRONG_DOOR_BOTH;
    for (; e.left && steps < LIMIT; steps++) {
        go_on(&e);
        const throng_door_state now = door_of(e.world);
        if (now.way != way && now.way != THRONG_DOOR_BOTH) turns++;
        way = now.way;
        if (now.way != THRONG_DOOR_BOTH) longest = fmaxf(longest, now.open_time);
        mixed += now.inside[0] && now.inside[1];
    }
    if (e.left) fail_msg("%u are left after %d steps", e.left, steps);
    if (steps > 1000) fail_msg("it took %d steps", steps);
    if (turns < 3) fail_msg("only %d turns", turns);
    if (longest > 10.2f) fail_msg("a turn of %.1f s", (double)longest);
    if (mixed > steps / 4) fail_msg("both ways at once in %d of %d steps", mixed, steps);
    end(&e);
}

static void one_direction_is_let_alone(void **state) {
    (void)state;
    exchange with = begin(0, NULL, &door), without = begin(0, NULL, NULL);
    for (int step = 0; step < 300; step++) {
        go_on(&with);
        go_on(&without);
        assert_int_equal(with.left, without.left);
        assert_true(hashes_of(with.world).places == hashes_of(without.world).places);
        assert_int_equal(door_of(with.world).way, THRONG_DOOR_BOTH);
    }
    assert_true(hashes_of(with.world).whole != hashes_of(without.world).whole); // doors are state
    end(&with);
    end(&without);
}

static void a_capacity_is_kept(void **state) {
    (void)state;
    throng_door turnstile = door;
    turnstile.capacity = 1;
    exchange e = begin(0, NULL, &turnstile);
    int steps = 0;
    uint32_t most = 0;
    for (; e.left && steps < LIMIT; steps++) {
        go_on(&e);
        const throng_door_state now = door_of(e.world);
        most = now.inside[0] > most ? now.inside[0] : most;
    }
    if (e.left) fail_msg("%u are left after %d steps", e.left, steps);
    assert_int_equal(most, 1);
    end(&e);
}

typedef struct place_in_line {
    double square;
    uint64_t creation;
} place_in_line;

static int by_place(const void *a, const void *b) {
    const place_in_line *one = a, *other = b;
    if (one->square != other->square) return one->square < other->square ? -1 : 1;
    return one->creation < other->creation ? -1 : 1;
}

// Of many who wait, the nearest get in, ties by creation number; places are compared after the step.
static void a_large_capacity_lets_in_the_nearest(void **state) {
    (void)state;
    enum { WAITING = 300 };
    static const uint32_t capacities[] = {1, 63, 64, 65, 128, 200, WAITING - 1};
    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
        throng_world_def def = throng_default_world_def();
        throng_world *world;
        must(throng_world_create(&def, &world));
        uint64_t seed = 7;
        for (int k = 0; k < WAITING; k++) {
            throng_agent_def agent = throng_default_agent_def();
            agent.position[0] = random_between(&seed, -2.5, -1.0);
            agent.position[1] = k % 3 ? random_between(&seed, -1.0, 1.0) : 0.25 * (k % 5);
            agent.radius = 0.001f;
            agent.mask = 0;
            agent.target = (throng_target){.kind = THRONG_TARGET_POINT, .x = 10.0};
            must(throng_agents_add(world, &agent, 1, NULL));
        }
        throng_door gate = {{0, -0.35}, {0, 0.35}, 0.1f, capacities[i]};
        must(throng_world_set_doors(world, &gate, 1));
        must(throng_world_step(world, 1e-3));
        assert_int_equal(door_of(world).waiting[0], WAITING);
        throng_view view;
        must(throng_world_view(world, &view));
        place_in_line line[WAITING];
        for (uint32_t row = 0; row < WAITING; row++) {
            line[row] = (place_in_line){view.x[row] * view.x[row] + view.y[row] * view.y[row], view.creation[row]};
        }
        qsort(line, WAITING, sizeof *line, by_place);
        const place_in_line *last = &line[capacities[i] - 1];
        const throng_door_column *column = &world->doors.items[0];
        if (column->admit_creation != last->creation || fabs(column->admit_square - last->square) > 1e-12) {
            fail_msg("capacity %u: up to %g m2, agent %" PRIu64 "; should be %g, %" PRIu64, capacities[i],
                     column->admit_square, column->admit_creation, last->square, last->creation);
        }
        throng_world_destroy(world);
    }
}

static void turns_are_state(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    exchange a = begin(GROUP, NULL, &door);
    def.threads = 3;
    def.kernel = "scalar";
    exchange b = begin(GROUP, &def, NULL);
    static unsigned char snapshot[1 << 20];
    size_t size;
    for (int step = 0; step < 400; step++) {
        go_on(&a);
        if (step % 40 == 0 || step % 40 == 1) { // b goes on from a's state
            must(throng_world_save(a.world, snapshot, sizeof snapshot, &size));
            must(throng_world_load(b.world, snapshot, size));
            b.left = a.left;
        } else {
            go_on(&b);
        }
        assert_same_state(a.world, b.world, "after a step");
        const throng_door_state one = door_of(a.world), other = door_of(b.world);
        assert_memory_equal(&one.waiting, &other.waiting, sizeof one.waiting);
        assert_int_equal(one.way, other.way);
    }
    end(&a);
    end(&b);
}

// ---- ways around

/// Steps until the agent has arrived; fails where it has not within the limit, s.
static double time_to_arrive(throng_world *world, throng_agent_id id, double limit) {
    for (;;) {
        must(throng_world_step(world, 0.1));
        uint8_t arrived;
        must(throng_agents_read(world, THRONG_FIELD_ARRIVED, &id, 1, &arrived));
        const double time = view_of(world).time;
        if (arrived) return time;
        if (time > limit) {
            double at[2];
            must(throng_agents_read(world, THRONG_FIELD_POSITION, &id, 1, at));
            fail_msg("it stands at (%.2f, %.2f)", at[0], at[1]);
        }
    }
}

static void a_bay_is_left(void **state) {
    (void)state;
    const double bay[] = {-1, 1, 1, 1, 1, -1, -1, -1};
    const throng_wall wall = {.kind = THRONG_WALL_LINE, .point_count = 4, .points = bay, .layer = 1};
    throng_map *map = map_of(&wall, 1);
    throng_world *world = make_world(NULL, map);
    throng_agent_def agent = throng_default_agent_def();
    agent.target = (throng_target){.kind = THRONG_TARGET_POINT, .x = 8};
    throng_agent_id id;
    must(throng_agents_add(world, &agent, 1, &id));
    time_to_arrive(world, id, 60.0);
    throng_world_destroy(world);
    throng_map_release(map);
}

static void a_row_that_never_yields_is_gone_around(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def agents[8];
    throng_agent_id ids[8];
    for (int i = 0; i < 8; i++) agents[i] = throng_default_agent_def();
    agents[0].target = (throng_target){.kind = THRONG_TARGET_POINT, .x = 6};
    for (int i = 1; i < 8; i++) { // a half circle that opens towards it
        static const double places[7][2] = {{1.0, 1.4},   {1.6, 1.1},  {1.9, 0.55}, {2.0, 0},
                                            {1.9, -0.55}, {1.6, -1.1}, {1.0, -1.4}};
        memcpy(agents[i].position, places[i - 1], sizeof agents[i].position);
        agents[i].yield = 0.0f;
    }
    must(throng_agents_add(world, agents, 8, ids));
    time_to_arrive(world, ids[0], 60.0);
    throng_world_destroy(world);
}

// ---- changing places

/// Two head on in a closed corridor in which nobody can pass: whether both arrive within a minute, and how often they
/// were told to have changed places.
static bool pass_in_a_tube(const uint32_t swap[2], int *told) {
    const double tube[] = {-3, -0.3, 3, -0.3, 3, 0.3, -3, 0.3};
    const throng_wall wall = {.kind = THRONG_WALL_ENCLOSURE, .point_count = 4, .points = tube, .layer = 1};
    throng_map *map = map_of(&wall, 1);
    throng_world *world = make_world(NULL, map);
    throng_agent_def agents[2];
    throng_agent_id ids[2];
    for (int i = 0; i < 2; i++) {
        agents[i] = throng_default_agent_def();
        agents[i].position[0] = i ? 2.0 : -2.0;
        agents[i].target = (throng_target){.kind = THRONG_TARGET_POINT, .x = i ? -2.5 : 2.5};
        agents[i].swap = swap[i];
    }
    must(throng_agents_add(world, agents, 2, ids));
    uint8_t arrived[2] = {0};
    *told = 0;
    for (int step = 0; step < 600; step++) {
        must(throng_world_step(world, 0.1));
        must(throng_agents_read(world, THRONG_FIELD_ARRIVED, ids, 2, arrived));
        const throng_event *events;
        uint32_t count;
        must(throng_world_events(world, &events, &count));
        for (uint32_t i = 0; i < count; i++) {
            if (events[i].kind != THRONG_EVENT_SWAPPED) continue;
            const uint32_t other = events[i].agent.index == ids[0].index ? ids[1].index : ids[0].index;
            assert_int_equal(events[i].other.index, other);
            if (!(events[i].value > 0.4f && events[i].value < 1.0f)) fail_msg("over %.3f m", (double)events[i].value);
            ++*told;
        }
    }
    throng_world_destroy(world);
    throng_map_release(map);
    return arrived[0] && arrived[1];
}

static void two_change_places_where_both_may(void **state) {
    (void)state;
    int told;
    assert_true(pass_in_a_tube((const uint32_t[2]){1, 1}, &told));
    assert_int_equal(told, 2);
    assert_false(pass_in_a_tube((const uint32_t[2]){1, 0}, &told));
    assert_int_equal(told, 0);
    assert_false(pass_in_a_tube((const uint32_t[2]){0, 0}, &told));
    assert_int_equal(told, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_of_one_wall_is_found),
        cmocka_unit_test(a_long_passage_is_one_door),
        cmocka_unit_test(a_passage_without_end_is_a_door_that_worlds_take),
        cmocka_unit_test(a_row_of_pillars_has_a_door_between_each_two),
        cmocka_unit_test(a_field_of_pillars_has_a_door_between_each_two),
        cmocka_unit_test(both_sides_get_through_in_turns),
        cmocka_unit_test(one_direction_is_let_alone),
        cmocka_unit_test(a_capacity_is_kept),
        cmocka_unit_test(a_large_capacity_lets_in_the_nearest),
        cmocka_unit_test(turns_are_state),
        cmocka_unit_test(a_bay_is_left),
        cmocka_unit_test(a_row_that_never_yields_is_gone_around),
        cmocka_unit_test(two_change_places_where_both_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
