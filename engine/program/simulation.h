// A run's loop body: steps, routes, arrivals, and whether anybody is still under way.
#ifndef PROGRAM_SIMULATION_H
#define PROGRAM_SIMULATION_H

#include "record/failure.h"
#include "scene/scene.h"

typedef struct simulation {
    const scene *scene;
    const scene_world *built;
    double *arrival_times;              ///< s, by the agent's number; negative: not arrived
    throng_stuck_reason *stuck_reasons; ///< by number: of the last time that it got stuck
    uint32_t *stuck_by;                 ///< by number: who was in its way then; its own number: nobody
    uint32_t *infeasible;               ///< by number: solves that met not all half-planes, where the world tells
    uint32_t *number_of_index;          ///< agent's number in the scene, by throng_agent_id.index
    uint64_t expected;                  ///< agents with a goal or route that have not arrived
    bool endless;                       ///< somebody walks by a fixed preferred velocity
} simulation;

/// Everything is read, nothing kept but the pointers. False: nothing to free.
bool simulation_start(simulation *run, const scene *which, const scene_world *built, failure *why);
void simulation_free(simulation *run);

bool simulation_step(simulation *run, failure *why);

/// Whether somebody has a fixed preferred velocity, has not arrived, or is faster than 1 mm/s.
bool simulation_under_way(const simulation *run);

/// The numbers of the agents that are in this state now, ascending; the caller frees. Null where there is no memory.
uint64_t *simulation_in_state(const simulation *run, throng_agent_state state, uint64_t *count);

#endif
