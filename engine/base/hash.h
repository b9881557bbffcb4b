// Hashes: of the state, and the only source of randomness (there is no generator to share).
#ifndef THRONG_BASE_HASH_H
#define THRONG_BASE_HASH_H

#include <stdint.h>

/// A bijection of 64-bit words that leaves no pattern: the finaliser "Mix13" of David Stafford, 2011.
static inline uint64_t throng_mix(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x;
}

/// The hash of a pair of words, order counts.
static inline uint64_t throng_mix_pair(uint64_t a, uint64_t b) {
    return throng_mix(a * UINT64_C(0x9e3779b97f4a7c15) + throng_mix(b + UINT64_C(0x2545f4914f6cdd1d)));
}

/// What a random draw is for; two purposes never share a draw.
typedef enum throng_purpose {
    THRONG_PURPOSE_TIE = 1,   ///< direction of two bodies at one place
    THRONG_PURPOSE_SAMPLE = 2 ///< velocities to try
} throng_purpose;

static inline uint64_t throng_random(uint64_t seed, uint64_t creation, uint64_t step, throng_purpose purpose) {
    return throng_mix_pair(throng_mix_pair(seed, creation), throng_mix_pair(step, (uint64_t)purpose));
}

#endif
