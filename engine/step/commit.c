// Reads:  the tile, finished.
// Writes: by row: preferred, solved and next velocities, next places, violations, event bits, contact candidates; what
//         it adds to the tally.
// Order:  contact candidates by (gap, creation number).
// Cost:   O(1) an agent.
//
// The stages before write to their tile alone, so that who asks for an agent's why runs them beside the world.
#include "step/blockers.h"

#include "base/scalar.h"

#include <string.h>

static void leave_contacts(const throng_step *step, const throng_tile *tile, throng_tally *tally) {
    throng_step_memory *memory = step->memory;
    _Alignas(THRONG_CACHE_LINE) int32_t count[THRONG_LANES];
    float range;
    // Each task of tree positions has its part, so that tasks need not agree on where they write.
    const uint32_t task = tile->first / THRONG_TASK_ROWS;
    const uint32_t begin = task * (THRONG_TASK_ROWS * THRONG_MAX_CONTACTS) + tally->contacts_used;
    const throng_contacts_input in = {tile->contact_key, tile->contact_position, tile->lists.contact_range,
                                      tile->lists.self};
    const int found = step->world->kernels->keep_contacts(&in, count, &range, memory->contacts + begin);
    const int slots = found < THRONG_MAX_CONTACTS ? found : THRONG_MAX_CONTACTS;
    memory->contact_first[tile->first / THRONG_LANES] = begin;
    tally->contact_range = throng_maxf(tally->contact_range, range);
    tally->contacts_used += (uint32_t)slots * THRONG_LANES;
    memory->buried[tile->first / THRONG_LANES] = (uint16_t)tile->buried;
    tally->buries = tally->buries || tile->buried;
    // Lanes without an agent have none.
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        if (count[lane] > THRONG_MAX_CONTACTS) tally->contacts_truncated++;
        memory->contact_count[tile->first + (uint32_t)lane] = (uint8_t)count[lane];
    }
}

static void leave_motion(const throng_agents *agents, const throng_tile *tile) {
    for (int lane = 0; lane < tile->count; ++lane) {
        const uint32_t row = tile->row[lane];
        agents->preferred_x[row] = tile->preferred_x[lane];
        agents->preferred_y[row] = tile->preferred_y[lane];
        agents->solved_x[row] = tile->solved_x[lane];
        agents->solved_y[row] = tile->solved_y[lane];
        agents->next_x[row] = tile->next_x[lane];
        agents->next_y[row] = tile->next_y[lane];
        agents->next_velocity_x[row] = tile->next_velocity_x[lane];
        agents->next_velocity_y[row] = tile->next_velocity_y[lane];
    }
}

/// What few rows have; ingest cleared it for all of them.
static void leave_notes(const throng_step *step, const throng_tile *tile, throng_tally *tally) {
    const throng_agents *agents = &step->world->agents;
    throng_step_memory *memory = step->memory;
    for (int lane = 0; lane < tile->count; ++lane) {
        const uint32_t row = tile->row[lane];
        const bool blocked = tile->blocker[lane] != row;
        if (blocked) memory->blocker[row] = tile->blocker[lane];
        if (blocked && throng_step_is_barred(agents, row, tile->blocker[lane])) {
            tally->barred++;
        } else if (tile->flags[lane] & THRONG_FLAG_ASIDE) {
            tally->barred++;
        }
        if (tile->event_bits[lane]) memory->event_bits[row] |= tile->event_bits[lane];
    }
    for (uint32_t lanes = tile->outside; lanes; lanes &= lanes - 1) {
        const uint32_t lane = throng_lowest_bit(lanes);
        memory->displaced[tile->row[lane]] = tile->displaced[lane];
    }
    const bool asked = step->world->event_mask >> THRONG_EVENT_INFEASIBLE & 1;
    for (uint32_t lanes = tile->infeasible & ((1u << tile->count) - 1); lanes; lanes &= lanes - 1) {
        const uint32_t lane = throng_lowest_bit(lanes), row = tile->row[lane];
        tally->infeasible++;
        if (!asked) continue;
        memory->violation[row] = tile->violation[lane];
        memory->event_bits[row] |= 1 << THRONG_EVENT_INFEASIBLE;
    }
}

void throng_step_commit(const throng_step *step, const throng_tile *tile, throng_tally *tally) {
    tally->walls_truncated += tile->walls_cut;
    leave_contacts(step, tile, tally);
    leave_motion(&step->world->agents, tile);
    leave_notes(step, tile, tally);
}
