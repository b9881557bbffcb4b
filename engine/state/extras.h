// The optional columns of agents (THRONG_EXTRA_COLUMNS): they cost nothing until an agent needs one.
#ifndef THRONG_STATE_EXTRAS_H
#define THRONG_STATE_EXTRAS_H

#include "state/agents.h"

typedef enum throng_extra {
#define THRONG_EXTRA_ENUMERATOR(type, name, kind, range, otherwise) THRONG_EXTRA_##name,
    THRONG_EXTRA_COLUMNS(THRONG_EXTRA_ENUMERATOR)
#undef THRONG_EXTRA_ENUMERATOR
        THRONG_EXTRA_COUNT
} throng_extra;

_Static_assert(THRONG_EXTRA_COUNT <= 32, "throng_agents.extras_used holds a bit for every extra column");

/// Whether some agent may hold another value in the extra column than everybody has otherwise. What a stage does for
/// such agents only, it asks once.
#define THRONG_USES(agents, column) (((agents)->extras_used >> THRONG_EXTRA_##column & 1) != 0)

/// Memory for `capacity` rows of every extra column, not filled; false, with what was allocated left to
/// throng_agents_release, when there is none.
bool throng_extras_allocate(throng_agents *agents, throng_memory *memory);

/// Makes sure that the columns are there; false and unchanged when there is no memory.
bool throng_extras_reserve(throng_agents *agents, throng_memory *memory);

/// Gives rows [first, end) what everybody has otherwise, where the columns are there.
void throng_extras_clear(throng_agents *agents, uint32_t first, uint32_t end);

/// Notes in extras_used what values the row holds.
void throng_extras_note(throng_agents *agents, uint32_t row);

/// The columns in which an agent really holds another value than everybody has otherwise, a bit each.
uint32_t throng_extras_find(const throng_agents *agents);

/// What everybody has in the column otherwise: a value of the column's type.
const void *throng_extra_otherwise(throng_extra column);

#endif
