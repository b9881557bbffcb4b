// Walls of a world's own, added and removed between steps.
#ifndef THRONG_STATE_OWN_WALLS_H
#define THRONG_STATE_OWN_WALLS_H

#include "base/memory.h"
#include "state/slots.h"
#include <throng/world.h>

typedef struct throng_own_walls {
    throng_slots slots; ///< wall ids; `row` is the place in `walls`
    throng_wall *walls; ///< points owned
    throng_slot_id *ids;
    size_t wall_capacity, id_capacity;
    uint32_t count;
} throng_own_walls;

void throng_own_walls_release(throng_own_walls *own, throng_memory *memory);

#endif
