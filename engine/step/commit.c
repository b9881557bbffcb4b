// Reads:  the tile, finished but for the way.
// Writes: by row: preferred and solved velocities, violations, event bits, contact candidates; what it adds to the
// tally. Order:  contact candidates by (gap, creation number). Cost:   O(1) an agent.
//
// The stages before write to their tile alone, so that who asks for an agent's why runs them beside the world.
#include "step/step.h"

static void leave_contacts(const throng_step *step, const throng_tile *tile, int lane, throng_tally *tally) {
    const throng_nearest_lists *lists = &tile->lists;
    const uint32_t *order = step->world->index.order;
    const uint32_t row = tile->row[lane];
    uint32_t *contacts = step->memory->contacts + (size_t)row * THRONG_MAX_CONTACTS;
    int count = 0;
    while (count < THRONG_CONTACT_SLOTS && lists->key[count * THRONG_LANES + lane] <= lists->contact_range[lane]) {
        if (count < THRONG_MAX_CONTACTS) contacts[count] = order[lists->position[count * THRONG_LANES + lane]];
        ++count;
    }
    if (count > THRONG_MAX_CONTACTS) {
        count = THRONG_MAX_CONTACTS;
        tally->contacts_truncated++;
    }
    step->memory->contact_count[row] = (uint8_t)count;
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
        leave_contacts(step, tile, lane, tally);
        if (!(tile->infeasible >> lane & 1)) continue;
        tally->infeasible++;
        memory->violation[row] = tile->violation[lane];
        memory->event_bits[row] |= 1 << THRONG_EVENT_INFEASIBLE;
    }
}
