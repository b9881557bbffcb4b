// Plans: what an agent does beyond its next target. Built on <throng/throng.h> alone.
//
// A plan is no part of its world's snapshots. After throng_world_load its routes go on from the waypoints that were
// next before the load; a host that wants others sets them anew, as it made them.
#ifndef THRONG_PLAN_H
#define THRONG_PLAN_H

#include <throng/throng.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Routes for the agents of one world. Not thread-safe; used by the world's writer between steps.
typedef struct throng_plan throng_plan;

/// `world` must outlive the plan. `allocator` null: the C library's. ARGUMENT, MEMORY.
THRONG_API throng_result throng_plan_create(throng_world *world, const throng_allocator *allocator, throng_plan **plan);

/// Null is fine.
THRONG_API void throng_plan_destroy(throng_plan *plan);

/// A route: waypoints one after the other, the last is the goal. A waypoint w is passed once the agent is within its
/// goal_radius of w or beyond the bisector of its two legs: dot(x - w, t_in + t_out) >= 0, with t_in and t_out the unit
/// directions of the legs and the first leg from where the agent was when the route was set. Where the legs are
/// opposite there is no bisector, and only goal_radius counts. Places are those of the world, also for who is on a
/// support.
typedef struct throng_route {
    const double *points;      ///< m, x0 y0 x1 y1 ..., within +-1e12; copied
    uint32_t point_count;      ///< >= 1
    bool leave;                ///< removed from the world on arrival
    const float *speed_limits; ///< m/s, >= 0 or INFINITY: of the leg to each point, written to the agent's
                               ///< SPEED_LIMIT as it walks, INFINITY at the end; copied. Null: none
} throng_route;

/// Gives `count` agents a route each and sets their targets. A new route replaces the old one. Nobody has arrived or
/// left from now on until the next update. ARGUMENT (also an id named twice), STALE_ID, VALUE (item: the route),
/// MEMORY, BUSY.
THRONG_API throng_result throng_plan_set_routes(throng_plan *plan, const throng_agent_id *ids,
                                                const throng_route *routes, uint32_t count);

/// After each step: passes waypoints, sets the next targets, removes those who leave (their ids become stale) and
/// forgets agents that are gone. A failure leaves nothing half-done; the next call does what is left.
/// ARGUMENT, MEMORY, BUSY.
THRONG_API throng_result throng_plan_update(throng_plan *plan);

/// Agents that arrived at the end of their routes in the last update, in creation order, those that left among them;
/// valid until the next call on the plan. ARGUMENT.
THRONG_API throng_result throng_plan_arrived(const throng_plan *plan, const throng_agent_id **ids, uint32_t *count);

/// Agents removed by the last update, in creation order, as they were; valid until the next call on the plan. ARGUMENT.
THRONG_API throng_result throng_plan_left(const throng_plan *plan, const throng_agent_id **ids, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
