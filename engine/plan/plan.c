// Plans: each waypoint of a route is made the agent's target in turn.
#include "plan/routes.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

/// What an update finds to do for one agent.
typedef struct change {
    uint64_t creation;
    throng_agent_id id;
    uint32_t row;  ///< in the view, valid until the world changes
    uint32_t next; ///< the point that becomes its target; the route's count: it arrived
} change;

struct throng_plan {
    throng_memory memory;
    throng_world *world;
    throng_plan_routes routes;
    uint32_t update_number;
    throng_plan_array arrived, left; ///< throng_agent_id, of the last update
    uint32_t arrived_count, left_count;
    throng_plan_array flags, changes, ids, limited_ids, radii, starts, targets, speeds; ///< for the time of a call
};

static throng_result fail_memory(const char *call) {
    return throng_fail(THRONG_ERROR_MEMORY, -1, "%s: no memory for routes", call);
}

static bool reserve(throng_plan *plan, throng_plan_array *array, size_t count) {
    return throng_plan_array_reserve(array, &plan->memory, 0, count);
}

throng_result throng_plan_create(throng_world *world, const throng_allocator *allocator, throng_plan **plan) {
    if (!world || !plan) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "plan_create: world and plan must not be null");
    }
    const throng_allocator libc = {0};
    throng_memory memory;
    if (!throng_memory_init(&memory, allocator ? allocator : &libc)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "plan_create: allocator needs both functions or none");
    }
    throng_plan *made = throng_memory_allocate(&memory, 1, sizeof *made);
    if (!made) return throng_fail(THRONG_ERROR_MEMORY, -1, "plan_create: no memory");
    *made = (throng_plan){
        .memory = memory,
        .world = world,
        .routes = throng_plan_routes_empty(),
        .arrived.item_bytes = sizeof(throng_agent_id),
        .left.item_bytes = sizeof(throng_agent_id),
        .flags.item_bytes = sizeof(uint8_t),
        .changes.item_bytes = sizeof(change),
        .ids.item_bytes = sizeof(throng_agent_id),
        .limited_ids.item_bytes = sizeof(throng_agent_id),
        .radii.item_bytes = sizeof(float),
        .starts.item_bytes = 2 * sizeof(double),
        .targets.item_bytes = sizeof(throng_target),
        .speeds.item_bytes = sizeof(float),
    };
    *plan = made;
    return THRONG_OK;
}

void throng_plan_destroy(throng_plan *plan) {
    if (!plan) return;
    throng_plan_array *const arrays[] = {&plan->arrived, &plan->left,        &plan->flags, &plan->changes,
                                         &plan->ids,     &plan->limited_ids, &plan->radii, &plan->starts,
                                         &plan->targets, &plan->speeds};
    throng_memory memory = plan->memory;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) throng_plan_array_release(arrays[i], &memory);
    throng_plan_routes_release(&plan->routes, &memory);
    throng_memory_release(&memory, plan, 1, sizeof *plan);
}

// ---- setting routes

static throng_result check_route(const throng_route *route, uint32_t number) {
    if (!route->points) {
        return throng_fail(THRONG_ERROR_ARGUMENT, number, "plan_set_routes: routes[%u].points must not be null",
                           (unsigned)number);
    }
    if (route->point_count == 0 || route->point_count == UINT32_MAX) {
        return throng_fail(THRONG_ERROR_VALUE, number,
                           "plan_set_routes: routes[%u].point_count must be >= 1 and below 2^32 - 1, is %u",
                           (unsigned)number, (unsigned)route->point_count);
    }
    for (size_t i = 0; i < 2 * (size_t)route->point_count; ++i) {
        if (fabs(route->points[i]) <= THRONG_LIMIT_PLACE) continue;
        return throng_fail(THRONG_ERROR_VALUE, number,
                           "plan_set_routes: point %zu of routes[%u] must be within +-1e12, is %g", i / 2,
                           (unsigned)number, route->points[i]);
    }
    for (size_t i = 0; route->speed_limits && i < route->point_count; ++i) {
        if (route->speed_limits[i] >= 0.0f) continue;
        return throng_fail(THRONG_ERROR_VALUE, number,
                           "plan_set_routes: routes[%u].speed_limits[%zu] must be >= 0 or INFINITY, is %g",
                           (unsigned)number, i, (double)route->speed_limits[i]);
    }
    return THRONG_OK;
}

static throng_result check_routes(const throng_route *routes, uint32_t count, uint64_t *points, bool *limited) {
    *points = 0;
    *limited = false;
    for (uint32_t i = 0; i < count; ++i) {
        const throng_result result = check_route(&routes[i], i);
        if (result != THRONG_OK) return result;
        *limited = *limited || routes[i].speed_limits;
        *points += routes[i].point_count + UINT64_C(1);
    }
    return THRONG_OK;
}

/// The agents' places in the world, and whether there are such agents, each named once.
static throng_result find_starts(throng_plan *plan, const throng_view *view, const throng_agent_id *ids,
                                 uint32_t count) {
    double(*starts)[2] = plan->starts.items;
    throng_plan_route *routes = plan->routes.items.items;
    throng_result result = THRONG_OK;
    uint32_t named = 0;
    for (; named < count && result == THRONG_OK; ++named) {
        uint32_t row;
        if (throng_agent_row(plan->world, ids[named], &row) != THRONG_OK) {
            result = throng_fail(THRONG_ERROR_STALE_ID, named,
                                 "plan_set_routes: ids[%u] = (%u, %u) is no agent of the plan's world", (unsigned)named,
                                 (unsigned)ids[named].index, (unsigned)ids[named].generation);
            break;
        }
        if (routes[ids[named].index].named) {
            result =
                throng_fail(THRONG_ERROR_ARGUMENT, named, "plan_set_routes: ids[%u] is named twice", (unsigned)named);
            break;
        }
        routes[ids[named].index].named = true;
        starts[named][0] = view->x[row];
        starts[named][1] = view->y[row];
    }
    for (uint32_t i = 0; i < named; ++i) routes[ids[i].index].named = false;
    return result;
}

/// The limits of the first legs, and none for those whose route with limits ends.
static throng_result write_first_limits(throng_plan *plan, const throng_agent_id *ids, const throng_route *routes,
                                        uint32_t count) {
    throng_agent_id *limited = plan->limited_ids.items;
    float *speeds = plan->speeds.items;
    uint32_t limited_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const throng_plan_route *before = throng_plan_routes_find(&plan->routes, ids[i]);
        if (!routes[i].speed_limits && !(before && before->limited)) continue;
        limited[limited_count] = ids[i];
        speeds[limited_count++] = routes[i].speed_limits ? routes[i].speed_limits[0] : INFINITY;
    }
    return throng_agents_write(plan->world, THRONG_FIELD_SPEED_LIMIT, limited, limited_count, speeds);
}

static throng_result write_first_targets(throng_plan *plan, const throng_agent_id *ids, const throng_route *routes,
                                         uint32_t count) {
    throng_target *targets = plan->targets.items;
    for (uint32_t i = 0; i < count; ++i) {
        targets[i] = (throng_target){.kind = THRONG_TARGET_POINT, .x = routes[i].points[0], .y = routes[i].points[1]};
    }
    return throng_agents_write(plan->world, THRONG_FIELD_TARGET, ids, count, targets);
}

throng_result throng_plan_set_routes(throng_plan *plan, const throng_agent_id *ids, const throng_route *routes,
                                     uint32_t count) {
    if (!plan || (count > 0 && (!ids || !routes))) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "plan_set_routes: plan, ids and routes must not be null");
    }
    plan->arrived_count = plan->left_count = 0;
    if (count == 0) return THRONG_OK;
    throng_view view;
    uint64_t points;
    bool limited;
    throng_result result = check_routes(routes, count, &points, &limited);
    if (result == THRONG_OK) result = throng_world_view(plan->world, &view);
    if (result != THRONG_OK) return result;
    if (!reserve(plan, &plan->starts, count) || !reserve(plan, &plan->targets, count) ||
        !reserve(plan, &plan->limited_ids, count) || !reserve(plan, &plan->speeds, count) ||
        !throng_plan_routes_reserve(&plan->routes, &plan->memory, view.index_limit, points, limited)) {
        return fail_memory("plan_set_routes");
    }
    result = find_starts(plan, &view, ids, count);
    if (result == THRONG_OK) result = write_first_limits(plan, ids, routes, count);
    if (result == THRONG_OK) result = write_first_targets(plan, ids, routes, count);
    if (result != THRONG_OK) return result;
    const double(*starts)[2] = plan->starts.items;
    for (uint32_t i = 0; i < count; ++i) throng_plan_routes_set(&plan->routes, ids[i], &routes[i], starts[i]);
    return THRONG_OK;
}

// ---- updating

/// Agents at their target or beyond its bisector. Forgets the routes of agents that are gone.
static uint32_t find_changes(throng_plan *plan, const throng_view *view) {
    throng_plan_routes *routes = &plan->routes;
    const uint8_t *arrived = plan->flags.items;
    change *changes = plan->changes.items;
    uint32_t found = 0, count = 0;
    for (uint32_t row = 0; row < view->count; ++row) {
        throng_plan_route *route = throng_plan_routes_find(routes, view->ids[row]);
        if (!route) continue;
        route->seen = plan->update_number;
        found++;
        if (!arrived[row] && !throng_plan_routes_beyond_bisector(routes, route, view->x[row], view->y[row])) continue;
        changes[count++] = (change){view->creation[row], view->ids[row], row, route->next + 1};
    }
    if (found == routes->active) return count;
    throng_plan_route *all = routes->items.items;
    for (uint32_t i = 0; i < routes->limit; ++i) {
        if (all[i].generation != 0 && all[i].seen != plan->update_number) throng_plan_routes_forget(routes, &all[i]);
    }
    return count;
}

static void sift_down(change *changes, uint32_t at, uint32_t count) {
    change moved = changes[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && changes[child + 1].creation > changes[child].creation) ++child;
        if (changes[child].creation <= moved.creation) break;
        changes[at] = changes[child];
    }
    changes[at] = moved;
}

/// Heap sort: creation numbers differ, so there is one order.
static void sort_by_creation(change *changes, uint32_t count) {
    for (uint32_t i = count / 2; i > 0; --i) sift_down(changes, i - 1, count);
    for (uint32_t i = count; i > 1; --i) {
        change last = changes[i - 1];
        changes[i - 1] = changes[0];
        changes[0] = last;
        sift_down(changes, 0, i - 1);
    }
}

/// Fills in where each change leads, in creation order.
static throng_result work_out(throng_plan *plan, const throng_view *view, uint32_t count) {
    if (!reserve(plan, &plan->ids, count) || !reserve(plan, &plan->limited_ids, count) ||
        !reserve(plan, &plan->radii, count) || !reserve(plan, &plan->speeds, count) ||
        !reserve(plan, &plan->targets, count) || !reserve(plan, &plan->arrived, count) ||
        !reserve(plan, &plan->left, count)) {
        return fail_memory("plan_update");
    }
    change *changes = plan->changes.items;
    sort_by_creation(changes, count);
    throng_agent_id *ids = plan->ids.items;
    for (uint32_t i = 0; i < count; ++i) ids[i] = changes[i].id;
    float *radii = plan->radii.items;
    const throng_result result = throng_agents_read(plan->world, THRONG_FIELD_GOAL_RADIUS, ids, count, radii);
    if (result != THRONG_OK) return result;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = changes[i].row;
        const throng_plan_route *route = throng_plan_routes_find(&plan->routes, ids[i]);
        changes[i].next = throng_plan_routes_pass(&plan->routes, route, view->x[row], view->y[row], radii[i]);
    }
    return THRONG_OK;
}

/// New targets for those that go on, and the limits of the legs that begin (none where a route ends). The world's
/// calls, which may fail, come before the plan's own change.
static throng_result redirect(throng_plan *plan, uint32_t count) {
    throng_plan_routes *routes = &plan->routes;
    const change *changes = plan->changes.items;
    throng_agent_id *ids = plan->ids.items, *limited = plan->limited_ids.items;
    throng_target *targets = plan->targets.items;
    float *speeds = plan->speeds.items;
    uint32_t going_on = 0, limited_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t next = changes[i].next;
        const throng_plan_route *route = throng_plan_routes_find(routes, changes[i].id);
        if (route->limited) {
            limited[limited_count] = changes[i].id;
            speeds[limited_count++] = throng_plan_routes_limit(routes, route, next);
        }
        if (next == route->count) continue;
        const double *point = throng_plan_routes_point(routes, route, next);
        ids[going_on] = changes[i].id;
        targets[going_on++] = (throng_target){.kind = THRONG_TARGET_POINT, .x = point[0], .y = point[1]};
    }
    throng_result result = throng_agents_write(plan->world, THRONG_FIELD_SPEED_LIMIT, limited, limited_count, speeds);
    if (result == THRONG_OK) result = throng_agents_write(plan->world, THRONG_FIELD_TARGET, ids, going_on, targets);
    if (result != THRONG_OK) return result;
    for (uint32_t i = 0; i < count; ++i) {
        throng_plan_route *route = throng_plan_routes_find(routes, changes[i].id);
        if (changes[i].next < route->count) throng_plan_routes_aim(routes, route, changes[i].next);
    }
    return THRONG_OK;
}

/// Ends the routes of those that arrived.
static throng_result finish(throng_plan *plan, uint32_t count) {
    const change *changes = plan->changes.items;
    throng_agent_id *arrived = plan->arrived.items, *left = plan->left.items;
    uint32_t arrived_count = 0, left_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const throng_plan_route *route = throng_plan_routes_find(&plan->routes, changes[i].id);
        if (changes[i].next != route->count) continue;
        arrived[arrived_count++] = changes[i].id;
        if (route->leave) left[left_count++] = changes[i].id;
    }
    const throng_result result = throng_agents_remove(plan->world, left, left_count);
    if (result != THRONG_OK) return result;
    for (uint32_t i = 0; i < arrived_count; ++i) {
        throng_plan_routes_forget(&plan->routes, throng_plan_routes_find(&plan->routes, arrived[i]));
    }
    plan->arrived_count = arrived_count;
    plan->left_count = left_count;
    return THRONG_OK;
}

throng_result throng_plan_update(throng_plan *plan) {
    if (!plan) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "plan_update: plan must not be null");
    plan->arrived_count = plan->left_count = 0;
    if (plan->routes.active == 0) return THRONG_OK;
    throng_view view;
    throng_result result = throng_world_view(plan->world, &view);
    if (result != THRONG_OK) return result;
    if (!reserve(plan, &plan->flags, view.count) || !reserve(plan, &plan->changes, plan->routes.active)) {
        return fail_memory("plan_update");
    }
    result = throng_agents_read(plan->world, THRONG_FIELD_ARRIVED, NULL, view.count, plan->flags.items);
    if (result != THRONG_OK) return result;
    plan->update_number++;
    const uint32_t count = find_changes(plan, &view);
    if (count == 0) return THRONG_OK;
    result = work_out(plan, &view, count);
    if (result == THRONG_OK) result = redirect(plan, count);
    return result == THRONG_OK ? finish(plan, count) : result;
}

// ---- what the last update found

static throng_result check_told(const throng_plan *plan, const throng_agent_id **ids, uint32_t *count,
                                const char *call) {
    if (plan && ids && count) return THRONG_OK;
    return throng_fail(THRONG_ERROR_ARGUMENT, -1, "%s: plan, ids and count must not be null", call);
}

throng_result throng_plan_arrived(const throng_plan *plan, const throng_agent_id **ids, uint32_t *count) {
    const throng_result result = check_told(plan, ids, count, "plan_arrived");
    if (result != THRONG_OK) return result;
    *ids = plan->arrived.items;
    *count = plan->arrived_count;
    return THRONG_OK;
}

throng_result throng_plan_left(const throng_plan *plan, const throng_agent_id **ids, uint32_t *count) {
    const throng_result result = check_told(plan, ids, count, "plan_left");
    if (result != THRONG_OK) return result;
    *ids = plan->left.items;
    *count = plan->left_count;
    return THRONG_OK;
}
