// Queries between steps, from any number of threads. They answer from the index of the last step or refresh; after
// additions, removals, parking and teleports they say STALE_INDEX. Places are those of the world, walls those of the
// ground.
#ifndef THRONG_QUERY_H
#define THRONG_QUERY_H

#include <throng/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Who counts. Start from throng_default_query_filter().
typedef struct throng_query_filter {
    size_t struct_size;
    uint32_t mask;            ///< agents with (layer & mask) != 0; walls likewise; default: all
    float body_radius;        ///< m, >= 0: gaps are between bodies of this radius and the agents'; default 0
    throng_agent_id excluded; ///< left out; all zero (default): nobody
    float height_low;         ///< m: agents and walls whose heights overlap these, not NaN; default: all heights,
    float height_high;        ///< -INFINITY to INFINITY
} throng_query_filter;

typedef struct throng_query_hit {
    throng_agent_id agent;
    float gap; ///< m: distance - body_radius - the agent's radius; negative where they overlap
} throng_query_hit;

THRONG_API throng_query_filter throng_default_query_filter(void);

/// The nearest agents to (x, y) with a gap of at most `range` m, >= 0 or INFINITY, ordered by (gap, creation number):
/// the first `capacity` are written, `count` receives their number. `filter` null: the defaults. ARGUMENT, VALUE,
/// STALE_INDEX.
THRONG_API throng_result throng_query_nearest(const throng_world *world, double x, double y, float range,
                                              const throng_query_filter *filter, throng_query_hit *hits,
                                              uint32_t capacity, uint32_t *count);

/// Agents whose centre lies within the box, borders included, in creation order: the first `capacity` are written,
/// `count` receives how many there are. ARGUMENT, VALUE (not finite, min > max), STALE_INDEX.
THRONG_API throng_result throng_query_box(const throng_world *world, const double min[2], const double max[2],
                                          const throng_query_filter *filter, throng_agent_id *agents, uint32_t capacity,
                                          uint32_t *count);

/// Whether the straight line between two points, m, meets no wall (a body of filter->body_radius moves freely along
/// it). ARGUMENT, VALUE.
THRONG_API throng_result throng_query_line_of_sight(const throng_world *world, const double from[2], const double to[2],
                                                    const throng_query_filter *filter, bool *visible);

/// The nearest place to (x, y), m, where a body of filter->body_radius touches no wall, at most `range` m, >= 0 or
/// INFINITY, away.
/// ARGUMENT, VALUE, NONE_FOUND.
THRONG_API throng_result throng_query_free_place(const throng_world *world, double x, double y, double range,
                                                 const throng_query_filter *filter, double place[2]);

/// A half-plane of velocities: dot(n, v) >= c.
typedef struct throng_half_plane {
    float nx, ny;
    float c; ///< m/s
} throng_half_plane;

enum { THRONG_EXPLAIN_NEIGHBORS = 255, THRONG_EXPLAIN_WALLS = 32 };

/// Why an agent would move as it will: what the next step of `time_step` would find and solve for it. Who is inside a
/// wall walks by its preferred velocity whatever is solved.
typedef struct throng_explanation {
    uint32_t neighbor_count; ///< 0 where others lie on top of it on all sides: it stands still
    throng_query_hit neighbors[THRONG_EXPLAIN_NEIGHBORS]; ///< in order
    throng_half_plane planes[THRONG_EXPLAIN_NEIGHBORS];   ///< one for each neighbor
    uint32_t wall_count;
    throng_half_plane wall_planes[THRONG_EXPLAIN_WALLS]; ///< nearest piece first
    float preferred_velocity[2];                         ///< m/s
    float solved_velocity[2];                            ///< m/s
    bool feasible;
    float violation; ///< m/s, 0 where feasible
} throng_explanation;

/// Explains one agent without changing anything. Its scratch comes from the world's allocator, which must be safe to
/// call from several threads where several explain at once.
/// ARGUMENT (also a parked agent), STALE_ID, VALUE (time_step; the agent's input column), STALE_INDEX, MEMORY.
THRONG_API throng_result throng_query_explain(const throng_world *world, throng_agent_id agent, double time_step,
                                              throng_explanation *explanation);

#ifdef __cplusplus
}
#endif

#endif
