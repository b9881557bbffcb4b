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

/// The part of its wish that the row did not get, now.
static float lost_part(const throng_agents *agents, uint32_t row, double dx, double dy) {
    const float wish_x = agents->preferred_x[row], wish_y = agents->preferred_y[row];
    const float wish = sqrtf(wish_x * wish_x + wish_y * wish_y), distance = (float)sqrt(dx * dx + dy * dy);
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

static void arrive(const throng_step *step, uint32_t row, double dx, double dy) {
    throng_agents *agents = &step->world->agents;
    if (agents->flags[row] & THRONG_FLAG_ARRIVED) return;
    if (throng_within_goal(agents, row, dx, dy)) step->memory->event_bits[row] |= 1 << THRONG_EVENT_ARRIVED;
    if (step->memory->event_bits[row] & 1 << THRONG_EVENT_ARRIVED) agents->flags[row] |= THRONG_FLAG_ARRIVED;
}

static void wait_on(const throng_step *step, uint32_t row, double dx, double dy) {
    throng_agents *agents = &step->world->agents;
    const float distance = (float)sqrt(dx * dx + dy * dy);
    const bool standing = agents->preferred_x[row] == 0.0f && agents->preferred_y[row] == 0.0f;
    if (agents->flags[row] & (THRONG_FLAG_ARRIVED | THRONG_FLAG_OUTSIDE) || standing) {
        agents->waited[row] = 0.0f;
    } else if (distance < agents->nearest[row] - agents->radius[row] || !(agents->nearest[row] < INFINITY)) {
        agents->nearest[row] = distance;
        agents->waited[row] = 0.0f;
    } else {
        agents->waited[row] += step->dt;
    }
    if (agents->waited[row] < agents->stuck_time[row]) {
        agents->flags[row] &= (uint16_t)~THRONG_FLAG_STUCK;
    } else if (!(agents->flags[row] & THRONG_FLAG_STUCK)) {
        agents->flags[row] |= THRONG_FLAG_STUCK;
        step->memory->event_bits[row] |= 1 << THRONG_EVENT_STUCK;
    }
}

void throng_step_progress(const throng_step *step, uint32_t row) {
    throng_agents *agents = &step->world->agents;
    if (throng_has_place_target(agents, row)) {
        double dx, dy;
        throng_to_target(step->world, row, agents->next_x[row], agents->next_y[row], &dx, &dy);
        arrive(step, row, dx, dy);
        settle(step, row);
        if (!(agents->flags[row] & THRONG_FLAG_SETTLED)) wait_on(step, row, dx, dy);
        const float part = throng_minf(1.0f, step->dt / memory_time);
        agents->blocked[row] += part * (lost_part(agents, row, dx, dy) - agents->blocked[row]);
    }
    agents->claim[row] = claim_of(agents, row);
}
