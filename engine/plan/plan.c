// Routes: waypoints one after the other, each made the agent's target in turn.
#include "base/grid.h"
#include <throng/plan.h>

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

// A growing array.
typedef struct array {
    void *items;
    size_t capacity;
    size_t item_bytes;
} array;

// The route of the agent with this index. Its points stand one after the other in the pool, the place where it was set
// first.
typedef struct route {
    uint32_t generation; ///< the agent's; 0: no route
    uint32_t seen;       ///< the last update that found the agent
    uint64_t first;      ///< of its points
    uint32_t count;      ///< points
    uint32_t next;       ///< the one that is the agent's target, >= 1
    double normal[2];    ///< t_in + t_out at `next`; zero: only goal_radius counts
    bool leave;
    bool limited; ///< it has speed limits
} route;

// What an update finds to do for one agent.
typedef struct change {
    uint64_t creation;
    throng_agent_id id;
    uint32_t row;  ///< in the view, valid until the world changes
    uint32_t next; ///< the point that becomes its target; the route's count: it arrived
} change;

struct throng_plan {
    throng_memory memory;
    throng_world *world;
    array routes; ///< by agent index, below route_limit
    uint32_t route_limit;
    uint32_t active; ///< routes that are under way
    uint32_t update_number;
    array points;         ///< pairs of doubles
    array limits;         ///< m/s, of the leg to each point; of any size only once a route has limits
    uint64_t points_used; ///< live ones and those of routes that ended
    uint64_t points_live;
    array arrived, left; ///< throng_agent_id, of the last update
    uint32_t arrived_count, left_count;
    array flags, changes, ids, radii, positions, targets, speeds; ///< for the time of a call
};

static throng_result fail_memory(void) {
    return throng_fail(THRONG_ERROR_MEMORY, -1, "no memory for the plan's routes");
}

static bool reserve(throng_plan *plan, array *a, size_t used, size_t count) {
    return throng_memory_reserve(&plan->memory, &a->items, &a->capacity, used, count, a->item_bytes);
}

static void release(throng_plan *plan, array *a) {
    throng_memory_release(&plan->memory, a->items, a->capacity, a->item_bytes);
}

throng_result throng_plan_create(throng_world *world, const throng_allocator *allocator, throng_plan **plan) {
    if (!world || !plan) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world and plan must not be null");
    const throng_allocator libc = {0};
    throng_memory memory;
    if (!throng_memory_init(&memory, allocator ? allocator : &libc)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "the allocator must have both functions or none");
    }
    throng_plan *made = throng_memory_allocate(&memory, 1, sizeof *made);
    if (!made) return fail_memory();
    *made = (throng_plan){
        .memory = memory,
        .world = world,
        .routes.item_bytes = sizeof(route),
        .points.item_bytes = 2 * sizeof(double),
        .limits.item_bytes = sizeof(float),
        .speeds.item_bytes = sizeof(float),
        .arrived.item_bytes = sizeof(throng_agent_id),
        .left.item_bytes = sizeof(throng_agent_id),
        .flags.item_bytes = sizeof(uint8_t),
        .changes.item_bytes = sizeof(change),
        .ids.item_bytes = sizeof(throng_agent_id),
        .radii.item_bytes = sizeof(float),
        .positions.item_bytes = 2 * sizeof(double),
        .targets.item_bytes = sizeof(throng_target),
    };
    *plan = made;
    return THRONG_OK;
}

void throng_plan_destroy(throng_plan *plan) {
    if (!plan) return;
    array *const arrays[] = {&plan->routes, &plan->points,    &plan->limits,  &plan->arrived,
                             &plan->left,   &plan->flags,     &plan->changes, &plan->ids,
                             &plan->radii,  &plan->positions, &plan->targets, &plan->speeds};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) release(plan, arrays[i]);
    throng_memory memory = plan->memory;
    throng_memory_release(&memory, plan, 1, sizeof *plan);
}

static const double *point_of(const throng_plan *plan, const route *r, uint32_t number) {
    return (const double *)plan->points.items + 2 * (r->first + number);
}

// The limit of the leg to a point, m/s.
static const float *limit_of(const throng_plan *plan, const route *r, uint32_t number) {
    return (const float *)plan->limits.items + r->first + number;
}

// The unit direction from a to b; zero where they are one point.
static void direction(const double a[2], const double b[2], double unit[2]) {
    double x = b[0] - a[0], y = b[1] - a[1], length = sqrt(x * x + y * y);
    unit[0] = length > 0.0 ? x / length : 0.0;
    unit[1] = length > 0.0 ? y / length : 0.0;
}

static void set_normal(const throng_plan *plan, route *r) {
    r->normal[0] = r->normal[1] = 0.0;
    if (r->next + 1 >= r->count) return;
    double in[2], out[2];
    direction(point_of(plan, r, r->next - 1), point_of(plan, r, r->next), in);
    direction(point_of(plan, r, r->next), point_of(plan, r, r->next + 1), out);
    double x = in[0] + out[0], y = in[1] + out[1];
    if (x * x + y * y < 1e-12) return; // a turn back: the sum is rounding
    r->normal[0] = x;
    r->normal[1] = y;
}

static bool beyond_bisector(const throng_plan *plan, const route *r, double x, double y) {
    if (r->normal[0] == 0.0 && r->normal[1] == 0.0) return false;
    const double *w = point_of(plan, r, r->next);
    return (x - w[0]) * r->normal[0] + (y - w[1]) * r->normal[1] >= 0.0;
}

static route *route_of(const throng_plan *plan, throng_agent_id id) {
    route *r = (route *)plan->routes.items + id.index;
    return id.index < plan->route_limit && r->generation == id.generation ? r : NULL;
}

static void forget(throng_plan *plan, route *r) {
    plan->points_live -= r->count;
    plan->active--;
    r->generation = 0;
}

// Room for `more` points at the end of the pool. Moves the live ones together when it must allocate. Limits, where
// there are any or `limited` asks for them, stand beside the points.
static bool reserve_points(throng_plan *plan, uint64_t more, bool limited) {
    limited = limited || plan->limits.capacity > 0;
    const bool lacks_limits = limited && plan->limits.capacity == 0;
    if (plan->points_used + more <= plan->points.capacity && !lacks_limits) return true;
    array pool = {.item_bytes = plan->points.item_bytes};
    uint64_t wanted = plan->points_live + more;
    if (!reserve(plan, &pool, 0, wanted + wanted / 2)) return false;
    array limits = {.item_bytes = plan->limits.item_bytes};
    if (limited && !reserve(plan, &limits, 0, pool.capacity)) {
        release(plan, &pool);
        return false;
    }
    uint64_t used = 0;
    route *routes = plan->routes.items;
    for (uint32_t i = 0; i < plan->route_limit; i++) {
        if (routes[i].generation == 0) continue;
        memcpy((double *)pool.items + 2 * used, point_of(plan, &routes[i], 0), routes[i].count * pool.item_bytes);
        if (routes[i].limited) {
            memcpy((float *)limits.items + used, limit_of(plan, &routes[i], 0), routes[i].count * limits.item_bytes);
        }
        routes[i].first = used;
        used += routes[i].count;
    }
    release(plan, &plan->points);
    plan->points = pool;
    release(plan, &plan->limits);
    plan->limits = limits;
    plan->points_used = used;
    return true;
}

static throng_result check_routes(const throng_route *routes, uint32_t count, uint64_t *points, bool *limited) {
    *points = 0;
    *limited = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!routes[i].points) return throng_fail(THRONG_ERROR_ARGUMENT, i, "routes[%u].points must not be null", i);
        if (routes[i].point_count == 0 || routes[i].point_count == UINT32_MAX) {
            return throng_fail(THRONG_ERROR_VALUE, i, "routes[%u].point_count must be >= 1 and below 2^32 - 1, is %u",
                               i, routes[i].point_count);
        }
        for (size_t j = 0; j < 2 * (size_t)routes[i].point_count; j++) {
            if (!(fabs(routes[i].points[j]) <= THRONG_LIMIT_PLACE)) {
                return throng_fail(THRONG_ERROR_VALUE, i, "routes[%u].points[%zu] must be within +-1e12", i, j);
            }
        }
        for (size_t j = 0; routes[i].speed_limits && j < routes[i].point_count; j++) {
            if (!(routes[i].speed_limits[j] >= 0.0f)) {
                return throng_fail(THRONG_ERROR_VALUE, i,
                                   "routes[%u].speed_limits[%zu] must be >= 0 or INFINITY, is %g", i, j,
                                   routes[i].speed_limits[j]);
            }
        }
        *limited = *limited || routes[i].speed_limits;
        *points += routes[i].point_count + UINT64_C(1);
    }
    return THRONG_OK;
}

static bool reserve_routes(throng_plan *plan, uint32_t limit) {
    if (!reserve(plan, &plan->routes, plan->route_limit, limit)) return false;
    if (plan->route_limit >= limit) return true;
    route *fresh = (route *)plan->routes.items + plan->route_limit;
    memset(fresh, 0, (limit - plan->route_limit) * sizeof *fresh);
    plan->route_limit = limit;
    return true;
}

static void set_route(throng_plan *plan, throng_agent_id id, const throng_route *given, const double start[2]) {
    route *r = (route *)plan->routes.items + id.index;
    if (r->generation != 0) forget(plan, r);
    *r = (route){.generation = id.generation,
                 .seen = plan->update_number,
                 .first = plan->points_used,
                 .count = given->point_count + 1,
                 .next = 1,
                 .leave = given->leave,
                 .limited = given->speed_limits != NULL};
    double *points = (double *)plan->points.items + 2 * r->first;
    memcpy(points, start, 2 * sizeof *points);
    for (size_t i = 0; i < 2 * (size_t)given->point_count; ++i) points[2 + i] = throng_on_grid(given->points[i]);
    if (r->limited) {
        memcpy((float *)plan->limits.items + r->first + 1, given->speed_limits, given->point_count * sizeof(float));
        ((float *)plan->limits.items)[r->first] = INFINITY;
    }
    plan->points_used += r->count;
    plan->points_live += r->count;
    plan->active++;
    set_normal(plan, r);
}

// The limits of the first legs, and none for those whose route with limits ends.
static throng_result write_first_limits(throng_plan *plan, const throng_agent_id *ids, const throng_route *routes,
                                        uint32_t count) {
    throng_agent_id *changed = plan->ids.items;
    float *speeds = plan->speeds.items;
    uint32_t changes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const route *r = route_of(plan, ids[i]);
        if (!routes[i].speed_limits && !(r && r->limited)) continue;
        changed[changes] = ids[i];
        speeds[changes++] = routes[i].speed_limits ? routes[i].speed_limits[0] : INFINITY;
    }
    return throng_agents_write(plan->world, THRONG_FIELD_SPEED_LIMIT, changed, changes, speeds);
}

throng_result throng_plan_set_routes(throng_plan *plan, const throng_agent_id *ids, const throng_route *routes,
                                     uint32_t count) {
    if (!plan || (count > 0 && (!ids || !routes))) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "plan, ids and routes must not be null");
    }
    plan->arrived_count = plan->left_count = 0;
    if (count == 0) return THRONG_OK;
    throng_view view;
    uint64_t points;
    bool limited;
    throng_result result = check_routes(routes, count, &points, &limited);
    if (result == THRONG_OK) result = throng_world_view(plan->world, &view);
    if (result != THRONG_OK) return result;
    if (!reserve(plan, &plan->positions, 0, count) || !reserve(plan, &plan->targets, 0, count) ||
        !reserve(plan, &plan->ids, 0, count) || !reserve(plan, &plan->speeds, 0, count) ||
        !reserve_routes(plan, view.index_limit) || !reserve_points(plan, points, limited)) {
        return fail_memory();
    }
    double *positions = plan->positions.items;
    result = throng_agents_read(plan->world, THRONG_FIELD_POSITION, ids, count, positions);
    if (result == THRONG_OK) result = write_first_limits(plan, ids, routes, count);
    if (result != THRONG_OK) return result;
    throng_target *targets = plan->targets.items;
    for (uint32_t i = 0; i < count; i++) {
        targets[i] = (throng_target){.kind = THRONG_TARGET_POINT, .x = routes[i].points[0], .y = routes[i].points[1]};
    }
    result = throng_agents_write(plan->world, THRONG_FIELD_TARGET, ids, count, targets);
    if (result != THRONG_OK) return result;
    for (uint32_t i = 0; i < count; i++) set_route(plan, ids[i], &routes[i], positions + 2 * (size_t)i);
    return THRONG_OK;
}

// Agents at their target or beyond its bisector. Forgets the routes of agents that are gone.
static uint32_t find_changes(throng_plan *plan, const throng_view *view) {
    const uint8_t *arrived = plan->flags.items;
    change *changes = plan->changes.items;
    uint32_t found = 0, count = 0;
    for (uint32_t row = 0; row < view->count; row++) {
        route *r = route_of(plan, view->ids[row]);
        if (!r) continue;
        r->seen = plan->update_number;
        found++;
        if (!arrived[row] && !beyond_bisector(plan, r, view->x[row], view->y[row])) continue;
        changes[count++] = (change){view->creation[row], view->ids[row], row, r->next + 1};
    }
    if (found == plan->active) return count;
    route *routes = plan->routes.items;
    for (uint32_t i = 0; i < plan->route_limit; i++) {
        if (routes[i].generation != 0 && routes[i].seen != plan->update_number) forget(plan, &routes[i]);
    }
    return count;
}

static void sift_down(change *changes, uint32_t at, uint32_t count) {
    change moved = changes[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && changes[child + 1].creation > changes[child].creation) child++;
        if (changes[child].creation <= moved.creation) break;
        changes[at] = changes[child];
    }
    changes[at] = moved;
}

// Heap sort: creation numbers differ, so there is one order.
static void sort_by_creation(change *changes, uint32_t count) {
    for (uint32_t i = count / 2; i > 0; i--) sift_down(changes, i - 1, count);
    for (uint32_t i = count; i > 1; i--) {
        change last = changes[i - 1];
        changes[i - 1] = changes[0];
        changes[0] = last;
        sift_down(changes, 0, i - 1);
    }
}

// The point to walk to after `next` is passed: those that the agent is at or beyond already are passed, too, since a
// step may be longer than a leg.
static uint32_t pass_waypoints(const throng_plan *plan, const route *r, double x, double y, float goal_radius) {
    route ahead = *r;
    for (ahead.next++; ahead.next < ahead.count; ahead.next++) {
        set_normal(plan, &ahead);
        const double *w = point_of(plan, &ahead, ahead.next);
        double dx = x - w[0], dy = y - w[1], reach = goal_radius;
        if (dx * dx + dy * dy > reach * reach && !beyond_bisector(plan, &ahead, x, y)) break;
    }
    return ahead.next;
}

// The limits of the legs that begin, and none where a route ends.
static throng_result limit_legs(throng_plan *plan, uint32_t count) {
    const change *changes = plan->changes.items;
    throng_agent_id *ids = plan->ids.items;
    float *speeds = plan->speeds.items;
    uint32_t limited = 0;
    for (uint32_t i = 0; i < count; i++) {
        const route *r = route_of(plan, changes[i].id);
        if (!r->limited) continue;
        ids[limited] = changes[i].id;
        speeds[limited++] = changes[i].next < r->count ? *limit_of(plan, r, changes[i].next) : INFINITY;
    }
    return throng_agents_write(plan->world, THRONG_FIELD_SPEED_LIMIT, ids, limited, speeds);
}

// New targets for those that go on. The world's call, which may fail, comes before the plan's own change.
static throng_result redirect(throng_plan *plan, uint32_t count) {
    const change *changes = plan->changes.items;
    throng_agent_id *ids = plan->ids.items;
    throng_target *targets = plan->targets.items;
    uint32_t going_on = 0;
    for (uint32_t i = 0; i < count; i++) {
        const route *r = route_of(plan, changes[i].id);
        if (changes[i].next == r->count) continue;
        const double *point = point_of(plan, r, changes[i].next);
        ids[going_on] = changes[i].id;
        targets[going_on++] = (throng_target){.kind = THRONG_TARGET_POINT, .x = point[0], .y = point[1]};
    }
    if (going_on == 0) return THRONG_OK;
    throng_result result = throng_agents_write(plan->world, THRONG_FIELD_TARGET, ids, going_on, targets);
    if (result != THRONG_OK) return result;
    for (uint32_t i = 0; i < count; i++) {
        route *r = route_of(plan, changes[i].id);
        if (changes[i].next == r->count) continue;
        r->next = changes[i].next;
        set_normal(plan, r);
    }
    return THRONG_OK;
}

// Ends the routes of those that arrived.
static throng_result finish(throng_plan *plan, uint32_t count) {
    const change *changes = plan->changes.items;
    throng_agent_id *arrived = plan->arrived.items, *left = plan->left.items;
    uint32_t arrived_count = 0, left_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const route *r = route_of(plan, changes[i].id);
        if (changes[i].next != r->count) continue;
        arrived[arrived_count++] = changes[i].id;
        if (r->leave) left[left_count++] = changes[i].id;
    }
    if (left_count > 0) {
        throng_result result = throng_agents_remove(plan->world, left, left_count);
        if (result != THRONG_OK) return result;
    }
    for (uint32_t i = 0; i < arrived_count; i++) forget(plan, route_of(plan, arrived[i]));
    plan->arrived_count = arrived_count;
    plan->left_count = left_count;
    return THRONG_OK;
}

// Fills in where each change leads, in creation order.
static throng_result work_out(throng_plan *plan, const throng_view *view, uint32_t count) {
    if (!reserve(plan, &plan->ids, 0, count) || !reserve(plan, &plan->radii, 0, count) ||
        !reserve(plan, &plan->speeds, 0, count) || !reserve(plan, &plan->targets, 0, count) ||
        !reserve(plan, &plan->arrived, 0, count) || !reserve(plan, &plan->left, 0, count)) {
        return fail_memory();
    }
    change *changes = plan->changes.items;
    sort_by_creation(changes, count);
    throng_agent_id *ids = plan->ids.items;
    for (uint32_t i = 0; i < count; i++) ids[i] = changes[i].id;
    float *radii = plan->radii.items;
    throng_result result = throng_agents_read(plan->world, THRONG_FIELD_GOAL_RADIUS, ids, count, radii);
    if (result != THRONG_OK) return result;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = changes[i].row;
        changes[i].next = pass_waypoints(plan, route_of(plan, ids[i]), view->x[row], view->y[row], radii[i]);
    }
    return THRONG_OK;
}

throng_result throng_plan_update(throng_plan *plan) {
    if (!plan) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "plan must not be null");
    plan->arrived_count = plan->left_count = 0;
    if (plan->active == 0) return THRONG_OK;
    throng_view view;
    throng_result result = throng_world_view(plan->world, &view);
    if (result != THRONG_OK) return result;
    if (!reserve(plan, &plan->flags, 0, view.count) || !reserve(plan, &plan->changes, 0, plan->active)) {
        return fail_memory();
    }
    if (view.count > 0) {
        result = throng_agents_read(plan->world, THRONG_FIELD_ARRIVED, NULL, view.count, plan->flags.items);
        if (result != THRONG_OK) return result;
    }
    plan->update_number++;
    uint32_t count = find_changes(plan, &view);
    if (count == 0) return THRONG_OK;
    result = work_out(plan, &view, count);
    if (result == THRONG_OK) result = limit_legs(plan, count); // once more where the next call fails
    if (result == THRONG_OK) result = redirect(plan, count);
    return result == THRONG_OK ? finish(plan, count) : result;
}

throng_result throng_plan_arrived(const throng_plan *plan, const throng_agent_id **ids, uint32_t *count) {
    if (!plan || !ids || !count) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "plan, ids and count must not be null");
    *ids = plan->arrived.items;
    *count = plan->arrived_count;
    return THRONG_OK;
}

throng_result throng_plan_left(const throng_plan *plan, const throng_agent_id **ids, uint32_t *count) {
    if (!plan || !ids || !count) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "plan, ids and count must not be null");
    *ids = plan->left.items;
    *count = plan->left_count;
    return THRONG_OK;
}
