// Every operation of kernels/lanes.h on a tile of operands, compiled once per instruction set like the kernels.
#ifndef THRONG_TESTS_LANE_OPS_H
#define THRONG_TESTS_LANE_OPS_H

#include "kernels/kernels.h"

enum { FLOAT_ROWS = 26, INT_ROWS = 22, DOUBLE_ROWS = 12, MASK_ROWS = 28 };

typedef struct lane_operands {
    _Alignas(64) float a[THRONG_LANES], b[THRONG_LANES];
    _Alignas(64) int32_t i[THRONG_LANES], j[THRONG_LANES];
    _Alignas(64) int32_t index[THRONG_LANES]; // 0 .. THRONG_LANES - 1
    double p[THRONG_LANES], q[THRONG_LANES];
    uint32_t mask;
} lane_operands;

typedef struct lane_results {
    _Alignas(64) float f[FLOAT_ROWS][THRONG_LANES];
    _Alignas(64) int32_t i[INT_ROWS][THRONG_LANES];
    double d[DOUBLE_ROWS][THRONG_LANES];
    uint32_t m[MASK_ROWS];
} lane_results;

#define DECLARE_LANE_OPS(isa) void lane_ops_##isa(const lane_operands *in, lane_results *out)
DECLARE_LANE_OPS(scalar);
DECLARE_LANE_OPS(sse2);
DECLARE_LANE_OPS(avx2);
DECLARE_LANE_OPS(avx512);
DECLARE_LANE_OPS(neon);

#endif
