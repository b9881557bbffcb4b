// What slopes, regions and speed limits make of speeds.
#ifndef THRONG_STEP_GROUND_H
#define THRONG_STEP_GROUND_H

#include "state/extras.h"
#include "state/map.h"
#include "step/step.h"

/// Whether anybody may walk otherwise than on level ground without limits: asked once a tile.
static inline bool throng_ground_matters(const throng_world *world) {
    const throng_agents *agents = &world->agents;
    return (world->map && !throng_ground_is_level(&world->map->ground)) || THRONG_USES(agents, gradient_x) ||
           THRONG_USES(agents, gradient_y) || THRONG_USES(agents, speed_limit);
}

/// Limits of every lane where it stands: the tile's max_speed, reach_radius, steepness and pace.
void throng_ground_stand(const throng_step *step, throng_tile *tile);

/// The same along the way that a lane wishes to go, which slows its wish by as much where `wish_slows`.
void throng_ground_set_out(const throng_step *step, throng_tile *tile, int lane, bool wish_slows);

/// Shortens solved velocities that would be too fast for the ground that they come to.
void throng_ground_hold(const throng_step *step, throng_tile *tile);

#endif
