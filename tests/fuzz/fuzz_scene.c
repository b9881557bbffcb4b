// The scene reader on any text: it ends with a scene or with an error, and a small scene that it accepts can be
// stepped.
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void step(const scene *which) {
    throng_world_def def = throng_default_world_def();
    def.threads = 1;
    scene_world built = {0};
    scene_problems problems = {0};
    if (scene_build(which, &def, &built, &problems)) {
        for (int i = 0; i < 2; i++) {
            throng_result result = throng_world_step(built.world, which->time_step);
            if (result == THRONG_ERROR_VALUE) break; // a time step too long or too short for float
            if (result != THRONG_OK) abort();
            if (built.plan && throng_plan_update(built.plan) != THRONG_OK) abort();
        }
        throng_view view;
        if (throng_world_view(built.world, &view) != THRONG_OK) abort();
        for (uint32_t row = 0; row < view.count; row++) {
            if (!isfinite(view.x[row]) || !isfinite(view.y[row])) abort();
        }
    } else if (problems.error_count == 0 && throng_last_error()->result == THRONG_OK) {
        abort(); // refused without a word
    }
    scene_world_free(&built);
    scene_problems_free(&problems);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    scene_problems problems = {0};
    scene *which = scene_parse((const char *)data, size, "fuzz", NULL, 0, &problems);
    if (!which && problems.error_count == 0) abort();
    if (which && which->agent_count <= 64 && which->wall_count <= 64) step(which);
    scene_free(which);
    scene_problems_free(&problems);
    return 0;
}
