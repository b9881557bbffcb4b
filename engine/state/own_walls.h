// Walls of a world's own, added and removed between steps, and their union with the map's.
#ifndef THRONG_STATE_OWN_WALLS_H
#define THRONG_STATE_OWN_WALLS_H

#include "base/memory.h"
#include "state/slots.h"
#include "state/wall_set.h"

#include <throng/world.h>

typedef struct throng_own_walls {
    throng_slots slots; ///< wall ids; `row` is the place in `walls`
    throng_wall *walls; ///< as given, points owned
    throng_slot_id *ids;
    size_t wall_capacity, id_capacity;
    uint32_t count;
} throng_own_walls;

void throng_own_walls_release(throng_own_walls *own, throng_memory *memory);

/// Room for `count` more walls. False and unchanged when there is no memory.
bool throng_own_walls_reserve(throng_own_walls *own, throng_memory *memory, uint32_t count);

/// Copies the points of a wall. Null when there is no memory.
double *throng_own_walls_copy_points(const throng_wall *wall, throng_memory *memory);

void throng_own_walls_release_points(const throng_wall *wall, throng_memory *memory);

/// Takes over a wall with its points, which throng_own_walls_copy_points made. Room must have been reserved.
throng_slot_id throng_own_walls_append(throng_own_walls *own, const throng_wall *wall);

/// Drops a wall. The id must be in use.
void throng_own_walls_drop(throng_own_walls *own, throng_memory *memory, uint32_t index);

/// The set of `first`, `others` and the walls of `map` (null: none). On failure throng_last_error names the item of
/// `first`, and *set is empty.
throng_result throng_own_walls_merge(throng_wall_set *set, const throng_wall *first, uint32_t first_count,
                                     const throng_wall *others, uint32_t other_count, const throng_wall_set *map,
                                     throng_memory *memory);

#endif
