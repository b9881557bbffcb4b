// Reads:  neighbor rows, walls near the tile, places, velocities, radii, margins, yields, horizons.
// Writes: the tile's half-planes, walls first, and how many there are.
// Order:  walls by (distance², end coordinates), agents by (gap, creation number).
// Cost:   O(slots) a tile.
#include "step/step.h"

#include "base/tie.h"
#include "step/share.h"

static void gather_pairs(const throng_step *step, throng_tile *tile) {
    const throng_agents *agents = &step->world->agents;
    for (int slot = 0; slot < tile->neighbor_slots; ++slot) {
        for (int lane = 0; lane < THRONG_LANES; ++lane) {
            const int at = slot * THRONG_LANES + lane;
            const uint32_t own = tile->row[lane], other = (uint32_t)tile->neighbor_row[at];
            tile->pair_x[at] = (float)(agents->x[other] - agents->x[own]);
            tile->pair_y[at] = (float)(agents->y[other] - agents->y[own]);
            tile->pair_vx[at] = agents->velocity_x[other];
            tile->pair_vy[at] = agents->velocity_y[other];
            tile->pair_radius[at] =
                (agents->radius[own] + agents->margin[own]) + (agents->radius[other] + agents->margin[other]);
            tile->pair_share[at] = slot < tile->neighbor_count[lane] ? throng_share(agents, own, other) : 0.0f;
        }
    }
}

/// Pairs at one place with one velocity part along a direction of their creation numbers.
static void break_ties(const throng_step *step, throng_tile *tile, throng_tile_planes planes) {
    const throng_agents *agents = &step->world->agents;
    for (int slot = 0; slot < tile->neighbor_slots; ++slot) {
        if (!tile->degenerate[slot]) continue;
        for (int lane = 0; lane < tile->count; ++lane) {
            if (!(tile->degenerate[slot] >> lane & 1)) continue;
            const int at = slot * THRONG_LANES + lane;
            const uint32_t own = tile->row[lane], other = (uint32_t)tile->neighbor_row[at];
            float direction[2], plane[3];
            throng_tie_direction(step->world->seed, agents->creation[own], agents->creation[other], direction);
            throng_plane_from_direction(direction[0], direction[1], tile->velocity_x[lane], tile->velocity_y[lane],
                                        tile->pair_radius[at], tile->pair_share[at], step->dt, plane);
            planes.nx[at] = plane[0];
            planes.ny[at] = plane[1];
            planes.c[at] = plane[2];
        }
    }
}

void throng_step_constraints(const throng_step *step, throng_tile *tile, throng_tally *tally) {
    tile->wall_slots = 0;
    (void)tally;
    gather_pairs(step, tile);
    const throng_pairs_input pairs = {.slot_count = tile->neighbor_slots,
                                      .count = tile->neighbor_count,
                                      .px = tile->pair_x,
                                      .py = tile->pair_y,
                                      .vx = tile->pair_vx,
                                      .vy = tile->pair_vy,
                                      .radius = tile->pair_radius,
                                      .share = tile->pair_share,
                                      .self_vx = tile->velocity_x,
                                      .self_vy = tile->velocity_y,
                                      .horizon = tile->horizon,
                                      .time_step = step->dt};
    const size_t skip = (size_t)tile->wall_slots * THRONG_LANES;
    const throng_tile_planes planes = {tile->planes.nx + skip, tile->planes.ny + skip, tile->planes.c + skip};
    step->world->kernels->agent_planes(&pairs, planes, tile->degenerate);
    break_ties(step, tile, planes);
}
