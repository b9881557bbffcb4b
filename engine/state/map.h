// A map: a wall set that is counted and never changes.
#ifndef THRONG_STATE_MAP_H
#define THRONG_STATE_MAP_H

#include "base/memory.h"
#include "state/wall_set.h"
#include <stdatomic.h>
#include <throng/map.h>

struct throng_map {
    throng_memory memory;
    _Atomic uint32_t references;
    throng_wall_set walls;
    uint64_t content; ///< hash of the walls in normal form, 0 of none: snapshots name their map by it
};

void throng_map_retain(throng_map *map);

#endif
