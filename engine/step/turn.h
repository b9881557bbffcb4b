// Limits of how fast the direction of a velocity may change.
#ifndef THRONG_STEP_TURN_H
#define THRONG_STEP_TURN_H

#include "step/step.h"

enum { THRONG_TURN_SLOTS = 2 }; ///< half-planes that a turn takes

/// Writes the half-planes of the turns that the tile's agents may make into THRONG_TURN_SLOTS slots: velocities between
/// the directions turned by max_turn_rate * dt to both sides. Who stands, or may turn by a right angle or more, is
/// free.
void throng_turn_constrain(const throng_step *step, const throng_tile *tile, throng_tile_planes planes);

/// Whether the lane's agent may turn from its velocity to (vx, vy).
bool throng_turn_allows(const throng_step *step, const throng_tile *tile, int lane, float vx, float vy);

/// Solved velocities beyond what their agents may turn become the nearest that they may.
void throng_turn_limit(const throng_step *step, throng_tile *tile);

#endif
