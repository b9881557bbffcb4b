// What the neighbors already found mean for the way ahead: who is on collision course with a wish, and how dense the
// crowd in its direction is.
#include "kernels/lanes.h"

uint32_t LANE_ENTRY(throng_lane_collisions)(const throng_ahead_input *in);
void LANE_ENTRY(throng_lane_density)(const throng_ahead_input *in, const float *reach, float *density);

uint32_t LANE_ENTRY(throng_lane_collisions)(const throng_ahead_input *in) {
    uint32_t bits = 0;
    LANE_FOR(lane) {
        const vfloat wish_x = vf_load(in->wish_x + lane), wish_y = vf_load(in->wish_y + lane);
        const vfloat horizon = vf_load(in->horizon + lane);
        const vint count = vi_load(in->count + lane);
        for (int slot = 0; slot < in->slot_count; slot++) {
            const int at = slot * THRONG_LANES + lane;
            const vfloat px = vf_load(in->px + at), py = vf_load(in->py + at);
            const vfloat vx = wish_x - vf_load(in->vx + at), vy = wish_y - vf_load(in->vy + at);
            const vfloat radius = vf_load(in->radius + at);
            // The ray along v passes the other's disc nearer than R, and reaches it within the horizon.
            const vfloat closing = vf_dot(px, py, vx, vy), miss = vf_cross(px, py, vx, vy);
            const vfloat square = vf_dot(vx, vy, vx, vy);
            const vmask hits = vf_lt(miss * miss, radius * radius * square);
            const vmask soon = vf_lt(closing, horizon * square + radius * vf_sqrt(square));
            vmask ahead = vm_and(vi_lt(vi_splat(slot), count), vf_gt(closing, vf_zero()));
            if (in->leave_out_along) {
                const vfloat along = vf_dot(vf_load(in->vx + at), vf_load(in->vy + at), wish_x, wish_y);
                ahead = vm_and(ahead, vm_not(vf_gt(along, vf_zero())));
            }
            bits |= (uint32_t)vm_bits(vm_and(ahead, vm_and(hits, soon))) << lane;
        }
    }
    return bits;
}

// Weights (1 - d²/reach²) cos(angle to the wish) over the half-disc ahead have the integral reach²/2. Missing from the
// sum is the own cell of 1/density, where nobody else stands: 1/pi in a regular crowd; and half as much again, measured
// in a corridor 3 m wide, for the ground that walls take.
static const float own_cell = 0.47746f;
/// People who come towards one count for more than those who go along.
static const float oncoming = 2.5f;

void LANE_ENTRY(throng_lane_density)(const throng_ahead_input *in, const float *reach, float *density) {
    LANE_FOR(lane) {
        const vfloat wish_x = vf_load(in->wish_x + lane), wish_y = vf_load(in->wish_y + lane);
        const vfloat length = vf_sqrt(vf_dot(wish_x, wish_y, wish_x, wish_y));
        const vfloat limit = vf_load(reach + lane) * vf_load(reach + lane);
        const vint count = vi_load(in->count + lane);
        vfloat sum = vf_zero();
        for (int slot = 0; slot < in->slot_count; slot++) {
            const int at = slot * THRONG_LANES + lane;
            const vfloat px = vf_load(in->px + at), py = vf_load(in->py + at);
            const vfloat square = vf_dot(px, py, px, py), along = vf_dot(px, py, wish_x, wish_y);
            const vmask counts =
                vm_and(vi_lt(vi_splat(slot), count), vm_and(vf_gt(along, vf_zero()), vf_lt(square, limit)));
            const vfloat weight = (vf_splat(1.0f) - square / limit) * along / (vf_sqrt(square) * length);
            const vfloat theirs = vf_dot(vf_load(in->vx + at), vf_load(in->vy + at), wish_x, wish_y);
            const vfloat factor = vf_select(vf_lt(theirs, vf_zero()), vf_splat(oncoming), vf_splat(1.0f));
            sum = sum + vf_select(counts, weight * factor, vf_zero());
        }
        const vfloat own = vf_splat(own_cell) * vf_min(sum, vf_splat(1.0f)); // who is alone feels nothing
        vf_store(density + lane, (sum + own) * vf_splat(2.0f) / limit);
    }
}
