// Reads:  pairs of neighbors, walls near the tile, horizons.
// Writes: the tile's half-planes (walls, limits of turns, agents) and how many there are; horizons too short to reckon
//         with.
// Order:  walls by (distance², end coordinates), agents by (gap, creation number).
// Cost:   O(slots) a tile.
#include "step/step.h"

#include "base/scalar.h"
#include "base/tie.h"
#include "state/extras.h"
#include "state/wall_near.h"
#include "step/turn.h"

#include <math.h>

/// Within less, s, the speeds that collisions ask for would overflow, by THRONG_LIMIT_NUMBER.
static const float shortest_time = 1e-9f;

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
                                        tile->pair_radius[at], tile->pair_share[at],
                                        throng_maxf(step->dt, shortest_time), plane);
            planes.nx[at] = plane[0];
            planes.ny[at] = plane[1];
            planes.c[at] = plane[2];
        }
    }
}

// ---- walls

/// Who of a tile seeks walls, and which stop it.
typedef struct wall_search {
    throng_wall_seekers seekers;
    throng_wall_filter filters[THRONG_LANES];
    throng_wall_near near[THRONG_LANES];
} wall_search;

/// The walls that anybody of the tile may have to heed.
static void find_walls(const throng_step *step, throng_tile *tile, const throng_wall_view *view, wall_search *search) {
    throng_wall_filter filter = {.mask = 0, .low = INFINITY, .high = -INFINITY};
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        search->seekers.x[lane] = view->x[lane];
        search->seekers.y[lane] = view->y[lane];
        search->seekers.reach[lane] = view->reach[lane];
    }
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        search->filters[lane] = throng_row_wall_filter(&step->world->agents, tile->row[lane]);
        filter = throng_wall_filter_union(filter, search->filters[lane]);
    }
    double box[4];
    step->world->kernels->wall_reach(&search->seekers, box);
    tile->wall_box = (throng_wall_box){box[0], box[1], box[2], box[3]};
    tile->near_wall_count = 0;
    if (!(box[0] <= box[2])) return;
    tile->near_wall_count =
        throng_wall_set_query(view->walls, &tile->wall_box, filter, tile->near_walls, view->walls->piece_count);
}

static int32_t flags_of(const throng_wall_set *walls, uint32_t piece) {
    int32_t flags = 0;
    if (walls->previous[piece] != THRONG_WALL_NONE) flags |= THRONG_WALL_JOINED_A;
    if (walls->next[piece] != THRONG_WALL_NONE) flags |= THRONG_WALL_JOINED_B;
    // Polygons run counterclockwise.
    const uint32_t wall = walls->segment[piece].wall;
    if (wall < walls->solid_count) {
        flags |= THRONG_WALL_SOLID_LEFT;
    } else if (wall < walls->solid_count + walls->enclosure_count) {
        flags |= THRONG_WALL_SOLID_RIGHT;
    }
    return flags;
}

static void put_wall(const throng_wall_set *walls, throng_tile *tile, int at, uint32_t piece, double x, double y) {
    const uint32_t previous = walls->previous[piece], next = walls->next[piece];
    const throng_wall_segment *own = &walls->segment[piece];
    const double dx = x - own->ax, dy = y - own->ay;
    double along = dx * own->ux + dy * own->uy;
    along = along > 0.0 ? along : 0.0;
    along = along < own->length ? along : own->length;
    const int at_b = along == own->length;
    tile->wall_sx[at] = (float)(at_b ? own->bx - x : along * own->ux - dx);
    tile->wall_sy[at] = (float)(at_b ? own->by - y : along * own->uy - dy);
    tile->wall_ux[at] = (float)own->ux;
    tile->wall_uy[at] = (float)own->uy;
    tile->wall_to_a[at] = (float)-along;
    tile->wall_to_b[at] = (float)(own->length - along);
    if (previous != THRONG_WALL_NONE) {
        tile->wall_a_dx[at] = (float)-walls->segment[previous].ux;
        tile->wall_a_dy[at] = (float)-walls->segment[previous].uy;
    }
    if (next != THRONG_WALL_NONE) {
        tile->wall_b_dx[at] = (float)walls->segment[next].ux;
        tile->wall_b_dy[at] = (float)walls->segment[next].uy;
    }
    tile->wall_chain[at] = (int32_t)own->wall;
    tile->wall_flags[at] = flags_of(walls, piece);
}

/// All lanes of a slot.
static void clear_walls(throng_tile *tile, int slot) {
    float *const columns[] = {tile->wall_sx,   tile->wall_sy,   tile->wall_ux,   tile->wall_uy,   tile->wall_to_a,
                              tile->wall_to_b, tile->wall_a_dx, tile->wall_a_dy, tile->wall_b_dx, tile->wall_b_dy};
    const int at = slot * THRONG_LANES;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i) {
        for (int lane = 0; lane < THRONG_LANES; ++lane) columns[i][at + lane] = 0.0f;
    }
    for (int lane = 0; lane < THRONG_LANES; ++lane) tile->wall_chain[at + lane] = tile->wall_flags[at + lane] = 0;
}

void throng_step_wall_planes(const throng_step *step, throng_tile *tile, const throng_wall_view *view,
                             throng_tile_planes planes) {
    wall_search search;
    tile->wall_slots = 0;
    find_walls(step, tile, view, &search);
    for (int lane = 0; lane < THRONG_LANES; ++lane) tile->wall_gap[lane] = view->reach[lane];
    if (tile->near_wall_count == 0) return;
    const throng_wall_near *near = search.near;
    throng_wall_near_find(step->world->kernels, view->walls, tile->near_walls, tile->near_wall_count, &search.seekers,
                          search.filters, search.near);
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const uint32_t count = lane < tile->count ? near[lane].count : 0;
        tile->wall_count[lane] = (int32_t)count;
        if ((int)count > tile->wall_slots) tile->wall_slots = (int)count;
        if (count) tile->wall_gap[lane] = sqrt(near[lane].squared[0]);
        tile->walls_cut += lane < tile->count && near[lane].cut;
    }
    for (int slot = 0; slot < tile->wall_slots; ++slot) clear_walls(tile, slot);
    for (int lane = 0; lane < tile->count; ++lane) {
        for (uint32_t slot = 0; slot < near[lane].count; ++slot) {
            put_wall(view->walls, tile, (int)slot * THRONG_LANES + lane, near[lane].piece[slot], view->x[lane],
                     view->y[lane]);
        }
    }
    const throng_walls_input walls = throng_tile_walls(tile, view->velocity_x, view->velocity_y);
    step->world->kernels->wall_planes(&walls, planes);
}

static void constrain_by_walls(const throng_step *step, throng_tile *tile) {
    tile->wall_slots = 0;
    tile->walls_cut = 0;
    if (throng_has_supports(step->world)) {
        throng_step_constrain_in_frames(step, tile);
        return;
    }
    if (step->world->walls->piece_count == 0) return;
    throng_wall_view view = {.walls = step->world->walls,
                             .x = tile->lists.x,
                             .y = tile->lists.y,
                             .velocity_x = tile->velocity_x,
                             .velocity_y = tile->velocity_y};
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const float reach = tile->radius[lane] + tile->max_speed[lane] * tile->obstacle_horizon[lane];
        view.reach[lane] = lane < tile->count ? reach : -1.0f;
    }
    throng_step_wall_planes(step, tile, &view, tile->planes);
}

static throng_tile_planes planes_from(const throng_tile *tile, int slot) {
    const size_t skip = (size_t)slot * THRONG_LANES;
    return (throng_tile_planes){tile->planes.nx + skip, tile->planes.ny + skip, tile->planes.c + skip};
}

static void constrain_turns(const throng_step *step, throng_tile *tile) {
    tile->hard_slots = tile->wall_slots;
    if (!THRONG_USES(&step->world->agents, max_turn_rate)) return;
    throng_turn_constrain(step, tile, planes_from(tile, tile->wall_slots));
    tile->hard_slots += THRONG_TURN_SLOTS;
}

// ---- agents

static void constrain_by_agents(const throng_step *step, throng_tile *tile) {
    const throng_pairs_input pairs = throng_tile_pairs(tile, tile->horizon, throng_maxf(step->dt, shortest_time));
    const throng_tile_planes planes = planes_from(tile, tile->hard_slots);
    step->world->kernels->agent_planes(&pairs, planes, tile->degenerate);
    break_ties(step, tile, planes);
}

void throng_step_constraints(const throng_step *step, throng_tile *tile) {
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        tile->horizon[lane] = throng_maxf(tile->horizon[lane], shortest_time);
        tile->obstacle_horizon[lane] = throng_maxf(tile->obstacle_horizon[lane], shortest_time);
    }
    constrain_by_walls(step, tile);
    constrain_turns(step, tile);
    constrain_by_agents(step, tile);
}
