// Who may touch whom within the step.
#include "kernels/lanes.h"
#include "kernels/nearest.h"

int LANE_ENTRY(throng_lane_count_contacts)(const float *key, const float *range, int32_t *count);
uint32_t LANE_ENTRY(throng_lane_meetings)(const throng_meetings_input *in);

int LANE_ENTRY(throng_lane_count_contacts)(const float *key, const float *range, int32_t *count) {
    int most = 0;
    LANE_FOR(lane) {
        const vfloat limit = vf_load(range + lane);
        vint within = vi_splat(0);
        int slot = 0;
        for (; slot < THRONG_CONTACT_SLOTS; slot++) {
            const vmask counts = vf_le(vf_load(key + slot * THRONG_LANES + lane), limit);
            if (!vm_any(counts)) break;
            within = within + vi_select(counts, vi_splat(1), vi_splat(0));
        }
        vi_store(count + lane, within);
        if (slot > most) most = slot;
    }
    return most;
}

// Covers the rounding of squares and sums.
static const float nearly = 1.0001f;

uint32_t LANE_ENTRY(throng_lane_meetings)(const throng_meetings_input *in) {
    const float *records = (const float *)(const void *)in->packed;
    uint32_t bits = 0;
    LANE_FOR(lane) {
        const vint count = vi_load(in->count + lane), own = vi_splat(in->first);
        const vint self = vi_select(vi_lt(vi_splat(0), count), own + vi_splat(lane) + vi_iota(), own);
        _Alignas(64) int32_t at[LANE_WIDTH];
        vfloat me[4], other[4];
        vi_store(at, self);
        vf_load_records(records, at, me);
        const vint x = vi_from_vf_bits(me[0]), y = vi_from_vf_bits(me[1]);
        vmask meets = vm_none();
        for (int slot = 0;; slot++) {
            const vmask used = vi_lt(vi_splat(slot), count);
            if (!vm_any(used)) break;
            const vint position = vi_select(used, vi_load(in->position + slot * THRONG_LANES + lane), own);
            vi_store(at, position);
            vf_load_records(records, at, other);
            // Differences too great for packed places come out smaller than they are: nobody is missed.
            const vfloat dx = vf_from_vi(vi_sub_wrapping(vi_from_vf_bits(other[0]), x)) * vf_splat(THRONG_GRID_STEP);
            const vfloat dy = vf_from_vi(vi_sub_wrapping(vi_from_vf_bits(other[1]), y)) * vf_splat(THRONG_GRID_STEP);
            const vfloat reach = me[2] + other[2];
            const vmask near = vf_le(vf_dot(dx, dy, dx, dy), reach * reach * vf_splat(nearly));
            meets = vm_or(meets, vm_and(used, near));
        }
        bits |= vm_bits(meets) << lane;
    }
    return bits;
}
