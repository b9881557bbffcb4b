// Reads:  next_x, next_y, walls, contact candidates, shares.
// Writes: next_x, next_y (swept, then pushed out); next_velocity_x, next_velocity_y where walls turned the way;
//         overlap, overlap_with.
// Order:  push-out in Jacobi passes over who is due; within an agent's candidates nearest first.
// Cost:   O(n + walls near) once, then O(who overlaps) a pass.
#include "step/step.h"

#include "base/grid.h"
#include "base/scalar.h"
#include "base/tie.h"
#include "state/wall_place.h"
#include "state/wall_near.h"
#include "state/wall_sweep.h"
#include "step/share.h"

/// Fewer rows than this are pushed on the calling thread: waking another costs more.
static const uint32_t few_rows = 64;

/// Bodies this deep in each other, m, are left alone, so that those who merely touch rest.
static const double slop = 1e-4;

static uint32_t task_end(const throng_step *step, uint32_t first) {
    return throng_min_u32(step->world->agents.active, first + THRONG_TASK_ROWS);
}

// ---- the sweep

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

// ---- push-out

typedef struct push {
    double x, y;  // m
    int contacts; // who push
} push;

static float push_share(const throng_agents *agents, uint32_t own, uint32_t other) {
    if (agents->flags[own] & (THRONG_FLAG_HOST_MOVED | THRONG_FLAG_OUTSIDE)) return 0.0f;
    if (agents->flags[other] & THRONG_FLAG_HOST_MOVED) return 1.0f;
    return throng_share(agents, own, other);
}

/// Adds up what those that overlap a row ask of it, and notes the deepest.
static push pushes(const throng_step *step, uint32_t row, const uint32_t *contacts) {
    const throng_agents *agents = &step->world->agents;
    const int count = step->memory->contact_count[row];
    const double x = agents->next_x[row], y = agents->next_y[row];
    const bool carried = throng_has_supports(step->world);
    push sum = {0};
    float deepest = 0.0f;
    uint32_t with = row;
    for (int i = 0; i < count; ++i) {
        const uint32_t other = contacts[i];
        double dx = x - agents->next_x[other], dy = y - agents->next_y[other];
        if (carried) {
            const throng_vector offset = throng_offset_of(step->world, row, other, true);
            dx = -offset.x;
            dy = -offset.y;
        }
        const double reach = (double)agents->radius[row] + agents->radius[other], square = dx * dx + dy * dy;
        if (square >= reach * reach) continue;
        const double distance = sqrt(square), overlap = reach - distance;
        if ((float)overlap > deepest) {
            deepest = (float)overlap;
            with = other;
        }
        const float share = push_share(agents, row, other);
        if (overlap <= slop || share <= 0.0f) continue;
        double nx, ny;
        if (distance > 0.0) {
            nx = dx / distance;
            ny = dy / distance;
        } else {
            float direction[2];
            throng_tie_direction(step->world->seed, agents->creation[row], agents->creation[other], direction);
            nx = direction[0];
            ny = direction[1];
        }
        sum.x += share * overlap * nx;
        sum.y += share * overlap * ny;
        sum.contacts++;
    }
    step->memory->overlap[row] = deepest;
    step->memory->overlap_with[row] = with;
    return sum;
}

/// Where a push brings a row: as far as the walls let it, and nowhere if the straight line over the whole step would
/// then cut through a wall.
static void push_among_walls(const throng_step *step, throng_tile *tile, uint32_t row, double dx, double dy,
                             double to[2]) {
    const throng_agents *agents = &step->world->agents;
    const throng_wall_set *walls = step->world->walls;
    const double x = agents->next_x[row], y = agents->next_y[row], radius = agents->radius[row];
    const throng_wall_box box = throng_wall_box_around(x, y, throng_wall_sweep_reach(sqrt(dx * dx + dy * dy), radius));
    const throng_wall_filter filter = throng_row_wall_filter(agents, row);
    const uint32_t count = throng_wall_set_query(walls, &box, filter, tile->own_walls, walls->piece_count);
    if (count) {
        step->memory->event_bits[row] |= THRONG_EVENT_BIT_NEAR_WALL;
        const throng_wall_sweep swept =
            throng_wall_sweep_disc(walls, tile->own_walls, count, filter, x, y, dx, dy, radius, NULL);
        to[0] = swept.x;
        to[1] = swept.y;
    }
    const double from[2] = {agents->x[row], agents->y[row]};
    if (agents->flags[row] & THRONG_FLAG_OUTSIDE || throng_wall_place_sees(walls, filter, from, to, 0.0)) {
        return;
    }
    to[0] = x;
    to[1] = y;
}

static void place_pushed(const throng_step *step, throng_tile *tile, uint32_t row, double dx, double dy) {
    const throng_agents *agents = &step->world->agents;
    double to[2] = {agents->next_x[row] + dx, agents->next_y[row] + dy};
    if (throng_has_supports(step->world)) {
        throng_step_push_in_frames(step, tile, row, dx, dy, to);
    } else if (step->world->walls->piece_count) {
        push_among_walls(step, tile, row, dx, dy, to);
    }
    step->memory->pass_x[row] = to[0];
    step->memory->pass_y[row] = to[1];
}

static void mark(const throng_step_memory *memory, uint32_t row) {
    atomic_store_explicit(&memory->due_next[row], 1, memory_order_relaxed);
    atomic_store_explicit(&memory->block_due_next[row / THRONG_TASK_ROWS], 1, memory_order_relaxed);
}

static void push_task(void *context, uint32_t item, uint32_t worker) {
    const throng_step *step = context;
    throng_step_memory *memory = step->memory;
    throng_tile *tile = throng_step_tile(memory, worker);
    const uint32_t first = item * THRONG_TASK_ROWS, end = task_end(step, first);
    uint32_t moved = 0;
    memory->tallies[item].moved = 0;
    if (!atomic_load_explicit(&memory->block_due[item], memory_order_relaxed)) return;
    atomic_store_explicit(&memory->block_due[item], 0, memory_order_relaxed);
    for (uint32_t row = first; row < end; ++row) {
        memory->pass_moved[row] = 0;
        if (!atomic_load_explicit(&memory->due[row], memory_order_relaxed)) continue;
        atomic_store_explicit(&memory->due[row], 0, memory_order_relaxed);
        const uint32_t *contacts = memory->contacts + memory->contact_first[row];
        const push sum = pushes(step, row, contacts);
        if (step->last_pass || sum.contacts == 0) continue;
        // Pushes from several sides are taken in part, or Jacobi passes would overshoot in a dense heap.
        const double part = 2.0 / (1.0 + sum.contacts);
        place_pushed(step, tile, row, throng_on_grid(part * sum.x), throng_on_grid(part * sum.y));
        memory->pass_moved[row] = 1;
        ++moved;
        mark(memory, row);
        for (int i = 0; i < memory->contact_count[row]; ++i) mark(memory, contacts[i]);
    }
    memory->tallies[item].moved = moved;
}

static void take_places_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    if (step->memory->tallies[item].moved == 0) return;
    throng_agents *agents = &step->world->agents;
    const uint32_t first = item * THRONG_TASK_ROWS, end = task_end(step, first);
    for (uint32_t row = first; row < end; ++row) {
        if (!step->memory->pass_moved[row]) continue;
        agents->next_x[row] = step->memory->pass_x[row];
        agents->next_y[row] = step->memory->pass_y[row];
    }
}

static void swap_due(_Atomic uint8_t **a, _Atomic uint8_t **b) {
    _Atomic uint8_t *const kept = *a;
    *a = *b;
    *b = kept;
}

void throng_step_contacts(throng_step *step) {
    throng_world *world = step->world;
    throng_step_memory *memory = step->memory;
    const uint32_t tasks = throng_step_tasks(step);
    if (throng_has_walls(world)) {
        throng_parallel_for(&world->parallel, tasks, THRONG_SERIAL_TASKS, sweep_task, step);
    }
    for (uint32_t task = 0; task < tasks; ++task) {
        atomic_store_explicit(&memory->block_due[task], 1, memory_order_relaxed);
        atomic_store_explicit(&memory->block_due_next[task], 0, memory_order_relaxed);
    }
    uint32_t moved = world->agents.active;
    // One round more than there are passes: the last only measures the overlaps that are left.
    for (uint32_t pass = 0; pass <= world->contact_passes; ++pass) {
        step->last_pass = pass == world->contact_passes;
        const uint32_t grain = moved < few_rows ? tasks : THRONG_SERIAL_TASKS;
        throng_parallel_for(&world->parallel, tasks, grain, push_task, step);
        moved = 0;
        for (uint32_t task = 0; task < tasks; ++task) moved += memory->tallies[task].moved;
        if (moved == 0) break;
        throng_parallel_for(&world->parallel, tasks, moved < few_rows ? tasks : THRONG_SERIAL_TASKS, take_places_task,
                            step);
        swap_due(&memory->due, &memory->due_next);
        swap_due(&memory->block_due, &memory->block_due_next);
    }
}
