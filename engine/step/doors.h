// Doors in a step: who waits, and whose turn comes next.
#ifndef THRONG_STEP_DOORS_H
#define THRONG_STEP_DOORS_H

#include "step/step.h"

/// For a world with doors: lets those of the tile's lanes in `walking` wait whose turn it is not, by altering their
/// wishes. Returns those that go on.
uint32_t throng_step_hold(const throng_step *step, throng_tile *tile, uint32_t walking);

/// After the step: counts who is at each door and gives turns.
void throng_step_turn_doors(const throng_step *step);

/// Whether a row wants through a door that is giving turns.
bool throng_step_at_turns(const throng_world *world, uint32_t row, double x, double y);

#endif
