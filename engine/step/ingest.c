// Reads:  what changed since the last step: agents, places, walls, input columns.
// Writes: memory of the step, the index where stale, who stands in a wall; nothing else may fail later.
// Order:  none.
// Cost:   O(n) to clear and to check input columns, in parallel; O(n log n) to index anew.
#include "step/near_leaves.h"
#include "step/step.h"

#include "base/error.h"
#include "base/scalar.h"
#include "state/wall_place.h"

static throng_result reserve(throng_world *world) {
    throng_event_list *events = &world->events;
    uint32_t mask = world->event_mask, kinds = 0; // that an agent may see in one step
    if (world->supports.most_pieces == 0 && (!world->may_be_outside || world->walls->piece_count == 0)) {
        mask &= ~(uint32_t)(1 << THRONG_EVENT_DISPLACED | 1 << THRONG_EVENT_CRUSHED);
    }
    if (!THRONG_USES(&world->agents, swap)) mask &= ~(uint32_t)(1 << THRONG_EVENT_SWAPPED);
    // Who arrives is not stuck.
    if (mask & 1 << THRONG_EVENT_ARRIVED) mask &= ~(uint32_t)(1 << THRONG_EVENT_STUCK);
    for (; mask; mask &= mask - 1) kinds++;
    if (!throng_index_reserve(&world->index, &world->memory, &world->agents) || !throng_step_memory_reserve(world) ||
        !throng_memory_reserve(&world->memory, (void **)&events->items, &events->capacity, events->count,
                               (size_t)world->agents.active * kinds, sizeof *events->items)) {
        return throng_fail(THRONG_ERROR_MEMORY, -1, "step: no memory for %u agents", (unsigned)world->agents.count);
    }
    return THRONG_OK;
}

// ---- input columns

/// What the host gives for a row, null where nothing; `name` receives the column's.
static bool input_is_good(const throng_world *world, uint32_t row, const char **name, double pair[2]) {
    const throng_agents *agents = &world->agents;
    const size_t at = 2 * (size_t)agents->id[row].index;
    double limit = THRONG_LIMIT_PLACE;
    if (world->inputs.preferred_velocity && agents->target_kind[row] == THRONG_TARGET_VELOCITY) {
        *name = "preferred_velocity";
        limit = THRONG_LIMIT_NUMBER;
        for (int axis = 0; axis < 2; ++axis) pair[axis] = world->inputs.preferred_velocity[at + (size_t)axis];
    } else if (world->inputs.target && agents->target_kind[row] == THRONG_TARGET_POINT) {
        *name = "target";
        for (int axis = 0; axis < 2; ++axis) pair[axis] = world->inputs.target[at + (size_t)axis];
    } else {
        return true;
    }
    return throng_is_within(pair[0], limit) && throng_is_within(pair[1], limit);
}

static void check_inputs_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    const throng_agents *agents = &step->world->agents;
    const uint32_t first = item * THRONG_TASK_ROWS, end = throng_step_task_end(step, first);
    uint32_t bad = UINT32_MAX;
    for (uint32_t row = first; row < end; ++row) {
        const char *name;
        double pair[2] = {0};
        if (!input_is_good(step->world, row, &name, pair)) bad = throng_min_u32(bad, agents->id[row].index);
    }
    step->memory->tallies[item].bad_input = bad;
}

/// Names the lowest bad index, whatever the rows.
static throng_result check_inputs(const throng_step *step) {
    throng_world *world = step->world;
    if (!world->inputs.preferred_velocity && !world->inputs.target) return THRONG_OK;
    const uint32_t tasks = throng_step_tasks(step);
    throng_parallel_for(&world->parallel, tasks, THRONG_SERIAL_TASKS, check_inputs_task, (void *)step);
    uint32_t bad = UINT32_MAX;
    for (uint32_t task = 0; task < tasks; ++task) bad = throng_min_u32(bad, step->memory->tallies[task].bad_input);
    if (bad == UINT32_MAX) return THRONG_OK;
    const char *name = NULL;
    double pair[2] = {0};
    input_is_good(world, world->slots.row[bad], &name, pair);
    return throng_fail(THRONG_ERROR_VALUE, bad, "inputs.%s of agent index %u: out of a target's range, is (%g, %g)",
                       name, (unsigned)bad, pair[0], pair[1]);
}

/// What the step says of few rows only.
static void clear_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    const uint32_t first = item * THRONG_TASK_ROWS, end = throng_step_task_end(step, first);
    throng_step_memory *memory = step->memory;
    for (uint32_t row = first; row < end; ++row) {
        memory->event_bits[row] = 0;
        memory->blocker[row] = row;
        memory->overlap[row] = 0.0f;
    }
}

/// Tells who of those put somewhere since the last step stands in a wall.
static void check_places_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    throng_agents *agents = &step->world->agents;
    const uint32_t first = item * THRONG_TASK_ROWS, end = throng_step_task_end(step, first);
    for (uint32_t row = first; row < end; ++row) {
        if (!(agents->flags[row] & THRONG_FLAG_UNPLACED)) continue;
        const bool known = agents->flags[row] & THRONG_FLAG_OUTSIDE;
        agents->flags[row] &= (uint16_t) ~(THRONG_FLAG_UNPLACED | THRONG_FLAG_OUTSIDE);
        if (!throng_wall_place_is_free(throng_walls_of(step->world, row), throng_row_wall_filter(agents, row),
                                       agents->x[row], agents->y[row], agents->radius[row])) {
            agents->flags[row] |= THRONG_FLAG_OUTSIDE;
            if (!known) step->memory->event_bits[row] |= 1 << THRONG_EVENT_DISPLACED;
        }
    }
}

throng_result throng_step_ingest(throng_step *step) {
    throng_world *world = step->world;
    throng_result result = reserve(world);
    if (result != THRONG_OK) return result;
    step->memory = world->step;
    result = check_inputs(step);
    if (result != THRONG_OK) return result;
    if (!world->index.fresh) {
        throng_index_build(&world->index, &world->agents, &world->parallel, throng_world_motion(world));
        throng_step_sort_rows(step);
    }
    if (!throng_has_supports(world)) {
        throng_index_pack(&world->index, &world->agents, &world->parallel, throng_world_motion(world));
    }
    throng_parallel_for(&world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, clear_task, step);
    if (world->unplaced) {
        throng_parallel_for(&world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, check_places_task, step);
        world->unplaced = false;
    }
    for (uint32_t worker = 0; worker < step->memory->tile_count; ++worker) {
        throng_near_leaves_forget(throng_step_tile(step->memory, worker));
    }
    throng_step_move_supports(step);
    return THRONG_OK;
}
