// Supports are state: their motions and headings, the same by all threads and kernels, and kept by snapshots.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support_cases.h"

static void headings_are_sines_and_cosines(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        const double range = i % 4 == 0 ? 1e-6 : i % 4 == 1 ? 4.0 : i % 4 == 2 ? 100.0 : 1e4;
        const double angle = random_between(&seed, -range, range);
        double heading[2];
        throng_heading(angle, heading);
        const double error = fmax(fabs(heading[0] - cos(angle)), fabs(heading[1] - sin(angle)));
        const double allowed = 4e-15 + 3e-16 * fabs(angle); // of the angle's own digits whole turns leave fewer
        if (!(error <= allowed)) fail_msg("heading of %.17g is off by %g", angle, error);
        const double length = heading[0] * heading[0] + heading[1] * heading[1];
        if (!(fabs(length - 1.0) < 1e-15)) fail_msg("heading of %.17g has length² 1 + %g", angle, length - 1.0);
    }
}

// What is read and written again changes nothing, however often a heading was turned.
static void a_motion_can_be_read_and_written(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_support_def def = throng_default_support_def();
    def.motion.turn_rate = 0.37;
    const throng_support_id id = add_support(world, &def);
    for (int step = 0; step < 2000; step++) {
        throng_support_motion before, after;
        must(throng_world_step(world, dt));
        must(throng_support_read(world, id, &before));
        must(throng_supports_move(world, &id, &before, 1));
        must(throng_support_read(world, id, &after));
        if (memcmp(&before, &after, sizeof before) != 0)
            fail_msg("step %d: (%.17g, %.17g)", step, before.heading[0], before.heading[1]);
    }
    throng_world_destroy(world);
}

// A raft that turns slowly through a crowd, a belt beside it, and people on their way over both.
static throng_world *busy_world(const throng_world_def *def) {
    static const double raft[] = {-4, -4, 4, -4, 4, 4, -4, 4}, rail[] = {-4, 4, -4, -4, 4, -4};
    const throng_wall rails = {.kind = THRONG_WALL_LINE, .point_count = 3, .points = rail, .layer = 1};
    throng_world *world = make_world(def, NULL);
    throng_support_def platform = throng_default_support_def();
    platform.motion = turning_ride();
    platform.motion.position[0] = platform.motion.position[1] = 0.0;
    platform.motion.velocity[0] = 0.5;
    platform.motion.velocity[1] = 0.0;
    platform.outline = raft;
    platform.outline_count = 4;
    platform.walls = &rails;
    platform.wall_count = 1;
    const throng_support_id gone = add_support(world, &platform);
    must(throng_supports_remove(world, &gone, 1));
    const throng_support_id on = add_support(world, &platform);
    add_belt(world, walkway, 4, -0.5, 0.2);
    throng_agent_id ids[400];
    add_crowd(world, 3, 400, 5.0, 0.0, 40.0, ids);
    const throng_target target = {.kind = THRONG_TARGET_POINT, .x = 1.0, .y = -1.0, .support = on};
    for (int i = 0; i < 400; i += 20) must(throng_agents_write(world, THRONG_FIELD_TARGET, &ids[i], 1, &target));
    must(throng_agents_park(world, ids + 10, 5, true));
    return world;
}

static void threads_and_kernels_agree_on_supports(void **state) {
    (void)state;
    uint64_t whole = 0;
    for (int run = 0; run < 3; run++) {
        throng_world_def def = throng_default_world_def();
        def.threads = run == 1 ? 3 : 1;
        def.kernel = run == 2 ? "scalar" : NULL;
        throng_world *world = busy_world(&def);
        for (int step = 0; step < 60; step++) must(throng_world_step(world, dt));
        const throng_hashes hashes = hashes_of(world);
        if (run == 0) whole = hashes.whole;
        if (hashes.whole != whole) fail_msg("run %d differs", run);
        throng_world_destroy(world);
    }
}

static void a_snapshot_at_every_step_holds_supports(void **state) {
    (void)state;
    throng_world *plain = busy_world(NULL), *saved = busy_world(NULL);
    uint32_t on = 0;
    for (int step = 0; step < 60; step++) {
        must(throng_world_step(plain, dt));
        must(throng_world_step(saved, dt));
        world_image image = image_of(saved);
        throng_world *fresh = make_world(NULL, NULL);
        must(throng_world_load(fresh, image.bytes, image.size));
        // A byte that is wrong is told, and nothing changes then.
        image.bytes[image.size - 40] ^= 1;
        assert_int_equal(throng_world_load(fresh, image.bytes, image.size), THRONG_ERROR_SNAPSHOT);
        free(image.bytes);
        throng_world_destroy(saved);
        saved = fresh;
        assert_same_state(plain, saved, "after restoring");
        const throng_view a = view_of(plain), b = view_of(saved);
        assert_int_equal(a.count, b.count);
        for (uint32_t row = 0; row < a.count; row++) {
            uint32_t other;
            must(throng_agent_row(saved, a.ids[row], &other));
            assert_true(a.x[row] == b.x[other] && a.y[row] == b.y[other]);
            assert_true(a.velocity_x[row] == b.velocity_x[other] && a.velocity_y[row] == b.velocity_y[other]);
        }
        throng_support_id supports[400];
        must(throng_agents_read(plain, THRONG_FIELD_SUPPORT, NULL, a.count, supports));
        for (int i = 0; i < 400; i++) on += supports[i].index != 0;
    }
    assert_true(on > 1000); // people are on them, and the test is about something
    throng_world_destroy(plain);
    throng_world_destroy(saved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headings_are_sines_and_cosines),
        cmocka_unit_test(a_motion_can_be_read_and_written),
        cmocka_unit_test(threads_and_kernels_agree_on_supports),
        cmocka_unit_test(a_snapshot_at_every_step_holds_supports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
