// A thin layer over lanes: LANE_WIDTH agents side by side in one vector. A kernel is written once on it and compiled
// for each instruction set, and every operation here gives the same bits on all of them, signed zeros included.
//
//   vfloat   floats          + - * / and unary - are the language's own operators
//   vint     32-bit integers + - & | ^ ~ are the language's own operators; must not overflow
//   vdouble  doubles, as wide in lanes (so often two registers): functions only
//   vmask    one truth value per lane
//
// Comparisons with NaN are false, except vf_ne. vf_min is `a < b ? a : b` and vf_max `a > b ? a : b`: the second
// operand wins when they are equal or unordered. vf_max_where(m, a, b) is `m && b > a ? b : a`, vf_min_where likewise.
// vi_sub_wrapping is modulo 2^32. vi_from_vf_nearest rounds to the nearest whole number, ties to even; |a| < 2^31.
// vf_load_records reads four floats, 16-byte aligned, of the record of eight at an index a lane.
#ifndef THRONG_KERNELS_LANES_H
#define THRONG_KERNELS_LANES_H

#include "base/compiler.h"
#include "base/scalar.h"
#include "kernels/kernels.h"

#include <stddef.h>
#include <stdint.h>

#define LANE_INLINE      static inline __attribute__((always_inline, unused))
#define LANE_JOIN_(a, b) a##_##b
#define LANE_JOIN(a, b)  LANE_JOIN_(a, b)
// The name of an entry as this instruction set compiles it: LANE_ENTRY(throng_lane_program) ->
// throng_lane_program_avx2.
#define LANE_ENTRY(name) LANE_JOIN(name, THRONG_ISA)

#if defined(THRONG_ISA_AVX512)
#include "kernels/lanes_avx512.h"
#elif defined(THRONG_ISA_AVX2)
#include "kernels/lanes_avx2.h"
#elif defined(THRONG_ISA_SSE2)
#include "kernels/lanes_sse2.h"
#elif defined(THRONG_ISA_NEON)
#include "kernels/lanes_neon.h"
#else
#include "kernels/lanes_scalar.h"
#endif

// Walks a tile in vectors: `lane` is the first lane of each.
#define LANE_FOR(lane) for (int lane = 0; lane < THRONG_LANES; lane += LANE_WIDTH)

// The bits of this vector within a 16-bit mask of the tile.
LANE_INLINE vmask vm_from_tile(uint32_t tile_bits, int lane) {
    return vm_from_bits(tile_bits >> lane);
}

LANE_INLINE vfloat vf_zero(void) {
    return vf_splat(0.0f);
}

LANE_INLINE vfloat vf_dot(vfloat ax, vfloat ay, vfloat bx, vfloat by) {
    return ax * bx + ay * by;
}

#ifndef LANE_HAS_PACK
// Writes the lanes of a mask side by side, and maybe more behind them, a vector's at most. Returns how many.
LANE_INLINE int vi_pack(int32_t *to, vmask m, vint a) {
    int32_t at[LANE_WIDTH];
    vi_storeu(at, a);
    int count = 0;
    for (uint32_t bits = vm_bits(m); bits; bits &= bits - 1) to[count++] = at[throng_lowest_bit(bits)];
    return count;
}
#endif

#ifndef LANE_HAS_LARGEST
// The largest of a vector without NaN.
LANE_INLINE float vf_largest(vfloat a) {
    float at[LANE_WIDTH];
    vf_storeu(at, a);
    for (int half = LANE_WIDTH / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) at[i] = at[i + half] > at[i] ? at[i + half] : at[i];
    }
    return at[0];
}
#endif

// > 0 where b lies to the left of a.
LANE_INLINE vfloat vf_cross(vfloat ax, vfloat ay, vfloat bx, vfloat by) {
    return ax * by - ay * bx;
}

#endif
