// Fields of agents by name: where they live, what values they may have.
#ifndef THRONG_API_FIELDS_H
#define THRONG_API_FIELDS_H

#include "state/world.h"

/// ARGUMENT (struct_size, kinds, flags) or VALUE, naming the item and what would be right.
throng_result throng_check_agent_def(const throng_agent_def *def, int64_t item);

/// The target must have been checked. The agent has not arrived from now on.
void throng_set_target(throng_agents *agents, uint32_t row, const throng_target *target);

#endif
