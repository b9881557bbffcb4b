// Whom an agent sees, and the neighbors of crowds in which not everybody sees all that is near.
#ifndef THRONG_STEP_SIGHT_H
#define THRONG_STEP_SIGHT_H

#include "state/extras.h"
#include "step/step.h"

/// Whether somebody's neighbors are chosen by more than distance, masks and yields: by heights or by sight. Asked once
/// a tile.
static inline bool throng_sight_matters(const throng_agents *agents) {
    return THRONG_USES(agents, height_low) || THRONG_USES(agents, height_high) || THRONG_USES(agents, view_cosine) ||
           THRONG_USES(agents, view_range) || THRONG_USES(agents, line_of_sight);
}

/// Fills the tile's lists, one for neighbors and another for contacts, as the search of all other crowds would: who is
/// not at the agent's height is in neither, who is not seen can still be touched.
void throng_sight_search(const throng_step *step, throng_tile *tile);

/// Gives agents the whole of what a pair must do where the other does not see them.
void throng_sight_share(const throng_step *step, throng_tile *tile);

#endif
