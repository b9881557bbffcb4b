#include "step/sight.h"

#include "base/compiler.h"
#include "state/wall_place.h"
#include "step/target.h"

// ---- who sees whom

typedef struct gaze {
    double x, y; // of any length; zero: looks nowhere
} gaze;

/// Who walks looks along its velocity, who stands to where it wishes to go.
static gaze gaze_of(const throng_world *world, uint32_t row) {
    const throng_agents *agents = &world->agents;
    gaze g = {agents->velocity_x[row], agents->velocity_y[row]};
    if (g.x != 0.0 || g.y != 0.0) return g;
    if (throng_has_place_target(agents, row)) {
        throng_to_target(world, row, agents->x[row], agents->y[row], &g.x, &g.y);
    } else if (agents->target_kind[row] == THRONG_TARGET_VELOCITY) {
        const throng_vector wish = throng_fixed_wish(world, row);
        g = (gaze){wish.x, wish.y};
    }
    return g;
}

static bool is_in_view(const throng_world *world, uint32_t row, throng_vector offset) {
    const throng_agents *agents = &world->agents;
    const double range = agents->view_range[row], cosine = agents->view_cosine[row];
    const double px = offset.x, py = offset.y, square = px * px + py * py;
    if (square > range * range) return false;
    if (cosine <= -1.0) return true;
    const gaze g = gaze_of(world, row);
    const double ahead = g.x * px + g.y * py;
    return !(ahead * fabs(ahead) < throng_view_limit(cosine, g.x, g.y) * square);
}

static bool is_in_sight(const throng_world *world, uint32_t row, throng_vector offset) {
    const throng_agents *agents = &world->agents;
    const double from[2] = {agents->x[row], agents->y[row]}, to[2] = {from[0] + offset.x, from[1] + offset.y};
    return throng_wall_place_sees(throng_walls_of(world, row), throng_row_wall_filter(agents, row), from, to, 0.0);
}

bool throng_sees(const throng_world *world, uint32_t row, uint32_t other) {
    const throng_vector offset = throng_offset_of(world, row, other, false);
    if (!is_in_view(world, row, offset)) return false;
    return !world->agents.line_of_sight[row] || is_in_sight(world, row, offset);
}

void throng_sight_heed(const throng_step *step, const throng_tile *tile, throng_nearest_heed *heed) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    if (throng_heights_matter(agents)) {
        heed->other_low = agents->height_low;
        heed->other_high = agents->height_high;
        for (int lane = 0; lane < THRONG_LANES; ++lane) {
            heed->low[lane] = agents->height_low[tile->row[lane]];
            heed->high[lane] = agents->height_high[tile->row[lane]];
        }
    }
    if (!throng_views_matter(agents)) return;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const uint32_t row = tile->row[lane];
        const double range = agents->view_range[row];
        const gaze g = gaze_of(world, row);
        heed->gaze_x[lane] = g.x;
        heed->gaze_y[lane] = g.y;
        heed->view_limit[lane] = throng_view_limit(agents->view_cosine[row], g.x, g.y);
        heed->view_square[lane] = range * range;
        const double length = sqrt(g.x * g.x + g.y * g.y);
        const bool looks = length > 0.0 && agents->view_cosine[row] > -1.0f;
        heed->look_x[lane] = looks ? (float)(g.x / length) : 0.0f;
        heed->look_y[lane] = looks ? (float)(g.y / length) : 0.0f;
        heed->cosine[lane] = looks ? agents->view_cosine[row] : -2.0f;
        heed->range[lane] = agents->view_range[row];
    }
}

// ---- who is seen by whom it sees

static void take_all(throng_tile *tile, int at) {
    tile->pair_share[at] = 1.0f;
}

/// Where the fields of view of the others leave the agents out.
static void share_by_view(const throng_step *step, throng_tile *tile) {
    const throng_world *world = step->world;
    const throng_gazes_input in = {.slot_count = tile->neighbor_slots,
                                   .count = tile->neighbor_count,
                                   .row = tile->neighbor_row,
                                   .px = tile->pair_x,
                                   .py = tile->pair_y,
                                   .vx = tile->pair_vx,
                                   .vy = tile->pair_vy,
                                   .view_cosine = world->agents.view_cosine,
                                   .view_range = world->agents.view_range};
    uint16_t doubtful[THRONG_MAX_NEIGHBORS];
    world->kernels->unseen(&in, tile->pair_share, doubtful);
    for (int slot = 0; slot < tile->neighbor_slots; ++slot) {
        for (uint32_t lanes = doubtful[slot]; lanes; lanes &= lanes - 1) {
            const int lane = (int)throng_lowest_bit(lanes), at = slot * THRONG_LANES + lane;
            const uint32_t row = (uint32_t)tile->neighbor_row[at];
            if (!is_in_view(world, row, throng_offset_of(world, row, tile->row[lane], false))) take_all(tile, at);
        }
    }
}

static bool same_walls_stop(throng_wall_filter a, throng_wall_filter b) {
    return a.mask == b.mask && a.low == b.low && a.high == b.high;
}

/// Where walls hide the agents from others: not where none are near, nor where both see through the same walls.
static void share_by_walls(const throng_step *step, throng_tile *tile) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    for (uint32_t lanes = tile->walls_between; lanes; lanes &= lanes - 1) {
        const int lane = (int)throng_lowest_bit(lanes);
        const uint32_t own = tile->row[lane];
        const throng_wall_filter filter = throng_row_wall_filter(agents, own);
        for (int slot = 0, at = lane; slot < tile->neighbor_count[lane]; ++slot, at += THRONG_LANES) {
            const uint32_t row = (uint32_t)tile->neighbor_row[at];
            if (!agents->line_of_sight[row] || tile->pair_share[at] == 1.0f) continue;
            if (agents->line_of_sight[own] && same_walls_stop(filter, throng_row_wall_filter(agents, row))) continue;
            if (!is_in_sight(world, row, throng_offset_of(world, row, own, false))) take_all(tile, at);
        }
    }
}

static void share_one_by_one(const throng_step *step, throng_tile *tile) {
    for (int lane = 0; lane < tile->count; ++lane) {
        for (int slot = 0, at = lane; slot < tile->neighbor_count[lane]; ++slot, at += THRONG_LANES) {
            if (!throng_sees(step->world, (uint32_t)tile->neighbor_row[at], tile->row[lane])) take_all(tile, at);
        }
    }
}

void throng_sight_share(const throng_step *step, throng_tile *tile, bool seen) {
    const throng_agents *agents = &step->world->agents;
    const bool by_view = throng_views_matter(agents);
    const bool by_walls = THRONG_USES(agents, line_of_sight) && throng_has_walls(step->world);
    if (seen && (by_view || by_walls)) {
        share_one_by_one(step, tile);
        return;
    }
    if (by_view) share_by_view(step, tile);
    if (by_walls) share_by_walls(step, tile);
}
