// What an agent has got of its wish: arrival, settling, waiting, being stuck, and the claim that follows.
#ifndef THRONG_STEP_PROGRESS_H
#define THRONG_STEP_PROGRESS_H

#include "step/step.h"

/// Renews the progress columns, flags and events of `count` rows, THRONG_LANES at most, for the places that they have
/// after the step.
void throng_step_progress(const throng_step *step, uint32_t first, uint32_t count);

#endif
