// Penalties of sampled velocities: van den Berg, Lin, Manocha, "Reciprocal Velocity Obstacles for Real-Time Multi-Agent
// Navigation" (2008), section 5: penalty(v') = w / t_c(v') + |v_preferred - v'|, t_c the expected time to collision.
//
// With the share alpha of a pair, v' is in the reciprocal velocity obstacle exactly when v'/alpha + (1 - 1/alpha) v_A
// is in the velocity obstacle, so that velocity is the one to extrapolate; alpha 1 is the velocity obstacle itself.
// Walls are tested with v'. Instead of the least time the greatest 1/t is kept: no collision is 0, and nothing
// overflows.
#include "kernels/lanes.h"

void LANE_ENTRY(throng_lane_penalties)(const throng_sampled_input *in, float *penalty);

// Bodies that overlap by no more than this, m, touch: moving apart or along each other they are free.
static const float touching = 1e-3f;
// The least gap (as d² - R², a part of d²) that touching bodies are taken to have.
static const float least_gap = 0x1p-18f;

// 1/t until a point that moves with v reaches the disc of radius R at p; 0 where it never does. `square` is R²,
// `per_gap` 1/(p² - R²) > 0.
LANE_INLINE vfloat approach(vfloat px, vfloat py, vfloat square, vfloat per_gap, vfloat vx, vfloat vy) {
    const vfloat along = vf_dot(px, py, vx, vy), miss = vf_cross(px, py, vx, vy);
    const vfloat chord = square * vf_dot(vx, vy, vx, vy) - miss * miss;
    const vmask hits = vm_and(vf_gt(along, vf_zero()), vf_ge(chord, vf_zero()));
    const vfloat root = vf_sqrt(vf_max(chord, vf_zero()));
    return vf_select(hits, (along + root) * per_gap, vf_zero());
}

// Where bodies overlap already: with t the time until they part (infinite at one velocity), t / (dt (t + dt)), at most
// 1/dt and the less the sooner they part. `gap` is p² - R² < 0.
LANE_INLINE vfloat parting(vfloat px, vfloat py, vfloat gap, vfloat vx, vfloat vy, vfloat time_step) {
    const vfloat along = vf_dot(px, py, vx, vy), square = vf_dot(vx, vy, vx, vy);
    const vfloat root = vf_sqrt(along * along - square * gap);
    // t = way / square, by the form of the root that does not cancel.
    const vfloat way = vf_select(vf_lt(along, vf_zero()), -gap * square / (root - along), along + root);
    const vfloat part = way / (time_step * (way + time_step * square));
    return vf_select(vf_gt(way, vf_zero()), part, vf_splat(1.0f) / time_step);
}

LANE_INLINE void add_agents(const throng_sampled_input *in, int lane, vfloat *urgency) {
    const throng_pairs_input *pairs = in->pairs;
    const vfloat one = vf_splat(1.0f), time_step = vf_splat(pairs->time_step);
    const vfloat self_vx = vf_load(pairs->self_vx + lane), self_vy = vf_load(pairs->self_vy + lane);
    const vfloat horizon = vf_load(pairs->horizon + lane);
    const vint count = vi_load(pairs->count + lane);
    const vmask whole = vm_from_tile(in->whole, lane);
    for (int slot = 0; slot < pairs->slot_count; slot++) {
        const int at = slot * THRONG_LANES + lane;
        const vfloat share = vf_load(pairs->share + at);
        const vmask acts = vm_and(vi_lt(vi_splat(slot), count), vf_gt(share, vf_zero()));
        if (!vm_any(acts)) continue;
        const vfloat px = vf_load(pairs->px + at), py = vf_load(pairs->py + at);
        const vfloat radius = vf_load(pairs->radius + at);
        const vfloat inverse = vf_select(vm_andnot(acts, whole), one / share, one);
        const vfloat base_x = (one - inverse) * self_vx - vf_load(pairs->vx + at);
        const vfloat base_y = (one - inverse) * self_vy - vf_load(pairs->vy + at);
        const vfloat square = vf_dot(px, py, px, py), gap = square - radius * radius;
        const vfloat inner = vf_max(radius - vf_splat(touching), vf_zero());
        const vmask overlap = vf_lt(square, inner * inner);
        const vfloat free_gap = vf_max(gap, square * vf_splat(least_gap));
        const vfloat free_square = vf_max(square - free_gap, vf_zero()), per_gap = one / free_gap;
        for (int i = 0; i < in->candidate_count; i++) {
            const vfloat vx = vf_load(in->vx + i * THRONG_LANES + lane) * inverse + base_x;
            const vfloat vy = vf_load(in->vy + i * THRONG_LANES + lane) * inverse + base_y;
            vfloat soon = approach(px, py, free_square, per_gap, vx, vy);
            soon = vf_select(vf_ge(soon * horizon, one), soon, vf_zero());
            if (vm_any(overlap)) soon = vf_select(overlap, parting(px, py, gap, vx, vy, time_step), soon);
            urgency[i] = vf_max_where(acts, urgency[i], soon);
        }
    }
}

// The capsule of a wall piece and the body: a strip beside the piece and a disc at each end.
LANE_INLINE void add_walls(const throng_sampled_input *in, int lane, vfloat *urgency) {
    const throng_walls_input *walls = in->walls;
    const vint count = vi_load(walls->count + lane);
    const vfloat body = vf_load(walls->radius + lane), one = vf_splat(1.0f);
    for (int slot = 0; slot < walls->slot_count; slot++) {
        const int at = slot * THRONG_LANES + lane;
        const vmask acts = vi_lt(vi_splat(slot), count);
        if (!vm_any(acts)) continue;
        const vfloat sx = vf_load(walls->sx + at), sy = vf_load(walls->sy + at);
        const vfloat ux = vf_load(walls->ux + at), uy = vf_load(walls->uy + at);
        const vfloat to_a = vf_load(walls->to_a + at), to_b = vf_load(walls->to_b + at);
        const vfloat ax = sx + to_a * ux, ay = sy + to_a * uy, bx = sx + to_b * ux, by = sy + to_b * uy;
        // Who touches is a hair away: along the wall is free.
        const vfloat nearest = vf_dot(sx, sy, sx, sy);
        const vfloat square = vf_min(body * body, nearest - nearest * vf_splat(least_gap));
        const vfloat radius = vf_sqrt(square);
        const vfloat per_gap_a = one / (vf_dot(ax, ay, ax, ay) - square);
        const vfloat per_gap_b = one / (vf_dot(bx, by, bx, by) - square);
        const vfloat offset = vf_cross(ux, uy, sx, sy), strip = vf_abs(offset) - radius;
        const vfloat middle = vf_dot(sx, sy, ux, uy);
        for (int i = 0; i < in->candidate_count; i++) {
            const vfloat vx = vf_load(in->vx + i * THRONG_LANES + lane);
            const vfloat vy = vf_load(in->vy + i * THRONG_LANES + lane);
            const vfloat across = vf_cross(ux, uy, vx, vy);
            const vfloat closing = vf_select(vf_lt(offset, vf_zero()), -across, across);
            const vmask towards = vm_and(vf_gt(closing, vf_zero()), vf_gt(strip, vf_zero()));
            const vfloat along = vf_dot(vx, vy, ux, uy) * strip; // times 1/closing: where it meets the strip
            const vmask meets =
                vm_and(vf_ge(along, (middle + to_a) * closing), vf_le(along, (middle + to_b) * closing));
            vfloat soon = vf_select(vm_and(towards, meets), closing / strip, vf_zero());
            soon = vf_max(soon, approach(ax, ay, square, per_gap_a, vx, vy));
            soon = vf_max(soon, approach(bx, by, square, per_gap_b, vx, vy));
            urgency[i] = vf_max_where(acts, urgency[i], soon);
        }
    }
}

void LANE_ENTRY(throng_lane_penalties)(const throng_sampled_input *in, float *penalty) {
    LANE_FOR(lane) {
        vfloat urgency[THRONG_CANDIDATES];
        for (int i = 0; i < in->candidate_count; i++) urgency[i] = vf_zero();
        add_agents(in, lane, urgency);
        add_walls(in, lane, urgency);
        const vfloat weight = vf_load(in->weight + lane);
        const vfloat wish_x = vf_load(in->preferred_vx + lane), wish_y = vf_load(in->preferred_vy + lane);
        for (int i = 0; i < in->candidate_count; i++) {
            const vfloat dx = wish_x - vf_load(in->vx + i * THRONG_LANES + lane);
            const vfloat dy = wish_y - vf_load(in->vy + i * THRONG_LANES + lane);
            const vfloat term = vf_select(vf_gt(weight, vf_zero()), weight * urgency[i], vf_zero());
            vf_store(penalty + i * THRONG_LANES + lane, term + vf_sqrt(vf_dot(dx, dy, dx, dy)));
        }
    }
}
