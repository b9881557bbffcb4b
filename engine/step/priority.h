// Who goes first where two or more are in each other's way.
#ifndef THRONG_STEP_PRIORITY_H
#define THRONG_STEP_PRIORITY_H

#include "step/target.h"

/// How little somebody's turn has come: far from its target, with a large claim to give way. Smaller goes first.
static inline double throng_turn_of(const throng_world *world, uint32_t row) {
    double dx, dy;
    throng_to_target(world, row, world->agents.x[row], world->agents.y[row], &dx, &dy);
    return world->agents.claim[row] * sqrt(dx * dx + dy * dy);
}

/// Whether `other` goes before `row`. Of two who go the same way on one support the one ahead does, however long the
/// one behind has waited: only who is behind can make room.
static inline bool throng_goes_first(const throng_world *world, uint32_t other, uint32_t row) {
    double other_dx, other_dy, dx, dy;
    throng_to_target(world, other, world->agents.x[other], world->agents.y[other], &other_dx, &other_dy);
    throng_to_target(world, row, world->agents.x[row], world->agents.y[row], &dx, &dy);
    const bool together = throng_frame_of(world, other) == throng_frame_of(world, row);
    if (together && other_dx * dx + other_dy * dy > 0.0)
        return other_dx * other_dx + other_dy * other_dy < dx * dx + dy * dy;
    return throng_turn_of(world, other) < throng_turn_of(world, row);
}

#endif
