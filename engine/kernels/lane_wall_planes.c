// Half-planes of walls. In the plane of velocities a piece and a body disc give the obstacle of the capsule (the
// segment a..b swollen by the radius r) over the horizon T: the capsule scaled by 1/T and the cone behind it. It is
// convex. The half-plane is the tangent at the boundary point nearest to the agent's velocity: on the front of the
// scaled capsule, on the arc at one of its ends, or on one of the two legs, which are the tangents from the origin to
// the capsule.
//
// Pieces of a chain share corners, and a corner's point counts only where the outward normal there is one of the whole
// chain's: within the corner's normal cone. Seen from outside of the chain's obstacles, a piece whose nearest point
// does not count gives no half-plane: another piece is nearer. A velocity inside them must leave their union: the
// nearest way out that counts is kept, and of the other half-planes those that it does not settle too.
//
// A body that touches a piece or overlaps it may not go nearer, and that is all: whoever rests against a wall may rest.
// Overlap is the contact stage's to undo.
#include "kernels/lanes.h"

#include <assert.h>

typedef struct wall_slot {
    vfloat sx, sy, to_a, to_b;
    vfloat ax, ay, bx, by;
    vfloat tx, ty, length; // unit direction a -> b, zero for a zero-length piece
    vmask joined_a, joined_b;
    vfloat a_dx, a_dy, b_dx, b_dy;
    vmask used;
} wall_slot;

// The nearest boundary points so far: over all of the obstacle's own, and over those that count on the chain.
typedef struct nearest_point {
    vfloat any; // distance, m/s
    vmask any_counts, any_inside;
    vfloat counted;   // distance
    vfloat nx, ny, c; // the half-plane of the counted one
} nearest_point;

static const float far_away = 1e30f;
// |w|^2 below which w has no direction, (m/s)^2.
static const float no_direction = 1e-24f;
// By how much a front goes on beyond a joined end, as a part of the velocities: covers the rounding of the two pieces.
static const float seam = 1e-6f;

// `outside` is the signed distance from the boundary to the velocity, > 0 outside of the obstacle.
static inline void offer(nearest_point *best, vmask valid, vmask counts, vfloat outside, vfloat nx, vfloat ny,
                         vfloat c) {
    const vfloat distance = vf_abs(outside);
    const vmask nearer = vm_and(valid, vf_lt(distance, best->any));
    best->any = vf_select(nearer, distance, best->any);
    best->any_counts = vm_or(vm_and(nearer, counts), vm_andnot(best->any_counts, nearer));
    best->any_inside = vm_or(vm_and(nearer, vf_lt(outside, vf_zero())), vm_andnot(best->any_inside, nearer));
    const vmask takes = vm_and(vm_and(valid, counts), vf_lt(distance, best->counted));
    best->counted = vf_select(takes, distance, best->counted);
    best->nx = vf_select(takes, nx, best->nx);
    best->ny = vf_select(takes, ny, best->ny);
    best->c = vf_select(takes, c, best->c);
}

static inline vmask in_cone(vmask joined, vfloat nx, vfloat ny, vfloat dx, vfloat dy) {
    return vm_or(vm_not(joined), vf_le(vf_dot(nx, ny, dx, dy), vf_zero()));
}

// The arc around the end p; (tx, ty) leads from p into the piece.
static inline void offer_arc(nearest_point *best, vfloat px, vfloat py, vfloat tx, vfloat ty, vmask joined, vfloat dx,
                             vfloat dy, vfloat vx, vfloat vy, vfloat radius, vfloat per_horizon) {
    const vfloat wx = vx - px * per_horizon, wy = vy - py * per_horizon;
    const vfloat w_squared = vf_dot(wx, wy, wx, wy);
    const vmask no_w = vm_not(vf_gt(w_squared, vf_splat(no_direction)));
    // At the centre itself the arc's middle is nearest.
    const vfloat ox = vf_select(no_w, -px, wx), oy = vf_select(no_w, -py, wy);
    const vfloat length = vf_sqrt(vf_select(no_w, vf_dot(px, py, px, py), w_squared));
    const vmask front = vm_or(no_w, vf_le(vf_dot(ox, oy, px, py), -radius * length));
    const vmask at_end = vf_le(vf_dot(ox, oy, tx, ty), vf_zero());
    const vfloat scale = vf_splat(1.0f) / length;
    const vfloat nx = ox * scale, ny = oy * scale;
    const vfloat c = (vf_dot(nx, ny, px, py) + radius) * per_horizon;
    const vfloat outside = vf_select(no_w, vf_zero(), length) - radius * per_horizon;
    const vmask valid = vm_and(vm_and(front, at_end), vf_gt(length, vf_zero()));
    offer(best, valid, in_cone(joined, nx, ny, dx, dy), outside, nx, ny, c);
}

// The leg on one side, tangent to the disc of the end that reaches farther to that side; side 1 is the left.
static inline void offer_leg(nearest_point *best, const wall_slot *w, float side, vfloat vx, vfloat vy, vfloat radius,
                             vfloat per_horizon) {
    const vfloat turn = vf_splat(side) * radius;
    const vfloat a_squared = vf_dot(w->ax, w->ay, w->ax, w->ay), b_squared = vf_dot(w->bx, w->by, w->bx, w->by);
    const vfloat a_leg = vf_sqrt(vf_max(a_squared - radius * radius, vf_zero()));
    const vfloat b_leg = vf_sqrt(vf_max(b_squared - radius * radius, vf_zero()));
    const vfloat a_ex = w->ax * a_leg - w->ay * turn, a_ey = w->ax * turn + w->ay * a_leg;
    const vfloat b_ex = w->bx * b_leg - w->by * turn, b_ey = w->bx * turn + w->by * b_leg;

    const vmask at_b = vf_gt(vf_splat(side) * vf_cross(a_ex, a_ey, b_ex, b_ey), vf_zero());
    const vfloat scale = vf_splat(1.0f) / vf_select(at_b, b_squared, a_squared);
    const vfloat ex = vf_select(at_b, b_ex, a_ex) * scale, ey = vf_select(at_b, b_ey, a_ey) * scale;
    const vfloat nx = vf_splat(-side) * ey, ny = vf_splat(side) * ex;
    const vfloat leg = vf_select(at_b, b_leg, a_leg);
    const vmask beyond_tangent = vf_ge(vf_dot(vx, vy, ex, ey), leg * per_horizon);
    const vmask joined = vm_or(vm_and(at_b, w->joined_b), vm_andnot(w->joined_a, at_b));
    const vmask counts = in_cone(joined, nx, ny, vf_select(at_b, w->b_dx, w->a_dx), vf_select(at_b, w->b_dy, w->a_dy));
    offer(best, beyond_tangent, counts, vf_dot(nx, ny, vx, vy), nx, ny, vf_zero());
}

// The line of the scaled capsule's front side, and what of it counts.
typedef struct front_line {
    vfloat nx, ny, c;
    vmask valid; // the velocity's foot lies on it
    vmask held;  // the foot lies past a joined end, behind the next piece: see below
} front_line;

// Whether the next piece, joined at the end e with direction d, and this one, which leads from e along t, are two sides
// of a corner that the agent stands in. There no foot past e is free: the next piece is in its way.
static inline vmask in_corner(vmask joined, vfloat ex, vfloat ey, vfloat dx, vfloat dy, vfloat tx, vfloat ty, vfloat nx,
                              vfloat ny) {
    const vmask concave = vf_gt(vf_dot(nx, ny, dx, dy), vf_splat(1e-3f));
    const vfloat this_side = vf_cross(dx, dy, tx, ty), agent_side = -vf_cross(dx, dy, ex, ey);
    return vm_and(vm_and(joined, concave), vf_gt(this_side * agent_side, vf_zero()));
}

static inline front_line front_of_slot(const wall_slot *w, vfloat vx, vfloat vy, vfloat radius, vfloat per_horizon) {
    const vfloat across = vf_cross(w->tx, w->ty, w->sx, w->sy);
    const vfloat side = vf_select(vf_gt(across, vf_zero()), vf_splat(-1.0f), vf_splat(1.0f));
    const vfloat height = vf_abs(across);
    front_line front = {.nx = -w->ty * side, .ny = w->tx * side, .c = (radius - height) * per_horizon};
    const vfloat from_a = vf_dot(vx - w->ax * per_horizon, vy - w->ay * per_horizon, w->tx, w->ty);
    const vfloat to_b = vf_dot(w->bx * per_horizon - vx, w->by * per_horizon - vy, w->tx, w->ty);
    const vfloat more = vf_splat(seam) * (vf_abs(vx) + vf_abs(vy) + w->length * per_horizon);
    const vmask after_a = vf_ge(from_a, vf_select(w->joined_a, -more, vf_zero()));
    const vmask before_b = vf_ge(to_b, vf_select(w->joined_b, -more, vf_zero()));
    const vmask faces = vm_and(vf_ge(height, radius), vf_gt(w->length, vf_zero()));
    front.valid = vm_and(faces, vm_and(after_a, before_b));
    const vmask corner_a = in_corner(w->joined_a, w->ax, w->ay, w->a_dx, w->a_dy, w->tx, w->ty, front.nx, front.ny);
    const vmask corner_b = in_corner(w->joined_b, w->bx, w->by, w->b_dx, w->b_dy, -w->tx, -w->ty, front.nx, front.ny);
    front.held = vm_and(faces, vm_or(vm_andnot(corner_a, after_a), vm_andnot(corner_b, before_b)));
    return front;
}

// The half-plane of a body that touches the piece: away from the piece's point nearest to the centre, speed 0.
static inline void touching_plane(const wall_slot *w, vfloat distance, vfloat *nx, vfloat *ny, vmask *counts) {
    const vmask centred = vm_not(vf_gt(distance, vf_splat(1e-12f)));
    const vfloat scale = vf_splat(-1.0f) / distance;
    *nx = vf_select(centred, -w->ty, w->sx * scale);
    *ny = vf_select(centred, w->tx, w->sy * scale);
    const vfloat from_a = vf_select(w->joined_a, vf_dot(*nx, *ny, w->a_dx, w->a_dy), vf_zero());
    const vfloat from_b = vf_select(w->joined_b, vf_dot(*nx, *ny, w->b_dx, w->b_dy), vf_zero());
    const vmask at_a = vf_eq(w->to_a, vf_zero()), at_b = vf_eq(w->to_b, vf_zero());
    const vmask beyond =
        vm_or(vm_and(at_a, vf_gt(from_a, vf_splat(seam))), vm_and(at_b, vf_gt(from_b, vf_splat(seam))));
    *counts = vm_andnot(vm_or(vm_not(centred), vf_gt(w->length, vf_zero())), beyond);
}

static inline wall_slot load_slot(const throng_walls_input *in, int slot, int lane) {
    const int at = slot * THRONG_LANES + lane;
    wall_slot w = {.sx = vf_load(in->sx + at),
                   .sy = vf_load(in->sy + at),
                   .tx = vf_load(in->ux + at),
                   .ty = vf_load(in->uy + at),
                   .to_a = vf_load(in->to_a + at),
                   .to_b = vf_load(in->to_b + at),
                   .a_dx = vf_load(in->a_dx + at),
                   .a_dy = vf_load(in->a_dy + at),
                   .b_dx = vf_load(in->b_dx + at),
                   .b_dy = vf_load(in->b_dy + at)};
    w.ax = w.sx + w.tx * w.to_a;
    w.ay = w.sy + w.ty * w.to_a;
    w.bx = w.sx + w.tx * w.to_b;
    w.by = w.sy + w.ty * w.to_b;
    w.length = w.to_b - w.to_a;
    const vint flags = vi_load(in->flags + at);
    w.joined_a = vi_eq(flags & vi_splat(THRONG_WALL_JOINED_A), vi_splat(THRONG_WALL_JOINED_A));
    w.joined_b = vi_eq(flags & vi_splat(THRONG_WALL_JOINED_B), vi_splat(THRONG_WALL_JOINED_B));
    // A piece seen through its own solid is hidden by that solid's other pieces.
    const vfloat seen_from = -vf_cross(w.tx, w.ty, w.sx, w.sy); // > 0: the agent is to the left
    const vmask solid_left = vi_eq(flags & vi_splat(THRONG_WALL_SOLID_LEFT), vi_splat(THRONG_WALL_SOLID_LEFT));
    const vmask solid_right = vi_eq(flags & vi_splat(THRONG_WALL_SOLID_RIGHT), vi_splat(THRONG_WALL_SOLID_RIGHT));
    const vmask hidden =
        vm_or(vm_and(solid_left, vf_gt(seen_from, vf_zero())), vm_and(solid_right, vf_lt(seen_from, vf_zero())));
    w.used = vm_andnot(vi_lt(vi_splat(slot), vi_load(in->count + lane)), hidden);
    return w;
}

// How a velocity stands to the obstacle of one piece.
typedef struct slot_state {
    vmask inside;
    vmask beyond; // outside, and the nearest point does not count; the half-plane is of another one, that v violates
} slot_state;

static inline slot_state plane_of_slot(const throng_walls_input *in, throng_tile_planes planes, int slot, int lane) {
    const vfloat vx = vf_load(in->self_vx + lane), vy = vf_load(in->self_vy + lane);
    const vfloat radius = vf_load(in->radius + lane);
    const vfloat per_horizon = vf_splat(1.0f) / vf_load(in->horizon + lane);
    const wall_slot w = load_slot(in, slot, lane);

    const vfloat distance = vf_sqrt(vf_dot(w.sx, w.sy, w.sx, w.sy));
    const vmask touches = vm_not(vf_gt(distance, radius));

    nearest_point best = {.any = vf_splat(far_away),
                          .any_counts = vm_none(),
                          .any_inside = vm_none(),
                          .counted = vf_splat(far_away),
                          .nx = vf_zero(),
                          .ny = vf_zero(),
                          .c = vf_splat(-1.0f)};
    offer_arc(&best, w.ax, w.ay, w.tx, w.ty, w.joined_a, w.a_dx, w.a_dy, vx, vy, radius, per_horizon);
    offer_arc(&best, w.bx, w.by, -w.tx, -w.ty, w.joined_b, w.b_dx, w.b_dy, vx, vy, radius, per_horizon);
    const front_line front = front_of_slot(&w, vx, vy, radius, per_horizon);
    offer(&best, front.valid, vm_not(vm_none()), vf_dot(front.nx, front.ny, vx, vy) - front.c, front.nx, front.ny,
          front.c);
    offer_leg(&best, &w, -1.0f, vx, vy, radius, per_horizon);
    offer_leg(&best, &w, 1.0f, vx, vy, radius, per_horizon);
    const vmask counted = vm_and(w.used, vf_lt(best.counted, vf_splat(far_away)));
    const vmask violated = vf_gt(best.c - vf_dot(best.nx, best.ny, vx, vy), vf_zero());
    slot_state state = {.inside = vm_andnot(vm_and(w.used, best.any_inside), touches)};
    vmask binds = vm_and(counted, vm_or(best.any_counts, best.any_inside));
    state.beyond = vm_andnot(vm_andnot(vm_and(counted, violated), binds), touches);
    const vmask held = vm_andnot(vm_and(w.used, front.held), vm_or(binds, state.beyond));
    best.nx = vf_select(held, front.nx, best.nx);
    best.ny = vf_select(held, front.ny, best.ny);
    best.c = vf_select(held, front.c, best.c);
    binds = vm_or(binds, vm_or(state.beyond, held));

    if (vm_any(touches)) {
        vfloat nx, ny;
        vmask counts;
        touching_plane(&w, distance, &nx, &ny, &counts);
        best.nx = vf_select(touches, nx, best.nx);
        best.ny = vf_select(touches, ny, best.ny);
        best.c = vf_select(touches, vf_zero(), best.c);
        binds = vm_or(vm_and(vm_and(w.used, touches), counts), vm_andnot(binds, touches));
    }
    const int at = slot * THRONG_LANES + lane;
    vf_store(planes.nx + at, vf_select(binds, best.nx, vf_zero()));
    vf_store(planes.ny + at, vf_select(binds, best.ny, vf_zero()));
    vf_store(planes.c + at, vf_select(binds, best.c, vf_splat(-1.0f)));
    return state;
}

static inline void drop_planes(throng_tile_planes planes, int at, vmask drop) {
    vf_store(planes.nx + at, vf_select(drop, vf_zero(), vf_load(planes.nx + at)));
    vf_store(planes.ny + at, vf_select(drop, vf_zero(), vf_load(planes.ny + at)));
    vf_store(planes.c + at, vf_select(drop, vf_splat(-1.0f), vf_load(planes.c + at)));
}

// Of a chain that does not hold the velocity, the half-planes of `beyond` go.
static void drop_beyond(const throng_walls_input *in, throng_tile_planes planes, int lane, const slot_state *states) {
    for (int slot = 0; slot < in->slot_count; slot++) {
        if (!vm_any(states[slot].beyond)) continue;
        const int at = slot * THRONG_LANES + lane;
        const vint chain = vi_load(in->chain + at);
        vmask held = vm_none();
        for (int other = 0; other < in->slot_count; other++) {
            const vmask same = vi_eq(vi_load(in->chain + other * THRONG_LANES + lane), chain);
            held = vm_or(held, vm_and(states[other].inside, same));
        }
        drop_planes(planes, at, vm_andnot(states[slot].beyond, held));
    }
}

// Square of the distance from (px, py) to the segment a..b.
static inline vfloat to_segment(vfloat px, vfloat py, vfloat ax, vfloat ay, vfloat bx, vfloat by) {
    const vfloat dx = bx - ax, dy = by - ay, ox = px - ax, oy = py - ay;
    const vfloat squared = vf_dot(dx, dy, dx, dy);
    const vfloat part = vf_select(vf_gt(squared, vf_zero()), vf_dot(ox, oy, dx, dy) / squared, vf_zero());
    const vfloat clamped = vf_min(vf_max(part, vf_zero()), vf_splat(1.0f));
    const vfloat rx = ox - dx * clamped, ry = oy - dy * clamped;
    return vf_dot(rx, ry, rx, ry);
}

// Whether a disc that moves from the origin to (px, py) keeps clear of the piece.
static inline vmask keeps_clear(vfloat px, vfloat py, vfloat ax, vfloat ay, vfloat bx, vfloat by, vfloat radius) {
    const vfloat zero = vf_zero();
    vfloat least = vf_min(to_segment(px, py, ax, ay, bx, by), to_segment(zero, zero, ax, ay, bx, by));
    least = vf_min(least, vf_min(to_segment(ax, ay, zero, zero, px, py), to_segment(bx, by, zero, zero, px, py)));
    const vfloat start = vf_cross(px, py, ax, ay), end = vf_cross(px, py, bx, by);
    const vfloat dx = bx - ax, dy = by - ay;
    const vfloat from = -vf_cross(dx, dy, ax, ay), to = vf_cross(dx, dy, px - ax, py - ay);
    const vmask crosses = vm_and(vf_lt(start * end, zero), vf_lt(from * to, zero));
    const vfloat clearance = radius * vf_splat(0.999f);
    return vm_andnot(vf_gt(least, clearance * clearance), crosses);
}

// A velocity that several obstacles of one chain hold leaves their union by the nearest way; half-planes of the others
// that this way settles are dropped.
static void settle_chains(const throng_walls_input *in, throng_tile_planes planes, int lane) {
    const vfloat vx = vf_load(in->self_vx + lane), vy = vf_load(in->self_vy + lane);
    const vfloat radius = vf_load(in->radius + lane), horizon = vf_load(in->horizon + lane);
    vmask open[THRONG_WALL_SLOTS];
    vmask one = vm_none(), several = vm_none();
    for (int slot = 0; slot < in->slot_count; slot++) {
        const int at = slot * THRONG_LANES + lane;
        const vfloat depth = vf_load(planes.c + at) - vf_dot(vf_load(planes.nx + at), vf_load(planes.ny + at), vx, vy);
        open[slot] = vf_gt(depth, vf_zero());
        several = vm_or(several, vm_and(one, open[slot]));
        one = vm_or(one, open[slot]);
    }
    while (vm_any(several)) {
        vfloat least = vf_splat(far_away), nx = vf_zero(), ny = vf_zero();
        vint least_slot = vi_splat(-1), chain = vi_splat(0);
        for (int slot = 0; slot < in->slot_count; slot++) {
            const int at = slot * THRONG_LANES + lane;
            const vfloat slot_nx = vf_load(planes.nx + at), slot_ny = vf_load(planes.ny + at);
            const vfloat depth = vf_load(planes.c + at) - vf_dot(slot_nx, slot_ny, vx, vy);
            const vmask nearer = vm_and(open[slot], vf_lt(depth, least));
            least = vf_select(nearer, depth, least);
            nx = vf_select(nearer, slot_nx, nx);
            ny = vf_select(nearer, slot_ny, ny);
            least_slot = vi_select(nearer, vi_splat(slot), least_slot);
            chain = vi_select(nearer, vi_load(in->chain + at), chain);
        }
        // A little beyond the boundary, against rounding.
        const vfloat out = least * vf_splat(1.001f);
        const vfloat px = (vx + nx * out) * horizon, py = (vy + ny * out) * horizon;
        several = vm_none();
        for (int slot = 0; slot < in->slot_count; slot++) {
            const int at = slot * THRONG_LANES + lane;
            open[slot] = vm_andnot(open[slot], vi_eq(least_slot, vi_splat(slot)));
            if (!vm_any(open[slot])) continue;
            const wall_slot w = load_slot(in, slot, lane);
            const vmask clear = keeps_clear(px, py, w.ax, w.ay, w.bx, w.by, radius);
            const vmask drop = vm_and(vm_and(open[slot], clear), vi_eq(vi_load(in->chain + at), chain));
            open[slot] = vm_andnot(open[slot], drop);
            several = vm_or(several, open[slot]);
            drop_planes(planes, at, drop);
        }
    }
}

void LANE_ENTRY(throng_lane_wall_planes)(const throng_walls_input *in, throng_tile_planes planes);

void LANE_ENTRY(throng_lane_wall_planes)(const throng_walls_input *in, throng_tile_planes planes) {
    assert(in->slot_count <= THRONG_WALL_SLOTS);
    LANE_FOR(lane) {
        slot_state states[THRONG_WALL_SLOTS];
        for (int slot = 0; slot < in->slot_count; slot++) states[slot] = plane_of_slot(in, planes, slot, lane);
        drop_beyond(in, planes, lane, states);
        settle_chains(in, planes, lane);
    }
}
