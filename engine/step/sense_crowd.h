// What the crowd around an agent makes of its wish.
#ifndef THRONG_STEP_SENSE_CROWD_H
#define THRONG_STEP_SENSE_CROWD_H

#include "step/step.h"

/// Alters wishes and horizons of the tile's lanes in `walking` (a bit each), whose wish is not zero: density response,
/// side, settling at shared targets, haste when blocked.
void throng_sense_crowd(const throng_step *step, throng_tile *tile, uint32_t walking);

#endif
