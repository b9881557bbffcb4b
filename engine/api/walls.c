#include "api/api.h"

#include "base/scalar.h"
#include "state/map.h"

static const throng_wall_set *map_walls(const throng_world *world) {
    return world->map ? &world->map->walls : NULL;
}

void throng_world_take_walls(throng_world *world, const throng_wall_set *merged) {
    throng_wall_set_release(&world->merged_walls, &world->memory);
    world->merged_walls = *merged;
    world->walls = world->map && world->own_walls.count == 0 ? &world->map->walls : &world->merged_walls;
    world->unplaced = world->may_be_outside = true;
}

/// Whether they now stand in a wall, or no longer do, is to be found out. Parked ones are looked at when they return.
static void look_at(throng_world *world, uint16_t those, uint16_t flags) {
    throng_agents *agents = &world->agents;
    for (uint32_t row = 0; row < agents->active; ++row) {
        if ((agents->flags[row] & those) == flags) agents->flags[row] |= THRONG_FLAG_UNPLACED;
    }
}

/// Copies of the walls with points of their own; null when there is no memory.
static throng_wall *copy_walls(throng_world *world, const throng_wall *walls, uint32_t count) {
    throng_memory *memory = &world->memory;
    throng_wall *copies = throng_memory_allocate(memory, count, sizeof *copies);
    if (!copies) return NULL;
    for (uint32_t i = 0; i < count; ++i) {
        copies[i] = walls[i];
        copies[i].points = throng_own_walls_copy_points(&walls[i], memory);
        if (copies[i].points) continue;
        while (i-- > 0) throng_own_walls_release_points(&copies[i], memory);
        throng_memory_release(memory, copies, count, sizeof *copies);
        return NULL;
    }
    return copies;
}

throng_result throng_world_add_walls(throng_world *world, const throng_wall *walls, uint32_t count,
                                     throng_wall_id *ids) {
    if (!world || (count && !walls)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_add_walls: world and walls must not be null");
    }
    if (world->busy) return throng_fail_busy("world_add_walls");
    if (count == 0) return THRONG_OK;
    throng_own_walls *own = &world->own_walls;
    throng_wall_set merged;
    // The set checks the walls.
    const throng_result result =
        throng_own_walls_merge(&merged, walls, count, own->walls, own->count, map_walls(world), &world->memory);
    if (result != THRONG_OK) return result;
    throng_wall *copies = throng_own_walls_reserve(own, &world->memory, count) ? copy_walls(world, walls, count) : NULL;
    if (!copies) {
        throng_wall_set_release(&merged, &world->memory);
        return throng_fail(THRONG_ERROR_MEMORY, -1, "world_add_walls: no memory for %u walls", (unsigned)count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const throng_slot_id id = throng_own_walls_append(own, &copies[i]);
        if (ids) ids[i] = (throng_wall_id){id.index, id.generation};
    }
    throng_memory_release(&world->memory, copies, count, sizeof *copies);
    throng_world_take_walls(world, &merged);
    look_at(world, THRONG_FLAG_OUTSIDE, 0);
    return THRONG_OK;
}

/// Marks the walls named, and tells the first that is named wrongly or twice; marks of a failing call are taken back.
static throng_result mark_walls(throng_own_walls *own, const throng_wall_id *ids, uint32_t count) {
    enum { HELD = 1, LEAVING = 2 };
    throng_result result = THRONG_OK;
    uint32_t marked = 0;
    for (; marked < count && result == THRONG_OK; ++marked) {
        const throng_wall_id id = ids[marked];
        if (!throng_slots_holds(&own->slots, id.index, id.generation)) {
            result = throng_fail(THRONG_ERROR_STALE_ID, marked, "world_remove_walls: ids[%u] = (%u, %u) is no wall",
                                 (unsigned)marked, (unsigned)id.index, (unsigned)id.generation);
        } else if (own->slots.used[id.index] == LEAVING) {
            result = throng_fail(THRONG_ERROR_ARGUMENT, marked, "world_remove_walls: ids[%u] is named twice",
                                 (unsigned)marked);
        } else {
            own->slots.used[id.index] = LEAVING;
        }
    }
    for (uint32_t i = 0; i < own->count; ++i) own->slots.used[own->ids[i].index] = HELD;
    return result;
}

throng_result throng_world_remove_walls(throng_world *world, const throng_wall_id *ids, uint32_t count) {
    if (!world || (count && !ids)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_remove_walls: world and ids must not be null");
    }
    if (world->busy) return throng_fail_busy("world_remove_walls");
    throng_own_walls *own = &world->own_walls;
    throng_result result = mark_walls(own, ids, count);
    if (result != THRONG_OK || count == 0) return result;
    throng_wall_set merged = {0};
    if (count < own->count) {
        throng_wall *kept = throng_memory_allocate(&world->memory, own->count, sizeof *kept);
        if (!kept) return throng_fail(THRONG_ERROR_MEMORY, -1, "world_remove_walls: no memory");
        memcpy(kept, own->walls, own->count * sizeof *kept);
        for (uint32_t i = 0; i < count; ++i) kept[own->slots.row[ids[i].index]].points = NULL;
        uint32_t kept_count = 0;
        for (uint32_t i = 0; i < own->count; ++i) {
            if (kept[i].points) kept[kept_count++] = kept[i];
        }
        result = throng_own_walls_merge(&merged, kept, kept_count, NULL, 0, map_walls(world), &world->memory);
        throng_memory_release(&world->memory, kept, own->count, sizeof *kept);
        if (result != THRONG_OK) return result;
    }
    for (uint32_t i = 0; i < count; ++i) throng_own_walls_drop(own, &world->memory, ids[i].index);
    throng_world_take_walls(world, &merged);
    look_at(world, THRONG_FLAG_OUTSIDE, THRONG_FLAG_OUTSIDE);
    return THRONG_OK;
}
