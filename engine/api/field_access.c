#include "api/api.h"
#include "api/fields.h"
#include "base/grid.h"
#include "base/scalar.h"

static void *column_of(const throng_agents *agents, size_t offset) {
    void *column;
    memcpy(&column, (const unsigned char *)agents + offset, sizeof column);
    return column;
}

void throng_set_target(throng_agents *agents, uint32_t row, const throng_target *target) {
    const bool placed = target->kind != THRONG_TARGET_NONE, segment = target->kind == THRONG_TARGET_SEGMENT;
    agents->target_kind[row] = (uint8_t)target->kind;
    const bool velocity = target->kind == THRONG_TARGET_VELOCITY;
    agents->target_x[row] = !placed ? 0.0 : velocity ? target->x + 0.0 : throng_on_grid(target->x);
    agents->target_y[row] = !placed ? 0.0 : velocity ? target->y + 0.0 : throng_on_grid(target->y);
    agents->target_dx[row] = segment ? (float)(throng_on_grid(target->end_x) - throng_on_grid(target->x)) : 0.0f;
    agents->target_dy[row] = segment ? (float)(throng_on_grid(target->end_y) - throng_on_grid(target->y)) : 0.0f;
    if (agents->has_extras) agents->target_support[row] = (uint16_t)target->support.index;
    agents->flags[row] &=
        (uint16_t) ~(THRONG_FLAG_ARRIVED | THRONG_FLAG_SETTLED | THRONG_FLAG_STUCK | THRONG_FLAG_ASIDE);
    agents->claim[row] = agents->yield[row];
    agents->nearest[row] = INFINITY;
    agents->waited[row] = 0.0f;
    agents->settlings[row] = 0;
}

static throng_support_id support_id(const throng_world *world, uint32_t index) {
    if (index == 0) return (throng_support_id){0};
    return (throng_support_id){index, world->supports.slots.generation[index]};
}

static throng_target target_of(const throng_world *world, uint32_t row) {
    const throng_agents *agents = &world->agents;
    throng_target target = {
        .kind = (throng_target_kind)agents->target_kind[row], .x = agents->target_x[row], .y = agents->target_y[row]};
    if (target.kind == THRONG_TARGET_SEGMENT) {
        target.end_x = target.x + agents->target_dx[row];
        target.end_y = target.y + agents->target_dy[row];
    }
    if (agents->has_extras) target.support = support_id(world, agents->target_support[row]);
    return target;
}

static throng_agent_state state_of(const throng_agents *agents, uint32_t row) {
    const uint16_t flags = agents->flags[row];
    if (flags & THRONG_FLAG_OUTSIDE) return THRONG_AGENT_OUTSIDE;
    if (flags & THRONG_FLAG_ARRIVED) return THRONG_AGENT_ARRIVED;
    if (flags & THRONG_FLAG_STUCK) return THRONG_AGENT_STUCK;
    const int kind = agents->target_kind[row];
    const bool still = agents->target_x[row] == 0.0 && agents->target_y[row] == 0.0;
    if (kind == THRONG_TARGET_NONE || (kind == THRONG_TARGET_VELOCITY && still)) return THRONG_AGENT_IDLE;
    return agents->blocked[row] > 0.5f ? THRONG_AGENT_WAITING : THRONG_AGENT_UNDER_WAY;
}

static size_t element_size(throng_field_type type) {
    switch (type) {
    case THRONG_FIELD_TYPE_POSITION:
        return 2 * sizeof(double);
    case THRONG_FIELD_TYPE_VELOCITY:
    case THRONG_FIELD_TYPE_VECTOR:
        return 2 * sizeof(float);
    case THRONG_FIELD_TYPE_TARGET:
        return sizeof(throng_target);
    case THRONG_FIELD_TYPE_SUPPORT:
        return sizeof(throng_support_id);
    case THRONG_FIELD_TYPE_LONG:
        return sizeof(uint64_t);
    case THRONG_FIELD_TYPE_BIT:
    case THRONG_FIELD_TYPE_STATE:
        return sizeof(uint8_t);
    default:
        return sizeof(uint32_t);
    }
}

/// What everybody has in a field of optional columns while these are not there.
static void read_otherwise(const throng_field_info *field, void *value) {
    const void *otherwise = throng_extra_otherwise(field->extra);
    switch (field->type) {
    case THRONG_FIELD_TYPE_VELOCITY:
        ((float *)value)[0] = *(const float *)otherwise;
        ((float *)value)[1] = *(const float *)throng_extra_otherwise(field->extra_y);
        break;
    case THRONG_FIELD_TYPE_CHOICE:
        *(uint32_t *)value = *(const uint8_t *)otherwise;
        break;
    default:
        assert(field->type == THRONG_FIELD_TYPE_FLOAT);
        *(float *)value = *(const float *)otherwise;
        break;
    }
}

static void read_element(const throng_world *world, const throng_field_info *field, uint32_t row, void *value) {
    const throng_agents *agents = &world->agents;
    if (field->is_extra && !agents->has_extras) {
        read_otherwise(field, value);
        return;
    }
    switch (field->type) {
    case THRONG_FIELD_TYPE_POSITION:
        ((double *)value)[0] = agents->x[row];
        ((double *)value)[1] = agents->y[row];
        break;
    case THRONG_FIELD_TYPE_VELOCITY:
    case THRONG_FIELD_TYPE_VECTOR:
        ((float *)value)[0] = ((const float *)column_of(agents, field->column))[row];
        ((float *)value)[1] = ((const float *)column_of(agents, field->column_y))[row];
        break;
    case THRONG_FIELD_TYPE_TARGET:
        *(throng_target *)value = target_of(world, row);
        break;
    case THRONG_FIELD_TYPE_FLOAT:
        *(float *)value = ((const float *)column_of(agents, field->column))[row];
        break;
    case THRONG_FIELD_TYPE_NEIGHBORS:
        *(uint32_t *)value = agents->max_neighbors[row];
        break;
    case THRONG_FIELD_TYPE_WORD:
        *(uint32_t *)value = ((const uint32_t *)column_of(agents, field->column))[row];
        break;
    case THRONG_FIELD_TYPE_FLAGS:
        *(uint32_t *)value = agents->flags[row] & THRONG_FLAG_HOST_MASK;
        break;
    case THRONG_FIELD_TYPE_LONG:
        *(uint64_t *)value = ((const uint64_t *)column_of(agents, field->column))[row];
        break;
    case THRONG_FIELD_TYPE_CHOICE:
        *(uint32_t *)value = ((const uint8_t *)column_of(agents, field->column))[row];
        break;
    case THRONG_FIELD_TYPE_SUPPORT:
        *(throng_support_id *)value = support_id(world, agents->support[row]);
        break;
    case THRONG_FIELD_TYPE_STATE:
        *(uint8_t *)value = (uint8_t)state_of(agents, row);
        break;
    case THRONG_FIELD_TYPE_BIT:
        *(uint8_t *)value = (agents->flags[row] & field->flag) != 0;
        break;
    }
}

static bool is_otherwise(const throng_field_info *field, const void *value) {
    unsigned char otherwise[2 * sizeof(float)] = {0};
    read_otherwise(field, otherwise);
    return memcmp(value, otherwise, element_size(field->type)) == 0;
}

static void put_on(throng_world *world, uint32_t row, uint32_t support) {
    if (world->agents.support[row] == support) return;
    const throng_columns columns = throng_front_columns(world);
    throng_change_support(world, row, support, &columns);
    world->agents.flags[row] = (uint16_t)((world->agents.flags[row] & ~THRONG_FLAG_OUTSIDE) | THRONG_FLAG_UNPLACED);
}

/// Values that are zero are stored as +0, so that equal states have equal bits.
static void write_element(throng_world *world, const throng_field_info *field, uint32_t row, const void *value) {
    throng_agents *agents = &world->agents;
    switch (field->type) {
    case THRONG_FIELD_TYPE_POSITION:
        agents->x[row] = throng_on_grid(((const double *)value)[0]);
        agents->y[row] = throng_on_grid(((const double *)value)[1]);
        agents->flags[row] = (uint16_t)((agents->flags[row] & ~THRONG_FLAG_OUTSIDE) | THRONG_FLAG_UNPLACED);
        break;
    case THRONG_FIELD_TYPE_VELOCITY:
        ((float *)column_of(agents, field->column))[row] = ((const float *)value)[0] + 0.0f;
        ((float *)column_of(agents, field->column_y))[row] = ((const float *)value)[1] + 0.0f;
        break;
    case THRONG_FIELD_TYPE_TARGET:
        throng_set_target(agents, row, value);
        break;
    case THRONG_FIELD_TYPE_FLOAT:
        ((float *)column_of(agents, field->column))[row] = *(const float *)value + 0.0f;
        agents->claim[row] = field->column == offsetof(throng_agents, yield) ? agents->yield[row] : agents->claim[row];
        break;
    case THRONG_FIELD_TYPE_NEIGHBORS:
        agents->max_neighbors[row] = (uint8_t) * (const uint32_t *)value;
        world->max_neighbors = throng_max_u32(world->max_neighbors, *(const uint32_t *)value);
        break;
    case THRONG_FIELD_TYPE_WORD:
        ((uint32_t *)column_of(agents, field->column))[row] = *(const uint32_t *)value;
        break;
    case THRONG_FIELD_TYPE_FLAGS:
        agents->flags[row] = (uint16_t)((agents->flags[row] & ~THRONG_FLAG_HOST_MASK) | *(const uint32_t *)value);
        break;
    case THRONG_FIELD_TYPE_LONG:
        ((uint64_t *)column_of(agents, field->column))[row] = *(const uint64_t *)value;
        break;
    case THRONG_FIELD_TYPE_CHOICE:
        ((uint8_t *)column_of(agents, field->column))[row] = (uint8_t) * (const uint32_t *)value;
        break;
    case THRONG_FIELD_TYPE_SUPPORT:
        put_on(world, row, ((const throng_support_id *)value)->index);
        break;
    case THRONG_FIELD_TYPE_VECTOR:
    case THRONG_FIELD_TYPE_BIT:
    case THRONG_FIELD_TYPE_STATE:
        break;
    }
}

bool throng_def_has_extras(const throng_agent_def *def) {
    if (def->target.support.index) return true;
    for (int field = 0; field < THRONG_FIELD_COUNT; ++field) {
        const void *value = (const unsigned char *)def + throng_fields[field].def;
        if (throng_fields[field].is_extra && !is_otherwise(&throng_fields[field], value)) return true;
    }
    return false;
}

void throng_set_extras(throng_world *world, uint32_t row, const throng_agent_def *def) {
    if (!world->agents.has_extras) return;
    for (int field = 0; field < THRONG_FIELD_COUNT; ++field) {
        const void *value = (const unsigned char *)def + throng_fields[field].def;
        if (throng_fields[field].is_extra) write_element(world, &throng_fields[field], row, value);
    }
    throng_extras_note(&world->agents, row);
}

/// Whether the columns that hold the field are there, or are not needed: nobody is to differ.
static throng_result provide(throng_world *world, const throng_field_info *field, uint32_t count,
                             const unsigned char *values, bool *needed) {
    const size_t size = element_size(field->type);
    if (field->type == THRONG_FIELD_TYPE_TARGET) {
        *needed = true;
        bool carried = false;
        for (uint32_t i = 0; i < count; ++i)
            carried |= ((const throng_target *)(const void *)values)[i].support.index != 0;
        if (!carried || throng_extras_reserve(&world->agents, &world->memory)) return THRONG_OK;
        return throng_fail(THRONG_ERROR_MEMORY, -1, "agents_write: no memory for targets on supports");
    }
    *needed = !field->is_extra || world->agents.has_extras;
    for (uint32_t i = 0; i < count && !*needed; ++i) *needed = !is_otherwise(field, values + i * size);
    if (!*needed || !field->is_extra || throng_extras_reserve(&world->agents, &world->memory)) return THRONG_OK;
    return throng_fail(THRONG_ERROR_MEMORY, -1, "agents_write: no memory for %s of %u agents", field->name,
                       (unsigned)world->agents.count);
}

// ---- the calls

static throng_result check_call(const throng_world *world, throng_field field, const throng_agent_id *ids,
                                uint32_t count, const void *values, const char *call) {
    if (!world || (count && !values)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "%s: world and values must not be null", call);
    }
    if ((int)field < 0 || field >= THRONG_FIELD_COUNT) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "%s: %d is no field", call, (int)field);
    }
    if (!ids && count != world->agents.count) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "%s: without ids count must be that of all agents, %u, is %u",
                           call, (unsigned)world->agents.count, (unsigned)count);
    }
    return ids ? throng_check_agent_ids(world, ids, count, call) : THRONG_OK;
}

static uint32_t row_of(const throng_world *world, const throng_agent_id *ids, uint32_t item) {
    return ids ? world->slots.row[ids[item].index] : item;
}

/// Who grew, or heeds other walls from now on, may stand in one.
static void look_for_walls(throng_world *world, const throng_agent_id *ids, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) world->agents.flags[row_of(world, ids, i)] |= THRONG_FLAG_UNPLACED;
    world->unplaced = world->may_be_outside = true;
}

throng_result throng_agents_read(const throng_world *world, throng_field field, const throng_agent_id *ids,
                                 uint32_t count, void *values) {
    const throng_result result = check_call(world, field, ids, count, values, "agents_read");
    if (result != THRONG_OK) return result;
    const throng_field_info *info = &throng_fields[field];
    const size_t size = element_size(info->type);
    unsigned char *value = values;
    for (uint32_t i = 0; i < count; ++i, value += size) read_element(world, info, row_of(world, ids, i), value);
    return THRONG_OK;
}

static throng_result check_support(const throng_world *world, const throng_field_info *field, const void *value,
                                   int64_t item) {
    if (field->type == THRONG_FIELD_TYPE_SUPPORT) {
        return throng_check_support_id(world, *(const throng_support_id *)value, item, "agents_write");
    }
    if (field->type != THRONG_FIELD_TYPE_TARGET) return THRONG_OK;
    return throng_check_support_id(world, ((const throng_target *)value)->support, item, "agents_write");
}

throng_result throng_agents_write(throng_world *world, throng_field field, const throng_agent_id *ids, uint32_t count,
                                  const void *values) {
    if (world && world->busy) return throng_fail_busy("agents_write");
    throng_result result = check_call(world, field, ids, count, values, "agents_write");
    if (result != THRONG_OK) return result;
    const throng_field_info *info = &throng_fields[field];
    if (!info->written) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "agents_write: %s can only be read", info->name);
    }
    const size_t size = element_size(info->type);
    const unsigned char *value = values;
    for (uint32_t i = 0; i < count; ++i, value += size) {
        result = throng_check_field(world, info, value, i);
        if (result == THRONG_OK) result = check_support(world, info, value, i);
        if (result != THRONG_OK) return result;
    }
    const throng_columns columns = throng_front_columns(world);
    bool needed;
    result = provide(world, info, count, values, &needed);
    if (result != THRONG_OK || !needed) return result;
    value = values;
    for (uint32_t i = 0; i < count; ++i, value += size) {
        const uint32_t row = row_of(world, ids, i);
        write_element(world, info, row, value);
        if (info->is_extra || field == THRONG_FIELD_TARGET) throng_extras_note(&world->agents, row);
        if (throng_has_supports(world)) throng_renew_world_row(world, row, &columns);
        throng_world_note_kind(world, row);
    }
    if (count == 0) return THRONG_OK;
    if (field == THRONG_FIELD_POSITION || field == THRONG_FIELD_SUPPORT) throng_places_changed(world);
    if (field == THRONG_FIELD_RADIUS || field == THRONG_FIELD_MASK || field == THRONG_FIELD_HEIGHT_LOW ||
        field == THRONG_FIELD_HEIGHT_HIGH)
        look_for_walls(world, ids, count);
    // The tree keeps these two.
    if (field == THRONG_FIELD_RADIUS || field == THRONG_FIELD_LAYER) world->index.fresh = false;
    return THRONG_OK;
}
