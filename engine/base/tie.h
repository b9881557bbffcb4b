// The direction in which two bodies part that are at one place with one velocity.
#ifndef THRONG_BASE_TIE_H
#define THRONG_BASE_TIE_H

#include "base/hash.h"

/// A unit vector from the two creation numbers, exactly opposite for (a, b) and (b, a), so that a heap of agents
/// bursts in all directions. One draw gives a point of a square; those outside the unit disc are drawn again.
void throng_tie_direction(uint64_t seed, uint64_t self, uint64_t other, float direction[2]);

#endif
