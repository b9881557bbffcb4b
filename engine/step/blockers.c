// Reads:  who is in whose way, for how long; places before the step.
// Writes: who steps aside in the next step; the places after the step of those who change them, and their events.
// Order:  each ring from its member of the least creation number; in it the least of (turn, creation number) stays.
// Cost:   O(those barred for long), serially.
#include "step/blockers.h"

#include "base/scalar.h"
#include "state/extras.h"
#include "state/frame.h"
#include "state/height.h"
#include "state/wall_place.h"
#include "step/priority.h"

/// Barred for so long, s, agents look whether they bar each other.
static const float patience = 4.0f;
/// Two who may change places do so once both have waited for this part of their stuck_time.
static const float swap_part = 0.6f;
/// Larger rings are not looked for: they are crowds.
enum { LARGEST_RING = 16 };

bool throng_step_is_barred(const throng_agents *agents, uint32_t row, uint32_t blocker) {
    return blocker != row && agents->waited[row] > patience;
}

static bool is_barred(const throng_step *step, uint32_t row) {
    return throng_step_is_barred(&step->world->agents, row, step->memory->blocker[row]);
}

/// The ring that a row is in and begins, by its creation number; 0: none.
static int ring_from(const throng_step *step, uint32_t row, uint32_t ring[LARGEST_RING]) {
    const throng_agents *agents = &step->world->agents;
    int count = 0;
    uint32_t at = row;
    do {
        if (count == LARGEST_RING || !is_barred(step, at) || agents->creation[at] < agents->creation[row]) return 0;
        ring[count++] = at;
        at = step->memory->blocker[at];
    } while (at != row);
    return count;
}

// ---- changing places

static bool may_swap(const throng_agents *agents, uint32_t row) {
    const uint16_t never = THRONG_FLAG_HOST_MOVED | THRONG_FLAG_OUTSIDE;
    return THRONG_USES(agents, swap) && agents->swap[row] && !(agents->flags[row] & never) &&
           agents->waited[row] > swap_part * agents->stuck_time[row];
}

static bool is_free_way(const throng_world *world, uint32_t row, uint32_t to) {
    const throng_agents *agents = &world->agents;
    const double from[2] = {agents->x[row], agents->y[row]}, end[2] = {agents->x[to], agents->y[to]};
    const throng_wall_set *walls = throng_walls_of(world, row);
    const throng_wall_filter filter = throng_row_wall_filter(agents, row);
    return throng_wall_place_is_free(walls, filter, end[0], end[1], agents->radius[row]) &&
           throng_wall_place_sees(walls, filter, from, end, 0.0);
}

static bool swap(const throng_step *step, uint32_t a, uint32_t b) {
    throng_world *world = step->world;
    throng_agents *agents = &world->agents;
    if (!may_swap(agents, a) || !may_swap(agents, b) || agents->support[a] != agents->support[b]) return false;
    if (!is_free_way(world, a, b) || !is_free_way(world, b, a)) return false;
    agents->next_x[a] = agents->x[b];
    agents->next_y[a] = agents->y[b];
    agents->next_x[b] = agents->x[a];
    agents->next_y[b] = agents->y[a];
    step->memory->event_bits[a] |= 1 << THRONG_EVENT_SWAPPED;
    step->memory->event_bits[b] |= 1 << THRONG_EVENT_SWAPPED;
    return true;
}

// ---- stepping aside

static void send_aside(const throng_step *step, const uint32_t *ring, int count) {
    throng_agents *agents = &step->world->agents;
    uint32_t last = UINT32_MAX;
    double turn = -1.0;
    for (int i = 0; i < count; ++i) {
        const uint32_t row = ring[i];
        if (!(agents->yield[row] > 0.0f)) continue;
        const double own = throng_turn_of(step->world, row);
        if (own < turn || (own == turn && agents->creation[row] < agents->creation[last])) continue;
        turn = own;
        last = row;
    }
    if (last != UINT32_MAX) agents->flags[last] |= THRONG_FLAG_ASIDE;
}

typedef void visitor(const throng_step *step, uint32_t row);

static void visit_barred(const throng_step *step, visitor *see) {
    const throng_world *world = step->world;
    for (uint32_t item = 0; item < throng_step_tasks(step); ++item) {
        if (step->memory->tallies[item].barred == 0) continue;
        const uint32_t first = item * THRONG_TASK_ROWS;
        const uint32_t end = throng_step_task_end(step, first);
        for (uint32_t position = first; position < end; ++position) see(step, world->index.order[position]);
    }
}

static void forget(const throng_step *step, uint32_t row) {
    step->world->agents.flags[row] &= (uint16_t)~THRONG_FLAG_ASIDE;
}

static void untie(const throng_step *step, uint32_t row) {
    uint32_t ring[LARGEST_RING];
    const int count = is_barred(step, row) ? ring_from(step, row, ring) : 0;
    if (count == 0 || (count == 2 && swap(step, ring[0], ring[1]))) return;
    send_aside(step, ring, count);
}

void throng_step_untie(const throng_step *step) {
    visit_barred(step, forget);
    visit_barred(step, untie);
}
