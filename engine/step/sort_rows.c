#include "step/step.h"

#include "base/scalar.h"

static void rename_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    throng_world *world = step->world;
    const uint32_t first = item * THRONG_TASK_ROWS;
    const uint32_t end = throng_step_task_end(step, first);
    for (uint32_t row = first; row < end; ++row) {
        world->slots.row[world->agents.id[row].index] = row;
        world->index.order[row] = row;
    }
}

void throng_step_sort_rows(throng_step *step) {
    throng_world *world = step->world;
    throng_agents_reorder(&world->agents, &world->parallel, world->index.order, world->agents.active,
                          step->memory->spare);
    throng_parallel_for(&world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, rename_task, step);
    throng_renew_world_columns(world);
}
