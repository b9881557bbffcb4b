// Reads:  the tile's half-planes, preferred velocities, speed and reach discs; pairs and walls where models sample.
// Writes: the tile's solved velocities; who of it is infeasible, and by how much.
// Order:  walls before agents, nearest first.
// Cost:   O(slots²) a tile at worst, over all lanes at once.
#include "step/ground.h"
#include "step/step.h"

#include "state/extras.h"
#include "step/sampled.h"
#include "step/turn.h"

#include <math.h>

/// What is solved for: all of the tile's half-planes or the hard ones alone.
typedef struct question {
    int slots;
    const float *preferred_x, *preferred_y;
    float *solved_x, *solved_y, *violation;
} question;

/// Returns the infeasible lanes.
static uint32_t solve_by_reference(const throng_tile *tile, const question *asked) {
    double planes[(THRONG_MAX_NEIGHBORS + THRONG_MAX_WALLS + THRONG_TURN_SLOTS) * 3];
    uint32_t infeasible = 0;
    for (int lane = 0; lane < tile->count; ++lane) {
        for (int slot = 0; slot < asked->slots; ++slot) {
            const int at = slot * THRONG_LANES + lane;
            planes[3 * slot] = tile->planes.nx[at];
            planes[3 * slot + 1] = tile->planes.ny[at];
            planes[3 * slot + 2] = tile->planes.c[at];
        }
        const throng_reference_program program = {.planes = planes,
                                                  .wall_count = tile->hard_slots,
                                                  .count = asked->slots,
                                                  .preferred = {asked->preferred_x[lane], asked->preferred_y[lane]},
                                                  .max_speed = tile->max_speed[lane],
                                                  .reach = {tile->velocity_x[lane], tile->velocity_y[lane]},
                                                  .reach_radius = tile->reach_radius[lane]};
        double v[2], violation;
        if (!throng_reference_solve(&program, v, &violation)) infeasible |= 1u << lane;
        asked->solved_x[lane] = (float)v[0];
        asked->solved_y[lane] = (float)v[1];
        asked->violation[lane] = (float)violation;
    }
    return infeasible;
}

static uint32_t solve_by_lanes(const throng_step *step, const throng_tile *tile, const question *asked) {
    const throng_program_input in = {.planes = tile->planes,
                                     .wall_slots = tile->hard_slots,
                                     .slot_count = asked->slots,
                                     .preferred_vx = asked->preferred_x,
                                     .preferred_vy = asked->preferred_y,
                                     .max_speed = tile->max_speed,
                                     .reach_vx = tile->velocity_x,
                                     .reach_vy = tile->velocity_y,
                                     .reach_radius = tile->reach_radius};
    throng_program_output out = {.vx = asked->solved_x, .vy = asked->solved_y, .violation = asked->violation};
    step->world->kernels->program(&in, &out);
    return out.infeasible;
}

static uint32_t solve(const throng_step *step, const throng_tile *tile, const question *asked) {
    if (step->world->solver == THRONG_SOLVER_REFERENCE) return solve_by_reference(tile, asked);
    return solve_by_lanes(step, tile, asked);
}

/// Those who rather brake than violate others' half-planes: the slowest velocity that walls and reach allow.
static void brake(const throng_step *step, throng_tile *tile) {
    static const _Alignas(THRONG_CACHE_LINE) float standing[THRONG_LANES];
    uint32_t braking = 0;
    for (int lane = 0; lane < tile->count; ++lane) {
        const bool asked = step->world->agents.infeasible[tile->row[lane]] == THRONG_INFEASIBLE_BRAKE;
        braking |= (uint32_t)asked << lane;
    }
    braking &= tile->infeasible;
    if (!braking) return;
    _Alignas(THRONG_CACHE_LINE) float x[THRONG_LANES], y[THRONG_LANES], violation[THRONG_LANES];
    const question slowest = {tile->hard_slots, standing, standing, x, y, violation};
    solve(step, tile, &slowest);
    for (int lane = 0; lane < tile->count; ++lane) {
        if (!(braking >> lane & 1)) continue;
        tile->solved_x[lane] = x[lane];
        tile->solved_y[lane] = y[lane];
    }
}

/// What is wished of the lanes: those who are buried are to stand.
static void wish(const throng_tile *tile, float x[THRONG_LANES], float y[THRONG_LANES]) {
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const bool stands = tile->buried >> lane & 1;
        x[lane] = stands ? 0.0f : tile->preferred_x[lane];
        y[lane] = stands ? 0.0f : tile->preferred_y[lane];
    }
}

void throng_step_solve(const throng_step *step, throng_tile *tile) {
    const throng_agents *agents = &step->world->agents;
    uint32_t sampled = THRONG_USES(agents, model) ? throng_sampled_lanes(step->world, tile) : 0;
    sampled &= ~tile->buried;
    _Alignas(THRONG_CACHE_LINE) float wish_x[THRONG_LANES], wish_y[THRONG_LANES];
    if (tile->buried) wish(tile, wish_x, wish_y);
    const question whole = {tile->hard_slots + tile->neighbor_slots,
                            tile->buried ? wish_x : tile->preferred_x,
                            tile->buried ? wish_y : tile->preferred_y,
                            tile->solved_x,
                            tile->solved_y,
                            tile->violation};
    tile->infeasible = 0;
    if (sampled != (1u << tile->count) - 1) tile->infeasible = solve(step, tile, &whole) & ~sampled;
    if (tile->infeasible && THRONG_USES(agents, infeasible)) brake(step, tile);
    if (sampled) throng_solve_sampled(step, tile, sampled);
    if (THRONG_USES(agents, max_turn_rate)) throng_turn_limit(step, tile);
    if (throng_ground_matters(step->world)) throng_ground_hold(step, tile);
}
