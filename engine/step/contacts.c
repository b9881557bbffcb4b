// Reads:  next_x, next_y, walls, contact candidates, shares.
// Writes: next_x, next_y (swept, then pushed out); next_velocity_x, next_velocity_y where walls turned the way;
//         overlap, overlap_with; the index's packed places, which the next index writes anew.
// Order:  push-out in Jacobi passes over who is due; within an agent's candidates nearest first.
// Cost:   O(n + walls near) once, then O(who overlaps) a pass.
#include "step/step.h"

#include "base/scalar.h"
#include "state/wall_near.h"
#include "state/wall_sweep.h"
#include "step/push_out.h"

static uint32_t task_end(const throng_step *step, uint32_t first) {
    return throng_min_u32(step->world->agents.active, first + THRONG_TASK_ROWS);
}

static double way_length(const throng_agents *agents, uint32_t row) {
    const double dx = agents->next_x[row] - agents->x[row], dy = agents->next_y[row] - agents->y[row];
    return sqrt(dx * dx + dy * dy);
}

_Static_assert((int)THRONG_WALL_SEEKERS == THRONG_LANES, "a tile seeks its walls at once");

/// The walls that could stop anybody of a tile on the way to the next place. Returns a bit for everyone near one.
static uint32_t find_walls(const throng_step *step, throng_tile *tile) {
    const throng_agents *agents = &step->world->agents;
    throng_wall_seekers seekers;
    throng_wall_box box = {0};
    throng_wall_filter filter = {0};
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const uint32_t row = tile->row[lane < tile->count ? lane : 0];
        seekers.x[lane] = agents->x[row];
        seekers.y[lane] = agents->y[row];
        seekers.reach[lane] = throng_wall_sweep_reach(way_length(agents, row), agents->radius[row]);
        const throng_wall_filter own_filter = throng_row_wall_filter(agents, row);
        seekers.mask[lane] = own_filter.mask;
        seekers.low[lane] = own_filter.low;
        seekers.high[lane] = own_filter.high;
        const throng_wall_box own = throng_wall_box_around(seekers.x[lane], seekers.y[lane], seekers.reach[lane]);
        box = lane == 0 ? own : throng_wall_box_union(&box, &own);
        filter = lane == 0 ? own_filter : throng_wall_filter_union(filter, own_filter);
    }
    const throng_wall_set *walls = step->world->walls;
    tile->near_wall_count = throng_wall_set_query(walls, &box, filter, tile->near_walls, walls->piece_count);
    return throng_wall_near_any(walls, tile->near_walls, tile->near_wall_count, &seekers);
}

static void sweep_row(const throng_step *step, throng_tile *tile, uint32_t row) {
    throng_agents *agents = &step->world->agents;
    if (agents->flags[row] & (THRONG_FLAG_HOST_MOVED | THRONG_FLAG_OUTSIDE)) return;
    step->memory->event_bits[row] |= THRONG_EVENT_BIT_NEAR_WALL;
    const throng_wall_sweep swept = throng_wall_sweep_disc(
        step->world->walls, tile->near_walls, tile->near_wall_count, throng_row_wall_filter(agents, row),
        agents->x[row], agents->y[row], agents->next_x[row] - agents->x[row], agents->next_y[row] - agents->y[row],
        agents->radius[row], NULL);
    if (!swept.turned) return;
    agents->next_x[row] = swept.x;
    agents->next_y[row] = swept.y;
    agents->next_velocity_x[row] = (float)(swept.dx / step->time_step);
    agents->next_velocity_y[row] = (float)(swept.dy / step->time_step);
}

static void sweep_task(void *context, uint32_t item, uint32_t worker) {
    const throng_step *step = context;
    throng_tile *tile = throng_step_tile(step->memory, worker);
    const uint32_t first = item * THRONG_TASK_ROWS, end = task_end(step, first);
    for (uint32_t position = first; position < end; position += THRONG_LANES) {
        tile->count = (int)throng_min_u32(THRONG_LANES, end - position);
        for (int lane = 0; lane < tile->count; ++lane) {
            tile->row[lane] = step->world->index.order[position + (uint32_t)lane];
        }
        if (throng_has_supports(step->world)) {
            for (int lane = 0; lane < tile->count; ++lane) throng_step_sweep_in_frames(step, tile, tile->row[lane]);
            continue;
        }
        const uint32_t near = find_walls(step, tile);
        for (int lane = 0; lane < tile->count; ++lane) {
            if (near >> lane & 1) sweep_row(step, tile, tile->row[lane]);
        }
    }
}

void throng_step_contacts(throng_step *step) {
    const throng_world *world = step->world;
    if (throng_has_walls(world)) {
        throng_parallel_for(&world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, sweep_task, step);
    }
    throng_push_out(step);
}
