// Reads:  index, places, radii, yields, layers and masks, neighbor ranges; heights and fields of view where some have
//         them.
// Writes: the tile's lanes, lists, neighbor rows and pairs; who of it is buried.
// Order:  (gap, creation number); no list depends on the tree or on the rows.
// Cost:   O(log n + what lies within reach) a tile; the candidates near it are tested against all lanes at once.
#include "step/neighbors.h"

#include "base/scalar.h"
#include "step/buried.h"
#include "step/near_leaves.h"
#include "step/share.h"
#include "step/sight.h"

#include <float.h>
#include <string.h>

/// How far beyond the bodies a push-out may carry someone within a step, as a part of the own radius.
static const float push_reach = 0.5f;

/// Up to so large bodies, m, searches are as quick as they can be; few giants cost only those near them.
static const float common_radius = 1.0f;

/// Tree coordinates are coarse where a leaf's side is not so many times as large as what they are off by.
static const float coarse = 4096.0f;

static void gather_lanes(const throng_step *step, throng_tile *tile) {
    const throng_agents *agents = &step->world->agents;
    const throng_index *index = &step->world->index;
    throng_nearest_lists *lists = &tile->lists;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const bool present = lane < tile->count;
        const uint32_t position = tile->first + (present ? (uint32_t)lane : 0);
        const uint32_t row = index->order[position];
        tile->row[lane] = row;
        if (index->packs) {
            const throng_packed *packed = &index->packed[position];
            lists->packed_x[lane] = packed->x;
            lists->packed_y[lane] = packed->y;
            tile->radius[lane] = packed->radius;
            tile->velocity_x[lane] = packed->velocity_x;
            tile->velocity_y[lane] = packed->velocity_y;
        } else {
            tile->radius[lane] = agents->radius[row];
            tile->velocity_x[lane] = agents->velocity_x[row];
            tile->velocity_y[lane] = agents->velocity_y[row];
        }
        tile->horizon[lane] = agents->time_horizon[row];
        tile->obstacle_horizon[lane] = throng_maxf(agents->obstacle_horizon[row], step->dt);
        tile->max_speed[lane] = agents->max_speed[row];
        tile->reach_radius[lane] = agents->max_acceleration[row] * step->dt;
        lists->tree_x[lane] = index->tree.coord[0][position];
        lists->tree_y[lane] = index->tree.coord[1][position];
        lists->x[lane] = throng_world_x(step->world)[row];
        lists->y[lane] = throng_world_y(step->world)[row];
        lists->self[lane] = (int32_t)position;
        lists->mask[lane] = (int32_t)agents->mask[row];
        lists->yield[lane] = agents->yield[row];
        lists->neighbors[lane] = present ? agents->max_neighbors[row] : 0;
        // Finite, since empty slots are infinitely far.
        lists->range[lane] = throng_minf(FLT_MAX, agents->neighbor_range[row] + tile->radius[lane]);
        // Two that approach at this one's greatest speed, and a push on top.
        lists->contact_range[lane] =
            throng_minf(FLT_MAX, (1.0f + push_reach) * tile->radius[lane] + 2.0f * agents->max_speed[row] * step->dt);
        if (!present) lists->range[lane] = lists->contact_range[lane] = -INFINITY;
    }
}

/// The largest rank that changes a list, of those that come with the key `bound`: it matters only in a heap, where all
/// that is left are ties.
static uint32_t last_rank(const throng_tile *tile, const throng_nearest_crowd *crowd, float bound) {
    if (bound > 0.0f) return UINT32_MAX;
    const throng_nearest_lists *lists = &tile->lists;
    uint32_t last = 0;
    for (int lane = 0; lane < tile->count; ++lane) {
        if (lists->worst[lane] < bound) continue;
        int slot = lists->neighbors[lane];
        if (lists->contact_range[lane] >= 0.0f && slot < THRONG_CONTACT_SLOTS) slot = THRONG_CONTACT_SLOTS;
        if (slot == 0) continue;
        const int32_t position = lists->position[(slot - 1) * THRONG_LANES + lane];
        if (position < 0) return UINT32_MAX;
        last = throng_max_u32(last, crowd->rank[position]);
    }
    return last;
}

static throng_nearest_leaf leaf_of(const kdt_tree_2f *tree, uint32_t leaf) {
    const kdt_node_2f *node = &tree->nodes[tree->first_leaf + leaf];
    const uint32_t first = leaf * THRONG_LANES;
    return (throng_nearest_leaf){.first = first,
                                 .count = throng_min_u32(THRONG_LANES, tree->count - first),
                                 .min_x = node->lo[0],
                                 .min_y = node->lo[1],
                                 .max_x = node->hi[0],
                                 .max_y = node->hi[1],
                                 .radius = node->radius};
}

static const kdt_node_2f *own_leaf(const kdt_tree_2f *tree, const throng_tile *tile) {
    return &tree->nodes[tree->first_leaf + tile->first / THRONG_LANES];
}

void throng_neighbors_walk(kdt_walk_2f *walk, const throng_index *index, const throng_tile *tile, float slack) {
    const kdt_node_2f *own = own_leaf(&index->tree, tile);
    uint32_t mask = 0;
    for (int lane = 0; lane < tile->count; ++lane) mask |= (uint32_t)tile->lists.mask[lane];
    kdt_walk_2f_begin(walk, &index->tree, own->lo, own->hi, 0.0f, index->guard + slack, mask);
}

/// Whether tree coordinates are too coarse for the distances between those of the tile, and packed places are not.
static bool needs_fine_keys(const throng_tile *tile, const throng_nearest_crowd *crowd) {
    const throng_nearest_lists *lists = &tile->lists;
    const float side = throng_maxf(lists->max_x - lists->min_x, lists->max_y - lists->min_y);
    if (!crowd->packed || side > coarse * crowd->guard) return false;
    float range = 0.0f;
    for (int lane = 0; lane < tile->count; ++lane) {
        range = throng_maxf(range, throng_maxf(lists->range[lane], lists->contact_range[lane]));
    }
    return range + crowd->largest_radius + 2.0f * (side + crowd->guard) < 0.999f * THRONG_NARROW;
}

/// Offers the tile leaf after leaf, roughly the nearest first.
static void offer_by_walk(const throng_world *world, throng_tile *tile, const throng_nearest_crowd *crowd) {
    kdt_walk_2f walk;
    throng_neighbors_walk(&walk, &world->index, tile, crowd->guard - world->index.guard);
    uint32_t leaf;
    float bound = tile->lists.largest;
    while (kdt_walk_2f_next(&walk, bound, UINT32_MAX, &leaf)) {
        const throng_nearest_leaf candidates = leaf_of(&world->index.tree, leaf);
        bound = world->kernels->nearest_leaf(&tile->lists, crowd, &candidates);
    }
}

/// Offers the tile those of the leaves near its task that come near it: its own, then the nearer ones of those that
/// matter yet, by parts of how far it looks. False where it looks farther than those leaves reach.
static bool offer_near_leaves(const throng_world *world, throng_tile *tile, const throng_nearest_crowd *crowd) {
    static const float parts[] = {0.2f, 0.5f, 1.0f};
    throng_near_leaves *near = &tile->near_leaves;
    const kdt_tree_2f *tree = &world->index.tree;
    const uint32_t own = tile->first / THRONG_LANES;
    throng_nearest_leaf candidates = leaf_of(tree, own);
    float bound = world->kernels->nearest_leaf(&tile->lists, crowd, &candidates);
    uint64_t left = world->kernels->near_leaves(&tile->lists, crowd, bound, near);
    for (size_t turn = 0; turn < sizeof parts / sizeof parts[0]; ++turn) {
        for (uint64_t bits = left; bits; bits &= bits - 1) {
            const uint32_t at = throng_lowest_bit_64(bits);
            const float limit = parts[turn] * (bound + near->radius[at] + crowd->guard);
            // Rounded up, as the kernel rounds.
            if (limit < 0.0f || near->square[at] > limit * limit * (1.0f + 0x1p-19f)) continue;
            left &= ~(UINT64_C(1) << at);
            if (near->leaf[at] == own) continue;
            candidates = leaf_of(tree, near->leaf[at]);
            bound = world->kernels->nearest_leaf(&tile->lists, crowd, &candidates);
        }
    }
    return bound <= near->reach;
}

/// False where only an exact search tells who belongs to the lists.
static bool search_quickly(const throng_world *world, throng_tile *tile, const throng_nearest_crowd *crowd) {
    if (tile->lists.slot_count > THRONG_CONTACT_SLOTS) return false;
    for (int lane = 0; lane < tile->count; ++lane) {
        if (tile->lists.neighbors[lane] >= THRONG_NEAREST_SLOTS) return false;
    }
    const kdt_node_2f *own = own_leaf(&world->index.tree, tile);
    tile->lists.min_x = own->lo[0];
    tile->lists.min_y = own->lo[1];
    tile->lists.max_x = own->hi[0];
    tile->lists.max_y = own->hi[1];
    tile->lists.fine = needs_fine_keys(tile, crowd);
    world->kernels->nearest_begin(&tile->lists, crowd);
    const bool alike = crowd->packed && !crowd->heed;
    bool offered = false;
    if (alike && throng_near_leaves_are_known(tile)) {
        offered = offer_near_leaves(world, tile, crowd);
        if (!offered) world->kernels->nearest_begin(&tile->lists, crowd);
    }
    if (!offered) offer_by_walk(world, tile, crowd);
    if (alike) throng_near_leaves_find(&world->index, tile, crowd);
    uint32_t doubtful = world->kernels->nearest_end(&tile->lists, crowd);
    if (doubtful && (crowd->heed || tile->lists.listed > THRONG_NEAREST_CANDIDATES)) return false;
    for (; doubtful; doubtful &= doubtful - 1) {
        throng_nearest_settle_one(&tile->lists, crowd, (int)throng_lowest_bit(doubtful));
    }
    return true;
}

/// The largest key that changes a list while they are empty.
static float widest(const throng_nearest_lists *lists) {
    float bound = -INFINITY;
    for (int lane = 0; lane < THRONG_LANES; ++lane) bound = throng_maxf(bound, lists->worst[lane]);
    return bound;
}

static void search_exactly(const throng_world *world, throng_tile *tile, const throng_nearest_crowd *crowd) {
    world->kernels->nearest_exact_begin(&tile->lists);
    kdt_walk_2f walk;
    throng_neighbors_walk(&walk, &world->index, tile, crowd->guard - world->index.guard);
    uint32_t leaf;
    float bound = widest(&tile->lists);
    while (kdt_walk_2f_next(&walk, bound, last_rank(tile, crowd, bound), &leaf)) {
        const throng_nearest_leaf candidates = leaf_of(&world->index.tree, leaf);
        bound = world->kernels->nearest_exact_leaf(&tile->lists, crowd, &candidates);
    }
    world->kernels->nearest_exact_end(&tile->lists);
}

static void search_once(const throng_world *world, throng_tile *tile, const throng_nearest_crowd *crowd) {
    if (!search_quickly(world, tile, crowd)) search_exactly(world, tile, crowd);
}

/// Those who can be touched first, seen or not, then those who are seen: a list of each.
static void search_twice(const throng_world *world, throng_tile *tile, const throng_nearest_crowd *crowd,
                         throng_nearest_heed *heed) {
    throng_nearest_lists *lists = &tile->lists;
    float *key = lists->key, contact_range[THRONG_LANES];
    int32_t *position = lists->position, neighbors[THRONG_LANES];
    const int slot_count = lists->slot_count;
    memcpy(contact_range, lists->contact_range, sizeof contact_range);
    memcpy(neighbors, lists->neighbors, sizeof neighbors);

    heed->views = false;
    memset(lists->neighbors, 0, sizeof neighbors);
    lists->key = tile->seen_contact_key;
    lists->position = tile->seen_contact_position;
    lists->slot_count = THRONG_CONTACT_SLOTS;
    search_once(world, tile, crowd);

    heed->views = true;
    memcpy(lists->neighbors, neighbors, sizeof neighbors);
    for (int lane = 0; lane < THRONG_LANES; ++lane) lists->contact_range[lane] = -INFINITY;
    lists->key = key;
    lists->position = position;
    lists->slot_count = slot_count;
    search_once(world, tile, crowd);
    memcpy(lists->contact_range, contact_range, sizeof contact_range);
}

/// `in_frame`: places are taken in the frame of the support that all have in common.
static void search(const throng_step *step, throng_tile *tile, bool in_frame) {
    const throng_world *world = step->world;
    const throng_index *index = &world->index;
    const bool by_sight = throng_sight_matters(&world->agents), by_views = throng_views_matter(&world->agents);
    const bool by_walls = THRONG_USES(&world->agents, line_of_sight);
    throng_nearest_heed heed;
    const throng_nearest_crowd crowd = {
        .tree_x = index->tree.coord[0],
        .tree_y = index->tree.coord[1],
        .radius = index->tree.radius,
        .rank = index->tree.rank,
        .order = index->order,
        .x = in_frame ? world->agents.x : throng_world_x(world),
        .y = in_frame ? world->agents.y : throng_world_y(world),
        .yield = world->agents.yield,
        .layer = world->agents.layer,
        .packed = index->packs ? index->packed : NULL,
        .heed = by_sight || world->mixed ? &heed : NULL,
        .one_radius = index->packs && !atomic_load_explicit(&index->radii_differ, memory_order_relaxed),
        .largest_radius = index->tree.nodes[1].radius,
        .lift = throng_minf(index->tree.nodes[1].radius, common_radius),
        .guard = index->guard + (in_frame ? throng_step_frame_slack(step, tile) : 0.0f)};
    for (int lane = 0; in_frame && lane < THRONG_LANES; ++lane) {
        tile->lists.x[lane] = world->agents.x[tile->row[lane]];
        tile->lists.y[lane] = world->agents.y[tile->row[lane]];
    }
    heed.mixed = world->mixed;
    heed.looks_in_tree = !in_frame;
    heed.views = false;
    heed.other_low = heed.other_high = NULL;
    if (by_sight) throng_sight_heed(step, tile, &heed);
    if (by_walls) throng_sight_look_farther(step, tile);
    tile->lists.slot_count = THRONG_CONTACT_SLOTS;
    for (int lane = 0; lane < tile->count; ++lane) {
        if (tile->lists.neighbors[lane] > tile->lists.slot_count) tile->lists.slot_count = tile->lists.neighbors[lane];
    }
    if (by_views) {
        search_twice(world, tile, &crowd, &heed);
    } else {
        search_once(world, tile, &crowd);
    }
    tile->contact_key = by_views ? tile->seen_contact_key : tile->lists.key;
    tile->contact_position = by_views ? tile->seen_contact_position : tile->lists.position;
    if (by_walls) throng_sight_hide(step, tile);
}

/// Counts the neighbors that are heeded: who is buried heeds nobody.
static void count_neighbors(throng_tile *tile) {
    tile->neighbor_slots = 0;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const int heeded = tile->buried >> lane & 1 ? 0 : tile->lists.found[lane];
        tile->neighbor_count[lane] = heeded;
        if (heeded > tile->neighbor_slots) tile->neighbor_slots = heeded;
    }
}

/// Rows of the neighbors, by slot; slots that a lane does not use name its own row.
static void name_neighbors(const throng_step *step, throng_tile *tile) {
    const throng_nearest_lists *lists = &tile->lists;
    const uint32_t *order = step->world->index.order;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        int at = lane;
        for (int slot = 0; slot < tile->neighbor_count[lane]; ++slot, at += THRONG_LANES) {
            tile->neighbor_row[at] = (int32_t)order[lists->position[at]];
        }
        for (int slot = tile->neighbor_count[lane]; slot < tile->neighbor_slots; ++slot, at += THRONG_LANES) {
            tile->neighbor_row[at] = (int32_t)tile->row[lane];
        }
    }
}

/// What a lane shares with its neighbors. `mixed` is a constant where this is inlined: in a crowd of one kind the
/// weights and margins of others need not be fetched, and the result is the same.
static inline void gather_lane(const throng_agents *agents, throng_tile *tile, int lane, bool mixed) {
    const uint32_t own = tile->row[lane];
    const double x = tile->lists.x[lane], y = tile->lists.y[lane];
    const float radius = agents->radius[own] + agents->margin[own];
    int at = lane;
    for (int slot = 0; slot < tile->neighbor_count[lane]; ++slot, at += THRONG_LANES) {
        const uint32_t other = (uint32_t)tile->neighbor_row[at];
        tile->pair_x[at] = (float)(agents->x[other] - x);
        tile->pair_y[at] = (float)(agents->y[other] - y);
        tile->pair_vx[at] = agents->velocity_x[other];
        tile->pair_vy[at] = agents->velocity_y[other];
        tile->pair_radius[at] =
            radius + (mixed ? agents->radius[other] + agents->margin[other] : agents->radius[other]);
        tile->pair_share[at] = mixed ? throng_share(agents, own, other) : 0.5f;
    }
    for (int slot = tile->neighbor_count[lane]; slot < tile->neighbor_slots; ++slot, at += THRONG_LANES) {
        tile->pair_x[at] = tile->pair_y[at] = tile->pair_vx[at] = tile->pair_vy[at] = 0.0f;
        tile->pair_radius[at] = tile->pair_share[at] = 0.0f;
    }
}

/// Whether all neighbors are so near that packed places tell how far.
static bool is_narrow(const throng_world *world, const throng_tile *tile) {
    const throng_index *index = &world->index;
    float farthest = 0.0f;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        if (tile->neighbor_count[lane] == 0) continue;
        farthest = throng_maxf(farthest, tile->lists.key[(tile->neighbor_count[lane] - 1) * THRONG_LANES + lane]);
    }
    return farthest + index->tree.nodes[1].radius + 2.0f * index->guard < 0.999f * THRONG_NARROW;
}

static void gather_packed_pairs(const throng_step *step, throng_tile *tile) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    _Alignas(THRONG_CACHE_LINE) float claim[THRONG_LANES], reach[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) int32_t layer[THRONG_LANES];
    for (int lane = 0; lane < THRONG_LANES; ++lane) claim[lane] = world->index.packed[tile->lists.self[lane]].claim;
    for (int lane = 0; world->mixed && lane < THRONG_LANES; ++lane) {
        reach[lane] = tile->radius[lane] + agents->margin[tile->row[lane]];
        layer[lane] = (int32_t)agents->layer[tile->row[lane]];
    }
    const throng_pairs_found found = {.slot_count = tile->neighbor_slots,
                                      .count = tile->neighbor_count,
                                      .position = tile->lists.position,
                                      .packed = world->index.packed,
                                      .claims_vary = world->mixed || world->claims_vary,
                                      .self_x = tile->lists.packed_x,
                                      .self_y = tile->lists.packed_y,
                                      .self_radius = world->mixed ? reach : tile->radius,
                                      .self_claim = claim,
                                      .self_row = (const int32_t *)tile->row,
                                      .margin = world->mixed ? agents->margin : NULL,
                                      .mask = (const int32_t *)agents->mask,
                                      .self_layer = layer};
    const throng_pairs_made made = {tile->pair_x,      tile->pair_y,     tile->pair_vx,      tile->pair_vy,
                                    tile->pair_radius, tile->pair_share, tile->neighbor_row, &tile->among_standers};
    world->kernels->pairs(&found, &made);
}

/// `seen`: from one support others may be on another.
static void gather_pairs(const throng_step *step, throng_tile *tile, bool seen) {
    const throng_agents *agents = &step->world->agents;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        if (seen) {
            throng_step_gather_seen(step, tile, lane);
        } else if (step->world->mixed || step->world->claims_vary) {
            gather_lane(agents, tile, lane, true);
        } else {
            gather_lane(agents, tile, lane, false);
        }
    }
}

void throng_step_neighbors(const throng_step *step, throng_tile *tile) {
    const bool by_sight = throng_sight_matters(&step->world->agents);
    const bool carried = throng_has_supports(step->world);
    gather_lanes(step, tile);
    const bool together = carried && throng_step_is_together(step, tile), apart = carried && !together;
    if (apart && (by_sight || throng_step_leaves_ground(step, tile))) {
        throng_sight_search(step, tile, (1u << tile->count) - 1);
    } else {
        search(step, tile, together);
    }
    tile->buried = throng_buried_lanes(step, tile);
    count_neighbors(tile);
    if (step->world->index.packs && is_narrow(step->world, tile)) {
        gather_packed_pairs(step, tile);
    } else {
        tile->among_standers = UINT32_MAX;
        name_neighbors(step, tile);
        gather_pairs(step, tile, apart);
    }
    if (by_sight) throng_sight_share(step, tile, apart);
}
