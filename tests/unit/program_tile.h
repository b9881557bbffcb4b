// A tile of velocity programs, one per lane, and random ones with every trap: repeated, parallel, opposite, tangent and
// concurrent planes, discs that touch or miss each other. Include after cmocka.h.
#ifndef THRONG_TESTS_PROGRAM_TILE_H
#define THRONG_TESTS_PROGRAM_TILE_H

#include "unit/kernel_tile.h"

typedef struct program_tile {
    plane_tile planes;
    int wall_slots, slot_count;
    tile_row preferred_vx, preferred_vy, max_speed, reach_vx, reach_vy, reach_radius;
} program_tile;

typedef struct program_answer {
    tile_row vx, vy, violation;
    uint32_t infeasible;
} program_answer;

static inline void solve_tile(const throng_kernels *kernels, program_tile *t, program_answer *answer) {
    const throng_program_input in = {.planes = planes_of(&t->planes),
                                     .wall_slots = t->wall_slots,
                                     .slot_count = t->slot_count,
                                     .preferred_vx = t->preferred_vx.at,
                                     .preferred_vy = t->preferred_vy.at,
                                     .max_speed = t->max_speed.at,
                                     .reach_vx = t->reach_vx.at,
                                     .reach_vy = t->reach_vy.at,
                                     .reach_radius = t->reach_radius.at};
    throng_program_output out = {answer->vx.at, answer->vy.at, answer->violation.at, 0};
    kernels->program(&in, &out);
    answer->infeasible = out.infeasible;
}

// The program of one lane for the reference; planes: room for slot_count of them.
static inline throng_reference_program program_of_lane(const program_tile *t, int lane, double *planes) {
    for (int slot = 0; slot < t->slot_count; slot++) {
        planes[3 * slot] = t->planes.nx.at[slot * THRONG_LANES + lane];
        planes[3 * slot + 1] = t->planes.ny.at[slot * THRONG_LANES + lane];
        planes[3 * slot + 2] = t->planes.c.at[slot * THRONG_LANES + lane];
    }
    return (throng_reference_program){.planes = planes,
                                      .wall_count = t->wall_slots,
                                      .count = t->slot_count,
                                      .preferred = {t->preferred_vx.at[lane], t->preferred_vy.at[lane]},
                                      .max_speed = t->max_speed.at[lane],
                                      .reach = {t->reach_vx.at[lane], t->reach_vy.at[lane]},
                                      .reach_radius = t->reach_radius.at[lane]};
}

static inline void set_plane(program_tile *t, int slot, int lane, double nx, double ny, double c) {
    t->planes.nx.at[slot * THRONG_LANES + lane] = (float)nx;
    t->planes.ny.at[slot * THRONG_LANES + lane] = (float)ny;
    t->planes.c.at[slot * THRONG_LANES + lane] = (float)c;
}

static inline void random_plane(program_tile *t, int slot, int lane, double looseness) {
    const int at = slot * THRONG_LANES + lane;
    const double angle = 6.283185307179586 * random_unit();
    double nx = cos(angle), ny = sin(angle), c = random_between(-1.5, 1.0) - looseness;
    const int other = slot > 0 ? random_below(slot) * THRONG_LANES + lane : at;
    const double other_nx = t->planes.nx.at[other], other_ny = t->planes.ny.at[other], other_c = t->planes.c.at[other];
    const int trap = slot > 0 ? random_below(24) : 23;
    if (trap < 4 && other_nx == 0 && other_ny == 0) {
        set_plane(t, slot, lane, 0, 0, -1);
        return;
    }
    switch (trap) {
    case 0: // the same again, or parallel to it
        nx = other_nx;
        ny = other_ny;
        c = random_below(2) ? other_c : other_c + random_between(-0.5, 0.5);
        break;
    case 1: // facing it
        nx = -other_nx;
        ny = -other_ny;
        c = random_below(3) ? -other_c + random_between(-0.5, 0.5) : -other_c;
        break;
    case 2: // nearly parallel to it
    case 3: {
        const double turn = random_between(-1, 1) * (random_below(2) ? 1e-3 : 1e-6), side = trap == 2 ? 1 : -1;
        nx = side * (other_nx - turn * other_ny);
        ny = side * (other_ny + turn * other_nx);
        c = side * other_c + random_between(-0.01, 0.01);
        break;
    }
    case 4: // tangent to the speed disc
        c = t->max_speed.at[lane];
        break;
    case 5: // through a common point, as all of this kind in the lane
        c = 0.25 * nx - 0.125 * ny;
        break;
    case 6: // none
        nx = 0;
        ny = 0;
        c = -1;
        break;
    case 8: // tangent to the reach disc
        if (t->reach_radius.at[lane] < INFINITY) {
            c = nx * t->reach_vx.at[lane] + ny * t->reach_vy.at[lane] +
                (random_below(2) ? 1 : -1) * t->reach_radius.at[lane];
        }
        break;
    case 7: // a strong push out of an overlap
        c = random_between(1, 40);
        break;
    default:
        break;
    }
    const double length = hypot(nx, ny);
    set_plane(t, slot, lane, length > 0 ? nx / length : 0, length > 0 ? ny / length : 0, c);
}

static inline void random_programs(program_tile *t) {
    t->wall_slots = random_below(2) ? 0 : random_below(5);
    t->slot_count = t->wall_slots + random_below(11);
    const int reach_kind = random_below(3); // 0: no lane has a reach disc
    const double looseness = random_below(3) * 0.6;
    for (int lane = 0; lane < THRONG_LANES; lane++) {
        t->max_speed.at[lane] = random_below(40) ? random_between(0.3, 3) : 0.0f;
        t->preferred_vx.at[lane] = random_between(-2, 2);
        t->preferred_vy.at[lane] = random_between(-2, 2);
        t->reach_vx.at[lane] = random_between(-1.2, 1.2);
        t->reach_vy.at[lane] = random_between(-1.2, 1.2);
        t->reach_radius.at[lane] = reach_kind && random_below(4) ? random_between(0, 2) : INFINITY;
        if (reach_kind && random_below(40) == 0) t->reach_radius.at[lane] = 0;
        if (random_below(40) == 0) { // the same circle twice
            t->reach_vx.at[lane] = t->reach_vy.at[lane] = 0;
            t->reach_radius.at[lane] = reach_kind ? t->max_speed.at[lane] : INFINITY;
        }
        for (int slot = 0; slot < t->slot_count; slot++) random_plane(t, slot, lane, looseness);
    }
}

#endif
