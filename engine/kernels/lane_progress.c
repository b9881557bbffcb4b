// How far rows are from their targets, and what of their wishes they got.
#include "kernels/lanes.h"

uint32_t LANE_ENTRY(throng_lane_progress)(const throng_progress_rows *rows);

uint32_t LANE_ENTRY(throng_lane_progress)(const throng_progress_rows *rows) {
    uint32_t within = 0;
    LANE_FOR(lane) {
        const vdouble dx = vd_sub(vd_loadu(rows->target_x + lane), vd_loadu(rows->x + lane));
        const vdouble dy = vd_sub(vd_loadu(rows->target_y + lane), vd_loadu(rows->y + lane));
        const vdouble square = vd_add(vd_mul(dx, dx), vd_mul(dy, dy));
        const vdouble reach = vd_from_vf(vf_loadu(rows->goal_radius + lane));
        within |= vm_bits(vd_le(square, vd_mul(reach, reach))) << lane;
        const vfloat distance = vf_from_vd(vd_sqrt(square));
        const vfloat wish_x = vf_loadu(rows->wish_x + lane), wish_y = vf_loadu(rows->wish_y + lane);
        const vfloat wish = vf_sqrt(vf_dot(wish_x, wish_y, wish_x, wish_y));
        const vfloat along = vf_dot(vf_loadu(rows->velocity_x + lane), vf_loadu(rows->velocity_y + lane),
                                    vf_from_vd(dx), vf_from_vd(dy));
        const vmask wants = vm_and(vf_gt(wish, vf_zero()), vf_gt(distance, vf_zero()));
        const vfloat one = vf_splat(1.0f);
        const vfloat missed = vf_min(one, vf_max(vf_zero(), one - along / (wish * distance)));
        const vfloat lost = vf_select(wants, missed, vf_zero());
        const vfloat before = vf_loadu(rows->blocked + lane);
        const vfloat after = before + vf_splat(rows->part) * (lost - before);
        vf_storeu(rows->blocked + lane, vf_select(vm_from_tile(rows->rows, lane), after, before));
        vf_storeu(rows->distance + lane, distance);
    }
    return within & rows->rows;
}
