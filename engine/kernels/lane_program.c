// The velocity program: the incremental linear program in two dimensions of de Berg et al., "Computational Geometry",
// section 4.4, with the distance to the preferred velocity as its objective and two discs as further constraints. When
// the optimum of the first planes violates the next plane, the new optimum lies on that plane's line.
//
// Infeasible lanes: the least greatest violation t is the least t for which the program with every c lowered by t is
// feasible. Whatever left nothing of a line gives a lower bound of it, in closed form. From there t climbs, over a few
// planes at a time, to what all of them need, and the program is solved again with that t: this gives the point nearest
// to the preferred velocity among those of least violation. Should it fail, t grows once more.
#include "kernels/lane_lines.h"

enum { MAX_ROUNDS = 40, MAX_CLIMB = 12 };
// A line kept shorter than this, as a part of max_speed, is a point.
static const float point_length = 1e-5f;

// The lanes of a round whose line kept no point: where they stand, and the plane that they could not satisfy.
typedef struct lane_failures {
    vmask lanes;
    lane_plane plane;
    vint cutter_slots; // the planes before it
} lane_failures;

static inline void take_plane(lane_plane *to, vmask m, vfloat nx, vfloat ny, vfloat c) {
    to->nx = vf_select(m, nx, to->nx);
    to->ny = vf_select(m, ny, to->ny);
    to->c = vf_select(m, c, to->c);
}

// Moves the lanes of `able` that violate plane i to the best point of its line. Returns those that stay able; the
// others are noted in `failures`.
static inline vmask satisfy_plane(const lane_program *p, vmask able, lane_plane i, lane_cutters by, int walls,
                                  lane_failures *failures, vfloat *x, vfloat *y) {
    const vfloat c = i.c - i.relax;
    const vfloat scale = p->max_speed + vf_abs(i.c);
    const vmask hit = vm_and(able, vf_gt(c - vf_dot(i.nx, i.ny, *x, *y), vf_splat(touch) * scale));
    if (!vm_any(hit)) return able;

    const lane_line line = cut_line(p, i, by, walls);
    const vmask relaxed = vf_gt(vf_max(p->relax_walls, p->relax_agents), vf_zero());
    const vfloat grain = vf_select(relaxed, vf_splat(walls ? 3 * room : room) * scale, vf_splat(-far_away));
    const lane_chord chord = chord_of_discs(p, i, grain);
    const vfloat low = vf_max(line.low, chord.low), high = vf_min(line.high, chord.high);
    const vmask empty = vm_and(hit, vm_or(vf_gt(low, high), vm_or(chord.missed, line.faced)));

    const vfloat position = vf_min(vf_max(chord.wish, low), high);
    const vmask moved = vm_andnot(hit, empty);
    *x = vf_select(moved, i.nx * c - i.ny * position, *x);
    *y = vf_select(moved, i.ny * c + i.nx * position, *y);
    if (!vm_any(empty)) return able;
    failures->lanes = vm_or(failures->lanes, empty);
    take_plane(&failures->plane, empty, i.nx, i.ny, i.c);
    failures->cutter_slots = vi_select(empty, vi_splat(by.slot_count), failures->cutter_slots);
    return vm_andnot(able, empty);
}

// The agents' plane that (x, y) violates most, each lane its own.
static inline lane_plane most_violated(const lane_program *p, vfloat x, vfloat y) {
    lane_plane most = plane_at(p, p->in->wall_slots, 0);
    vfloat excess = most.c - vf_dot(most.nx, most.ny, x, y);
    for (int slot = p->in->wall_slots + 1; slot < p->in->slot_count; slot++) {
        const lane_plane i = plane_at(p, slot, 0);
        const vfloat i_excess = i.c - vf_dot(i.nx, i.ny, x, y);
        const vmask more = vf_gt(i_excess, excess);
        excess = vf_select(more, i_excess, excess);
        most.nx = vf_select(more, i.nx, most.nx);
        most.ny = vf_select(more, i.ny, most.ny);
        most.c = vf_select(more, i.c, most.c);
    }
    return most;
}

static inline void take_end(lane_plane *to, vmask m, lane_end end) {
    const vmask soft = vf_gt(end.soft, vf_zero()); // the empty plane stands for a wall: walls always cut
    take_plane(to, m, vf_select(soft, end.nx, vf_zero()), vf_select(soft, end.ny, vf_zero()),
               vf_select(soft, end.c, vf_splat(-1.0f)));
}

// What a lane reaches by climbing.
typedef struct lane_summit {
    vfloat t;
    vfloat x, y;
    vmask alone; // no other velocity has so little violation
} lane_summit;

// From the t that plane i needs beside the planes at the ends of its line to what all planes need: as long as one is
// violated more at the point found, it joins, and t grows to what it needs beside the last few (Sharir and Welzl's
// scheme for LP-type problems, most violated first). t stays a lower bound all the way: stopping early costs rounds,
// nothing else. `most` is an upper bound.
static lane_summit climb(const lane_program *p, vmask lanes, lane_plane i, lane_moving_line line, vfloat t,
                         vfloat most) {
    const lane_plane empty = {vf_zero(), vf_zero(), vf_splat(-1.0f), vf_zero(), 1.0f};
    lane_plane basis[3] = {empty, empty, empty};
    take_end(&basis[0], lanes, line.low);
    take_end(&basis[1], lanes, line.high);
    lane_summit summit = {.x = vf_zero(), .y = vf_zero(), .alone = vm_none()};
    vmask grown = vf_gt(t, i.relax); // lanes in which plane i, for lack of a point, raised t: the least t has it tight
    for (int step = 0; step < MAX_CLIMB && vm_any(lanes); step++) {
        i.relax = t;
        line = uncut_moving_line();
        for (int slot = 0; slot < p->in->wall_slots; slot++) move_by(&line, lanes, i, plane_at(p, slot, 0));
        for (int b = 0; b < 3; b++) {
            basis[b].relax = t;
            move_by(&line, lanes, i, basis[b]);
        }
        const vfloat slack = vf_splat(room) * (p->max_speed + vf_abs(i.c));
        const vfloat growth = growth_needed(p, i, line);
        const vmask found = vm_andnot(lanes, vf_gt(growth, vf_splat(0.1f) * slack));
        t = vf_select(vm_andnot(lanes, found), vf_min(t + growth, most), t);
        grown = vm_or(grown, vm_andnot(lanes, found));
        if (!vm_any(found)) continue;

        // The line keeps a point: its planes make the new basis, and the plane that the point violates most is next.
        const lane_chord chord = chord_of_discs(p, i, slack);
        const vfloat low = vf_max(line.low.position, chord.low), high = vf_min(line.high.position, chord.high);
        const vfloat position = vf_min(vf_max(vf_min(vf_max(chord.wish, low), high), chord.low), chord.high);
        const vfloat x = i.nx * (i.c - i.relax) - i.ny * position, y = i.ny * (i.c - i.relax) + i.nx * position;
        take_plane(&basis[0], found, i.nx, i.ny, i.c);
        take_end(&basis[1], found, line.low);
        take_end(&basis[2], found, line.high);
        const lane_plane next = most_violated(p, x, y);
        const vfloat excess = next.c - vf_dot(next.nx, next.ny, x, y);
        most = vf_select(vm_and(found, vf_lt(excess, most)), vf_max(excess, t), most);
        const vmask on_top = vm_andnot(found, vf_gt(excess, t + slack));
        lanes = vm_andnot(lanes, on_top);
        const vmask one_point = vm_and(grown, vf_lt(vf_abs(high - low), vf_splat(point_length) * p->max_speed));
        summit.alone = vm_or(summit.alone, vm_and(on_top, one_point));
        summit.x = vf_select(on_top, x, summit.x);
        summit.y = vf_select(on_top, y, summit.y);
        grown = vm_andnot(grown, found);
        take_plane(&i, found, next.nx, next.ny, next.c);
    }
    summit.t = t;
    return summit;
}

// Raises the relaxation of the lanes that failed: by `room`, for what only rounding took, and by what their line lacks
// then. Returns the lanes whose answer this settles, and their velocities.
static vmask relax_failures(lane_program *p, const lane_failures *failures, const lane_plane *first, int walls,
                            vfloat *x, vfloat *y) {
    const throng_program_input *in = p->in;
    vfloat *relax = walls ? &p->relax_walls : &p->relax_agents;
    const vfloat before = *relax;
    const vfloat slack = vf_splat(room) * (p->max_speed + vf_abs(failures->plane.c));
    *relax = before + slack;
    lane_plane i = failures->plane;
    i.relax = *relax;
    const lane_moving_line line = cut_moving_line(p, i, failures->cutter_slots, first, walls);
    const vfloat growth = growth_needed(p, i, line);

    // No more than what the velocity at hand would do with.
    const int begin = walls ? 0 : in->wall_slots, end = walls ? in->wall_slots : in->slot_count;
    const vfloat most = vf_max(greatest_violation(p, *x, *y, begin, end), i.relax);
    const vfloat enough = vf_min(i.relax + growth, most);
    if (walls) {
        // Opposite walls at the exact limit would leave nothing for the agents' lines to cross.
        *relax = vf_select(failures->lanes, enough + slack, before);
        return vm_none();
    }
    const lane_summit summit = climb(p, failures->lanes, i, line, enough, most);
    *relax = vf_select(failures->lanes, summit.t, before);
    const vmask settled = vm_and(failures->lanes, summit.alone);
    *x = vf_select(settled, summit.x, *x);
    *y = vf_select(settled, summit.y, *y);
    return settled;
}

// Solves the program, relaxed as it is, for the lanes of `todo`, and sets their velocities. Returns the lanes that have
// to be solved again, more relaxed. All lanes that were relaxed are noted in `relaxed`.
static vmask solve_round(lane_program *p, vmask todo, vfloat start_x, vfloat start_y, vfloat *vx, vfloat *vy,
                         vmask *relaxed) {
    const throng_program_input *in = p->in;
    vfloat x = start_x, y = start_y;
    vmask able = todo;
    lane_failures failures = {.lanes = vm_none(), .cutter_slots = vi_splat(0)};
    failures.plane = (lane_plane){vf_zero(), vf_zero(), vf_zero(), vf_zero(), 1.0f};
    for (int slot = 0; slot < in->wall_slots; slot++) {
        const lane_cutters by = {slot, NULL};
        able = satisfy_plane(p, able, plane_at(p, slot, 1), by, 1, &failures, &x, &y);
    }
    if (vm_any(failures.lanes)) relax_failures(p, &failures, NULL, 1, &x, &y);
    *relaxed = vm_or(*relaxed, failures.lanes);

    if (in->wall_slots < in->slot_count && vm_any(able)) {
        // Each lane begins with the plane it violates most: few lanes then violate another.
        const lane_plane first = most_violated(p, x, y);
        failures.lanes = vm_none();
        able = satisfy_plane(p, able, first, (lane_cutters){in->wall_slots, NULL}, 0, &failures, &x, &y);
        for (int slot = in->wall_slots; slot < in->slot_count; slot++) {
            const lane_cutters by = {slot, &first};
            able = satisfy_plane(p, able, plane_at(p, slot, 0), by, 0, &failures, &x, &y);
        }
        *relaxed = vm_or(*relaxed, failures.lanes);
        if (vm_any(failures.lanes)) able = vm_or(able, relax_failures(p, &failures, &first, 0, &x, &y));
    }
    *vx = vf_select(todo, x, *vx);
    *vy = vf_select(todo, y, *vy);
    return vm_andnot(todo, able);
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
            todo = solve_round(&p, todo, start_x, start_y, &vx, &vy, &relaxed);
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

        // What was relaxed by no more than rounding is feasible.
        const vmask suspects = vm_or(relaxed, apart);
        vfloat violation = vf_zero();
        vmask infeasible = vm_none();
        if (vm_any(suspects)) {
            violation = greatest_violation(&p, vx, vy, 0, in->slot_count);
            infeasible = vm_and(suspects, vf_gt(violation, vf_splat(4 * room) * p.max_speed));
            violation = vf_select(infeasible, violation, vf_zero());
        }
        vf_store(out->violation + lane, violation);
        out->infeasible |= vm_bits(infeasible) << lane;
    }
}
