#include "state/wall_near.h"

#include "base/scalar.h"

static bool before(double squared, uint32_t piece, const throng_wall_near *near, uint32_t at) {
    if (squared != near->squared[at]) return squared < near->squared[at];
    return piece < near->piece[at];
}

static void insert(throng_wall_near *near, uint32_t piece, double squared) {
    uint32_t at = near->count;
    if (at == THRONG_WALL_NEAR_MAX) {
        near->cut++;
        if (!before(squared, piece, near, --at)) return;
    } else {
        near->count++;
    }
    for (; at > 0 && before(squared, piece, near, at - 1); at--) {
        near->squared[at] = near->squared[at - 1];
        near->piece[at] = near->piece[at - 1];
    }
    near->squared[at] = squared;
    near->piece[at] = piece;
}

void throng_wall_near_find(const throng_kernels *kernels, const throng_wall_set *set, const uint32_t *pieces,
                           uint32_t count, const throng_wall_seekers *seekers,
                           const throng_wall_filter filters[THRONG_LANES], throng_wall_near near[THRONG_LANES]) {
    for (int i = 0; i < THRONG_LANES; i++) {
        near[i].count = 0;
        near[i].cut = 0;
    }
    double squared[THRONG_LANES];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t piece = pieces[i];
        uint32_t bits = kernels->wall_distances(seekers, &set->segment[piece], squared);
        for (; bits; bits &= bits - 1) {
            const uint32_t seeker = throng_lowest_bit(bits);
            if (throng_wall_stops(set, piece, filters[seeker])) insert(&near[seeker], piece, squared[seeker]);
        }
    }
}
