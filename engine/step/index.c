// Reads:  next_x, next_y, or where these are in the world.
// Writes: the index, which serves queries between steps and the next step's neighbors.
// Order:  none: what queries answer does not depend on the tree.
// Cost:   O(n log n) at worst, near O(n) for a crowd that moved little; in parallel.
#include "step/step.h"

void throng_step_index(throng_step *step) {
    throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    const throng_motion next = {agents->next_x, agents->next_y, agents->next_velocity_x, agents->next_velocity_y};
    throng_index_build(&world->index, agents, &world->parallel,
                       throng_has_supports(world) ? throng_world_motion(world) : next);
}
