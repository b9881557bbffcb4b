// Reads:  the tile's half-planes, preferred velocities, speed and reach discs; pairs and walls where models sample.
// Writes: the tile's solved velocities; who of it is infeasible, and by how much.
// Order:  walls before agents, nearest first.
// Cost:   O(slots²) a tile at worst, over all lanes at once.
#include "step/ground.h"
#include "step/step.h"

#include "state/extras.h"
#include "step/sampled.h"

#include <math.h>

static void solve_by_reference(const throng_step *step, throng_tile *tile) {
    (void)step;
    const int slots = tile->wall_slots + tile->neighbor_slots;
    double planes[(THRONG_MAX_NEIGHBORS + THRONG_MAX_WALLS) * 3];
    tile->infeasible = 0;
    for (int lane = 0; lane < tile->count; ++lane) {
        for (int slot = 0; slot < slots; ++slot) {
            const int at = slot * THRONG_LANES + lane;
            planes[3 * slot] = tile->planes.nx[at];
            planes[3 * slot + 1] = tile->planes.ny[at];
            planes[3 * slot + 2] = tile->planes.c[at];
        }
        const throng_reference_program program = {.planes = planes,
                                                  .wall_count = tile->wall_slots,
                                                  .count = slots,
                                                  .preferred = {tile->preferred_x[lane], tile->preferred_y[lane]},
                                                  .max_speed = tile->max_speed[lane],
                                                  .reach = {tile->velocity_x[lane], tile->velocity_y[lane]},
                                                  .reach_radius = tile->reach_radius[lane]};
        double v[2], violation;
        if (!throng_reference_solve(&program, v, &violation)) tile->infeasible |= 1u << lane;
        tile->solved_x[lane] = (float)v[0];
        tile->solved_y[lane] = (float)v[1];
        tile->violation[lane] = (float)violation;
    }
}

static void solve_by_lanes(const throng_step *step, throng_tile *tile) {
    const throng_program_input in = {.planes = tile->planes,
                                     .wall_slots = tile->wall_slots,
                                     .slot_count = tile->wall_slots + tile->neighbor_slots,
                                     .preferred_vx = tile->preferred_x,
                                     .preferred_vy = tile->preferred_y,
                                     .max_speed = tile->max_speed,
                                     .reach_vx = tile->velocity_x,
                                     .reach_vy = tile->velocity_y,
                                     .reach_radius = tile->reach_radius};
    throng_program_output out = {.vx = tile->solved_x, .vy = tile->solved_y, .violation = tile->violation};
    step->world->kernels->program(&in, &out);
    tile->infeasible = out.infeasible;
}

static void solve_by_planes(const throng_step *step, throng_tile *tile) {
    if (step->world->solver == THRONG_SOLVER_REFERENCE) {
        solve_by_reference(step, tile);
    } else {
        solve_by_lanes(step, tile);
    }
    if (throng_ground_matters(step->world)) throng_ground_hold(step, tile);
}

void throng_step_solve(const throng_step *step, throng_tile *tile) {
    uint32_t sampled = 0;
    if (THRONG_USES(&step->world->agents, model)) sampled = throng_sampled_lanes(step->world, tile);
    if (sampled != (1u << tile->count) - 1) {
        solve_by_planes(step, tile);
    } else {
        tile->infeasible = 0;
    }
    if (sampled) throng_solve_sampled(step, tile, sampled);
}
