// Whom those do not see whom they see: the fields of view of others, looked back along.
#include "kernels/lanes.h"

#include <math.h>

void LANE_ENTRY(throng_lane_unseen)(const throng_gazes_input *in, float *share, uint16_t *doubtful);

// Places and velocities are rounded to floats, and a dozen operations follow: less than 2^-20 together. What lies
// nearer to the border is left to whoever reckons in doubles.
#define BORDER 0x1p-18f
// (m/s)² and m²: below it squares may underflow.
#define SMALLEST 1e-15f

void LANE_ENTRY(throng_lane_unseen)(const throng_gazes_input *in, float *share, uint16_t *doubtful) {
    for (int slot = 0; slot < in->slot_count; slot++) {
        uint32_t bits = 0;
        LANE_FOR(lane) {
            const int at = slot * THRONG_LANES + lane;
            const vint row = vi_load(in->row + at);
            const vfloat cosine = vf_gather(in->view_cosine, row), range = vf_gather(in->view_range, row);
            const vfloat px = vf_load(in->px + at), py = vf_load(in->py + at);
            const vfloat vx = vf_load(in->vx + at), vy = vf_load(in->vy + at);
            const vfloat square = vf_dot(px, py, px, py), speed = vf_dot(vx, vy, vx, vy);
            const vfloat behind = vf_dot(px, py, vx, vy), size = speed * square;
            // Signed squares, as in throng_view_limit.
            const vfloat ahead = -behind * vf_abs(behind), limit = cosine * vf_abs(cosine) * size;
            const vfloat border = size * vf_splat(BORDER), farthest = range * range;
            const vmask round = vf_le(cosine, vf_splat(-1.0f));
            const vmask moves = vm_and(vf_gt(speed, vf_splat(SMALLEST)), vf_gt(square, vf_splat(SMALLEST)));
            const vmask aside = vm_andnot(vm_and(moves, vf_lt(ahead, limit - border)), round);
            const vmask within = vm_or(vm_and(moves, vf_gt(ahead, limit + border)), round);
            const vmask beyond = vf_gt(square, farthest * vf_splat(1.0f + BORDER));
            const vmask near = vf_lt(square, farthest * vf_splat(1.0f - BORDER));
            const vmask used = vi_lt(vi_splat(slot), vi_load(in->count + lane));
            const vmask unseen = vm_and(used, vm_or(aside, beyond));
            const vmask seen = vm_or(vm_and(within, near), vm_not(used));
            vf_store(share + at, vf_select(unseen, vf_splat(1.0f), vf_load(share + at)));
            bits |= vm_bits(vm_not(vm_or(unseen, seen))) << lane;
        }
        doubtful[slot] = (uint16_t)bits;
    }
}
