// What an agent takes of what a pair must do: corrections of velocity and push-out.
#ifndef THRONG_STEP_SHARE_H
#define THRONG_STEP_SHARE_H

#include "state/agents.h"

/// The weights are claims: yields, changed by arriving and waiting.
/// yield_A / (yield_A + yield_B) where both heed each other, all where only A heeds B: the alpha of generalised RVO
/// (van den Berg, Lin, Manocha 2008). A must heed B, and not both may have yield 0.
static inline float throng_share(const throng_agents *agents, uint32_t a, uint32_t b) {
    const bool mutual = (agents->mask[b] & agents->layer[a]) != 0;
    return mutual ? agents->claim[a] / (agents->claim[a] + agents->claim[b]) : 1.0f;
}

#endif
