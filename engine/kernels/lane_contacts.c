// Who may touch whom within the step.
#include "kernels/lanes.h"
#include "kernels/nearest.h"

#include <math.h>

int LANE_ENTRY(throng_lane_count_contacts)(const float *key, const float *range, int32_t *count, float *widest);

int LANE_ENTRY(throng_lane_count_contacts)(const float *key, const float *range, int32_t *count, float *widest) {
    int most = 0;
    *widest = -INFINITY;
    LANE_FOR(lane) {
        const vfloat limit = vf_load(range + lane);
        const float wide = vf_largest(limit);
        if (wide > *widest) *widest = wide;
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
