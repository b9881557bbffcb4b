// Half-planes between agents: van den Berg et al., "Reciprocal n-Body Collision Avoidance" (2011), section 4, with the
// share of the correction as in Guy et al.'s generalised RVO.
//
// In the plane of relative velocities the velocity obstacle of a pair that does not overlap is a disc, centre p/T and
// radius R/T, and the cone that it subtends from the origin. Its boundary is the front arc, where the outward normal n
// has dot(n, p) <= -R, and a leg on each side, beginning at the arc's ends. The legs' perpendiculars at their
// beginnings meet in the disc's centre, so the arc's condition alone tells the arc from the legs, and the nearer leg is
// the one on v's side of p.
#include "kernels/lanes.h"

// |w|^2 below which w has no direction, (1e-12 m/s)^2: far below the rounding of any velocity.
static const float no_direction = 1e-24f;

void LANE_ENTRY(throng_lane_agent_planes)(const throng_pairs_input *in, throng_tile_planes planes,
                                          uint16_t *degenerate);

void LANE_ENTRY(throng_lane_agent_planes)(const throng_pairs_input *in, throng_tile_planes planes,
                                          uint16_t *degenerate) {
    const vfloat one = vf_splat(1.0f);
    const vfloat per_step = one / vf_splat(in->time_step);
    for (int slot = 0; slot < in->slot_count; slot++) degenerate[slot] = 0;

    LANE_FOR(lane) {
        const vfloat self_vx = vf_load(in->self_vx + lane), self_vy = vf_load(in->self_vy + lane);
        const vfloat per_horizon = one / vf_load(in->horizon + lane);
        const vint count = vi_load(in->count + lane);
        for (int slot = 0; slot < in->slot_count; slot++) {
            const int at = slot * THRONG_LANES + lane;
            const vfloat px = vf_load(in->px + at), py = vf_load(in->py + at);
            const vfloat vx = self_vx - vf_load(in->vx + at), vy = self_vy - vf_load(in->vy + at);
            const vfloat radius = vf_load(in->radius + at);
            const vfloat share = vf_load(in->share + at);
            const vmask acts = vm_and(vi_lt(vi_splat(slot), count), vf_gt(share, vf_zero()));

            const vfloat leg_squared = vf_dot(px, py, px, py) - radius * radius;
            const vmask overlap = vm_not(vf_gt(leg_squared, vf_zero()));
            const vfloat rate = vf_select(overlap, per_step, per_horizon);

            const vfloat wx = vx - px * rate, wy = vy - py * rate;
            const vfloat w_squared = vf_dot(wx, wy, wx, wy);
            const vmask no_w = vm_not(vf_gt(w_squared, vf_splat(no_direction)));
            const vfloat w = vf_sqrt(w_squared);
            const vmask on_disc = vm_or(overlap, vf_le(vf_dot(wx, wy, px, py), -radius * w));

            // The legs' outward normals, times |p|^2: p turned by a right angle and then by the leg's angle to p.
            const vfloat leg = vf_sqrt(leg_squared);
            const vmask left = vf_gt(vf_cross(px, py, vx, vy), vf_zero());
            const vfloat sx = vf_select(left, -py, py), sy = vf_select(left, px, -px);
            const vfloat leg_nx = sx * leg - px * radius, leg_ny = sy * leg - py * radius;

            vfloat nx = vf_select(on_disc, wx, leg_nx), ny = vf_select(on_disc, wy, leg_ny);
            vfloat length = vf_select(on_disc, w, leg_squared + radius * radius);
            if (vm_any(no_w)) {
                // At the disc's centre the arc's middle is nearest.
                const vmask middle = vm_andnot(no_w, overlap);
                nx = vf_select(middle, -px, nx);
                ny = vf_select(middle, -py, ny);
                length = vf_select(middle, vf_sqrt(vf_dot(px, py, px, py)), length);
            }
            const vfloat scale = one / length;
            nx = nx * scale;
            ny = ny * scale;

            // dot(n, u): how far along n the relative velocity must go to reach the boundary.
            const vfloat correction = vf_select(vm_or(on_disc, no_w), radius * rate - w, -vf_dot(vx, vy, nx, ny));
            const vfloat c = vf_dot(nx, ny, self_vx, self_vy) + share * correction;

            const vmask lost = vm_and(acts, vm_and(overlap, no_w));
            degenerate[slot] = (uint16_t)(degenerate[slot] | vm_bits(lost) << lane);
            const vmask binds = vm_andnot(acts, lost);
            vf_store(planes.nx + at, vf_select(binds, nx, vf_zero()));
            vf_store(planes.ny + at, vf_select(binds, ny, vf_zero()));
            vf_store(planes.c + at, vf_select(binds, c, -one));
        }
    }
}
