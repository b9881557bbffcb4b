#include "step/ground.h"

#include "base/scalar.h"

/// Of the ground on a lane's way, m, the map's and the agent's own, the steepest and the slowest.
static throng_footing footing_along(const throng_step *step, const throng_tile *tile, int lane, double dx, double dy) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    const uint32_t row = tile->row[lane];
    throng_footing footing = {1.0f, 1.0f};
    if (world->map && agents->support[row] == 0) { // platforms are level
        const throng_wall_filter at = throng_row_wall_filter(agents, row);
        footing = throng_ground_along(&world->map->ground, at.low, at.high, agents->x[row], agents->y[row], dx, dy);
    }
    if (!agents->has_extras) return footing;
    const double gx = agents->gradient_x[row], gy = agents->gradient_y[row];
    footing.steepness = throng_maxf(footing.steepness, (float)sqrt(1.0 + (gx * gx + gy * gy)));
    return footing;
}

/// m/s, seen from above.
static float speed_on(const throng_agents *agents, uint32_t row, throng_footing footing) {
    const float speed = agents->max_speed[row] * footing.factor / footing.steepness;
    return agents->has_extras ? throng_minf(speed, agents->speed_limit[row]) : speed;
}

static void set_limits(const throng_step *step, throng_tile *tile, int lane, throng_footing footing) {
    const throng_agents *agents = &step->world->agents;
    const uint32_t row = tile->row[lane];
    tile->max_speed[lane] = speed_on(agents, row, footing);
    tile->reach_radius[lane] = agents->max_acceleration[row] / footing.steepness * step->dt;
    tile->footing[lane] = footing;
}

void throng_ground_stand(const throng_step *step, throng_tile *tile) {
    for (int lane = 0; lane < tile->count; ++lane) {
        set_limits(step, tile, lane, footing_along(step, tile, lane, 0.0, 0.0));
    }
}

void throng_ground_set_out(const throng_step *step, throng_tile *tile, int lane, bool wish_slows) {
    const double dx = tile->preferred_x[lane] * step->time_step, dy = tile->preferred_y[lane] * step->time_step;
    const throng_footing here = tile->footing[lane], way = footing_along(step, tile, lane, dx, dy);
    if (way.steepness == here.steepness && way.factor == here.factor) return;
    set_limits(step, tile, lane, way);
    if (!wish_slows) return;
    const float part = way.factor / way.steepness / (here.factor / here.steepness);
    if (part >= 1.0f) return;
    tile->preferred_x[lane] *= part;
    tile->preferred_y[lane] *= part;
}

void throng_ground_hold(const throng_step *step, throng_tile *tile) {
    for (int lane = 0; lane < tile->count; ++lane) {
        const float vx = tile->solved_x[lane], vy = tile->solved_y[lane];
        const throng_footing way = footing_along(step, tile, lane, vx * step->time_step, vy * step->time_step);
        if (way.steepness == tile->footing[lane].steepness && way.factor == tile->footing[lane].factor) continue;
        const float speed = sqrtf(vx * vx + vy * vy), limit = speed_on(&step->world->agents, tile->row[lane], way);
        if (speed <= limit) continue;
        tile->solved_x[lane] = vx * (limit / speed);
        tile->solved_y[lane] = vy * (limit / speed);
    }
}
