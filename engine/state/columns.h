// The one list of what an agent is. Growth, row moves, hashes and snapshots are made from it.
#ifndef THRONG_STATE_COLUMNS_H
#define THRONG_STATE_COLUMNS_H

#include <throng/agents.h>

/// Flags of an agent: the host's (THRONG_AGENT_*) in the low byte, the engine's above.
enum {
    THRONG_FLAG_HOST_MOVED = THRONG_AGENT_HOST_MOVED,
    THRONG_FLAG_HOST_MASK = 0xff,
    THRONG_FLAG_PARKED = 1 << 8,
    THRONG_FLAG_ARRIVED = 1 << 9,   ///< was within goal_radius of its target
    THRONG_FLAG_OUTSIDE = 1 << 10,  ///< on its way out of a wall or solid
    THRONG_FLAG_UNPLACED = 1 << 11, ///< put where it is since the last step: its place is still to be checked
    THRONG_FLAG_LEAVING = 1 << 12   ///< within a call that removes it
};

// X(type, name, kind). Kinds: STATE decides later steps (hashed, in snapshots); OUTCOME is read by the host only
// (in snapshots, not hashed); IDENTITY names the agent and differs between equal runs (in snapshots, not hashed).
// Places and velocities are in the frame of the agent's support (0: the ground).
#define THRONG_AGENT_COLUMNS(X)                                                                                        \
    X(double, x, STATE) /* m */                                                                                        \
    X(double, y, STATE)                                                                                                \
    X(float, velocity_x, STATE) /* m/s, really had */                                                                  \
    X(float, velocity_y, STATE)                                                                                        \
    X(float, solved_x, OUTCOME) /* m/s, of the last program */                                                         \
    X(float, solved_y, OUTCOME)                                                                                        \
    X(float, preferred_x, OUTCOME) /* m/s, of the last step */                                                         \
    X(float, preferred_y, OUTCOME)                                                                                     \
    X(double, target_x, STATE) /* m, or m/s for a fixed preferred velocity */                                          \
    X(double, target_y, STATE)                                                                                         \
    X(float, target_dx, STATE) /* m, to a segment's other end */                                                       \
    X(float, target_dy, STATE)                                                                                         \
    X(float, radius, STATE)                                                                                            \
    X(float, margin, STATE)                                                                                            \
    X(float, max_speed, STATE)                                                                                         \
    X(float, preferred_speed, STATE)                                                                                   \
    X(float, max_acceleration, STATE)                                                                                  \
    X(float, time_horizon, STATE)                                                                                      \
    X(float, obstacle_horizon, STATE)                                                                                  \
    X(float, neighbor_range, STATE)                                                                                    \
    X(float, yield, STATE)                                                                                             \
    X(float, goal_radius, STATE)                                                                                       \
    X(uint32_t, layer, STATE)                                                                                          \
    X(uint32_t, mask, STATE)                                                                                           \
    X(uint16_t, flags, STATE)                                                                                          \
    X(uint16_t, support, STATE)                                                                                        \
    X(uint8_t, max_neighbors, STATE)                                                                                   \
    X(uint8_t, target_kind, STATE)                                                                                     \
    X(uint64_t, creation, STATE) /* never reused */                                                                    \
    X(uint64_t, host_word, OUTCOME)                                                                                    \
    X(uint32_t, rank, IDENTITY) /* same order as creation numbers, in 32 bits */                                       \
    X(throng_agent_id, id, IDENTITY)

#endif
