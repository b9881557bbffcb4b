// Who may touch whom within the step.
#include "kernels/lanes.h"
#include "kernels/nearest.h"

#include <math.h>

int LANE_ENTRY(throng_lane_keep_contacts)(const throng_contacts_input *in, int32_t *count, float *widest,
                                          uint32_t *kept);

int LANE_ENTRY(throng_lane_keep_contacts)(const throng_contacts_input *in, int32_t *count, float *widest,
                                          uint32_t *kept) {
    *widest = -INFINITY;
    LANE_FOR(lane) {
        vi_store(count + lane, vi_splat(0));
        const float wide = vf_largest(vf_load(in->range + lane));
        if (wide > *widest) *widest = wide;
    }
    for (int slot = 0; slot < THRONG_CONTACT_SLOTS; slot++) {
        int any = 0;
        LANE_FOR(lane) {
            const int at = slot * THRONG_LANES + lane;
            const vmask within = vf_le(vf_load(in->key + at), vf_load(in->range + lane));
            any |= vm_any(within);
            vi_store(count + lane, vi_load(count + lane) + vi_select(within, vi_splat(1), vi_splat(0)));
            if (slot == THRONG_CONTACT_SLOTS - 1) continue;
            const vint other = vi_select(within, vi_load(in->position + at), vi_load(in->self + lane));
            vi_storeu((int32_t *)kept + at, other);
        }
        if (!any) return slot;
    }
    return THRONG_CONTACT_SLOTS;
}
