#include "api/fields.h"

#include "api/api.h"
#include "base/grid.h"
#include "base/scalar.h"

/// The longest segment that a target may be, m: its direction is kept in float.
static const double max_segment = 1e6;

typedef enum field_type {
    TYPE_POSITION,
    TYPE_VELOCITY,
    TYPE_TARGET,
    TYPE_FLOAT,
    TYPE_NEIGHBORS,
    TYPE_WORD,
    TYPE_FLAGS,
    TYPE_LONG,
    TYPE_CHOICE,
    TYPE_VECTOR,
    TYPE_BIT,
    TYPE_STATE
} field_type;

typedef enum field_range {
    RANGE_NOT_NEGATIVE, ///< 0..THRONG_LIMIT_NUMBER
    RANGE_POSITIVE,     ///< the same without 0
    RANGE_NOT_NEGATIVE_OR_INFINITE,
    RANGE_POSITIVE_OR_INFINITE
} field_range;

typedef struct field_info {
    const char *name;
    field_type type;
    bool written;
    size_t column;   ///< offset of the column's pointer in throng_agents
    size_t column_y; ///< of vectors
    size_t def;      ///< offset in throng_agent_def
    field_range range;
    uint16_t flag; ///< of bits
    uint8_t last;  ///< of choices: the largest
} field_info;

#define COLUMN(name) offsetof(throng_agents, name)
#define DEF(name)    offsetof(throng_agent_def, name)
#define FLOAT(name, bounds)                                                                                            \
    { #name, TYPE_FLOAT, true, .column = COLUMN(name), .def = DEF(name), .range = RANGE_##bounds }
#define CHOICE(name, most)                                                                                             \
    { #name, TYPE_CHOICE, true, .column = COLUMN(name), .def = DEF(name), .last = most }

static const field_info fields[THRONG_FIELD_COUNT] = {
    [THRONG_FIELD_POSITION] = {"position", TYPE_POSITION, true},
    [THRONG_FIELD_VELOCITY] = {"velocity", TYPE_VELOCITY, true, COLUMN(velocity_x), COLUMN(velocity_y)},
    [THRONG_FIELD_TARGET] = {"target", TYPE_TARGET, true},
    [THRONG_FIELD_RADIUS] = FLOAT(radius, NOT_NEGATIVE),
    [THRONG_FIELD_MARGIN] = FLOAT(margin, NOT_NEGATIVE),
    [THRONG_FIELD_MAX_SPEED] = FLOAT(max_speed, NOT_NEGATIVE),
    [THRONG_FIELD_PREFERRED_SPEED] = FLOAT(preferred_speed, NOT_NEGATIVE),
    [THRONG_FIELD_MAX_ACCELERATION] = FLOAT(max_acceleration, NOT_NEGATIVE_OR_INFINITE),
    [THRONG_FIELD_TIME_HORIZON] = FLOAT(time_horizon, POSITIVE),
    [THRONG_FIELD_OBSTACLE_HORIZON] = FLOAT(obstacle_horizon, POSITIVE),
    [THRONG_FIELD_NEIGHBOR_RANGE] = FLOAT(neighbor_range, NOT_NEGATIVE),
    [THRONG_FIELD_YIELD] = FLOAT(yield, NOT_NEGATIVE),
    [THRONG_FIELD_GOAL_RADIUS] = FLOAT(goal_radius, NOT_NEGATIVE),
    [THRONG_FIELD_MAX_NEIGHBORS] = {"max_neighbors", TYPE_NEIGHBORS, true},
    [THRONG_FIELD_LAYER] = {"layer", TYPE_WORD, true, COLUMN(layer)},
    [THRONG_FIELD_MASK] = {"mask", TYPE_WORD, true, COLUMN(mask)},
    [THRONG_FIELD_FLAGS] = {"flags", TYPE_FLAGS, true},
    [THRONG_FIELD_HOST_WORD] = {"host_word", TYPE_LONG, true, COLUMN(host_word)},
    [THRONG_FIELD_SOLVED_VELOCITY] = {"solved_velocity", TYPE_VECTOR, false, COLUMN(solved_x), COLUMN(solved_y)},
    [THRONG_FIELD_PREFERRED_VELOCITY] = {"preferred_velocity", TYPE_VECTOR, false, COLUMN(preferred_x),
                                         COLUMN(preferred_y)},
    [THRONG_FIELD_ARRIVED] = {"arrived", TYPE_BIT, false, .flag = THRONG_FLAG_ARRIVED},
    [THRONG_FIELD_CREATION] = {"creation", TYPE_LONG, false, COLUMN(creation)},
    [THRONG_FIELD_PARKED] = {"parked", TYPE_BIT, false, .flag = THRONG_FLAG_PARKED},
    [THRONG_FIELD_STUCK_TIME] = FLOAT(stuck_time, POSITIVE_OR_INFINITE),
    [THRONG_FIELD_SIDE] = CHOICE(side, THRONG_SIDE_LEFT),
    [THRONG_FIELD_DENSITY_RESPONSE] = CHOICE(density_response, THRONG_DENSITY_WEIDMANN),
    [THRONG_FIELD_STATE] = {"state", TYPE_STATE, false},
    [THRONG_FIELD_OUTSIDE] = {"outside", TYPE_BIT, false, .flag = THRONG_FLAG_OUTSIDE},
};

static void *column_of(const throng_agents *agents, size_t offset) {
    void *column;
    memcpy(&column, (const unsigned char *)agents + offset, sizeof column);
    return column;
}

// ---- values

static throng_result bad(const char *name, int64_t item, const char *must, double is) {
    return throng_fail(THRONG_ERROR_VALUE, item, "%s of item %lld: must be %s, is %g", name, (long long)item, must, is);
}

static throng_result check_float(const field_info *field, float value, int64_t item) {
    const bool bounded = value <= (float)THRONG_LIMIT_NUMBER;
    switch (field->range) {
    case RANGE_NOT_NEGATIVE:
        return bounded && value >= 0.0f ? THRONG_OK : bad(field->name, item, "from 0 to 1e9", value);
    case RANGE_POSITIVE_OR_INFINITE:
        return value > 0.0f ? THRONG_OK : bad(field->name, item, "> 0 or INFINITY", value);
    case RANGE_POSITIVE:
        return bounded && value > 0.0f ? THRONG_OK : bad(field->name, item, "> 0 and at most 1e9", value);
    default:
        return value >= 0.0f ? THRONG_OK : bad(field->name, item, ">= 0 or INFINITY", value);
    }
}

static throng_result check_place(const char *name, double x, double y, int64_t item) {
    if (!throng_is_within(x, THRONG_LIMIT_PLACE)) return bad(name, item, "within +-1e12", x);
    if (!throng_is_within(y, THRONG_LIMIT_PLACE)) return bad(name, item, "within +-1e12", y);
    return THRONG_OK;
}

static throng_result check_velocity(const char *name, double x, double y, int64_t item) {
    if (!throng_is_within(x, THRONG_LIMIT_NUMBER)) return bad(name, item, "within +-1e9", x);
    if (!throng_is_within(y, THRONG_LIMIT_NUMBER)) return bad(name, item, "within +-1e9", y);
    return THRONG_OK;
}

static throng_result check_target(const throng_target *target, int64_t item) {
    if ((int)target->kind < THRONG_TARGET_NONE || target->kind > THRONG_TARGET_SEGMENT) {
        return throng_fail(THRONG_ERROR_ARGUMENT, item, "target.kind of item %lld: %d is no kind", (long long)item,
                           (int)target->kind);
    }
    if (target->kind == THRONG_TARGET_NONE) return THRONG_OK;
    if (target->kind == THRONG_TARGET_VELOCITY) return check_velocity("target", target->x, target->y, item);
    throng_result result = check_place("target", target->x, target->y, item);
    if (result != THRONG_OK) return result;
    if (target->kind != THRONG_TARGET_SEGMENT) return THRONG_OK;
    result = check_place("target.end", target->end_x, target->end_y, item);
    if (result != THRONG_OK) return result;
    const double dx = target->end_x - target->x, dy = target->end_y - target->y;
    if (!(dx * dx + dy * dy <= max_segment * max_segment)) {
        return bad("target segment length", item, "at most 1e6 m", sqrt(dx * dx + dy * dy));
    }
    return THRONG_OK;
}

static throng_result check_max_neighbors(uint32_t value, int64_t item) {
    return value <= THRONG_MAX_NEIGHBORS ? THRONG_OK : bad("max_neighbors", item, "0..255", value);
}

static throng_result check_choice(const field_info *field, uint32_t value, int64_t item) {
    if (value <= field->last) return THRONG_OK;
    return throng_fail(THRONG_ERROR_ARGUMENT, item, "%s of item %lld: %u is no choice, the last is %u", field->name,
                       (long long)item, (unsigned)value, (unsigned)field->last);
}

static throng_result check_flags(uint32_t value, int64_t item) {
    if ((value & ~(uint32_t)THRONG_AGENT_HOST_MOVED) == 0) return THRONG_OK;
    return throng_fail(THRONG_ERROR_ARGUMENT, item, "flags of item %lld: 0x%x holds unknown bits", (long long)item,
                       (unsigned)value);
}

throng_result throng_check_agent_def(const throng_agent_def *def, int64_t item) {
    if (def->struct_size != sizeof *def) {
        return throng_fail(THRONG_ERROR_ARGUMENT, item, "defs[%lld].struct_size is %zu, must be %zu; start from %s",
                           (long long)item, def->struct_size, sizeof *def, "throng_default_agent_def()");
    }
    throng_result result = check_place("position", def->position[0], def->position[1], item);
    if (result == THRONG_OK) result = check_velocity("velocity", def->velocity[0], def->velocity[1], item);
    if (result == THRONG_OK) result = check_target(&def->target, item);
    if (result == THRONG_OK) result = check_max_neighbors(def->max_neighbors, item);
    if (result == THRONG_OK) result = check_flags(def->flags, item);
    for (int field = 0; field < THRONG_FIELD_COUNT && result == THRONG_OK; ++field) {
        const unsigned char *value = (const unsigned char *)def + fields[field].def;
        float number;
        uint32_t choice;
        memcpy(&number, value, sizeof number);
        memcpy(&choice, value, sizeof choice);
        if (fields[field].type == TYPE_FLOAT) result = check_float(&fields[field], number, item);
        if (fields[field].type == TYPE_CHOICE) result = check_choice(&fields[field], choice, item);
    }
    return result;
}

/// `value` points to an element of the field's type.
static throng_result check_value(const field_info *field, const void *value, int64_t item) {
    switch (field->type) {
    case TYPE_POSITION:
        return check_place(field->name, ((const double *)value)[0], ((const double *)value)[1], item);
    case TYPE_VELOCITY:
        return check_velocity(field->name, ((const float *)value)[0], ((const float *)value)[1], item);
    case TYPE_TARGET:
        return check_target(value, item);
    case TYPE_FLOAT:
        return check_float(field, *(const float *)value, item);
    case TYPE_NEIGHBORS:
        return check_max_neighbors(*(const uint32_t *)value, item);
    case TYPE_FLAGS:
        return check_flags(*(const uint32_t *)value, item);
    case TYPE_CHOICE:
        return check_choice(field, *(const uint32_t *)value, item);
    default:
        return THRONG_OK;
    }
}

// ---- one element

void throng_set_target(throng_agents *agents, uint32_t row, const throng_target *target) {
    const bool placed = target->kind != THRONG_TARGET_NONE, segment = target->kind == THRONG_TARGET_SEGMENT;
    agents->target_kind[row] = (uint8_t)target->kind;
    const bool velocity = target->kind == THRONG_TARGET_VELOCITY;
    agents->target_x[row] = !placed ? 0.0 : velocity ? target->x + 0.0 : throng_on_grid(target->x);
    agents->target_y[row] = !placed ? 0.0 : velocity ? target->y + 0.0 : throng_on_grid(target->y);
    agents->target_dx[row] = segment ? (float)(throng_on_grid(target->end_x) - throng_on_grid(target->x)) : 0.0f;
    agents->target_dy[row] = segment ? (float)(throng_on_grid(target->end_y) - throng_on_grid(target->y)) : 0.0f;
    agents->flags[row] &= (uint16_t) ~(THRONG_FLAG_ARRIVED | THRONG_FLAG_SETTLED | THRONG_FLAG_STUCK);
    agents->claim[row] = agents->yield[row];
    agents->nearest[row] = INFINITY;
    agents->waited[row] = 0.0f;
    agents->settlings[row] = 0;
}

static throng_target target_of(const throng_agents *agents, uint32_t row) {
    throng_target target = {
        .kind = (throng_target_kind)agents->target_kind[row], .x = agents->target_x[row], .y = agents->target_y[row]};
    if (target.kind == THRONG_TARGET_SEGMENT) {
        target.end_x = target.x + agents->target_dx[row];
        target.end_y = target.y + agents->target_dy[row];
    }
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

static size_t element_size(field_type type) {
    switch (type) {
    case TYPE_POSITION:
        return 2 * sizeof(double);
    case TYPE_VELOCITY:
    case TYPE_VECTOR:
        return 2 * sizeof(float);
    case TYPE_TARGET:
        return sizeof(throng_target);
    case TYPE_LONG:
        return sizeof(uint64_t);
    case TYPE_BIT:
    case TYPE_STATE:
        return sizeof(uint8_t);
    default:
        return sizeof(uint32_t);
    }
}

static void read_element(const throng_agents *agents, const field_info *field, uint32_t row, void *value) {
    switch (field->type) {
    case TYPE_POSITION:
        ((double *)value)[0] = agents->x[row];
        ((double *)value)[1] = agents->y[row];
        break;
    case TYPE_VELOCITY:
    case TYPE_VECTOR:
        ((float *)value)[0] = ((const float *)column_of(agents, field->column))[row];
        ((float *)value)[1] = ((const float *)column_of(agents, field->column_y))[row];
        break;
    case TYPE_TARGET:
        *(throng_target *)value = target_of(agents, row);
        break;
    case TYPE_FLOAT:
        *(float *)value = ((const float *)column_of(agents, field->column))[row];
        break;
    case TYPE_NEIGHBORS:
        *(uint32_t *)value = agents->max_neighbors[row];
        break;
    case TYPE_WORD:
        *(uint32_t *)value = ((const uint32_t *)column_of(agents, field->column))[row];
        break;
    case TYPE_FLAGS:
        *(uint32_t *)value = agents->flags[row] & THRONG_FLAG_HOST_MASK;
        break;
    case TYPE_LONG:
        *(uint64_t *)value = ((const uint64_t *)column_of(agents, field->column))[row];
        break;
    case TYPE_CHOICE:
        *(uint32_t *)value = ((const uint8_t *)column_of(agents, field->column))[row];
        break;
    case TYPE_STATE:
        *(uint8_t *)value = (uint8_t)state_of(agents, row);
        break;
    case TYPE_BIT:
        *(uint8_t *)value = (agents->flags[row] & field->flag) != 0;
        break;
    }
}

/// Values that are zero are stored as +0, so that equal states have equal bits.
static void write_element(throng_world *world, const field_info *field, uint32_t row, const void *value) {
    throng_agents *agents = &world->agents;
    switch (field->type) {
    case TYPE_POSITION:
        agents->x[row] = throng_on_grid(((const double *)value)[0]);
        agents->y[row] = throng_on_grid(((const double *)value)[1]);
        agents->flags[row] = (uint16_t)((agents->flags[row] & ~THRONG_FLAG_OUTSIDE) | THRONG_FLAG_UNPLACED);
        break;
    case TYPE_VELOCITY:
        agents->velocity_x[row] = ((const float *)value)[0] + 0.0f;
        agents->velocity_y[row] = ((const float *)value)[1] + 0.0f;
        break;
    case TYPE_TARGET:
        throng_set_target(agents, row, value);
        break;
    case TYPE_FLOAT:
        ((float *)column_of(agents, field->column))[row] = *(const float *)value + 0.0f;
        agents->claim[row] = field->column == COLUMN(yield) ? agents->yield[row] : agents->claim[row];
        break;
    case TYPE_NEIGHBORS:
        agents->max_neighbors[row] = (uint8_t) * (const uint32_t *)value;
        world->max_neighbors = throng_max_u32(world->max_neighbors, *(const uint32_t *)value);
        break;
    case TYPE_WORD:
        ((uint32_t *)column_of(agents, field->column))[row] = *(const uint32_t *)value;
        break;
    case TYPE_FLAGS:
        agents->flags[row] = (uint16_t)((agents->flags[row] & ~THRONG_FLAG_HOST_MASK) | *(const uint32_t *)value);
        break;
    case TYPE_LONG:
        ((uint64_t *)column_of(agents, field->column))[row] = *(const uint64_t *)value;
        break;
    case TYPE_CHOICE:
        ((uint8_t *)column_of(agents, field->column))[row] = (uint8_t) * (const uint32_t *)value;
        break;
    case TYPE_VECTOR:
    case TYPE_BIT:
    case TYPE_STATE:
        break;
    }
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
    const field_info *info = &fields[field];
    const size_t size = element_size(info->type);
    unsigned char *value = values;
    for (uint32_t i = 0; i < count; ++i, value += size)
        read_element(&world->agents, info, row_of(world, ids, i), value);
    return THRONG_OK;
}

throng_result throng_agents_write(throng_world *world, throng_field field, const throng_agent_id *ids, uint32_t count,
                                  const void *values) {
    if (world && world->busy) return throng_fail_busy("agents_write");
    throng_result result = check_call(world, field, ids, count, values, "agents_write");
    if (result != THRONG_OK) return result;
    const field_info *info = &fields[field];
    if (!info->written) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "agents_write: %s can only be read", info->name);
    }
    const size_t size = element_size(info->type);
    const unsigned char *value = values;
    for (uint32_t i = 0; i < count; ++i, value += size) {
        result = check_value(info, value, i);
        if (result != THRONG_OK) return result;
    }
    value = values;
    for (uint32_t i = 0; i < count; ++i, value += size) {
        const uint32_t row = row_of(world, ids, i);
        write_element(world, info, row, value);
        world->mixed = world->mixed || throng_row_is_mixed(&world->agents, row);
    }
    if (count == 0) return THRONG_OK;
    if (field == THRONG_FIELD_POSITION) throng_places_changed(world);
    if (field == THRONG_FIELD_RADIUS || field == THRONG_FIELD_MASK) look_for_walls(world, ids, count);
    // The tree keeps these two.
    if (field == THRONG_FIELD_RADIUS || field == THRONG_FIELD_LAYER) world->index.fresh = false;
    return THRONG_OK;
}
