// Who stands still because others lie on top of it on all sides.
//
// In a heap an agent's nearest neighbors tell nothing of where the heap ends: what they ask of it points anywhere, and
// to follow it only stirs the heap. Those at its rim part from it, layer by layer; the others wait for that.
#ifndef THRONG_STEP_BURIED_H
#define THRONG_STEP_BURIED_H

#include "step/step.h"

/// The lanes of which THRONG_MAX_CONTACTS bodies cover the centre, from all sides: in any three neighboring octants
/// around it is one of them. None in worlds with supports, whose walls may push those who would stand still.
uint32_t throng_buried_lanes(const throng_step *step, const throng_tile *tile);

/// Whether the agent of a tree position is buried in this step.
static inline bool throng_is_buried(const throng_step_memory *memory, uint32_t position) {
    return memory->buried[position / THRONG_LANES] >> position % THRONG_LANES & 1;
}

#endif
