// Pairs in a world with supports: what somebody sees of its neighbors from its support.
#include "step/neighbors.h"

#include "base/scalar.h"
#include "step/share.h"

bool throng_step_leaves_ground(const throng_step *step, const throng_tile *tile) {
    bool leaves = false;
    for (int lane = 0; lane < tile->count; ++lane) leaves |= throng_frame_of(step->world, tile->row[lane]) != 0;
    return leaves;
}

float throng_step_frame_slack(const throng_step *step, const throng_tile *tile) {
    const throng_agents *agents = &step->world->agents;
    double farthest = 0.0;
    for (int lane = 0; lane < tile->count; ++lane) {
        const uint32_t row = tile->row[lane];
        if (throng_frame_of(step->world, row) == 0) continue;
        farthest = throng_maxd(farthest, fabs(agents->x[row]) + fabs(agents->y[row]));
    }
    return (float)(farthest * 0x1p-48);
}

bool throng_step_is_together(const throng_step *step, const throng_tile *tile) {
    if (!step->memory) return false; // between steps nobody noted what leaves stand on
    const throng_agents *agents = &step->world->agents;
    const uint32_t *leaf_support = step->memory->leaf_support, own = agents->support[tile->row[0]];
    float bound = -INFINITY;
    for (int lane = 0; lane < tile->count; ++lane) {
        bound = throng_maxf(bound, throng_maxf(tile->lists.range[lane], tile->lists.contact_range[lane]));
    }
    kdt_walk_2f walk;
    throng_neighbors_walk(&walk, &step->world->index, tile, throng_step_frame_slack(step, tile));
    for (uint32_t leaf; kdt_walk_2f_next(&walk, bound, UINT32_MAX, &leaf);) {
        if (leaf_support[leaf] != own) return false;
    }
    return leaf_support[tile->first / THRONG_LANES] == own;
}

void throng_step_gather_seen(const throng_step *step, throng_tile *tile, int lane) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    const uint32_t own = tile->row[lane];
    const float radius = agents->radius[own] + agents->margin[own];
    int at = lane;
    for (int slot = 0; slot < tile->neighbor_count[lane]; ++slot, at += THRONG_LANES) {
        const uint32_t other = (uint32_t)tile->neighbor_row[at];
        const throng_vector offset = throng_offset_of(world, own, other, false);
        const throng_vector velocity = throng_velocity_seen(world, own, other);
        tile->pair_x[at] = (float)offset.x;
        tile->pair_y[at] = (float)offset.y;
        tile->pair_vx[at] = (float)velocity.x;
        tile->pair_vy[at] = (float)velocity.y;
        tile->pair_radius[at] = radius + (agents->radius[other] + agents->margin[other]);
        tile->pair_share[at] = throng_share(agents, own, other);
    }
    for (int slot = tile->neighbor_count[lane]; slot < tile->neighbor_slots; ++slot, at += THRONG_LANES) {
        tile->pair_x[at] = tile->pair_y[at] = tile->pair_vx[at] = tile->pair_vy[at] = 0.0f;
        tile->pair_radius[at] = tile->pair_share[at] = 0.0f;
    }
}
