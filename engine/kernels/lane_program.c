// The velocity program: the incremental linear program in two dimensions of de Berg et al., "Computational Geometry",
// section 4.4, with the distance to the preferred velocity as its objective and two discs as further constraints. When
// the optimum of the first planes violates the next plane, the new optimum lies on that plane's line.
//
// Infeasible lanes: the least greatest violation t is the least t for which the program with every c lowered by t is
// feasible. The constraints that left nothing of a line give a lower bound of it (the t at which these alone become
// feasible, in closed form); it becomes the next t, and the program is solved again. t only grows and each set of
// constraints raises it once, so this ends, after two or three rounds as a rule, and the last round gives the point
// nearest to the preferred velocity among those of least violation.
#include "kernels/lanes.h"

// Tolerances, as parts of max_speed + abs(c). `touch`: a plane violated by less is not violated, which must exceed the
// rounding of dot(n, v) (else near-duplicates of a plane look infeasible). `room`: a line that lacks less is feasible.
static const float touch = 4e-7f;
static const float room = 1e-6f;
// Sine of the angle below which two unit vectors in float cannot be told from parallel ones.
static const float parallel = 2e-7f;
static const float far_away = 1e30f;
enum { MAX_ROUNDS = 40 };

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

// Where a plane cuts another one's line. As t grows the point moves on a fixed line, that of dot(m, v) = mc: the
// bisector of two planes that are both being relaxed, else the line of the plane that is not.
typedef struct lane_cut {
    vfloat position; // along the line
    vfloat slope;    // d position / dt
    vfloat mx, my, mc;
} lane_cut;

// What the planes leave of a line.
typedef struct lane_line {
    lane_cut low, high;
    vfloat opposite; // t needed because of a plane that faces this one
} lane_line;

static inline lane_plane plane_at(const lane_program *p, int slot, int relaxing_walls) {
    const int at = slot * THRONG_LANES + p->lane;
    const int wall = slot < p->in->wall_slots;
    return (lane_plane){vf_load(p->in->planes.nx + at), vf_load(p->in->planes.ny + at), vf_load(p->in->planes.c + at),
                        wall ? p->relax_walls : p->relax_agents, wall == relaxing_walls ? 1.0f : 0.0f};
}

LANE_INLINE lane_cut cut_select(vmask m, lane_cut yes, lane_cut no, int with_motion) {
    no.position = vf_select(m, yes.position, no.position);
    if (with_motion) {
        no.slope = vf_select(m, yes.slope, no.slope);
        no.mx = vf_select(m, yes.mx, no.mx);
        no.my = vf_select(m, yes.my, no.my);
        no.mc = vf_select(m, yes.mc, no.mc);
    }
    return no;
}

// Cuts plane i's line by the planes before it. Positions count from the line's point nearest to the origin along
// (-ny, nx). `with_motion` is a constant where this is inlined.
LANE_INLINE lane_line cut_by_planes(const lane_program *p, lane_plane i, int slot_count, int relaxing_walls,
                                    int with_motion) {
    const lane_cut none = {vf_zero(), vf_zero(), vf_zero(), vf_zero(), vf_zero()};
    lane_line line = {none, none, vf_zero()};
    line.low.position = vf_splat(-far_away);
    line.high.position = vf_splat(far_away);
    for (int slot = 0; slot < slot_count; slot++) {
        const lane_plane j = plane_at(p, slot, relaxing_walls);
        // n_j = side * n_i + (ex, ey): differences of near-parallel unit vectors are exact, so numerator and sine keep
        // their relative accuracy however small the angle.
        const vmask facing = vf_lt(vf_dot(i.nx, i.ny, j.nx, j.ny), vf_zero());
        const vfloat side = vf_select(facing, vf_splat(-1.0f), vf_splat(1.0f));
        const vfloat ex = j.nx - side * i.nx, ey = j.ny - side * i.ny;
        const vfloat along = vf_dot(i.nx, i.ny, ex, ey);
        const vfloat sine = vf_cross(i.nx, i.ny, ex, ey);
        const vfloat gap = (j.c - side * i.c) - (j.relax - side * i.relax);

        const vmask crosses = vf_gt(vf_abs(sine), vf_splat(parallel));
        lane_cut cut = none;
        cut.position = (gap - (i.c - i.relax) * along) / sine;
        if (with_motion) {
            const vfloat j_slope = vf_splat(j.slope);
            cut.slope = (side + along - j_slope) / sine;
            cut.mx = j.nx - j_slope * i.nx;
            cut.my = j.ny - j_slope * i.ny;
            cut.mc = j.slope > 0.0f ? j.c - i.c : j.c - j.relax;
        }
        const vmask raises = vm_and(vf_gt(sine, vf_zero()), vf_gt(cut.position, line.low.position));
        const vmask lowers = vm_and(vf_lt(sine, vf_zero()), vf_lt(cut.position, line.high.position));
        line.low = cut_select(vm_and(crosses, raises), cut, line.low, with_motion);
        line.high = cut_select(vm_and(crosses, lowers), cut, line.high, with_motion);

        const vfloat needed = gap * vf_splat(j.slope > 0.0f ? 0.5f : 1.0f);
        const vmask against = vm_andnot(vm_and(facing, vf_gt(needed, line.opposite)), crosses);
        line.opposite = vf_select(against, needed, line.opposite);
    }
    return line;
}

// Half the length that a disc leaves of a line at the distance `offset` from its centre; 0 beyond.
static inline vfloat half_chord(vfloat radius, vfloat offset) {
    return vf_sqrt(vf_max((radius - offset) * (radius + offset), vf_zero()));
}

// How much t must grow for a line's end, beyond the disc's chord of it to the given side (1 high, -1 low), to enter the
// disc. An end that would enter on the other half of the chord was not what kept them apart.
static inline vfloat growth_to_enter(lane_plane i, lane_cut cut, float side, vfloat x, vfloat y, vfloat radius) {
    const vfloat c = i.c - i.relax;
    const vfloat middle = vf_cross(i.nx, i.ny, x, y);
    const vfloat half = half_chord(radius, c - vf_dot(i.nx, i.ny, x, y));
    const vmask beyond = vf_gt(vf_splat(side) * (cut.position - middle), half);

    const vfloat per_length = vf_splat(1.0f) / vf_sqrt(vf_dot(cut.mx, cut.my, cut.mx, cut.my));
    const vfloat mx = cut.mx * per_length, my = cut.my * per_length;
    // Rounding may leave a path that touches the circle outside of it.
    const vfloat offset = vf_max(vf_min(cut.mc * per_length - vf_dot(mx, my, x, y), radius), -radius);
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
static vfloat growth_needed(const lane_program *p, lane_plane i, lane_line line) {
    const vfloat c = i.c - i.relax;
    vfloat needed = vf_max(line.opposite, c - support_of_discs(p, i.nx, i.ny));

    const vfloat overlap = line.low.position - line.high.position;
    const vfloat closing = vf_max(line.high.slope - line.low.slope, vf_splat(1e-20f));
    needed = vf_max(needed, vf_select(vf_gt(overlap, vf_zero()), overlap / closing, vf_zero()));

    needed = vf_max(needed, growth_to_enter(i, line.low, 1.0f, vf_zero(), vf_zero(), p->max_speed));
    needed = vf_max(needed, growth_to_enter(i, line.high, -1.0f, vf_zero(), vf_zero(), p->max_speed));
    if (p->has_reach) {
        needed = vf_max(needed, growth_to_enter(i, line.low, 1.0f, p->reach_x, p->reach_y, p->reach_radius));
        needed = vf_max(needed, growth_to_enter(i, line.high, -1.0f, p->reach_x, p->reach_y, p->reach_radius));
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

// For lanes whose line of plane `slot` seems to keep no point. With a little more relaxation, `slack`, it keeps one
// where only rounding took it: these lanes get it. The others are returned, their relaxation raised.
static vmask relax_lanes(lane_program *p, vmask empty, int slot, vfloat slack, vfloat *x, vfloat *y) {
    const throng_program_input *in = p->in;
    const int walls = slot < in->wall_slots;
    vfloat *relax = walls ? &p->relax_walls : &p->relax_agents;
    const vfloat before = *relax;
    *relax = before + slack;
    const lane_plane i = plane_at(p, slot, walls);
    const lane_line line = cut_by_planes(p, i, slot, walls, 1);
    const vfloat more = growth_needed(p, i, line);
    const vmask failed = vm_and(empty, vf_gt(more, slack * vf_splat(0.1f)));

    // No more than what the velocity at hand would do with.
    const int begin = walls ? 0 : in->wall_slots, end = walls ? in->wall_slots : in->slot_count;
    const vfloat enough = vf_min(i.relax + more, vf_max(greatest_violation(p, *x, *y, begin, end), i.relax));
    // Opposite walls relaxed to the exact limit would leave nothing for the agents' lines to cross.
    *relax = vf_select(failed, enough + slack * vf_splat(walls ? 1.0f : 0.0f), before);

    const lane_chord chord = chord_of_discs(p, i, slack);
    const vfloat low = vf_max(line.low.position, chord.low), high = vf_min(line.high.position, chord.high);
    const vfloat position = vf_min(vf_max(vf_min(vf_max(chord.wish, low), high), chord.low), chord.high);
    const vmask kept = vm_andnot(empty, failed);
    *x = vf_select(kept, i.nx * (i.c - i.relax) - i.ny * position, *x);
    *y = vf_select(kept, i.ny * (i.c - i.relax) + i.nx * position, *y);
    return failed;
}

// Solves the program, relaxed as it is, for the lanes of `todo`. Returns the lanes that failed, their relaxation
// raised; sets v of all lanes of `todo`.
static vmask solve_round(lane_program *p, vmask todo, vfloat start_x, vfloat start_y, vfloat *vx, vfloat *vy) {
    const throng_program_input *in = p->in;
    vfloat x = start_x, y = start_y;
    vmask failed = vm_none();
    const vmask relaxed = vm_or(vf_gt(p->relax_walls, vf_zero()), vf_gt(p->relax_agents, vf_zero()));
    for (int slot = 0; slot < in->slot_count; slot++) {
        const int walls = slot < in->wall_slots;
        const lane_plane i = plane_at(p, slot, walls);
        const vfloat c = i.c - i.relax;
        const vfloat scale = p->max_speed + vf_abs(i.c);
        const vmask violated = vf_gt(c - vf_dot(i.nx, i.ny, x, y), vf_splat(touch) * scale);
        const vmask hit = vm_andnot(vm_and(todo, violated), failed);
        if (!vm_any(hit)) continue;

        const lane_line line = cut_by_planes(p, i, slot, walls, 0);
        const vfloat slack = vf_splat(room) * scale;
        const vfloat grain = vf_select(relaxed, slack * vf_splat(walls ? 3.0f : 1.0f), vf_splat(-far_away));
        const lane_chord chord = chord_of_discs(p, i, grain);
        const vfloat low = vf_max(line.low.position, chord.low), high = vf_min(line.high.position, chord.high);
        const vmask faced = vf_gt(line.opposite, vf_zero());
        const vmask empty = vm_and(hit, vm_or(vf_gt(low, high), vm_or(chord.missed, faced)));

        const vfloat position = vf_min(vf_max(chord.wish, low), high);
        const vmask moved = vm_andnot(hit, empty);
        x = vf_select(moved, i.nx * c - i.ny * position, x);
        y = vf_select(moved, i.ny * c + i.nx * position, y);
        if (vm_any(empty)) failed = vm_or(failed, relax_lanes(p, empty, slot, slack, &x, &y));
    }
    *vx = vf_select(todo, x, *vx);
    *vy = vf_select(todo, y, *vy);
    return failed;
}

// The point of a disc around (cx, cy) nearest to (x, y).
static inline void nearest_of_disc(vfloat cx, vfloat cy, vfloat radius, vfloat x, vfloat y, vfloat *to_x,
                                   vfloat *to_y) {
    const vfloat dx = x - cx, dy = y - cy;
    const vfloat distance = vf_sqrt(vf_dot(dx, dy, dx, dy));
    const vmask beyond = vf_gt(distance, radius);
    const vfloat scale = radius / distance;
    *to_x = vf_select(beyond, cx + dx * scale, x);
    *to_y = vf_select(beyond, cy + dy * scale, y);
}

// The point of both discs nearest to the preferred velocity. Returns the lanes whose discs do not meet, which get the
// point of the speed disc nearest to the reach disc.
static vmask start_of_discs(lane_program *p, vfloat *start_x, vfloat *start_y) {
    vfloat x, y;
    nearest_of_disc(vf_zero(), vf_zero(), p->max_speed, p->preferred_x, p->preferred_y, &x, &y);
    vmask apart = vm_none();
    if (p->has_reach) {
        const vfloat distance_squared = vf_dot(p->reach_x, p->reach_y, p->reach_x, p->reach_y);
        const vfloat distance = vf_sqrt(distance_squared);
        apart = vf_gt(distance, p->max_speed + p->reach_radius);

        // The circles meet on the line at `foot` along the reach disc's centre.
        const vfloat per_distance = vf_splat(1.0f) / vf_max(distance, vf_splat(1e-20f));
        const vfloat ux = p->reach_x * per_distance, uy = p->reach_y * per_distance;
        const vfloat difference = (p->max_speed - p->reach_radius) * (p->max_speed + p->reach_radius);
        const vfloat foot = vf_splat(0.5f) * (distance + difference * per_distance);
        const vfloat half = half_chord(p->max_speed, foot);
        p->corner_x[0] = ux * foot - uy * half;
        p->corner_y[0] = uy * foot + ux * half;
        p->corner_x[1] = ux * foot + uy * half;
        p->corner_y[1] = uy * foot - ux * half;

        vfloat reach_x, reach_y;
        nearest_of_disc(p->reach_x, p->reach_y, p->reach_radius, p->preferred_x, p->preferred_y, &reach_x, &reach_y);
        const vmask by_speed = within(x - p->reach_x, y - p->reach_y, p->reach_radius);
        const vmask by_reach = within(reach_x, reach_y, p->max_speed);
        const vmask left = vf_ge(vf_cross(ux, uy, p->preferred_x, p->preferred_y), vf_zero());
        const vfloat corner_x = vf_select(left, p->corner_x[0], p->corner_x[1]);
        const vfloat corner_y = vf_select(left, p->corner_y[0], p->corner_y[1]);
        x = vf_select(by_speed, x, vf_select(by_reach, reach_x, corner_x));
        y = vf_select(by_speed, y, vf_select(by_reach, reach_y, corner_y));
        x = vf_select(apart, ux * p->max_speed, x);
        y = vf_select(apart, uy * p->max_speed, y);
    }
    *start_x = x;
    *start_y = y;
    return apart;
}

void LANE_ENTRY(throng_lane_program)(const throng_program_input *in, throng_program_output *out);

void LANE_ENTRY(throng_lane_program)(const throng_program_input *in, throng_program_output *out) {
    out->infeasible = 0;
    LANE_FOR(lane) {
        lane_program p = {.in = in,
                          .lane = lane,
                          .preferred_x = vf_load(in->preferred_vx + lane),
                          .preferred_y = vf_load(in->preferred_vy + lane),
                          .max_speed = vf_load(in->max_speed + lane),
                          .reach_x = vf_load(in->reach_vx + lane),
                          .reach_y = vf_load(in->reach_vy + lane),
                          .reach_radius = vf_load(in->reach_radius + lane),
                          .relax_walls = vf_zero(),
                          .relax_agents = vf_zero()};
        p.has_reach = vm_any(vf_lt(p.reach_radius, vf_splat(far_away)));

        vfloat start_x, start_y;
        const vmask apart = start_of_discs(&p, &start_x, &start_y);
        vfloat vx = start_x, vy = start_y;
        vmask todo = vm_not(apart);
        vmask relaxed = vm_none();
        for (int round = 0; round < MAX_ROUNDS && vm_any(todo); round++) {
            todo = solve_round(&p, todo, start_x, start_y, &vx, &vy);
            relaxed = vm_or(relaxed, todo);
        }

        const vfloat speed_squared = vf_dot(vx, vy, vx, vy);
        const vmask fast = vf_gt(speed_squared, p.max_speed * p.max_speed);
        if (vm_any(fast)) {
            // A hair inwards, so that rounding leaves no speed above the limit.
            const vfloat scale = p.max_speed / vf_sqrt(speed_squared) * vf_splat(1.0f - 3e-7f);
            vx = vf_select(fast, vx * scale, vx);
            vy = vf_select(fast, vy * scale, vy);
        }
        vf_store(out->vx + lane, vx);
        vf_store(out->vy + lane, vy);

        const vmask suspects = vm_or(relaxed, apart);
        vfloat violation = vf_zero();
        if (vm_any(suspects)) {
            violation = vf_select(suspects, greatest_violation(&p, vx, vy, 0, in->slot_count), vf_zero());
        }
        vf_store(out->violation + lane, violation);
        const vmask infeasible = vm_or(relaxed, vm_and(apart, vf_gt(violation, vf_splat(room) * p.max_speed)));
        out->infeasible |= vm_bits(infeasible) << lane;
    }
}
