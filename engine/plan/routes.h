// Where the routes of a plan's agents are kept: by agent index, their points one after the other in a pool.
#ifndef THRONG_PLAN_ROUTES_H
#define THRONG_PLAN_ROUTES_H

#include "base/memory.h"
#include <throng/plan.h>

/// A growing array.
typedef struct throng_plan_array {
    void *items;
    size_t capacity;
    size_t item_bytes;
} throng_plan_array;

/// False: no memory, nothing changed.
bool throng_plan_array_reserve(throng_plan_array *array, throng_memory *memory, size_t used, size_t count);
void throng_plan_array_release(throng_plan_array *array, throng_memory *memory);

/// The route of the agent with this index. Its first point is the place where it was set.
typedef struct throng_plan_route {
    uint32_t generation; ///< the agent's; 0: no route
    uint32_t seen;       ///< the last update that found the agent
    uint64_t first;      ///< of its points
    uint32_t count;      ///< points
    uint32_t next;       ///< the one that is the agent's target, >= 1
    double normal[2];    ///< t_in + t_out at `next`; zero: only goal_radius counts
    bool leave;
    bool limited; ///< it has speed limits
    bool named;   ///< within a call that sets it
} throng_plan_route;

typedef struct throng_plan_routes {
    throng_plan_array items; ///< by agent index, below `limit`
    uint32_t limit;
    uint32_t active;          ///< routes that are under way
    throng_plan_array points; ///< pairs of doubles
    throng_plan_array limits; ///< m/s, of the leg to each point; of any size only once a route has limits
    uint64_t points_used;     ///< live ones and those of routes that ended
    uint64_t points_live;
} throng_plan_routes;

throng_plan_routes throng_plan_routes_empty(void);
void throng_plan_routes_release(throng_plan_routes *routes, throng_memory *memory);

/// Room for agent indices below `limit` and for `points` more points; `limited`: speed limits beside them. False: no
/// memory, no route changed.
bool throng_plan_routes_reserve(throng_plan_routes *routes, throng_memory *memory, uint32_t limit, uint64_t points,
                                bool limited);

/// Null where the agent has none.
throng_plan_route *throng_plan_routes_find(const throng_plan_routes *routes, throng_agent_id id);

/// Gives an agent, whose index is below the limit, a route from `start`, m, in place of the one it had. There must be
/// room.
void throng_plan_routes_set(throng_plan_routes *routes, throng_agent_id id, const throng_route *given,
                            const double start[2]);

void throng_plan_routes_forget(throng_plan_routes *routes, throng_plan_route *route);

/// m.
const double *throng_plan_routes_point(const throng_plan_routes *routes, const throng_plan_route *route,
                                       uint32_t number);

/// Of the leg to a point, m/s; INFINITY behind the last one. The route must have limits.
float throng_plan_routes_limit(const throng_plan_routes *routes, const throng_plan_route *route, uint32_t number);

/// Makes a point the next one.
void throng_plan_routes_aim(const throng_plan_routes *routes, throng_plan_route *route, uint32_t next);

/// Whether a place is beyond the bisector of the legs at the next point.
bool throng_plan_routes_beyond_bisector(const throng_plan_routes *routes, const throng_plan_route *route, double x,
                                        double y);

/// The point to walk to once `next` is passed: those that a place is at or beyond already are passed, too, since a step
/// may be longer than a leg. The route's count: none is left.
uint32_t throng_plan_routes_pass(const throng_plan_routes *routes, const throng_plan_route *route, double x, double y,
                                 float goal_radius);

#endif
