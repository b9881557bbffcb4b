#include "state/frame.h"

#include "base/grid.h"

/// Whatever the support, in the world, m/s.
static throng_vector world_velocity(const throng_support *support, throng_vector place, double vx, double vy) {
    const throng_vector carried = throng_support_velocity(support, place.x, place.y);
    const throng_vector own = support->frame ? throng_pose_turn(&support->pose, vx, vy) : (throng_vector){vx, vy};
    return (throng_vector){carried.x + own.x, carried.y + own.y};
}

/// The reverse: relative to the support, in its frame.
static throng_vector relative_velocity(const throng_support *support, throng_vector place, throng_vector world) {
    const throng_vector carried = throng_support_velocity(support, place.x, place.y);
    const double x = world.x - carried.x, y = world.y - carried.y;
    return support->frame ? throng_pose_turn_back(&support->pose, x, y) : (throng_vector){x, y};
}

throng_vector throng_velocity_seen(const throng_world *world, uint32_t row, uint32_t other) {
    const throng_agents *agents = &world->agents;
    const double vx = agents->velocity_x[other], vy = agents->velocity_y[other];
    if (agents->support[row] == agents->support[other]) return (throng_vector){vx, vy};
    const throng_supports *supports = &world->supports;
    const throng_vector there = {supports->world_x[other], supports->world_y[other]};
    const throng_vector here = {supports->world_x[row], supports->world_y[row]};
    const throng_vector seen = world_velocity(throng_support_of(world, other), there, vx, vy);
    return relative_velocity(throng_support_of(world, row), here, seen);
}

void throng_change_support(throng_world *world, uint32_t row, uint32_t to, const throng_columns *columns) {
    const throng_support *before = throng_support_of(world, row), *after = &world->supports.items[to];
    const throng_vector place = throng_between_frames(world, before->frame, 0, false, columns->x[row], columns->y[row]);
    const throng_vector velocity = world_velocity(before, place, columns->velocity_x[row], columns->velocity_y[row]);
    const throng_vector relative = relative_velocity(after, place, velocity);
    if (before->frame != after->frame) {
        const throng_vector own = throng_between_frames(world, 0, after->frame, false, place.x, place.y);
        columns->x[row] = throng_on_grid(own.x);
        columns->y[row] = throng_on_grid(own.y);
    }
    columns->velocity_x[row] = (float)relative.x + 0.0f;
    columns->velocity_y[row] = (float)relative.y + 0.0f;
    world->agents.support[row] = (uint16_t)to;
}

typedef struct renewing {
    throng_world *world;
    throng_columns columns;
} renewing;

enum { ROWS_A_TASK = 512 };

static void renew_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const renewing *work = context;
    const uint32_t first = item * ROWS_A_TASK;
    const uint32_t end = throng_min_u32(work->world->agents.count, first + ROWS_A_TASK);
    for (uint32_t row = first; row < end; ++row) throng_renew_world_row(work->world, row, &work->columns);
}

void throng_renew_world_row(throng_world *world, uint32_t row, const throng_columns *columns) {
    throng_supports *to = &world->supports;
    const throng_support *support = throng_support_of(world, row);
    const float vx = columns->velocity_x[row], vy = columns->velocity_y[row];
    const throng_vector place =
        throng_between_frames(world, support->frame, 0, false, columns->x[row], columns->y[row]);
    to->world_x[row] = place.x;
    to->world_y[row] = place.y;
    to->world_velocity_x[row] = vx;
    to->world_velocity_y[row] = vy;
    if (world->agents.support[row] == 0) return;
    const throng_vector velocity = world_velocity(support, place, vx, vy);
    to->world_velocity_x[row] = (float)velocity.x;
    to->world_velocity_y[row] = (float)velocity.y;
}

void throng_renew_world_columns(throng_world *world) {
    if (!throng_has_supports(world)) return;
    assert(world->agents.count <= world->supports.row_capacity);
    renewing work = {world, throng_front_columns(world)};
    throng_parallel_for(&world->parallel, (world->agents.count + ROWS_A_TASK - 1) / ROWS_A_TASK, 1, renew_task, &work);
}
