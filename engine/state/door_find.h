// Doors of a set of walls: where it leaves gaps too narrow for two people to pass each other.
#ifndef THRONG_STATE_DOOR_FIND_H
#define THRONG_STATE_DOOR_FIND_H

#include "state/wall_set.h"

#include <throng/doors.h>

typedef struct throng_found_doors {
    throng_door *items;
    size_t capacity;
    uint32_t count;
} throng_found_doors;

/// Gaps wider than `least` and at most `most` m, ordered by their ends' coordinates. False when there is no memory;
/// what there is is released by throng_memory_release in either case.
bool throng_door_find(const throng_wall_set *walls, double least, double most, throng_memory *memory,
                      throng_found_doors *found);

#endif
