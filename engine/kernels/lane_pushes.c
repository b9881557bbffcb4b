// Push-out of bodies that overlap, in doubles: places are told to the grid.
#include "kernels/lanes.h"
#include "kernels/nearest.h"

void LANE_ENTRY(throng_lane_pushes)(const throng_pushes_input *in, throng_pushes_output *out);

void LANE_ENTRY(throng_lane_pushes)(const throng_pushes_input *in, throng_pushes_output *out) {
    const float *records = (const float *)(const void *)in->packed;
    const vdouble none = vd_splat(0.0), slop = vd_splat(in->slop);
    out->together = 0;
    LANE_FOR(lane) {
        const vint count = vi_load(in->count + lane), own = vi_splat(in->first);
        const vint self = vi_select(vi_lt(vi_splat(0), count), own + vi_splat(lane) + vi_iota(), own);
        _Alignas(64) int32_t at[LANE_WIDTH];
        vfloat me[4], my_motion[4], other[4], motion[4];
        vi_store(at, self);
        vf_load_records(records, at, me);
        vf_load_records(records + 4, at, my_motion);
        const vint row = vi_from_vf_bits(me[3]);
        const vdouble x = vd_gather(in->x, row), y = vd_gather(in->y, row), radius = vd_from_vf(me[2]);
        vdouble sum_x = none, sum_y = none;
        vfloat deepest = vf_zero();
        vint with = row, pushers = vi_splat(0);
        vmask together = vm_none();
        for (int slot = 0;; slot++) {
            const vmask used = vi_lt(vi_splat(slot), count);
            if (!vm_any(used)) break;
            vi_store(at, vi_select(used, vi_load(in->position + slot * THRONG_LANES + lane), own));
            vf_load_records(records, at, other);
            const vint other_row = vi_from_vf_bits(other[3]);
            const vdouble dx = vd_sub(x, vd_gather(in->x, other_row)), dy = vd_sub(y, vd_gather(in->y, other_row));
            const vdouble reach = vd_add(radius, vd_from_vf(other[2]));
            const vdouble square = vd_add(vd_mul(dx, dx), vd_mul(dy, dy));
            const vmask meets = vm_and(used, vd_lt(square, vd_mul(reach, reach)));
            if (!vm_any(meets)) continue;
            const vdouble distance = vd_sqrt(square), overlap = vd_sub(reach, distance);
            const vfloat depth = vf_from_vd(overlap);
            const vmask deeper = vm_and(meets, vf_gt(depth, deepest));
            deepest = vf_select(deeper, depth, deepest);
            with = vi_select(deeper, other_row, with);
            const vmask push = vm_and(meets, vd_lt(slop, overlap));
            const vmask same = vm_and(push, vd_eq(distance, none));
            together = vm_or(together, same);
            vfloat share = vf_splat(0.5f);
            if (in->claims_vary) {
                vf_load_records(records + 4, at, motion);
                share = my_motion[2] / (my_motion[2] + motion[2]);
            }
            const vdouble part = vd_mul(vd_from_vf(share), overlap);
            const vdouble apart = vd_select(same, vd_splat(1.0), distance);
            sum_x = vd_select(push, vd_add(sum_x, vd_mul(part, vd_div(dx, apart))), sum_x);
            sum_y = vd_select(push, vd_add(sum_y, vd_mul(part, vd_div(dy, apart))), sum_y);
            pushers = pushers + vi_select(push, vi_splat(1), vi_splat(0));
        }
        vd_storeu(out->x + lane, sum_x);
        vd_storeu(out->y + lane, sum_y);
        vi_store(out->pushers + lane, pushers);
        vf_store(out->deepest + lane, deepest);
        vi_store(out->with + lane, with);
        out->together |= vm_bits(together) << lane;
    }
}
