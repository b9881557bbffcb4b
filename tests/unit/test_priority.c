// Who goes first: of two who go the same way on one frame the one ahead, else the one with the smaller claim times way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "step/priority.h"
#include "support_cases.h"

enum { PEOPLE = 40, ROUNDS = 20 };

typedef struct person {
    uint32_t row;
    double x, y;                     // m, world
    double target[2], target_end[2]; // m, world; the same twice: a point
    double claim;
    int frame; // 0: the ground's
} person;

static throng_agent_def walker(double x, double y, double target_x, double target_y) {
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = x, def.position[1] = y;
    def.target = (throng_target){.kind = THRONG_TARGET_POINT, .x = target_x, .y = target_y};
    return def;
}

// Two people, and who of them goes first: 1, 2, or 0 where neither does.
static int first_of_two(throng_world *world, const throng_agent_def defs[2], float claim, float other_claim) {
    throng_agent_id ids[2];
    uint32_t row, other;
    must(throng_agents_add(world, defs, 2, ids));
    must(throng_agent_row(world, ids[0], &row));
    must(throng_agent_row(world, ids[1], &other));
    world->agents.claim[row] = claim;
    world->agents.claim[other] = other_claim;
    const bool one = throng_goes_first(world, row, other), two = throng_goes_first(world, other, row);
    must(throng_agents_remove(world, ids, 2));
    if (one && two) fail_msg("both go first");
    return one ? 1 : two ? 2 : 0;
}

static void the_one_ahead_however_long_the_other_waited(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    const throng_agent_def queue[2] = {walker(0, 0, 10, 0), walker(1, 0, 10, 0)};
    assert_int_equal(first_of_two(world, queue, 1.0f, 1.0f), 2);
    assert_int_equal(first_of_two(world, queue, 0.25f, 3.0f), 2);
    // Ways less than 90 degrees apart are the same way.
    const throng_agent_def slanting[2] = {walker(0, 0, 0.1, 6), walker(0, 0, 5, 0)};
    assert_int_equal(first_of_two(world, slanting, 0.25f, 3.0f), 2);
    throng_world_destroy(world);
}

static void claims_times_ways_where_they_go_different_ways(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    const throng_agent_def head_on[2] = {walker(0, 0, 6, 0), walker(1, 0, -4, 0)};
    assert_int_equal(first_of_two(world, head_on, 1.0f, 1.0f), 2);  // 6 m against 5 m
    assert_int_equal(first_of_two(world, head_on, 0.75f, 1.0f), 1); // 4.5 against 5
    const throng_agent_def even[2] = {walker(0, 0, 5, 0), walker(0, 0, -5, 0)};
    assert_int_equal(first_of_two(world, even, 1.0f, 1.0f), 0);
    throng_world_destroy(world);
}

// What rides with its passengers is another frame, what only carries them is the ground's.
static void together_is_who_shares_a_frame(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_support_def platform = throng_default_support_def();
    platform.motion = turning_ride();
    const throng_support_id ride = add_support(world, &platform), belt = add_belt(world, walkway, 4, 0.5, 0.0);
    throng_agent_def queue[2] = {walker(15, 0, 29, 0), walker(16, 0, 29, 0)};
    assert_int_equal(first_of_two(world, queue, 0.25f, 3.0f), 2);
    queue[0].support = belt;
    assert_int_equal(first_of_two(world, queue, 0.25f, 3.0f), 2);
    queue[0].position[0] = queue[0].position[1] = 0.0;
    queue[0].support = queue[0].target.support = ride;
    queue[0].target.x = queue[0].target.y = 9.0; // nearer than the other's
    assert_int_equal(first_of_two(world, queue, 3.0f, 0.25f), 2);
    assert_int_equal(first_of_two(world, queue, 0.25f, 0.25f), 1);
    throng_world_destroy(world);
}

static void define_people(uint64_t *random, throng_support_id ride, throng_agent_def *defs, person *people) {
    for (int i = 0; i < PEOPLE; i++) {
        const double x = random_between(random, -5, 5), y = random_between(random, -5, 5);
        defs[i] = walker(x, y, random_between(random, -9, 9), random_between(random, -9, 9));
        people[i] = (person){.frame = i % 3 == 0, .claim = random_between(random, 0.2, 3.0)};
        people[i].target[0] = people[i].target_end[0] = defs[i].target.x;
        people[i].target[1] = people[i].target_end[1] = defs[i].target.y;
        if (i % 2) {
            defs[i].target.kind = THRONG_TARGET_SEGMENT;
            people[i].target_end[0] = defs[i].target.end_x = random_between(random, -9, 9);
            people[i].target_end[1] = defs[i].target.end_y = random_between(random, -9, 9);
        }
        if (people[i].frame) defs[i].support = ride;
    }
}

// The way from a person to the nearest point of its target, by halving the segment; returns its length.
static double way_of(const person *who, double way[2]) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        double ahead = 0.0; // half the slope of the squared distance along the segment
        for (int axis = 0; axis < 2; axis++) {
            const double along = who->target_end[axis] - who->target[axis];
            ahead += (who->target[axis] + middle * along - (axis ? who->y : who->x)) * along;
        }
        if (ahead > 0.0)
            high = middle;
        else
            low = middle;
    }
    for (int axis = 0; axis < 2; axis++) {
        const double at = who->target[axis] + low * (who->target_end[axis] - who->target[axis]);
        way[axis] = at - (axis ? who->y : who->x);
    }
    return hypot(way[0], way[1]);
}

// In the world's coordinates, by the angle between the ways. 1, 2, or 0 where rounding decides.
static int by_the_rule(const person *a, const person *b, bool *together) {
    double first[2], second[2];
    double ours = way_of(a, first), theirs = way_of(b, second);
    const double angle =
        fabs(atan2(first[0] * second[1] - first[1] * second[0], first[0] * second[0] + first[1] * second[1]));
    if (fabs(angle - acos(0.0)) < 1e-6) return 0;
    *together = a->frame == b->frame && angle < acos(0.0);
    if (!*together) ours *= a->claim, theirs *= b->claim;
    return fabs(ours - theirs) < 1e-5 ? 0 : ours < theirs ? 1 : 2;
}

static void every_pair_by_the_rule(void **state) {
    (void)state;
    static throng_agent_def defs[PEOPLE];
    static person people[PEOPLE];
    uint64_t random = 4;
    int told[2][2] = {{0}};
    for (int round = 0; round < ROUNDS; round++) {
        throng_world *world = make_world(NULL, NULL);
        throng_support_def platform = throng_default_support_def();
        platform.motion = turning_ride();
        define_people(&random, add_support(world, &platform), defs, people);
        throng_agent_id ids[PEOPLE];
        must(throng_agents_add(world, defs, PEOPLE, ids));
        const throng_view view = view_of(world);
        for (int i = 0; i < PEOPLE; i++) {
            must(throng_agent_row(world, ids[i], &people[i].row));
            people[i].x = view.x[people[i].row], people[i].y = view.y[people[i].row];
            people[i].claim = (double)(world->agents.claim[people[i].row] = (float)people[i].claim);
        }
        for (int i = 0; i < PEOPLE; i++) {
            for (int j = 0; j < PEOPLE; j++) {
                bool together = false;
                const int wanted = i == j ? 0 : by_the_rule(&people[i], &people[j], &together);
                if (wanted == 0) continue;
                const bool first = throng_goes_first(world, people[i].row, people[j].row);
                if (first != (wanted == 1)) {
                    fail_msg("round %d: person %d goes%s before %d, should%s", round, i, first ? "" : " not", j,
                             wanted == 1 ? "" : " not");
                }
                told[together][first]++;
            }
        }
        throng_world_destroy(world);
    }
    for (int i = 0; i < 4; i++) {
        if (told[i / 2][i % 2] < 1000) fail_msg("only %d pairs of kind %d", told[i / 2][i % 2], i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_one_ahead_however_long_the_other_waited),
        cmocka_unit_test(claims_times_ways_where_they_go_different_ways),
        cmocka_unit_test(together_is_who_shares_a_frame),
        cmocka_unit_test(every_pair_by_the_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
