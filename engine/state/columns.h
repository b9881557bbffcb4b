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

// X(type, name, kind, range). Kinds: STATE decides later steps (hashed, in snapshots); OUTCOME is read by the host only
// (in snapshots, not hashed); IDENTITY names the agent and differs between equal runs (in snapshots, not hashed).
// Ranges: what a snapshot may hold. FINITE, NOT_NEGATIVE, POSITIVE: finite numbers; OR_INFINITE: not negative; ANY;
// ZERO; FLAGS and TARGET_KIND: bits and enumerators that exist.
// Places and velocities are in the frame of the agent's support (0: the ground).
#define THRONG_AGENT_COLUMNS(X)                                                                                        \
    X(double, x, STATE, FINITE) /* m */                                                                                \
    X(double, y, STATE, FINITE)                                                                                        \
    X(float, velocity_x, STATE, FINITE) /* m/s, really had */                                                          \
    X(float, velocity_y, STATE, FINITE)                                                                                \
    X(float, solved_x, OUTCOME, FINITE) /* m/s, of the last program */                                                 \
    X(float, solved_y, OUTCOME, FINITE)                                                                                \
    X(float, preferred_x, OUTCOME, FINITE) /* m/s, of the last step */                                                 \
    X(float, preferred_y, OUTCOME, FINITE)                                                                             \
    X(double, target_x, STATE, FINITE) /* m, or m/s for a fixed preferred velocity */                                  \
    X(double, target_y, STATE, FINITE)                                                                                 \
    X(float, target_dx, STATE, FINITE) /* m, to a segment's other end */                                               \
    X(float, target_dy, STATE, FINITE)                                                                                 \
    X(float, radius, STATE, NOT_NEGATIVE)                                                                              \
    X(float, margin, STATE, NOT_NEGATIVE)                                                                              \
    X(float, max_speed, STATE, NOT_NEGATIVE)                                                                           \
    X(float, preferred_speed, STATE, NOT_NEGATIVE)                                                                     \
    X(float, max_acceleration, STATE, OR_INFINITE)                                                                     \
    X(float, time_horizon, STATE, POSITIVE)                                                                            \
    X(float, obstacle_horizon, STATE, POSITIVE)                                                                        \
    X(float, neighbor_range, STATE, NOT_NEGATIVE)                                                                      \
    X(float, yield, STATE, NOT_NEGATIVE)                                                                               \
    X(float, goal_radius, STATE, NOT_NEGATIVE)                                                                         \
    X(uint32_t, layer, STATE, ANY)                                                                                     \
    X(uint32_t, mask, STATE, ANY)                                                                                      \
    X(uint16_t, flags, STATE, FLAGS)                                                                                   \
    X(uint16_t, support, STATE, ZERO)                                                                                  \
    X(uint8_t, max_neighbors, STATE, ANY)                                                                              \
    X(uint8_t, target_kind, STATE, TARGET_KIND)                                                                        \
    X(uint64_t, creation, STATE, ANY) /* never reused */                                                               \
    X(uint64_t, host_word, OUTCOME, ANY)                                                                               \
    X(uint32_t, rank, IDENTITY, ANY) /* same order as creation numbers, in 32 bits */                                  \
    X(throng_agent_id, id, IDENTITY, ANY)

#endif
