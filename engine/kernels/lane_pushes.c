// Push-out of bodies that overlap.
#include "kernels/lanes.h"
#include "kernels/nearest.h"

void LANE_ENTRY(throng_lane_pushes)(const throng_pushes_input *in, throng_pushes_output *out);

void LANE_ENTRY(throng_lane_pushes)(const throng_pushes_input *in, throng_pushes_output *out) {
    // The two places of a position are a record of eight.
    const float *places = (const float *)(const void *)in->places + 4 * in->now;
    const vfloat none = vf_zero(), step = vf_splat(THRONG_GRID_STEP), slop = vf_splat(in->slop);
    out->asked = out->touching = out->moved = out->together = 0;
    LANE_FOR(lane) {
        const vint count = vi_load(in->count + lane), own = vi_splat(in->first);
        const vmask asked = vi_lt(vi_splat(0), count);
        const vint self = vi_select(asked, own + vi_splat(lane) + vi_iota(), own);
        _Alignas(64) int32_t at[LANE_WIDTH];
        vfloat me[4], other[4];
        vi_store(at, self);
        vf_load_records(places, at, me);
        const vint x = vi_from_vf_bits(me[0]), y = vi_from_vf_bits(me[1]);
        vfloat sum_x = none, sum_y = none, deepest = none, pushers = none;
        vint with = self;
        vmask together = vm_none();
        const vmask may_move = vm_andnot(asked, vm_from_tile(in->still, lane));
        const int none_moves = !vm_any(may_move);
        for (int slot = 0;; slot++) {
            const vmask used = vi_lt(vi_splat(slot), count);
            if (!vm_any(used)) break;
            const int32_t *position = in->position + slot * THRONG_LANES + lane;
            vf_load_records(places, position, other);
            const vfloat dx = vf_from_vi(vi_sub_wrapping(vi_from_vf_bits(other[0]), x)) * step;
            const vfloat dy = vf_from_vi(vi_sub_wrapping(vi_from_vf_bits(other[1]), y)) * step;
            const vfloat reach = me[2] + other[2], square = vf_dot(dx, dy, dx, dy);
            const vmask meets = vm_and(used, vf_lt(square, reach * reach));
            if (!vm_any(meets)) continue;
            const vfloat distance = vf_sqrt(square), overlap = reach - distance;
            const vmask deeper = vm_and(meets, vf_gt(overlap, deepest));
            deepest = vf_select(deeper, overlap, deepest);
            with = vi_select(deeper, vi_load(position), with);
            if (none_moves) continue;
            vfloat share = vf_splat(0.5f);
            if (in->claims_vary) share = me[3] / (me[3] + other[3]);
            const vmask push = vm_and(vm_and(meets, vf_gt(overlap, slop)), vf_gt(share, none));
            const vmask same = vm_and(push, vf_eq(distance, none));
            together = vm_or(together, same);
            const vfloat part = share * overlap / vf_select(same, vf_splat(1.0f), distance);
            sum_x = vf_select(push, sum_x + part * dx, sum_x);
            sum_y = vf_select(push, sum_y + part * dy, sum_y);
            pushers = vf_select(push, pushers + vf_splat(1.0f), pushers);
        }
        // Pushes from several sides are taken in part, or passes would overshoot in a dense heap.
        const vfloat two = vf_splat(2.0f), parts = vf_splat(1.0f) + pushers, steps = vf_splat(1.0f / THRONG_GRID_STEP);
        const vmask moves = vm_and(vf_gt(pushers, none), may_move);
        const vint away_x = vi_from_vf_nearest(two * sum_x / parts * steps);
        const vint away_y = vi_from_vf_nearest(two * sum_y / parts * steps);
        vi_store(out->x + lane, vi_select(moves, vi_sub_wrapping(x, away_x), x));
        vi_store(out->y + lane, vi_select(moves, vi_sub_wrapping(y, away_y), y));
        vf_store(out->deepest + lane, deepest);
        vi_store(out->with + lane, with);
        out->asked |= vm_bits(asked) << lane;
        out->touching |= vm_bits(vf_gt(deepest, none)) << lane;
        out->moved |= vm_bits(moves) << lane;
        out->together |= vm_bits(together) << lane;
    }
}
