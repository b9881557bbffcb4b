// Scalar 2-D maths of the step: + - * / sqrt and comparisons only, min and max defined once.
#ifndef THRONG_BASE_SCALAR_H
#define THRONG_BASE_SCALAR_H

#include "base/compiler.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline float throng_minf(float a, float b) {
    return a < b ? a : b;
}

static inline float throng_maxf(float a, float b) {
    return a > b ? a : b;
}

static inline double throng_mind(double a, double b) {
    return a < b ? a : b;
}

static inline double throng_maxd(double a, double b) {
    return a > b ? a : b;
}

static inline uint32_t throng_min_u32(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static inline uint32_t throng_max_u32(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/// The number of the lowest bit that is set; bits must not be 0.
static inline uint32_t throng_lowest_bit(uint32_t bits) {
    return (uint32_t)__builtin_ctz(bits);
}

static inline uint32_t throng_lowest_bit_64(uint64_t bits) {
    return (uint32_t)__builtin_ctzll(bits);
}

/// Neither infinite nor NaN, told by arithmetic.
static inline bool throng_is_finite(double value) {
    return value - value == 0.0;
}

/// Within +-limit; false for NaN.
static inline bool throng_is_within(double value, double limit) {
    return value >= -limit && value <= limit;
}

static inline uint32_t throng_float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float throng_float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t throng_double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double throng_double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
