// A world: everything that a step reads and writes.
#ifndef THRONG_STATE_WORLD_H
#define THRONG_STATE_WORLD_H

#include "base/memory.h"
#include "base/parallel.h"
#include "kernels/kernels.h"
#include "state/agents.h"
#include "state/density_tables.h"
#include "state/doors.h"
#include "state/index.h"
#include "state/own_walls.h"
#include "state/slots.h"
#include "state/support.h"
#include "state/wall_set.h"
#include <throng/world.h>

/// Time as n equal steps since the time step last changed, so that the n-th step ends at n * time_step.
typedef struct throng_clock {
    uint64_t step;
    uint64_t since;   ///< step at which time_step became what it is
    double start;     ///< s, the time then
    double time_step; ///< s, 0 before the first step
} throng_clock;

static inline double throng_clock_time(const throng_clock *clock) {
    return clock->start + (double)(clock->step - clock->since) * clock->time_step;
}

typedef struct throng_event_list {
    throng_event *items;
    size_t capacity;
    uint32_t count;
} throng_event_list;

/// The step's scratch: owned by the step room.
typedef struct throng_step_memory throng_step_memory;

struct throng_world {
    throng_memory memory;
    throng_parallel parallel;
    const throng_kernels *kernels;
    throng_map *map;
    uint64_t seed;
    uint32_t contact_passes;
    throng_solver solver;
    throng_sampling sampling;
    uint32_t event_mask;
    throng_density_tables density_tables;
    bool wants_profile, wants_stage_hashes;

    throng_agents agents;
    throng_slots slots; ///< agent ids
    uint64_t next_creation;
    uint32_t next_rank;
    uint32_t max_neighbors; ///< the largest that any agent has had
    bool claims_vary;       ///< some agents may claim more or less than their yield
    bool mixed;             ///< some agents may differ from the default in yield, margin, layer or mask
    bool host_moves;        ///< some agents may be moved by the host
    bool feels_density;     ///< some agents may respond to the density ahead
    bool unplaced;          ///< some agents may be THRONG_FLAG_UNPLACED
    bool may_be_outside;    ///< some agents may be THRONG_FLAG_OUTSIDE

    throng_own_walls own_walls;
    const throng_wall_set *walls; ///< the map's, or the map's and the world's own
    throng_wall_set merged_walls; ///< in use only while the world has walls of its own

    throng_supports supports;
    throng_doors doors;

    throng_inputs inputs;
    throng_index index;
    throng_clock clock;
    throng_step_memory *step;
    throng_event_list events;
    throng_counters counters; ///< those of steps; the rest is filled in on demand
    throng_profile profile;
    uint64_t stage_hashes[THRONG_STAGE_COUNT];
    bool busy; ///< inside a step
};

/// Notes in what a row differs from the default kind.
static inline void throng_world_note_kind(throng_world *world, uint32_t row) {
    world->mixed = world->mixed || throng_row_is_mixed(&world->agents, row);
    world->host_moves = world->host_moves || (world->agents.flags[row] & THRONG_FLAG_HOST_MOVED) != 0;
    world->feels_density = world->feels_density || world->agents.density_response[row] != THRONG_DENSITY_NONE;
}

#endif
