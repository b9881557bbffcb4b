// Fields of agents by name: where they live, what values they may have.
#ifndef THRONG_API_FIELDS_H
#define THRONG_API_FIELDS_H

#include "state/extras.h"
#include "state/world.h"

typedef enum throng_field_type {
    THRONG_FIELD_TYPE_POSITION,
    THRONG_FIELD_TYPE_VELOCITY,
    THRONG_FIELD_TYPE_TARGET,
    THRONG_FIELD_TYPE_FLOAT,
    THRONG_FIELD_TYPE_NEIGHBORS,
    THRONG_FIELD_TYPE_WORD,
    THRONG_FIELD_TYPE_FLAGS,
    THRONG_FIELD_TYPE_LONG,
    THRONG_FIELD_TYPE_CHOICE,
    THRONG_FIELD_TYPE_VECTOR,
    THRONG_FIELD_TYPE_SUPPORT,
    THRONG_FIELD_TYPE_BIT,
    THRONG_FIELD_TYPE_STATE
} throng_field_type;

typedef enum throng_field_range {
    THRONG_FIELD_RANGE_NOT_NEGATIVE, ///< 0..THRONG_LIMIT_NUMBER
    THRONG_FIELD_RANGE_POSITIVE,     ///< the same without 0
    THRONG_FIELD_RANGE_NOT_NEGATIVE_OR_INFINITE,
    THRONG_FIELD_RANGE_POSITIVE_OR_INFINITE,
    THRONG_FIELD_RANGE_SIGNED_OR_INFINITE, ///< any number but NaN
    THRONG_FIELD_RANGE_COSINE              ///< -1..1
} throng_field_range;

typedef struct throng_field_info {
    const char *name;
    throng_field_type type;
    bool written;
    size_t column;   ///< offset of the column's pointer in throng_agents
    size_t column_y; ///< of vectors
    size_t def;      ///< offset in throng_agent_def
    throng_field_range range;
    uint16_t flag; ///< of bits
    uint8_t last;  ///< of choices: the largest
    bool is_extra; ///< lives in optional columns
    throng_extra extra, extra_y;
} throng_field_info;

extern const throng_field_info throng_fields[THRONG_FIELD_COUNT];

/// `value` points to an element of the field's type. ARGUMENT or VALUE, naming the item and what would be right.
throng_result throng_check_field(const throng_world *world, const throng_field_info *field, const void *value,
                                 int64_t item);

/// ARGUMENT (struct_size, kinds, flags) or VALUE, naming the item and what would be right.
throng_result throng_check_agent_def(const throng_world *world, const throng_agent_def *def, int64_t item);

/// The target must have been checked. The agent has not arrived from now on.
void throng_set_target(throng_agents *agents, uint32_t row, const throng_target *target);

/// Whether the agent needs the optional columns.
bool throng_def_has_extras(const throng_agent_def *def);

/// Fills a row of the optional columns, where they are there.
void throng_set_extras(throng_world *world, uint32_t row, const throng_agent_def *def);

#endif
