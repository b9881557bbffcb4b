// What the kernel tests share: tiles of arrays, the kernels of this machine, random numbers, the reference files.
// Include after cmocka.h.
#ifndef THRONG_TESTS_KERNEL_TILE_H
#define THRONG_TESTS_KERNEL_TILE_H

#include "kernels/kernels.h"
#include "support/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE_SLOTS = 40 };

typedef struct tile_row {
    _Alignas(64) float at[TILE_SLOTS * THRONG_LANES];
} tile_row;

typedef struct tile_row_int {
    _Alignas(64) int32_t at[TILE_SLOTS * THRONG_LANES];
} tile_row_int;

typedef struct plane_tile {
    tile_row nx, ny, c;
} plane_tile;

static inline throng_tile_planes planes_of(plane_tile *tile) {
    return (throng_tile_planes){tile->nx.at, tile->ny.at, tile->c.at};
}

typedef struct pair_tile {
    tile_row px, py, vx, vy, radius, share;
    tile_row self_vx, self_vy, horizon;
    tile_row_int count;
} pair_tile;

static inline throng_pairs_input pairs_of(pair_tile *tile, int slots, double time_step) {
    return (throng_pairs_input){.slot_count = slots,
                                .count = tile->count.at,
                                .px = tile->px.at,
                                .py = tile->py.at,
                                .vx = tile->vx.at,
                                .vy = tile->vy.at,
                                .radius = tile->radius.at,
                                .share = tile->share.at,
                                .self_vx = tile->self_vx.at,
                                .self_vy = tile->self_vy.at,
                                .horizon = tile->horizon.at,
                                .time_step = (float)time_step};
}

static const char *const kernel_names[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
enum { KERNEL_NAMES = sizeof kernel_names / sizeof kernel_names[0] };

// The k-th kernel, NULL where this build or this machine does not have it.
static inline const throng_kernels *kernel_number(int k) {
    return throng_kernels_select(kernel_names[k]);
}

static uint64_t tile_random_state = 1;

static inline double random_unit(void) {
    tile_random_state = tile_random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(tile_random_state >> 11) / 9007199254740992.0;
}

static inline float random_between(double low, double high) {
    return (float)(low + (high - low) * random_unit());
}

static inline int random_below(int count) {
    return (int)(random_unit() * count);
}

#endif
