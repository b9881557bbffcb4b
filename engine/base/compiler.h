// What the library demands of a compiler: without these gates the same state would not follow on every machine.
#ifndef THRONG_BASE_COMPILER_H
#define THRONG_BASE_COMPILER_H

#include <assert.h>
#include <float.h>
#include <limits.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "Throng is deterministic: build it without -ffast-math and -ffinite-math-only"
#endif

#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error                                                                                                                 \
    "Throng is deterministic: float and double must be evaluated in their own precision (on 32-bit x86: -mfpmath=sse)"
#endif

_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53, "IEEE 754 float and double");
_Static_assert(CHAR_BIT == 8 && sizeof(float) == 4 && sizeof(double) == 8, "8-bit bytes, 32- and 64-bit floats");

#define THRONG_CACHE_LINE 64

/// Asks for memory that will soon be read or written.
static inline void throng_fetch(const void *address) {
    __builtin_prefetch(address);
}

#endif
