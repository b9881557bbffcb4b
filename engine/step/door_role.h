// What an agent has to do with a door: for the stage that lets people wait and the one that gives turns.
#ifndef THRONG_STEP_DOOR_ROLE_H
#define THRONG_STEP_DOOR_ROLE_H

#include "state/doors.h"
#include "step/target.h"

/// How far beside the opening, m, a straight way to a target may meet the wall and still be meant to go through.
static const double throng_door_aim = 1.0;
/// Targets so near to the passage are on the way through it, m.
static const double throng_door_mouth = 1.0;

typedef enum throng_door_part {
    THRONG_DOOR_NONE = 0,
    THRONG_DOOR_WAITING, ///< wants through, and is near
    THRONG_DOOR_INSIDE   ///< within the narrow part or not yet clear of it
} throng_door_part;

typedef struct throng_door_role {
    throng_door_part part;
    int from;       ///< the side it comes from: THRONG_DOOR_LEFT or RIGHT
    double out;     ///< m, from the door's line, positive on the left
    double lateral; ///< m, along a -> b from the middle
    double miss;    ///< m, how far from the middle the way to its target crosses the line
} throng_door_role;

static inline double throng_door_length(double value) {
    return value < 0.0 ? -value : value;
}

/// The role of a row at (x, y). Who has arrived or has no place to go has none.
static inline throng_door_role throng_door_role_of(const throng_world *world, const throng_door_column *door,
                                                   uint32_t row, double x, double y) {
    const throng_agents *agents = &world->agents;
    throng_door_role role = {THRONG_DOOR_NONE, 0, 0.0, 0.0, 0.0};
    const double px = x - door->x, py = y - door->y;
    if (throng_door_length(px) > door->extent || throng_door_length(py) > door->extent) return role;
    if (throng_frame_of(world, row) != 0) return role; // doors stand on the ground
    if (agents->flags[row] & (THRONG_FLAG_ARRIVED | THRONG_FLAG_OUTSIDE) || !throng_has_place_target(agents, row)) {
        return role;
    }
    double dx, dy;
    throng_to_target(world, row, x, y, &dx, &dy);
    const double radius = agents->radius[row], depth = (double)door->state.door.depth;
    role.out = px * -door->uy + py * door->ux;
    role.lateral = px * door->ux + py * door->uy;
    const double target_out = (px + dx) * -door->uy + (py + dy) * door->ux;
    const double target_lateral = (px + dx) * door->ux + (py + dy) * door->uy;
    const double far = throng_door_length(role.out), side = throng_door_length(role.lateral);
    const double target_far = throng_door_length(target_out);
    const bool within = far <= depth + 2.0 * radius && side <= door->half + radius;
    const bool crosses = (role.out > 0.0) != (target_out > 0.0);
    if (crosses) {
        role.miss = role.lateral + (target_lateral - role.lateral) * (far / (far + target_far));
        role.miss = throng_door_length(role.miss);
        role.from = role.out > 0.0 ? THRONG_DOOR_LEFT : THRONG_DOOR_RIGHT;
        if (!within && role.miss > door->half + throng_door_aim) return role;
    } else if (within && target_far > far) {
        role.from = role.out > 0.0 ? THRONG_DOOR_RIGHT : THRONG_DOOR_LEFT; // it has come through
        role.part = THRONG_DOOR_INSIDE;
        return role;
    } else {
        role.miss = throng_door_length(target_lateral);
        role.from = role.out > 0.0 ? THRONG_DOOR_LEFT : THRONG_DOOR_RIGHT;
        if (target_far > depth + throng_door_mouth || role.miss > door->half) return role;
    }
    const double away = throng_maxd(0.0, far - depth), aside = throng_maxd(0.0, side - door->half);
    if (within) {
        role.part = THRONG_DOOR_INSIDE;
    } else if (away * away + aside * aside <= THRONG_DOOR_REACH * THRONG_DOOR_REACH) {
        role.part = THRONG_DOOR_WAITING;
    }
    return role;
}

/// In whose order the waiting get in, where a door's capacity lets only some: the square of the way to its middle, m².
static inline double throng_door_order(const throng_door_role *role) {
    return role->out * role->out + role->lateral * role->lateral;
}

#endif
