#include "step/sampled.h"

#include "base/hash.h"
#include "state/extras.h"
#include "step/turn.h"

#include <math.h>

/// The admissible velocities of an agent lie in two discs, of speed and of reach; samples are drawn from the smaller
/// and count where the other has them, too. A value a lane.
typedef struct admissible {
    _Alignas(THRONG_CACHE_LINE) float x[THRONG_LANES], y[THRONG_LANES], radius[THRONG_LANES]; // m/s, the disc to sample
    _Alignas(THRONG_CACHE_LINE) float turn_x[THRONG_LANES], turn_y[THRONG_LANES]; // unit vector: turns the samples
    _Alignas(THRONG_CACHE_LINE) float other_x[THRONG_LANES], other_y[THRONG_LANES], other_square[THRONG_LANES];
} admissible;

typedef struct candidates {
    _Alignas(THRONG_CACHE_LINE) float vx[THRONG_CANDIDATES * THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float vy[THRONG_CANDIDATES * THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float penalty[THRONG_CANDIDATES * THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float bar[THRONG_CANDIDATES * THRONG_LANES]; // INFINITY where not admissible, else 0
    int count;
} candidates;

typedef struct sampling {
    const throng_step *step;
    const throng_tile *tile;
    throng_sampled_input in;
    admissible own;
    candidates some;
    _Alignas(THRONG_CACHE_LINE) float best[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float best_x[THRONG_LANES], best_y[THRONG_LANES];
    bool turns_limited;
    bool walls_move; ///< with supports: walls are half-planes here, as for everybody else
} sampling;

static float square_of(float x, float y) {
    return x * x + y * y;
}

// ---- points of the unit disc

/// A point of the square [-1, 1)² from the halves of a word.
static void square_point(uint64_t word, float *x, float *y) {
    *x = (float)((int32_t)(word >> 40) - (1 << 23)) * 0x1p-23f;
    *y = (float)((int32_t)(word >> 8 & 0xffffff) - (1 << 23)) * 0x1p-23f;
}

/// A direction of chance. Draws again, for good, where a point lies beyond the disc or has hardly a direction.
static void random_direction(uint64_t word, float *x, float *y) {
    do {
        word += UINT64_C(0x9e3779b97f4a7c15); // counts, so that no word comes twice
        square_point(throng_mix(word), x, y);
    } while (square_of(*x, *y) > 1.0f || square_of(*x, *y) < 0.01f);
    const float length = sqrtf(square_of(*x, *y));
    *x /= length;
    *y /= length;
}

/// Roberts' additive sequence: multiples of 1/p and 1/p², p the plastic number, as parts of 2^32. Every beginning of it
/// covers the square evenly.
static const uint64_t even_x = 3242174889, even_y = 2447445414;

/// The next of its points within the disc.
static void even_point(uint64_t *at, float *x, float *y) {
    do {
        const uint64_t index = ++*at;
        square_point((index * even_x & 0xffffffff) << 32 | (index * even_y & 0xffffffff), x, y);
    } while (square_of(*x, *y) > 1.0f);
}

// ---- what is admissible

static void limit(float *x, float *y, float speed) {
    const float square = square_of(*x, *y);
    if (!(square > speed * speed)) return;
    const float scale = speed / sqrtf(square);
    *x *= scale;
    *y *= scale;
}

static void find_admissible(sampling *work) {
    const throng_world *world = work->step->world;
    const throng_tile *tile = work->tile;
    admissible *own = &work->own;
    const bool random = world->sampling.pattern == THRONG_SAMPLES_RANDOM;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const float speed = tile->max_speed[lane], reach = tile->reach_radius[lane];
        const float vx = tile->velocity_x[lane], vy = tile->velocity_y[lane];
        const bool by_reach = reach < speed;
        own->x[lane] = by_reach ? vx : 0.0f;
        own->y[lane] = by_reach ? vy : 0.0f;
        own->radius[lane] = by_reach ? reach : speed;
        own->other_x[lane] = by_reach ? 0.0f : vx;
        own->other_y[lane] = by_reach ? 0.0f : vy;
        own->other_square[lane] = by_reach ? speed * speed : reach * reach;
        own->turn_x[lane] = 1.0f;
        own->turn_y[lane] = 0.0f;
        const uint64_t creation = world->agents.creation[tile->row[lane]];
        if (random) {
            random_direction(throng_random(world->seed, creation, world->clock.step, THRONG_PURPOSE_SAMPLE),
                             &own->turn_x[lane], &own->turn_y[lane]);
        }
    }
}

static bool walls_allow(const throng_tile *tile, int lane, float vx, float vy) {
    bool allowed = true;
    for (int slot = 0; slot < tile->wall_count[lane] && allowed; ++slot) {
        const int at = slot * THRONG_LANES + lane;
        allowed = tile->planes.nx[at] * vx + tile->planes.ny[at] * vy >= tile->planes.c[at];
    }
    return allowed;
}

/// Bars those of the last candidates that turn too far, or into walls that are half-planes.
static void bar_more(sampling *work) {
    candidates *some = &work->some;
    for (int at = 0; at < some->count * THRONG_LANES; ++at) {
        const int lane = at % THRONG_LANES;
        const float vx = some->vx[at], vy = some->vy[at];
        const bool turns = !work->turns_limited || throng_turn_allows(work->step, work->tile, lane, vx, vy);
        if (!turns || (work->walls_move && !walls_allow(work->tile, lane, vx, vy))) some->bar[at] = INFINITY;
    }
}

// ---- the search

/// Keeps the best of the candidates so far; the first of equal ones.
static void judge(sampling *work) {
    candidates *some = &work->some;
    if (work->turns_limited || work->walls_move) bar_more(work);
    work->in.candidate_count = some->count;
    work->step->world->kernels->penalties(&work->in, some->penalty);
    for (int slot = 0; slot < some->count; ++slot) {
        for (int lane = 0; lane < THRONG_LANES; ++lane) {
            const int at = slot * THRONG_LANES + lane;
            const float penalty = some->penalty[at] + some->bar[at];
            const bool better = penalty < work->best[lane];
            work->best[lane] = better ? penalty : work->best[lane];
            work->best_x[lane] = better ? some->vx[at] : work->best_x[lane];
            work->best_y[lane] = better ? some->vy[at] : work->best_y[lane];
        }
    }
    some->count = 0;
}

/// Where the next candidate's lanes begin.
static int next_candidate(sampling *work) {
    if (work->some.count == THRONG_CANDIDATES) judge(work);
    return work->some.count++ * THRONG_LANES;
}

/// The preferred and the present velocity come before the samples, no faster than allowed. The present one is
/// admissible or as near to it as can be: it is what is left where everything else is barred or collides at once.
static void offer_own(sampling *work) {
    const throng_tile *tile = work->tile;
    const int wish = next_candidate(work), present = next_candidate(work);
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const float speed = tile->max_speed[lane], reach = tile->reach_radius[lane];
        float x = tile->preferred_x[lane], y = tile->preferred_y[lane];
        limit(&x, &y, speed);
        const bool reached = square_of(x - tile->velocity_x[lane], y - tile->velocity_y[lane]) <= reach * reach;
        work->some.vx[wish + lane] = x;
        work->some.vy[wish + lane] = y;
        work->some.bar[wish + lane] = reached ? 0.0f : INFINITY;
        x = tile->velocity_x[lane];
        y = tile->velocity_y[lane];
        limit(&x, &y, speed);
        work->some.vx[present + lane] = work->best_x[lane] = x;
        work->some.vy[present + lane] = work->best_y[lane] = y;
        work->some.bar[present + lane] = 0.0f;
    }
}

/// Points come in pairs of opposites, so that two who meet head on have the same choice.
static void offer_sample(sampling *work, float x, float y) {
    const admissible *own = &work->own;
    const int at = next_candidate(work);
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const float turned_x = own->turn_x[lane] * x - own->turn_y[lane] * y;
        const float turned_y = own->turn_y[lane] * x + own->turn_x[lane] * y;
        const float vx = own->x[lane] + own->radius[lane] * turned_x;
        const float vy = own->y[lane] + own->radius[lane] * turned_y;
        const float square = square_of(vx - own->other_x[lane], vy - own->other_y[lane]);
        work->some.vx[at + lane] = vx;
        work->some.vy[at + lane] = vy;
        work->some.bar[at + lane] = square <= own->other_square[lane] ? 0.0f : INFINITY;
    }
}

uint32_t throng_sampled_lanes(const throng_world *world, const throng_tile *tile) {
    uint32_t lanes = 0;
    for (int lane = 0; lane < tile->count; ++lane) {
        lanes |= (uint32_t)(world->agents.model[tile->row[lane]] != THRONG_MODEL_ORCA) << lane;
    }
    return lanes;
}

void throng_solve_sampled(const throng_step *step, throng_tile *tile, uint32_t lanes) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    _Alignas(THRONG_CACHE_LINE) float weight[THRONG_LANES], horizon[THRONG_LANES];
    const bool walls_move = throng_has_supports(world);
    throng_walls_input walls = throng_tile_walls(tile, tile->velocity_x, tile->velocity_y);
    if (walls_move) walls.slot_count = 0;
    sampling work = {.step = step,
                     .tile = tile,
                     .turns_limited = THRONG_USES(agents, max_turn_rate),
                     .walls_move = walls_move && tile->wall_slots > 0};
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const uint32_t row = tile->row[lane];
        work.best[lane] = INFINITY;
        work.in.whole |= (uint32_t)(agents->model[row] == THRONG_MODEL_VO) << lane;
        weight[lane] = agents->aggressiveness[row];
        horizon[lane] = world->sampling.horizon;
    }
    const throng_pairs_input pairs = throng_tile_pairs(tile, horizon, step->dt);
    work.in.pairs = &pairs;
    work.in.walls = &walls;
    work.in.vx = work.some.vx;
    work.in.vy = work.some.vy;
    work.in.preferred_vx = tile->preferred_x;
    work.in.preferred_vy = tile->preferred_y;
    work.in.weight = weight;
    find_admissible(&work);
    offer_own(&work);
    float x = 0.0f, y = 0.0f;
    uint64_t point = 0;
    for (uint32_t number = 0; number < world->sampling.count; ++number) {
        if (number % 2 == 0) even_point(&point, &x, &y);
        offer_sample(&work, number % 2 == 0 ? x : -x, number % 2 == 0 ? y : -y);
    }
    judge(&work);
    for (int lane = 0; lane < tile->count; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        tile->solved_x[lane] = work.best_x[lane];
        tile->solved_y[lane] = work.best_y[lane];
        tile->violation[lane] = 0.0f;
    }
}
