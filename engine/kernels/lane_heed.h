// Which lanes heed a candidate that is near them.
#pragma once

#include "kernels/lanes.h"
#include "kernels/nearest.h"

LANE_INLINE vmask shares_height(const throng_nearest_heed *heed, int lane, uint32_t row) {
    const vmask below = vf_lt(vf_load(heed->low + lane), vf_splat(heed->other_high[row]));
    return vm_and(below, vf_lt(vf_splat(heed->other_low[row]), vf_load(heed->high + lane)));
}

// Comparisons are such that NaN, from what sees all round, leaves nobody out.
LANE_INLINE vmask is_exactly_in_view(const throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int lane,
                                     uint32_t row) {
    const throng_nearest_heed *heed = crowd->heed;
    const vdouble px = vd_sub(vd_splat(crowd->x[row]), vd_loadu(lists->x + lane));
    const vdouble py = vd_sub(vd_splat(crowd->y[row]), vd_loadu(lists->y + lane));
    const vdouble square = vd_add(vd_mul(px, px), vd_mul(py, py));
    const vdouble ahead = vd_add(vd_mul(vd_loadu(heed->gaze_x + lane), px), vd_mul(vd_loadu(heed->gaze_y + lane), py));
    const vdouble zero = vd_splat(0.0);
    const vdouble size = vd_select(vd_lt(ahead, zero), vd_sub(zero, ahead), ahead);
    const vmask aside = vd_lt(vd_mul(ahead, size), vd_mul(vd_loadu(heed->view_limit + lane), square));
    return vm_not(vm_or(aside, vd_lt(vd_loadu(heed->view_square + lane), square)));
}

// The lanes, of those that count, which have the candidate in view.
LANE_INLINE vmask is_in_view(const throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int lane,
                             uint32_t position, vmask counts) {
    const throng_nearest_heed *heed = crowd->heed;
    if (heed->looks_in_tree) {
        const vfloat dx = vf_splat(crowd->tree_x[position]) - vf_load(lists->tree_x + lane);
        const vfloat dy = vf_splat(crowd->tree_y[position]) - vf_load(lists->tree_y + lane);
        const vfloat distance = vf_sqrt(vf_dot(dx, dy, dx, dy));
        const vfloat ahead = vf_dot(vf_load(heed->look_x + lane), vf_load(heed->look_y + lane), dx, dy);
        // Above the rounding of all of these and of the tree's coordinates.
        const vfloat border = vf_splat(2.0f * crowd->guard + 1e-9f) + distance * vf_splat(0x1p-18f);
        const vfloat limit = vf_load(heed->cosine + lane) * distance, range = vf_load(heed->range + lane);
        const vmask out = vm_or(vf_lt(ahead, limit - border), vf_gt(distance, range + border));
        const vmask in = vm_and(vf_gt(ahead, limit + border), vf_lt(distance, range - border));
        if (!vm_any(vm_andnot(counts, vm_or(out, in)))) return vm_and(counts, in);
    }
    return vm_and(counts, is_exactly_in_view(lists, crowd, lane, crowd->order[position]));
}

LANE_INLINE vmask shares_mask(const throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int lane,
                              uint32_t row) {
    const vint common = vi_load(lists->mask + lane) & vi_splat((int32_t)crowd->layer[row]);
    const vmask counts = vf_gt(vf_load(lists->yield + lane) + vf_splat(crowd->yield[row]), vf_zero());
    return vm_andnot(counts, vi_eq(common, vi_splat(0)));
}

// The lanes, of those that count, which heed the candidate.
LANE_INLINE vmask heeded(const throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int lane,
                         uint32_t position, vmask counts) {
    const throng_nearest_heed *heed = crowd->heed;
    const uint32_t row = crowd->order[position];
    if (heed->mixed) counts = vm_and(counts, shares_mask(lists, crowd, lane, row));
    if (heed->other_low) counts = vm_and(counts, shares_height(heed, lane, row));
    if (heed->views && vm_any(counts)) counts = is_in_view(lists, crowd, lane, position, counts);
    return counts;
}
