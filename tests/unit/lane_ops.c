#include "unit/lane_ops.h"

#include "kernels/lanes.h"

void LANE_ENTRY(lane_ops)(const lane_operands *in, lane_results *out) {
    *out = (lane_results){0};
    LANE_FOR(lane) {
        const vfloat a = vf_load(in->a + lane), b = vf_loadu(in->b + lane);
        const vint i = vi_load(in->i + lane), j = vi_loadu(in->j + lane), index = vi_load(in->index + lane);
        const vdouble p = vd_loadu(in->p + lane), q = vd_loadu(in->q + lane);
        const vmask m = vm_from_tile(in->mask, lane), less = vf_lt(a, b);

        _Alignas(64) int32_t half[LANE_WIDTH];
        vi_store(half, index & vi_splat(THRONG_LANES / 8 - 1));
        vfloat record[4];
        vf_load_records(in->b, half, record);

        const vfloat floats[FLOAT_ROWS] = {
            a + b,
            a - b,
            a * b,
            a / b,
            -a,
            vf_sqrt(a),
            vf_abs(a),
            vf_min(a, b),
            vf_max(a, b),
            vf_min_where(m, a, b),
            vf_max_where(m, a, b),
            vf_select(m, a, b),
            vf_splat(in->a[0]),
            vf_gather(in->b, index),
            vf_from_vi(i),
            vf_from_vi_bits(j),
            vf_from_vd(p),
            vf_dot(a, b, b, a),
            vf_cross(a, b, b, b),
            vf_zero(),
            record[0],
            record[1],
            record[2],
            record[3],
        };
        for (int row = 0; row < FLOAT_ROWS - 1; row++) vf_store(out->f[row] + lane, floats[row]);
        vf_storeu(out->f[FLOAT_ROWS - 1] + lane, b);

        const vint ints[INT_ROWS] = {
            i + j,
            i - j,
            i & j,
            i | j,
            i ^ j,
            ~i,
            vi_shl(i, 3),
            vi_shr(i, 5),
            vi_select(m, i, j),
            vi_min(i, j),
            vi_max(i, j),
            vi_splat(in->i[0]),
            vi_gather(in->j, index),
            vi_from_vf_bits(a),
            vi_sub_wrapping(i, j),
            vi_sub_wrapping(vi_shl(i, 13), vi_shl(j, 17)),
            vi_iota() + vi_splat(lane),
            vi_from_vf_nearest(vf_min(vf_max(a, vf_splat(-1e9f)), vf_splat(1e9f))),
        };
        for (int row = 0; row < INT_ROWS - 1; row++) vi_store(out->i[row] + lane, ints[row]);
        vi_storeu(out->i[INT_ROWS - 1] + lane, i);

        const vdouble doubles[DOUBLE_ROWS] = {
            vd_add(p, q),          vd_sub(p, q),       vd_mul(p, q),
            vd_div(p, q),          vd_sqrt(p),         vd_select(m, p, q),
            vd_from_vf(a),         vd_splat(in->p[0]), vd_gather(in->q, index),
            vd_select(less, q, p), vd_splat(0.0),      vd_splat(-0.0),
        };
        for (int row = 0; row < DOUBLE_ROWS; row++) vd_storeu(out->d[row] + lane, doubles[row]);

        const vmask masks[] = {
            less,           vf_le(a, b),     vf_gt(a, b), vf_ge(a, b),     vf_eq(a, b),
            vf_ne(a, b),    vi_eq(i, j),     vi_lt(i, j), vi_ltu(i, j),    vd_lt(p, q),
            vd_le(p, q),    vd_eq(p, q),     m,           vm_and(m, less), vm_andnot(m, less),
            vm_or(m, less), vm_xor(m, less), vm_not(m),   vm_none(),
        };
        const int count = (int)(sizeof masks / sizeof masks[0]);
        for (int row = 0; row < count; row++) {
            out->m[row] |= vm_bits(masks[row]) << lane;
            // Which of the tile's masks are empty or full does not depend on the width: collected over the vectors.
            if (vm_any(masks[row])) out->m[MASK_ROWS - 2] |= 1u << row;
            if (!vm_all(masks[row])) out->m[MASK_ROWS - 1] |= 1u << row;
        }
    }
}
