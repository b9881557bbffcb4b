// How far rows are from their targets, what of their wishes they got, and how long they have been waiting.
#include "kernels/lanes.h"

#include <math.h>

void LANE_ENTRY(throng_lane_progress)(const throng_progress_rows *rows, throng_progress_made *made);

// What of their wishes they did not get, 0..1. (dx, dy), m, leads to the target.
LANE_INLINE vfloat lost_part(const throng_progress_rows *rows, int lane, vfloat dx, vfloat dy, vfloat distance) {
    const vfloat wish_x = vf_loadu(rows->wish_x + lane), wish_y = vf_loadu(rows->wish_y + lane);
    const vfloat wish = vf_sqrt(vf_dot(wish_x, wish_y, wish_x, wish_y));
    const vfloat along = vf_dot(vf_loadu(rows->velocity_x + lane), vf_loadu(rows->velocity_y + lane), dx, dy);
    const vmask wants = vm_and(vf_gt(wish, vf_zero()), vf_gt(distance, vf_zero()));
    const vfloat one = vf_splat(1.0f);
    const vfloat missed = vf_min(one, vf_max(vf_zero(), one - along / (wish * distance)));
    return vf_select(wants, missed, vf_zero());
}

LANE_INLINE vfloat claim_of(const throng_progress_rows *rows, vfloat waited, vfloat yield) {
    const vfloat over = waited - vf_splat(rows->patience);
    const vmask late = vf_gt(over, vf_zero());
    if (!vm_any(late)) return yield;
    const vfloat one = vf_splat(1.0f);
    const vfloat claim = vf_max(vf_splat(rows->least_claim), one / (one + vf_splat(rows->aging) * over)) * yield;
    return vf_select(vm_and(late, vf_gt(claim, vf_zero())), claim, yield); // the smallest would round to none
}

// Whether those that walk came nearer, or how long they wait. Returns those that are left: who is stuck is.
LANE_INLINE vmask wait_on(const throng_progress_rows *rows, int lane, vmask walking, vfloat distance) {
    const vfloat wish_x = vf_loadu(rows->wish_x + lane), wish_y = vf_loadu(rows->wish_y + lane);
    const vmask standing = vm_and(vf_eq(wish_x, vf_zero()), vf_eq(wish_y, vf_zero()));
    const vfloat nearest = vf_loadu(rows->nearest + lane), waited = vf_loadu(rows->waited + lane);
    const vmask nearer =
        vm_or(vf_lt(distance, nearest - vf_loadu(rows->radius + lane)), vm_not(vf_lt(nearest, vf_splat(INFINITY))));
    const vfloat waits = vf_select(vm_or(standing, nearer), vf_zero(), waited + vf_splat(rows->time_step));
    walking = vm_and(walking, vf_lt(waits, vf_loadu(rows->stuck_time + lane)));
    vf_storeu(rows->nearest + lane, vf_select(vm_and(walking, vm_andnot(nearer, standing)), distance, nearest));
    vf_storeu(rows->waited + lane, vf_select(walking, waits, waited));
    const vfloat claim = claim_of(rows, waits, vf_loadu(rows->yield + lane));
    vf_storeu(rows->claim + lane, vf_select(walking, claim, vf_loadu(rows->claim + lane)));
    return vm_not(walking);
}

void LANE_ENTRY(throng_lane_progress)(const throng_progress_rows *rows, throng_progress_made *made) {
    uint32_t all_within = 0, left = 0;
    LANE_FOR(lane) {
        const vdouble dx = vd_sub(vd_loadu(rows->target_x + lane), vd_loadu(rows->x + lane));
        const vdouble dy = vd_sub(vd_loadu(rows->target_y + lane), vd_loadu(rows->y + lane));
        const vdouble square = vd_add(vd_mul(dx, dx), vd_mul(dy, dy));
        const vdouble reach = vd_from_vf(vf_loadu(rows->goal_radius + lane));
        const vmask within = vd_le(square, vd_mul(reach, reach));
        const vfloat distance = vf_from_vd(vd_sqrt(square));
        const vfloat lost = lost_part(rows, lane, vf_from_vd(dx), vf_from_vd(dy), distance);
        const vfloat before = vf_loadu(rows->blocked + lane);
        const vfloat after = before + vf_splat(rows->part) * (lost - before);
        vf_storeu(rows->blocked + lane, vf_select(vm_from_tile(rows->rows, lane), after, before));
        vf_storeu(made->distance + lane, distance);
        all_within |= vm_bits(within) << lane;
        left |= vm_bits(wait_on(rows, lane, vm_andnot(vm_from_tile(rows->walking, lane), within), distance)) << lane;
    }
    made->within = all_within & rows->rows;
    made->left = left & rows->rows;
}
