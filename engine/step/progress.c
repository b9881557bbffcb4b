#include "step/progress.h"

#include "base/scalar.h"
#include "step/target.h"

/// `blocked` follows what happens within this time, s.
static const float memory_time = 1.0f;
/// Who settled leaves again after its way was free for so long, s; doubled each time.
static const float settle_time = 0.5f;
enum { SETTLE_DOUBLINGS = 6 };

// Claims. Who has arrived gives way more readily; who waits does so less, so that nobody starves.
static const float arrived_claim = 3.0f;
static const float patience = 2.0f;     // s without progress before the claim grows
static const float aging = 0.3f;        // 1/s
static const float least_claim = 0.25f; // part of the yield

static float claim_of(const throng_agents *agents, uint32_t row) {
    if (agents->flags[row] & THRONG_FLAG_ARRIVED) return arrived_claim * agents->yield[row];
    const float over = agents->waited[row] - patience;
    if (over <= 0.0f) return agents->yield[row];
    const float claim = throng_maxf(least_claim, 1.0f / (1.0f + aging * over)) * agents->yield[row];
    return claim > 0.0f ? claim : agents->yield[row]; // the smallest yields would round to none
}

/// The part of its wish that the row did not get, now; (dx, dy), m, leads to its target, `distance` away.
static float lost_part(const throng_agents *agents, uint32_t row, double dx, double dy, float distance) {
    const float wish_x = agents->preferred_x[row], wish_y = agents->preferred_y[row];
    const float wish = sqrtf(wish_x * wish_x + wish_y * wish_y);
    if (!(wish > 0.0f) || !(distance > 0.0f)) return 0.0f;
    const float along = agents->next_velocity_x[row] * (float)dx + agents->next_velocity_y[row] * (float)dy;
    return throng_minf(1.0f, throng_maxf(0.0f, 1.0f - along / (wish * distance)));
}

static void settle(const throng_step *step, uint32_t row) {
    throng_agents *agents = &step->world->agents;
    const bool held = step->memory->event_bits[row] & THRONG_EVENT_BIT_HELD;
    if (!(agents->flags[row] & THRONG_FLAG_SETTLED)) {
        if (!held) return;
        agents->flags[row] |= THRONG_FLAG_SETTLED;
        agents->waited[row] = 0.0f;
        if (agents->settlings[row] < SETTLE_DOUBLINGS) agents->settlings[row]++;
        if (!(agents->flags[row] & THRONG_FLAG_ARRIVED)) step->memory->event_bits[row] |= 1 << THRONG_EVENT_ARRIVED;
        agents->flags[row] |= THRONG_FLAG_ARRIVED;
        return;
    }
    agents->waited[row] = held ? 0.0f : agents->waited[row] + step->dt;
    if (agents->waited[row] < settle_time * (float)(1 << throng_min_u32(agents->settlings[row], SETTLE_DOUBLINGS)))
        return;
    agents->flags[row] &= (uint16_t)~THRONG_FLAG_SETTLED;
    agents->waited[row] = 0.0f;
}

static void arrive(const throng_step *step, uint32_t row, bool within_goal) {
    throng_agents *agents = &step->world->agents;
    if (agents->flags[row] & THRONG_FLAG_ARRIVED) return;
    if (within_goal) step->memory->event_bits[row] |= 1 << THRONG_EVENT_ARRIVED;
    if (step->memory->event_bits[row] & 1 << THRONG_EVENT_ARRIVED) agents->flags[row] |= THRONG_FLAG_ARRIVED;
}

static void wait_on(const throng_step *step, uint32_t row, float distance) {
    throng_agents *agents = &step->world->agents;
    const bool standing = agents->preferred_x[row] == 0.0f && agents->preferred_y[row] == 0.0f;
    if (agents->flags[row] & (THRONG_FLAG_ARRIVED | THRONG_FLAG_OUTSIDE) || standing) {
        agents->waited[row] = 0.0f;
    } else if (distance < agents->nearest[row] - agents->radius[row] || !(agents->nearest[row] < INFINITY)) {
        agents->nearest[row] = distance;
        agents->waited[row] = 0.0f;
    } else {
        agents->waited[row] += step->dt;
    }
    if (agents->flags[row] & THRONG_FLAG_ARRIVED || agents->waited[row] < agents->stuck_time[row]) {
        agents->flags[row] &= (uint16_t)~THRONG_FLAG_STUCK;
    } else if (!(agents->flags[row] & THRONG_FLAG_STUCK)) {
        agents->flags[row] |= THRONG_FLAG_STUCK;
        step->memory->event_bits[row] |= 1 << THRONG_EVENT_STUCK;
    }
}

/// All but `blocked` of a row whose target is a place, `distance` away.
static void come_nearer(const throng_step *step, uint32_t row, bool within_goal, float distance) {
    arrive(step, row, within_goal);
    settle(step, row);
    if (!(step->world->agents.flags[row] & THRONG_FLAG_SETTLED)) wait_on(step, row, distance);
}

/// The part of the past that a step replaces.
static float new_part(const throng_step *step) {
    return throng_minf(1.0f, step->dt / memory_time);
}

static void progress_of(const throng_step *step, uint32_t row) {
    throng_agents *agents = &step->world->agents;
    if (throng_has_place_target(agents, row)) {
        double dx, dy;
        throng_to_target(step->world, row, agents->next_x[row], agents->next_y[row], &dx, &dy);
        const float distance = (float)sqrt(dx * dx + dy * dy);
        come_nearer(step, row, throng_within_goal(agents, row, dx, dy), distance);
        agents->blocked[row] += new_part(step) * (lost_part(agents, row, dx, dy, distance) - agents->blocked[row]);
    }
    agents->claim[row] = claim_of(agents, row);
}

/// Rows whose targets are points as the columns say, in lanes.
static void progress_in_lanes(const throng_step *step, uint32_t first, uint32_t points, uint32_t walking) {
    throng_agents *agents = &step->world->agents;
    _Alignas(THRONG_CACHE_LINE) float distance[THRONG_LANES];
    const throng_progress_rows rows = {.x = agents->next_x + first,
                                       .y = agents->next_y + first,
                                       .target_x = agents->target_x + first,
                                       .target_y = agents->target_y + first,
                                       .velocity_x = agents->next_velocity_x + first,
                                       .velocity_y = agents->next_velocity_y + first,
                                       .wish_x = agents->preferred_x + first,
                                       .wish_y = agents->preferred_y + first,
                                       .goal_radius = agents->goal_radius + first,
                                       .radius = agents->radius + first,
                                       .stuck_time = agents->stuck_time + first,
                                       .yield = agents->yield + first,
                                       .rows = points,
                                       .walking = points & walking,
                                       .part = new_part(step),
                                       .time_step = step->dt,
                                       .patience = patience,
                                       .aging = aging,
                                       .least_claim = least_claim,
                                       .blocked = agents->blocked + first,
                                       .nearest = agents->nearest + first,
                                       .waited = agents->waited + first,
                                       .claim = agents->claim + first};
    throng_progress_made made = {.distance = distance};
    step->world->kernels->progress(&rows, &made);
    for (uint32_t left = made.left; left; left &= left - 1) {
        const uint32_t lane = throng_lowest_bit(left), row = first + lane;
        come_nearer(step, row, made.within >> lane & 1, distance[lane]);
        agents->claim[row] = claim_of(agents, row);
    }
}

/// Of THRONG_LANES rows, those whose targets are points, and those that walk as most do.
static uint32_t points_of(const throng_step *step, uint32_t first, uint32_t *walking) {
    const throng_agents *agents = &step->world->agents;
    const uint8_t *kind = agents->target_kind + first;
    const uint16_t *flags = agents->flags + first, *bits = step->memory->event_bits + first;
    const uint16_t other = THRONG_FLAG_ARRIVED | THRONG_FLAG_OUTSIDE | THRONG_FLAG_SETTLED | THRONG_FLAG_STUCK;
    const uint16_t noted = 1 << THRONG_EVENT_ARRIVED | THRONG_EVENT_BIT_HELD;
    uint32_t differs = 0, rests = 0;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        differs |= kind[lane] ^ (uint32_t)THRONG_TARGET_POINT;
        rests |= (uint32_t)(flags[lane] & other) | (uint32_t)(bits[lane] & noted);
    }
    uint32_t points = (1u << THRONG_LANES) - 1;
    *walking = points;
    for (int lane = 0; differs | rests && lane < THRONG_LANES; ++lane) {
        if (kind[lane] != THRONG_TARGET_POINT) points &= ~(1u << lane);
        if (flags[lane] & other || bits[lane] & noted) *walking &= ~(1u << lane);
    }
    return points;
}

void throng_step_progress(const throng_step *step, uint32_t first, uint32_t count) {
    const throng_world *world = step->world;
    uint32_t points = 0;
    if (count == THRONG_LANES && !world->inputs.target && !throng_has_supports(world)) {
        uint32_t walking;
        points = points_of(step, first, &walking);
        if (points) progress_in_lanes(step, first, points, walking);
    }
    for (uint32_t lane = 0; lane < count; ++lane) {
        if (!(points >> lane & 1)) progress_of(step, first + lane);
    }
}
