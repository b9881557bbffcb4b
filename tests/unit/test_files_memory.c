// Scenes read and built, and recordings written, with each allocation failing once: an error, nothing left, and the
// next try does what it would have done.
#include "record/frame.h"
#include "record/record.h"
#include "record/summary.h" // before cmocka.h, which defines fail as a macro
#include "scene/scene.h"

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

static const char good[] = "{\"throng\": 1, \"name\": \"n\", \"time_step\": 0.1, \"duration\": 6,\n"
                           " \"profiles\": {\"default\": {\"radius\": 0.3}, \"slow\": {\"max_speed\": 1}},\n"
                           " \"walls\": [{\"polygon\": [[10,0],[14,0],[14,4]]}, {\"line\": [[20,0],[25,0]]}],\n"
                           " \"agents\": [{\"position\": [0,0], \"goal\": [12,1], \"profile\": \"slow\"}, "
                           "{\"position\": [0,3], \"route\": [[4,3],[9,4]]},\n"
                           "  {\"position\": [0,6], \"goal\": [1,6], \"leave\": true}, {\"position\": [20,0.1]}]}";
static const char wrong[] = "{\"throng\": 1, \"time_step\": 0, \"durtion\": 6,\n"
                            " \"walls\": [{\"polygon\": [[10,0]]}, {\"line\": 3}, {\"lin\": []}], \"agents\": [{}, 3]}";
static const char *const overrides[] = {"profiles.slow.margin=0.1", "name=other", "agents[1].radius=0.2"};

static scene *parse(const char *text, scene_problems *problems) {
    *problems = (scene_problems){0};
    return scene_parse(text, strlen(text), "s.json", overrides, 3, problems);
}

static uint64_t hash_of(const scene_world *built) {
    throng_hashes hashes;
    assert_int_equal(throng_world_hash(built->world, &hashes), THRONG_OK);
    return hashes.whole;
}

// Reads and builds with the n-th allocation failing. True: it failed, and an error told so.
static bool read_and_build(int n, uint64_t *hash, size_t *warnings) {
    scene_problems problems;
    scene_world built = {0};
    throng_world_def def = throng_default_world_def();
    def.threads = 1;
    until_failure = n;
    scene *which = parse(good, &problems);
    bool done = which && scene_build(which, &def, &built, &problems);
    bool failed = n >= 0 && until_failure < 0;
    until_failure = -1;
    if (!failed && !done) fail_msg("%s", problems.items[0].text);
    if (done) {
        *hash = hash_of(&built);
        *warnings = problems.count;
    } else if (problems.error_count == 0 || !problems.out_of_memory) {
        fail_msg("allocation %d: no word of it; first problem: %s", n,
                 problems.count ? problems.items[0].text : "none");
    }
    scene_world_free(&built);
    scene_free(which);
    scene_problems_free(&problems);
    return failed;
}

static void scenes_are_read_and_built(void **state) {
    (void)state;
    uint64_t due, hash;
    size_t warnings, warnings_due;
    read_and_build(-1, &due, &warnings_due);
    assert_int_equal(warnings_due, 2);
    int n = 0;
    for (bool failed = true; failed; n++) {
        hash = due;
        failed = read_and_build(n, &hash, &warnings);
        assert_true(hash == due);
        read_and_build(-1, &hash, &warnings);
        assert_true(hash == due && warnings == warnings_due);
    }
    assert_in_range(n, 100, 10000);
}

static void wrong_scenes_stay_wrong(void **state) {
    (void)state;
    int n = 0;
    for (bool failed = true; failed; n++) {
        scene_problems problems;
        until_failure = n;
        assert_null(parse(wrong, &problems));
        failed = until_failure < 0;
        until_failure = -1;
        assert_true(problems.error_count > 0);
        scene_problems_free(&problems);
    }
    assert_in_range(n, 20, 10000);
}

typedef struct recorded {
    scene *which;
    scene_world built;
    char folder[32], path[64];
} recorded;

static bool record(const recorded *r, failure *why) {
    const record_run run = {.name = "n", .time_step = 0.1, .every = 1, .agents = r->which->agent_count};
    frame_buffer buffer = {0};
    record_frame frame;
    recording *file = record_open(r->path, &run, why);
    bool done = file && frame_take(&buffer, r->built.world, &frame, why) && record_write(file, &frame, why) &&
                record_finish(file, why);
    if (done) {
        done = record_commit(file, why);
    } else {
        record_abort(file);
    }
    frame_buffer_free(&buffer);
    return done;
}

static void recordings_are_whole_or_not_there(void **state) {
    (void)state;
    recorded r = {.folder = "/tmp/test_memory.XXXXXX"};
    scene_problems problems;
    throng_world_def def = throng_default_world_def();
    r.which = parse(good, &problems);
    assert_true(scene_build(r.which, &def, &r.built, &problems));
    assert_non_null(mkdtemp(r.folder));
    snprintf(r.path, sizeof r.path, "%s/run.csv", r.folder);
    int n = 0;
    for (bool failed = true; failed; n++) {
        failure why = {""};
        until_failure = n;
        bool done = record(&r, &why);
        failed = until_failure < 0;
        until_failure = -1;
        if (done == failed) fail_msg("allocation %d: %s", n, done ? "written all the same" : why.text);
        if (failed && why.text[0] == '\0') fail_msg("allocation %d: no word of it", n);
        assert_int_equal(unlink(r.path), done ? 0 : -1);
    }
    assert_in_range(n, 4, 100);
    assert_int_equal(rmdir(r.folder), 0);
    scene_world_free(&r.built);
    scene_free(r.which);
    scene_problems_free(&problems);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_are_read_and_built),
                                       cmocka_unit_test(wrong_scenes_stay_wrong),
                                       cmocka_unit_test(recordings_are_whole_or_not_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
