#include "step/sampled.h"

#include "base/hash.h"
#include "state/extras.h"
#include "step/turn.h"

#include <math.h>

/// The admissible velocities of an agent lie in two discs, of speed and of reach; samples are drawn from the smaller.
typedef struct admissible {
    float x, y, radius;         ///< m/s, the disc to sample
    float other_x, other_y;     ///< m/s, the other disc
    float other_square;         ///< (m/s)², of its radius
    float wish_x, wish_y;       ///< m/s, the preferred velocity, no faster than allowed
    float current_x, current_y; ///< m/s, the velocity that it has, no faster than allowed
    float reach_square;
} admissible;

static float square_of(float x, float y) {
    return x * x + y * y;
}

static void limit(float *x, float *y, float speed) {
    const float square = square_of(*x, *y);
    if (!(square > speed * speed)) return;
    const float scale = speed / sqrtf(square);
    *x *= scale;
    *y *= scale;
}

static admissible admissible_of(const throng_tile *tile, int lane) {
    const float speed = tile->max_speed[lane], reach = tile->reach_radius[lane];
    const float vx = tile->velocity_x[lane], vy = tile->velocity_y[lane];
    admissible own = {.wish_x = tile->preferred_x[lane],
                      .wish_y = tile->preferred_y[lane],
                      .current_x = vx,
                      .current_y = vy,
                      .reach_square = reach * reach};
    limit(&own.wish_x, &own.wish_y, speed);
    limit(&own.current_x, &own.current_y, speed);
    if (reach < speed) {
        own.x = vx;
        own.y = vy;
        own.radius = reach;
        own.other_square = speed * speed;
    } else {
        own.radius = speed;
        own.other_x = vx;
        own.other_y = vy;
        own.other_square = own.reach_square;
    }
    return own;
}

// ---- samples of the unit disc

/// A point of the square [-1, 1)² from the halves of a word.
static void square_point(uint64_t word, float *x, float *y) {
    *x = (float)((int32_t)(word >> 40) - (1 << 23)) * 0x1p-23f;
    *y = (float)((int32_t)(word >> 8 & 0xffffff) - (1 << 23)) * 0x1p-23f;
}

/// Draws again, for good, where a point lies beyond the disc.
static void random_point(uint64_t word, float *x, float *y) {
    do {
        word += UINT64_C(0x9e3779b97f4a7c15); // counts, so that no word comes twice
        square_point(throng_mix(word), x, y);
    } while (square_of(*x, *y) > 1.0f);
}

/// Roberts' additive sequence: multiples of 1/p and 1/p², p the plastic number, as parts of 2^32. Every beginning of it
/// covers the square evenly. Every point is followed by its opposite, so that two who meet head on see the same choice.
static const uint64_t even_x = 3242174889, even_y = 2447445414;

static void even_point(uint64_t *at, float *x, float *y) {
    do {
        const uint64_t index = ++*at;
        square_point((index * even_x & 0xffffffff) << 32 | (index * even_y & 0xffffffff), x, y);
    } while (square_of(*x, *y) > 1.0f);
}

// ---- the search

typedef struct candidates {
    _Alignas(THRONG_CACHE_LINE) float vx[THRONG_CANDIDATES * THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float vy[THRONG_CANDIDATES * THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float penalty[THRONG_CANDIDATES * THRONG_LANES];
    uint32_t allowed[THRONG_CANDIDATES]; ///< a bit per lane
    int count;
} candidates;

typedef struct sampling {
    const throng_step *step;
    throng_sampled_input in;
    admissible own[THRONG_LANES];
    uint64_t draw[THRONG_LANES]; ///< what an agent's random samples are hashed from
    uint64_t even;               ///< how far the even pattern has come
    float even_x, even_y;        ///< its last point
    bool turns_limited;
    bool walls_move; ///< with supports: walls are half-planes here, as for everybody else
    float best[THRONG_LANES];
    candidates some;
} sampling;

static bool walls_allow(const throng_tile *tile, int lane, float vx, float vy) {
    bool allowed = true;
    for (int slot = 0; slot < tile->wall_count[lane] && allowed; ++slot) {
        const int at = slot * THRONG_LANES + lane;
        allowed = tile->planes.nx[at] * vx + tile->planes.ny[at] * vy >= tile->planes.c[at];
    }
    return allowed;
}

static void offer(sampling *work, const throng_tile *tile, int lane, float vx, float vy, bool allowed) {
    const int slot = work->some.count;
    if (work->turns_limited && allowed) allowed = throng_turn_allows(work->step, tile, lane, vx, vy);
    if (work->walls_move && allowed) allowed = walls_allow(tile, lane, vx, vy);
    work->some.vx[slot * THRONG_LANES + lane] = vx;
    work->some.vy[slot * THRONG_LANES + lane] = vy;
    work->some.allowed[slot] |= (uint32_t)allowed << lane;
}

static void judge(sampling *work, throng_tile *tile) {
    candidates *some = &work->some;
    work->in.candidate_count = some->count;
    work->step->world->kernels->penalties(&work->in, some->penalty);
    for (int slot = 0; slot < some->count; ++slot) {
        for (int lane = 0; lane < tile->count; ++lane) {
            const int at = slot * THRONG_LANES + lane;
            if (!(some->allowed[slot] >> lane & 1) || !(some->penalty[at] < work->best[lane])) continue;
            work->best[lane] = some->penalty[at];
            tile->solved_x[lane] = some->vx[at];
            tile->solved_y[lane] = some->vy[at];
        }
    }
    some->count = 0;
}

static void begin_candidate(sampling *work, throng_tile *tile) {
    if (work->some.count == THRONG_CANDIDATES) judge(work, tile);
    work->some.allowed[work->some.count] = 0;
}

/// The preferred and the present velocity come before the samples.
static void offer_own(sampling *work, throng_tile *tile, uint32_t lanes) {
    begin_candidate(work, tile);
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const admissible *own = &work->own[lane];
        const float dx = own->wish_x - tile->velocity_x[lane], dy = own->wish_y - tile->velocity_y[lane];
        const bool reached = square_of(dx, dy) <= own->reach_square;
        offer(work, tile, lane, own->wish_x, own->wish_y, reached && lanes >> lane & 1);
    }
    work->some.count++;
    begin_candidate(work, tile);
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        offer(work, tile, lane, work->own[lane].current_x, work->own[lane].current_y, lanes >> lane & 1);
    }
    work->some.count++;
}

static void offer_sample(sampling *work, throng_tile *tile, uint32_t lanes, uint32_t number) {
    const bool even = work->step->world->sampling.pattern == THRONG_SAMPLES_EVEN;
    float x = 0.0f, y = 0.0f;
    if (even && number % 2 == 0) even_point(&work->even, &work->even_x, &work->even_y);
    if (even) {
        x = number % 2 == 0 ? work->even_x : -work->even_x;
        y = number % 2 == 0 ? work->even_y : -work->even_y;
    }
    begin_candidate(work, tile);
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const admissible *own = &work->own[lane];
        if (!even) random_point(work->draw[lane] + number, &x, &y);
        const float vx = own->x + own->radius * x, vy = own->y + own->radius * y;
        const bool both = square_of(vx - own->other_x, vy - own->other_y) <= own->other_square;
        offer(work, tile, lane, vx, vy, both && lanes >> lane & 1);
    }
    work->some.count++;
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
    const throng_pairs_input pairs = {.slot_count = tile->neighbor_slots,
                                      .count = tile->neighbor_count,
                                      .px = tile->pair_x,
                                      .py = tile->pair_y,
                                      .vx = tile->pair_vx,
                                      .vy = tile->pair_vy,
                                      .radius = tile->pair_radius,
                                      .share = tile->pair_share,
                                      .self_vx = tile->velocity_x,
                                      .self_vy = tile->velocity_y,
                                      .horizon = horizon,
                                      .time_step = step->dt};
    const bool walls_move = throng_has_supports(world);
    const throng_walls_input walls = {.slot_count = walls_move ? 0 : tile->wall_slots,
                                      .count = tile->wall_count,
                                      .sx = tile->wall_sx,
                                      .sy = tile->wall_sy,
                                      .ux = tile->wall_ux,
                                      .uy = tile->wall_uy,
                                      .to_a = tile->wall_to_a,
                                      .to_b = tile->wall_to_b,
                                      .radius = tile->radius};
    sampling work = {.step = step,
                     .turns_limited = THRONG_USES(agents, max_turn_rate),
                     .walls_move = walls_move && tile->wall_slots > 0};
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const uint32_t row = tile->row[lane];
        work.own[lane] = admissible_of(tile, lane);
        work.draw[lane] = throng_random(world->seed, agents->creation[row], world->clock.step, THRONG_PURPOSE_SAMPLE);
        work.best[lane] = INFINITY;
        work.in.whole |= (uint32_t)(agents->model[row] == THRONG_MODEL_VO) << lane;
        weight[lane] = agents->aggressiveness[row];
        horizon[lane] = world->sampling.horizon;
        if (!(lanes >> lane & 1)) continue;
        // Where everything collides at once, and where the two discs have nothing in common.
        tile->solved_x[lane] = work.own[lane].current_x;
        tile->solved_y[lane] = work.own[lane].current_y;
        tile->violation[lane] = 0.0f;
    }
    work.in.pairs = &pairs;
    work.in.walls = &walls;
    work.in.vx = work.some.vx;
    work.in.vy = work.some.vy;
    work.in.preferred_vx = tile->preferred_x;
    work.in.preferred_vy = tile->preferred_y;
    work.in.weight = weight;
    offer_own(&work, tile, lanes);
    for (uint32_t number = 0; number < world->sampling.count; ++number) offer_sample(&work, tile, lanes, number);
    judge(&work, tile);
}
