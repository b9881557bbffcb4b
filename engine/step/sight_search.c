// The search agent by agent: it takes places as each agent sees them from its own support, and whom walls hide.
#include "step/sight.h"

#include "base/scalar.h"
#include "step/neighbors.h"

/// One lane's list of the nearest, sorted by (key, rank); slots are [slot][THRONG_LANES].
typedef struct near_list {
    float *key;
    int32_t *position;
    int count, capacity;
    float range; // m, of keys
} near_list;

/// A key above it changes nothing.
static float worst_of(const near_list *list) {
    if (list->capacity == 0) return -INFINITY;
    if (list->count < list->capacity) return list->range;
    return throng_minf(list->range, list->key[(list->capacity - 1) * THRONG_LANES]);
}

static bool comes_before(const near_list *list, const uint32_t *rank, int slot, float key, uint32_t position) {
    const float other = list->key[slot * THRONG_LANES];
    if (key != other) return key < other;
    return rank[position] < rank[list->position[slot * THRONG_LANES]];
}

static bool belongs(const near_list *list, const uint32_t *rank, float key, uint32_t position) {
    if (!(key <= list->range) || list->capacity == 0) return false;
    return list->count < list->capacity || comes_before(list, rank, list->capacity - 1, key, position);
}

static void insert(near_list *list, const uint32_t *rank, float key, uint32_t position) {
    int slot = list->count < list->capacity ? list->count++ : list->capacity - 1;
    for (; slot > 0 && comes_before(list, rank, slot - 1, key, position); --slot) {
        list->key[slot * THRONG_LANES] = list->key[(slot - 1) * THRONG_LANES];
        list->position[slot * THRONG_LANES] = list->position[(slot - 1) * THRONG_LANES];
    }
    list->key[slot * THRONG_LANES] = key;
    list->position[slot * THRONG_LANES] = (int32_t)position;
}

static bool at_one_height(const throng_agents *agents, uint32_t a, uint32_t b) {
    return agents->height_low[a] < agents->height_high[b] && agents->height_low[b] < agents->height_high[a];
}

typedef struct lane_lists {
    near_list neighbors, contacts;
} lane_lists;

static lane_lists begin_lane(throng_tile *tile, int lane) {
    throng_nearest_lists *lists = &tile->lists;
    lane_lists own = {
        .neighbors = {lists->key + lane, lists->position + lane, 0, lists->neighbors[lane], lists->range[lane]},
        .contacts = {tile->seen_contact_key + lane, tile->seen_contact_position + lane, 0, THRONG_CONTACT_SLOTS,
                     lists->contact_range[lane]}};
    return own;
}

static void offer(const throng_step *step, const throng_tile *tile, int lane, lane_lists *own, uint32_t position) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    const throng_nearest_lists *lists = &tile->lists;
    const uint32_t row = tile->row[lane], other = world->index.order[position];
    if (other == row || ((uint32_t)lists->mask[lane] & agents->layer[other]) == 0) return;
    const throng_vector offset = throng_offset_of(world, row, other, false);
    const float dx = (float)offset.x, dy = (float)offset.y;
    const float key = sqrtf(dx * dx + dy * dy) - agents->radius[other];
    const uint32_t *rank = world->index.tree.rank;
    const bool near = belongs(&own->neighbors, rank, key, position);
    const bool touch = belongs(&own->contacts, rank, key, position);
    if (!near && !touch) return;
    if (!(agents->yield[row] + agents->yield[other] > 0.0f)) return;
    const bool by_sight = throng_sight_matters(agents);
    if (by_sight && !at_one_height(agents, row, other)) return;
    if (touch) insert(&own->contacts, rank, key, position);
    if (near && (!by_sight || throng_sees(world, row, other))) insert(&own->neighbors, rank, key, position);
}

/// The largest rank that changes a list, of those that come with the largest key that does: it matters only in a heap.
static uint32_t last_rank(const throng_tile *tile, const lane_lists *own, const uint32_t *rank, float bound) {
    if (bound > 0.0f) return UINT32_MAX;
    uint32_t last = 0;
    for (int lane = 0; lane < tile->count; ++lane) {
        const near_list *lists[2] = {&own[lane].neighbors, &own[lane].contacts};
        for (int i = 0; i < 2; ++i) {
            if (worst_of(lists[i]) < bound) continue;
            if (lists[i]->count < lists[i]->capacity) return UINT32_MAX;
            last = throng_max_u32(last, rank[lists[i]->position[(lists[i]->capacity - 1) * THRONG_LANES]]);
        }
    }
    return last;
}

/// A key above it changes nothing for the lane.
static float worst_of_lane(const lane_lists *own) {
    return throng_maxf(worst_of(&own->neighbors), worst_of(&own->contacts));
}

/// Offers a lane those of a leaf that tree coordinates do not tell to be too far. `slack` is what those may be off by,
/// m.
static void offer_leaf(const throng_step *step, const throng_tile *tile, int lane, lane_lists *own, uint32_t leaf,
                       float slack) {
    const kdt_tree_2f *tree = &step->world->index.tree;
    const kdt_node_2f *node = &tree->nodes[tree->first_leaf + leaf];
    const float x = tile->lists.tree_x[lane], y = tile->lists.tree_y[lane];
    const float reach = worst_of_lane(own) + (node->radius + slack);
    if (!(reach >= 0.0f)) return;
    const float most = reach * reach * (1.0f + 0x1p-19f); // above the rounding of the squares
    const float aside = throng_maxf(throng_maxf(node->lo[0] - x, x - node->hi[0]), 0.0f);
    const float above = throng_maxf(throng_maxf(node->lo[1] - y, y - node->hi[1]), 0.0f);
    if (aside * aside + above * above > most) return;
    const uint32_t first = leaf * THRONG_LANES, count = throng_min_u32(THRONG_LANES, tree->count - first);
    const float *tree_x = tree->coord[0] + first, *tree_y = tree->coord[1] + first;
    float square[THRONG_LANES];
    for (uint32_t i = 0; i < count; ++i) {
        const float dx = tree_x[i] - x, dy = tree_y[i] - y;
        square[i] = dx * dx + dy * dy;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (square[i] <= most) offer(step, tile, lane, own, first + i);
    }
}

void throng_sight_search(const throng_step *step, throng_tile *tile, uint32_t lanes) {
    const throng_index *index = &step->world->index;
    lane_lists own[THRONG_LANES];
    float bound = -INFINITY;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        own[lane] = begin_lane(tile, lane);
        if (!(lanes >> lane & 1)) own[lane].neighbors.range = own[lane].contacts.range = -INFINITY;
        for (int slot = 0; lanes >> lane & 1 && slot < THRONG_CONTACT_SLOTS; ++slot) {
            tile->seen_contact_key[slot * THRONG_LANES + lane] = INFINITY;
        }
        bound = throng_maxf(bound, worst_of_lane(&own[lane]));
    }
    kdt_walk_2f walk;
    const float slack = throng_step_frame_slack(step, tile);
    throng_neighbors_walk(&walk, index, tile, slack);
    uint32_t leaf;
    while (kdt_walk_2f_next(&walk, bound, last_rank(tile, own, index->tree.rank, bound), &leaf)) {
        bound = -INFINITY;
        for (int lane = 0; lane < tile->count; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            offer_leaf(step, tile, lane, &own[lane], leaf, index->guard + slack);
            bound = throng_maxf(bound, worst_of_lane(&own[lane]));
        }
    }
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        if (lanes >> lane & 1) tile->lists.found[lane] = own[lane].neighbors.count;
    }
    tile->contact_key = tile->seen_contact_key;
    tile->contact_position = tile->seen_contact_position;
}
