// What an agent's support makes of its place, velocity, target and walls. Where a world has no supports everything is
// in the ground's frame and nothing here is asked for.
#ifndef THRONG_STATE_FRAME_H
#define THRONG_STATE_FRAME_H

#include "state/extras.h"
#include "state/world.h"

static inline bool throng_has_supports(const throng_world *world) {
    return world->supports.count != 0;
}

/// World places by row.
static inline const double *throng_world_x(const throng_world *world) {
    return throng_has_supports(world) ? world->supports.world_x : world->agents.x;
}

static inline const double *throng_world_y(const throng_world *world) {
    return throng_has_supports(world) ? world->supports.world_y : world->agents.y;
}

/// Places and velocities in the world by row.
static inline throng_motion throng_world_motion(const throng_world *world) {
    const throng_supports *supports = &world->supports;
    if (!throng_has_supports(world)) return throng_motion_of(&world->agents);
    return (throng_motion){supports->world_x, supports->world_y, supports->world_velocity_x,
                           supports->world_velocity_y};
}

/// The support of a row, or the ground. The world must have supports.
static inline const throng_support *throng_support_of(const throng_world *world, uint32_t row) {
    return &world->supports.items[world->agents.support[row]];
}

/// The frame of a row's place, 0: the ground's.
static inline uint32_t throng_frame_of(const throng_world *world, uint32_t row) {
    return throng_has_supports(world) ? throng_support_of(world, row)->frame : 0;
}

/// The frame of a row's target. The world must have supports.
static inline uint32_t throng_target_frame_of(const throng_world *world, uint32_t row) {
    if (!THRONG_USES(&world->agents, target_support)) return 0;
    return world->supports.items[world->agents.target_support[row]].frame;
}

/// What a belt adds to the velocities of those on it, in the frame, m/s.
static inline throng_vector throng_belt_velocity(const throng_support *support) {
    return support->kind == THRONG_SUPPORT_BELT ? support->velocity : (throng_vector){0.0, 0.0};
}

/// A velocity relative to the row's support, as it moves the row in its frame.
static inline throng_vector throng_velocity_in_frame(const throng_world *world, uint32_t row, double vx, double vy) {
    const throng_vector belt = throng_belt_velocity(throng_support_of(world, row));
    return (throng_vector){vx + belt.x, vy + belt.y};
}

/// The walls that stand still in a frame.
static inline const throng_wall_set *throng_frame_walls(const throng_world *world, uint32_t frame) {
    return frame ? &world->supports.items[frame].walls : world->walls;
}

/// The walls that stand still where a row is.
static inline const throng_wall_set *throng_walls_of(const throng_world *world, uint32_t row) {
    return throng_frame_walls(world, throng_frame_of(world, row));
}

/// The pose of a frame, now or at the end of the step under way.
static inline const throng_pose *throng_frame_pose(const throng_world *world, uint32_t frame, bool next) {
    const throng_support *support = &world->supports.items[frame];
    return next ? &support->next : &support->pose;
}

/// From a place of one frame to that of another.
static inline throng_vector throng_between_frames(const throng_world *world, uint32_t from, uint32_t to, bool next,
                                                  double x, double y) {
    if (from == to) return (throng_vector){x, y};
    throng_vector place = {x, y};
    if (from) place = throng_pose_place(throng_frame_pose(world, from, next), x, y);
    return to ? throng_pose_place_back(throng_frame_pose(world, to, next), place.x, place.y) : place;
}

/// From a direction of one frame to that of another, now.
static inline throng_vector throng_turn_between_frames(const throng_world *world, uint32_t from, uint32_t to, double x,
                                                       double y) {
    if (from == to) return (throng_vector){x, y};
    throng_vector turned = {x, y};
    if (from) turned = throng_pose_turn(throng_frame_pose(world, from, false), x, y);
    return to ? throng_pose_turn_back(throng_frame_pose(world, to, false), turned.x, turned.y) : turned;
}

/// The place of `other` less that of `row`, in the frame of `row`, m.
static inline throng_vector throng_offset_of(const throng_world *world, uint32_t row, uint32_t other, bool next) {
    const throng_agents *agents = &world->agents;
    const double *x = next ? agents->next_x : agents->x, *y = next ? agents->next_y : agents->y;
    const uint32_t own = throng_frame_of(world, row), others = throng_frame_of(world, other);
    const throng_vector place = throng_between_frames(world, others, own, next, x[other], y[other]);
    return (throng_vector){place.x - x[row], place.y - y[row]};
}

/// The velocity of `other` as `row` sees it: in the frame of `row` and relative to its support, m/s.
throng_vector throng_velocity_seen(const throng_world *world, uint32_t row, uint32_t other);

/// Places and velocities: those in front, or those that a step is making.
typedef struct throng_columns {
    double *x, *y;
    float *velocity_x, *velocity_y;
} throng_columns;

static inline throng_columns throng_front_columns(const throng_world *world) {
    const throng_agents *agents = &world->agents;
    return (throng_columns){agents->x, agents->y, agents->velocity_x, agents->velocity_y};
}

static inline throng_columns throng_next_columns(const throng_world *world) {
    const throng_agents *agents = &world->agents;
    return (throng_columns){agents->next_x, agents->next_y, agents->next_velocity_x, agents->next_velocity_y};
}

/// Puts a row onto a support (0: the ground) where it is: place and velocity in the world stay.
void throng_change_support(throng_world *world, uint32_t row, uint32_t support, const throng_columns *columns);

/// Renews the world columns of a row. The world must have supports.
void throng_renew_world_row(throng_world *world, uint32_t row, const throng_columns *columns);

/// Renews them for all rows, from the columns in front. Nothing where the world has no supports.
void throng_renew_world_columns(throng_world *world);

#endif
