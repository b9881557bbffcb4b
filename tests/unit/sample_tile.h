// A tile of agents that sample velocities, with those they may collide with, walls and candidates: what the tests of
// velocity obstacles ask kernels about. Include after cmocka.h.
#ifndef THRONG_TESTS_SAMPLE_TILE_H
#define THRONG_TESTS_SAMPLE_TILE_H

#include "unit/kernel_tile.h"

#include <stdbool.h>

typedef struct sample_tile {
    pair_tile others;
    tile_row preferred_vx, preferred_vy, weight, body;
    tile_row sx, sy, ux, uy, to_a, to_b;
    tile_row_int wall_count;
    tile_row candidate_vx, candidate_vy, penalty;
    throng_pairs_input pairs;
    throng_walls_input walls;
    throng_sampled_input in;
} sample_tile;

static sample_tile tile;

static inline void bind(int others, int walls, int candidates, float time_step) {
    tile.pairs = pairs_of(&tile.others, others, time_step);
    tile.walls = (throng_walls_input){.slot_count = walls,
                                      .count = tile.wall_count.at,
                                      .sx = tile.sx.at,
                                      .sy = tile.sy.at,
                                      .ux = tile.ux.at,
                                      .uy = tile.uy.at,
                                      .to_a = tile.to_a.at,
                                      .to_b = tile.to_b.at,
                                      .radius = tile.body.at};
    tile.in = (throng_sampled_input){.candidate_count = candidates,
                                     .vx = tile.candidate_vx.at,
                                     .vy = tile.candidate_vy.at,
                                     .pairs = &tile.pairs,
                                     .walls = &tile.walls,
                                     .preferred_vx = tile.preferred_vx.at,
                                     .preferred_vy = tile.preferred_vy.at,
                                     .weight = tile.weight.at};
}

static inline void fill(tile_row *row, int slot, double value) {
    for (int lane = 0; lane < THRONG_LANES; lane++) row->at[slot * THRONG_LANES + lane] = (float)value;
}

static inline void fill_counts(int others, int walls) {
    for (int lane = 0; lane < THRONG_LANES; lane++) {
        tile.others.count.at[lane] = others;
        tile.wall_count.at[lane] = walls;
    }
    fill(&tile.others.horizon, 0, INFINITY);
}

static inline void set_self(double vx, double vy, double preferred_x, double preferred_y, double weight, double body) {
    fill(&tile.others.self_vx, 0, vx);
    fill(&tile.others.self_vy, 0, vy);
    fill(&tile.preferred_vx, 0, preferred_x);
    fill(&tile.preferred_vy, 0, preferred_y);
    fill(&tile.weight, 0, weight);
    fill(&tile.body, 0, body);
}

static inline void set_other(int slot, double px, double py, double vx, double vy, double radius, double share) {
    fill(&tile.others.px, slot, px);
    fill(&tile.others.py, slot, py);
    fill(&tile.others.vx, slot, vx);
    fill(&tile.others.vy, slot, vy);
    fill(&tile.others.radius, slot, radius);
    fill(&tile.others.share, slot, share);
}

static inline void set_candidate(int slot, double vx, double vy) {
    fill(&tile.candidate_vx, slot, vx);
    fill(&tile.candidate_vy, slot, vy);
}

static inline void set_wall(int slot, double ax, double ay, double bx, double by) {
    const double length = hypot(bx - ax, by - ay);
    const double ux = length > 0 ? (bx - ax) / length : 0, uy = length > 0 ? (by - ay) / length : 0;
    const double along = fmin(fmax(-(ax * ux + ay * uy), 0), length);
    fill(&tile.sx, slot, ax + along * ux);
    fill(&tile.sy, slot, ay + along * uy);
    fill(&tile.ux, slot, ux);
    fill(&tile.uy, slot, uy);
    fill(&tile.to_a, slot, -along);
    fill(&tile.to_b, slot, length - along);
}

typedef struct body {
    double px, py, vx, vy, radius, share;
} body;

#endif
