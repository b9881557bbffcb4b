// The one list of what an agent is. Growth, row moves, hashes and snapshots are made from it.
#ifndef THRONG_STATE_COLUMNS_H
#define THRONG_STATE_COLUMNS_H

#include <math.h>
#include <throng/agents.h>

/// Flags of an agent: the host's (THRONG_AGENT_*) in the low byte, the engine's above.
enum {
    THRONG_FLAG_HOST_MOVED = THRONG_AGENT_HOST_MOVED,
    THRONG_FLAG_HOST_MASK = 0xff,
    THRONG_FLAG_PARKED = 1 << 8,
    THRONG_FLAG_ARRIVED = 1 << 9,   ///< was within goal_radius of its target
    THRONG_FLAG_OUTSIDE = 1 << 10,  ///< on its way out of a wall or solid
    THRONG_FLAG_UNPLACED = 1 << 11, ///< put where it is since the last step: its place is still to be checked
    THRONG_FLAG_LEAVING = 1 << 12,  ///< within a call that removes it
    THRONG_FLAG_SETTLED = 1 << 13,  ///< stands, since others that arrived hold the way to its target
    THRONG_FLAG_STUCK = 1 << 14,    ///< not nearer to its target by a radius within stuck_time
    THRONG_FLAG_ASIDE = 1 << 15     ///< steps aside, since it and others are in each other's way
};

// X(type, name, kind, range). Kinds: STATE decides later steps (hashed, in snapshots); OUTCOME is read by the host only
// (in snapshots, not hashed); IDENTITY names the agent and differs between equal runs (in snapshots, not hashed).
// Ranges: what a snapshot may hold. FINITE, NOT_NEGATIVE, POSITIVE: finite numbers; OR_INFINITE: not negative; ANY;
// SUPPORT: an index in use, or 0; SIGNED_OR_INFINITE: any number but NaN; COSINE: -1..1; FLAGS, TARGET_KIND, SIDE,
// DENSITY, MODEL, INFEASIBLE and TRUTH: bits and enumerators that exist. Places and velocities are in the frame of the
// agent's support (0: the ground).
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
    X(float, stuck_time, STATE, OR_INFINITE)                                                                           \
    X(float, claim, STATE, NOT_NEGATIVE)   /* its yield as others see it: what arriving and waiting make of it */      \
    X(float, blocked, STATE, NOT_NEGATIVE) /* 0..1: the part of its wish that it did not get, over the last second */  \
    X(float, nearest, STATE, OR_INFINITE)  /* m, least distance to the target so far, in strides of a radius */        \
    X(float, waited, STATE, NOT_NEGATIVE)  /* s, since it came nearer; while SETTLED: since its way is free */         \
    X(uint32_t, layer, STATE, ANY)                                                                                     \
    X(uint32_t, mask, STATE, ANY)                                                                                      \
    X(uint16_t, flags, STATE, FLAGS)                                                                                   \
    X(uint16_t, support, STATE, SUPPORT) /* index; 0: the ground */                                                    \
    X(uint8_t, max_neighbors, STATE, ANY)                                                                              \
    X(uint8_t, target_kind, STATE, TARGET_KIND)                                                                        \
    X(uint8_t, side, STATE, SIDE)                                                                                      \
    X(uint8_t, density_response, STATE, DENSITY)                                                                       \
    X(uint8_t, settlings, STATE, ANY) /* how often it settled at this target */                                        \
    X(uint64_t, creation, STATE, ANY) /* never reused */                                                               \
    X(uint64_t, host_word, OUTCOME, ANY)                                                                               \
    X(uint32_t, rank, IDENTITY, ANY) /* same order as creation numbers, in 32 bits */                                  \
    X(throng_agent_id, id, IDENTITY, ANY)

// What only some crowds use: X(type, name, kind, range, otherwise). All of these are there or none: they come with the
// first value that is not what an agent has otherwise. Such values alone are hashed, and a snapshot holds the columns
// only while there are some, so that a world that never had them is equal to one where they are all back.
#define THRONG_EXTRA_COLUMNS(X)                                                                                        \
    X(float, gradient_x, STATE, FINITE, 0.0f) /* of the ground, m up a m along x */                                    \
    X(float, gradient_y, STATE, FINITE, 0.0f)                                                                          \
    X(float, speed_limit, STATE, OR_INFINITE, INFINITY)        /* m/s, of the leg it walks */                          \
    X(float, max_turn_rate, STATE, OR_INFINITE, INFINITY)      /* rad/s */                                             \
    X(float, aggressiveness, STATE, NOT_NEGATIVE, 1.0f)        /* m, w of the sampled models */                        \
    X(float, height_low, STATE, SIGNED_OR_INFINITE, -INFINITY) /* m */                                                 \
    X(float, height_high, STATE, SIGNED_OR_INFINITE, INFINITY) /* m */                                                 \
    X(float, view_cosine, STATE, COSINE, -1.0f)                /* of half the angle of view */                         \
    X(float, view_range, STATE, OR_INFINITE, INFINITY)         /* m */                                                 \
    X(uint8_t, model, STATE, MODEL, THRONG_MODEL_ORCA)                                                                 \
    X(uint8_t, infeasible, STATE, INFEASIBLE, THRONG_INFEASIBLE_LEAST_VIOLATION)                                       \
    X(uint8_t, swap, STATE, TRUTH, 0) /* changes places with who is in its way, as a last resort */                    \
    X(uint8_t, line_of_sight, STATE, TRUTH, 0)                                                                         \
    X(uint16_t, target_support, STATE, SUPPORT, 0) /* in whose frame its target is */

#endif
