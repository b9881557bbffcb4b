// Whom an agent sees, and the neighbors of crowds in which not everybody sees all that is near.
#ifndef THRONG_STEP_SIGHT_H
#define THRONG_STEP_SIGHT_H

#include "kernels/nearest.h"
#include "state/extras.h"
#include "step/step.h"

/// Whether heights decide who is near somebody, or fields of view or walls who is seen. Asked once a tile.
static inline bool throng_heights_matter(const throng_agents *agents) {
    return THRONG_USES(agents, height_low) || THRONG_USES(agents, height_high);
}

static inline bool throng_views_matter(const throng_agents *agents) {
    return THRONG_USES(agents, view_cosine) || THRONG_USES(agents, view_range);
}

static inline bool throng_sight_matters(const throng_agents *agents) {
    return throng_heights_matter(agents) || throng_views_matter(agents) || THRONG_USES(agents, line_of_sight);
}

/// Whether `other` is within the row's field of view and not behind a wall.
bool throng_sees(const throng_world *world, uint32_t row, uint32_t other);

/// Heights and fields of view of a tile's lanes, for a search over lanes; `views` is left to the search.
void throng_sight_heed(const throng_step *step, const throng_tile *tile, throng_nearest_heed *heed);

/// Gives agents the whole of what a pair must do where the other does not see them. `seen`: from one support others may
/// be on another.
void throng_sight_share(const throng_step *step, throng_tile *tile, bool seen);

/// Fills the lists of the lanes, a bit each, as a search over lanes would: who is not at the agent's height is in
/// neither, who is not seen can still be touched. Contacts have a list of their own.
void throng_sight_search(const throng_step *step, throng_tile *tile, uint32_t lanes);

/// Before a search over lanes: those whom walls may hide others from look for more neighbors than they need.
void throng_sight_look_farther(const throng_step *step, throng_tile *tile);

/// After it: leaves out whom walls hide and who is not needed.
void throng_sight_hide(const throng_step *step, throng_tile *tile);

#endif
