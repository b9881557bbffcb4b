// Reads:  doors and their turns, places, targets, wishes.
// Writes: the tile's wishes of those whose turn it is not.
// Order:  of several doors the one that the way to the target meets nearest to its middle, then the first given.
// Cost:   O(doors) a tile, O(doors near) an agent.
#include "step/doors.h"

#include "base/scalar.h"
#include "step/door_role.h"

/// Who waits leaves a lane before the door free so far, m.
static const double lane_length = 3.0;
/// The part of its wish with which somebody steps aside.
static const float aside_speed = 0.7f;

static bool is_near(const throng_door_column *door, const double lo[2], const double hi[2]) {
    return door->x + door->extent >= lo[0] && door->x - door->extent <= hi[0] && door->y + door->extent >= lo[1] &&
           door->y - door->extent <= hi[1];
}

static bool admits(const throng_door_column *door, const throng_door_role *role, uint64_t creation) {
    const throng_door_state *state = &door->state;
    const throng_door_way own = role->from == THRONG_DOOR_LEFT ? THRONG_DOOR_FROM_LEFT : THRONG_DOOR_FROM_RIGHT;
    if (role->part == THRONG_DOOR_INSIDE) return state->way == THRONG_DOOR_BOTH || state->way == own;
    if (state->clearing || (state->way != THRONG_DOOR_BOTH && state->way != own)) return false;
    const double order = throng_door_order(role);
    return order < door->admit_square || (order == door->admit_square && creation <= door->admit_creation);
}

/// Out of the passage first, then to the side of the lane; there it stands.
static void wait_beside(const throng_agents *agents, throng_tile *tile, int lane, const throng_door_column *door,
                        const throng_door_role *role) {
    const uint32_t row = tile->row[lane];
    const double radius = agents->radius[row], far = throng_door_length(role->out);
    const double side = throng_door_length(role->lateral), edge = door->half + 2.0 * radius;
    const double mouth = (double)door->state.door.depth + 3.0 * radius;
    const float wish_x = tile->preferred_x[lane], wish_y = tile->preferred_y[lane];
    const float speed = aside_speed * sqrtf(wish_x * wish_x + wish_y * wish_y);
    tile->preferred_x[lane] = tile->preferred_y[lane] = 0.0f;
    if (side >= edge || far >= mouth + lane_length) return;
    // Back is along its own side's normal; aside to where it stands, in the middle to its own side.
    const double back = role->from == THRONG_DOOR_LEFT ? 1.0 : -1.0;
    const bool to_right = agents->side[row] != THRONG_SIDE_LEFT;
    const double middle = 0.25 * radius, own = to_right ? back : -back;
    double aside = role->lateral > middle ? 1.0 : role->lateral < -middle ? -1.0 : own;
    double out = far < mouth && side < door->half + radius ? back : 0.0;
    if (out != 0.0) aside *= 0.5;
    const double x = aside * door->ux + out * -door->uy, y = aside * door->uy + out * door->ux;
    const double scale = (double)speed / sqrt(x * x + y * y);
    tile->preferred_x[lane] = (float)(x * scale);
    tile->preferred_y[lane] = (float)(y * scale);
}

/// The door that a row has to do with; null: none.
static const throng_door_column *door_of(const throng_world *world, const uint32_t *near, uint32_t count, uint32_t row,
                                         throng_door_role *role) {
    const throng_door_column *found = NULL;
    for (uint32_t i = 0; i < count; ++i) {
        const throng_door_column *door = &world->doors.items[near[i]];
        const throng_door_role own = throng_door_role_of(world, door, row, world->agents.x[row], world->agents.y[row]);
        if (own.part == THRONG_DOOR_NONE) continue;
        if (found && !(own.miss < role->miss)) continue;
        found = door;
        *role = own;
    }
    return found;
}

uint32_t throng_step_hold(const throng_step *step, throng_tile *tile, uint32_t walking) {
    enum { NEAR = 32 };
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    for (int lane = 0; lane < tile->count; ++lane) {
        const double at[2] = {agents->x[tile->row[lane]], agents->y[tile->row[lane]]};
        for (int axis = 0; axis < 2; ++axis) {
            lo[axis] = throng_mind(lo[axis], at[axis]);
            hi[axis] = throng_maxd(hi[axis], at[axis]);
        }
    }
    uint32_t first = 0;
    while (first < world->doors.count) {
        uint32_t near[NEAR], count = 0;
        for (; first < world->doors.count && count < NEAR; ++first) {
            if (is_near(&world->doors.items[first], lo, hi)) near[count++] = first;
        }
        for (int lane = 0; count && lane < tile->count; ++lane) {
            if (!(walking >> lane & 1)) continue;
            const uint32_t row = tile->row[lane];
            throng_door_role role = {THRONG_DOOR_NONE, 0, 0.0, 0.0, 0.0};
            const throng_door_column *door = door_of(world, near, count, row, &role);
            if (!door || admits(door, &role, agents->creation[row])) continue;
            wait_beside(agents, tile, lane, door, &role);
            walking &= ~(1u << lane);
        }
    }
    return walking;
}
