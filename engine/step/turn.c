#include "step/turn.h"

#include "state/pose.h"

#include <math.h>

/// Slower velocities, m/s, have no direction to keep.
static const float standing = 1e-3f;
/// Half a turn, rad, from which on no turn is too far.
static const double half_turn = 3.14159265358979;
/// Beyond the allowed directions by less than this, as a part of the speed, is rounding.
static const float rounding = 1e-6f;

typedef struct vector {
    float x, y;
} vector;

/// The directions that bound the turn.
typedef struct turn {
    bool limited;
    bool narrow; ///< by less than a right angle: the directions between are what two half-planes have in common
    vector forward, left, right;
} turn;

static turn turn_of(const throng_step *step, const throng_tile *tile, int lane) {
    const double angle = (double)step->world->agents.max_turn_rate[tile->row[lane]] * step->time_step;
    const float vx = tile->velocity_x[lane], vy = tile->velocity_y[lane], speed = sqrtf(vx * vx + vy * vy);
    if (!(angle < half_turn) || !(speed > standing)) return (turn){0};
    const throng_vector by = throng_unit_vector(angle);
    const double x = vx / speed, y = vy / speed;
    return (turn){.limited = true,
                  .narrow = by.x > 0.0,
                  .forward = {(float)x, (float)y},
                  .left = {(float)(by.x * x - by.y * y), (float)(by.y * x + by.x * y)},
                  .right = {(float)(by.x * x + by.y * y), (float)(by.x * y - by.y * x)}};
}

static float dot(vector a, float x, float y) {
    return a.x * x + a.y * y;
}

/// > 0 where (x, y) lies to the left of a.
static float cross(vector a, float x, float y) {
    return a.x * y - a.y * x;
}

static bool allows(const turn *own, float vx, float vy) {
    const float slack = rounding * sqrtf(vx * vx + vy * vy);
    const bool not_left = cross(own->left, vx, vy) <= slack, not_right = cross(own->right, vx, vy) >= -slack;
    return own->narrow ? not_left && not_right && dot(own->forward, vx, vy) >= 0.0f : not_left || not_right;
}

void throng_turn_constrain(const throng_step *step, const throng_tile *tile, throng_tile_planes planes) {
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const turn own = turn_of(step, tile, lane);
        const int left = lane, right = THRONG_LANES + lane;
        planes.nx[left] = own.narrow ? own.left.y : 0.0f;
        planes.ny[left] = own.narrow ? -own.left.x : 0.0f;
        planes.nx[right] = own.narrow ? -own.right.y : 0.0f;
        planes.ny[right] = own.narrow ? own.right.x : 0.0f;
        planes.c[left] = planes.c[right] = own.narrow ? 0.0f : -1.0f;
    }
}

bool throng_turn_allows(const throng_step *step, const throng_tile *tile, int lane, float vx, float vy) {
    const turn own = turn_of(step, tile, lane);
    return !own.limited || allows(&own, vx, vy);
}

void throng_turn_limit(const throng_step *step, throng_tile *tile) {
    for (int lane = 0; lane < tile->count; ++lane) {
        const turn own = turn_of(step, tile, lane);
        const float vx = tile->solved_x[lane], vy = tile->solved_y[lane];
        if (!own.limited || allows(&own, vx, vy)) continue;
        const vector side = cross(own.forward, vx, vy) > 0.0f ? own.left : own.right;
        const float along = dot(side, vx, vy), speed = along > 0.0f ? along : 0.0f;
        tile->solved_x[lane] = side.x * speed;
        tile->solved_y[lane] = side.y * speed;
    }
}
