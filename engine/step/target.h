// Where an agent's target is, for the stages that walk to it and that tell arrival.
#ifndef THRONG_STEP_TARGET_H
#define THRONG_STEP_TARGET_H

#include "base/grid.h"
#include "base/scalar.h"
#include "state/frame.h"

static inline bool throng_has_place_target(const throng_agents *agents, uint32_t row) {
    return agents->target_kind[row] == THRONG_TARGET_POINT || agents->target_kind[row] == THRONG_TARGET_SEGMENT;
}

/// The vector (m) from a place in the row's frame to the nearest point of the row's target, which must be a place.
static inline void throng_to_target(const throng_world *world, uint32_t row, double x, double y, double *dx,
                                    double *dy) {
    const throng_agents *agents = &world->agents;
    const double *input = world->inputs.target;
    throng_vector at = {agents->target_x[row], agents->target_y[row]};
    throng_vector to_end = {agents->target_dx[row], agents->target_dy[row]};
    if (input && agents->target_kind[row] == THRONG_TARGET_POINT) {
        at.x = throng_on_grid(input[2 * (size_t)agents->id[row].index]);
        at.y = throng_on_grid(input[2 * (size_t)agents->id[row].index + 1]);
    }
    if (throng_has_supports(world)) {
        const uint32_t from = throng_target_frame_of(world, row), own = throng_frame_of(world, row);
        at = throng_between_frames(world, from, own, false, at.x, at.y);
        to_end = throng_turn_between_frames(world, from, own, to_end.x, to_end.y);
    }
    *dx = at.x - x;
    *dy = at.y - y;
    const double ux = to_end.x, uy = to_end.y, square = ux * ux + uy * uy;
    if (!(square > 0.0)) return;
    const double along = throng_maxd(0.0, throng_mind(1.0, -(*dx * ux + *dy * uy) / square));
    *dx += along * ux;
    *dy += along * uy;
}

/// The fixed preferred velocity (m/s, in the row's frame) of a row that has one.
static inline throng_vector throng_fixed_wish(const throng_world *world, uint32_t row) {
    const throng_agents *agents = &world->agents;
    const float *input = world->inputs.preferred_velocity;
    const size_t at = 2 * (size_t)agents->id[row].index;
    const throng_vector wish = input ? (throng_vector){input[at], input[at + 1]}
                                     : (throng_vector){agents->target_x[row], agents->target_y[row]};
    if (!throng_has_supports(world)) return wish;
    return throng_turn_between_frames(world, throng_target_frame_of(world, row), throng_frame_of(world, row), wish.x,
                                      wish.y);
}

/// Whether a row wishes to stay where it is: it has arrived, has nowhere to go, or stands by a given velocity.
static inline bool throng_row_stands(const throng_agents *agents, uint32_t row) {
    const float standing_speed = 0.05f; // m/s, at most
    if (agents->flags[row] & THRONG_FLAG_ARRIVED || agents->target_kind[row] == THRONG_TARGET_NONE) return true;
    if (throng_has_place_target(agents, row)) return false;
    const float x = agents->velocity_x[row], y = agents->velocity_y[row];
    return x * x + y * y < standing_speed * standing_speed;
}

static inline bool throng_within_goal(const throng_agents *agents, uint32_t row, double dx, double dy) {
    const double reach = agents->goal_radius[row];
    return dx * dx + dy * dy <= reach * reach;
}

#endif
