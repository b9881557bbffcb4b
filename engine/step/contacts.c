// Reads:  next_x, next_y, walls, contact candidates, shares.
// Writes: next_x, next_y (swept, then pushed out); next_velocity_x, next_velocity_y where walls turned the way;
//         overlap, overlap_with; the deepest reach into walls; the index's packed places, which the next index writes
//         anew.
// Order:  push-out in Jacobi passes over who is due; within an agent's candidates nearest first.
// Cost:   O(n + walls near) once, then O(who overlaps) a pass.
#include "step/step.h"

#include "base/scalar.h"
#include "state/extras.h"
#include "state/wall_piece.h"
#include "step/near_walls.h"
#include "step/push_out.h"

#include <string.h>

/// m: what comes no nearer to a disc than this does not turn its way, and rounding does not matter.
static const double clear_gap = 1e-5;

/// Whether an agent's straight way passes all pieces: by the middle of the way, so that most who walk past are told.
static bool passes_by(const throng_wall_set *walls, const throng_near_walls *near, double x, double y, double dx,
                      double dy, double radius) {
    const double middle_x = x + 0.5 * dx, middle_y = y + 0.5 * dy;
    const double least = radius + 0.5 * sqrt(dx * dx + dy * dy) + clear_gap;
    for (uint32_t i = 0; i < near->count; ++i) {
        if (throng_wall_piece_squared(walls, near->pieces[i], middle_x, middle_y) < least * least) return false;
    }
    return true;
}

/// Whether it reaches into walls afterwards.
static bool sweep_agent(const throng_step *step, throng_tile *tile, uint32_t position) {
    throng_agents *agents = &step->world->agents;
    const uint32_t row = step->world->index.order[position];
    if (agents->flags[row] & (THRONG_FLAG_HOST_MOVED | THRONG_FLAG_OUTSIDE)) return false;
    const double x = agents->x[row], y = agents->y[row], radius = agents->radius[row];
    const double dx = agents->next_x[row] - x, dy = agents->next_y[row] - y;
    const throng_wall_filter filter = throng_row_wall_filter(agents, row);
    const throng_wall_box box = throng_wall_box_around(x, y, throng_wall_sweep_reach(sqrt(dx * dx + dy * dy), radius));
    const throng_near_walls near = throng_near_walls_in(step, tile, position, filter, &box);
    if (near.count == 0) return false;
    if (passes_by(step->world->walls, &near, x, y, dx, dy, radius)) return false;
    const throng_wall_sweep swept =
        throng_wall_sweep_disc(step->world->walls, near.pieces, near.count, filter, x, y, dx, dy, radius, NULL);
    if (swept.turned) {
        agents->next_x[row] = swept.x;
        agents->next_y[row] = swept.y;
        agents->next_velocity_x[row] = (float)(swept.dx / step->time_step);
        agents->next_velocity_y[row] = (float)(swept.dy / step->time_step);
    }
    return throng_near_walls_overlap(step, &near, row, agents->next_x[row], agents->next_y[row]) > 0.0f;
}

/// Asks for what the coming tiles of a task need.
static void fetch_ahead(const throng_step *step, uint32_t tile, uint32_t last) {
    const throng_agents *agents = &step->world->agents;
    const uint32_t near = tile + 1, far = tile + 3;
    if (far <= last && step->memory->wall_near[far]) {
        throng_near_walls_fetch_note(step, far);
        for (uint32_t bits = step->memory->wall_near[far]; bits; bits &= bits - 1) {
            const uint32_t row = step->world->index.order[far * THRONG_LANES + throng_lowest_bit(bits)];
            throng_fetch(agents->x + row);
            throng_fetch(agents->y + row);
            throng_fetch(agents->next_x + row);
            throng_fetch(agents->next_y + row);
            throng_fetch(agents->radius + row);
            throng_fetch(agents->mask + row);
            throng_fetch(agents->flags + row);
        }
    }
    if (near <= last && step->memory->wall_near[near]) throng_near_walls_fetch(step, near);
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
    if (swaps) memset(step->memory->wall_room + first, 0, end - first);
    for (uint32_t at = first / THRONG_LANES; at * THRONG_LANES < end; ++at) {
        fetch_ahead(step, at, (end - 1) / THRONG_LANES);
        const uint32_t count = throng_min_u32(THRONG_LANES, end - at * THRONG_LANES);
        uint32_t reaching = 0;
        for (uint32_t bits = swaps ? (1u << count) - 1 : step->memory->wall_near[at]; bits; bits &= bits - 1) {
            const uint32_t lane = throng_lowest_bit(bits);
            reaching |= (uint32_t)sweep_agent(step, tile, at * THRONG_LANES + lane) << lane;
        }
        step->memory->wall_near[at] = (uint16_t)reaching;
    }
}

/// Of those who reached into walls where these were last near.
static void measure_task(void *context, uint32_t item, uint32_t worker) {
    const throng_step *step = context;
    const throng_agents *agents = &step->world->agents;
    throng_tile *tile = throng_step_tile(step->memory, worker);
    throng_tally *tally = &step->memory->tallies[item];
    const uint32_t first = item * THRONG_TASK_ROWS, end = throng_step_task_end(step, first);
    for (uint32_t at = first / THRONG_LANES; at * THRONG_LANES < end; ++at) {
        for (uint32_t bits = step->memory->wall_near[at]; bits; bits &= bits - 1) {
            const uint32_t position = at * THRONG_LANES + throng_lowest_bit(bits);
            const uint32_t row = step->world->index.order[position];
            const double x = agents->next_x[row], y = agents->next_y[row];
            const throng_wall_box box = throng_wall_box_around(x, y, agents->radius[row]);
            const throng_near_walls near =
                throng_near_walls_in(step, tile, position, throng_row_wall_filter(agents, row), &box);
            tally->wall_overlap = throng_maxf(tally->wall_overlap, throng_near_walls_overlap(step, &near, row, x, y));
        }
    }
}

void throng_step_contacts(throng_step *step) {
    const throng_world *world = step->world;
    const uint32_t tasks = throng_step_tasks(step);
    if (throng_has_walls(world)) throng_parallel_for(&world->parallel, tasks, THRONG_SERIAL_TASKS, sweep_task, step);
    throng_push_out(step);
    // On supports it is measured where all frames are.
    if (!throng_has_walls(world) || throng_has_supports(world)) return;
    throng_parallel_for(&world->parallel, tasks, THRONG_SERIAL_TASKS, measure_task, step);
}
