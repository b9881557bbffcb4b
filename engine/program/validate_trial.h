// A crowd of a validation test: made by hand, stepped, looked at. After a failure every call is without effect and
// `failed` tells.
#ifndef PROGRAM_VALIDATE_TRIAL_H
#define PROGRAM_VALIDATE_TRIAL_H

#include <throng/throng.h>

/// Targets one after the other; at the last one the agent is removed. Without any it stays at its first target.
typedef struct trial_way {
    throng_target targets[2];
    uint32_t count;
    uint32_t passed; ///< targets reached, the agent's own first
} trial_way;

typedef struct trial {
    throng_agent_def *agents; ///< `count` of them, to be filled in before the start
    trial_way *ways;          ///< where each goes on to from its target
    uint32_t count;
    throng_world *world;
    throng_map *map;
    throng_wall *walls;
    uint32_t wall_count;
    throng_agent_id *ids;
    uint32_t *number_of_index;
    double *arrival; ///< s, at the last target but the end of a way; negative: not yet
    uint32_t arrived;
    bool failed;
    uint64_t random; ///< state of trial_random
} trial;

/// All agents at the origin with the built-in defaults and no target.
trial trial_begin(uint32_t count, uint64_t seed);
void trial_end(trial *of);

/// A wall of `count` points x0 y0 x1 y1 ...
void trial_wall(trial *of, throng_wall_kind kind, const double *points, uint32_t count);

/// A solid box.
void trial_box(trial *of, double x0, double y0, double x1, double y1);

void trial_start(trial *of);

/// Steps, notes arrivals, and sends on or removes those that arrived.
void trial_step(trial *of, double time_step);

throng_view trial_view(const trial *of);

/// The number of the agent in a row of the view.
uint32_t trial_number(const trial *of, const throng_view *view, uint32_t row);

/// Uniform in [low, high).
double trial_random(trial *of, double low, double high);

/// Places the agents [first, end) at random within a box, `apart` m from each other's centre. Sets `failed` where they
/// find no room.
void trial_scatter(trial *of, uint32_t first, uint32_t end, double x0, double y0, double x1, double y1, double apart);

#endif
