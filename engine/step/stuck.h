// Why an agent is stuck.
#ifndef THRONG_STEP_STUCK_H
#define THRONG_STEP_STUCK_H

#include "step/step.h"

/// Fills in the rest of a STUCK event of a row, once the places after the step are known.
void throng_stuck_event(const throng_step *step, uint32_t row, throng_event *event);

#endif
