// The heights at which an agent is: it meets those alone, agents and walls, whose heights overlap its own.
#ifndef THRONG_STATE_HEIGHT_H
#define THRONG_STATE_HEIGHT_H

#include "state/extras.h"
#include "state/wall_set.h"

/// What walls stop a row.
static inline throng_wall_filter throng_row_wall_filter(const throng_agents *agents, uint32_t row) {
    if (!agents->has_extras) return throng_wall_filter_of(agents->mask[row]);
    return (throng_wall_filter){agents->mask[row], agents->height_low[row], agents->height_high[row]};
}

#endif
