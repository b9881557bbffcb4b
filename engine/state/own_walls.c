#include "state/own_walls.h"

#include "base/error.h"

#include <string.h>

double *throng_own_walls_copy_points(const throng_wall *wall, throng_memory *memory) {
    double *points = throng_memory_allocate(memory, 2 * (size_t)wall->point_count, sizeof *points);
    if (points) memcpy(points, wall->points, 2 * (size_t)wall->point_count * sizeof *points);
    return points;
}

void throng_own_walls_release_points(const throng_wall *wall, throng_memory *memory) {
    throng_memory_release(memory, (void *)(uintptr_t)wall->points, 2 * (size_t)wall->point_count, sizeof(double));
}

void throng_own_walls_release(throng_own_walls *own, throng_memory *memory) {
    for (uint32_t i = 0; i < own->count; ++i) throng_own_walls_release_points(&own->walls[i], memory);
    throng_memory_release(memory, own->walls, own->wall_capacity, sizeof *own->walls);
    throng_memory_release(memory, own->ids, own->id_capacity, sizeof *own->ids);
    throng_slots_release(&own->slots, memory);
    *own = (throng_own_walls){0};
}

bool throng_own_walls_reserve(throng_own_walls *own, throng_memory *memory, uint32_t count) {
    const size_t wanted = (size_t)own->count + count;
    return throng_slots_reserve(&own->slots, memory, count) &&
           throng_memory_reserve(memory, (void **)&own->walls, &own->wall_capacity, own->count, wanted,
                                 sizeof *own->walls) &&
           throng_memory_reserve(memory, (void **)&own->ids, &own->id_capacity, own->count, wanted, sizeof *own->ids);
}

throng_slot_id throng_own_walls_append(throng_own_walls *own, const throng_wall *wall) {
    own->walls[own->count] = *wall;
    own->ids[own->count] = throng_slots_take(&own->slots, own->count);
    return own->ids[own->count++];
}

void throng_own_walls_drop(throng_own_walls *own, throng_memory *memory, uint32_t index) {
    const uint32_t at = own->slots.row[index], last = --own->count;
    throng_own_walls_release_points(&own->walls[at], memory);
    throng_slots_give(&own->slots, index);
    if (at == last) return;
    own->walls[at] = own->walls[last];
    own->ids[at] = own->ids[last];
    own->slots.row[own->ids[at].index] = at;
}

throng_result throng_own_walls_merge(throng_wall_set *set, const throng_wall *first, uint32_t first_count,
                                     const throng_wall *others, uint32_t other_count, const throng_wall_set *map,
                                     throng_memory *memory) {
    *set = (throng_wall_set){0};
    const uint32_t map_count = map ? map->wall_count : 0;
    const size_t count = (size_t)first_count + other_count + map_count;
    if (count > UINT32_MAX) return throng_fail(THRONG_ERROR_CAPACITY, -1, "walls: more than 2^32");
    throng_wall *all = throng_memory_allocate(memory, count, sizeof *all);
    if (!all) return throng_fail(THRONG_ERROR_MEMORY, -1, "walls: no memory for %zu walls", count);
    if (first_count) memcpy(all, first, first_count * sizeof *all);
    if (other_count) memcpy(all + first_count, others, other_count * sizeof *all);
    if (map_count) memcpy(all + first_count + other_count, map->walls, map_count * sizeof *all);
    const throng_result result = throng_wall_set_build(set, all, (uint32_t)count, memory);
    throng_memory_release(memory, all, count, sizeof *all);
    return result;
}
