#include "state/own_walls.h"

void throng_own_walls_release(throng_own_walls *own, throng_memory *memory) {
    for (uint32_t i = 0; i < own->count; ++i) {
        throng_memory_release(memory, (void *)(uintptr_t)own->walls[i].points, 2 * (size_t)own->walls[i].point_count,
                              sizeof(double));
    }
    throng_memory_release(memory, own->walls, own->wall_capacity, sizeof *own->walls);
    throng_memory_release(memory, own->ids, own->id_capacity, sizeof *own->ids);
    throng_slots_release(&own->slots, memory);
    *own = (throng_own_walls){0};
}
