// A step under way: the stages, in order, and the scratch that they share. A stage is a file; it reads what earlier
// stages finished and writes its own columns only.
#ifndef THRONG_STEP_STEP_H
#define THRONG_STEP_STEP_H

#include "base/compiler.h"
#include "base/scalar.h"
#include "base/sort.h"
#include "kernels/nearest.h"
#include "state/frame.h"
#include "state/ground.h"
#include "state/height.h"
#include "state/wall_near.h"
#include "state/world.h"

#include <stdatomic.h>

enum {
    THRONG_MAX_CONTACTS = THRONG_CONTACT_SLOTS - 1, ///< contact candidates an agent
    THRONG_MAX_WALLS = THRONG_WALL_NEAR_MAX,        ///< wall pieces an agent
    THRONG_MAX_NEIGHBORS = 255,
    THRONG_TASK_ROWS = 8 * THRONG_LANES, ///< agents a task: enough to share, few enough to balance
    THRONG_SERIAL_TASKS = 2              ///< tasks that are not worth waking another thread for
};

/// Tile scratch: one leaf of the tree, an agent a lane. Arrays by slot are [slot][THRONG_LANES]. Lanes at and beyond
/// `count` repeat lane 0 and take part in nothing.
typedef struct throng_tile {
    _Alignas(THRONG_CACHE_LINE) uint32_t row[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float velocity_x[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float velocity_y[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float radius[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float horizon[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float obstacle_horizon[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float max_speed[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float reach_radius[THRONG_LANES]; // m/s
    _Alignas(THRONG_CACHE_LINE) float preferred_x[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float preferred_y[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float solved_x[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float solved_y[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float violation[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float blocked[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) double next_x[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) double next_y[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float next_velocity_x[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float next_velocity_y[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) int32_t neighbor_count[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) int32_t wall_count[THRONG_LANES];
    throng_nearest_lists lists;
    throng_near_leaves near_leaves;       ///< as of the task that was searched last (step/near_leaves.h)
    throng_footing footing[THRONG_LANES]; ///< where the ground matters
    uint32_t first;                       ///< tree position of lane 0
    int count;                            ///< lanes with an agent
    uint32_t infeasible;                  ///< a bit per lane, as of the next four
    uint32_t to_place;                    ///< its target is a place
    uint32_t outside;                     ///< it is on its way out of a wall
    uint32_t buried;                      ///< it stands still under others (step/buried.h)
    uint32_t among_standers;              ///< some of its neighbors may have arrived where they wanted to go
    uint32_t walls_cut;                   ///< lanes with more wall pieces near than are heeded
    uint32_t blocker[THRONG_LANES];       ///< row of who is in the way of a blocked agent; its own: nobody
    uint16_t event_bits[THRONG_LANES];
    uint16_t flags[THRONG_LANES];
    float displaced[THRONG_LANES];  ///< m, to the free place of those on their way out of a wall
    int neighbor_slots, wall_slots; ///< in use in this tile
    int hard_slots;                 ///< half-planes before those of agents: walls, and limits of turns where some are

    const float *contact_key;        ///< [slot] who may be touched, sorted like the neighbors: m
    const int32_t *contact_position; ///< [slot] tree positions
    float *seen_contact_key;         ///< [slot] memory of the two where contacts have lists of their own
    int32_t *seen_contact_position;

    int slot_capacity; ///< of the arrays by slot, walls and neighbors together
    int32_t *neighbor_row;
    float *pair_x, *pair_y, *pair_vx, *pair_vy, *pair_radius, *pair_share;
    float *wall_sx, *wall_sy, *wall_ux, *wall_uy, *wall_to_a, *wall_to_b, *wall_a_dx, *wall_a_dy, *wall_b_dx,
        *wall_b_dy;
    int32_t *wall_chain, *wall_flags;
    uint16_t *degenerate;             // [slot]
    throng_tile_planes planes;        // walls, limits of turns, agents
    uint32_t *near_walls, *own_walls; // pieces that come near the tile, and of them those that one agent heeds
    uint32_t near_wall_count;
    throng_wall_box wall_box;      // m: near_walls are those that come into it
    double wall_gap[THRONG_LANES]; // m, from the place to the nearest wall heeded, or how far was looked
    uint32_t walls_between;        // lanes with walls as near as a neighbor, where walls may hide others
    double seconds[THRONG_STAGE_COUNT];
} throng_tile;

/// What the tiles of a task, or the rows of a block, add to the step's figures; combined in order of the tasks.
typedef struct throng_tally {
    uint64_t infeasible, contacts_truncated, walls_truncated;
    uint32_t contacts_used;      ///< entries of the task's part of the contact candidates
    float overlap, wall_overlap; // m
    bool claims_vary;            ///< somebody claims more or less than its yield
    float contact_range;         ///< m, the largest: nobody has a candidate for contacts with a larger key
    bool buries;                 ///< somebody is buried
    uint32_t moved;              ///< tiles of which the last push-out pass moved somebody
    float farthest;              ///< m along an axis that it moved anybody, at most
    uint32_t bad_input;          ///< lowest agent index with an input that is not finite; UINT32_MAX: none
    uint32_t disorder;           ///< rows far from their tree position
    uint32_t events;             ///< rows with event bits
    uint32_t barred;             ///< rows that others have barred for long, or that step aside
    uint64_t stage_hashes[THRONG_STAGE_COUNT];
} throng_tally;

struct throng_step_memory {
    // By row.
    size_t capacity;
    uint16_t *event_bits;   // 1 << THRONG_EVENT_*, and THRONG_EVENT_BIT_*
    float *violation;       // m/s, of infeasible solves
    uint32_t *blocker;      // row of who is in its way; its own: nobody
    float *displaced;       // m, to the free place of those on their way out of a wall
    float *overlap;         // m, deepest with another body, after the step
    uint32_t *overlap_with; // its row

    // By tree position.
    uint8_t *contact_count;          // THRONG_CONTACT_SLOTS: more than are kept
    uint8_t *wall_room;              // THRONG_WALL_ROOM_UNIT: this far no push brings it to a wall; rounded down
    _Atomic uint8_t *due, *due_next; // whom this push-out pass and the next one must look at: nobody between steps

    // Contact candidates, by tree position, for each agent nearest first: [slot][THRONG_LANES] of each tile, one tile
    // after the other within what belongs to their task.
    uint32_t *contacts; // [task][THRONG_TASK_ROWS * THRONG_MAX_CONTACTS]
    // In the same memory, once contacts are done with.
    throng_sort_item *event_rows, *event_spare; // rows with events, by creation number
    void *spare;                                // 8 bytes a row, for moving rows

    // By tile of tree positions.
    uint32_t *contact_first; // where its contact candidates begin in `contacts`
    uint16_t *wall_near;     // a bit for each of its agents whose way may meet a wall, then for those in one
    uint32_t *wall_note;     // where its walls are noted in `contacts` (step/near_walls.h)
    uint16_t *pass_moved;    // a bit for each of its agents that push-out moved
    uint16_t *buried;        // a bit for each of its agents that stand still under others
    throng_tally *tallies;   // one a task

    // In worlds with supports, by leaf of the tree: the support of all of it, or THRONG_SUPPORTS_DIFFER.
    size_t leaf_capacity;
    uint32_t *leaf_support;

    uint32_t tile_count; // one a worker
    int tile_slots;
    size_t tile_walls;
    size_t tile_bytes;
    unsigned char *tiles;
};

/// The contact candidates of a tree position, THRONG_LANES apart.
static inline uint32_t *throng_contacts_of(const throng_step_memory *memory, uint32_t position) {
    return memory->contacts + memory->contact_first[position / THRONG_LANES] + position % THRONG_LANES;
}

#define THRONG_WALL_ROOM_UNIT 0x1p-8 // m

#define THRONG_SUPPORTS_DIFFER UINT32_MAX

/// Event bits that are no events.
enum {
    THRONG_EVENT_BIT_HELD = 1 << 13,      ///< others that arrived stand on its way to the same target
    THRONG_EVENT_BIT_NEAR_WALL = 1 << 14, ///< in worlds with supports: walls within reach of the step
    THRONG_EVENT_BIT_AT_START = 1 << 15   ///< with ARRIVED: it stood within goal_radius before it moved
};

typedef struct throng_step {
    throng_world *world;
    throng_step_memory *memory;
    double time_step; // s
    float dt;         // s
} throng_step;

// ---- stages, in order. Those from neighbors to solve write to their tile alone and need no memory of the step.
throng_result throng_step_ingest(throng_step *step);
void throng_step_neighbors(const throng_step *step, throng_tile *tile);
void throng_step_sense(const throng_step *step, throng_tile *tile);
void throng_step_constraints(const throng_step *step, throng_tile *tile);
void throng_step_solve(const throng_step *step, throng_tile *tile);
void throng_step_commit(const throng_step *step, const throng_tile *tile, throng_tally *tally);
void throng_step_integrate(const throng_step *step, throng_tile *tile);
void throng_step_contacts(throng_step *step);
void throng_step_carry(throng_step *step);
void throng_step_index(throng_step *step);
void throng_step_publish(throng_step *step);

// ---- what they share

/// Room for the world's agents and workers. False when there is no memory; what there was stays usable.
bool throng_step_memory_reserve(throng_world *world);

void throng_step_memory_release(throng_world *world);

/// Tasks of THRONG_TASK_ROWS agents, by tree position or by row.
uint32_t throng_step_tasks(const throng_step *step);

/// Where the task that begins at a row or tree position ends.
static inline uint32_t throng_step_task_end(const throng_step *step, uint32_t first) {
    return throng_min_u32(step->world->agents.active, first + THRONG_TASK_ROWS);
}

throng_tile *throng_step_tile(const throng_step_memory *memory, uint32_t worker);

/// Bytes of a tile with room for so many neighbors of each agent and so many pieces of wall near it.
size_t throng_step_tile_bytes(int neighbors, size_t walls);

/// Makes a tile in memory of that many bytes, aligned to cache lines.
throng_tile *throng_step_tile_lay_out(void *memory, int neighbors, size_t walls);

/// Puts the rows into tree order.
void throng_step_sort_rows(throng_step *step);

/// Where the supports will be at the end of the step.
void throng_step_move_supports(const throng_step *step);

/// In a world with supports, for neighbors: whether somebody of a tile is on a platform, in whose frame distances are
/// to be taken; whether all of it and all near it are on one support, so that places and velocities are used as they
/// are (false is always right); by how much distances in frames and in the world differ at most, m; and a lane's pairs
/// as the agent sees them from its support.
bool throng_step_leaves_ground(const throng_step *step, const throng_tile *tile);
bool throng_step_is_together(const throng_step *step, const throng_tile *tile);
float throng_step_frame_slack(const throng_step *step, const throng_tile *tile);
void throng_step_gather_seen(const throng_step *step, throng_tile *tile, int lane);

/// How the lanes of a tile are to a set of walls, in its frame.
typedef struct throng_wall_view {
    const throng_wall_set *walls;
    const double *x, *y;                  // m
    const float *velocity_x, *velocity_y; // m/s, relative to the walls, aligned to cache lines
    float reach[THRONG_LANES];            // m: walls farther away are not heeded; negative: none are
} throng_wall_view;

/// The half-planes of one set of walls, nearest first: slots [0, wall_slots) of `planes`, wall_count of each lane.
void throng_step_wall_planes(const throng_step *step, throng_tile *tile, const throng_wall_view *view,
                             throng_tile_planes planes);

/// In a world with supports: the half-planes of the walls of all frames; the way of a row among them; where a push
/// brings a row among them, from its next place; and how deep it reaches into them, m, at its place after the step.
void throng_step_constrain_in_frames(const throng_step *step, throng_tile *tile);
void throng_step_sweep_in_frames(const throng_step *step, throng_tile *tile, uint32_t row);
void throng_step_push_in_frames(const throng_step *step, throng_tile *tile, uint32_t row, double dx, double dy,
                                double to[2]);
float throng_step_overlap_in_frames(const throng_step *step, throng_tile *tile, uint32_t row);

/// Whether there are walls in any frame.
static inline bool throng_has_walls(const throng_world *world) {
    return world->walls->piece_count > 0 || world->supports.most_pieces > 0;
}

/// The tile's pairs, as they stand after neighbors.
static inline throng_pairs_input throng_tile_pairs(const throng_tile *tile, const float *horizon, float time_step) {
    return (throng_pairs_input){.slot_count = tile->neighbor_slots,
                                .count = tile->neighbor_count,
                                .px = tile->pair_x,
                                .py = tile->pair_y,
                                .vx = tile->pair_vx,
                                .vy = tile->pair_vy,
                                .radius = tile->pair_radius,
                                .share = tile->pair_share,
                                .self_vx = tile->velocity_x,
                                .self_vy = tile->velocity_y,
                                .horizon = horizon,
                                .time_step = time_step};
}

/// The tile's walls; the velocities are relative to them.
static inline throng_walls_input throng_tile_walls(const throng_tile *tile, const float *velocity_x,
                                                   const float *velocity_y) {
    return (throng_walls_input){.slot_count = tile->wall_slots,
                                .count = tile->wall_count,
                                .sx = tile->wall_sx,
                                .sy = tile->wall_sy,
                                .ux = tile->wall_ux,
                                .uy = tile->wall_uy,
                                .to_a = tile->wall_to_a,
                                .to_b = tile->wall_to_b,
                                .a_dx = tile->wall_a_dx,
                                .a_dy = tile->wall_a_dy,
                                .b_dx = tile->wall_b_dx,
                                .b_dy = tile->wall_b_dy,
                                .chain = tile->wall_chain,
                                .flags = tile->wall_flags,
                                .self_vx = velocity_x,
                                .self_vy = velocity_y,
                                .radius = tile->radius,
                                .horizon = tile->obstacle_horizon};
}

/// What a stage made of a tile, or of all rows, into the tallies; nothing where the world does not ask for hashes.
void throng_step_hash_tile(const throng_step *step, const throng_tile *tile, throng_stage stage, throng_tally *tally);
void throng_step_hash_rows(const throng_step *step, throng_stage stage);

/// The tallies' hashes, summed up for the world.
void throng_step_sum_hashes(const throng_step *step);

/// Runs the whole step.
throng_result throng_step_run(throng_world *world, double time_step);

#endif
