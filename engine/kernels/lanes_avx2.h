// Eight lanes, AVX2 (never its FMA). Included by lanes.h only.
#ifndef THRONG_KERNELS_LANES_AVX2_H
#define THRONG_KERNELS_LANES_AVX2_H

#include <immintrin.h>

#define LANE_WIDTH 8

typedef __m256 vfloat;
typedef int32_t vint __attribute__((vector_size(32)));
typedef __m256 vmask; // all bits of a lane
typedef struct vdouble {
    __m256d low, high;
} vdouble;

LANE_INLINE vfloat vf_splat(float value) {
    return _mm256_set1_ps(value);
}
LANE_INLINE vfloat vf_load(const float *from) {
    return _mm256_load_ps(from);
}
LANE_INLINE vfloat vf_loadu(const float *from) {
    return _mm256_loadu_ps(from);
}
LANE_INLINE void vf_store(float *to, vfloat a) {
    _mm256_store_ps(to, a);
}
LANE_INLINE void vf_storeu(float *to, vfloat a) {
    _mm256_storeu_ps(to, a);
}
LANE_INLINE vfloat vf_gather(const float *base, vint index) {
    return _mm256_i32gather_ps(base, (__m256i)index, 4);
}
LANE_INLINE vfloat vf_sqrt(vfloat a) {
    return _mm256_sqrt_ps(a);
}
LANE_INLINE vfloat vf_abs(vfloat a) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
LANE_INLINE vfloat vf_min(vfloat a, vfloat b) {
    return _mm256_min_ps(a, b);
}
LANE_INLINE vfloat vf_max(vfloat a, vfloat b) {
    return _mm256_max_ps(a, b);
}
LANE_INLINE vmask vf_lt(vfloat a, vfloat b) {
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
LANE_INLINE vmask vf_le(vfloat a, vfloat b) {
    return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}
LANE_INLINE vmask vf_gt(vfloat a, vfloat b) {
    return _mm256_cmp_ps(a, b, _CMP_GT_OQ);
}
LANE_INLINE vmask vf_ge(vfloat a, vfloat b) {
    return _mm256_cmp_ps(a, b, _CMP_GE_OQ);
}
LANE_INLINE vmask vf_eq(vfloat a, vfloat b) {
    return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
LANE_INLINE vmask vf_ne(vfloat a, vfloat b) {
    return _mm256_cmp_ps(a, b, _CMP_NEQ_UQ);
}
LANE_INLINE vfloat vf_select(vmask m, vfloat yes, vfloat no) {
    return _mm256_blendv_ps(no, yes, m);
}
LANE_INLINE vfloat vf_max_where(vmask m, vfloat a, vfloat b) {
    return _mm256_max_ps(_mm256_blendv_ps(a, b, m), a);
}
LANE_INLINE vfloat vf_min_where(vmask m, vfloat a, vfloat b) {
    return _mm256_min_ps(_mm256_blendv_ps(a, b, m), a);
}

LANE_INLINE vint vi_splat(int32_t value) {
    return (vint)_mm256_set1_epi32(value);
}
LANE_INLINE vint vi_iota(void) {
    return (vint){0, 1, 2, 3, 4, 5, 6, 7};
}
LANE_INLINE vint vi_load(const int32_t *from) {
    return (vint)_mm256_load_si256((const __m256i *)from);
}
LANE_INLINE vint vi_loadu(const int32_t *from) {
    return (vint)_mm256_loadu_si256((const __m256i_u *)from);
}
LANE_INLINE void vi_store(int32_t *to, vint a) {
    _mm256_store_si256((__m256i *)to, (__m256i)a);
}
LANE_INLINE void vi_storeu(int32_t *to, vint a) {
    _mm256_storeu_si256((__m256i_u *)to, (__m256i)a);
}
LANE_INLINE vint vi_gather(const int32_t *base, vint index) {
    return (vint)_mm256_i32gather_epi32(base, (__m256i)index, 4);
}
LANE_INLINE vint vi_shl(vint a, int bits) {
    return (vint)_mm256_sll_epi32((__m256i)a, _mm_cvtsi32_si128(bits));
}
LANE_INLINE vint vi_shr(vint a, int bits) {
    return (vint)_mm256_srl_epi32((__m256i)a, _mm_cvtsi32_si128(bits));
}
LANE_INLINE vmask vi_eq(vint a, vint b) {
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32((__m256i)a, (__m256i)b));
}
LANE_INLINE vmask vi_lt(vint a, vint b) {
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32((__m256i)b, (__m256i)a));
}
LANE_INLINE vmask vi_ltu(vint a, vint b) {
    return vi_lt(a ^ vi_splat(INT32_MIN), b ^ vi_splat(INT32_MIN));
}
LANE_INLINE vint vi_min(vint a, vint b) {
    return (vint)_mm256_min_epi32((__m256i)a, (__m256i)b);
}
LANE_INLINE vint vi_max(vint a, vint b) {
    return (vint)_mm256_max_epi32((__m256i)a, (__m256i)b);
}
LANE_INLINE vint vi_sub_wrapping(vint a, vint b) {
    return (vint)_mm256_sub_epi32((__m256i)a, (__m256i)b);
}
LANE_INLINE vint vi_from_vf_bits(vfloat a) {
    return (vint)_mm256_castps_si256(a);
}
LANE_INLINE vfloat vf_from_vi_bits(vint a) {
    return _mm256_castsi256_ps((__m256i)a);
}
LANE_INLINE vint vi_select(vmask m, vint yes, vint no) {
    return vi_from_vf_bits(vf_select(m, vf_from_vi_bits(yes), vf_from_vi_bits(no)));
}
LANE_INLINE vfloat vf_from_vi(vint a) {
    return _mm256_cvtepi32_ps((__m256i)a);
}
LANE_INLINE vint vi_from_vf_nearest(vfloat a) {
    return (vint)_mm256_cvtps_epi32(a);
}
// A record for each of the 128-bit parts: one of each part's lanes.
LANE_INLINE __m256 records_apart(const float *records, const int32_t *at) {
    const __m256 first = _mm256_castps128_ps256(_mm_load_ps(records + 8 * (size_t)at[0]));
    return _mm256_insertf128_ps(first, _mm_load_ps(records + 8 * (size_t)at[4]), 1);
}
LANE_INLINE void vf_load_records(const float *records, const int32_t *at, vfloat field[4]) {
    const __m256 a = records_apart(records, at), b = records_apart(records, at + 1);
    const __m256 c = records_apart(records, at + 2), d = records_apart(records, at + 3);
    const __m256d ab_low = _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
    const __m256d ab_high = _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
    const __m256d cd_low = _mm256_castps_pd(_mm256_unpacklo_ps(c, d));
    const __m256d cd_high = _mm256_castps_pd(_mm256_unpackhi_ps(c, d));
    field[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(ab_low, cd_low));
    field[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(ab_low, cd_low));
    field[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(ab_high, cd_high));
    field[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(ab_high, cd_high));
}

LANE_INLINE vmask vm_none(void) {
    return _mm256_setzero_ps();
}
LANE_INLINE vmask vm_from_bits(uint32_t bits) {
    const vint one_bit = {1, 2, 4, 8, 16, 32, 64, 128};
    return vi_eq(vi_splat((int32_t)bits) & one_bit, one_bit);
}
LANE_INLINE uint32_t vm_bits(vmask m) {
    return (uint32_t)_mm256_movemask_ps(m);
}
LANE_INLINE vmask vm_and(vmask a, vmask b) {
    return _mm256_and_ps(a, b);
}
LANE_INLINE vmask vm_andnot(vmask a, vmask b) {
    return _mm256_andnot_ps(b, a);
}
LANE_INLINE vmask vm_or(vmask a, vmask b) {
    return _mm256_or_ps(a, b);
}
LANE_INLINE vmask vm_xor(vmask a, vmask b) {
    return _mm256_xor_ps(a, b);
}
LANE_INLINE vmask vm_not(vmask a) {
    return _mm256_xor_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(-1)));
}
LANE_INLINE int vm_any(vmask m) {
    return vm_bits(m) != 0;
}
LANE_INLINE int vm_all(vmask m) {
    return vm_bits(m) == 0xff;
}

LANE_INLINE vmask vm_from_halves(__m256d low, __m256d high) {
    // Keeps the low word of each 64-bit lane, then puts the four 64-bit pairs back in order.
    __m256 pairs = _mm256_shuffle_ps(_mm256_castpd_ps(low), _mm256_castpd_ps(high), _MM_SHUFFLE(2, 0, 2, 0));
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(pairs), _MM_SHUFFLE(3, 1, 2, 0)));
}
LANE_INLINE vdouble vd_splat(double value) {
    return (vdouble){_mm256_set1_pd(value), _mm256_set1_pd(value)};
}
LANE_INLINE vdouble vd_loadu(const double *from) {
    return (vdouble){_mm256_loadu_pd(from), _mm256_loadu_pd(from + 4)};
}
LANE_INLINE void vd_storeu(double *to, vdouble a) {
    _mm256_storeu_pd(to, a.low);
    _mm256_storeu_pd(to + 4, a.high);
}
LANE_INLINE vdouble vd_gather(const double *base, vint index) {
    return (vdouble){_mm256_i32gather_pd(base, _mm256_castsi256_si128((__m256i)index), 8),
                     _mm256_i32gather_pd(base, _mm256_extracti128_si256((__m256i)index, 1), 8)};
}
LANE_INLINE vdouble vd_from_vf(vfloat a) {
    return (vdouble){_mm256_cvtps_pd(_mm256_castps256_ps128(a)), _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1))};
}
LANE_INLINE vfloat vf_from_vd(vdouble a) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a.low)), _mm256_cvtpd_ps(a.high), 1);
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
    return (vdouble){_mm256_sqrt_pd(a.low), _mm256_sqrt_pd(a.high)};
}
LANE_INLINE vmask vd_lt(vdouble a, vdouble b) {
    return vm_from_halves(_mm256_cmp_pd(a.low, b.low, _CMP_LT_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_LT_OQ));
}
LANE_INLINE vmask vd_le(vdouble a, vdouble b) {
    return vm_from_halves(_mm256_cmp_pd(a.low, b.low, _CMP_LE_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_LE_OQ));
}
LANE_INLINE vmask vd_eq(vdouble a, vdouble b) {
    return vm_from_halves(_mm256_cmp_pd(a.low, b.low, _CMP_EQ_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_EQ_OQ));
}
LANE_INLINE vdouble vd_select(vmask m, vdouble yes, vdouble no) {
    __m256i bits = _mm256_castps_si256(m);
    __m256d low = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(bits)));
    __m256d high = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm256_extracti128_si256(bits, 1)));
    return (vdouble){_mm256_blendv_pd(no.low, yes.low, low), _mm256_blendv_pd(no.high, yes.high, high)};
}

#endif
