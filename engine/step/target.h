// Where an agent's target is, for the stages that walk to it and that tell arrival.
#ifndef THRONG_STEP_TARGET_H
#define THRONG_STEP_TARGET_H

#include "base/grid.h"
#include "base/scalar.h"
#include "state/world.h"

static inline bool throng_has_place_target(const throng_agents *agents, uint32_t row) {
    return agents->target_kind[row] == THRONG_TARGET_POINT || agents->target_kind[row] == THRONG_TARGET_SEGMENT;
}

/// The vector (m) from a place to the nearest point of the row's target, which must be a place.
static inline void throng_to_target(const throng_world *world, uint32_t row, double x, double y, double *dx,
                                    double *dy) {
    const throng_agents *agents = &world->agents;
    const double *input = world->inputs.target;
    if (input && agents->target_kind[row] == THRONG_TARGET_POINT) {
        *dx = throng_on_grid(input[2 * (size_t)agents->id[row].index]) - x;
        *dy = throng_on_grid(input[2 * (size_t)agents->id[row].index + 1]) - y;
        return;
    }
    *dx = agents->target_x[row] - x;
    *dy = agents->target_y[row] - y;
    const double ux = agents->target_dx[row], uy = agents->target_dy[row], square = ux * ux + uy * uy;
    if (!(square > 0.0)) return;
    const double along = throng_maxd(0.0, throng_mind(1.0, -(*dx * ux + *dy * uy) / square));
    *dx += along * ux;
    *dy += along * uy;
}

static inline bool throng_within_goal(const throng_agents *agents, uint32_t row, double dx, double dy) {
    const double reach = agents->goal_radius[row];
    return dx * dx + dy * dy <= reach * reach;
}

#endif
