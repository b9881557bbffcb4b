// Lines of the velocity program: how the lines of half-planes cut each other, what the discs leave of them, and how all
// this moves as the half-planes are relaxed. Included by lane_program.c only.
#ifndef THRONG_KERNELS_LANE_LINES_H
#define THRONG_KERNELS_LANE_LINES_H

#include "kernels/lanes.h"

#include <stddef.h>

// Tolerances, as parts of max_speed + abs(c). `touch`: a plane violated by less is not violated, which must exceed the
// rounding of dot(n, v) (else near-duplicates of a plane look infeasible). `room`: a line that lacks less is feasible.
static const float touch = 4e-7f;
static const float room = 1e-6f;
// Sine of the angle below which two unit vectors in float cannot be told from parallel ones.
static const float parallel = 2e-7f;
static const float far_away = 1e30f;

typedef struct lane_program {
    const throng_program_input *in;
    int lane;
    vfloat preferred_x, preferred_y;
    vfloat max_speed;
    vfloat reach_x, reach_y, reach_radius;
    vfloat corner_x[2], corner_y[2]; // where the two circles meet
    int has_reach;
    vfloat relax_walls, relax_agents; // what the planes' c are lowered by, m/s
} lane_program;

typedef struct lane_plane {
    vfloat nx, ny, c; // c as given
    vfloat relax;
    float slope; // of relax by the t being sought: 1 or 0
} lane_plane;

// The planes that cut a line: the first `slot_count`, and one more, which differs from lane to lane.
typedef struct lane_cutters {
    int slot_count;
    const lane_plane *more; // or NULL
} lane_cutters;

static inline lane_plane plane_at(const lane_program *p, int slot, int relaxing_walls) {
    const int at = slot * THRONG_LANES + p->lane;
    const int wall = slot < p->in->wall_slots;
    return (lane_plane){vf_load(p->in->planes.nx + at), vf_load(p->in->planes.ny + at), vf_load(p->in->planes.c + at),
                        wall ? p->relax_walls : p->relax_agents, wall == relaxing_walls ? 1.0f : 0.0f};
}

// How the lines of two planes i and j meet. n_j = +-n_i + e, minus where they face each other: differences of
// near-parallel unit vectors are exact, so `position` keeps its accuracy however small the angle.
typedef struct lane_meeting {
    vfloat position; // along line i, from its point nearest to the origin, along (-ny, nx)
    vfloat along;    // dot(n_i, e)
    vfloat sine;
    vfloat gap; // c_j -+ c_i
    vmask facing;
    vmask raises, lowers; // allowed is what lies beyond the position, or before it
} lane_meeting;

LANE_INLINE lane_meeting meet(lane_plane i, lane_plane j) {
    lane_meeting m;
    m.facing = vf_lt(vf_dot(i.nx, i.ny, j.nx, j.ny), vf_zero());
    const vfloat ex = j.nx - vf_select(m.facing, -i.nx, i.nx), ey = j.ny - vf_select(m.facing, -i.ny, i.ny);
    m.along = vf_dot(i.nx, i.ny, ex, ey);
    m.sine = vf_cross(i.nx, i.ny, ex, ey);
    m.gap = (j.c - vf_select(m.facing, -i.c, i.c)) - (j.relax - vf_select(m.facing, -i.relax, i.relax));
    m.position = (m.gap - (i.c - i.relax) * m.along) / m.sine;
    m.raises = vf_gt(m.sine, vf_splat(parallel));
    m.lowers = vf_lt(m.sine, vf_splat(-parallel));
    return m;
}

// What planes leave of a line.
typedef struct lane_line {
    vfloat low, high;
    vmask faced; // a parallel plane that faces this one leaves nothing
} lane_line;

LANE_INLINE void cut_by(lane_line *line, lane_plane i, lane_plane j) {
    const lane_meeting m = meet(i, j);
    line->low = vf_max_where(m.raises, line->low, m.position);
    line->high = vf_min_where(m.lowers, line->high, m.position);
    const vmask against = vm_and(m.facing, vf_gt(m.gap, vf_zero()));
    line->faced = vm_or(line->faced, vm_andnot(against, vm_or(m.raises, m.lowers)));
}

static inline lane_line cut_line(const lane_program *p, lane_plane i, lane_cutters by, int relaxing_walls) {
    lane_line line = {vf_splat(-far_away), vf_splat(far_away), vm_none()};
    for (int slot = 0; slot < by.slot_count; slot++) cut_by(&line, i, plane_at(p, slot, relaxing_walls));
    if (by.more) cut_by(&line, i, *by.more);
    return line;
}

// An end of a line, the plane that makes it, and how it moves as t grows.
typedef struct lane_end {
    vfloat position;
    vfloat slope; // d position / dt
    vfloat nx, ny, c;
    vfloat soft; // 1 where the plane is being relaxed too, else 0
} lane_end;

typedef struct lane_moving_line {
    lane_end low, high;
    vfloat opposite; // t needed because of a parallel plane that faces this one
} lane_moving_line;

LANE_INLINE void end_take(lane_end *end, vmask m, vfloat position, vfloat slope, lane_plane j) {
    end->position = vf_select(m, position, end->position);
    end->slope = vf_select(m, slope, end->slope);
    end->nx = vf_select(m, j.nx, end->nx);
    end->ny = vf_select(m, j.ny, end->ny);
    end->c = vf_select(m, j.c, end->c);
    end->soft = vf_select(m, vf_splat(j.slope), end->soft);
}

LANE_INLINE void move_by(lane_moving_line *line, vmask lanes, lane_plane i, lane_plane j) {
    const lane_meeting m = meet(i, j);
    const vfloat side = vf_select(m.facing, vf_splat(-1.0f), vf_splat(1.0f));
    const vfloat slope = (side + m.along - vf_splat(j.slope)) / m.sine;
    const vmask raises = vm_and(lanes, m.raises), lowers = vm_and(lanes, m.lowers);
    end_take(&line->low, vm_and(raises, vf_gt(m.position, line->low.position)), m.position, slope, j);
    end_take(&line->high, vm_and(lowers, vf_lt(m.position, line->high.position)), m.position, slope, j);
    const vfloat needed = m.gap * vf_splat(j.slope > 0.0f ? 0.5f : 1.0f);
    const vmask against = vm_and(vm_and(lanes, m.facing), vf_gt(needed, line->opposite));
    line->opposite = vf_select(vm_andnot(against, vm_or(m.raises, m.lowers)), needed, line->opposite);
}

LANE_INLINE lane_moving_line uncut_moving_line(void) {
    lane_end none = {vf_splat(-far_away), vf_zero(), vf_zero(), vf_zero(), vf_splat(-1.0f), vf_splat(1.0f)};
    lane_moving_line line = {none, none, vf_zero()};
    line.high.position = vf_splat(far_away);
    return line;
}

// As cut_line, each lane by its own number of slots.
static inline lane_moving_line cut_moving_line(const lane_program *p, lane_plane i, vint slots, const lane_plane *first,
                                               int relaxing_walls) {
    lane_moving_line line = uncut_moving_line();
    const int count = relaxing_walls ? p->in->wall_slots : p->in->slot_count;
    for (int slot = 0; slot < count; slot++) {
        const vmask before = vi_lt(vi_splat(slot), slots);
        if (vm_any(before)) move_by(&line, before, i, plane_at(p, slot, relaxing_walls));
    }
    if (first) {
        lane_plane j = *first;
        j.relax = i.relax;
        move_by(&line, vm_not(vm_none()), i, j);
    }
    return line;
}

// Half the length that a disc leaves of a line at the distance `offset` from its centre; 0 beyond.
static inline vfloat half_chord(vfloat radius, vfloat offset) {
    return vf_sqrt(vf_max((radius - offset) * (radius + offset), vf_zero()));
}

// How much t must grow for a line's end, beyond the disc's chord of it to the given side (1 high, -1 low), to enter the
// disc. The end moves on a fixed line, that of dot(m, v) = mc: the bisector of two planes that are both being relaxed,
// else the line of the plane that is not. An end that would enter on the other half of the chord was not what kept them
// apart.
static inline vfloat growth_to_enter(const lane_program *p, lane_plane i, lane_end end, float side, vfloat x, vfloat y,
                                     vfloat radius) {
    const vfloat c = i.c - i.relax;
    const vfloat middle = vf_cross(i.nx, i.ny, x, y);
    const vfloat half = half_chord(radius, c - vf_dot(i.nx, i.ny, x, y));
    const vmask beyond = vf_gt(vf_splat(side) * (end.position - middle), half);
    if (!vm_any(beyond)) return vf_zero();

    const vmask soft = vf_gt(end.soft, vf_zero());
    vfloat mx = end.nx - end.soft * i.nx, my = end.ny - end.soft * i.ny;
    const vfloat mc = vf_select(soft, end.c - i.c, end.c - p->relax_walls);
    const vfloat per_length = vf_splat(1.0f) / vf_sqrt(vf_dot(mx, my, mx, my));
    mx = mx * per_length;
    my = my * per_length;
    // Rounding may leave a path that touches the circle outside of it.
    const vfloat offset = vf_max(vf_min(mc * per_length - vf_dot(mx, my, x, y), radius), -radius);
    // Of the two points where the end's path meets the circle, the first is the one farther along n.
    const vfloat turn = vf_cross(mx, my, i.nx, i.ny);
    const vfloat chord = half_chord(radius, offset);
    const vfloat along = vf_select(vf_lt(turn, vf_zero()), -chord, chord);
    const vfloat ox = mx * offset - my * along, oy = my * offset + mx * along;
    const vmask same_half = vf_ge(vf_splat(side) * vf_cross(i.nx, i.ny, ox, oy), vf_zero());
    const vfloat needed = c - vf_dot(i.nx, i.ny, x + ox, y + oy);
    return vf_select(vm_and(beyond, same_half), needed, vf_zero());
}

static inline vmask within(vfloat x, vfloat y, vfloat radius) {
    return vf_le(vf_dot(x, y, x, y), radius * radius * vf_splat(1.0f + 4e-6f));
}

// The greatest dot(n, v) over both discs.
static vfloat support_of_discs(const lane_program *p, vfloat nx, vfloat ny) {
    const vfloat speed_x = nx * p->max_speed, speed_y = ny * p->max_speed;
    if (!p->has_reach) return p->max_speed;
    const vfloat reach_x = p->reach_x + nx * p->reach_radius, reach_y = p->reach_y + ny * p->reach_radius;
    const vfloat corners =
        vf_max(vf_dot(nx, ny, p->corner_x[0], p->corner_y[0]), vf_dot(nx, ny, p->corner_x[1], p->corner_y[1]));
    const vmask by_speed = within(speed_x - p->reach_x, speed_y - p->reach_y, p->reach_radius);
    const vmask by_reach = within(reach_x, reach_y, p->max_speed);
    return vf_select(by_speed, p->max_speed, vf_select(by_reach, vf_dot(nx, ny, reach_x, reach_y), corners));
}

// How much t must grow for the line of plane i, cut by the planes before it and by the discs, to keep a point.
static vfloat growth_needed(const lane_program *p, lane_plane i, lane_moving_line line) {
    const vfloat c = i.c - i.relax;
    vfloat needed = vf_max(line.opposite, c - support_of_discs(p, i.nx, i.ny));

    // Ends of parallel walls never part: what overlaps there is rounding.
    const vfloat overlap = line.low.position - line.high.position;
    const vfloat closing = line.high.slope - line.low.slope;
    const vfloat least = vf_splat(1e-5f) * (vf_splat(1.0f) + vf_abs(line.high.slope) + vf_abs(line.low.slope));
    const vmask parts = vm_and(vf_gt(overlap, vf_zero()), vf_gt(closing, least));
    needed = vf_max(needed, vf_select(parts, overlap / closing, vf_zero()));

    needed = vf_max(needed, growth_to_enter(p, i, line.low, 1.0f, vf_zero(), vf_zero(), p->max_speed));
    needed = vf_max(needed, growth_to_enter(p, i, line.high, -1.0f, vf_zero(), vf_zero(), p->max_speed));
    if (p->has_reach) {
        needed = vf_max(needed, growth_to_enter(p, i, line.low, 1.0f, p->reach_x, p->reach_y, p->reach_radius));
        needed = vf_max(needed, growth_to_enter(p, i, line.high, -1.0f, p->reach_x, p->reach_y, p->reach_radius));
    }
    return needed;
}

static vfloat greatest_violation(const lane_program *p, vfloat vx, vfloat vy, int begin, int end) {
    vfloat most = vf_zero();
    for (int slot = begin; slot < end; slot++) {
        const lane_plane i = plane_at(p, slot, 0);
        most = vf_max(most, i.c - vf_dot(i.nx, i.ny, vx, vy));
    }
    return most;
}

// What the discs leave of a line, and where on it the preferred velocity is nearest.
typedef struct lane_chord {
    vfloat low, high;
    vfloat wish;
    vmask missed;
} lane_chord;

// A relaxed line that touches a circle, to within `grain`, does so in one point: the chord that rounding makes of it is
// no room for wishes. grain < 0: never.
static inline lane_chord chord_of_discs(const lane_program *p, lane_plane i, vfloat grain) {
    const vfloat c = i.c - i.relax;
    const vfloat loose = vf_max(grain, vf_zero());
    vmask touches = vf_gt(c + grain, p->max_speed);
    vfloat half = half_chord(p->max_speed, c - vf_select(touches, loose, vf_zero()));
    const vfloat wish = vf_cross(i.nx, i.ny, p->preferred_x, p->preferred_y);
    lane_chord chord = {-half, half, vf_select(touches, vf_zero(), wish), vf_gt(c, p->max_speed)};
    if (p->has_reach) {
        const vfloat offset = c - vf_dot(i.nx, i.ny, p->reach_x, p->reach_y);
        const vfloat middle = vf_cross(i.nx, i.ny, p->reach_x, p->reach_y);
        touches = vf_gt(offset + grain, p->reach_radius);
        half = half_chord(p->reach_radius, offset - vf_select(touches, loose, vf_zero()));
        chord.low = vf_max(chord.low, middle - half);
        chord.high = vf_min(chord.high, middle + half);
        chord.wish = vf_select(touches, middle, chord.wish);
        chord.missed = vm_or(chord.missed, vf_gt(offset, p->reach_radius));
    }
    return chord;
}

#endif
