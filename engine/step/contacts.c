// Reads:  next_x, next_y, walls, contact candidates, shares.
// Writes: next_x, next_y (swept, then pushed out); next_velocity_x, next_velocity_y where walls turned the way;
//         overlap, overlap_with; the index's packed places, which the next index writes anew.
// Order:  push-out in Jacobi passes over who is due; within an agent's candidates nearest first.
// Cost:   O(n + walls near) once, then O(who overlaps) a pass.
#include "step/step.h"

#include "base/scalar.h"
#include "state/extras.h"
#include "step/near_walls.h"
#include "step/push_out.h"

static void sweep_agent(const throng_step *step, throng_tile *tile, uint32_t position) {
    throng_agents *agents = &step->world->agents;
    const uint32_t row = step->world->index.order[position];
    if (agents->flags[row] & (THRONG_FLAG_HOST_MOVED | THRONG_FLAG_OUTSIDE)) return;
    const double x = agents->x[row], y = agents->y[row], radius = agents->radius[row];
    const throng_wall_filter filter = throng_row_wall_filter(agents, row);
    const throng_wall_box box =
        throng_wall_box_around(x, y, throng_wall_sweep_reach(throng_way_length(agents, row), radius));
    const throng_near_walls near = throng_near_walls_in(step, tile, position, filter, &box);
    if (near.count == 0) return;
    step->memory->event_bits[row] |= THRONG_EVENT_BIT_NEAR_WALL;
    const throng_wall_sweep swept =
        throng_wall_sweep_disc(step->world->walls, near.pieces, near.count, filter, x, y, agents->next_x[row] - x,
                               agents->next_y[row] - y, radius, NULL);
    if (!swept.turned) return;
    agents->next_x[row] = swept.x;
    agents->next_y[row] = swept.y;
    agents->next_velocity_x[row] = (float)(swept.dx / step->time_step);
    agents->next_velocity_y[row] = (float)(swept.dy / step->time_step);
}

static void sweep_task(void *context, uint32_t item, uint32_t worker) {
    const throng_step *step = context;
    const throng_agents *agents = &step->world->agents;
    throng_tile *tile = throng_step_tile(step->memory, worker);
    const uint32_t first = item * THRONG_TASK_ROWS, end = throng_step_task_end(step, first);
    if (throng_has_supports(step->world)) {
        for (uint32_t position = first; position < end; ++position) {
            throng_step_sweep_in_frames(step, tile, step->world->index.order[position]);
        }
        return;
    }
    // Those who change places go another way than the one that was looked at.
    const bool swaps = THRONG_USES(agents, swap);
    for (uint32_t position = first; position < end; ++position) {
        const bool near = step->memory->wall_near[position / THRONG_LANES] >> position % THRONG_LANES & 1;
        if (near || swaps) sweep_agent(step, tile, position);
    }
}

void throng_step_contacts(throng_step *step) {
    const throng_world *world = step->world;
    if (throng_has_walls(world)) {
        throng_parallel_for(&world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, sweep_task, step);
    }
    throng_push_out(step);
}
