#include "step/density.h"

#include "base/scalar.h"

/// Nobody looks farther ahead than this, m.
static const float far_ahead = 2.0f;
static const float least_reach = 0.01f;

/// 1 - exp(-1.913 (1/density - 1/5.4)) at 0, 0.2, 0.4 ... 5.4 people per square metre: U. Weidmann, "Transporttechnik
/// der Fußgänger" (ETH Zürich, 1993), as a part of the speed when alone.
static const float weidmann_step = 0.2f;
static const float weidmann[] = {
    1.00000f, 0.99990f, 0.98806f, 0.94123f, 0.86958f, 0.78960f, 0.71059f, 0.63657f, 0.56888f, 0.50763f,
    0.45242f, 0.40267f, 0.35778f, 0.31717f, 0.28032f, 0.24679f, 0.21616f, 0.18811f, 0.16233f, 0.13857f,
    0.11661f, 0.09626f, 0.07736f, 0.05975f, 0.04332f, 0.02794f, 0.01353f, 0.00000f,
};

float throng_density_reach(const throng_tile *tile, int lane, int max_neighbors) {
    const int count = tile->neighbor_count[lane];
    float reach = far_ahead;
    if (count > 0 && count == max_neighbors) {
        const int last = (count - 1) * THRONG_LANES + lane;
        const float x = tile->pair_x[last], y = tile->pair_y[last];
        reach = throng_minf(reach, sqrtf(x * x + y * y));
    }
    return throng_maxf(reach, least_reach);
}

/// `values` at 0, step, 2 step ...; the last holds on.
static float interpolate(const float *values, uint32_t count, float spacing, float at) {
    const float place = at / spacing;
    if (!(place < (float)(count - 1))) return values[count - 1];
    const uint32_t below = (uint32_t)place;
    return values[below] + (place - (float)below) * (values[below + 1] - values[below]);
}

float throng_density_speed(const throng_world *world, int response, float density) {
    (void)world;
    if (response != THRONG_DENSITY_WEIDMANN) return 1.0f;
    return interpolate(weidmann, sizeof weidmann / sizeof weidmann[0], weidmann_step, density);
}
