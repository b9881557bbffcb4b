// Reads:  everything that the stages wrote.
// Writes: the front buffers (by swapping), arrival, events, counters, the clock; rows in tree order when they strayed.
// Order:  events by (creation number, kind).
// Cost:   O(n), in parallel; moving all rows now and then.
#include "step/step.h"

#include "base/sort.h"
#include "state/wall_piece.h"
#include "state/wall_place.h"
#include "step/progress.h"
#include "step/stuck.h"

/// Rows this far apart are in different parts of memory.
static const uint32_t far_away = 256;
/// Rows are put into tree order when more than one in so many is far from the one before it in the tree.
static const uint32_t stray_part = 4;
/// Overlaps deeper than this, m, are events.
static const float contact_depth = 1e-3f;

static void tell_way_out(const throng_step *step, uint32_t row) {
    throng_agents *agents = &step->world->agents;
    if (agents->flags[row] & THRONG_FLAG_OUTSIDE &&
        throng_wall_place_is_free(throng_walls_of(step->world, row), throng_row_wall_filter(agents, row),
                                  agents->next_x[row], agents->next_y[row], agents->radius[row])) {
        agents->flags[row] &= (uint16_t)~THRONG_FLAG_OUTSIDE;
    }
}

static float wall_overlap(const throng_step *step, const throng_tile *tile, uint32_t row) {
    const throng_agents *agents = &step->world->agents;
    const throng_wall_set *walls = throng_walls_of(step->world, row);
    const double x = agents->next_x[row], y = agents->next_y[row], radius = agents->radius[row];
    const throng_wall_box box = throng_wall_box_around(x, y, radius);
    const uint32_t count =
        throng_wall_set_query(walls, &box, throng_row_wall_filter(agents, row), tile->own_walls, walls->piece_count);
    double nearest = radius;
    for (uint32_t i = 0; i < count; ++i) {
        nearest = throng_mind(nearest, throng_wall_piece_foot(walls, tile->own_walls[i], x, y).distance);
    }
    return (float)(radius - nearest);
}

/// Walls that move may leave somebody no room.
static void note_crush(const throng_step *step, throng_tile *tile, throng_tally *tally, uint32_t row) {
    const float overlap = throng_step_overlap_in_frames(step, tile, row);
    tally->wall_overlap = throng_maxf(tally->wall_overlap, overlap);
    if (overlap <= contact_depth) return;
    step->memory->event_bits[row] |= 1 << THRONG_EVENT_CRUSHED;
    step->memory->displaced[row] = overlap;
}

// Of all rows little is asked, in loops that compilers make vectors of.

/// Who strays is far from the one before it, and the next one from it.
static uint32_t strayed_rows(const throng_step *step, uint32_t first, uint32_t count) {
    const uint32_t *order = step->world->index.order + first;
    uint32_t strayed = 0;
    for (uint32_t lane = 1; lane < count; ++lane) {
        strayed += order[lane] - order[lane - 1] + far_away > 2 * far_away; // modulo 2^32
    }
    return strayed;
}

static bool claims_vary(const throng_agents *agents, uint32_t first, uint32_t count) {
    const float *claim = agents->claim + first, *yield = agents->yield + first;
    uint32_t vary = 0;
    for (uint32_t lane = 0; lane < count; ++lane) vary |= claim[lane] != yield[lane];
    return vary != 0;
}

/// Whether there is anything to tell of the rows.
static bool is_eventful(const throng_step *step, uint32_t first, uint32_t count) {
    const uint16_t *flags = step->world->agents.flags + first, *event_bits = step->memory->event_bits + first;
    const float *overlap = step->memory->overlap + first;
    const uint32_t asked = step->world->event_mask | THRONG_EVENT_BIT_NEAR_WALL;
    uint32_t any = 0;
    for (uint32_t lane = 0; lane < count; ++lane) {
        any |= (flags[lane] & THRONG_FLAG_OUTSIDE) | (event_bits[lane] & asked) | (overlap[lane] > 0.0f);
    }
    return any != 0;
}

static void publish_row(const throng_step *step, throng_tile *tile, throng_tally *tally, uint32_t row,
                        bool among_moving_walls) {
    const throng_world *world = step->world;
    throng_step_memory *memory = step->memory;
    tell_way_out(step, row);
    tally->overlap = throng_maxf(tally->overlap, memory->overlap[row]);
    if (memory->overlap[row] > contact_depth) memory->event_bits[row] |= 1 << THRONG_EVENT_CONTACT;
    if (among_moving_walls) note_crush(step, tile, tally, row);
    if (memory->event_bits[row] & THRONG_EVENT_BIT_NEAR_WALL && !(world->agents.flags[row] & THRONG_FLAG_OUTSIDE)) {
        tally->wall_overlap = throng_maxf(tally->wall_overlap, wall_overlap(step, tile, row));
    }
    for (uint32_t bits = memory->event_bits[row] & world->event_mask; bits; bits &= bits - 1) tally->events++;
}

static void publish_task(void *context, uint32_t item, uint32_t worker) {
    const throng_step *step = context;
    throng_world *world = step->world;
    throng_step_memory *memory = step->memory;
    throng_tile *tile = throng_step_tile(memory, worker);
    throng_tally *tally = &memory->tallies[item];
    const bool among_moving_walls = throng_has_supports(world) && throng_has_walls(world);
    const uint32_t first = item * THRONG_TASK_ROWS;
    const uint32_t end = throng_step_task_end(step, first);
    for (uint32_t row = first; row < end; row += THRONG_LANES) {
        throng_step_progress(step, row, throng_min_u32(THRONG_LANES, end - row));
    }
    for (uint32_t row = first; row < end; row += THRONG_LANES) {
        const uint32_t count = throng_min_u32(THRONG_LANES, end - row);
        tally->disorder += strayed_rows(step, row, count);
        tally->claims_vary = tally->claims_vary || claims_vary(&world->agents, row, count);
        if (!among_moving_walls && !is_eventful(step, row, count)) continue;
        for (uint32_t lane = 0; lane < count; ++lane) publish_row(step, tile, tally, row + lane, among_moving_walls);
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
    case THRONG_EVENT_CRUSHED:
        event.value = memory->displaced[row];
        break;
    case THRONG_EVENT_INFEASIBLE:
        event.value = memory->violation[row];
        break;
    case THRONG_EVENT_CONTACT:
        event.value = memory->overlap[row];
        event.other = agents->id[memory->overlap_with[row]];
        break;
    case THRONG_EVENT_SWAPPED: {
        const uint32_t other = memory->blocker[row];
        const double dx = agents->x[other] - agents->x[row], dy = agents->y[other] - agents->y[row];
        event.value = (float)sqrt(dx * dx + dy * dy);
        event.other = agents->id[other];
        break;
    }
    case THRONG_EVENT_STUCK:
        throng_stuck_event(step, row, &event);
        break;
    default:
        break;
    }
    return event;
}

static void collect_events(const throng_step *step) {
    throng_world *world = step->world;
    const throng_step_memory *memory = step->memory;
    uint32_t rows = 0;
    for (uint32_t item = 0; item < throng_step_tasks(step); ++item) {
        if (memory->tallies[item].events == 0) continue;
        const uint32_t first = item * THRONG_TASK_ROWS;
        const uint32_t end = throng_step_task_end(step, first);
        for (uint32_t row = first; row < end; ++row) {
            if (!(memory->event_bits[row] & world->event_mask)) continue;
            memory->event_rows[rows++] = (throng_sort_item){world->agents.creation[row], row};
        }
    }
    throng_sort(memory->event_rows, memory->event_spare, rows);
    throng_event_list *events = &world->events;
    events->count = 0;
    for (uint32_t i = 0; i < rows; ++i) {
        const uint32_t row = memory->event_rows[i].value, bits = memory->event_bits[row] & world->event_mask;
        for (int kind = 0; kind < THRONG_EVENT_KIND_COUNT; ++kind) {
            if (!(bits >> kind & 1)) continue;
            assert(events->count < events->capacity);
            events->items[events->count++] = event_of(step, row, kind);
        }
    }
}

static void add_up(const throng_step *step, throng_tally *sum) {
    *sum = (throng_tally){0};
    for (uint32_t item = 0; item < throng_step_tasks(step); ++item) {
        const throng_tally *tally = &step->memory->tallies[item];
        sum->infeasible += tally->infeasible;
        sum->contacts_truncated += tally->contacts_truncated;
        sum->walls_truncated += tally->walls_truncated;
        sum->overlap = throng_maxf(sum->overlap, tally->overlap);
        sum->wall_overlap = throng_maxf(sum->wall_overlap, tally->wall_overlap);
        sum->claims_vary = sum->claims_vary || tally->claims_vary;
        sum->disorder += tally->disorder;
    }
}

static void count(throng_world *world, const throng_tally *sum) {
    throng_counters *counters = &world->counters;
    counters->infeasible = sum->infeasible;
    counters->contacts_truncated = sum->contacts_truncated;
    counters->walls_truncated = sum->walls_truncated;
    counters->infeasible_total += sum->infeasible;
    counters->truncated_total += sum->contacts_truncated + sum->walls_truncated;
    counters->overlap = sum->overlap;
    counters->wall_overlap = sum->wall_overlap;
    counters->overlap_max = throng_maxf(counters->overlap_max, sum->overlap);
    counters->wall_overlap_max = throng_maxf(counters->wall_overlap_max, sum->wall_overlap);
}

static void swap_buffers(throng_agents *agents) {
#define SWAP(type, a, b)                                                                                               \
    {                                                                                                                  \
        type *const kept = agents->a;                                                                                  \
        agents->a = agents->b;                                                                                         \
        agents->b = kept;                                                                                              \
    }
    SWAP(double, x, next_x)
    SWAP(double, y, next_y)
    SWAP(float, velocity_x, next_velocity_x)
    SWAP(float, velocity_y, next_velocity_y)
#undef SWAP
}

/// Those that are parked stand in both buffers.
static void keep_parked_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    throng_agents *agents = context;
    const uint32_t first = agents->active + item * THRONG_TASK_ROWS;
    const uint32_t end = throng_min_u32(agents->count, first + THRONG_TASK_ROWS);
    for (uint32_t row = first; row < end; ++row) {
        agents->next_x[row] = agents->x[row];
        agents->next_y[row] = agents->y[row];
        agents->next_velocity_x[row] = agents->velocity_x[row];
        agents->next_velocity_y[row] = agents->velocity_y[row];
    }
}

static void advance(throng_clock *clock, double time_step) {
    if (clock->time_step != time_step) {
        clock->start = throng_clock_time(clock);
        clock->since = clock->step;
        clock->time_step = time_step;
    }
    clock->step++;
}

void throng_step_publish(throng_step *step) {
    throng_world *world = step->world;
    throng_parallel_for(&world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, publish_task, step);
    throng_tally sum;
    add_up(step, &sum);
    count(world, &sum);
    world->claims_vary = sum.claims_vary;
    collect_events(step);
    const uint32_t parked = world->agents.count - world->agents.active;
    throng_parallel_for(&world->parallel, (parked + THRONG_TASK_ROWS - 1) / THRONG_TASK_ROWS, THRONG_SERIAL_TASKS,
                        keep_parked_task, &world->agents);
    swap_buffers(&world->agents);
    advance(&world->clock, step->time_step);
    if (sum.disorder > world->agents.active / stray_part) throng_step_sort_rows(step);
}
