#include "step/density.h"

#include "base/scalar.h"

/// Nobody looks farther ahead than this, m.
static const float far_ahead = 1.5f;
static const float least_reach = 0.01f;

/// 1 - exp(-1.913 (1/density - 1/5.4)) at 0, 0.2, 0.4 ... 5.4 people per square metre: U. Weidmann, "Transporttechnik
/// der Fußgänger" (ETH Zürich, 1993), as a part of the speed when alone.
static const float weidmann_step = 0.2f;
static const float weidmann[] = {
    1.00000f, 0.99990f, 0.98806f, 0.94123f, 0.86958f, 0.78960f, 0.71059f, 0.63657f, 0.56888f, 0.50763f,
    0.45242f, 0.40267f, 0.35778f, 0.31717f, 0.28032f, 0.24679f, 0.21616f, 0.18811f, 0.16233f, 0.13857f,
    0.11661f, 0.09626f, 0.07736f, 0.05975f, 0.04332f, 0.02794f, 0.01353f, 0.00000f,
};

/// How far ahead a lane feels the density, m: as far as its neighbors are all known.
static float reach_of(const throng_tile *tile, int lane, int max_neighbors) {
    const int count = tile->neighbor_count[lane];
    float reach = far_ahead;
    if (count > 0 && count == max_neighbors) {
        const int last = (count - 1) * THRONG_LANES + lane;
        const float x = tile->pair_x[last], y = tile->pair_y[last];
        reach = throng_minf(reach, sqrtf(x * x + y * y));
    }
    return throng_maxf(reach, least_reach);
}

static float weidmann_part(float density) {
    enum { COUNT = sizeof weidmann / sizeof weidmann[0] };
    const float place = density / weidmann_step;
    if (!(place < (float)(COUNT - 1))) return weidmann[COUNT - 1];
    const uint32_t below = (uint32_t)place;
    return weidmann[below] + (place - (float)below) * (weidmann[below + 1] - weidmann[below]);
}

static float table_part(const throng_density_tables *tables, uint32_t number, float density) {
    const uint32_t first = number > 0 ? tables->ends[number - 1] : 0, end = tables->ends[number];
    uint32_t at = first;
    while (at < end && tables->points[2 * (size_t)at] < density) ++at;
    if (at == first) return tables->points[2 * (size_t)first + 1];
    const float *below = tables->points + 2 * (size_t)(at - 1);
    if (at == end) return below[1];
    const float *above = below + 2;
    return below[1] + (density - below[0]) / (above[0] - below[0]) * (above[1] - below[1]);
}

/// The part of its speed that somebody with this response walks at, 0..1.
static float part_of(const throng_world *world, uint32_t response, float density) {
    if (response == THRONG_DENSITY_NONE) return 1.0f;
    if (response == THRONG_DENSITY_WEIDMANN) return weidmann_part(density);
    return table_part(&world->density_tables, response - THRONG_DENSITY_TABLE, density);
}

uint32_t throng_density_slow(const throng_step *step, throng_tile *tile, const throng_ahead_input *ahead,
                             uint32_t walking) {
    const throng_agents *agents = &step->world->agents;
    if (!step->world->feels_density) return 0;
    uint32_t asking = 0;
    for (int lane = 0; lane < tile->count; ++lane) {
        asking |= (uint32_t)(agents->density_response[tile->row[lane]] != THRONG_DENSITY_NONE) << lane;
    }
    asking &= walking;
    if (!asking) return 0;
    _Alignas(THRONG_CACHE_LINE) float reach[THRONG_LANES], density[THRONG_LANES];
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        reach[lane] = reach_of(tile, lane, agents->max_neighbors[tile->row[lane]]);
    }
    step->world->kernels->density(ahead, reach, density);
    for (int lane = 0; lane < tile->count; ++lane) {
        if (!(asking >> lane & 1)) continue;
        const uint32_t row = tile->row[lane];
        float part = part_of(step->world, agents->density_response[row], density[lane]);
        // Who does not even get that pushes on.
        part += (1.0f - part) * agents->blocked[row];
        tile->preferred_x[lane] *= part;
        tile->preferred_y[lane] *= part;
    }
    return asking;
}
