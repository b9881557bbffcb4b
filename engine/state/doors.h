// The doors of a world: where they are, and whose turn it is. The turn is state: it decides later steps.
#ifndef THRONG_STATE_DOORS_H
#define THRONG_STATE_DOORS_H

#include "base/memory.h"

#include <throng/doors.h>

/// A side of a door, as the index of what is counted by side.
enum { THRONG_DOOR_LEFT = 0, THRONG_DOOR_RIGHT = 1, THRONG_DOOR_SIDES = 2 };

/// Within so many m of the passage people wait for their turn.
#define THRONG_DOOR_REACH 3.0

typedef struct throng_door_column {
    throng_door_state state;
    double admit_square;     ///< m²: of the waiting, those in order of (distance², creation) up to this one get in
    uint64_t admit_creation; ///< of that one
    float idle_time;         ///< s, since anybody was inside whose turn it is
    // What follows from the door.
    double x, y;   ///< m, the middle
    double ux, uy; ///< unit direction a -> b; the left is (-uy, ux)
    double half;   ///< m, half its width
    double extent; ///< m: who is farther from the middle along x or y has nothing to do with it
} throng_door_column;

typedef struct throng_doors {
    throng_door_column *items;
    uint32_t count;
} throng_doors;

/// A door at rest: nobody passes.
throng_door_column throng_door_at_rest(const throng_door *door);

void throng_doors_release(throng_doors *doors, throng_memory *memory);

#endif
