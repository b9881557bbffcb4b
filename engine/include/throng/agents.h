// Agents: added, removed, parked, read and written in bulk. Every call does all of it or nothing, and names the first
// bad item in throng_last_error().
#ifndef THRONG_AGENTS_H
#define THRONG_AGENTS_H

#include <throng/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_world throng_world;

/// An agent. All zero is no agent. An index is reused first-in first-out under a new generation, so that a stale id
/// is told from every later agent's.
typedef struct throng_agent_id {
    uint32_t index;      ///< >= 1, below throng_view.index_limit; small numbers, fit to index the host's arrays
    uint32_t generation; ///< >= 1
} throng_agent_id;

/// What carries an agent (throng/supports.h). All zero: the ground.
typedef struct throng_support_id {
    uint32_t index;      ///< 1..65535
    uint32_t generation; ///< >= 1
} throng_support_id;

typedef enum throng_target_kind {
    THRONG_TARGET_NONE = 0,     ///< wishes to stand
    THRONG_TARGET_VELOCITY = 1, ///< a fixed preferred velocity, never altered
    THRONG_TARGET_POINT = 2,    ///< walks to a point and stands there
    THRONG_TARGET_SEGMENT = 3   ///< walks to the nearest point of a segment
} throng_target_kind;

typedef struct throng_target {
    throng_target_kind kind;
    double x, y;               ///< POINT, SEGMENT: m, its (first) point. VELOCITY: m/s, rounded to float
    double end_x, end_y;       ///< SEGMENT: m, its other end, at most 1e6 m away
    throng_support_id support; ///< in whose frame they are; the directions of VELOCITY, too. Default: the ground
} throng_target;

enum {
    THRONG_AGENT_HOST_MOVED = 1 ///< the engine solves its velocity (SOLVED_VELOCITY) and others avoid it; only the
                                ///< host moves it, by writing POSITION and VELOCITY
};

/// The side to which an agent on its way to a target turns from those it would run into, so that people who meet head
/// on pass each other. Fixed preferred velocities are never turned.
typedef enum throng_side { THRONG_SIDE_NONE = 0, THRONG_SIDE_RIGHT = 1, THRONG_SIDE_LEFT = 2 } throng_side;

/// How the density of people ahead slows an agent; fixed preferred velocities are slowed, too.
typedef enum throng_density_response {
    THRONG_DENSITY_NONE = 0,
    THRONG_DENSITY_WEIDMANN = 1, ///< Weidmann's fundamental diagram (1993), as a part of the preferred speed
    THRONG_DENSITY_TABLE = 2     ///< the world's first density table; THRONG_DENSITY_TABLE + i is its i-th
} throng_density_response;

/// How an agent chooses its velocity. RVO and VO weigh collisions by their time, up to throng_sampling.horizon instead
/// of time_horizon, and nothing is infeasible to them.
typedef enum throng_model {
    THRONG_MODEL_ORCA = 0, ///< half-planes, solved exactly: van den Berg et al. (2011)
    THRONG_MODEL_RVO = 1,  ///< the least penalty among sampled velocities, reciprocal: van den Berg et al. (2008)
    THRONG_MODEL_VO = 2    ///< the same against velocity obstacles: others are taken to keep their velocities
} throng_model;

/// What an agent does when no velocity meets all half-planes of other agents.
typedef enum throng_infeasible {
    THRONG_INFEASIBLE_LEAST_VIOLATION = 0, ///< the least greatest violation, and the nearest to its wish among those
    THRONG_INFEASIBLE_BRAKE = 1            ///< brakes as hard as its acceleration and the walls let it
} throng_infeasible;

/// Everything an agent starts with. Start from throng_default_agent_def(). Places are within +-1e12 m; floats are >= 0
/// and at most 1e9 where nothing else is said.
typedef struct throng_agent_def {
    size_t struct_size;
    double position[2];     ///< m, in the frame of its support
    float velocity[2];      ///< m/s, within +-1e9; what others see until its first step
    throng_target target;   ///< default: NONE
    float radius;           ///< m, the body: walls, contacts; default 0.25
    float margin;           ///< m, added to the radius in half-planes between agents only; default 0
    float max_speed;        ///< m/s, never exceeded; default 1.6
    float preferred_speed;  ///< m/s, towards a target; limited by max_speed; default 1.3
    float max_acceleration; ///< m/s², or INFINITY (default): none
    float time_horizon;     ///< s, > 0: how far ahead collisions with agents are avoided; default 2
    float obstacle_horizon; ///< s, > 0: the same for walls, never shorter than the step; default 1
    float neighbor_range;   ///< m, a gap between bodies: who is farther is not heeded; default 5
    float yield;            ///< weight in shares yield_A / (yield_A + yield_B); 0 never gives way; default 1
    float goal_radius;      ///< m: arrived once the centre is this near to the target; default 0.25
    float stuck_time;       ///< s, > 0 or INFINITY: stuck once it comes no nearer to its target for so long; default 10
    uint32_t side;          ///< a throng_side; default RIGHT
    uint32_t density_response; ///< a throng_density_response, or a table's; default NONE
    uint32_t max_neighbors;    ///< 0..255: the nearest so many are heeded; default 10
    uint32_t layer;            ///< what it is; default 1
    uint32_t mask;             ///< whom and which walls it heeds: (mask & layer of the other) != 0; default 1
    uint32_t flags;            ///< THRONG_AGENT_*; default 0
    uint64_t host_word;        ///< the host's own, carried and never read

    // What few crowds use: columns for these exist only once an agent holds another value than the default.
    uint32_t model;         ///< a throng_model; default ORCA
    float aggressiveness;   ///< m, RVO and VO: what a collision a second ahead costs; more keeps farther; default 1
    uint32_t infeasible;    ///< a throng_infeasible; default LEAST_VIOLATION
    float max_turn_rate;    ///< rad/s, how fast the direction of its velocity may change, or INFINITY (default)
    float gradient[2];      ///< m of height gained a metre along x and y, within +-1e9; default 0. With g, speeds and
                            ///< accelerations on the map are 1/k of those along the ground, k = sqrt(1 + g.g); where
                            ///< the map's ground slopes, too, the larger k counts
    float speed_limit;      ///< m/s on the map, of the way's leg, or INFINITY (default): min(max_speed / k, this)
    float height_low;       ///< m: it meets only agents and walls whose heights overlap its own (those that just touch
    float height_high;      ///< do not); default -INFINITY to INFINITY
    float view_cosine;      ///< -1..1: of half the angle of view around its velocity, or, of who stands, the way to its
                            ///< target; default -1: sees all round. Those it does not see it does not avoid, and
                            ///< they take the whole of the correction
    float view_range;       ///< m, to the other's centre, or INFINITY (default)
    uint32_t line_of_sight; ///< 1: walls that stop it hide others, by the line between centres; default 0
    uint32_t swap;          ///< 1: may change places with one who is in its way while it is in that one's, where both
                            ///< may, once they waited for 0.6 of their stuck_time (event SWAPPED); default 0
    throng_support_id support; ///< on which it stands (throng/supports.h); default: the ground
} throng_agent_def;

THRONG_API throng_agent_def throng_default_agent_def(void);

/// Adds `count` agents in order (their creation numbers ascend) and writes their ids where `ids` is not null.
/// An agent inside a wall or solid is accepted: it walks to the nearest free place at no more than its max_speed
/// (event DISPLACED). ARGUMENT, VALUE, CAPACITY (more than 2^30 agents), MEMORY, BUSY.
THRONG_API throng_result throng_agents_add(throng_world *world, const throng_agent_def *defs, uint32_t count,
                                           throng_agent_id *ids);

/// Removes agents. ARGUMENT (null, an id named twice), STALE_ID, MEMORY, BUSY.
THRONG_API throng_result throng_agents_remove(throng_world *world, const throng_agent_id *ids, uint32_t count);

/// Parks agents (out of the step: neither move, nor are seen, nor found by queries; their fields stay readable and
/// writable) or brings them back. Parking the parked is fine. ARGUMENT, STALE_ID, MEMORY, BUSY.
THRONG_API throng_result throng_agents_park(throng_world *world, const throng_agent_id *ids, uint32_t count,
                                            bool parked);

/// What has become of an agent's wish. The first that applies, from the last to the first.
typedef enum throng_agent_state {
    THRONG_AGENT_IDLE = 0, ///< no target, or a fixed preferred velocity of zero
    THRONG_AGENT_UNDER_WAY = 1,
    THRONG_AGENT_WAITING = 2, ///< under way, but over the last second it got less than half of its wish
    THRONG_AGENT_STUCK = 3,   ///< under way, but not nearer to its target by a radius within stuck_time
    THRONG_AGENT_ARRIVED = 4, ///< within goal_radius of its target, or as near as those who arrived before let it
    THRONG_AGENT_OUTSIDE = 5  ///< on its way out of a wall or solid
} throng_agent_state;

/// A field of every agent. In brackets: the type of one element in the caller's array, and whether it can be written.
typedef enum throng_field {
    THRONG_FIELD_POSITION = 0, ///< [double[2], written: a teleport] in the frame of its support
    THRONG_FIELD_VELOCITY = 1, ///< [float[2], written] the velocity really had, relative to its support
    THRONG_FIELD_TARGET = 2,   ///< [throng_target, written: not arrived from now on]
    THRONG_FIELD_RADIUS = 3,   ///< [float, written], likewise down to GOAL_RADIUS, ranges as in the def
    THRONG_FIELD_MARGIN = 4,
    THRONG_FIELD_MAX_SPEED = 5,
    THRONG_FIELD_PREFERRED_SPEED = 6,
    THRONG_FIELD_MAX_ACCELERATION = 7,
    THRONG_FIELD_TIME_HORIZON = 8,
    THRONG_FIELD_OBSTACLE_HORIZON = 9,
    THRONG_FIELD_NEIGHBOR_RANGE = 10,
    THRONG_FIELD_YIELD = 11,
    THRONG_FIELD_GOAL_RADIUS = 12,
    THRONG_FIELD_MAX_NEIGHBORS = 13, ///< [uint32_t, written], likewise LAYER, MASK, FLAGS
    THRONG_FIELD_LAYER = 14,
    THRONG_FIELD_MASK = 15,
    THRONG_FIELD_FLAGS = 16,
    THRONG_FIELD_HOST_WORD = 17,          ///< [uint64_t, written]
    THRONG_FIELD_SOLVED_VELOCITY = 18,    ///< [float[2]] what the last step's program gave, before walls
    THRONG_FIELD_PREFERRED_VELOCITY = 19, ///< [float[2]] what the last step wished
    THRONG_FIELD_ARRIVED = 20,            ///< [uint8_t] 1 once within goal_radius of its target
    THRONG_FIELD_CREATION = 21,           ///< [uint64_t] creation number, from 0, never reused
    THRONG_FIELD_PARKED = 22,             ///< [uint8_t]
    THRONG_FIELD_OUTSIDE = 23,            ///< [uint8_t] 1 while on its way out of a wall or solid
    THRONG_FIELD_STUCK_TIME = 24,         ///< [float, written]
    THRONG_FIELD_SIDE = 25,               ///< [uint32_t, written], likewise DENSITY_RESPONSE
    THRONG_FIELD_DENSITY_RESPONSE = 26,
    THRONG_FIELD_STATE = 27,          ///< [uint8_t] a throng_agent_state
    THRONG_FIELD_MODEL = 28,          ///< [uint32_t, written]
    THRONG_FIELD_AGGRESSIVENESS = 29, ///< [float, written]
    THRONG_FIELD_INFEASIBLE = 30,     ///< [uint32_t, written]
    THRONG_FIELD_MAX_TURN_RATE = 31,  ///< [float, written]
    THRONG_FIELD_GRADIENT = 32,       ///< [float[2], written]
    THRONG_FIELD_SPEED_LIMIT = 33,    ///< [float, written], likewise down to VIEW_RANGE
    THRONG_FIELD_HEIGHT_LOW = 34,
    THRONG_FIELD_HEIGHT_HIGH = 35,
    THRONG_FIELD_VIEW_COSINE = 36,
    THRONG_FIELD_VIEW_RANGE = 37,
    THRONG_FIELD_LINE_OF_SIGHT = 38, ///< [uint32_t, written]
    THRONG_FIELD_SUPPORT = 39,       ///< [throng_support_id, written: it stays where it is in the world]
    THRONG_FIELD_SWAP = 40,          ///< [uint32_t, written]
    THRONG_FIELD_COUNT = 41
} throng_field;

/// Copies a field of `count` agents into `values`. `ids` null: of all agents, parked ones too, in the view's row
/// order; `count` must then be their number. ARGUMENT, STALE_ID.
THRONG_API throng_result throng_agents_read(const throng_world *world, throng_field field, const throng_agent_id *ids,
                                            uint32_t count, void *values);

/// Writes a field of `count` agents from `values`. `ids` null: of all agents in the view's row order.
/// ARGUMENT (also a field that can't be written), STALE_ID, VALUE, MEMORY, BUSY.
THRONG_API throng_result throng_agents_write(throng_world *world, throng_field field, const throng_agent_id *ids,
                                             uint32_t count, const void *values);

/// The row of an agent in the world's view. ARGUMENT, STALE_ID.
THRONG_API throng_result throng_agent_row(const throng_world *world, throng_agent_id id, uint32_t *row);

#ifdef __cplusplus
}
#endif

#endif
