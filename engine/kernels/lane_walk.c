// The wishes of those who walk to places, what being blocked makes of them, and where solved velocities lead.
#include "kernels/lanes.h"

#include <math.h>

uint32_t LANE_ENTRY(throng_lane_approach)(const throng_approach_input *in, float *vx, float *vy);
void LANE_ENTRY(throng_lane_press)(const throng_press_lanes *lanes);
void LANE_ENTRY(throng_lane_move)(const throng_move_input *in, double *x, double *y);

// The greatest speed from which a walker that slows by `acceleration` * dt a step stops exactly at `distance`:
// v * dt + (v - a dt) * dt + ... = distance, solved for v as if the number of steps were real.
LANE_INLINE vfloat braking_speed(vfloat distance, vfloat acceleration, vfloat dt) {
    const vfloat half = vf_splat(0.5f) * acceleration * dt;
    return vf_sqrt(half * half + vf_splat(2.0f) * acceleration * distance) - half;
}

uint32_t LANE_ENTRY(throng_lane_approach)(const throng_approach_input *in, float *vx, float *vy) {
    const vfloat dt = vf_splat(in->time_step);
    const vdouble per_step = vd_div(vd_splat(1.0), vd_splat(in->time_step));
    uint32_t within = 0;
    LANE_FOR(lane) {
        const vdouble dx = vd_loadu(in->dx + lane), dy = vd_loadu(in->dy + lane);
        const vdouble square = vd_add(vd_mul(dx, dx), vd_mul(dy, dy));
        const vdouble reach = vd_from_vf(vf_load(in->goal_radius + lane));
        within |= vm_bits(vd_le(square, vd_mul(reach, reach))) << lane;

        const vdouble exact_distance = vd_sqrt(square);
        const vfloat distance = vf_from_vd(exact_distance);
        const vfloat acceleration = vf_load(in->acceleration + lane);
        vfloat speed = vf_min(vf_load(in->preferred_speed + lane), vf_load(in->max_speed + lane));
        const vmask limited = vf_lt(acceleration, vf_splat(INFINITY));
        if (vm_any(limited)) {
            speed = vf_select(limited, vf_min(speed, braking_speed(distance, acceleration, dt)), speed);
        }
        const vmask there = vf_ge(speed * dt, distance);
        const vdouble scale = vd_select(there, per_step, vd_div(vd_from_vf(speed), exact_distance));
        const vmask away = vd_lt(vd_splat(0.0), exact_distance);
        vf_store(vx + lane, vf_select(away, vf_from_vd(vd_mul(dx, scale)), vf_zero()));
        vf_store(vy + lane, vf_select(away, vf_from_vd(vd_mul(dy, scale)), vf_zero()));
    }
    return within;
}

void LANE_ENTRY(throng_lane_press)(const throng_press_lanes *in) {
    const vfloat one = vf_splat(1.0f), least = vf_splat(in->least_horizon);
    LANE_FOR(lane) {
        const vfloat blocked = vf_load(in->blocked + lane);
        const vfloat turn = vf_splat(in->least_turn) + vf_splat(in->blocked_turn) * blocked;
        const vfloat tangent = vf_select(vm_from_tile(in->left, lane), -turn, turn);
        const vfloat scale = one / vf_sqrt(one + tangent * tangent);
        const vmask turning = vm_from_tile(in->turning, lane);
        const vfloat x = vf_load(in->wish_x + lane), y = vf_load(in->wish_y + lane);
        vf_store(in->wish_x + lane, vf_select(turning, (x + tangent * y) * scale, x));
        vf_store(in->wish_y + lane, vf_select(turning, (y - tangent * x) * scale, y));

        const vfloat haste = vf_splat(in->haste) * vf_select(vm_from_tile(in->hurrying, lane), blocked, vf_zero());
        const vfloat divisor = one + haste;
        const vfloat horizon = vf_load(in->horizon + lane), obstacle_horizon = vf_load(in->obstacle_horizon + lane);
        vf_store(in->horizon + lane, vf_max(vf_min(horizon, least), horizon / divisor));
        vf_store(in->obstacle_horizon + lane, vf_max(vf_min(obstacle_horizon, least), obstacle_horizon / divisor));
    }
}

// As throng_on_grid (base/grid.h).
LANE_INLINE vdouble on_grid(vdouble value) {
    const vdouble magnitude = vd_splat(0x1p24), minus = vd_splat(-0x1p24);
    const vdouble grid = vd_select(vd_lt(value, vd_splat(0.0)), minus, magnitude);
    const vmask fine = vm_and(vd_lt(value, magnitude), vd_lt(minus, value));
    return vd_select(fine, vd_sub(vd_add(value, grid), grid), value);
}

void LANE_ENTRY(throng_lane_move)(const throng_move_input *in, double *x, double *y) {
    const vdouble time_step = vd_splat(in->time_step);
    LANE_FOR(lane) {
        const vdouble vx = vd_from_vf(vf_load(in->velocity_x + lane)), vy = vd_from_vf(vf_load(in->velocity_y + lane));
        vd_storeu(x + lane, vd_add(vd_loadu(in->x + lane), on_grid(vd_mul(vx, time_step))));
        vd_storeu(y + lane, vd_add(vd_loadu(in->y + lane), on_grid(vd_mul(vy, time_step))));
    }
}
