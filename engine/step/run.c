#include "step/step.h"

#include "base/clock.h"
#include "base/scalar.h"
#include "step/blockers.h"
#include "step/doors.h"
#include "step/near_walls.h"

/// Adds the time since *last to a stage and moves *last on; nothing where nobody asked.
static void lap(const throng_step *step, double seconds[], throng_stage stage, double *last) {
    if (!step->world->wants_profile) return;
    const double now = throng_seconds();
    seconds[stage] += now - *last;
    *last = now;
}

/// Ends a stage of a tile.
static void finish(const throng_step *step, throng_tile *tile, throng_tally *tally, throng_stage stage, double *last) {
    lap(step, tile->seconds, stage, last);
    throng_step_hash_tile(step, tile, stage, tally);
}

static void run_tile(const throng_step *step, throng_tile *tile, throng_tally *tally) {
    double last = step->world->wants_profile ? throng_seconds() : 0.0;
    throng_step_neighbors(step, tile);
    throng_step_hash_tile(step, tile, THRONG_STAGE_INGEST, tally);
    finish(step, tile, tally, THRONG_STAGE_NEIGHBORS, &last);
    throng_step_sense(step, tile);
    finish(step, tile, tally, THRONG_STAGE_SENSE, &last);
    throng_step_constraints(step, tile);
    finish(step, tile, tally, THRONG_STAGE_CONSTRAINTS, &last);
    throng_step_solve(step, tile);
    finish(step, tile, tally, THRONG_STAGE_SOLVE, &last);
    throng_step_integrate(step, tile);
    throng_step_commit(step, tile, tally);
    throng_near_walls_leave(step, tile, tally);
    lap(step, tile->seconds, THRONG_STAGE_INTEGRATE, &last);
}

/// Asks for the columns of a tile that comes next, so that they are there when it does: rows lie near, but not in, the
/// order of tiles.
static void fetch_tile(const throng_step *step, uint32_t first, uint32_t end) {
    const throng_agents *agents = &step->world->agents;
    for (uint32_t position = first; position < throng_min_u32(end, first + THRONG_LANES); ++position) {
        const uint32_t row = step->world->index.order[position];
        throng_fetch(agents->time_horizon + row);
        throng_fetch(agents->obstacle_horizon + row);
        throng_fetch(agents->max_speed + row);
        throng_fetch(agents->max_acceleration + row);
        throng_fetch(agents->neighbor_range + row);
        throng_fetch(agents->max_neighbors + row);
        throng_fetch(agents->mask + row);
        throng_fetch(agents->yield + row);
        throng_fetch(agents->x + row);
        throng_fetch(agents->y + row);
        throng_fetch(agents->target_x + row);
        throng_fetch(agents->target_y + row);
        throng_fetch(agents->preferred_speed + row);
        throng_fetch(agents->goal_radius + row);
        throng_fetch(agents->blocked + row);
        throng_fetch(agents->waited + row);
        throng_fetch(agents->flags + row);
        throng_fetch(agents->preferred_x + row);
        throng_fetch(agents->preferred_y + row);
        throng_fetch(agents->solved_x + row);
        throng_fetch(agents->solved_y + row);
        throng_fetch(agents->next_x + row);
        throng_fetch(agents->next_y + row);
    }
}

static void run_task(void *context, uint32_t item, uint32_t worker) {
    const throng_step *step = context;
    throng_tile *tile = throng_step_tile(step->memory, worker);
    throng_tally *tally = &step->memory->tallies[item];
    *tally = (throng_tally){0};
    const uint32_t active = step->world->agents.active;
    const uint32_t first = item * THRONG_TASK_ROWS, end = throng_step_task_end(step, first);
    for (uint32_t position = first; position < end; position += THRONG_LANES) {
        tile->first = position;
        tile->count = (int)throng_min_u32(THRONG_LANES, active - position);
        fetch_tile(step, position + THRONG_LANES, end);
        run_tile(step, tile, tally);
    }
}

static void run_tiles(const throng_step *step) {
    throng_world *world = step->world;
    for (uint32_t worker = 0; worker < step->memory->tile_count; ++worker) {
        throng_tile *tile = throng_step_tile(step->memory, worker);
        for (int stage = 0; stage < THRONG_STAGE_COUNT; ++stage) tile->seconds[stage] = 0.0;
    }
    throng_parallel_for(&world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, run_task, (void *)step);
    for (uint32_t worker = 0; worker < step->memory->tile_count; ++worker) {
        const throng_tile *tile = throng_step_tile(step->memory, worker);
        for (int stage = 0; stage < THRONG_STAGE_COUNT; ++stage) world->profile.seconds[stage] += tile->seconds[stage];
    }
}

throng_result throng_step_run(throng_world *world, double time_step) {
    const double begin = throng_seconds();
    const uint64_t allocations = world->memory.allocations;
    throng_step step = {.world = world, .time_step = time_step, .dt = (float)time_step};
    double seconds[THRONG_STAGE_COUNT] = {0}, last = begin;

    const throng_result result = throng_step_ingest(&step);
    if (result != THRONG_OK) return result;
    lap(&step, seconds, THRONG_STAGE_INGEST, &last);
    for (int stage = 0; stage < THRONG_STAGE_COUNT; ++stage) world->profile.seconds[stage] = 0.0;
    run_tiles(&step);
    throng_step_untie(&step);
    throng_step_hash_rows(&step, THRONG_STAGE_INTEGRATE);
    last = throng_seconds();
    throng_step_contacts(&step);
    lap(&step, seconds, THRONG_STAGE_CONTACTS, &last);
    throng_step_hash_rows(&step, THRONG_STAGE_CONTACTS);
    throng_step_carry(&step);
    throng_step_index(&step);
    lap(&step, seconds, THRONG_STAGE_INDEX, &last);
    throng_step_hash_rows(&step, THRONG_STAGE_INDEX);
    throng_step_publish(&step);
    throng_step_turn_doors(&step);
    lap(&step, seconds, THRONG_STAGE_PUBLISH, &last);
    throng_step_hash_rows(&step, THRONG_STAGE_PUBLISH);
    throng_step_sum_hashes(&step);

    for (int stage = 0; stage < THRONG_STAGE_COUNT; ++stage) world->profile.seconds[stage] += seconds[stage];
    world->counters.step_allocations = world->memory.allocations - allocations;
    world->profile.total_seconds = throng_seconds() - begin;
    world->profile.run_seconds += world->profile.total_seconds;
    world->profile.agent_steps += world->agents.active;
    return THRONG_OK;
}
