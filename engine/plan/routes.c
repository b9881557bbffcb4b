#include "plan/routes.h"

#include "base/grid.h"

#include <math.h>
#include <string.h>

bool throng_plan_array_reserve(throng_plan_array *array, throng_memory *memory, size_t used, size_t count) {
    return throng_memory_reserve(memory, &array->items, &array->capacity, used, count, array->item_bytes);
}

void throng_plan_array_release(throng_plan_array *array, throng_memory *memory) {
    throng_memory_release(memory, array->items, array->capacity, array->item_bytes);
}

throng_plan_routes throng_plan_routes_empty(void) {
    return (throng_plan_routes){.items.item_bytes = sizeof(throng_plan_route),
                                .points.item_bytes = 2 * sizeof(double),
                                .limits.item_bytes = sizeof(float)};
}

void throng_plan_routes_release(throng_plan_routes *routes, throng_memory *memory) {
    throng_plan_array_release(&routes->items, memory);
    throng_plan_array_release(&routes->points, memory);
    throng_plan_array_release(&routes->limits, memory);
}

// ---- room

static bool reserve_indices(throng_plan_routes *routes, throng_memory *memory, uint32_t limit) {
    if (!throng_plan_array_reserve(&routes->items, memory, routes->limit, limit)) return false;
    if (routes->limit >= limit) return true;
    throng_plan_route *fresh = (throng_plan_route *)routes->items.items + routes->limit;
    memset(fresh, 0, (limit - routes->limit) * sizeof *fresh);
    routes->limit = limit;
    return true;
}

/// Copies the live points, and their limits where there is room for such, to new pools.
static void move_points(throng_plan_routes *routes, double *points, float *limits) {
    throng_plan_route *all = routes->items.items;
    uint64_t used = 0;
    for (uint32_t i = 0; i < routes->limit; ++i) {
        throng_plan_route *route = &all[i];
        if (route->generation == 0) continue;
        memcpy(points + 2 * used, throng_plan_routes_point(routes, route, 0), route->count * 2 * sizeof *points);
        if (route->limited) {
            memcpy(limits + used, (const float *)routes->limits.items + route->first, route->count * sizeof *limits);
        }
        route->first = used;
        used += route->count;
    }
    routes->points_used = used;
}

/// Room for `more` points at the end of the pool. Moves the live ones together when it must allocate. Limits, where
/// there are any or `limited` asks for them, stand beside the points.
static bool reserve_points(throng_plan_routes *routes, throng_memory *memory, uint64_t more, bool limited) {
    limited = limited || routes->limits.capacity > 0;
    const bool lacks_limits = limited && routes->limits.capacity == 0;
    if (routes->points_used + more <= routes->points.capacity && !lacks_limits) return true;
    const uint64_t wanted = routes->points_live + more;
    throng_plan_array points = {.item_bytes = routes->points.item_bytes};
    throng_plan_array limits = {.item_bytes = routes->limits.item_bytes};
    if (!throng_plan_array_reserve(&points, memory, 0, wanted + wanted / 2)) return false;
    if (limited && !throng_plan_array_reserve(&limits, memory, 0, points.capacity)) {
        throng_plan_array_release(&points, memory);
        return false;
    }
    move_points(routes, points.items, limits.items);
    throng_plan_array_release(&routes->points, memory);
    throng_plan_array_release(&routes->limits, memory);
    routes->points = points;
    routes->limits = limits;
    return true;
}

bool throng_plan_routes_reserve(throng_plan_routes *routes, throng_memory *memory, uint32_t limit, uint64_t points,
                                bool limited) {
    return reserve_indices(routes, memory, limit) && reserve_points(routes, memory, points, limited);
}

// ---- routes

throng_plan_route *throng_plan_routes_find(const throng_plan_routes *routes, throng_agent_id id) {
    if (id.index >= routes->limit) return NULL;
    throng_plan_route *route = (throng_plan_route *)routes->items.items + id.index;
    return route->generation == id.generation ? route : NULL;
}

void throng_plan_routes_set(throng_plan_routes *routes, throng_agent_id id, const throng_route *given,
                            const double start[2]) {
    throng_plan_route *route = (throng_plan_route *)routes->items.items + id.index;
    if (route->generation != 0) throng_plan_routes_forget(routes, route);
    *route = (throng_plan_route){.generation = id.generation,
                                 .first = routes->points_used,
                                 .count = given->point_count + 1,
                                 .leave = given->leave,
                                 .limited = given->speed_limits != NULL};
    double *points = (double *)routes->points.items + 2 * route->first;
    memcpy(points, start, 2 * sizeof *points);
    for (size_t i = 0; i < 2 * (size_t)given->point_count; ++i) points[2 + i] = throng_on_grid(given->points[i]);
    if (route->limited) {
        float *limits = (float *)routes->limits.items + route->first;
        limits[0] = INFINITY;
        memcpy(limits + 1, given->speed_limits, given->point_count * sizeof *limits);
    }
    routes->points_used += route->count;
    routes->points_live += route->count;
    routes->active++;
    throng_plan_routes_aim(routes, route, 1);
}

void throng_plan_routes_forget(throng_plan_routes *routes, throng_plan_route *route) {
    routes->points_live -= route->count;
    routes->active--;
    route->generation = 0;
}

const double *throng_plan_routes_point(const throng_plan_routes *routes, const throng_plan_route *route,
                                       uint32_t number) {
    return (const double *)routes->points.items + 2 * (route->first + number);
}

float throng_plan_routes_limit(const throng_plan_routes *routes, const throng_plan_route *route, uint32_t number) {
    return number < route->count ? ((const float *)routes->limits.items)[route->first + number] : INFINITY;
}

// ---- waypoints

/// The unit direction from a to b; zero where they are one point.
static void direction(const double a[2], const double b[2], double unit[2]) {
    const double x = b[0] - a[0], y = b[1] - a[1], length = sqrt(x * x + y * y);
    unit[0] = length > 0.0 ? x / length : 0.0;
    unit[1] = length > 0.0 ? y / length : 0.0;
}

void throng_plan_routes_aim(const throng_plan_routes *routes, throng_plan_route *route, uint32_t next) {
    route->next = next;
    route->normal[0] = route->normal[1] = 0.0;
    if (next + 1 >= route->count) return;
    const double *at = throng_plan_routes_point(routes, route, next);
    double in[2], out[2];
    direction(at - 2, at, in);
    direction(at, at + 2, out);
    const double x = in[0] + out[0], y = in[1] + out[1];
    if (x * x + y * y < 1e-12) return; // a turn back: the sum is rounding
    route->normal[0] = x;
    route->normal[1] = y;
}

bool throng_plan_routes_beyond_bisector(const throng_plan_routes *routes, const throng_plan_route *route, double x,
                                        double y) {
    if (route->normal[0] == 0.0 && route->normal[1] == 0.0) return false;
    const double *at = throng_plan_routes_point(routes, route, route->next);
    return (x - at[0]) * route->normal[0] + (y - at[1]) * route->normal[1] >= 0.0;
}

uint32_t throng_plan_routes_pass(const throng_plan_routes *routes, const throng_plan_route *route, double x, double y,
                                 float goal_radius) {
    throng_plan_route ahead = *route;
    while (ahead.next + 1 < ahead.count) {
        throng_plan_routes_aim(routes, &ahead, ahead.next + 1);
        const double *at = throng_plan_routes_point(routes, &ahead, ahead.next);
        const double dx = x - at[0], dy = y - at[1], reach = goal_radius;
        if (dx * dx + dy * dy > reach * reach && !throng_plan_routes_beyond_bisector(routes, &ahead, x, y)) {
            return ahead.next;
        }
    }
    return ahead.count;
}
