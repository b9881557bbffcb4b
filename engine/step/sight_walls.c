// Walls that hide others, after a search over lanes that did not ask for them: few are near any wall.
#include "step/sight.h"

#include "base/scalar.h"
#include "state/wall_place.h"

enum {
    FARTHER = 5,                    // how many may be hidden before somebody has to search anew
    MOST = THRONG_NEAREST_SLOTS - 1 // neighbors that a quick search finds
};

void throng_sight_look_farther(const throng_step *step, throng_tile *tile) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    throng_nearest_lists *lists = &tile->lists;
    const throng_wall_set *walls = throng_walls_of(world, tile->row[0]);
    if (walls->piece_count == 0) return;
    throng_wall_box box = {lists->x[0], lists->y[0], lists->x[0], lists->y[0]};
    for (int lane = 1; lane < tile->count; ++lane) {
        const throng_wall_box place = {lists->x[lane], lists->y[lane], lists->x[lane], lists->y[lane]};
        box = throng_wall_box_union(&box, &place);
    }
    // A tile holds about as many as are asked for, so that they lie within about half its size.
    const double around = throng_mind(0.5 * throng_maxd(box.max_x - box.min_x, box.max_y - box.min_y), 100.0);
    box = (throng_wall_box){box.min_x - around, box.min_y - around, box.max_x + around, box.max_y + around};
    uint32_t piece;
    throng_wall_walk walk = throng_wall_walk_begin(&walls->pieces, &box);
    if (!throng_wall_walk_next(&walk, &piece)) return;
    for (int lane = 0; lane < tile->count; ++lane) {
        const int wanted = lists->neighbors[lane];
        if (!agents->line_of_sight[tile->row[lane]] || wanted == 0 || wanted >= MOST) continue;
        lists->neighbors[lane] = wanted + FARTHER < MOST ? wanted + FARTHER : MOST;
    }
}

/// How far the farthest whom a lane found is, m.
static double farthest_of(const throng_step *step, const throng_tile *tile, int lane) {
    float farthest = 0.0f;
    for (int slot = 0, at = lane; slot < tile->lists.found[lane]; ++slot, at += THRONG_LANES) {
        const float radius = step->world->index.tree.radius[tile->lists.position[at]];
        farthest = throng_maxf(farthest, tile->lists.key[at] + radius);
    }
    return 1.00001 * farthest + 1e-3; // above the rounding of keys
}

/// The lanes, a bit each, that have walls of any kind as near as those whom they found; near_walls are all near the
/// tile.
static uint32_t find_walls(const throng_step *step, throng_tile *tile) {
    const throng_wall_set *walls = throng_walls_of(step->world, tile->row[0]);
    const throng_wall_filter all = throng_wall_filter_of(UINT32_MAX);
    throng_wall_seekers seekers;
    throng_wall_box box = {0};
    bool any = false;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        seekers.x[lane] = tile->lists.x[lane];
        seekers.y[lane] = tile->lists.y[lane];
        seekers.reach[lane] = -1.0;
        if (lane >= tile->count || tile->lists.found[lane] == 0) continue;
        seekers.reach[lane] = farthest_of(step, tile, lane);
        const throng_wall_box own = throng_wall_box_around(seekers.x[lane], seekers.y[lane], seekers.reach[lane]);
        box = any ? throng_wall_box_union(&box, &own) : own;
        any = true;
    }
    tile->near_wall_count = any ? throng_wall_set_query(walls, &box, all, tile->near_walls, walls->piece_count) : 0;
    uint32_t lanes = 0;
    double squared[THRONG_LANES];
    for (uint32_t i = 0; i < tile->near_wall_count; ++i) {
        lanes |= step->world->kernels->wall_distances(&seekers, &walls->segment[tile->near_walls[i]], squared);
    }
    return lanes;
}

/// Contacts heed nobody's sight: they keep the list as it is.
static void part_contacts(throng_tile *tile) {
    if (tile->contact_key == tile->seen_contact_key) return;
    for (int at = 0; at < THRONG_CONTACT_SLOTS * THRONG_LANES; ++at) {
        tile->seen_contact_key[at] = tile->lists.key[at];
        tile->seen_contact_position[at] = tile->lists.position[at];
    }
    tile->contact_key = tile->seen_contact_key;
    tile->contact_position = tile->seen_contact_position;
}

/// Of those whom a lane found the first `wanted` whom no wall hides. False: there may be more, farther away.
static bool keep_seen(const throng_step *step, throng_tile *tile, int lane, int wanted) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    const uint32_t row = tile->row[lane];
    const throng_wall_set *walls = throng_walls_of(world, row);
    const throng_wall_filter filter = throng_row_wall_filter(agents, row);
    const double from[2] = {agents->x[row], agents->y[row]};
    throng_nearest_lists *lists = &tile->lists;
    const int found = lists->found[lane];
    int kept = 0;
    for (int slot = 0; slot < found && kept < wanted; ++slot) {
        const int at = slot * THRONG_LANES + lane, to_slot = kept * THRONG_LANES + lane;
        const uint32_t other = world->index.order[lists->position[at]];
        const double to[2] = {from[0] + (agents->x[other] - from[0]), from[1] + (agents->y[other] - from[1])};
        if (!throng_wall_place_sees_past(walls, tile->near_walls, tile->near_wall_count, filter, from, to, 0.0)) {
            continue;
        }
        if (kept < slot) {
            part_contacts(tile);
            lists->key[to_slot] = lists->key[at];
            lists->position[to_slot] = lists->position[at];
        }
        kept++;
    }
    const bool whole = kept == wanted || found < lists->neighbors[lane];
    lists->found[lane] = kept;
    return whole;
}

void throng_sight_hide(const throng_step *step, throng_tile *tile) {
    const throng_agents *agents = &step->world->agents;
    throng_nearest_lists *lists = &tile->lists;
    tile->walls_between = 0;
    if (throng_walls_of(step->world, tile->row[0])->piece_count == 0) return;
    tile->walls_between = find_walls(step, tile);
    uint32_t again = 0;
    for (int lane = 0; lane < tile->count; ++lane) {
        const int wanted = agents->max_neighbors[tile->row[lane]];
        if (tile->walls_between >> lane & agents->line_of_sight[tile->row[lane]]) {
            if (!keep_seen(step, tile, lane, wanted)) again |= 1u << lane;
        } else if (lists->found[lane] > wanted) {
            lists->found[lane] = wanted;
        }
        lists->neighbors[lane] = wanted;
    }
    if (!again) return;
    part_contacts(tile);
    throng_sight_search(step, tile, again);
}
