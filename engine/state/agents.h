// Agent columns: structure of arrays, one row an agent; the active rows first, the parked ones behind them.
// Rows carry no meaning: they are kept near the order of the tree, so that neighbors lie near in memory.
#ifndef THRONG_STATE_AGENTS_H
#define THRONG_STATE_AGENTS_H

#include "base/memory.h"
#include "base/parallel.h"
#include "state/columns.h"

typedef struct throng_agents {
    uint32_t count;  ///< rows in use
    uint32_t active; ///< rows [0, active) take part in steps
    size_t capacity; ///< rows there is room for
#define THRONG_COLUMN(type, name, kind, range) type *name;
    THRONG_AGENT_COLUMNS(THRONG_COLUMN)
#undef THRONG_COLUMN
#define THRONG_COLUMN(type, name, kind, range, otherwise) type *name;
    THRONG_EXTRA_COLUMNS(THRONG_COLUMN) ///< null unless has_extras (state/extras.h)
#undef THRONG_COLUMN
    bool has_extras;
    uint32_t extras_used;    ///< a bit per extra column: some agent may hold another value than everybody has otherwise
    double *next_x, *next_y; ///< back buffers, swapped in by publish
    float *next_velocity_x, *next_velocity_y;
} throng_agents;

void throng_agents_release(throng_agents *agents, throng_memory *memory);

/// Room for `count` rows; false and unchanged when there is no memory.
bool throng_agents_reserve(throng_agents *agents, throng_memory *memory, uint32_t count);

/// Whether a row differs from the default in what pairs share by: throng_world.mixed.
static inline bool throng_row_is_mixed(const throng_agents *agents, uint32_t row) {
    return agents->yield[row] != 1.0f || agents->margin[row] != 0.0f || agents->layer[row] != 1 ||
           agents->mask[row] != 1;
}

/// Copies a row over another, all columns.
void throng_agents_copy_row(throng_agents *agents, uint32_t to, uint32_t from);

/// Exchanges two rows.
void throng_agents_swap_rows(throng_agents *agents, uint32_t a, uint32_t b);

/// Row i becomes what row order[i] was, for the first `count` rows. `spare` holds count * 8 bytes.
void throng_agents_reorder(throng_agents *agents, const throng_parallel *parallel, const uint32_t *order,
                           uint32_t count, void *spare);

#endif
