#include "api/fields.h"

#include "api/api.h"
#include "base/scalar.h"

/// The longest segment that a target may be, m: its direction is kept in float.
static const double max_segment = 1e6;

#define COLUMN(name) offsetof(throng_agents, name)
#define DEF(name)    offsetof(throng_agent_def, name)
#define FLOAT(name, bounds)                                                                                            \
    {                                                                                                                  \
#name, THRONG_FIELD_TYPE_FLOAT, true, .column = COLUMN(name), .def = DEF(name),                                \
                                              .range = THRONG_FIELD_RANGE_##bounds                                     \
    }
#define CHOICE(name, most)                                                                                             \
    { #name, THRONG_FIELD_TYPE_CHOICE, true, .column = COLUMN(name), .def = DEF(name), .last = most }
#define EXTRA(name) .column = COLUMN(name), .is_extra = true, .extra = THRONG_EXTRA_##name
#define EXTRA_FLOAT(name, bounds)                                                                                      \
    { #name, THRONG_FIELD_TYPE_FLOAT, true, .def = DEF(name), .range = THRONG_FIELD_RANGE_##bounds, EXTRA(name) }
#define EXTRA_CHOICE(name, most)                                                                                       \
    { #name, THRONG_FIELD_TYPE_CHOICE, true, .def = DEF(name), .last = most, EXTRA(name) }

const throng_field_info throng_fields[THRONG_FIELD_COUNT] = {
    [THRONG_FIELD_POSITION] = {"position", THRONG_FIELD_TYPE_POSITION, true},
    [THRONG_FIELD_VELOCITY] = {"velocity", THRONG_FIELD_TYPE_VELOCITY, true, COLUMN(velocity_x), COLUMN(velocity_y)},
    [THRONG_FIELD_TARGET] = {"target", THRONG_FIELD_TYPE_TARGET, true},
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
    [THRONG_FIELD_MAX_NEIGHBORS] = {"max_neighbors", THRONG_FIELD_TYPE_NEIGHBORS, true},
    [THRONG_FIELD_LAYER] = {"layer", THRONG_FIELD_TYPE_WORD, true, COLUMN(layer)},
    [THRONG_FIELD_MASK] = {"mask", THRONG_FIELD_TYPE_WORD, true, COLUMN(mask)},
    [THRONG_FIELD_FLAGS] = {"flags", THRONG_FIELD_TYPE_FLAGS, true},
    [THRONG_FIELD_HOST_WORD] = {"host_word", THRONG_FIELD_TYPE_LONG, true, COLUMN(host_word)},
    [THRONG_FIELD_SOLVED_VELOCITY] = {"solved_velocity", THRONG_FIELD_TYPE_VECTOR, false, COLUMN(solved_x),
                                      COLUMN(solved_y)},
    [THRONG_FIELD_PREFERRED_VELOCITY] = {"preferred_velocity", THRONG_FIELD_TYPE_VECTOR, false, COLUMN(preferred_x),
                                         COLUMN(preferred_y)},
    [THRONG_FIELD_ARRIVED] = {"arrived", THRONG_FIELD_TYPE_BIT, false, .flag = THRONG_FLAG_ARRIVED},
    [THRONG_FIELD_CREATION] = {"creation", THRONG_FIELD_TYPE_LONG, false, COLUMN(creation)},
    [THRONG_FIELD_PARKED] = {"parked", THRONG_FIELD_TYPE_BIT, false, .flag = THRONG_FLAG_PARKED},
    [THRONG_FIELD_STUCK_TIME] = FLOAT(stuck_time, POSITIVE_OR_INFINITE),
    [THRONG_FIELD_SIDE] = CHOICE(side, THRONG_SIDE_LEFT),
    [THRONG_FIELD_DENSITY_RESPONSE] = CHOICE(density_response, THRONG_DENSITY_WEIDMANN),
    [THRONG_FIELD_STATE] = {"state", THRONG_FIELD_TYPE_STATE, false},
    [THRONG_FIELD_OUTSIDE] = {"outside", THRONG_FIELD_TYPE_BIT, false, .flag = THRONG_FLAG_OUTSIDE},
    [THRONG_FIELD_MODEL] = EXTRA_CHOICE(model, THRONG_MODEL_VO),
    [THRONG_FIELD_AGGRESSIVENESS] = EXTRA_FLOAT(aggressiveness, NOT_NEGATIVE),
    [THRONG_FIELD_INFEASIBLE] = EXTRA_CHOICE(infeasible, THRONG_INFEASIBLE_BRAKE),
    [THRONG_FIELD_MAX_TURN_RATE] = EXTRA_FLOAT(max_turn_rate, NOT_NEGATIVE_OR_INFINITE),
    [THRONG_FIELD_GRADIENT] = {"gradient", THRONG_FIELD_TYPE_VELOCITY, true, .def = DEF(gradient), EXTRA(gradient_x),
                               .column_y = COLUMN(gradient_y), .extra_y = THRONG_EXTRA_gradient_y},
    [THRONG_FIELD_SPEED_LIMIT] = EXTRA_FLOAT(speed_limit, NOT_NEGATIVE_OR_INFINITE),
    [THRONG_FIELD_HEIGHT_LOW] = EXTRA_FLOAT(height_low, SIGNED_OR_INFINITE),
    [THRONG_FIELD_HEIGHT_HIGH] = EXTRA_FLOAT(height_high, SIGNED_OR_INFINITE),
    [THRONG_FIELD_VIEW_COSINE] = EXTRA_FLOAT(view_cosine, COSINE),
    [THRONG_FIELD_VIEW_RANGE] = EXTRA_FLOAT(view_range, NOT_NEGATIVE_OR_INFINITE),
    [THRONG_FIELD_LINE_OF_SIGHT] = EXTRA_CHOICE(line_of_sight, 1),
    [THRONG_FIELD_SWAP] = EXTRA_CHOICE(swap, 1),
    [THRONG_FIELD_SUPPORT] = {"support", THRONG_FIELD_TYPE_SUPPORT, true},
};

// ---- values

static throng_result bad(const char *name, int64_t item, const char *must, double is) {
    return throng_fail(THRONG_ERROR_VALUE, item, "%s of item %lld: must be %s, is %g", name, (long long)item, must, is);
}

static throng_result check_float(const throng_field_info *field, float value, int64_t item) {
    const bool bounded = value <= (float)THRONG_LIMIT_NUMBER;
    switch (field->range) {
    case THRONG_FIELD_RANGE_NOT_NEGATIVE:
        return bounded && value >= 0.0f ? THRONG_OK : bad(field->name, item, "from 0 to 1e9", value);
    case THRONG_FIELD_RANGE_POSITIVE_OR_INFINITE:
        return value > 0.0f ? THRONG_OK : bad(field->name, item, "> 0 or INFINITY", value);
    case THRONG_FIELD_RANGE_SIGNED_OR_INFINITE:
        return value == value ? THRONG_OK : bad(field->name, item, "a number, INFINITY or -INFINITY", value);
    case THRONG_FIELD_RANGE_COSINE:
        return value >= -1.0f && value <= 1.0f ? THRONG_OK : bad(field->name, item, "from -1 to 1", value);
    case THRONG_FIELD_RANGE_POSITIVE:
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

static throng_result check_choice(const throng_world *world, const throng_field_info *field, uint32_t value,
                                  int64_t item) {
    uint32_t last = field->last;
    if (field == &throng_fields[THRONG_FIELD_DENSITY_RESPONSE]) last += world->density_tables.count;
    if (value <= last) return THRONG_OK;
    return throng_fail(THRONG_ERROR_ARGUMENT, item, "%s of item %lld: %u is no choice, the last is %u", field->name,
                       (long long)item, (unsigned)value, (unsigned)last);
}

static throng_result check_flags(uint32_t value, int64_t item) {
    if ((value & ~(uint32_t)THRONG_AGENT_HOST_MOVED) == 0) return THRONG_OK;
    return throng_fail(THRONG_ERROR_ARGUMENT, item, "flags of item %lld: 0x%x holds unknown bits", (long long)item,
                       (unsigned)value);
}

throng_result throng_check_agent_def(const throng_world *world, const throng_agent_def *def, int64_t item) {
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
        const unsigned char *value = (const unsigned char *)def + throng_fields[field].def;
        float number;
        uint32_t choice;
        memcpy(&number, value, sizeof number);
        memcpy(&choice, value, sizeof choice);
        if (throng_fields[field].type == THRONG_FIELD_TYPE_FLOAT)
            result = check_float(&throng_fields[field], number, item);
        if (throng_fields[field].type == THRONG_FIELD_TYPE_CHOICE)
            result = check_choice(world, &throng_fields[field], choice, item);
    }
    return result == THRONG_OK ? check_velocity("gradient", def->gradient[0], def->gradient[1], item) : result;
}

throng_result throng_check_field(const throng_world *world, const throng_field_info *field, const void *value,
                                 int64_t item) {
    switch (field->type) {
    case THRONG_FIELD_TYPE_POSITION:
        return check_place(field->name, ((const double *)value)[0], ((const double *)value)[1], item);
    case THRONG_FIELD_TYPE_VELOCITY:
        return check_velocity(field->name, ((const float *)value)[0], ((const float *)value)[1], item);
    case THRONG_FIELD_TYPE_TARGET:
        return check_target(value, item);
    case THRONG_FIELD_TYPE_FLOAT:
        return check_float(field, *(const float *)value, item);
    case THRONG_FIELD_TYPE_NEIGHBORS:
        return check_max_neighbors(*(const uint32_t *)value, item);
    case THRONG_FIELD_TYPE_FLAGS:
        return check_flags(*(const uint32_t *)value, item);
    case THRONG_FIELD_TYPE_CHOICE:
        return check_choice(world, field, *(const uint32_t *)value, item);
    default:
        return THRONG_OK;
    }
}
