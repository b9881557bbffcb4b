#include "step/sense_crowd.h"

#include "base/scalar.h"
#include "state/frame.h"
#include "state/height.h"
#include "state/wall_place.h"
#include "step/density.h"
#include "step/detour.h"
#include "step/doors.h"
#include "step/priority.h"
#include "step/target.h"

// The side bias turns a wish by the angle whose tangent is least_turn + blocked_turn * blocked: enough to part two who
// meet head on, more where nothing moves.
static const float least_turn = 0.3f, blocked_turn = 0.7f;
/// The horizon is divided by 1 + this times blocked: who is blocked accepts smaller gaps.
static const float haste = 10.0f;
/// The shortest horizon that haste leaves, steps.
static const float least_horizon = 2.0f;
/// Blocked agents look whether others that arrived hold the way.
static const float held_from = 0.1f;
/// Blocked agents note who is in their way.
static const float blocked_from = 0.5f;
/// In the way is who stands within 84 degrees of the wish: two abreast at a door too narrow for both are in each
/// other's.
static const float abreast = 0.1f; // cosine
/// Who came no nearer for so long, s, looks for a way around.
static const float detour_after = 4.0f;
/// How fast somebody steps back, as a part of its wish.
static const float back_speed = 0.3f;
/// The same of who makes room for a whole ring.
static const float aside_speed = 0.5f;
/// Those hold it that stand nearer than this, in own radii; who has settled does not leave for less than a stride.
static const float held_gap = 0.2f, settled_gap = 1.0f;
/// Straight ahead, to both sides: |sin| of the angle.
static const float straight = 0.25f;

// ---- settling

typedef struct standers {
    bool near; ///< some stand next to the agent
    bool hold; ///< they bar its way on both sides
} standers;

/// Those next to the agent that arrived where it wants to go.
static standers look_for_standers(const throng_step *step, const throng_tile *tile, int lane) {
    const throng_agents *agents = &step->world->agents;
    const uint32_t row = tile->row[lane];
    double dx, dy;
    throng_to_target(step->world, row, agents->x[row], agents->y[row], &dx, &dy);
    const float way_x = (float)dx, way_y = (float)dy, way = sqrtf(way_x * way_x + way_y * way_y);
    const float gap = agents->flags[row] & THRONG_FLAG_SETTLED ? settled_gap : held_gap;
    bool near = false, left = false, right = false;
    for (int slot = 0; slot < tile->neighbor_count[lane]; ++slot) {
        const int at = slot * THRONG_LANES + lane;
        const uint32_t other = (uint32_t)tile->neighbor_row[at];
        if (!(agents->flags[other] & THRONG_FLAG_ARRIVED) || !throng_has_place_target(agents, other)) continue;
        if (throng_frame_of(step->world, other) != throng_frame_of(step->world, row)) continue;
        const float px = tile->pair_x[at], py = tile->pair_y[at], reach = tile->pair_radius[at];
        double ex, ey;
        throng_to_target(step->world, other, agents->x[other], agents->y[other], &ex, &ey);
        const float apart_x = px + (float)ex - way_x, apart_y = py + (float)ey - way_y;
        if (apart_x * apart_x + apart_y * apart_y > reach * reach) continue;
        const float square = px * px + py * py, twice = 2.0f * reach, touch = reach + gap * tile->radius[lane];
        if (square < twice * twice) near = true;
        // Nearer to the target than the agent itself.
        const float along = px * way_x + py * way_y;
        if (square > touch * touch || square >= 2.0f * along) continue;
        const float side = way_x * py - way_y * px, limit = straight * way * sqrtf(square);
        if (side > -limit) left = true;
        if (side < limit) right = true;
    }
    return (standers){near, left && right};
}

// ---- who is in the way

/// The row of the nearest neighbor towards the wish that leaves no room to pass; its own where none does.
static uint32_t blocker_of(const throng_tile *tile, int lane) {
    const float wish_x = tile->preferred_x[lane], wish_y = tile->preferred_y[lane];
    const float wish = sqrtf(wish_x * wish_x + wish_y * wish_y);
    for (int slot = 0; slot < tile->neighbor_count[lane]; ++slot) {
        const int at = slot * THRONG_LANES + lane;
        const float px = tile->pair_x[at], py = tile->pair_y[at];
        const float distance = sqrtf(px * px + py * py), near = tile->pair_radius[at] + tile->radius[lane];
        if (distance < near && px * wish_x + py * wish_y > abreast * wish * distance)
            return (uint32_t)tile->neighbor_row[at];
    }
    return tile->row[lane];
}

/// A step back from the one in the way makes room for it where its turn comes first: two who stand still in each
/// other's way see no velocities that would part them.
static void step_back(const throng_step *step, throng_tile *tile, int lane) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    const uint32_t row = tile->row[lane], other = tile->blocker[lane];
    if (other == row || agents->flags[other] & THRONG_FLAG_ARRIVED || !throng_has_place_target(agents, other)) return;
    if (!(agents->blocked[other] > blocked_from) || !(agents->yield[row] > 0.0f)) return;
    if (!throng_goes_first(world, other, row)) return;
    const throng_vector offset = throng_offset_of(world, row, other, false);
    const float px = (float)offset.x, py = (float)offset.y;
    const float distance = sqrtf(px * px + py * py);
    if (!(distance > 0.0f)) return;
    const float x = tile->preferred_x[lane], y = tile->preferred_y[lane];
    const float scale = back_speed * sqrtf(x * x + y * y) / distance;
    tile->preferred_x[lane] = -px * scale;
    tile->preferred_y[lane] = -py * scale;
}

/// How far a body can go in a direction (unit vector) until it meets a neighbor, m, at most `far`.
static float room_towards(const throng_tile *tile, int lane, float x, float y, float far) {
    for (int slot = 0; slot < tile->neighbor_count[lane]; ++slot) {
        const int at = slot * THRONG_LANES + lane;
        const float px = tile->pair_x[at], py = tile->pair_y[at], reach = tile->pair_radius[at];
        const float along = px * x + py * y, square = px * px + py * py - along * along;
        if (along > 0.0f && square < reach * reach) far = throng_minf(far, along - sqrtf(reach * reach - square));
    }
    return far;
}

/// Back and aside, straight back or straight aside, the right before the left: to where most ground is free. It is in a
/// ring of agents that are in each other's way, and the last of them.
static void step_aside(const throng_step *step, throng_tile *tile, int lane) {
    static const float turns[][2] = {
        {-0.7071f, -0.7071f}, {-0.7071f, 0.7071f}, {-1.0f, 0.0f}, {0.0f, -1.0f}, {0.0f, 1.0f}};
    const throng_agents *agents = &step->world->agents;
    const uint32_t row = tile->row[lane];
    const float wish_x = tile->preferred_x[lane], wish_y = tile->preferred_y[lane], radius = tile->radius[lane];
    const float wish = sqrtf(wish_x * wish_x + wish_y * wish_y), far = 4.0f * radius;
    if (!(wish > 0.0f)) return;
    const double from[2] = {agents->x[row], agents->y[row]};
    float most = 0.0f;
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; ++i) {
        const float x = (turns[i][0] * wish_x - turns[i][1] * wish_y) / wish;
        const float y = (turns[i][0] * wish_y + turns[i][1] * wish_x) / wish;
        const float room = room_towards(tile, lane, x, y, far);
        if (!(room > most)) continue;
        const double to[2] = {from[0] + (double)(room * x), from[1] + (double)(room * y)};
        if (!throng_wall_place_sees(throng_walls_of(step->world, row), throng_row_wall_filter(agents, row), from, to,
                                    (double)radius)) {
            continue;
        }
        most = room;
        tile->preferred_x[lane] = aside_speed * wish * x;
        tile->preferred_y[lane] = aside_speed * wish * y;
    }
}

/// Those who press from both sides into a place where one finds room would only press the harder by going around: they
/// wait, unless a door gives turns.
static bool may_go_around(const throng_world *world, const throng_tile *tile, int lane) {
    const uint32_t row = tile->row[lane], other = tile->blocker[lane];
    return other == row || throng_row_stands(&world->agents, other) ||
           throng_step_at_turns(world, row, world->agents.x[row], world->agents.y[row]);
}

// ---- the wish

static float tangent_of(throng_side side, float blocked) {
    const float tangent = least_turn + blocked_turn * blocked;
    return side == THRONG_SIDE_LEFT ? -tangent : tangent;
}

static void turn(throng_tile *tile, int lane, float tangent) {
    const float scale = 1.0f / sqrtf(1.0f + tangent * tangent);
    const float x = tile->preferred_x[lane], y = tile->preferred_y[lane];
    tile->preferred_x[lane] = (x + tangent * y) * scale;
    tile->preferred_y[lane] = (y - tangent * x) * scale;
}

/// The wish of one that is blocked, has settled or makes room.
static void get_through(const throng_step *step, throng_tile *tile, int lane, bool turns) {
    const throng_agents *agents = &step->world->agents;
    const uint32_t row = tile->row[lane];
    const bool settled = agents->flags[row] & THRONG_FLAG_SETTLED;
    const float blocked = agents->blocked[row];
    standers by = {0};
    if (tile->among_standers >> lane & 1 && (settled || blocked > held_from)) by = look_for_standers(step, tile, lane);
    if (blocked > blocked_from) tile->blocker[lane] = blocker_of(tile, lane);
    if (by.hold) tile->event_bits[lane] |= THRONG_EVENT_BIT_HELD;
    if (settled) {
        tile->preferred_x[lane] = tile->preferred_y[lane] = 0.0f;
        return;
    }
    if (blocked > blocked_from && agents->waited[row] > detour_after && may_go_around(step->world, tile, lane)) {
        throng_step_detour(step, tile, lane);
    }
    if (turns && !by.near) turn(tile, lane, tangent_of((throng_side)agents->side[row], blocked));
    if (agents->flags[row] & THRONG_FLAG_ASIDE) {
        step_aside(step, tile, lane);
    } else if (blocked > blocked_from && !by.near) {
        step_back(step, tile, lane);
    }
}

/// The lanes that would run into somebody from whom they turn.
static uint32_t look_ahead(const throng_step *step, const throng_ahead_input *ahead, uint32_t slowed) {
    uint32_t collisions = step->world->kernels->collisions(ahead);
    if (!(collisions & slowed)) return collisions;
    // Who walks at the crowd's pace follows those ahead, and turns from those only who do not walk its way.
    throng_ahead_input against = *ahead;
    against.leave_out_along = true;
    return collisions & (~slowed | step->world->kernels->collisions(&against));
}

void throng_sense_crowd(const throng_step *step, throng_tile *tile, uint32_t walking) {
    const throng_agents *agents = &step->world->agents;
    const throng_ahead_input ahead = {.slot_count = tile->neighbor_slots,
                                      .count = tile->neighbor_count,
                                      .px = tile->pair_x,
                                      .py = tile->pair_y,
                                      .vx = tile->pair_vx,
                                      .vy = tile->pair_vy,
                                      .radius = tile->pair_radius,
                                      .wish_x = tile->preferred_x,
                                      .wish_y = tile->preferred_y,
                                      .horizon = tile->horizon};
    const uint32_t slowed = throng_density_slow(step, tile, &ahead, walking);
    walking &= tile->to_place;
    uint32_t sided = 0, left = 0, settled = 0, special = 0;
    for (int lane = 0; lane < tile->count; ++lane) {
        const uint16_t flags = tile->flags[lane];
        const throng_side side = (throng_side)agents->side[tile->row[lane]];
        const float special_from = tile->among_standers >> lane & 1 ? held_from : blocked_from;
        const bool is_special = flags & (THRONG_FLAG_SETTLED | THRONG_FLAG_ASIDE) || tile->blocked[lane] > special_from;
        sided |= (uint32_t)(side != THRONG_SIDE_NONE) << lane;
        left |= (uint32_t)(side == THRONG_SIDE_LEFT) << lane;
        settled |= (uint32_t)((flags & THRONG_FLAG_SETTLED) != 0) << lane;
        special |= (uint32_t)is_special << lane;
    }
    sided &= walking;
    special &= walking;
    const uint32_t turning = sided ? look_ahead(step, &ahead, slowed) & sided : 0;
    for (uint32_t lanes = special; lanes; lanes &= lanes - 1) {
        const int lane = (int)throng_lowest_bit(lanes);
        get_through(step, tile, lane, turning >> lane & 1);
    }
    const throng_press_lanes press = {.blocked = tile->blocked,
                                      .turning = turning & ~special,
                                      .left = left,
                                      .hurrying = walking & ~settled,
                                      .least_turn = least_turn,
                                      .blocked_turn = blocked_turn,
                                      .haste = haste,
                                      .least_horizon = least_horizon * step->dt,
                                      .wish_x = tile->preferred_x,
                                      .wish_y = tile->preferred_y,
                                      .horizon = tile->horizon,
                                      .obstacle_horizon = tile->obstacle_horizon};
    step->world->kernels->press(&press);
}
