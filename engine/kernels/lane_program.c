#include "kernels/lanes.h"

void LANE_ENTRY(throng_lane_program)(const throng_program_input *in, throng_program_output *out);

void LANE_ENTRY(throng_lane_program)(const throng_program_input *in, throng_program_output *out) {
    out->infeasible = 0;
    LANE_FOR(lane) {
        vfloat px = vf_load(in->preferred_vx + lane), py = vf_load(in->preferred_vy + lane);
        vfloat most = vf_load(in->max_speed + lane);
        vfloat speed = vf_sqrt(vf_dot(px, py, px, py));
        vfloat scale = vf_select(vf_gt(speed, most), most / speed, vf_splat(1.0f));
        vf_store(out->vx + lane, px * scale);
        vf_store(out->vy + lane, py * scale);
        vf_store(out->violation + lane, vf_zero());
    }
}
