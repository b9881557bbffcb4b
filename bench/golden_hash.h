// The state after 20 steps of a small crowd among walls: throng_bench --print-hash.
#ifndef THRONG_BENCH_GOLDEN_HASH_H
#define THRONG_BENCH_GOLDEN_HASH_H

#include <stdint.h>

#define BENCH_GOLDEN_HASH UINT64_C(0x521b1639f72a5111)

#endif
