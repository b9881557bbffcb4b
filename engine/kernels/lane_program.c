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

// What the planes and discs leave of a line: positions along it, and how fast the planes' ends move with t.
typedef struct lane_line {
    vfloat low, high;
    vfloat low_slope, high_slope;
    vfloat opposite; // t needed because of a plane that faces this one
} lane_line;

static inline lane_plane plane_at(const lane_program *p, int slot, int relaxing_walls) {
    const int at = slot * THRONG_LANES + p->lane;
    const int wall = slot < p->in->wall_slots;
    return (lane_plane){vf_load(p->in->planes.nx + at), vf_load(p->in->planes.ny + at), vf_load(p->in->planes.c + at),
                        wall ? p->relax_walls : p->relax_agents, wall == relaxing_walls ? 1.0f : 0.0f};
}

// Cuts plane i's line by the planes before it. Positions count from the line's point nearest to the origin along
// (-ny, nx). `with_slopes` is a constant where this is inlined.
LANE_INLINE lane_line cut_by_planes(const lane_program *p, lane_plane i, int slot_count, int relaxing_walls,
                                    int with_slopes) {
    lane_line line = {vf_splat(-far_away), vf_splat(far_away), vf_zero(), vf_zero(), vf_zero()};
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
        const vfloat position = (gap - (i.c - i.relax) * along) / sine;

        const vmask crosses = vf_gt(vf_abs(sine), vf_splat(parallel));
        const vmask raises = vm_and(vm_and(crosses, vf_gt(sine, vf_zero())), vf_gt(position, line.low));
        const vmask lowers = vm_and(vm_and(crosses, vf_lt(sine, vf_zero())), vf_lt(position, line.high));
        line.low = vf_select(raises, position, line.low);
        line.high = vf_select(lowers, position, line.high);
        const vmask against = vm_andnot(facing, crosses);
        if (with_slopes) {
            const vfloat slope = (vf_splat(i.slope) * (side + along) - vf_splat(j.slope)) / sine;
            line.low_slope = vf_select(raises, slope, line.low_slope);
            line.high_slope = vf_select(lowers, slope, line.high_slope);
        }
        const vfloat needed = gap / vf_splat(i.slope + j.slope > 0.0f ? i.slope + j.slope : 1.0f);
        line.opposite = vf_select(vm_and(against, vf_gt(needed, line.opposite)), needed, line.opposite);
    }
    return line;
}

// Half the length that a disc leaves of a line at the distance `offset` from its centre; 0 beyond.
static inline vfloat half_chord(vfloat radius, vfloat offset) {
    return vf_sqrt(vf_max((radius - offset) * (radius + offset), vf_zero()));
}

// t at which a line's end, moving as position + slope*t while the line's offset shrinks by t, enters a disc.
static inline vfloat time_to_enter(vfloat position, vfloat slope, vfloat offset, vfloat radius) {
    const vfloat a = vf_splat(1.0f) + slope * slope;
    const vfloat b = offset - position * slope;
    const vfloat c = position * position + (offset - radius) * (offset + radius);
    const vfloat below = b + vf_sqrt(vf_max(b * b - a * c, vf_zero()));
    return vf_select(vm_and(vf_gt(c, vf_zero()), vf_gt(below, vf_zero())), c / below, vf_zero());
}

// How much t must grow for a disc at `offset` from a line, `middle` along it, to reach between the line's ends. An end
// that enters on the disc's far side was not what kept them apart.
static inline vfloat growth_to_enter(lane_line line, vfloat offset, vfloat middle, vfloat radius) {
    const vfloat half = half_chord(radius, offset);
    const vfloat low = line.low - middle, high = line.high - middle;
    const vfloat by_low = time_to_enter(low, line.low_slope, offset, radius);
    const vfloat by_high = time_to_enter(high, line.high_slope, offset, radius);
    const vmask low_counts = vm_and(vf_gt(low, half), vf_ge(low + line.low_slope * by_low, vf_zero()));
    const vmask high_counts = vm_and(vf_lt(high, -half), vf_le(high + line.high_slope * by_high, vf_zero()));
    return vf_max(vf_select(low_counts, by_low, vf_zero()), vf_select(high_counts, by_high, vf_zero()));
}

static inline vmask within(vfloat x, vfloat y, vfloat radius) {
    return vf_le(vf_dot(x, y, x, y), radius * radius * vf_splat(1.0f + 1e-6f));
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
static vfloat growth_needed(const lane_program *p, lane_plane i, int slot, int relaxing_walls) {
    const lane_line line = cut_by_planes(p, i, slot, relaxing_walls, 1);
    const vfloat c = i.c - i.relax;
    vfloat needed = vf_max(line.opposite, c - support_of_discs(p, i.nx, i.ny));

    const vfloat closing = vf_max(line.high_slope - line.low_slope, vf_splat(1e-20f));
    needed = vf_max(needed, vf_select(vf_gt(line.low, line.high), (line.low - line.high) / closing, vf_zero()));

    needed = vf_max(needed, growth_to_enter(line, c, vf_zero(), p->max_speed));
    if (p->has_reach) {
        const vfloat offset = c - vf_dot(i.nx, i.ny, p->reach_x, p->reach_y);
        const vfloat middle = vf_cross(i.nx, i.ny, p->reach_x, p->reach_y);
        needed = vf_max(needed, growth_to_enter(line, offset, middle, p->reach_radius));
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
        // A relaxed line that touches a circle does so in one point, not in a chord that rounding made.
        const vfloat grain = vf_select(relaxed, vf_splat(room) * scale, vf_splat(-far_away));
        vfloat half = vf_select(vf_gt(c + grain, p->max_speed), vf_zero(), half_chord(p->max_speed, c));
        vfloat low = vf_max(line.low, -half), high = vf_min(line.high, half);
        vmask empty = vm_or(vf_gt(c, p->max_speed), vf_gt(line.opposite, vf_zero()));
        if (p->has_reach) {
            const vfloat offset = c - vf_dot(i.nx, i.ny, p->reach_x, p->reach_y);
            const vfloat middle = vf_cross(i.nx, i.ny, p->reach_x, p->reach_y);
            half = vf_select(vf_gt(offset + grain, p->reach_radius), vf_zero(), half_chord(p->reach_radius, offset));
            low = vf_max(low, middle - half);
            high = vf_min(high, middle + half);
            empty = vm_or(empty, vf_gt(offset, p->reach_radius));
        }
        const vfloat slack = vf_splat(room) * scale;
        empty = vm_and(hit, vm_or(empty, vf_gt(low - high, slack)));
        if (vm_any(empty)) {
            vfloat needed = growth_needed(p, i, slot, walls);
            empty = vm_and(empty, vf_gt(needed, slack));
            // No more than what the velocity at hand would do with.
            const int begin = walls ? 0 : in->wall_slots, end = walls ? in->wall_slots : in->slot_count;
            needed = vf_min(needed, greatest_violation(p, x, y, begin, end) - i.relax);
            // Opposite walls relaxed to the exact limit would leave nothing for the agents' lines to cross.
            if (walls) {
                p->relax_walls = vf_select(empty, p->relax_walls + needed + slack + slack, p->relax_walls);
            } else {
                p->relax_agents = vf_select(empty, p->relax_agents + needed, p->relax_agents);
            }
            failed = vm_or(failed, empty);
        }
        const vfloat wish = vf_cross(i.nx, i.ny, p->preferred_x, p->preferred_y);
        vfloat position = vf_min(vf_max(wish, low), high);
        position = vf_select(vf_gt(low, high), vf_splat(0.5f) * (low + high), position);
        const vmask moved = vm_andnot(hit, failed);
        x = vf_select(moved, i.nx * c - i.ny * position, x);
        y = vf_select(moved, i.ny * c + i.nx * position, y);
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
