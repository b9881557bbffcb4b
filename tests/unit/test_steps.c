// Whole small crowds, one step, against velocities computed independently; and the worked examples of the founding
// papers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/reference.h"
#include "support/worlds.h"

enum { MAX_CROWD = 16, ROW = 12 };

static const char *const kernels[] = {"scalar", "sse2", "avx2", "avx512", "neon"};

typedef struct crowd {
    double horizon, time_step;
    int count;
    double rows[MAX_CROWD][ROW]; // p v pref radius max_speed max_acceleration yield | v
} crowd;

static bool read_crowd(FILE *file, crowd *read) {
    double head[3];
    if (!read_numbers(file, head, 3)) return false;
    read->horizon = head[0];
    read->time_step = head[1];
    read->count = (int)head[2];
    assert_in_range(read->count, 1, MAX_CROWD);
    for (int i = 0; i < read->count; i++) assert_true(read_numbers(file, read->rows[i], ROW));
    return true;
}

static throng_agent_def agent_of(const crowd *c, int i) {
    const double *r = c->rows[i];
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = r[0];
    def.position[1] = r[1];
    def.velocity[0] = (float)r[2];
    def.velocity[1] = (float)r[3];
    def.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = r[4], .y = r[5]};
    def.radius = (float)r[6];
    def.max_speed = (float)r[7];
    def.max_acceleration = (float)r[8];
    def.yield = (float)r[9];
    def.time_horizon = (float)c->horizon;
    def.neighbor_range = 1e4f;
    def.max_neighbors = 255;
    return def;
}

static void check_crowd(const crowd *c, int number, const throng_world_def *def, const char *solver) {
    throng_world *world = make_world(def, NULL);
    throng_agent_def defs[MAX_CROWD];
    throng_agent_id ids[MAX_CROWD];
    for (int i = 0; i < c->count; i++) defs[i] = agent_of(c, i);
    must(throng_agents_add(world, defs, (uint32_t)c->count, ids));
    must(throng_world_step(world, c->time_step));
    float solved[MAX_CROWD][2];
    must(throng_agents_read(world, THRONG_FIELD_SOLVED_VELOCITY, ids, (uint32_t)c->count, solved));
    const throng_event *events;
    uint32_t event_count;
    must(throng_world_events(world, &events, &event_count));
    for (int i = 0; i < c->count; i++) {
        bool infeasible = false;
        for (uint32_t e = 0; e < event_count; e++) {
            infeasible =
                infeasible || (events[e].kind == THRONG_EVENT_INFEASIBLE && events[e].agent.index == ids[i].index);
        }
        const double x = c->rows[i][10], y = c->rows[i][11];
        if (infeasible != isnan(x) || (!isnan(x) && !(hypot(solved[i][0] - x, solved[i][1] - y) <= 2e-5))) {
            fail_msg("%s: crowd %d, agent %d: infeasible %d, (%.9g, %.9g), expected (%.9g, %.9g)", solver, number, i,
                     infeasible, solved[i][0], solved[i][1], x, y);
        }
    }
    throng_world_destroy(world);
}

static void test_reference_steps(void **state) {
    (void)state;
    FILE *file = open_reference("steps.txt");
    crowd c;
    int number = 0;
    for (; read_crowd(file, &c); number++) {
        throng_world_def def = throng_default_world_def();
        def.event_mask = 1 << THRONG_EVENT_INFEASIBLE;
        for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
            throng_world *world = NULL;
            def.kernel = kernels[k];
            const throng_result result = throng_world_create(&def, &world);
            throng_world_destroy(world);
            if (result == THRONG_ERROR_UNSUPPORTED) continue;
            assert_int_equal(result, THRONG_OK);
            check_crowd(&c, number, &def, kernels[k]);
        }
        def.kernel = NULL;
        def.solver = THRONG_SOLVER_REFERENCE;
        check_crowd(&c, number, &def, "reference");
    }
    assert_int_equal(number, 150);
    fclose(file);
}

/// Two discs of body 0.4 m and margin 0.1 m, 4 m apart, walking at each other with horizon 2 s.
static void walk_at_each_other(float speed, float solved[2][2]) {
    throng_world *world = make_world(NULL, NULL);
    throng_agent_def defs[2] = {throng_default_agent_def(), throng_default_agent_def()};
    throng_agent_id ids[2];
    for (int i = 0; i < 2; i++) {
        const float sign = i ? -1.0f : 1.0f;
        defs[i].position[0] = i ? 4.0 : 0.0;
        defs[i].radius = 0.4f;
        defs[i].margin = 0.1f;
        defs[i].velocity[0] = sign * speed;
        defs[i].target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = sign * speed};
        defs[i].time_horizon = 2.0f;
    }
    must(throng_agents_add(world, defs, 2, ids));
    must(throng_world_step(world, 0.1));
    must(throng_agents_read(world, THRONG_FIELD_SOLVED_VELOCITY, ids, 2, solved));
    throng_world_destroy(world);
}

static void test_head_on_example(void **state) {
    (void)state;
    float solved[2][2];
    // They would meet in 1.5 s: the correction is 0.5 m/s long and each takes half.
    walk_at_each_other(1.0f, solved);
    assert_true(solved[0][0] == 0.75f && solved[0][1] == 0.0f);
    assert_true(solved[1][0] == -0.75f && solved[1][1] == 0.0f);
    // At half the speed they meet in 3 s, beyond the horizon.
    walk_at_each_other(0.5f, solved);
    assert_true(solved[0][0] == 0.5f && solved[0][1] == 0.0f);
    assert_true(solved[1][0] == -0.5f && solved[1][1] == 0.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_steps),
        cmocka_unit_test(test_head_on_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
