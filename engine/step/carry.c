// Reads:  next places and velocities, poses, outlines, layers and masks.
// Writes: poses, as at the end of the step; supports of who stepped on or off, with its next place and velocity in the
//         new frame; the world columns.
// Order:  none; of several outlines the support of the lowest index.
// Cost:   O(supports) an agent.
#include "step/step.h"

#include "base/scalar.h"
#include "state/frame.h"

static void note_leaves_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    const throng_world *world = step->world;
    const uint32_t begin = item * THRONG_TASK_ROWS;
    const uint32_t end = throng_step_task_end(step, begin);
    for (uint32_t position = begin; position < end; ++position) {
        const uint32_t support = world->agents.support[world->index.order[position]];
        uint32_t *leaf = &step->memory->leaf_support[position / THRONG_LANES];
        if (position % THRONG_LANES == 0) {
            *leaf = support;
        } else if (*leaf != support) {
            *leaf = THRONG_SUPPORTS_DIFFER;
        }
    }
}

void throng_step_move_supports(const throng_step *step) {
    if (!throng_has_supports(step->world)) return;
    throng_parallel_for(&step->world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, note_leaves_task,
                        (void *)step);
    throng_supports *supports = &step->world->supports;
    for (uint32_t i = 1; i < supports->slots.limit; ++i) {
        throng_support *support = &supports->items[i];
        if (!supports->slots.used[i] || support->frame == 0) continue;
        support->next = throng_pose_advance(&support->pose, support->velocity, support->turn_rate, step->time_step);
    }
}

static bool carries(const throng_world *world, uint32_t index, uint32_t row, throng_vector place) {
    const throng_support *support = &world->supports.items[index];
    if (support->outline_count == 0 || !(support->layer & world->agents.mask[row])) return false;
    const throng_vector own = throng_between_frames(world, 0, support->frame, false, place.x, place.y);
    return throng_support_holds(support, own.x, own.y);
}

/// The support under a row, in the poses of the step's end.
static uint32_t support_under(const throng_world *world, uint32_t row) {
    const throng_agents *agents = &world->agents;
    const throng_supports *supports = &world->supports;
    const uint32_t present = agents->support[row];
    const throng_support *own = throng_support_of(world, row);
    const double x = agents->next_x[row], y = agents->next_y[row];
    if (present && (own->outline_count == 0 || throng_support_holds(own, x, y))) return present;
    const throng_vector place = throng_between_frames(world, own->frame, 0, false, x, y);
    for (uint32_t i = 1; i < supports->slots.limit; ++i) {
        if (i != present && supports->slots.used[i] && carries(world, i, row, place)) return i;
    }
    return 0;
}

static void carry_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    throng_world *world = step->world;
    const throng_columns columns = throng_next_columns(world);
    const uint32_t first = item * THRONG_TASK_ROWS;
    const uint32_t end = throng_step_task_end(step, first);
    for (uint32_t row = first; row < end; ++row) {
        const uint32_t under = support_under(world, row);
        if (under != world->agents.support[row]) throng_change_support(world, row, under, &columns);
        throng_renew_world_row(world, row, &columns);
    }
}

void throng_step_carry(throng_step *step) {
    throng_world *world = step->world;
    if (!throng_has_supports(world)) return;
    throng_supports *supports = &world->supports;
    for (uint32_t i = 1; i < supports->slots.limit; ++i) {
        if (supports->slots.used[i] && supports->items[i].frame) supports->items[i].pose = supports->items[i].next;
    }
    throng_parallel_for(&world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, carry_task, step);
    // The parked are carried as well.
    const throng_columns columns = throng_front_columns(world);
    for (uint32_t row = world->agents.active; row < world->agents.count; ++row) {
        throng_renew_world_row(world, row, &columns);
    }
}
