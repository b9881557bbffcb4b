#include "kernels/lanes.h"

void LANE_ENTRY(throng_lane_wall_planes)(const throng_walls_input *in, throng_tile_planes planes);

void LANE_ENTRY(throng_lane_wall_planes)(const throng_walls_input *in, throng_tile_planes planes) {
    for (int slot = 0; slot < in->slot_count; slot++) {
        LANE_FOR(lane) {
            vf_store(planes.nx + slot * THRONG_LANES + lane, vf_zero());
            vf_store(planes.ny + slot * THRONG_LANES + lane, vf_zero());
            vf_store(planes.c + slot * THRONG_LANES + lane, vf_splat(-1.0f));
        }
    }
}
