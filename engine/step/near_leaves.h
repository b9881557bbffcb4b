// The leaves near a task's tiles: found once, they spare the tiles after the first their walks from the root.
#ifndef THRONG_STEP_NEAR_LEAVES_H
#define THRONG_STEP_NEAR_LEAVES_H

#include "step/step.h"

/// Whether the tile's leaves are those near its task, found before.
bool throng_near_leaves_are_known(const throng_tile *tile);

/// Finds them, once a tile of the task has been searched: the others look about as far.
void throng_near_leaves_find(const throng_index *index, throng_tile *tile, const throng_nearest_crowd *crowd);

/// Forgets them, as the tree is another.
static inline void throng_near_leaves_forget(throng_tile *tile) {
    tile->near_leaves.first = UINT32_MAX;
}

#endif
