// Reads:  solved velocities, places, who is on the way out of a wall.
// Writes: next_x, next_y, next_velocity_x, next_velocity_y: where everybody would be without contacts.
// Order:  none.
// Cost:   O(1) an agent.
#include "step/step.h"

#include "base/grid.h"

void throng_step_integrate(const throng_step *step, throng_tile *tile) {
    throng_agents *agents = &step->world->agents;
    const bool carried = throng_has_supports(step->world);
    for (int lane = 0; lane < tile->count; ++lane) {
        const uint32_t row = tile->row[lane];
        if (agents->flags[row] & THRONG_FLAG_HOST_MOVED) {
            agents->next_x[row] = agents->x[row];
            agents->next_y[row] = agents->y[row];
            agents->next_velocity_x[row] = agents->velocity_x[row];
            agents->next_velocity_y[row] = agents->velocity_y[row];
            continue;
        }
        // On the way out of a wall nothing else counts.
        const bool outside = agents->flags[row] & THRONG_FLAG_OUTSIDE;
        const float vx = outside ? tile->preferred_x[lane] : tile->solved_x[lane];
        const float vy = outside ? tile->preferred_y[lane] : tile->solved_y[lane];
        throng_vector ground = {vx, vy};
        if (carried) ground = throng_velocity_in_frame(step->world, row, vx, vy);
        agents->next_x[row] = agents->x[row] + throng_on_grid(ground.x * step->time_step);
        agents->next_y[row] = agents->y[row] + throng_on_grid(ground.y * step->time_step);
        agents->next_velocity_x[row] = vx;
        agents->next_velocity_y[row] = vy;
    }
}
