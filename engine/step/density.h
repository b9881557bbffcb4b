// How the density that an agent feels ahead changes its speed.
#ifndef THRONG_STEP_DENSITY_H
#define THRONG_STEP_DENSITY_H

#include "step/step.h"

/// Scales the wishes of those of the `walking` lanes who respond to density, and returns these.
uint32_t throng_density_slow(const throng_step *step, throng_tile *tile, const throng_ahead_input *ahead,
                             uint32_t walking);

#endif
