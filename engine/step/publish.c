// Reads:  everything that the stages wrote.
// Writes: the front buffers (by swapping), arrival, events, counters, the clock; rows in tree order when they strayed.
// Order:  events by (creation number, kind).
// Cost:   O(n), in parallel; moving all rows now and then.
#include "step/step.h"

#include "step/target.h"

#include <stdlib.h>

/// A row this far from its tree position has neighbors in other parts of memory.
static const uint32_t far_away = 256;
/// Rows are put into tree order when more than one in so many strayed.
static const uint32_t stray_part = 8;
/// Overlaps deeper than this, m, are events.
static const float contact_depth = 1e-3f;

static void tell_arrival(const throng_step *step, uint32_t row) {
    throng_agents *agents = &step->world->agents;
    if (agents->flags[row] & THRONG_FLAG_ARRIVED || !throng_has_place_target(agents, row)) return;
    double dx, dy;
    throng_to_target(step->world, row, agents->next_x[row], agents->next_y[row], &dx, &dy);
    if (throng_within_goal(agents, row, dx, dy)) step->memory->event_bits[row] |= 1 << THRONG_EVENT_ARRIVED;
    if (step->memory->event_bits[row] & 1 << THRONG_EVENT_ARRIVED) agents->flags[row] |= THRONG_FLAG_ARRIVED;
}

static float wall_overlap(const throng_step *step, const throng_tile *tile, uint32_t row) {
    const throng_agents *agents = &step->world->agents;
    const throng_wall_set *walls = step->world->walls;
    const double x = agents->next_x[row], y = agents->next_y[row], radius = agents->radius[row];
    const throng_wall_box box = throng_wall_box_around(x, y, radius);
    const uint32_t count = throng_wall_set_query(walls, &box, agents->mask[row], tile->own_walls, walls->piece_count);
    double nearest = radius;
    for (uint32_t i = 0; i < count; ++i) {
        nearest = throng_mind(nearest, throng_wall_piece_foot(walls, tile->own_walls[i], x, y).distance);
    }
    return (float)(radius - nearest);
}

static void publish_task(void *context, uint32_t item, uint32_t worker) {
    const throng_step *step = context;
    throng_world *world = step->world;
    throng_step_memory *memory = step->memory;
    const throng_tile *tile = throng_step_tile(memory, worker);
    throng_tally *tally = &memory->tallies[item];
    const uint32_t first = item * THRONG_TASK_ROWS;
    const uint32_t end = throng_min_u32(world->agents.active, first + THRONG_TASK_ROWS);
    for (uint32_t row = first; row < end; ++row) {
        tell_arrival(step, row);
        tally->overlap = throng_maxf(tally->overlap, memory->overlap[row]);
        if (memory->overlap[row] > contact_depth) memory->event_bits[row] |= 1 << THRONG_EVENT_CONTACT;
        if (memory->event_bits[row] & THRONG_EVENT_BIT_NEAR_WALL && !(world->agents.flags[row] & THRONG_FLAG_OUTSIDE)) {
            tally->wall_overlap = throng_maxf(tally->wall_overlap, wall_overlap(step, tile, row));
        }
        const uint32_t at = world->index.order[row];
        if ((at > row ? at - row : row - at) > far_away) tally->disorder++;
        for (uint32_t bits = memory->event_bits[row] & world->event_mask; bits; bits &= bits - 1) tally->events++;
    }
}

// ---- events

static throng_event event_of(const throng_step *step, uint32_t row, int kind) {
    const throng_agents *agents = &step->world->agents;
    const throng_step_memory *memory = step->memory;
    throng_event event = {.kind = (throng_event_kind)kind, .agent = agents->id[row]};
    switch (kind) {
    case THRONG_EVENT_ARRIVED:
        if (memory->event_bits[row] & THRONG_EVENT_BIT_AT_START) event.value = step->dt;
        break;
    case THRONG_EVENT_DISPLACED:
    case THRONG_EVENT_CRUSHED: event.value = memory->displaced[row]; break;
    case THRONG_EVENT_INFEASIBLE: event.value = memory->violation[row]; break;
    case THRONG_EVENT_CONTACT:
        event.value = memory->overlap[row];
        event.other = agents->id[memory->overlap_with[row]];
        break;
    default: break;
    }
    return event;
}

typedef struct keyed_event {
    throng_event event;
    uint64_t creation;
} keyed_event;

static int compare_events(const void *a, const void *b) {
    const throng_keyed_event *left = a, *right = b;
    if (left->creation != right->creation) return left->creation < right->creation ? -1 : 1;
    return (int)left->event.kind - (int)right->event.kind;
}

static void collect_events(const throng_step *step) {
    throng_world *world = step->world;
    throng_event_list *events = &world->events;
    events->count = 0;
    for (uint32_t item = 0; item < throng_step_tasks(step); ++item) {
        if (step->memory->tallies[item].events == 0) continue;
        const uint32_t first = item * THRONG_TASK_ROWS;
        const uint32_t end = throng_min_u32(world->agents.active, first + THRONG_TASK_ROWS);
        for (uint32_t row = first; row < end; ++row) {
            const uint32_t bits = step->memory->event_bits[row] & world->event_mask;
            for (int kind = 0; kind < THRONG_EVENT_KIND_COUNT; ++kind) {
                if (!(bits >> kind & 1)) continue;
                assert(events->count < events->capacity);
                events->items[events->count] = event_of(step, row, kind);
                events->keyed[events->count++] = (throng_keyed_event){world->agents.creation[row], 0};
            }
        }
    }
}
