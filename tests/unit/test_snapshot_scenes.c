// Every scene of the project: put back into another world at every step, the run goes on as it did.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/scene.h"

#include "support/worlds.h"

#include <dirent.h>
#include <stdio.h>

#ifdef THRONG_LONG_TESTS
static const uint64_t most_steps = UINT64_MAX;
#else
static const uint64_t most_steps = 25; // a second or so of each
#endif

typedef struct picture {
    unsigned char *bytes;
    size_t size, capacity;
} picture;

static void take(picture *of, const throng_world *world) {
    must(throng_world_save(world, NULL, 0, &of->size));
    if (of->size > of->capacity) {
        free(of->bytes);
        of->bytes = malloc(of->size);
        assert_non_null(of->bytes);
        of->capacity = of->size;
    }
    must(throng_world_save(world, of->bytes, of->size, &of->size));
}

static void follow_scene(const char *path) {
    scene_problems problems = {0};
    scene *which = scene_read(path, NULL, 0, &problems);
    if (!which) fail_msg("%s can't be read", path);
    throng_world_def def = throng_default_world_def();
    scene_world built = {0};
    assert_true(scene_build(which, &def, &built, &problems));
    throng_world *other = make_world(NULL, built.map);
    picture now = {0};
    const uint64_t steps = scene_steps(which) < most_steps ? scene_steps(which) : most_steps;
    for (uint64_t step = 0; step < steps; step++) {
        take(&now, built.world);
        must(throng_world_load(other, now.bytes, now.size));
        must(throng_world_step(built.world, which->time_step));
        must(throng_world_step(other, which->time_step));
        const throng_hashes a = hashes_of(built.world), b = hashes_of(other);
        const char *name = first_difference(&a, &b);
        if (name) fail_msg("%s, step %" PRIu64 ": the states differ in %s", path, step, name);
        if (built.plan) must(throng_plan_update(built.plan));
    }
    free(now.bytes);
    throng_world_destroy(other);
    scene_world_free(&built);
    scene_free(which);
    scene_problems_free(&problems);
}

static void every_scene_put_back_at_every_step(void **state) {
    (void)state;
    DIR *folder = opendir(THRONG_DATA "/scenes");
    assert_non_null(folder);
    int scenes = 0;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0) continue;
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/scenes/%s", THRONG_DATA, entry->d_name);
        follow_scene(path);
        scenes++;
    }
    (void)closedir(folder);
    assert_true(scenes > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_scene_put_back_at_every_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
