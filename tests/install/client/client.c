// Uses both installed libraries as a stranger would: two walkers meet and pass.
#include <throng/throng.h>

#include <stdio.h>

int main(void) {
    throng_world_def world_def = throng_default_world_def();
    throng_world *world = NULL;
    if (throng_world_create(&world_def, &world) != THRONG_OK) {
        (void)fprintf(stderr, "%s\n", throng_last_error()->message);
        return 1;
    }

    throng_agent_def walkers[2] = {throng_default_agent_def(), throng_default_agent_def()};
    for (int i = 0; i < 2; i++) {
        walkers[i].position[0] = i == 0 ? -4.0 : 4.0;
        walkers[i].position[1] = 0.1 * i;
        walkers[i].target.kind = THRONG_TARGET_POINT;
        walkers[i].target.x = -walkers[i].position[0];
    }
    throng_result result = throng_agents_add(world, walkers, 2, NULL);
    for (int step = 0; step < 200 && result == THRONG_OK; step++) result = throng_world_step(world, 0.05);

    throng_view view = {0};
    if (result == THRONG_OK) result = throng_world_view(world, &view);
    if (result != THRONG_OK) {
        (void)fprintf(stderr, "%s\n", throng_last_error()->message);
        return 1;
    }
    int changed_sides = 0;
    for (uint32_t row = 0; row < view.count; row++) {
        changed_sides += (view.creation[row] == 0) == (view.x[row] > 3.0);
    }
    (void)printf("throng %s, %u agents, %d changed sides\n", throng_version(), view.count, changed_sides);
    throng_world_destroy(world);
    return changed_sides == 2 ? 0 : 1;
}
