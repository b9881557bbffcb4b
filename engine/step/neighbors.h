// What the stage neighbors shares with the search by sight.
#ifndef THRONG_STEP_NEIGHBORS_H
#define THRONG_STEP_NEIGHBORS_H

#include "step/step.h"

/// A walk over all leaves that may hold somebody whom the tile heeds. `slack`: by how much
/// more than the index's guard distances may be off, m.
void throng_neighbors_walk(kdt_walk_2f *walk, const throng_index *index, const throng_tile *tile, float slack);

#endif
