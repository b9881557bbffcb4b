// Four lanes, SSE2: every x86-64 has it. Included by lanes.h only.
#ifndef THRONG_KERNELS_LANES_SSE2_H
#define THRONG_KERNELS_LANES_SSE2_H

#include <emmintrin.h>

#define LANE_WIDTH 4

typedef __m128 vfloat;
typedef int32_t vint __attribute__((vector_size(16)));
typedef __m128 vmask; // all bits of a lane
typedef struct vdouble {
    __m128d low, high;
} vdouble;

LANE_INLINE vfloat vf_splat(float value) {
    return _mm_set1_ps(value);
}
LANE_INLINE vfloat vf_load(const float *from) {
    return _mm_load_ps(from);
}
LANE_INLINE vfloat vf_loadu(const float *from) {
    return _mm_loadu_ps(from);
}
LANE_INLINE void vf_store(float *to, vfloat a) {
    _mm_store_ps(to, a);
}
LANE_INLINE void vf_storeu(float *to, vfloat a) {
    _mm_storeu_ps(to, a);
}
LANE_INLINE vfloat vf_gather(const float *base, vint index) {
    return _mm_setr_ps(base[index[0]], base[index[1]], base[index[2]], base[index[3]]);
}
LANE_INLINE vfloat vf_sqrt(vfloat a) {
    return _mm_sqrt_ps(a);
}
LANE_INLINE vfloat vf_abs(vfloat a) {
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
}
LANE_INLINE vfloat vf_min(vfloat a, vfloat b) {
    return _mm_min_ps(a, b);
}
LANE_INLINE vfloat vf_max(vfloat a, vfloat b) {
    return _mm_max_ps(a, b);
}
LANE_INLINE vmask vf_lt(vfloat a, vfloat b) {
    return _mm_cmplt_ps(a, b);
}
LANE_INLINE vmask vf_le(vfloat a, vfloat b) {
    return _mm_cmple_ps(a, b);
}
LANE_INLINE vmask vf_gt(vfloat a, vfloat b) {
    return _mm_cmpgt_ps(a, b);
}
LANE_INLINE vmask vf_ge(vfloat a, vfloat b) {
    return _mm_cmpge_ps(a, b);
}
LANE_INLINE vmask vf_eq(vfloat a, vfloat b) {
    return _mm_cmpeq_ps(a, b);
}
LANE_INLINE vmask vf_ne(vfloat a, vfloat b) {
    return _mm_cmpneq_ps(a, b);
}
LANE_INLINE vfloat vf_select(vmask m, vfloat yes, vfloat no) {
    return _mm_or_ps(_mm_and_ps(m, yes), _mm_andnot_ps(m, no));
}
LANE_INLINE vfloat vf_max_where(vmask m, vfloat a, vfloat b) {
    return vf_select(_mm_and_ps(m, _mm_cmpgt_ps(b, a)), b, a);
}
LANE_INLINE vfloat vf_min_where(vmask m, vfloat a, vfloat b) {
    return vf_select(_mm_and_ps(m, _mm_cmplt_ps(b, a)), b, a);
}

LANE_INLINE vint vi_splat(int32_t value) {
    return (vint)_mm_set1_epi32(value);
}
LANE_INLINE vint vi_iota(void) {
    return (vint){0, 1, 2, 3};
}
LANE_INLINE vint vi_load(const int32_t *from) {
    return (vint)_mm_load_si128((const __m128i *)from);
}
LANE_INLINE vint vi_loadu(const int32_t *from) {
    return (vint)_mm_loadu_si128((const __m128i_u *)from);
}
LANE_INLINE void vi_store(int32_t *to, vint a) {
    _mm_store_si128((__m128i *)to, (__m128i)a);
}
LANE_INLINE void vi_storeu(int32_t *to, vint a) {
    _mm_storeu_si128((__m128i_u *)to, (__m128i)a);
}
LANE_INLINE vint vi_gather(const int32_t *base, vint index) {
    return (vint){base[index[0]], base[index[1]], base[index[2]], base[index[3]]};
}
LANE_INLINE vint vi_shl(vint a, int bits) {
    return (vint)_mm_sll_epi32((__m128i)a, _mm_cvtsi32_si128(bits));
}
LANE_INLINE vint vi_shr(vint a, int bits) {
    return (vint)_mm_srl_epi32((__m128i)a, _mm_cvtsi32_si128(bits));
}
LANE_INLINE vmask vi_eq(vint a, vint b) {
    return _mm_castsi128_ps(_mm_cmpeq_epi32((__m128i)a, (__m128i)b));
}
LANE_INLINE vmask vi_lt(vint a, vint b) {
    return _mm_castsi128_ps(_mm_cmplt_epi32((__m128i)a, (__m128i)b));
}
LANE_INLINE vmask vi_ltu(vint a, vint b) {
    return vi_lt(a ^ vi_splat(INT32_MIN), b ^ vi_splat(INT32_MIN));
}
LANE_INLINE vint vi_sub_wrapping(vint a, vint b) {
    return (vint)_mm_sub_epi32((__m128i)a, (__m128i)b);
}
LANE_INLINE vint vi_from_vf_bits(vfloat a) {
    return (vint)_mm_castps_si128(a);
}
LANE_INLINE vfloat vf_from_vi_bits(vint a) {
    return _mm_castsi128_ps((__m128i)a);
}
LANE_INLINE vint vi_select(vmask m, vint yes, vint no) {
    return vi_from_vf_bits(vf_select(m, vf_from_vi_bits(yes), vf_from_vi_bits(no)));
}
LANE_INLINE vint vi_min(vint a, vint b) {
    return vi_select(vi_lt(b, a), b, a);
}
LANE_INLINE vint vi_max(vint a, vint b) {
    return vi_select(vi_lt(a, b), b, a);
}
LANE_INLINE vfloat vf_from_vi(vint a) {
    return _mm_cvtepi32_ps((__m128i)a);
}
LANE_INLINE vint vi_from_vf_nearest(vfloat a) {
    return (vint)_mm_cvtps_epi32(a);
}
LANE_INLINE void vf_load_records(const float *records, const int32_t *at, vfloat field[4]) {
    for (int i = 0; i < 4; i++) field[i] = _mm_load_ps(records + 8 * (size_t)at[i]);
    _MM_TRANSPOSE4_PS(field[0], field[1], field[2], field[3]);
}

LANE_INLINE vmask vm_none(void) {
    return _mm_setzero_ps();
}
LANE_INLINE vmask vm_from_bits(uint32_t bits) {
    const vint one_bit = {1, 2, 4, 8};
    return vi_eq(vi_splat((int32_t)bits) & one_bit, one_bit);
}
LANE_INLINE uint32_t vm_bits(vmask m) {
    return (uint32_t)_mm_movemask_ps(m);
}
LANE_INLINE vmask vm_and(vmask a, vmask b) {
    return _mm_and_ps(a, b);
}
LANE_INLINE vmask vm_andnot(vmask a, vmask b) {
    return _mm_andnot_ps(b, a);
}
LANE_INLINE vmask vm_or(vmask a, vmask b) {
    return _mm_or_ps(a, b);
}
LANE_INLINE vmask vm_xor(vmask a, vmask b) {
    return _mm_xor_ps(a, b);
}
LANE_INLINE vmask vm_not(vmask a) {
    return _mm_xor_ps(a, _mm_castsi128_ps(_mm_set1_epi32(-1)));
}
LANE_INLINE int vm_any(vmask m) {
    return vm_bits(m) != 0;
}
LANE_INLINE int vm_all(vmask m) {
    return vm_bits(m) == 0xf;
}

LANE_INLINE vmask vm_from_halves(__m128d low, __m128d high) {
    return _mm_shuffle_ps(_mm_castpd_ps(low), _mm_castpd_ps(high), _MM_SHUFFLE(2, 0, 2, 0));
}
LANE_INLINE vdouble vd_splat(double value) {
    return (vdouble){_mm_set1_pd(value), _mm_set1_pd(value)};
}
LANE_INLINE vdouble vd_loadu(const double *from) {
    return (vdouble){_mm_loadu_pd(from), _mm_loadu_pd(from + 2)};
}
LANE_INLINE void vd_storeu(double *to, vdouble a) {
    _mm_storeu_pd(to, a.low);
    _mm_storeu_pd(to + 2, a.high);
}
LANE_INLINE vdouble vd_gather(const double *base, vint index) {
    return (vdouble){_mm_setr_pd(base[index[0]], base[index[1]]), _mm_setr_pd(base[index[2]], base[index[3]])};
}
LANE_INLINE vdouble vd_from_vf(vfloat a) {
    return (vdouble){_mm_cvtps_pd(a), _mm_cvtps_pd(_mm_movehl_ps(a, a))};
}
LANE_INLINE vfloat vf_from_vd(vdouble a) {
    return _mm_movelh_ps(_mm_cvtpd_ps(a.low), _mm_cvtpd_ps(a.high));
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
    return (vdouble){_mm_sqrt_pd(a.low), _mm_sqrt_pd(a.high)};
}
LANE_INLINE vmask vd_lt(vdouble a, vdouble b) {
    return vm_from_halves(_mm_cmplt_pd(a.low, b.low), _mm_cmplt_pd(a.high, b.high));
}
LANE_INLINE vmask vd_le(vdouble a, vdouble b) {
    return vm_from_halves(_mm_cmple_pd(a.low, b.low), _mm_cmple_pd(a.high, b.high));
}
LANE_INLINE vmask vd_eq(vdouble a, vdouble b) {
    return vm_from_halves(_mm_cmpeq_pd(a.low, b.low), _mm_cmpeq_pd(a.high, b.high));
}
LANE_INLINE vdouble vd_select(vmask m, vdouble yes, vdouble no) {
    __m128d low = _mm_castps_pd(_mm_unpacklo_ps(m, m));
    __m128d high = _mm_castps_pd(_mm_unpackhi_ps(m, m));
    return (vdouble){_mm_or_pd(_mm_and_pd(low, yes.low), _mm_andnot_pd(low, no.low)),
                     _mm_or_pd(_mm_and_pd(high, yes.high), _mm_andnot_pd(high, no.high))};
}

#endif
