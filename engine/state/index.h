// The index: a kd-tree over the active agents' places, in float relative to an origin amid the crowd.
// It serves the next step's neighbors and the queries between steps; what they select is decided by exact keys.
#ifndef THRONG_STATE_INDEX_H
#define THRONG_STATE_INDEX_H

#include "state/agents.h"

#include "kernels/nearest.h"

#include <kdtree.h>
#include <stdatomic.h>

typedef struct throng_extent {
    double min_x, max_x, min_y, max_y; // m
} throng_extent;

typedef struct throng_index {
    kdt_tree_2f tree;
    size_t capacity;           ///< agents there is room for
    uint32_t count;            ///< agents indexed
    bool fresh;                ///< it speaks of the current places
    double origin_x, origin_y; ///< m
    float guard;               ///< m: no distance in tree coordinates is off by more
    throng_packed *packed;     ///< by tree position
    atomic_bool radii_differ;  ///< of those who are packed
    bool packs;                ///< packed speaks of the crowd: within a step, in worlds without supports
    uint32_t *order;           ///< tree position -> row
    void *tree_memory, *scratch;
    size_t tree_bytes, scratch_bytes;
    throng_extent *extents; ///< of each block of rows
    size_t extent_count;
} throng_index;

void throng_index_release(throng_index *index, throng_memory *memory);

/// Room for as many agents as there are rows. False and unchanged when there is no memory.
bool throng_index_reserve(throng_index *index, throng_memory *memory, const throng_agents *agents);

/// Places and velocities by row.
typedef struct throng_motion {
    const double *x, *y;                  // m
    const float *velocity_x, *velocity_y; // m/s
} throng_motion;

/// As the world publishes it.
static inline throng_motion throng_motion_of(const throng_agents *agents) {
    return (throng_motion){agents->x, agents->y, agents->velocity_x, agents->velocity_y};
}

/// Indexes the active agents where and as fast as `motion` says.
void throng_index_build(throng_index *index, const throng_agents *agents, const throng_parallel *parallel,
                        throng_motion motion);

/// Packs those who are indexed, with their motion.
void throng_index_pack(throng_index *index, const throng_agents *agents, const throng_parallel *parallel,
                       throng_motion motion);

/// A place in tree coordinates.
static inline void throng_index_place(const throng_index *index, double x, double y, float place[2]) {
    place[0] = (float)(x - index->origin_x);
    place[1] = (float)(y - index->origin_y);
}

#endif
