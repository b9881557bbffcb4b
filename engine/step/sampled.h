// Velocities of agents whose model is RVO or VO: the least penalty among sampled ones.
#ifndef THRONG_STEP_SAMPLED_H
#define THRONG_STEP_SAMPLED_H

#include "step/step.h"

/// The lanes of agents that choose so.
uint32_t throng_sampled_lanes(const throng_world *world, const throng_tile *tile);

/// Solves for those lanes, which must be some. Nothing is infeasible for them.
void throng_solve_sampled(const throng_step *step, throng_tile *tile, uint32_t lanes);

#endif
