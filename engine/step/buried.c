#include "step/buried.h"

#include <math.h>

/// The lanes whose centre the bodies of all contact candidates cover. Keys are distances less the other's radius.
static uint32_t covered_lanes(const throng_tile *tile) {
    const float *last_key = tile->contact_key + (THRONG_MAX_CONTACTS - 1) * THRONG_LANES;
    uint32_t covered = 0;
    for (int lane = 0; lane < THRONG_LANES; ++lane) covered |= (uint32_t)(last_key[lane] < 0.0f) << lane;
    return covered;
}

/// Of eight octants, counted from the x-axis, the one that a direction lies in; no direction counts as of the first.
static int octant(float dx, float dy) {
    const int left = dx < 0.0f, below = dy < 0.0f, steep = fabsf(dx) < fabsf(dy), turned = left != below;
    return 4 * below + 2 * turned + (steep != turned);
}

/// The octants in which somebody stands who covers the lane, a bit each.
static uint32_t octants_of(const throng_step *step, const throng_tile *tile, int lane) {
    const throng_nearest_lists *lists = &tile->lists;
    if (tile->contact_key == lists->key && lists->octants_known >> lane & 1) return (uint32_t)lists->octants[lane];
    const throng_agents *agents = &step->world->agents;
    const uint32_t *order = step->world->index.order;
    uint32_t octants = 0;
    for (int slot = 0; slot < THRONG_MAX_CONTACTS; ++slot) {
        const uint32_t other = order[tile->contact_position[slot * THRONG_LANES + lane]];
        const float dx = (float)(agents->x[other] - lists->x[lane]), dy = (float)(agents->y[other] - lists->y[lane]);
        octants |= 1u << octant(dx, dy);
    }
    return octants;
}

static bool is_surrounded(uint32_t octants) {
    const uint32_t around = octants | octants << 8;
    return (~(around | around >> 1 | around >> 2) & 0xff) == 0;
}

uint32_t throng_buried_lanes(const throng_step *step, const throng_tile *tile) {
    const throng_world *world = step->world;
    const uint32_t covered = covered_lanes(tile);
    if (!covered || throng_has_supports(world)) return 0;
    uint32_t buried = 0;
    for (uint32_t lanes = covered; lanes; lanes &= lanes - 1) {
        const int lane = (int)throng_lowest_bit(lanes);
        buried |= (uint32_t)is_surrounded(octants_of(step, tile, lane)) << lane;
    }
    return buried;
}
