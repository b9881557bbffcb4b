// Neighbors in a world with supports. The index speaks of places in the world. On the ground and on belts those are the
// agents' own; who is on a platform searches here, by distances in its frame to those on the same platform, so that the
// order of its neighbors is that of the platform at rest.
#include "step/step.h"

#include "base/scalar.h"
#include "step/share.h"

typedef struct search {
    const throng_world *world;
    throng_nearest_lists *lists;
    int lane;
    uint32_t row, frame;
    double x, y; // m, own place in the frame
    float worst; // m: a key above it changes nothing
} search;

static float key_at(const search *s, int slot) {
    return s->lists->key[slot * THRONG_LANES + s->lane];
}

/// As the kernels have it: the last neighbor's key, or the last contact candidate's.
static float worst_key(const search *s) {
    const throng_nearest_lists *lists = s->lists;
    const int last = lists->neighbors[s->lane];
    const float contact = throng_minf(lists->contact_range[s->lane], key_at(s, THRONG_CONTACT_SLOTS - 1));
    return last ? throng_maxf(contact, throng_minf(lists->range[s->lane], key_at(s, last - 1))) : contact;
}

static bool counts(const search *s, uint32_t position, uint32_t other) {
    const throng_nearest_lists *lists = s->lists;
    const throng_agents *agents = &s->world->agents;
    return (int32_t)position != lists->self[s->lane] && ((uint32_t)lists->mask[s->lane] & agents->layer[other]) != 0 &&
           lists->yield[s->lane] + agents->yield[other] > 0.0f;
}

static void insert(search *s, float key, uint32_t position) {
    throng_nearest_lists *lists = s->lists;
    const uint32_t *rank = s->world->index.tree.rank;
    int slot = lists->slot_count - 1;
    for (;; --slot) {
        const int at = slot * THRONG_LANES + s->lane;
        const bool last = slot == lists->slot_count - 1;
        const bool after = key > lists->key[at] || (key == lists->key[at] && lists->position[at] >= 0 &&
                                                    rank[position] > rank[lists->position[at]]);
        if (after) {
            if (last) return;
            break;
        }
        if (!last) {
            lists->key[at + THRONG_LANES] = lists->key[at];
            lists->position[at + THRONG_LANES] = lists->position[at];
        }
        if (slot == 0) {
            slot = -1;
            break;
        }
    }
    const int at = (slot + 1) * THRONG_LANES + s->lane;
    lists->key[at] = key;
    lists->position[at] = (int32_t)position;
    s->worst = worst_key(s);
}

static void look_at_leaf(search *s, uint32_t leaf) {
    const throng_index *index = &s->world->index;
    const uint32_t first = leaf * THRONG_LANES, end = throng_min_u32(index->tree.count, first + THRONG_LANES);
    for (uint32_t position = first; position < end; ++position) {
        const uint32_t other = index->order[position];
        if (!counts(s, position, other)) continue;
        const throng_vector offset = throng_offset_of(s->world, s->row, other, false);
        const float dx = (float)offset.x, dy = (float)offset.y;
        const float key = sqrtf(dx * dx + dy * dy) - index->tree.radius[position];
        if (key <= s->worst) insert(s, key, position);
    }
}

static void count_found(const search *s) {
    throng_nearest_lists *lists = s->lists;
    int found = 0;
    while (found < lists->neighbors[s->lane] && key_at(s, found) <= lists->range[s->lane]) ++found;
    lists->found[s->lane] = found;
}

static void search_lane(const throng_step *step, throng_tile *tile, int lane, uint32_t frame) {
    throng_nearest_lists *lists = &tile->lists;
    const throng_index *index = &step->world->index;
    const uint32_t row = tile->row[lane];
    search s = {step->world, lists, lane, row, frame, lists->x[lane], lists->y[lane], 0.0f};
    for (int slot = 0; slot < lists->slot_count; ++slot) {
        lists->key[slot * THRONG_LANES + lane] = INFINITY;
        lists->position[slot * THRONG_LANES + lane] = -1;
    }
    s.worst = worst_key(&s);
    // Places in the frame and in the world differ by the rounding of the turn.
    const float slack = index->guard + (float)((fabs(s.x) + fabs(s.y)) * 0x1p-48);
    const float at[2] = {lists->tree_x[lane], lists->tree_y[lane]};
    kdt_walk_2f walk;
    kdt_walk_2f_begin(&walk, &index->tree, at, at, 0.0f, slack, (uint32_t)lists->mask[lane]);
    for (uint32_t leaf; kdt_walk_2f_next(&walk, s.worst, UINT32_MAX, &leaf);) look_at_leaf(&s, leaf);
    count_found(&s);
}

void throng_step_search_frames(const throng_step *step, throng_tile *tile) {
    const throng_world *world = step->world;
    for (int lane = 0; lane < tile->count; ++lane) {
        const uint32_t row = tile->row[lane], frame = throng_frame_of(world, row);
        if (frame == 0) continue;
        tile->lists.x[lane] = world->agents.x[row];
        tile->lists.y[lane] = world->agents.y[row];
        search_lane(step, tile, lane, frame);
    }
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
