#include "api/api.h"

#include "base/scalar.h"
#include "state/height.h"
#include "state/wall_place.h"
#include <throng/query.h>

throng_query_filter throng_default_query_filter(void) {
    return (throng_query_filter){.struct_size = sizeof(throng_query_filter),
                                 .mask = UINT32_MAX,
                                 .height_low = -INFINITY,
                                 .height_high = INFINITY};
}

/// Takes the caller's filter or the defaults.
static throng_result take_filter(const throng_query_filter *filter, const char *call, throng_query_filter *taken) {
    *taken = filter ? *filter : throng_default_query_filter();
    if (taken->struct_size != sizeof *taken) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "%s: filter.struct_size is %zu, must be %zu", call,
                           taken->struct_size, sizeof *taken);
    }
    if (!throng_is_finite(taken->body_radius) || !(taken->body_radius >= 0.0f)) {
        return throng_fail(THRONG_ERROR_VALUE, -1, "%s: filter.body_radius must be finite and >= 0, is %g", call,
                           taken->body_radius);
    }
    if (taken->height_low != taken->height_low || taken->height_high != taken->height_high) {
        return throng_fail(THRONG_ERROR_VALUE, -1, "%s: filter.height_low and height_high must not be NaN", call);
    }
    return THRONG_OK;
}

static throng_wall_filter walls_of(const throng_query_filter *filter) {
    return (throng_wall_filter){filter->mask, filter->height_low, filter->height_high};
}

static throng_result check_place(double x, double y, const char *call) {
    if (throng_is_finite(x) && throng_is_finite(y)) return THRONG_OK;
    return throng_fail(THRONG_ERROR_VALUE, -1, "%s: places must be finite, is (%g, %g)", call, x, y);
}

static throng_result check_range(double range, const char *call) {
    if (range >= 0.0) return THRONG_OK;
    return throng_fail(THRONG_ERROR_VALUE, -1, "%s: range must be >= 0, is %g", call, range);
}

throng_result throng_check_index(const throng_world *world, const char *call) {
    if (world->index.fresh || world->agents.active == 0) return THRONG_OK;
    return throng_fail(THRONG_ERROR_STALE_INDEX, -1, "%s: agents changed since the last step; call %s", call,
                       "throng_world_refresh first");
}

/// A box in tree coordinates, and by how much those of places so far from the origin may be off, m.
typedef struct tree_box {
    float lo[2], hi[2];
    float slack;
} tree_box;

static tree_box to_tree(const throng_index *index, const double min[2], const double max[2]) {
    // Nothing is gained beyond this, and sums of such numbers stay finite.
    const double limit = 0x1p60;
    const double origin[2] = {index->origin_x, index->origin_y};
    tree_box box;
    double largest = 0.0;
    for (int axis = 0; axis < 2; ++axis) {
        const double lo = throng_maxd(-limit, throng_mind(limit, min[axis] - origin[axis]));
        const double hi = throng_maxd(-limit, throng_mind(limit, max[axis] - origin[axis]));
        box.lo[axis] = (float)lo;
        box.hi[axis] = (float)hi;
        largest = throng_maxd(largest, throng_maxd(throng_maxd(lo, -lo), throng_maxd(hi, -hi)));
    }
    box.slack = index->guard + (float)(largest * 0x1p-22);
    return box;
}

static bool counts(const throng_world *world, const throng_query_filter *filter, uint32_t row) {
    const throng_agents *agents = &world->agents;
    const throng_agent_id id = agents->id[row];
    const throng_wall_filter own = throng_row_wall_filter(agents, row);
    const bool everywhere = filter->height_low == -INFINITY && filter->height_high == INFINITY;
    if (!everywhere && !(own.low < filter->height_high && filter->height_low < own.high)) return false;
    return (agents->layer[row] & filter->mask) != 0 &&
           !(id.index == filter->excluded.index && id.generation == filter->excluded.generation);
}

// ---- nearest

typedef struct nearest_query {
    const throng_world *world;
    throng_query_hit *hits;
    uint32_t capacity, count;
} nearest_query;

static uint64_t creation_of(const throng_world *world, throng_agent_id id) {
    return world->agents.creation[world->slots.row[id.index]];
}

static void insert_hit(nearest_query *query, throng_query_hit hit) {
    const uint64_t creation = creation_of(query->world, hit.agent);
    uint32_t at = query->count < query->capacity ? query->count++ : query->capacity;
    for (; at > 0; --at) {
        const throng_query_hit before = query->hits[at - 1];
        if (before.gap < hit.gap || (before.gap == hit.gap && creation_of(query->world, before.agent) < creation))
            break;
        if (at < query->capacity) query->hits[at] = before;
    }
    if (at < query->capacity) query->hits[at] = hit;
}

throng_result throng_query_nearest(const throng_world *world, double x, double y, float range,
                                   const throng_query_filter *filter, throng_query_hit *hits, uint32_t capacity,
                                   uint32_t *count) {
    static const char call[] = "query_nearest";
    if (!world || !count || (capacity && !hits)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "%s: world, hits and count must not be null", call);
    }
    throng_query_filter own;
    throng_result result = take_filter(filter, call, &own);
    if (result == THRONG_OK) result = check_place(x, y, call);
    if (result == THRONG_OK) result = check_range(range, call);
    if (result == THRONG_OK) result = throng_check_index(world, call);
    if (result != THRONG_OK) return result;
    nearest_query query = {.world = world, .hits = hits, .capacity = capacity};
    if (world->agents.active && capacity) {
        const kdt_tree_2f *tree = &world->index.tree;
        const double at[2] = {x, y};
        const tree_box box = to_tree(&world->index, at, at);
        kdt_walk_2f walk;
        kdt_walk_2f_begin(&walk, tree, box.lo, box.hi, own.body_radius, box.slack, own.mask);
        float bound = range;
        for (uint32_t leaf; kdt_walk_2f_next(&walk, bound, UINT32_MAX, &leaf);) {
            const uint32_t first = leaf * tree->leaf_size, end = throng_min_u32(tree->count, first + tree->leaf_size);
            for (uint32_t position = first; position < end; ++position) {
                const uint32_t row = world->index.order[position];
                if (!counts(world, &own, row)) continue;
                const double dx = throng_world_x(world)[row] - x, dy = throng_world_y(world)[row] - y;
                const float gap =
                    (float)(sqrt(dx * dx + dy * dy) - own.body_radius - (double)world->agents.radius[row]);
                if (gap <= bound) insert_hit(&query, (throng_query_hit){world->agents.id[row], gap});
            }
            if (query.count == capacity) bound = throng_minf(bound, hits[capacity - 1].gap);
        }
    }
    *count = query.count;
    return THRONG_OK;
}

// ---- box

/// Keeps the `capacity` lowest creation numbers, sorted.
static void insert_agent(const throng_world *world, throng_agent_id *agents, uint32_t held, throng_agent_id id) {
    const uint64_t creation = creation_of(world, id);
    uint32_t at = held;
    for (; at > 0 && creation_of(world, agents[at - 1]) > creation; --at) agents[at] = agents[at - 1];
    agents[at] = id;
}

throng_result throng_query_box(const throng_world *world, const double min[2], const double max[2],
                               const throng_query_filter *filter, throng_agent_id *agents, uint32_t capacity,
                               uint32_t *count) {
    static const char call[] = "query_box";
    if (!world || !min || !max || !count || (capacity && !agents)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "%s: world, min, max, agents and count must not be null", call);
    }
    throng_query_filter own;
    throng_result result = take_filter(filter, call, &own);
    if (result == THRONG_OK) result = check_place(min[0], min[1], call);
    if (result == THRONG_OK) result = check_place(max[0], max[1], call);
    if (result == THRONG_OK && (min[0] > max[0] || min[1] > max[1])) {
        result = throng_fail(THRONG_ERROR_VALUE, -1, "%s: min must not exceed max", call);
    }
    if (result == THRONG_OK) result = throng_check_index(world, call);
    if (result != THRONG_OK) return result;
    uint32_t found = 0;
    if (world->agents.active) {
        const kdt_tree_2f *tree = &world->index.tree;
        const tree_box box = to_tree(&world->index, min, max);
        kdt_walk_2f walk;
        kdt_walk_2f_begin(&walk, tree, box.lo, box.hi, 0.0f, box.slack, own.mask);
        for (uint32_t leaf; kdt_walk_2f_next(&walk, 0.0f, UINT32_MAX, &leaf);) {
            const uint32_t first = leaf * tree->leaf_size, end = throng_min_u32(tree->count, first + tree->leaf_size);
            for (uint32_t position = first; position < end; ++position) {
                const uint32_t row = world->index.order[position];
                const double x = throng_world_x(world)[row], y = throng_world_y(world)[row];
                if (x < min[0] || x > max[0] || y < min[1] || y > max[1] || !counts(world, &own, row)) continue;
                const throng_agent_id id = world->agents.id[row];
                if (found < capacity) {
                    insert_agent(world, agents, found, id);
                } else if (capacity && creation_of(world, id) < creation_of(world, agents[capacity - 1])) {
                    insert_agent(world, agents, capacity - 1, id);
                }
                ++found;
            }
        }
    }
    *count = found;
    return THRONG_OK;
}

// ---- walls

throng_result throng_query_line_of_sight(const throng_world *world, const double from[2], const double to[2],
                                         const throng_query_filter *filter, bool *visible) {
    static const char call[] = "query_line_of_sight";
    if (!world || !from || !to || !visible) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "%s: world, from, to and visible must not be null", call);
    }
    throng_query_filter own;
    throng_result result = take_filter(filter, call, &own);
    if (result == THRONG_OK) result = check_place(from[0], from[1], call);
    if (result == THRONG_OK) result = check_place(to[0], to[1], call);
    if (result != THRONG_OK) return result;
    *visible = throng_wall_place_sees(world->walls, walls_of(&own), from, to, own.body_radius);
    return THRONG_OK;
}

throng_result throng_query_free_place(const throng_world *world, double x, double y, double range,
                                      const throng_query_filter *filter, double place[2]) {
    static const char call[] = "query_free_place";
    if (!world || !place) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "%s: world and place must not be null", call);
    }
    throng_query_filter own;
    throng_result result = take_filter(filter, call, &own);
    if (result == THRONG_OK) result = check_place(x, y, call);
    if (result == THRONG_OK) result = check_range(range, call);
    if (result != THRONG_OK) return result;
    if (throng_wall_place_find_free(world->walls, walls_of(&own), x, y, own.body_radius, range, place))
        return THRONG_OK;
    return throng_fail(THRONG_ERROR_NONE_FOUND, -1, "%s: no free place within %g m of (%g, %g)", call, range, x, y);
}
