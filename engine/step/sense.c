// Reads:  targets, places, speeds, accelerations, the ground, pairs of neighbors, what their progress is; the host's
//         input columns.
// Writes: the tile's preferred velocities and horizons, its limits where the ground matters; who of it stands within
//         its goal already, is on its way out of a wall, or has its way held.
// Order:  neighbors by (gap, creation number).
// Cost:   O(slots) a tile.
#include "step/step.h"

#include "base/scalar.h"
#include "state/wall_place.h"
#include "step/doors.h"
#include "step/ground.h"
#include "step/sense_crowd.h"
#include "step/target.h"

#include <string.h>

typedef struct vector {
    float x, y;
} vector;

/// Of the ground on the way of those who walk to places, how fast they may go there.
static void slow_down(const throng_tile *tile, float preferred_speed[THRONG_LANES], float acceleration[THRONG_LANES],
                      const throng_agents *agents) {
    for (int lane = 0; lane < tile->count; ++lane) {
        const throng_footing footing = tile->footing[lane];
        const float speed = throng_minf(preferred_speed[lane], agents->max_speed[tile->row[lane]]);
        preferred_speed[lane] = speed * footing.factor / footing.steepness;
        acceleration[lane] /= footing.steepness;
    }
}

/// The wishes of those who walk to places, and who of them stands within its goal already. `uneven`: the ground
/// matters.
static void approach(const throng_step *step, throng_tile *tile, bool uneven) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    const bool plain = !world->inputs.target && !throng_has_supports(world); // points are where the columns say
    double dx[THRONG_LANES], dy[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float goal_radius[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float preferred_speed[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float acceleration[THRONG_LANES];
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const uint32_t row = tile->row[lane];
        dx[lane] = dy[lane] = 0.0;
        if (plain && agents->target_kind[row] == THRONG_TARGET_POINT) {
            dx[lane] = agents->target_x[row] - agents->x[row];
            dy[lane] = agents->target_y[row] - agents->y[row];
        } else if (throng_has_place_target(agents, row)) {
            throng_to_target(world, row, agents->x[row], agents->y[row], &dx[lane], &dy[lane]);
        }
        goal_radius[lane] = agents->goal_radius[row];
        preferred_speed[lane] = agents->preferred_speed[row];
        acceleration[lane] = agents->max_acceleration[row];
    }
    if (uneven) slow_down(tile, preferred_speed, acceleration, agents);
    const throng_approach_input in = {.dx = dx,
                                      .dy = dy,
                                      .goal_radius = goal_radius,
                                      .preferred_speed = preferred_speed,
                                      .max_speed = tile->max_speed,
                                      .acceleration = acceleration,
                                      .time_step = step->dt};
    uint32_t within = world->kernels->approach(&in, tile->preferred_x, tile->preferred_y);
    for (within &= tile->to_place & ~tile->outside; within; within &= within - 1) {
        const uint32_t lane = throng_lowest_bit(within);
        if (tile->flags[lane] & THRONG_FLAG_ARRIVED) continue;
        tile->event_bits[lane] |= 1 << THRONG_EVENT_ARRIVED | THRONG_EVENT_BIT_AT_START;
    }
}

static vector fixed_wish(const throng_world *world, uint32_t row) {
    if (world->agents.target_kind[row] != THRONG_TARGET_VELOCITY) return (vector){0.0f, 0.0f};
    const throng_vector wish = throng_fixed_wish(world, row);
    return (vector){(float)wish.x, (float)wish.y};
}

/// Who stands in a wall walks straight to the nearest free place, as fast as it can.
static vector way_out(const throng_step *step, throng_tile *tile, int lane) {
    const throng_agents *agents = &step->world->agents;
    const uint32_t row = tile->row[lane];
    const double x = agents->x[row], y = agents->y[row], radius = agents->radius[row];
    double place[2];
    if (!throng_wall_place_find_free(throng_walls_of(step->world, row), throng_row_wall_filter(agents, row), x, y,
                                     radius, throng_free_place_range, place)) {
        tile->event_bits[lane] |= 1 << THRONG_EVENT_CRUSHED;
        tile->displaced[lane] =
            (float)(radius - throng_wall_place_distance(throng_walls_of(step->world, row),
                                                        throng_row_wall_filter(agents, row), x, y, radius));
        return (vector){0.0f, 0.0f};
    }
    const double dx = place[0] - x, dy = place[1] - y, distance = sqrt(dx * dx + dy * dy);
    tile->displaced[lane] = (float)distance;
    const double limit = tile->max_speed[lane] * step->time_step;
    const double part = (distance > limit ? limit / distance : 1.0) / step->time_step;
    return (vector){(float)(dx * part), (float)(dy * part)};
}

/// The step knows by now who stands in a wall; who asks between steps finds agents that nobody has looked at yet.
static bool is_outside(const throng_world *world, uint32_t row) {
    const throng_agents *agents = &world->agents;
    if (!(agents->flags[row] & THRONG_FLAG_UNPLACED)) return agents->flags[row] & THRONG_FLAG_OUTSIDE;
    return !throng_wall_place_is_free(throng_walls_of(world, row), throng_row_wall_filter(agents, row), agents->x[row],
                                      agents->y[row], agents->radius[row]);
}

static void begin(const throng_step *step, throng_tile *tile) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    memset(tile->event_bits, 0, sizeof tile->event_bits);
    memset(tile->displaced, 0, sizeof tile->displaced);
    memcpy(tile->blocker, tile->row, sizeof tile->blocker);
    tile->to_place = tile->outside = 0;
    uint16_t any = 0;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const uint32_t row = tile->row[lane];
        tile->flags[lane] = agents->flags[row];
        tile->blocked[lane] = agents->blocked[row];
        any |= tile->flags[lane];
        tile->to_place |= (uint32_t)throng_has_place_target(agents, row) << lane;
    }
    tile->to_place &= (1u << tile->count) - 1;
    if (!(any & (THRONG_FLAG_OUTSIDE | THRONG_FLAG_UNPLACED))) return;
    for (int lane = 0; lane < tile->count; ++lane) {
        tile->outside |= (uint32_t)is_outside(world, tile->row[lane]) << lane;
    }
}

/// Returns the lanes whose wish is not zero.
static uint32_t walking_lanes(const throng_tile *tile) {
    uint32_t walking = 0;
    for (int lane = 0; lane < tile->count; ++lane) {
        walking |= (uint32_t)(tile->preferred_x[lane] != 0.0f || tile->preferred_y[lane] != 0.0f) << lane;
    }
    return walking;
}

void throng_step_sense(const throng_step *step, throng_tile *tile) {
    const bool uneven = throng_ground_matters(step->world);
    begin(step, tile);
    if (uneven) throng_ground_stand(step, tile);
    approach(step, tile, uneven);
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        if (tile->to_place & ~tile->outside & 1u << lane) continue;
        vector wish = {0.0f, 0.0f};
        if (lane < tile->count) {
            const bool outside = tile->outside >> lane & 1;
            wish = outside ? way_out(step, tile, lane) : fixed_wish(step->world, tile->row[lane]);
        }
        tile->preferred_x[lane] = wish.x;
        tile->preferred_y[lane] = wish.y;
    }
    uint32_t walking = walking_lanes(tile) & ~(tile->outside | tile->buried);
    for (int lane = 0; uneven && lane < tile->count; ++lane) {
        throng_ground_set_out(step, tile, lane, (tile->outside | tile->to_place) >> lane & 1);
    }
    if (walking && step->world->doors.count) walking = throng_step_hold(step, tile, walking);
    if (walking) throng_sense_crowd(step, tile, walking);
}
