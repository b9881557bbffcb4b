#include "api/api.h"

#include "api/fields.h"
#include "base/grid.h"
#include "base/scalar.h"
#include "base/sort.h"

throng_agent_def throng_default_agent_def(void) {
    return (throng_agent_def){
        .struct_size = sizeof(throng_agent_def),
        .radius = 0.25f,
        .max_speed = 1.6f,
        .preferred_speed = 1.3f,
        .max_acceleration = INFINITY,
        .time_horizon = 2.0f,
        .obstacle_horizon = 1.0f,
        .neighbor_range = 5.0f,
        .yield = 1.0f,
        .goal_radius = 0.25f,
        .stuck_time = 10.0f,
        .side = THRONG_SIDE_RIGHT,
        .max_neighbors = 10,
        .layer = 1,
        .mask = 1,
        .aggressiveness = 1.0f,
        .max_turn_rate = INFINITY,
        .speed_limit = INFINITY,
        .height_low = -INFINITY,
        .height_high = INFINITY,
        .view_cosine = -1.0f,
        .view_range = INFINITY,
    };
}

/// Every column is written here once, so that a new row holds nothing of an old one.
static void fill_row(throng_world *world, uint32_t row, const throng_agent_def *def) {
    throng_agents *agents = &world->agents;
    agents->x[row] = agents->next_x[row] = throng_on_grid(def->position[0]);
    agents->y[row] = agents->next_y[row] = throng_on_grid(def->position[1]);
    agents->velocity_x[row] = agents->next_velocity_x[row] = def->velocity[0] + 0.0f;
    agents->velocity_y[row] = agents->next_velocity_y[row] = def->velocity[1] + 0.0f;
    agents->solved_x[row] = agents->solved_y[row] = 0.0f;
    agents->preferred_x[row] = agents->preferred_y[row] = 0.0f;
    agents->radius[row] = def->radius + 0.0f;
    agents->margin[row] = def->margin + 0.0f;
    agents->max_speed[row] = def->max_speed + 0.0f;
    agents->preferred_speed[row] = def->preferred_speed + 0.0f;
    agents->max_acceleration[row] = def->max_acceleration + 0.0f;
    agents->time_horizon[row] = def->time_horizon;
    agents->obstacle_horizon[row] = def->obstacle_horizon;
    agents->neighbor_range[row] = def->neighbor_range + 0.0f;
    agents->yield[row] = def->yield + 0.0f;
    agents->goal_radius[row] = def->goal_radius + 0.0f;
    agents->stuck_time[row] = def->stuck_time;
    agents->blocked[row] = 0.0f;
    agents->side[row] = (uint8_t)def->side;
    agents->density_response[row] = (uint8_t)def->density_response;
    agents->layer[row] = def->layer;
    agents->mask[row] = def->mask;
    agents->flags[row] = (uint16_t)(def->flags | THRONG_FLAG_UNPLACED);
    throng_set_target(agents, row, &def->target);
    agents->support[row] = (uint16_t)def->support.index;
    agents->max_neighbors[row] = (uint8_t)def->max_neighbors;
    agents->creation[row] = world->next_creation++;
    agents->rank[row] = world->next_rank++;
    agents->host_word[row] = def->host_word;
    throng_set_extras(world, row, def);
}

/// Ranks are handed out like creation numbers but have 32 bits: when they run out, the living are numbered anew.
static bool renew_ranks(throng_world *world) {
    throng_agents *agents = &world->agents;
    throng_sort_item *order = throng_memory_allocate(&world->memory, 2 * (size_t)agents->count, sizeof *order);
    if (!order) return false;
    for (uint32_t row = 0; row < agents->count; ++row) order[row] = (throng_sort_item){agents->creation[row], row};
    throng_sort(order, order + agents->count, agents->count);
    for (uint32_t i = 0; i < agents->count; ++i) agents->rank[order[i].value] = i;
    world->next_rank = agents->count;
    world->index.fresh = false; // the tree keeps ranks
    throng_memory_release(&world->memory, order, 2 * (size_t)agents->count, sizeof *order);
    return true;
}

throng_result throng_agents_add(throng_world *world, const throng_agent_def *defs, uint32_t count,
                                throng_agent_id *ids) {
    if (!world || (count && !defs)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "agents_add: world and defs must not be null");
    }
    if (world->busy) return throng_fail_busy("agents_add");
    bool extras = false;
    for (uint32_t i = 0; i < count; ++i) {
        throng_result result = throng_check_agent_def(world, &defs[i], i);
        if (result == THRONG_OK) result = throng_check_support_id(world, defs[i].support, i, "agents_add");
        if (result == THRONG_OK) result = throng_check_support_id(world, defs[i].target.support, i, "agents_add");
        if (result != THRONG_OK) return result;
        extras = extras || throng_def_has_extras(&defs[i]);
    }
    throng_agents *agents = &world->agents;
    if (count > THRONG_MAX_AGENTS - agents->count) {
        return throng_fail(THRONG_ERROR_CAPACITY, -1, "agents_add: %u and %u agents are more than %u",
                           (unsigned)agents->count, (unsigned)count, (unsigned)THRONG_MAX_AGENTS);
    }
    if (!throng_slots_reserve(&world->slots, &world->memory, count) ||
        !throng_agents_reserve(agents, &world->memory, agents->count + count) ||
        (throng_has_supports(world) &&
         !throng_supports_reserve_rows(&world->supports, &world->memory, agents->capacity)) ||
        (extras && !throng_extras_reserve(agents, &world->memory)) ||
        (count > UINT32_MAX - world->next_rank && !renew_ranks(world))) {
        return throng_fail(THRONG_ERROR_MEMORY, -1, "agents_add: no memory for %u more agents", (unsigned)count);
    }
    if (count == 0) return THRONG_OK;
    for (uint32_t i = 0; i < count; ++i) {
        // The first parked row makes way for an active one.
        const uint32_t row = agents->active;
        if (agents->active < agents->count) {
            throng_agents_copy_row(agents, agents->count, row);
            world->slots.row[agents->id[row].index] = agents->count;
        }
        agents->active++;
        agents->count++;
        fill_row(world, row, &defs[i]);
        const throng_slot_id slot = throng_slots_take(&world->slots, row);
        agents->id[row] = (throng_agent_id){slot.index, slot.generation};
        if (ids) ids[i] = agents->id[row];
        world->max_neighbors = throng_max_u32(world->max_neighbors, defs[i].max_neighbors);
        throng_world_note_kind(world, row);
    }
    throng_places_changed(world);
    throng_renew_world_columns(world);
    return THRONG_OK;
}

throng_result throng_check_agent_id(const throng_world *world, throng_agent_id id, int64_t item, const char *call) {
    if (throng_slots_holds(&world->slots, id.index, id.generation)) return THRONG_OK;
    return throng_fail(THRONG_ERROR_STALE_ID, item, "%s: ids[%lld] = (%u, %u) is no agent of this world", call,
                       (long long)item, (unsigned)id.index, (unsigned)id.generation);
}

throng_result throng_check_agent_ids(const throng_world *world, const throng_agent_id *ids, uint32_t count,
                                     const char *call) {
    for (uint32_t i = 0; i < count; ++i) {
        const throng_result result = throng_check_agent_id(world, ids[i], i, call);
        if (result != THRONG_OK) return result;
    }
    return THRONG_OK;
}

/// Ends the use of a row: the last active one and the last parked one move up.
static void drop_row(throng_world *world, uint32_t row) {
    throng_agents *agents = &world->agents;
    if (row < agents->active) {
        const uint32_t last = --agents->active;
        if (row != last) {
            throng_agents_copy_row(agents, row, last);
            world->slots.row[agents->id[row].index] = row;
        }
        row = last;
    }
    const uint32_t last = --agents->count;
    if (row != last) {
        throng_agents_copy_row(agents, row, last);
        world->slots.row[agents->id[row].index] = row;
    }
}

throng_result throng_agents_remove(throng_world *world, const throng_agent_id *ids, uint32_t count) {
    if (!world || (count && !ids)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "agents_remove: world and ids must not be null");
    }
    if (world->busy) return throng_fail_busy("agents_remove");
    throng_result result = throng_check_agent_ids(world, ids, count, "agents_remove");
    if (result != THRONG_OK) return result;
    throng_agents *agents = &world->agents;
    uint32_t marked = 0;
    for (; marked < count; ++marked) {
        uint16_t *flags = &agents->flags[world->slots.row[ids[marked].index]];
        if (*flags & THRONG_FLAG_LEAVING) break;
        *flags |= THRONG_FLAG_LEAVING;
    }
    if (marked < count) {
        for (uint32_t i = 0; i < marked; ++i) {
            agents->flags[world->slots.row[ids[i].index]] &= (uint16_t)~THRONG_FLAG_LEAVING;
        }
        return throng_fail(THRONG_ERROR_ARGUMENT, marked, "agents_remove: ids[%u] is named twice", (unsigned)marked);
    }
    for (uint32_t i = 0; i < count; ++i) {
        drop_row(world, world->slots.row[ids[i].index]);
        throng_slots_give(&world->slots, ids[i].index);
    }
    if (count) world->index.fresh = false;
    throng_renew_world_columns(world);
    return THRONG_OK;
}

static void exchange_rows(throng_world *world, uint32_t a, uint32_t b) {
    if (a == b) return;
    throng_agents_swap_rows(&world->agents, a, b);
    world->slots.row[world->agents.id[a].index] = a;
    world->slots.row[world->agents.id[b].index] = b;
}

throng_result throng_agents_park(throng_world *world, const throng_agent_id *ids, uint32_t count, bool parked) {
    if (!world || (count && !ids)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "agents_park: world and ids must not be null");
    }
    if (world->busy) return throng_fail_busy("agents_park");
    const throng_result result = throng_check_agent_ids(world, ids, count, "agents_park");
    if (result != THRONG_OK) return result;
    throng_agents *agents = &world->agents;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = world->slots.row[ids[i].index];
        if (parked && row < agents->active) {
            agents->flags[row] |= THRONG_FLAG_PARKED;
            exchange_rows(world, row, --agents->active);
            world->index.fresh = false;
        } else if (!parked && row >= agents->active) {
            agents->flags[row] = (uint16_t)((agents->flags[row] & ~THRONG_FLAG_PARKED) | THRONG_FLAG_UNPLACED);
            exchange_rows(world, row, agents->active++);
            world->claims_vary = true;
            throng_places_changed(world);
        }
    }
    throng_renew_world_columns(world);
    return THRONG_OK;
}

throng_result throng_agent_row(const throng_world *world, throng_agent_id id, uint32_t *row) {
    if (!world || !row) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "agent_row: world and row must not be null");
    const throng_result result = throng_check_agent_id(world, id, 0, "agent_row");
    if (result != THRONG_OK) return result;
    *row = world->slots.row[id.index];
    return THRONG_OK;
}
