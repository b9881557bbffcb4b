// One lane: the reference for the other instruction sets. Included by lanes.h only.
#ifndef THRONG_KERNELS_LANES_SCALAR_H
#define THRONG_KERNELS_LANES_SCALAR_H

#include <math.h>
#include <string.h>

#define LANE_WIDTH 1

typedef float vfloat;
typedef int32_t vint;
typedef double vdouble;
typedef uint32_t vmask; // 0 or 1

LANE_INLINE vfloat vf_splat(float value) {
    return value;
}
LANE_INLINE vfloat vf_load(const float *from) {
    return *from;
}
LANE_INLINE vfloat vf_loadu(const float *from) {
    return *from;
}
LANE_INLINE void vf_store(float *to, vfloat a) {
    *to = a;
}
LANE_INLINE void vf_storeu(float *to, vfloat a) {
    *to = a;
}
LANE_INLINE vfloat vf_gather(const float *base, vint index) {
    return base[index];
}
LANE_INLINE vfloat vf_sqrt(vfloat a) {
    return sqrtf(a);
}
LANE_INLINE vfloat vf_abs(vfloat a) {
    return fabsf(a);
}
LANE_INLINE vfloat vf_min(vfloat a, vfloat b) {
    return a < b ? a : b;
}
LANE_INLINE vfloat vf_max(vfloat a, vfloat b) {
    return a > b ? a : b;
}
LANE_INLINE vmask vf_lt(vfloat a, vfloat b) {
    return a < b;
}
LANE_INLINE vmask vf_le(vfloat a, vfloat b) {
    return a <= b;
}
LANE_INLINE vmask vf_gt(vfloat a, vfloat b) {
    return a > b;
}
LANE_INLINE vmask vf_ge(vfloat a, vfloat b) {
    return a >= b;
}
LANE_INLINE vmask vf_eq(vfloat a, vfloat b) {
    return a == b;
}
LANE_INLINE vmask vf_ne(vfloat a, vfloat b) {
    return a != b;
}
LANE_INLINE vfloat vf_select(vmask m, vfloat yes, vfloat no) {
    return m ? yes : no;
}
LANE_INLINE vfloat vf_max_where(vmask m, vfloat a, vfloat b) {
    return m && b > a ? b : a;
}
LANE_INLINE vfloat vf_min_where(vmask m, vfloat a, vfloat b) {
    return m && b < a ? b : a;
}

LANE_INLINE vint vi_splat(int32_t value) {
    return value;
}
LANE_INLINE vint vi_iota(void) {
    return 0;
}
LANE_INLINE vint vi_load(const int32_t *from) {
    return *from;
}
LANE_INLINE vint vi_loadu(const int32_t *from) {
    return *from;
}
LANE_INLINE void vi_store(int32_t *to, vint a) {
    *to = a;
}
LANE_INLINE void vi_storeu(int32_t *to, vint a) {
    *to = a;
}
LANE_INLINE vint vi_gather(const int32_t *base, vint index) {
    return base[index];
}
LANE_INLINE vint vi_shl(vint a, int bits) {
    return (vint)((uint32_t)a << bits);
}
LANE_INLINE vint vi_shr(vint a, int bits) {
    return (vint)((uint32_t)a >> bits);
}
LANE_INLINE vmask vi_eq(vint a, vint b) {
    return a == b;
}
LANE_INLINE vmask vi_lt(vint a, vint b) {
    return a < b;
}
LANE_INLINE vmask vi_ltu(vint a, vint b) {
    return (uint32_t)a < (uint32_t)b;
}
LANE_INLINE vint vi_select(vmask m, vint yes, vint no) {
    return m ? yes : no;
}
LANE_INLINE vint vi_min(vint a, vint b) {
    return a < b ? a : b;
}
LANE_INLINE vint vi_max(vint a, vint b) {
    return a > b ? a : b;
}
LANE_INLINE vint vi_sub_wrapping(vint a, vint b) {
    return (vint)((uint32_t)a - (uint32_t)b);
}
LANE_INLINE vint vi_from_vf_bits(vfloat a) {
    vint bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
LANE_INLINE vfloat vf_from_vi_bits(vint a) {
    vfloat value;
    memcpy(&value, &a, sizeof value);
    return value;
}
LANE_INLINE vfloat vf_from_vi(vint a) {
    return (float)a;
}
LANE_INLINE vint vi_from_vf_nearest(vfloat a) {
    const double whole = 0x1.8p52; // here a double's last bit is worth 1
    return (vint)(((double)a + whole) - whole);
}
LANE_INLINE void vf_load_records(const float *records, const int32_t *at, vfloat field[4]) {
    memcpy(field, records + 8 * (size_t)at[0], 4 * sizeof *field);
}

LANE_INLINE vmask vm_none(void) {
    return 0;
}
LANE_INLINE vmask vm_from_bits(uint32_t bits) {
    return bits & 1u;
}
LANE_INLINE uint32_t vm_bits(vmask m) {
    return m;
}
LANE_INLINE vmask vm_and(vmask a, vmask b) {
    return a & b;
}
LANE_INLINE vmask vm_andnot(vmask a, vmask b) {
    return a & (b ^ 1u);
}
LANE_INLINE vmask vm_or(vmask a, vmask b) {
    return a | b;
}
LANE_INLINE vmask vm_xor(vmask a, vmask b) {
    return a ^ b;
}
LANE_INLINE vmask vm_not(vmask a) {
    return a ^ 1u;
}
LANE_INLINE int vm_any(vmask m) {
    return m != 0;
}
LANE_INLINE int vm_all(vmask m) {
    return m != 0;
}

LANE_INLINE vdouble vd_splat(double value) {
    return value;
}
LANE_INLINE vdouble vd_loadu(const double *from) {
    return *from;
}
LANE_INLINE void vd_storeu(double *to, vdouble a) {
    *to = a;
}
LANE_INLINE vdouble vd_gather(const double *base, vint index) {
    return base[index];
}
LANE_INLINE vdouble vd_from_vf(vfloat a) {
    return a;
}
LANE_INLINE vfloat vf_from_vd(vdouble a) {
    return (float)a;
}
LANE_INLINE vdouble vd_add(vdouble a, vdouble b) {
    return a + b;
}
LANE_INLINE vdouble vd_sub(vdouble a, vdouble b) {
    return a - b;
}
LANE_INLINE vdouble vd_mul(vdouble a, vdouble b) {
    return a * b;
}
LANE_INLINE vdouble vd_div(vdouble a, vdouble b) {
    return a / b;
}
LANE_INLINE vdouble vd_sqrt(vdouble a) {
    return sqrt(a);
}
LANE_INLINE vmask vd_lt(vdouble a, vdouble b) {
    return a < b;
}
LANE_INLINE vmask vd_le(vdouble a, vdouble b) {
    return a <= b;
}
LANE_INLINE vmask vd_eq(vdouble a, vdouble b) {
    return a == b;
}
LANE_INLINE vdouble vd_select(vmask m, vdouble yes, vdouble no) {
    return m ? yes : no;
}

#endif
