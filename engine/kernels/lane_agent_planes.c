#include "kernels/lanes.h"

void LANE_ENTRY(throng_lane_agent_planes)(const throng_pairs_input *in, throng_tile_planes planes,
                                          uint16_t *degenerate);

void LANE_ENTRY(throng_lane_agent_planes)(const throng_pairs_input *in, throng_tile_planes planes,
                                          uint16_t *degenerate) {
    for (int slot = 0; slot < in->slot_count; slot++) {
        LANE_FOR(lane) {
            vf_store(planes.nx + slot * THRONG_LANES + lane, vf_zero());
            vf_store(planes.ny + slot * THRONG_LANES + lane, vf_zero());
            vf_store(planes.c + slot * THRONG_LANES + lane, vf_splat(-1.0f));
        }
        degenerate[slot] = 0;
    }
}
