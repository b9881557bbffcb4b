// Four lanes, NEON of AArch64. Included by lanes.h only.
#ifndef THRONG_KERNELS_LANES_NEON_H
#define THRONG_KERNELS_LANES_NEON_H

#include <arm_neon.h>

#define LANE_WIDTH 4

typedef float32x4_t vfloat;
typedef int32x4_t vint;
typedef uint32x4_t vmask; // all bits of a lane
typedef struct vdouble {
    float64x2_t low, high;
} vdouble;

LANE_INLINE vfloat vf_splat(float value) {
    return vdupq_n_f32(value);
}
LANE_INLINE vfloat vf_load(const float *from) {
    return vld1q_f32(from);
}
LANE_INLINE vfloat vf_loadu(const float *from) {
    return vld1q_f32(from);
}
LANE_INLINE void vf_store(float *to, vfloat a) {
    vst1q_f32(to, a);
}
LANE_INLINE void vf_storeu(float *to, vfloat a) {
    vst1q_f32(to, a);
}
LANE_INLINE vfloat vf_gather(const float *base, vint index) {
    return (vfloat){base[index[0]], base[index[1]], base[index[2]], base[index[3]]};
}
LANE_INLINE vfloat vf_sqrt(vfloat a) {
    return vsqrtq_f32(a);
}
LANE_INLINE vfloat vf_abs(vfloat a) {
    return vabsq_f32(a);
}
LANE_INLINE vmask vf_lt(vfloat a, vfloat b) {
    return vcltq_f32(a, b);
}
LANE_INLINE vmask vf_le(vfloat a, vfloat b) {
    return vcleq_f32(a, b);
}
LANE_INLINE vmask vf_gt(vfloat a, vfloat b) {
    return vcgtq_f32(a, b);
}
LANE_INLINE vmask vf_ge(vfloat a, vfloat b) {
    return vcgeq_f32(a, b);
}
LANE_INLINE vmask vf_eq(vfloat a, vfloat b) {
    return vceqq_f32(a, b);
}
LANE_INLINE vmask vf_ne(vfloat a, vfloat b) {
    return vmvnq_u32(vceqq_f32(a, b));
}
LANE_INLINE vfloat vf_select(vmask m, vfloat yes, vfloat no) {
    return vbslq_f32(m, yes, no);
}
// Not vminq and vmaxq, which order the zeros and pass NaN on.
LANE_INLINE vfloat vf_min(vfloat a, vfloat b) {
    return vf_select(vf_lt(a, b), a, b);
}
LANE_INLINE vfloat vf_max(vfloat a, vfloat b) {
    return vf_select(vf_gt(a, b), a, b);
}
LANE_INLINE vfloat vf_max_where(vmask m, vfloat a, vfloat b) {
    return vf_select(vandq_u32(m, vcgtq_f32(b, a)), b, a);
}
LANE_INLINE vfloat vf_min_where(vmask m, vfloat a, vfloat b) {
    return vf_select(vandq_u32(m, vcltq_f32(b, a)), b, a);
}

LANE_INLINE vint vi_splat(int32_t value) {
    return vdupq_n_s32(value);
}
LANE_INLINE vint vi_iota(void) {
    return (vint){0, 1, 2, 3};
}
LANE_INLINE vint vi_load(const int32_t *from) {
    return vld1q_s32(from);
}
LANE_INLINE vint vi_loadu(const int32_t *from) {
    return vld1q_s32(from);
}
LANE_INLINE void vi_store(int32_t *to, vint a) {
    vst1q_s32(to, a);
}
LANE_INLINE void vi_storeu(int32_t *to, vint a) {
    vst1q_s32(to, a);
}
LANE_INLINE vint vi_gather(const int32_t *base, vint index) {
    return (vint){base[index[0]], base[index[1]], base[index[2]], base[index[3]]};
}
LANE_INLINE vint vi_shl(vint a, int bits) {
    return vshlq_s32(a, vdupq_n_s32(bits));
}
LANE_INLINE vint vi_shr(vint a, int bits) {
    return vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(a), vdupq_n_s32(-bits)));
}
LANE_INLINE vmask vi_eq(vint a, vint b) {
    return vceqq_s32(a, b);
}
LANE_INLINE vmask vi_lt(vint a, vint b) {
    return vcltq_s32(a, b);
}
LANE_INLINE vmask vi_ltu(vint a, vint b) {
    return vcltq_u32(vreinterpretq_u32_s32(a), vreinterpretq_u32_s32(b));
}
LANE_INLINE vint vi_select(vmask m, vint yes, vint no) {
    return vbslq_s32(m, yes, no);
}
LANE_INLINE vint vi_min(vint a, vint b) {
    return vminq_s32(a, b);
}
LANE_INLINE vint vi_max(vint a, vint b) {
    return vmaxq_s32(a, b);
}
LANE_INLINE vint vi_sub_wrapping(vint a, vint b) {
    return vsubq_s32(a, b);
}
LANE_INLINE vint vi_from_vf_bits(vfloat a) {
    return vreinterpretq_s32_f32(a);
}
LANE_INLINE vfloat vf_from_vi_bits(vint a) {
    return vreinterpretq_f32_s32(a);
}
LANE_INLINE vfloat vf_from_vi(vint a) {
    return vcvtq_f32_s32(a);
}
LANE_INLINE vint vi_from_vf_nearest(vfloat a) {
    return vcvtnq_s32_f32(a);
}
LANE_INLINE void vf_load_records(const float *records, const int32_t *at, vfloat field[4]) {
    const float32x4x2_t ab = vtrnq_f32(vld1q_f32(records + 8 * (size_t)at[0]), vld1q_f32(records + 8 * (size_t)at[1]));
    const float32x4x2_t cd = vtrnq_f32(vld1q_f32(records + 8 * (size_t)at[2]), vld1q_f32(records + 8 * (size_t)at[3]));
    field[0] = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
    field[1] = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
    field[2] = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
    field[3] = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}

LANE_INLINE vmask vm_none(void) {
    return vdupq_n_u32(0);
}
LANE_INLINE vmask vm_from_bits(uint32_t bits) {
    const vmask one_bit = {1, 2, 4, 8};
    return vtstq_u32(vdupq_n_u32(bits), one_bit);
}
LANE_INLINE uint32_t vm_bits(vmask m) {
    const vmask one_bit = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(m, one_bit));
}
LANE_INLINE vmask vm_and(vmask a, vmask b) {
    return vandq_u32(a, b);
}
LANE_INLINE vmask vm_andnot(vmask a, vmask b) {
    return vbicq_u32(a, b);
}
LANE_INLINE vmask vm_or(vmask a, vmask b) {
    return vorrq_u32(a, b);
}
LANE_INLINE vmask vm_xor(vmask a, vmask b) {
    return veorq_u32(a, b);
}
LANE_INLINE vmask vm_not(vmask a) {
    return vmvnq_u32(a);
}
LANE_INLINE int vm_any(vmask m) {
    return vmaxvq_u32(m) != 0;
}
LANE_INLINE int vm_all(vmask m) {
    return vminvq_u32(m) != 0;
}

LANE_INLINE vmask vm_from_halves(uint64x2_t low, uint64x2_t high) {
    return vuzp1q_u32(vreinterpretq_u32_u64(low), vreinterpretq_u32_u64(high));
}
LANE_INLINE vdouble vd_splat(double value) {
    return (vdouble){vdupq_n_f64(value), vdupq_n_f64(value)};
}
LANE_INLINE vdouble vd_loadu(const double *from) {
    return (vdouble){vld1q_f64(from), vld1q_f64(from + 2)};
}
LANE_INLINE void vd_storeu(double *to, vdouble a) {
    vst1q_f64(to, a.low);
    vst1q_f64(to + 2, a.high);
}
LANE_INLINE vdouble vd_gather(const double *base, vint index) {
    return (vdouble){(float64x2_t){base[index[0]], base[index[1]]}, (float64x2_t){base[index[2]], base[index[3]]}};
}
LANE_INLINE vdouble vd_from_vf(vfloat a) {
    return (vdouble){vcvt_f64_f32(vget_low_f32(a)), vcvt_high_f64_f32(a)};
}
LANE_INLINE vfloat vf_from_vd(vdouble a) {
    return vcombine_f32(vcvt_f32_f64(a.low), vcvt_f32_f64(a.high));
}
LANE_INLINE vdouble vd_add(vdouble a, vdouble b) {
    return (vdouble){a.low + b.low, a.high + b.high};
}
LANE_INLINE vdouble vd_sub(vdouble a, vdouble b) {
    return (vdouble){a.low - b.low, a.high - b.high};
}
LANE_INLINE vdouble vd_mul(vdouble a, vdouble b) {
    return (vdouble){a.low * b.low, a.high * b.high};
}
LANE_INLINE vdouble vd_div(vdouble a, vdouble b) {
    return (vdouble){a.low / b.low, a.high / b.high};
}
LANE_INLINE vdouble vd_sqrt(vdouble a) {
    return (vdouble){vsqrtq_f64(a.low), vsqrtq_f64(a.high)};
}
LANE_INLINE vmask vd_lt(vdouble a, vdouble b) {
    return vm_from_halves(vcltq_f64(a.low, b.low), vcltq_f64(a.high, b.high));
}
LANE_INLINE vmask vd_le(vdouble a, vdouble b) {
    return vm_from_halves(vcleq_f64(a.low, b.low), vcleq_f64(a.high, b.high));
}
LANE_INLINE vmask vd_eq(vdouble a, vdouble b) {
    return vm_from_halves(vceqq_f64(a.low, b.low), vceqq_f64(a.high, b.high));
}
LANE_INLINE vdouble vd_select(vmask m, vdouble yes, vdouble no) {
    uint64x2_t low = vreinterpretq_u64_u32(vzip1q_u32(m, m));
    uint64x2_t high = vreinterpretq_u64_u32(vzip2q_u32(m, m));
    return (vdouble){vbslq_f64(low, yes.low, no.low), vbslq_f64(high, yes.high, no.high)};
}

#endif
