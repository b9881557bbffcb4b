// Which leaves come near a tile.
#include "kernels/lane_candidates.h"

uint64_t LANE_ENTRY(throng_lane_near_leaves)(const throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                                             float bound, throng_near_leaves *leaves);

uint64_t LANE_ENTRY(throng_lane_near_leaves)(const throng_nearest_lists *lists, const throng_nearest_crowd *crowd,
                                             float bound, throng_near_leaves *leaves) {
    const vfloat min_x = vf_splat(lists->min_x), max_x = vf_splat(lists->max_x);
    const vfloat min_y = vf_splat(lists->min_y), max_y = vf_splat(lists->max_y);
    uint64_t near = 0;
    for (int at = 0; at < leaves->count; at += LANE_WIDTH) {
        const vfloat before_x = vf_load(leaves->min_x + at) - max_x, after_x = min_x - vf_load(leaves->max_x + at);
        const vfloat before_y = vf_load(leaves->min_y + at) - max_y, after_y = min_y - vf_load(leaves->max_y + at);
        const vfloat dx = vf_max(vf_zero(), vf_max(before_x, after_x));
        const vfloat dy = vf_max(vf_zero(), vf_max(before_y, after_y));
        const vfloat square = vf_dot(dx, dy, dx, dy);
        vf_store(leaves->square + at, square);
        const vfloat limit = rejected_above_each(vf_splat(bound), vf_load(leaves->radius + at), crowd->guard);
        near |= (uint64_t)vm_bits(vf_le(square, limit)) << at;
    }
    const int unused = THRONG_NEAR_LEAVES - leaves->count;
    return unused < THRONG_NEAR_LEAVES ? near & UINT64_MAX >> unused : 0;
}
