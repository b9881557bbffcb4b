// Reads:  targets, places, speeds, accelerations, the ground, pairs of neighbors, what their progress is; the host's
//         input columns.
// Writes: the tile's preferred velocities and horizons, its limits where the ground matters; who of it stands within
//         its goal already, is on its way out of a wall, or has its way held.
// Order:  neighbors by (gap, creation number).
// Cost:   O(slots) a tile.
#include "step/step.h"

#include "state/wall_place.h"
#include "step/doors.h"
#include "step/ground.h"
#include "step/sense_crowd.h"
#include "step/target.h"

typedef struct vector {
    float x, y;
} vector;

/// The greatest speed from which a walker that slows by `acceleration` * dt a step stops exactly at `distance`:
/// v * dt + (v - a dt) * dt + ... = distance, solved for v as if the number of steps were real.
static float braking_speed(float distance, float acceleration, float dt) {
    const float half = 0.5f * acceleration * dt;
    return sqrtf(half * half + 2.0f * acceleration * distance) - half;
}

/// The vector (dx, dy), m, leads to the target. `uneven`: the ground matters.
static vector towards(const throng_agents *agents, const throng_tile *tile, int lane, bool uneven, double dx, double dy,
                      float dt) {
    const uint32_t row = tile->row[lane];
    const double distance = sqrt(dx * dx + dy * dy);
    if (!(distance > 0.0)) return (vector){0.0f, 0.0f};
    float speed = throng_minf(agents->preferred_speed[row], agents->max_speed[row]);
    float acceleration = agents->max_acceleration[row];
    if (uneven) {
        const throng_footing footing = tile->footing[lane];
        speed = throng_minf(speed * footing.factor / footing.steepness, tile->max_speed[lane]);
        acceleration /= footing.steepness;
    }
    if (acceleration < INFINITY) speed = throng_minf(speed, braking_speed((float)distance, acceleration, dt));
    const double scale = speed * dt >= (float)distance ? 1.0 / dt : speed / distance;
    return (vector){(float)(dx * scale), (float)(dy * scale)};
}

static vector preferred(const throng_step *step, throng_tile *tile, int lane, bool uneven) {
    const throng_agents *agents = &step->world->agents;
    const uint32_t row = tile->row[lane];
    switch (agents->target_kind[row]) {
    case THRONG_TARGET_VELOCITY: {
        const throng_vector wish = throng_fixed_wish(step->world, row);
        return (vector){(float)wish.x, (float)wish.y};
    }
    case THRONG_TARGET_POINT:
    case THRONG_TARGET_SEGMENT: {
        double dx, dy;
        throng_to_target(step->world, row, agents->x[row], agents->y[row], &dx, &dy);
        if (!(agents->flags[row] & THRONG_FLAG_ARRIVED) && throng_within_goal(agents, row, dx, dy)) {
            tile->event_bits[lane] |= 1 << THRONG_EVENT_ARRIVED | THRONG_EVENT_BIT_AT_START;
        }
        return towards(agents, tile, lane, uneven, dx, dy, step->dt);
    }
    default:
        return (vector){0.0f, 0.0f};
    }
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

void throng_step_sense(const throng_step *step, throng_tile *tile) {
    const bool uneven = throng_ground_matters(step->world);
    uint32_t walking = 0;
    if (uneven) throng_ground_stand(step, tile);
    for (int lane = 0; lane < tile->count; ++lane) {
        tile->event_bits[lane] = 0;
        tile->displaced[lane] = 0.0f;
        tile->blocker[lane] = tile->row[lane];
        const bool outside = is_outside(step->world, tile->row[lane]);
        const vector wish = outside ? way_out(step, tile, lane) : preferred(step, tile, lane, uneven);
        tile->preferred_x[lane] = wish.x;
        tile->preferred_y[lane] = wish.y;
        if (uneven) {
            const bool placed = throng_has_place_target(&step->world->agents, tile->row[lane]);
            throng_ground_set_out(step, tile, lane, outside || placed);
        }
        walking |= (uint32_t)(!outside && (wish.x != 0.0f || wish.y != 0.0f)) << lane;
    }
    for (int lane = tile->count; lane < THRONG_LANES; ++lane) tile->preferred_x[lane] = tile->preferred_y[lane] = 0.0f;
    if (walking && step->world->doors.count) walking = throng_step_hold(step, tile, walking);
    if (walking) throng_sense_crowd(step, tile, walking);
}
