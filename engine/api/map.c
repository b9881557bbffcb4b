#include "state/map.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/scalar.h"

throng_map_def throng_default_map_def(void) {
    return (throng_map_def){.struct_size = sizeof(throng_map_def)};
}

static uint64_t content_of(const throng_map *map) {
    const throng_wall_set *set = &map->walls;
    uint64_t hash = throng_ground_content(&map->ground);
    for (uint32_t i = 0; i < set->wall_count; ++i) {
        const throng_wall *wall = &set->walls[i];
        hash = throng_mix_pair(hash, (uint64_t)wall->kind << 32 | wall->layer);
        hash = throng_mix_pair(hash, wall->point_count);
        const uint32_t low = throng_float_bits(wall->height_low), high = throng_float_bits(wall->height_high);
        hash = throng_mix_pair(hash, (uint64_t)low << 32 | high);
        for (size_t at = 0; at < 2 * (size_t)wall->point_count; ++at) {
            hash = throng_mix_pair(hash, throng_double_bits(wall->points[at]));
        }
    }
    return hash;
}

throng_result throng_map_create(const throng_map_def *def, throng_map **map) {
    if (!def || !map) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "map_create: def and map must not be null");
    if (def->struct_size != sizeof *def) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "map_create: struct_size is %zu, must be %zu; start from %s",
                           def->struct_size, sizeof *def, "throng_default_map_def()");
    }
    if (def->wall_count && !def->walls) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "map_create: walls is null with wall_count %u", def->wall_count);
    }
    throng_memory memory;
    if (!throng_memory_init(&memory, &def->allocator)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "map_create: allocator needs both functions or none");
    }
    throng_map *made = throng_memory_allocate(&memory, 1, sizeof *made);
    if (!made) return throng_fail(THRONG_ERROR_MEMORY, -1, "map_create: no memory");
    *made = (throng_map){.memory = memory};
    atomic_init(&made->references, 1);
    throng_result result = throng_wall_set_build(&made->walls, def->walls, def->wall_count, &made->memory);
    if (result == THRONG_OK) result = throng_ground_build(&made->ground, def, &made->memory);
    if (result != THRONG_OK) {
        throng_wall_set_release(&made->walls, &made->memory);
        throng_memory_release(&made->memory, made, 1, sizeof *made);
        return result;
    }
    made->content = content_of(made);
    *map = made;
    return THRONG_OK;
}

void throng_map_retain(throng_map *map) {
    atomic_fetch_add_explicit(&map->references, 1, memory_order_relaxed);
}

void throng_map_release(throng_map *map) {
    if (!map || atomic_fetch_sub_explicit(&map->references, 1, memory_order_acq_rel) != 1) return;
    throng_wall_set_release(&map->walls, &map->memory);
    throng_ground_release(&map->ground, &map->memory);
    throng_memory memory = map->memory;
    throng_memory_release(&memory, map, 1, sizeof *map);
}
