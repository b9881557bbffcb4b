// Push-out: bodies that overlap make room for each other.
#ifndef THRONG_STEP_PUSH_OUT_H
#define THRONG_STEP_PUSH_OUT_H

#include "step/step.h"

/// Moves next_x, next_y of those who overlap, as far as walls let them, in Jacobi passes over who is due; then measures
/// what overlap is left.
void throng_push_out(throng_step *step);

#endif
