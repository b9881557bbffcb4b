// What an agent shares with its neighbors, from packed places and velocities.
#include "kernels/lanes.h"
#include "kernels/nearest.h"

void LANE_ENTRY(throng_lane_pairs)(const throng_pairs_found *in, const throng_pairs_made *out);

LANE_INLINE vfloat apart(vfloat packed, vint self) {
    return vf_from_vi(vi_sub_wrapping(vi_from_vf_bits(packed), self)) * vf_splat(THRONG_GRID_STEP);
}

void LANE_ENTRY(throng_lane_pairs)(const throng_pairs_found *in, const throng_pairs_made *out) {
    const float *records = (const float *)(const void *)in->packed;
    uint32_t among_standers = 0;
    LANE_FOR(lane) {
        vint standers = vi_splat(0);
        const vint self_x = vi_load(in->self_x + lane), self_y = vi_load(in->self_y + lane);
        const vint self_row = vi_load(in->self_row + lane), count = vi_load(in->count + lane);
        const vfloat self_radius = vf_load(in->self_radius + lane);
        const vfloat self_claim = vf_load(in->self_claim + lane);
        for (int slot = 0; slot < in->slot_count; slot++) {
            const int at = slot * THRONG_LANES + lane;
            const vmask used = vi_lt(vi_splat(slot), count);
            _Alignas(64) int32_t positions[LANE_WIDTH];
            const vint position = vi_select(used, vi_load(in->position + at), vi_splat(0));
            vi_store(positions, position);
            vfloat field[4], motion[4];
            vf_load_records(records, positions, field);
            vf_load_records(records + 4, positions, motion);
            vf_store(out->px + at, vf_select(used, apart(field[0], self_x), vf_zero()));
            vf_store(out->py + at, vf_select(used, apart(field[1], self_y), vf_zero()));
            vf_store(out->vx + at, vf_select(used, motion[0], vf_zero()));
            vf_store(out->vy + at, vf_select(used, motion[1], vf_zero()));
            const vint row = vi_from_vf_bits(field[3]);
            vfloat radius = field[2];
            if (in->margin) radius = radius + vf_gather(in->margin, row);
            vf_store(out->radius + at, vf_select(used, self_radius + radius, vf_zero()));
            vi_store(out->row + at, vi_select(used, row, self_row));
            standers = standers | vi_select(used, vi_from_vf_bits(motion[3]), vi_splat(0));
            vfloat share = vf_splat(0.5f);
            if (in->claims_vary) share = self_claim / (self_claim + motion[2]);
            if (in->margin) {
                const vint common = vi_gather(in->mask, row) & vi_load(in->self_layer + lane);
                share = vf_select(vi_eq(common, vi_splat(0)), vf_splat(1.0f), share);
            }
            vf_store(out->share + at, vf_select(used, share, vf_zero()));
        }
        among_standers |= vm_bits(vm_not(vi_eq(standers, vi_splat(0)))) << lane;
    }
    *out->among_standers = among_standers;
}
