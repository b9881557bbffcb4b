// Reads:  the tile, finished but for the way.
// Writes: by row: preferred and solved velocities, violations, event bits, contact candidates; what it adds to the
// tally. Order:  contact candidates by (gap, creation number). Cost:   O(1) an agent.
//
// The stages before write to their tile alone, so that who asks for an agent's why runs them beside the world.
#include "step/step.h"

static void leave_contacts(const throng_step *step, const throng_tile *tile, int lane, throng_tally *tally) {
    throng_step_memory *memory = step->memory;
    const uint32_t *order = step->world->index.order;
    const uint32_t row = tile->row[lane];
    const float range = tile->lists.contact_range[lane];
    // Each task of tree positions has its part, so that tasks need not agree on where they write.
    const uint32_t task = tile->first / THRONG_TASK_ROWS;
    const uint32_t begin = task * (THRONG_TASK_ROWS * THRONG_MAX_CONTACTS) + tally->contacts_used;
    uint32_t *contacts = memory->contacts + begin;
    int count = 0;
    while (count < THRONG_MAX_CONTACTS && tile->contact_key[count * THRONG_LANES + lane] <= range) {
        contacts[count] = order[tile->contact_position[count * THRONG_LANES + lane]];
        ++count;
    }
    if (tile->contact_key[THRONG_MAX_CONTACTS * THRONG_LANES + lane] <= range) tally->contacts_truncated++;
    memory->contact_first[row] = begin;
    memory->contact_count[row] = (uint8_t)count;
    tally->contacts_used += (uint32_t)count;
    atomic_store_explicit(&memory->due[row], count > 0, memory_order_relaxed);
    atomic_store_explicit(&memory->due_next[row], 0, memory_order_relaxed);
    memory->overlap[row] = 0.0f;
}

void throng_step_commit(const throng_step *step, const throng_tile *tile, throng_tally *tally) {
    const throng_agents *agents = &step->world->agents;
    throng_step_memory *memory = step->memory;
    tally->walls_truncated += tile->walls_cut;
    for (int lane = 0; lane < tile->count; ++lane) {
        const uint32_t row = tile->row[lane];
        agents->preferred_x[row] = tile->preferred_x[lane];
        agents->preferred_y[row] = tile->preferred_y[lane];
        agents->solved_x[row] = tile->solved_x[lane];
        agents->solved_y[row] = tile->solved_y[lane];
        memory->event_bits[row] |= tile->event_bits[lane];
        memory->displaced[row] = tile->displaced[lane];
        memory->blocker[row] = tile->blocker[lane];
        leave_contacts(step, tile, lane, tally);
        if (!(tile->infeasible >> lane & 1)) continue;
        tally->infeasible++;
        memory->violation[row] = tile->violation[lane];
        memory->event_bits[row] |= 1 << THRONG_EVENT_INFEASIBLE;
    }
}
