// Reads:  the tile's solved velocities, places, who is on the way out of a wall.
// Writes: the tile's next places and velocities: where everybody would be without contacts.
// Order:  none.
// Cost:   O(1) an agent.
#include "step/step.h"

#include "base/grid.h"

#include <string.h>

/// Belts carry those who stand on them.
static void move_in_frames(const throng_step *step, throng_tile *tile) {
    const throng_agents *agents = &step->world->agents;
    for (int lane = 0; lane < tile->count; ++lane) {
        const uint32_t row = tile->row[lane];
        const throng_vector way =
            throng_velocity_in_frame(step->world, row, tile->next_velocity_x[lane], tile->next_velocity_y[lane]);
        tile->next_x[lane] = agents->x[row] + throng_on_grid(way.x * step->time_step);
        tile->next_y[lane] = agents->y[row] + throng_on_grid(way.y * step->time_step);
    }
}

static void leave_to_host(const throng_agents *agents, throng_tile *tile) {
    for (int lane = 0; lane < tile->count; ++lane) {
        if (!(tile->flags[lane] & THRONG_FLAG_HOST_MOVED)) continue;
        const uint32_t row = tile->row[lane];
        tile->next_x[lane] = agents->x[row];
        tile->next_y[lane] = agents->y[row];
        tile->next_velocity_x[lane] = agents->velocity_x[row];
        tile->next_velocity_y[lane] = agents->velocity_y[row];
    }
}

void throng_step_integrate(const throng_step *step, throng_tile *tile) {
    const throng_world *world = step->world;
    memcpy(tile->next_velocity_x, tile->solved_x, sizeof tile->solved_x);
    memcpy(tile->next_velocity_y, tile->solved_y, sizeof tile->solved_y);
    // On the way out of a wall nothing else counts.
    for (int lane = 0; tile->outside && lane < tile->count; ++lane) {
        if (!(tile->outside >> lane & 1)) continue;
        tile->next_velocity_x[lane] = tile->preferred_x[lane];
        tile->next_velocity_y[lane] = tile->preferred_y[lane];
    }
    if (throng_has_supports(world)) {
        move_in_frames(step, tile);
    } else {
        const throng_move_input in = {
            tile->lists.x, tile->lists.y, tile->next_velocity_x, tile->next_velocity_y, step->time_step,
        };
        world->kernels->move(&in, tile->next_x, tile->next_y);
    }
    if (world->host_moves) leave_to_host(&world->agents, tile);
}
