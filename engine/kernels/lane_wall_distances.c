// How far a piece of wall is from the agents of a tile, in doubles: the nearest piece decides whether an agent sweeps.
#include "kernels/lanes.h"

uint32_t LANE_ENTRY(throng_lane_wall_distances)(const throng_wall_seekers *seekers, const throng_wall_segment *piece,
                                                double *squared);

LANE_INLINE vdouble sum_of_squares(vdouble x, vdouble y) {
    return vd_add(vd_mul(x, x), vd_mul(y, y));
}

uint32_t LANE_ENTRY(throng_lane_wall_distances)(const throng_wall_seekers *seekers, const throng_wall_segment *piece,
                                                double *squared) {
    const vdouble ax = vd_splat(piece->ax), ay = vd_splat(piece->ay), bx = vd_splat(piece->bx),
                  by = vd_splat(piece->by);
    const vdouble ux = vd_splat(piece->ux), uy = vd_splat(piece->uy), length = vd_splat(piece->length);
    const vdouble zero = vd_splat(0.0);
    uint32_t within = 0;
    LANE_FOR(lane) {
        const vdouble x = vd_loadu(seekers->x + lane), y = vd_loadu(seekers->y + lane);
        const vdouble reach = vd_loadu(seekers->reach + lane);
        const vdouble wx = vd_sub(x, ax), wy = vd_sub(y, ay);
        const vdouble along = vd_add(vd_mul(wx, ux), vd_mul(wy, uy));
        const vdouble side = vd_sub(vd_mul(ux, wy), vd_mul(uy, wx));
        const vdouble to_a = sum_of_squares(wx, wy), to_b = sum_of_squares(vd_sub(x, bx), vd_sub(y, by));
        const vmask beside = vm_and(vd_lt(zero, along), vd_lt(along, length));
        const vdouble end = vd_select(vd_lt(to_b, to_a), to_b, to_a);
        const vdouble square = vd_select(beside, vd_mul(side, side), end);
        vd_storeu(squared + lane, square);
        const vmask has = vm_and(vd_le(zero, reach), vd_le(square, vd_mul(reach, reach)));
        within |= vm_bits(has) << lane;
    }
    return within;
}
