// Sixteen lanes, AVX-512 (F, DQ, BW, VL). Included by lanes.h only.
#ifndef THRONG_KERNELS_LANES_AVX512_H
#define THRONG_KERNELS_LANES_AVX512_H

#include <immintrin.h>

#define LANE_WIDTH 16

typedef __m512 vfloat;
typedef int32_t vint __attribute__((vector_size(64)));
typedef __mmask16 vmask;
typedef struct vdouble {
    __m512d low, high;
} vdouble;

LANE_INLINE vfloat vf_splat(float value) {
    return _mm512_set1_ps(value);
}
LANE_INLINE vfloat vf_load(const float *from) {
    return _mm512_load_ps(from);
}
LANE_INLINE vfloat vf_loadu(const float *from) {
    return _mm512_loadu_ps(from);
}
LANE_INLINE void vf_store(float *to, vfloat a) {
    _mm512_store_ps(to, a);
}
LANE_INLINE void vf_storeu(float *to, vfloat a) {
    _mm512_storeu_ps(to, a);
}
LANE_INLINE vfloat vf_gather(const float *base, vint index) {
    return _mm512_i32gather_ps((__m512i)index, base, 4);
}
LANE_INLINE vfloat vf_sqrt(vfloat a) {
    return _mm512_sqrt_ps(a);
}
LANE_INLINE vfloat vf_abs(vfloat a) {
    return _mm512_castsi512_ps(_mm512_and_si512(_mm512_castps_si512(a), _mm512_set1_epi32(0x7fffffff)));
}
LANE_INLINE vfloat vf_min(vfloat a, vfloat b) {
    return _mm512_min_ps(a, b);
}
LANE_INLINE vfloat vf_max(vfloat a, vfloat b) {
    return _mm512_max_ps(a, b);
}
LANE_INLINE vmask vf_lt(vfloat a, vfloat b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
LANE_INLINE vmask vf_le(vfloat a, vfloat b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}
LANE_INLINE vmask vf_gt(vfloat a, vfloat b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
}
LANE_INLINE vmask vf_ge(vfloat a, vfloat b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}
LANE_INLINE vmask vf_eq(vfloat a, vfloat b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}
LANE_INLINE vmask vf_ne(vfloat a, vfloat b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ);
}
LANE_INLINE vfloat vf_select(vmask m, vfloat yes, vfloat no) {
    return _mm512_mask_blend_ps(m, no, yes);
}
LANE_INLINE vfloat vf_max_where(vmask m, vfloat a, vfloat b) {
    return _mm512_mask_max_ps(a, m, b, a);
}
LANE_INLINE vfloat vf_min_where(vmask m, vfloat a, vfloat b) {
    return _mm512_mask_min_ps(a, m, b, a);
}

#define LANE_HAS_LARGEST
LANE_INLINE float vf_largest(vfloat a) {
    return _mm512_reduce_max_ps(a);
}

LANE_INLINE vint vi_splat(int32_t value) {
    return (vint)_mm512_set1_epi32(value);
}
LANE_INLINE vint vi_iota(void) {
    return (vint){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}
LANE_INLINE vint vi_load(const int32_t *from) {
    return (vint)_mm512_load_si512(from);
}
LANE_INLINE vint vi_loadu(const int32_t *from) {
    return (vint)_mm512_loadu_si512(from);
}
LANE_INLINE void vi_store(int32_t *to, vint a) {
    _mm512_store_si512(to, (__m512i)a);
}
LANE_INLINE void vi_storeu(int32_t *to, vint a) {
    _mm512_storeu_si512(to, (__m512i)a);
}
#define LANE_HAS_PACK
LANE_INLINE int vi_pack(int32_t *to, vmask m, vint a) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(m, (__m512i)a));
    return __builtin_popcount(m);
}
LANE_INLINE vint vi_gather(const int32_t *base, vint index) {
    return (vint)_mm512_i32gather_epi32((__m512i)index, base, 4);
}
LANE_INLINE vint vi_shl(vint a, int bits) {
    return (vint)_mm512_sll_epi32((__m512i)a, _mm_cvtsi32_si128(bits));
}
LANE_INLINE vint vi_shr(vint a, int bits) {
    return (vint)_mm512_srl_epi32((__m512i)a, _mm_cvtsi32_si128(bits));
}
LANE_INLINE vmask vi_eq(vint a, vint b) {
    return _mm512_cmp_epi32_mask((__m512i)a, (__m512i)b, _MM_CMPINT_EQ);
}
LANE_INLINE vmask vi_lt(vint a, vint b) {
    return _mm512_cmp_epi32_mask((__m512i)a, (__m512i)b, _MM_CMPINT_LT);
}
LANE_INLINE vmask vi_ltu(vint a, vint b) {
    return _mm512_cmp_epu32_mask((__m512i)a, (__m512i)b, _MM_CMPINT_LT);
}
LANE_INLINE vint vi_select(vmask m, vint yes, vint no) {
    return (vint)_mm512_mask_blend_epi32(m, (__m512i)no, (__m512i)yes);
}
LANE_INLINE vint vi_min(vint a, vint b) {
    return (vint)_mm512_min_epi32((__m512i)a, (__m512i)b);
}
LANE_INLINE vint vi_max(vint a, vint b) {
    return (vint)_mm512_max_epi32((__m512i)a, (__m512i)b);
}
LANE_INLINE vint vi_sub_wrapping(vint a, vint b) {
    return (vint)_mm512_sub_epi32((__m512i)a, (__m512i)b);
}
LANE_INLINE vint vi_from_vf_bits(vfloat a) {
    return (vint)_mm512_castps_si512(a);
}
LANE_INLINE vfloat vf_from_vi_bits(vint a) {
    return _mm512_castsi512_ps((__m512i)a);
}
LANE_INLINE vfloat vf_from_vi(vint a) {
    return _mm512_cvtepi32_ps((__m512i)a);
}
LANE_INLINE vint vi_from_vf_nearest(vfloat a) {
    return (vint)_mm512_cvtps_epi32(a);
}
// Four records for each of the 128-bit parts: one of each part's lanes.
LANE_INLINE __m512 records_apart(const float *records, const int32_t *at) {
    const __m512 first = _mm512_castps128_ps512(_mm_load_ps(records + 8 * (size_t)at[0]));
    const __m512 second = _mm512_insertf32x4(first, _mm_load_ps(records + 8 * (size_t)at[4]), 1);
    const __m512 third = _mm512_insertf32x4(second, _mm_load_ps(records + 8 * (size_t)at[8]), 2);
    return _mm512_insertf32x4(third, _mm_load_ps(records + 8 * (size_t)at[12]), 3);
}
LANE_INLINE void vf_load_records(const float *records, const int32_t *at, vfloat field[4]) {
    const __m512 a = records_apart(records, at), b = records_apart(records, at + 1);
    const __m512 c = records_apart(records, at + 2), d = records_apart(records, at + 3);
    const __m512d ab_low = _mm512_castps_pd(_mm512_unpacklo_ps(a, b));
    const __m512d ab_high = _mm512_castps_pd(_mm512_unpackhi_ps(a, b));
    const __m512d cd_low = _mm512_castps_pd(_mm512_unpacklo_ps(c, d));
    const __m512d cd_high = _mm512_castps_pd(_mm512_unpackhi_ps(c, d));
    field[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(ab_low, cd_low));
    field[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(ab_low, cd_low));
    field[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(ab_high, cd_high));
    field[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(ab_high, cd_high));
}

LANE_INLINE vmask vm_none(void) {
    return 0;
}
LANE_INLINE vmask vm_from_bits(uint32_t bits) {
    return (vmask)bits;
}
LANE_INLINE uint32_t vm_bits(vmask m) {
    return m;
}
LANE_INLINE vmask vm_and(vmask a, vmask b) {
    return (vmask)(a & b);
}
LANE_INLINE vmask vm_andnot(vmask a, vmask b) {
    return (vmask)(a & ~b);
}
LANE_INLINE vmask vm_or(vmask a, vmask b) {
    return (vmask)(a | b);
}
LANE_INLINE vmask vm_xor(vmask a, vmask b) {
    return (vmask)(a ^ b);
}
LANE_INLINE vmask vm_not(vmask a) {
    return (vmask)~a;
}
LANE_INLINE int vm_any(vmask m) {
    return m != 0;
}
LANE_INLINE int vm_all(vmask m) {
    return m == 0xffff;
}

LANE_INLINE vmask vm_from_halves(__mmask8 low, __mmask8 high) {
    return (vmask)((uint32_t)low | (uint32_t)high << 8);
}
LANE_INLINE vdouble vd_splat(double value) {
    return (vdouble){_mm512_set1_pd(value), _mm512_set1_pd(value)};
}
LANE_INLINE vdouble vd_loadu(const double *from) {
    return (vdouble){_mm512_loadu_pd(from), _mm512_loadu_pd(from + 8)};
}
LANE_INLINE void vd_storeu(double *to, vdouble a) {
    _mm512_storeu_pd(to, a.low);
    _mm512_storeu_pd(to + 8, a.high);
}
LANE_INLINE vdouble vd_gather(const double *base, vint index) {
    return (vdouble){_mm512_i32gather_pd(_mm512_castsi512_si256((__m512i)index), base, 8),
                     _mm512_i32gather_pd(_mm512_extracti32x8_epi32((__m512i)index, 1), base, 8)};
}
LANE_INLINE vdouble vd_from_vf(vfloat a) {
    return (vdouble){_mm512_cvtps_pd(_mm512_castps512_ps256(a)), _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1))};
}
LANE_INLINE vfloat vf_from_vd(vdouble a) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(a.low)), _mm512_cvtpd_ps(a.high), 1);
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
    return (vdouble){_mm512_sqrt_pd(a.low), _mm512_sqrt_pd(a.high)};
}
LANE_INLINE vmask vd_lt(vdouble a, vdouble b) {
    return vm_from_halves(_mm512_cmp_pd_mask(a.low, b.low, _CMP_LT_OQ), _mm512_cmp_pd_mask(a.high, b.high, _CMP_LT_OQ));
}
LANE_INLINE vmask vd_le(vdouble a, vdouble b) {
    return vm_from_halves(_mm512_cmp_pd_mask(a.low, b.low, _CMP_LE_OQ), _mm512_cmp_pd_mask(a.high, b.high, _CMP_LE_OQ));
}
LANE_INLINE vmask vd_eq(vdouble a, vdouble b) {
    return vm_from_halves(_mm512_cmp_pd_mask(a.low, b.low, _CMP_EQ_OQ), _mm512_cmp_pd_mask(a.high, b.high, _CMP_EQ_OQ));
}
LANE_INLINE vdouble vd_select(vmask m, vdouble yes, vdouble no) {
    return (vdouble){_mm512_mask_blend_pd((__mmask8)m, no.low, yes.low),
                     _mm512_mask_blend_pd((__mmask8)(m >> 8), no.high, yes.high)};
}

#endif
