// Reads:  what changed since the last step: agents, places, walls, input columns.
// Writes: memory of the step, the index where stale, who stands in a wall; nothing else may fail later.
// Order:  none.
// Cost:   O(1) when nothing changed; O(n) to check input columns; O(n log n) to index anew.
#include "step/step.h"

#include "base/error.h"
#include "base/scalar.h"
#include "state/wall_place.h"

static throng_result reserve(throng_world *world) {
    throng_event_list *events = &world->events;
    uint32_t mask = world->event_mask, kinds = 0; // that an agent may see in one step
    if (!world->may_be_outside || world->walls->piece_count == 0) {
        mask &= ~(uint32_t)(1 << THRONG_EVENT_DISPLACED | 1 << THRONG_EVENT_CRUSHED);
    }
    for (; mask; mask &= mask - 1) kinds++;
    if (!throng_index_reserve(&world->index, &world->memory, &world->agents) || !throng_step_memory_reserve(world) ||
        !throng_memory_reserve(&world->memory, (void **)&events->items, &events->capacity, events->count,
                               (size_t)world->agents.active * kinds, sizeof *events->items)) {
        return throng_fail(THRONG_ERROR_MEMORY, -1, "step: no memory for %u agents", (unsigned)world->agents.count);
    }
    return THRONG_OK;
}

static throng_result check_inputs(const throng_world *world) {
    const throng_agents *agents = &world->agents;
    const float *velocity = world->inputs.preferred_velocity;
    const double *target = world->inputs.target;
    if (!velocity && !target) return THRONG_OK;
    for (uint32_t row = 0; row < agents->active; ++row) {
        const size_t at = 2 * (size_t)agents->id[row].index;
        if (velocity && agents->target_kind[row] == THRONG_TARGET_VELOCITY &&
            !(throng_is_finite(velocity[at]) && throng_is_finite(velocity[at + 1]))) {
            return throng_fail(THRONG_ERROR_VALUE, agents->id[row].index,
                               "inputs.preferred_velocity of agent index %u: must be finite, is (%g, %g)",
                               (unsigned)agents->id[row].index, velocity[at], velocity[at + 1]);
        }
        if (target && agents->target_kind[row] == THRONG_TARGET_POINT &&
            !(throng_is_finite(target[at]) && throng_is_finite(target[at + 1]))) {
            return throng_fail(THRONG_ERROR_VALUE, agents->id[row].index,
                               "inputs.target of agent index %u: must be finite, is (%g, %g)",
                               (unsigned)agents->id[row].index, target[at], target[at + 1]);
        }
    }
    return THRONG_OK;
}

static uint32_t task_end(const throng_step *step, uint32_t first) {
    return throng_min_u32(step->world->agents.active, first + THRONG_TASK_ROWS);
}

static void clear_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    const uint32_t first = item * THRONG_TASK_ROWS, end = task_end(step, first);
    for (uint32_t row = first; row < end; ++row) step->memory->event_bits[row] = 0;
}

/// Tells who of those put somewhere since the last step stands in a wall.
static void check_places_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    throng_agents *agents = &step->world->agents;
    const uint32_t first = item * THRONG_TASK_ROWS, end = task_end(step, first);
    for (uint32_t row = first; row < end; ++row) {
        if (!(agents->flags[row] & THRONG_FLAG_UNPLACED)) continue;
        const bool known = agents->flags[row] & THRONG_FLAG_OUTSIDE;
        agents->flags[row] &= (uint16_t) ~(THRONG_FLAG_UNPLACED | THRONG_FLAG_OUTSIDE);
        if (!throng_wall_place_is_free(step->world->walls, agents->mask[row], agents->x[row], agents->y[row],
                                       agents->radius[row])) {
            agents->flags[row] |= THRONG_FLAG_OUTSIDE;
            if (!known) step->memory->event_bits[row] |= 1 << THRONG_EVENT_DISPLACED;
        }
    }
}

throng_result throng_step_ingest(throng_step *step) {
    throng_world *world = step->world;
    throng_result result = check_inputs(world);
    if (result != THRONG_OK) return result;
    result = reserve(world);
    if (result != THRONG_OK) return result;
    step->memory = world->step;
    if (!world->index.fresh) {
        throng_index_build(&world->index, &world->agents, &world->parallel, world->agents.x, world->agents.y);
        throng_step_sort_rows(step);
    }
    throng_parallel_for(&world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, clear_task, step);
    if (world->unplaced) {
        throng_parallel_for(&world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, check_places_task, step);
        world->unplaced = false;
    }
    return THRONG_OK;
}
