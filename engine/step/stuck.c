#include "step/stuck.h"

#include "state/wall_place.h"
#include "step/doors.h"
#include "step/target.h"

static bool reachable(const throng_world *world, uint32_t row, double x, double y) {
    const throng_agents *agents = &world->agents;
    double place[2];
    return throng_wall_place_find_free(throng_walls_of(world, row), throng_row_wall_filter(agents, row), x, y,
                                       agents->radius[row], agents->goal_radius[row], place);
}

void throng_stuck_event(const throng_step *step, uint32_t row, throng_event *event) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    const double x = agents->next_x[row], y = agents->next_y[row];
    double dx, dy;
    throng_to_target(world, row, x, y, &dx, &dy);
    event->value = (float)sqrt(dx * dx + dy * dy);
    const uint32_t other = step->memory->blocker[row];
    if (!reachable(world, row, x + dx, y + dy)) {
        event->reason = THRONG_STUCK_UNREACHABLE;
    } else if (throng_step_at_turns(world, row, x, y)) {
        event->reason = THRONG_STUCK_DOOR;
        if (other != row) event->other = agents->id[other];
    } else if (other == row) {
        event->reason = THRONG_STUCK_WALLS;
    } else {
        const bool stands = agents->preferred_x[other] == 0.0f && agents->preferred_y[other] == 0.0f;
        const bool rests = stands || agents->flags[other] & THRONG_FLAG_ARRIVED;
        event->reason = rests ? THRONG_STUCK_BLOCKED : THRONG_STUCK_JAM;
        event->other = agents->id[other];
    }
}
