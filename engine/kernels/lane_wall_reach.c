// Where walls may be within reach of a tile.
#include "kernels/lanes.h"

#include <math.h>

void LANE_ENTRY(throng_lane_wall_reach)(const throng_wall_seekers *seekers, double box[4]);

LANE_INLINE vdouble lesser(vdouble a, vdouble b) {
    return vd_select(vd_lt(a, b), a, b);
}

static double least(vdouble a) {
    double at[LANE_WIDTH];
    vd_storeu(at, a);
    for (int i = 1; i < LANE_WIDTH; i++) at[0] = throng_mind(at[i], at[0]);
    return at[0];
}

void LANE_ENTRY(throng_lane_wall_reach)(const throng_wall_seekers *seekers, double box[4]) {
    const vdouble none = vd_splat(INFINITY), zero = vd_splat(0.0);
    vdouble low_x = none, low_y = none, high_x = none, high_y = none; // those above with their signs changed
    LANE_FOR(lane) {
        const vdouble x = vd_loadu(seekers->x + lane), y = vd_loadu(seekers->y + lane);
        const vdouble reach = vd_loadu(seekers->reach + lane);
        const vmask seeks = vd_le(zero, reach);
        low_x = lesser(vd_select(seeks, vd_sub(x, reach), none), low_x);
        low_y = lesser(vd_select(seeks, vd_sub(y, reach), none), low_y);
        high_x = lesser(vd_select(seeks, vd_sub(zero, vd_add(x, reach)), none), high_x);
        high_y = lesser(vd_select(seeks, vd_sub(zero, vd_add(y, reach)), none), high_y);
    }
    box[0] = least(low_x);
    box[1] = least(low_y);
    box[2] = -least(high_x);
    box[3] = -least(high_y);
}
