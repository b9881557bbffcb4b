// How the density that an agent feels ahead changes its speed.
#ifndef THRONG_STEP_DENSITY_H
#define THRONG_STEP_DENSITY_H

#include "step/step.h"

/// How far ahead a lane feels the density, m: as far as its neighbors are all known.
float throng_density_reach(const throng_tile *tile, int lane, int max_neighbors);

/// The part of its speed that somebody with this response walks at, 0..1.
float throng_density_speed(const throng_world *world, int response, float density);

#endif
