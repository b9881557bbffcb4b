// Supports: platforms with frames of their own and belts in the ground's, and what agents on them are to each other.
#ifndef THRONG_STATE_SUPPORT_H
#define THRONG_STATE_SUPPORT_H

#include "state/pose.h"
#include "state/slots.h"
#include "state/wall_set.h"

#include <throng/supports.h>

enum { THRONG_MAX_SUPPORTS = 65535 };

#define THRONG_SUPPORT_MAX_SPEED     1e6 ///< m/s
#define THRONG_SUPPORT_MAX_TURN_RATE 1e3 ///< rad/s

typedef struct throng_support {
    throng_support_kind kind;
    uint32_t layer;
    uint32_t frame;         // places on it are in the frame of this support; 0: the ground's
    throng_pose pose;       // of its frame in the world, now
    throng_pose next;       // and at the end of the step under way
    throng_vector velocity; // m/s, world: of the frame's origin, or of a belt's surface
    double turn_rate;       // rad/s
    uint32_t outline_count;
    double *outline;        // m, in the frame: x0 y0 x1 y1 ..., owned
    throng_wall_box bounds; // m, of the outline
    throng_wall_set walls;  // in the frame
    bool leaving;           // within a call that removes it
} throng_support;

typedef struct throng_supports {
    throng_slots slots;
    uint32_t count;
    size_t capacity;
    throng_support *items; // by index; the ground is items[0]
    uint32_t most_pieces;  // of walls, that any support has had
    // World places and velocities of agents, by row; valid only while count > 0.
    size_t row_capacity;
    double *world_x, *world_y;                  // m
    float *world_velocity_x, *world_velocity_y; // m/s
} throng_supports;

void throng_supports_release(throng_supports *supports, throng_memory *memory);

/// Room for indices below `limit`. False and unchanged when there is no memory.
bool throng_supports_reserve(throng_supports *supports, throng_memory *memory, size_t limit);

/// Room for the world columns of so many rows. False and unchanged when there is no memory.
bool throng_supports_reserve_rows(throng_supports *supports, throng_memory *memory, size_t rows);

/// Frees what a support owns.
void throng_support_release(throng_support *support, throng_memory *memory);

/// Gives a support an outline of its own; false when there is no memory.
bool throng_support_copy_outline(throng_support *support, const double *outline, uint32_t count, throng_memory *memory);

/// Sets the pose from a motion that was checked.
void throng_support_set_motion(throng_support *support, const throng_support_motion *motion);

/// Whether a place in the frame lies within the outline; its lower and left borders belong to it.
bool throng_support_holds(const throng_support *support, double x, double y);

/// The velocity that the support gives to who stands at a place of the world, m/s, world.
static inline throng_vector throng_support_velocity(const throng_support *support, double world_x, double world_y) {
    const double rx = world_x - support->pose.x, ry = world_y - support->pose.y, rate = support->turn_rate;
    if (rate == 0.0) return support->velocity;
    return (throng_vector){support->velocity.x - rate * ry, support->velocity.y + rate * rx};
}

#endif
