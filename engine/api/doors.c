#include "api/doors.h"

#include "api/api.h"
#include "base/scalar.h"
#include "state/door_find.h"
#include "state/map.h"

/// The most that a door's narrow part may go on, m, and by how much its ends must differ.
static const double most_depth = 1e6, least_width = 1e-6;

const char *throng_door_fault(const throng_door *door) {
    for (int axis = 0; axis < 2; ++axis) {
        if (!throng_is_within(door->a[axis], THRONG_LIMIT_PLACE) ||
            !throng_is_within(door->b[axis], THRONG_LIMIT_PLACE))
            return "its ends must be within +-1e12 m";
    }
    const double dx = door->b[0] - door->a[0], dy = door->b[1] - door->a[1];
    if (!(sqrt(dx * dx + dy * dy) >= least_width)) return "its ends must not be at one place";
    if (!(door->depth >= 0.0f && (double)door->depth <= most_depth)) return "its depth must be 0 to 1e6 m";
    return NULL;
}

throng_result throng_world_set_doors(throng_world *world, const throng_door *doors, uint32_t count) {
    if (!world || (count && !doors)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_set_doors: world and doors must not be null");
    }
    if (world->busy) return throng_fail_busy("world_set_doors");
    if (count > THRONG_MAX_DOORS) {
        return throng_fail(THRONG_ERROR_CAPACITY, -1, "world_set_doors: at most %d doors, are %u", THRONG_MAX_DOORS,
                           (unsigned)count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const char *fault = throng_door_fault(&doors[i]);
        if (fault) return throng_fail(THRONG_ERROR_VALUE, i, "world_set_doors: doors[%u]: %s", (unsigned)i, fault);
    }
    throng_doors made = {.count = count};
    if (count) {
        made.items = throng_memory_allocate(&world->memory, count, sizeof *made.items);
        if (!made.items) {
            return throng_fail(THRONG_ERROR_MEMORY, -1, "world_set_doors: no memory for %u doors", (unsigned)count);
        }
    }
    for (uint32_t i = 0; i < count; ++i) made.items[i] = throng_door_at_rest(&doors[i]);
    throng_doors_release(&world->doors, &world->memory);
    world->doors = made;
    return THRONG_OK;
}

throng_result throng_world_doors(const throng_world *world, throng_door_state *states, uint32_t capacity,
                                 uint32_t *count) {
    if (!world || !count || (capacity && !states)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_doors: world, states and count must not be null");
    }
    *count = world->doors.count;
    const uint32_t written = throng_min_u32(capacity, world->doors.count);
    for (uint32_t i = 0; i < written; ++i) states[i] = world->doors.items[i].state;
    return THRONG_OK;
}

throng_result throng_map_find_doors(const throng_map *map, double least, double most, throng_door *doors,
                                    uint32_t capacity, uint32_t *count) {
    if (!map || !count || (capacity && !doors)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "map_find_doors: map, doors and count must not be null");
    }
    if (!(least >= 0.0 && most >= least && most <= THRONG_LIMIT_NUMBER)) {
        return throng_fail(THRONG_ERROR_VALUE, -1, "map_find_doors: must be 0 <= least <= most <= 1e9, are %g and %g",
                           least, most);
    }
    // A tally of its own: the map is constant.
    throng_memory memory = {.allocator = map->memory.allocator};
    throng_found_doors found;
    const bool done = throng_door_find(&map->walls, least, most, &memory, &found);
    if (done) {
        *count = found.count;
        for (uint32_t i = 0; i < throng_min_u32(capacity, found.count); ++i) {
            doors[i] = found.items[i];
            // A world takes no deeper ones.
            doors[i].depth = throng_minf(doors[i].depth, (float)most_depth);
        }
    }
    throng_memory_release(&memory, found.items, found.capacity, sizeof *found.items);
    return done ? THRONG_OK : throng_fail(THRONG_ERROR_MEMORY, -1, "map_find_doors: no memory");
}
