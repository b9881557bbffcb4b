// What the public calls share.
#ifndef THRONG_API_API_H
#define THRONG_API_API_H

#include "base/error.h"
#include "state/frame.h"
#include "state/world.h"
#include "step/step.h"

enum {
    THRONG_MAX_WORKERS = 1024,
    THRONG_MAX_SAMPLES = 65535,
    THRONG_MAX_AGENTS = 1 << 30 ///< what the tree can number
};

static inline throng_result throng_fail_busy(const char *call) {
    return throng_fail(THRONG_ERROR_BUSY, -1, "%s: the world is inside a step", call);
}

/// STALE_ID, naming the item, unless the id names an agent.
throng_result throng_check_agent_id(const throng_world *world, throng_agent_id id, int64_t item, const char *call);
throng_result throng_check_agent_ids(const throng_world *world, const throng_agent_id *ids, uint32_t count,
                                     const char *call);

/// STALE_ID, naming the item, unless the id names a support or the ground.
throng_result throng_check_support_id(const throng_world *world, throng_support_id id, int64_t item, const char *call);

/// VALUE unless the time step is > 0 and finite, also as a float.
throng_result throng_check_time_step(double time_step, const char *call);

/// STALE_INDEX when the index speaks of other places than the agents'.
throng_result throng_check_index(const throng_world *world, const char *call);

static inline bool throng_sampling_is_sound(const throng_sampling *sampling) {
    return sampling->count <= THRONG_MAX_SAMPLES && (unsigned)sampling->pattern <= THRONG_SAMPLES_EVEN &&
           sampling->horizon > 0.0f;
}

/// Makes a set of walls, built from the own ones and the map's, the world's; empty where there are no own ones.
void throng_world_take_walls(throng_world *world, const throng_wall_set *merged);

/// After agents were put somewhere: the index is stale, and whether they stand in walls is to be checked.
static inline void throng_places_changed(throng_world *world) {
    world->index.fresh = false;
    world->unplaced = world->may_be_outside = true;
}

#endif
