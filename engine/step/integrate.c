// Reads:  solved velocities, places.
// Writes: next_x, next_y, next_velocity_x, next_velocity_y: where everybody would be without contacts.
// Order:  none.
// Cost:   O(1) an agent.
#include "step/step.h"

void throng_step_integrate(const throng_step *step, throng_tile *tile) {
    throng_agents *agents = &step->world->agents;
    for (int lane = 0; lane < tile->count; ++lane) {
        const uint32_t row = tile->row[lane];
        if (agents->flags[row] & THRONG_FLAG_HOST_MOVED) {
            agents->next_x[row] = agents->x[row];
            agents->next_y[row] = agents->y[row];
            agents->next_velocity_x[row] = agents->velocity_x[row];
            agents->next_velocity_y[row] = agents->velocity_y[row];
            continue;
        }
        agents->next_x[row] = agents->x[row] + (double)tile->solved_x[lane] * step->time_step;
        agents->next_y[row] = agents->y[row] + (double)tile->solved_y[lane] * step->time_step;
        agents->next_velocity_x[row] = tile->solved_x[lane];
        agents->next_velocity_y[row] = tile->solved_y[lane];
    }
}
