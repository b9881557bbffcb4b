#include "base/tie.h"
#include "base/scalar.h"

void throng_tie_direction(uint64_t seed, uint64_t self, uint64_t other, float direction[2]) {
    const uint64_t low = self < other ? self : other, high = self < other ? other : self;
    uint64_t word = throng_random(seed, throng_mix_pair(low, high), 0, THRONG_PURPOSE_TIE);
    float x, y, square;
    do {
        // 24 bits each: exact in float.
        x = (float)(int32_t)(word & 0xffffff) * 0x1p-23f - 1.0f;
        y = (float)(int32_t)((word >> 32) & 0xffffff) * 0x1p-23f - 1.0f;
        square = x * x + y * y;
        word = throng_mix(word + 1);
    } while (!(square <= 1.0f && square >= 0.01f));
    const float scale = (self < other ? 1.0f : -1.0f) / sqrtf(square);
    direction[0] = x * scale;
    direction[1] = y * scale;
}
