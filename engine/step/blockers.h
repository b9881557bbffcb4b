// Rings of agents that are in each other's way.
#ifndef THRONG_STEP_BLOCKERS_H
#define THRONG_STEP_BLOCKERS_H

#include "step/step.h"

/// Whether a row has been barred by another for so long that somebody may have to give way; `blocker`: who is in its
/// way, its own row for nobody.
bool throng_step_is_barred(const throng_agents *agents, uint32_t row, uint32_t blocker);

/// After the tiles: finds the rings among who bars whom and chooses of each one who steps aside in the next step, or
/// lets two change places.
void throng_step_untie(const throng_step *step);

#endif
