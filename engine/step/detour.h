// A way around what stands in the way, found on a small grid around the agent.
#ifndef THRONG_STEP_DETOUR_H
#define THRONG_STEP_DETOUR_H

#include "step/step.h"

/// For an agent that came no nearer to its target for a while: turns its wish onto a way around walls and those who
/// stand, where the straight way is barred and the ground around has one that leads nearer to the target. Uses the
/// tile's lists of walls.
void throng_step_detour(const throng_step *step, throng_tile *tile, int lane);

#endif
