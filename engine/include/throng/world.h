// Worlds: created from a def, stepped, looked at.
#ifndef THRONG_WORLD_H
#define THRONG_WORLD_H

#include <throng/agents.h>
#include <throng/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum throng_solver {
    THRONG_SOLVER_FAST = 0,     ///< the incremental program over lanes
    THRONG_SOLVER_REFERENCE = 1 ///< enumeration of candidate points in double: slow, for checking
} throng_solver;

/// A response to density of the host's own: the part of the preferred speed at each density felt ahead, linear between
/// the points, constant before the first and after the last.
typedef struct throng_density_table {
    uint32_t point_count; ///< 1..256
    const float *points;  ///< pairs: people per square metre, >= 0 and ascending; part of the speed, 0..1
} throng_density_table;

/// Where the velocities come from that agents of the models RVO and VO try.
typedef enum throng_sample_pattern {
    THRONG_SAMPLES_RANDOM = 0, ///< spread evenly, turned by a hash of seed, agent and step
    THRONG_SAMPLES_EVEN = 1    ///< the same for all agents at all steps
} throng_sample_pattern;

typedef struct throng_sampling {
    uint32_t count; ///< velocities an agent tries beside the preferred and its present one, at most 65535
    throng_sample_pattern pattern; ///< default RANDOM
    float horizon;                 ///< s, > 0: later collisions with agents do not count; INFINITY (default): all do
} throng_sampling;

/// Start from throng_default_world_def().
typedef struct throng_world_def {
    size_t struct_size;
    throng_map *map;            ///< null (default): the open plane. The world keeps a reference of its own
    uint64_t seed;              ///< of every random draw; default 1
    uint32_t threads;           ///< at most so many, up to 1024; 0 (default): all. Without effect on results
    uint32_t contact_passes;    ///< push-out passes a step, 0..255; default 12. In a heap, who has 16 others over its
                                ///< centre and on all sides stands still until those at the rim have parted
    throng_solver solver;       ///< default FAST
    throng_sampling sampling;   ///< of agents whose model is RVO or VO; default: 250 random ones
    const char *kernel;         ///< "scalar", "sse2", "avx2", "avx512", "neon"; null (default): the environment's
                                ///< THRONG_KERNEL, or the best for this machine. Without effect on results
    uint32_t event_mask;        ///< 1 << THRONG_EVENT_* of the kinds wanted; default: all but INFEASIBLE and CONTACT
    bool profile;               ///< measure the stages; default false
    bool stage_hashes;          ///< hash what each stage made; default false
    throng_executor executor;   ///< default: OpenMP
    throng_allocator allocator; ///< default: the C library's

    /// Copied; agents name them by THRONG_DENSITY_TABLE + i. A snapshot needs a world with the same ones.
    const throng_density_table *density_tables;
    uint32_t density_table_count; ///< 0 (default) to 253
} throng_world_def;

THRONG_API throng_world_def throng_default_world_def(void);

/// ARGUMENT, VALUE, UNSUPPORTED (kernel), MEMORY.
THRONG_API throng_result throng_world_create(const throng_world_def *def, throng_world **world);

/// Null is fine. From inside a step of the world it does nothing.
THRONG_API void throng_world_destroy(throng_world *world);

/// Moves every agent by one step of `time_step` seconds (> 0, at most 1e6). A step that fails leaves the world as it
/// was. ARGUMENT, VALUE (time_step, or an input column holds a number out of a target's range; item: the agent's
/// index), MEMORY, BUSY.
THRONG_API throng_result throng_world_step(throng_world *world, double time_step);

/// Renews the index after additions, removals and teleports, so that queries may run before the next step.
/// ARGUMENT, MEMORY, BUSY.
THRONG_API throng_result throng_world_refresh(throng_world *world);

/// The last published state, without a copy. Rows hold the agents in no particular order; a step or a change of the
/// crowd may move them. Pointers are valid until the next call that takes a non-const world.
typedef struct throng_view {
    uint64_t step;        ///< steps made
    double time;          ///< s, the end of the last step: n * time_step while time_step stays the same
    uint32_t count;       ///< rows, parked agents among them
    uint32_t index_limit; ///< every throng_agent_id.index is below it
    const throng_agent_id *ids;
    const uint64_t *creation;             ///< creation numbers
    const double *x, *y;                  ///< m, world
    const float *velocity_x, *velocity_y; ///< m/s, world
    const float *radius;                  ///< m
    const uint64_t *host_word;
} throng_view;

/// ARGUMENT.
THRONG_API throng_result throng_world_view(const throng_world *world, throng_view *view);

/// Columns of the host that replace agents' targets, read by every step without a copy, indexed by
/// throng_agent_id.index; they must hold throng_view.index_limit elements during a step. Null: not used.
typedef struct throng_inputs {
    size_t struct_size;
    const float *preferred_velocity; ///< m/s, x y pairs within +-1e9: agents with target VELOCITY walk by these
    const double *target;            ///< m, x y pairs within +-1e12: agents with target POINT walk to these
} throng_inputs;

/// Binds (null: unbinds) input columns. A snapshot does not hold them. ARGUMENT, BUSY.
THRONG_API throng_result throng_world_bind_inputs(throng_world *world, const throng_inputs *inputs);

typedef struct throng_wall_id {
    uint32_t index;      ///< >= 1
    uint32_t generation; ///< >= 1
} throng_wall_id;

/// Adds walls of the world's own beside its map's and writes their ids where `ids` is not null. Agents that they catch
/// are treated as if put there. Costs what building the map anew with them costs.
/// ARGUMENT, VALUE (item: the wall), CAPACITY, MEMORY, BUSY.
THRONG_API throng_result throng_world_add_walls(throng_world *world, const throng_wall *walls, uint32_t count,
                                                throng_wall_id *ids);

/// Removes walls of the world's own. ARGUMENT (also an id named twice), STALE_ID, MEMORY, BUSY.
THRONG_API throng_result throng_world_remove_walls(throng_world *world, const throng_wall_id *ids, uint32_t count);

typedef enum throng_event_kind {
    THRONG_EVENT_ARRIVED = 0,    ///< THRONG_AGENT_ARRIVED for the first time at its target; value: 0
    THRONG_EVENT_DISPLACED = 1,  ///< found inside a wall or solid, on its way out; value: m to the free place
    THRONG_EVENT_CRUSHED = 2,    ///< squeezed between walls; value: m of overlap
    THRONG_EVENT_INFEASIBLE = 3, ///< no velocity met all half-planes; value: m/s of the least greatest violation
    THRONG_EVENT_CONTACT = 4,    ///< bodies overlap after the step; value: m of the deepest overlap, other: with whom
    THRONG_EVENT_STUCK = 5,      ///< came no nearer to its target for its stuck_time; value: m to the target
    THRONG_EVENT_SWAPPED = 6,    ///< changed places with `other`, each in the other's way; value: m
    THRONG_EVENT_KIND_COUNT = 7
} throng_event_kind;

/// What keeps an agent from its target.
typedef enum throng_stuck_reason {
    THRONG_STUCK_NOT = 0,
    THRONG_STUCK_UNREACHABLE = 1, ///< its target lies within walls, beyond goal_radius from any free place
    THRONG_STUCK_WALLS = 2,       ///< walls stand in its way
    THRONG_STUCK_BLOCKED = 3,     ///< `other` stands in its way and does not wish to move
    THRONG_STUCK_JAM = 4,         ///< `other` is in its way and waits, too
    THRONG_STUCK_DOOR = 5         ///< it waits at a door that people want through from both sides
} throng_stuck_reason;

typedef struct throng_event {
    throng_event_kind kind;
    float value;
    throng_agent_id agent;
    throng_agent_id other;      ///< all zero where nobody else takes part
    throng_stuck_reason reason; ///< of STUCK
} throng_event;

/// The events of the last step, ordered by (creation number, kind); valid until the next non-const call. ARGUMENT.
THRONG_API throng_result throng_world_events(const throng_world *world, const throng_event **events, uint32_t *count);

typedef struct throng_counters {
    uint64_t agents; ///< now, parked ones too
    uint64_t parked;
    uint64_t infeasible;         ///< last step: solves that met not all half-planes
    uint64_t contacts_truncated; ///< last step: contact candidates beyond 16 an agent
    uint64_t walls_truncated;    ///< last step: wall pieces beyond 32 an agent
    uint64_t infeasible_total;   ///< since creation
    uint64_t truncated_total;    ///< since creation: contacts and walls
    float overlap;               ///< m, last step: deepest overlap of two bodies that heed each other
    float wall_overlap;          ///< m, last step: deepest reach of a body into a wall, those OUTSIDE left out
    float overlap_max;           ///< m, since creation
    float wall_overlap_max;      ///< m, since creation
    uint64_t bytes;              ///< memory the world holds now
    uint64_t step_allocations;   ///< allocations in the last step: 0 when warm
    const char *kernel;          ///< that this world uses
    uint32_t threads;            ///< that a step may use
} throng_counters;

/// ARGUMENT.
THRONG_API throng_result throng_world_counters(const throng_world *world, throng_counters *counters);

typedef enum throng_stage {
    THRONG_STAGE_INGEST = 0,
    THRONG_STAGE_NEIGHBORS = 1,
    THRONG_STAGE_SENSE = 2,
    THRONG_STAGE_CONSTRAINTS = 3,
    THRONG_STAGE_SOLVE = 4,
    THRONG_STAGE_INTEGRATE = 5,
    THRONG_STAGE_CONTACTS = 6,
    THRONG_STAGE_INDEX = 7,
    THRONG_STAGE_PUBLISH = 8,
    THRONG_STAGE_COUNT = 9
} throng_stage;

typedef struct throng_profile {
    double seconds[THRONG_STAGE_COUNT]; ///< last step; a stage that runs per tile: the sum over workers by its share
    double total_seconds;               ///< last step, wall clock
    double run_seconds;                 ///< since creation, wall clock inside steps
    uint64_t agent_steps;               ///< since creation: the sum of unparked agents over steps
} throng_profile;

/// Stage times are 0 unless the def asked to profile; the totals are always kept. ARGUMENT.
THRONG_API throng_result throng_world_profile(const throng_world *world, throng_profile *profile);

enum { THRONG_HASH_COLUMNS = 96 };

/// Hashes of the state by creation number: they depend on no slot, id, row, thread, kernel or compiler.
typedef struct throng_hashes {
    uint64_t whole;        ///< everything that decides the next steps but walls, inputs and what the def says (its
                           ///< seed and density tables are in it)
    uint64_t places;       ///< positions and velocities only
    uint32_t column_count; ///< entries of the two arrays in use
    const char *names[THRONG_HASH_COLUMNS];
    uint64_t columns[THRONG_HASH_COLUMNS];
    uint64_t stages[THRONG_STAGE_COUNT]; ///< last step, where the def asked for stage_hashes; else 0
} throng_hashes;

/// Runs on the world's threads: where several threads ask at once, the host's executor is called by several at once.
/// ARGUMENT.
THRONG_API throng_result throng_world_hash(const throng_world *world, throng_hashes *hashes);

/// Writes a snapshot of all that decides later steps but the map, density tables and input columns: agents, parked ones
/// too, with their ids and creation numbers, own walls, supports, doors with their turns, time, seed, solver, sampling
/// and contact passes; totals of counters besides. It
/// is portable over builds and machines. `size` receives the bytes needed, also when `capacity` is too small (CAPACITY,
/// nothing written); `buffer` null with capacity 0 asks for the size only and returns OK. Needs no memory. Runs on the
/// world's threads: where several threads save at once, the host's executor is called by several at once.
/// ARGUMENT, CAPACITY, BUSY.
THRONG_API throng_result throng_world_save(const throng_world *world, void *buffer, size_t capacity, size_t *size);

/// Puts the world back to a snapshot of a world with the same map and density tables. Ids given out then are valid
/// again, those given out since are stale. The index is stale until throng_world_refresh or a step; there are no
/// events; counters of the last step are 0. The snapshot is checked whole before anything changes. ARGUMENT, SNAPSHOT,
/// MEMORY, BUSY.
THRONG_API throng_result throng_world_load(throng_world *world, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
