// The lane-wide maths of a step: pure functions of arrays, compiled once per instruction set and reached through a
// table.
//
// A tile is THRONG_LANES agents side by side. Its arrays are [slot][THRONG_LANES], 64-byte aligned, float unless said
// otherwise; arrays of one value per agent are [THRONG_LANES]. Lanes without an agent hold any finite numbers. Every
// table gives the same bits.
//
// A half-plane (nx, ny, c) allows the velocities with dot(n, v) >= c, n a unit vector. The empty half-plane (0, 0, -1)
// allows all of them: it fills the slots that a lane does not use.
#ifndef THRONG_KERNELS_KERNELS_H
#define THRONG_KERNELS_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#define THRONG_LANES      16
#define THRONG_WALL_SLOTS 32 // wall pieces per agent at most
#define THRONG_CANDIDATES 16 // sampled velocities at once

typedef struct throng_tile_planes {
    float *nx, *ny, *c;
} throng_tile_planes;

// What the half-planes between agents are made of. Velocities are in the frame of the agent's own support.
typedef struct throng_pairs_input {
    int slot_count;       // slots to fill
    const int32_t *count; // used slots per lane
    const float *px, *py; // [slot] place of the other minus own place, m
    const float *vx, *vy; // [slot] velocity of the other, m/s
    const float *radius;  // [slot] sum of radii and margins, m, >= 0
    const float *share;   // [slot] part of the correction that is the agent's own, 0..1
    const float *self_vx, *self_vy;
    const float *horizon; // s, > 0
    float time_step;      // s, > 0
} throng_pairs_input;

// Neighbors found, by tree position, for whom throng_packed says enough; what it makes are arrays of
// throng_pairs_input and the neighbors' rows. Slots that a lane does not use hold zeros and its own row.
typedef struct throng_pairs_found {
    int slot_count;
    const int32_t *count;    // used slots per lane
    const int32_t *position; // [slot] of the tree
    const struct throng_packed *packed;
    bool claims_vary;               // else all are the same
    const int32_t *self_x, *self_y; // as throng_packed
    const float *self_radius, *self_claim;
    const int32_t *self_row;
    const float *margin;       // m, by row; null where nobody has one and all are in one layer
    const int32_t *mask;       // by row, read with margins only
    const int32_t *self_layer; // likewise
} throng_pairs_found;

typedef struct throng_pairs_made {
    float *px, *py, *vx, *vy, *radius, *share; // [slot]
    int32_t *row;                              // [slot]
    uint32_t *among_standers; // a bit per lane: some of its neighbors have arrived where they wanted to go
} throng_pairs_made;

// A straight piece of wall, from a to b: a cache line.
typedef struct throng_wall_segment {
    double ax, ay, bx, by; // m
    double ux, uy;         // unit direction, zero for a piece without length
    double length;         // m
    uint32_t layer;        // stops those whose mask shares a bit
    uint32_t wall;         // number of its wall
} throng_wall_segment;

// Who seeks pieces of wall within reach.
typedef struct throng_wall_seekers {
    _Alignas(64) double x[THRONG_LANES];
    _Alignas(64) double y[THRONG_LANES];     // m
    _Alignas(64) double reach[THRONG_LANES]; // m; negative: nobody
} throng_wall_seekers;

// What the half-planes of walls are made of: straight pieces a..b, given from the point nearest to the agent's place,
// so that long ones keep their accuracy.
typedef struct throng_walls_input {
    int slot_count;
    const int32_t *count;
    const float *sx, *sy;     // [slot] nearest point of the piece, relative to the agent's place, m
    const float *ux, *uy;     // [slot] unit direction of a -> b; zero for a piece without length
    const float *to_a, *to_b; // [slot] a = s + to_a * u, b = s + to_b * u; to_a <= 0 <= to_b, m
    const float *a_dx, *a_dy; // [slot] unit direction of the piece joined at a, leading away from a
    const float *b_dx, *b_dy; // [slot] the same at b
    const int32_t *chain;     // [slot] pieces of one chain have the same number
    const int32_t *flags;     // [slot] throng_wall_flags
    const float *self_vx, *self_vy;
    const float *radius;  // body radius, m, >= 0
    const float *horizon; // s, > 0; the time step where that is longer
} throng_walls_input;

enum throng_wall_flags {
    THRONG_WALL_JOINED_A = 1, // another piece of the chain begins at a; its direction is a_dx, a_dy
    THRONG_WALL_JOINED_B = 2,
    THRONG_WALL_SOLID_LEFT = 4, // no agent is ever to the left of a -> b
    THRONG_WALL_SOLID_RIGHT = 8
};

// The velocity program: the point of the half-planes, the speed disc and the reach disc nearest to the preferred
// velocity.
typedef struct throng_program_input {
    throng_tile_planes planes; // walls in the slots [0, wall_slots), agents in [wall_slots, slot_count)
    int wall_slots;
    int slot_count;
    const float *preferred_vx, *preferred_vy;
    const float *max_speed; // m/s, >= 0
    const float *reach_vx, *reach_vy;
    const float *reach_radius; // m/s, >= 0; INFINITY: acceleration is not limited
} throng_program_input;

typedef struct throng_program_output {
    float *vx, *vy;
    float *violation;    // least greatest violation of a half-plane, m/s; 0 where feasible
    uint32_t infeasible; // a bit per lane
} throng_program_output;

// Sampled velocities to be judged by what they collide with. Of the pairs, share is the alpha of reciprocal velocity
// obstacles, and collisions beyond the horizon (s, may be INFINITY) do not count.
typedef struct throng_sampled_input {
    int candidate_count;  // at most THRONG_CANDIDATES
    const float *vx, *vy; // [candidate] m/s
    const throng_pairs_input *pairs;
    const throng_walls_input *walls;
    uint32_t whole; // a bit per lane: shares other than 0 count as 1 (velocity obstacles)
    const float *preferred_vx, *preferred_vy;
    const float *weight; // m, >= 0: w
} throng_sampled_input;

// Neighbors as seen by a wish: the arrays of throng_pairs_input, and the velocity wished.
typedef struct throng_ahead_input {
    int slot_count;
    const int32_t *count;
    const float *px, *py, *vx, *vy, *radius; // [slot]
    const float *wish_x, *wish_y;            // m/s
    const float *horizon;                    // s
    bool leave_out_along;                    // collisions: those that move in the wish's direction, if only partly
} throng_ahead_input;

// Who is seen by those whom it sees: the arrays of throng_pairs_input, and the fields of view of the others.
typedef struct throng_gazes_input {
    int slot_count;
    const int32_t *count;
    const int32_t *row;                    // [slot] the others'
    const float *px, *py, *vx, *vy;        // [slot]
    const float *view_cosine, *view_range; // by row
} throng_gazes_input;

// Who may touch the agents of a tile, nearest first.
typedef struct throng_contacts_input {
    const float *key;        // [slot] m
    const int32_t *position; // [slot] of the tree
    const float *range;      // m: keys up to this count
    const int32_t *self;     // own tree position
} throng_contacts_input;

// What those who overlap the agents of a tile ask of them.
typedef struct throng_pushes_input {
    int32_t first;           // tree position of lane 0; tree positions below that of any candidate exist
    const int32_t *count;    // candidates per lane; 0: the lane is not asked for
    const int32_t *position; // [slot] of the tree; slots that a lane does not use name anybody
    const struct throng_push_places *places;
    uint32_t now;     // which of the places to read, 0 or 1
    uint32_t still;   // a bit per lane: stays where it is, whoever pushes
    bool claims_vary; // else all are the same
    float slop;       // m: overlaps up to this push nobody
} throng_pushes_input;

// Lanes not asked for hold anything.
typedef struct throng_pushes_output {
    int32_t *x, *y;    // where they go, grid steps
    float *deepest;    // m, overlap
    int32_t *with;     // tree position of the deepest; its own: nobody
    uint32_t asked;    // a bit per lane: it is asked for
    uint32_t touching; // a bit per lane: it overlaps somebody
    uint32_t moved;    // a bit per lane: it moves
    uint32_t together; // a bit per lane: another is at its very place, and what it is asked without it says nothing
} throng_pushes_output;

// THRONG_LANES rows one after the other, whose targets are points, after a step. Arrays are of the rows. Times of
// waiting, and the claims that follow, are made for those that walk: yield * 1 / (1 + aging * (waited - patience)), the
// factor at most 1 and at least least_claim.
typedef struct throng_progress_rows {
    const double *x, *y, *target_x, *target_y;              // m
    const float *velocity_x, *velocity_y, *wish_x, *wish_y; // m/s
    const float *goal_radius, *radius;                      // m
    const float *stuck_time;                                // s
    const float *yield;
    uint32_t rows;    // a bit each: those that are asked for
    uint32_t walking; // those of them that have not arrived, settled or been stuck, and are not outside
    float part;       // of the past that the step replaces
    float time_step;  // s
    float patience;   // s
    float aging;      // 1/s
    float least_claim;
    float *blocked; // 0..1: the part of the wish not got
    float *nearest; // m
    float *waited;  // s
    float *claim;
} throng_progress_rows;

typedef struct throng_progress_made {
    float *distance; // m, to the target
    uint32_t within; // a bit for each row within its goal's radius
    uint32_t left;   // rows of which only blocked and distance were made: they do not walk, arrive or get stuck
} throng_progress_made;

// Agents that walk to places.
typedef struct throng_approach_input {
    const double *dx, *dy; // m, what leads to the target
    const float *goal_radius;
    const float *preferred_speed, *max_speed;
    const float *acceleration; // m/s²; INFINITY: not limited
    float time_step;           // s
} throng_approach_input;

// What being blocked makes of wishes and horizons, in place. Wishes turn by an angle of the tangent least_turn +
// blocked_turn * blocked; horizons are divided by 1 + haste * blocked, but not to less than least_horizon.
typedef struct throng_press_lanes {
    const float *blocked;   // 0..1
    uint32_t turning, left; // a bit per lane: those that turn, and whether to the left
    uint32_t hurrying;      // those that look less far ahead
    float least_turn, blocked_turn, haste;
    float least_horizon;               // s
    float *wish_x, *wish_y;            // m/s
    float *horizon, *obstacle_horizon; // s
} throng_press_lanes;

typedef struct throng_move_input {
    const double *x, *y;                  // m
    const float *velocity_x, *velocity_y; // m/s
    double time_step;                     // s
} throng_move_input;

struct throng_nearest_lists;
struct throng_nearest_crowd;
struct throng_nearest_leaf;
struct throng_near_leaves;

typedef struct throng_kernels {
    const char *name; // "scalar", "sse2", "avx2", "avx512" or "neon"
    int width;        // lanes in a vector

    // Fills slot_count slots of `planes`. The bits of degenerate[slot] are the lanes where no direction follows from
    // the input (an overlap with w = 0, see throng_plane_from_direction): they hold the empty half-plane.
    void (*agent_planes)(const throng_pairs_input *in, throng_tile_planes planes, uint16_t *degenerate);
    void (*wall_planes)(const throng_walls_input *in, throng_tile_planes planes);

    // Neighbor lists (kernels/nearest.h). The quick search is for lists of fewer than THRONG_NEAREST_SLOTS neighbors:
    // it empties the lists, is offered leaf after leaf, and at its end names the lanes whose ties it could not decide.
    void (*nearest_begin)(struct throng_nearest_lists *lists, const struct throng_nearest_crowd *crowd);
    float (*nearest_leaf)(struct throng_nearest_lists *lists, const struct throng_nearest_crowd *crowd,
                          const struct throng_nearest_leaf *leaf);
    uint32_t (*nearest_end)(struct throng_nearest_lists *lists, const struct throng_nearest_crowd *crowd);
    // Measures the gaps of leaves to the box of the lanes. A bit for each that may hold a key of at most `bound`, m.
    uint64_t (*near_leaves)(const struct throng_nearest_lists *lists, const struct throng_nearest_crowd *crowd,
                            float bound, struct throng_near_leaves *leaves);
    // The exact search, for all else.
    void (*nearest_exact_begin)(struct throng_nearest_lists *lists);
    float (*nearest_exact_leaf)(struct throng_nearest_lists *lists, const struct throng_nearest_crowd *crowd,
                                const struct throng_nearest_leaf *leaf);
    void (*nearest_exact_end)(struct throng_nearest_lists *lists);

    // Neighbors whose places differ from the agent's by less than THRONG_NARROW.
    void (*pairs)(const throng_pairs_found *in, const throng_pairs_made *out);

    // The box that holds everything within reach of anybody, m: least x and y, greatest x and y. Nobody: upside down.
    void (*wall_reach)(const throng_wall_seekers *seekers, double box[4]);
    // How far a piece is from every seeker: the square, m². A bit for each that has it within reach.
    uint32_t (*wall_distances)(const throng_wall_seekers *seekers, const throng_wall_segment *piece, double *squared);

    // Makes the share of an agent the whole where the other is sure not to see it. The bits of doubtful[slot] are the
    // lanes where that is not sure: near the border of a view, or where the other stands.
    void (*unseen)(const throng_gazes_input *in, float *share, uint16_t *doubtful);

    void (*program)(const throng_program_input *in, throng_program_output *out);

    // Of [candidate] velocities: w / time to collision + distance to the preferred velocity, m/s; may be infinite.
    void (*penalties)(const throng_sampled_input *in, float *penalty);

    // How many of THRONG_CONTACT_SLOTS sorted keys a lane are within its range; returns the most, and the widest range.
    // Writes the positions of all but the last slot, up to one beyond the most: those that a lane does not use are its
    // own.
    int (*keep_contacts)(const throng_contacts_input *in, int32_t *count, float *widest, uint32_t *kept);
    void (*progress)(const throng_progress_rows *rows, throng_progress_made *made);
    void (*pushes)(const throng_pushes_input *in, throng_pushes_output *out);

    // The preferred velocities that lead to the targets; a bit per lane within its goal's radius.
    uint32_t (*approach)(const throng_approach_input *in, float *vx, float *vy);
    void (*press)(const throng_press_lanes *lanes);
    // Places after a step.
    void (*move)(const throng_move_input *in, double *x, double *y);

    // A bit per lane: walking as wished it would meet a neighbor within its horizon.
    uint32_t (*collisions)(const throng_ahead_input *in);
    // People per square metre in the half-disc of radius `reach` (m, > 0) in the wish's direction; any finite number or
    // NaN where the wish is zero.
    void (*density)(const throng_ahead_input *in, const float *reach, float *density);
} throng_kernels;

// The best table for this CPU, or the one of that name: NULL where the build or the CPU does not have it.
const throng_kernels *throng_kernels_select(const char *name_or_null);

// The half-plane of an overlapping pair whose w = v - p/dt is zero, along the unit vector n: u = n * radius/dt.
void throng_plane_from_direction(float nx, float ny, float self_vx, float self_vy, float radius, float share,
                                 float time_step, float plane[3]);

// The same program as throng_kernels.program for one agent, in double, by trying every candidate: the slow reference.
// planes: count times (nx, ny, c), the walls first.
typedef struct throng_reference_program {
    const double *planes;
    int wall_count;
    int count;
    double preferred[2];
    double max_speed;
    double reach[2];
    double reach_radius; // INFINITY: none
} throng_reference_program;

// Returns whether it is feasible; gives the velocity and the least greatest violation (0 where feasible).
int throng_reference_solve(const throng_reference_program *program, double v[2], double *violation);

#endif
