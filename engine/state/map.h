// A map: walls and ground that are counted and never change.
#ifndef THRONG_STATE_MAP_H
#define THRONG_STATE_MAP_H

#include "base/memory.h"
#include "state/ground.h"
#include "state/wall_set.h"
#include <stdatomic.h>
#include <throng/map.h>

struct throng_map {
    throng_memory memory;
    _Atomic uint32_t references;
    throng_wall_set walls;
    throng_ground ground;
    uint64_t content; ///< hash of walls and ground in normal form, 0 of none: snapshots name their map by it
};

void throng_map_retain(throng_map *map);

#endif
