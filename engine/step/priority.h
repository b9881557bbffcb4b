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

#endif
