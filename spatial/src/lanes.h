// Instruction sets for block searches: the only place that knows compilers and CPUs. Where a compiler can, what
// block_lanes.h holds is compiled for each set and chosen at run time, so that one binary serves every CPU; elsewhere
// once, for the CPU that is compiled for. All sets give the same bits.
#ifndef KDTREE_LANES_H
#define KDTREE_LANES_H

typedef enum lane_set { LANE_SET_BASE, LANE_SET_AVX2, LANE_SET_AVX512, LANE_SET_COUNT } lane_set;

#if defined(__GNUC__) && defined(__x86_64__)
#define LANES_HAVE_X86 1
#define LANES_AVX2     __attribute__((target("avx2")))
#if defined(__clang__)
#define LANES_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"), min_vector_width(512)))
#else
#define LANES_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")))
#endif
#else
#define LANES_HAVE_X86 0
#endif

// Before a loop over lanes: compilers must not unroll it before they make vectors of it.
#if defined(__clang__)
#define LANES_LOOP _Pragma("clang loop unroll(disable)")
#elif defined(__GNUC__)
#define LANES_LOOP _Pragma("GCC unroll 1")
#else
#define LANES_LOOP
#endif

// Whether this CPU and this build have a set.
static inline bool lane_set_runs(lane_set set) {
#if LANES_HAVE_X86
    if (set == LANE_SET_AVX2) return __builtin_cpu_supports("avx2");
    if (set == LANE_SET_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
    return set == LANE_SET_BASE;
}

static inline lane_set best_lane_set(void) {
    return lane_set_runs(LANE_SET_AVX512) ? LANE_SET_AVX512
           : lane_set_runs(LANE_SET_AVX2) ? LANE_SET_AVX2
                                          : LANE_SET_BASE;
}

#endif
