// Recordings written, read back and made ready to draw, and scenes made, with each allocation failing once: an error,
// nothing left, and the next try does what it would have done.
#include "record/record.h" // before cmocka.h, which defines fail as a macro
#include "record/walks.h"
#include "scene/generate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/failing_libc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AGENTS = 300, FRAMES = 4 }; // more than rows first get room for

static char folder[] = "/tmp/throng-test-XXXXXX";
static const double box[] = {2, 2, 3, 2, 3, 3, 2, 3}, beside[] = {3, 2, 5, 2, 5, 3}, line[] = {0, 9, 9, 9, 9, 12};
static const throng_wall walls[] = {
    {THRONG_WALL_SOLID, 4, box, 1}, {THRONG_WALL_SOLID, 3, beside, 1}, {THRONG_WALL_LINE, 3, line, 1}};

static bool write_recording(const char *path, failure *why) {
    static uint64_t numbers[AGENTS];
    static double x[AGENTS], y[AGENTS];
    static float vx[AGENTS], vy[AGENTS], radius[AGENTS];
    const record_run run = {
        .name = "r", .time_step = 0.1, .every = 1, .agents = AGENTS, .walls = walls, .wall_count = 3};
    recording *record = record_open(path, &run, why);
    bool done = record != NULL;
    for (uint64_t f = 0; f < FRAMES && done; f++) {
        for (uint64_t i = 0; i < AGENTS; i++) {
            numbers[i] = i;
            x[i] = (double)i + (double)f / 4;
            y[i] = -(double)i;
            vx[i] = 2.5F;
        }
        const record_frame frame = {.step = f,
                                    .time = (double)f / 10,
                                    .count = AGENTS,
                                    .numbers = numbers,
                                    .x = x,
                                    .y = y,
                                    .velocity_x = vx,
                                    .velocity_y = vy,
                                    .radius = radius};
        done = record_write(record, &frame, why);
    }
    if (done && record_finish(record, why)) return record_commit(record, why);
    record_abort(record);
    return false;
}

static bool read_recording(const char *path, failure *why) {
    replay *opened = replay_open(path, why);
    walks all;
    bool done = opened && walks_read(opened, 0.2, true, &all, why);
    if (done) {
        assert_int_equal(all.count, AGENTS);
        assert_int_equal(all.rows, AGENTS * FRAMES);
        assert_int_equal(all.moment.count, AGENTS);
        assert_int_equal(all.items[7].count, FRAMES);
        walks_free(&all);
    }
    replay_close(opened);
    return done;
}

static bool make_ground(const char *path, failure *why) {
    (void)path;
    const double min[2] = {-1, -1}, max[2] = {12, 12}, places[][2] = {{0, 0}};
    free_space space, again;
    if (!free_space_make(walls, 3, min, max, &space, why)) return false;
    free_space_keep(&space, places, 1);
    char *text = free_space_text(&space);
    if (!text) snprintf(why->text, sizeof why->text, "no text");
    bool done = text && free_space_read(text, &again, why);
    if (done) {
        assert_int_equal(again.ring_count, space.ring_count);
        free_space_clear(&again);
    }
    free(text);
    free_space_clear(&space);
    return done;
}

static bool make_scene(const char *path, failure *why) {
    (void)path;
    double parameters[GENERATE_PARAMETERS];
    generate_defaults(&generate_uniform, parameters);
    static FILE *file;
    if (!file) file = fopen("/dev/null", "w");
    bool done = generate_uniform.write(file, parameters);
    if (!done) snprintf(why->text, sizeof why->text, "no memory");
    return done;
}

// Each allocation of `job` fails once. `left`: whether the file is there after a success, and only then.
static void fail_each(bool (*job)(const char *path, failure *why), const char *path, bool left, int least) {
    int n = 0;
    for (bool failed = true; failed; n++) {
        failure why = {""};
        until_failure = n;
        bool done = job(path, &why);
        failed = until_failure < 0;
        until_failure = -1;
        if (done == failed) fail_msg("%s, allocation %d: %s", path, n, done ? "done all the same" : why.text);
        if (failed && why.text[0] == '\0') fail_msg("%s, allocation %d: no word of it", path, n);
        if (left && (access(path, F_OK) == 0) != done) fail_msg("%s, allocation %d: left a file", path, n);
        if (left) unlink(path);
    }
    if (n - 1 < least) fail_msg("%s: only %d allocations", path, n - 1);
}

static const char *path_of(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void test_writing(void **state) {
    (void)state;
    fail_each(write_recording, path_of("a.csv"), true, 3);
#ifdef THRONG_HAVE_SQLITE3
    fail_each(write_recording, path_of("a.sqlite"), true, 15);
#endif
}

static void test_reading(void **state) {
    (void)state;
    failure why;
    assert_true(write_recording(path_of("b.csv"), &why));
    fail_each(read_recording, path_of("b.csv"), false, 300);
#ifdef THRONG_HAVE_SQLITE3
    assert_true(write_recording(path_of("b.sqlite"), &why));
    fail_each(read_recording, path_of("b.sqlite"), false, 300);
#endif
}

static void test_ground(void **state) {
    (void)state;
    fail_each(make_ground, "ground", false, 12);
}

static void test_making(void **state) {
    (void)state;
    fail_each(make_scene, "scene", false, 1);
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path_of("b.csv"));
    unlink(path_of("b.sqlite"));
    return rmdir(folder); // fails when anything else was left behind
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_writing), cmocka_unit_test(test_reading),
                                       cmocka_unit_test(test_ground), cmocka_unit_test(test_making)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
