// Walls in a world with supports. Those of the own frame stand still, those of every other frame move: the platform's
// for people on the ground, the ground's for people on a platform. In the frame of the walls a way over a step is taken
// as straight, from where the body is seen at the step's start to where it is seen at its end; these ways join, so that
// no still or moving wall is ever passed but by who is crushed.
#include "step/step.h"

#include "base/grid.h"
#include "base/scalar.h"
#include "state/wall_piece.h"
#include "state/wall_place.h"
#include "state/wall_sweep.h"

/// How often own walls and moving ones may shift somebody in turn before the own ones have the last word.
enum { ROUNDS = 4 };

/// The frames there may be, the ground's first.
static uint32_t frame_limit(const throng_world *world) {
    return world->supports.slots.limit;
}

static const throng_wall_set *walls_in(const throng_world *world, uint32_t frame) {
    if (frame && (!world->supports.slots.used[frame] || !world->supports.items[frame].frame)) return NULL;
    const throng_wall_set *walls = throng_frame_walls(world, frame);
    return walls->piece_count ? walls : NULL;
}

/// An enclosure encloses those in its own frame; for all others it is a line.
static throng_wall_set from_outside(const throng_wall_set *walls) {
    throng_wall_set seen = *walls;
    seen.enclosure_count = 0;
    return seen;
}

// ---- half-planes

typedef struct framing {
    _Alignas(THRONG_CACHE_LINE) float velocity_x[THRONG_LANES], velocity_y[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float nx[THRONG_WALL_NEAR_MAX * THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float ny[THRONG_WALL_NEAR_MAX * THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float c[THRONG_WALL_NEAR_MAX * THRONG_LANES];
    double x[THRONG_LANES], y[THRONG_LANES];
    throng_vector
        drift[THRONG_LANES]; // what the support and the walls' own motion add to a velocity, walls' frame, m/s
    int used[THRONG_LANES];  // half-planes that the lane has so far
    throng_wall_view view;
} framing;

/// A lane's place and velocity as seen from a frame, in the frame.
static void see(const throng_step *step, const throng_tile *tile, framing *f, uint32_t frame, int lane) {
    const throng_world *world = step->world;
    const uint32_t row = tile->row[lane], own = throng_frame_of(world, row);
    const throng_vector belt = throng_belt_velocity(throng_support_of(world, row));
    const throng_vector place =
        throng_between_frames(world, own, frame, false, world->agents.x[row], world->agents.y[row]);
    throng_vector drift = belt, velocity = {tile->velocity_x[lane], tile->velocity_y[lane]};
    if (own != frame) {
        const double x = world->supports.world_x[row], y = world->supports.world_y[row];
        const throng_vector zero = {0.0, 0.0};
        const throng_vector mine = own ? throng_support_velocity(&world->supports.items[own], x, y) : belt;
        const throng_vector walls = frame ? throng_support_velocity(&world->supports.items[frame], x, y) : zero;
        drift = throng_turn_between_frames(world, 0, frame, mine.x - walls.x, mine.y - walls.y);
        velocity = throng_turn_between_frames(world, own, frame, velocity.x, velocity.y);
    }
    f->x[lane] = place.x;
    f->y[lane] = place.y;
    f->drift[lane] = drift;
    f->velocity_x[lane] = (float)(velocity.x + drift.x);
    f->velocity_y[lane] = (float)(velocity.y + drift.y);
    const float speed = tile->max_speed[lane] + (float)sqrt(drift.x * drift.x + drift.y * drift.y);
    f->view.reach[lane] = tile->radius[lane] + speed * tile->obstacle_horizon[lane];
}

/// A half-plane of velocities in the frame of walls becomes one of velocities relative to the own support.
static void take_planes(const throng_step *step, throng_tile *tile, framing *f, uint32_t frame, int lane) {
    const throng_world *world = step->world;
    const uint32_t own = throng_frame_of(world, tile->row[lane]);
    const throng_vector drift = f->drift[lane];
    const bool as_it_is = own == frame && drift.x == 0.0 && drift.y == 0.0;
    for (int slot = 0; slot < tile->wall_count[lane]; ++slot) {
        const int from = slot * THRONG_LANES + lane;
        if (f->used[lane] == THRONG_WALL_NEAR_MAX) {
            tile->walls_cut++;
            return;
        }
        const int to = f->used[lane]++ * THRONG_LANES + lane;
        const float nx = f->nx[from], ny = f->ny[from];
        const throng_vector normal = throng_turn_between_frames(world, frame, own, nx, ny);
        tile->planes.nx[to] = (float)normal.x;
        tile->planes.ny[to] = (float)normal.y;
        tile->planes.c[to] = as_it_is ? f->c[from] : (float)(f->c[from] - (nx * drift.x + ny * drift.y));
    }
}

/// The walls of a frame, for the lanes in it or for all others.
static void constrain(const throng_step *step, throng_tile *tile, framing *f, uint32_t frame, bool own) {
    const throng_wall_set *walls = walls_in(step->world, frame);
    if (!walls) return;
    const throng_wall_set outside = from_outside(walls);
    f->view.walls = own ? walls : &outside;
    bool any = false;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        f->x[lane] = f->y[lane] = 0.0;
        f->velocity_x[lane] = f->velocity_y[lane] = 0.0f;
        f->view.reach[lane] = -1.0f;
        if (lane >= tile->count || (throng_frame_of(step->world, tile->row[lane]) == frame) != own) continue;
        see(step, tile, f, frame, lane);
        any = true;
    }
    if (!any) return;
    throng_step_wall_planes(step, tile, &f->view, (throng_tile_planes){f->nx, f->ny, f->c});
    if (tile->wall_slots == 0) return;
    for (int lane = 0; lane < tile->count; ++lane) {
        if (f->view.reach[lane] >= 0.0f) take_planes(step, tile, f, frame, lane);
    }
}

void throng_step_constrain_in_frames(const throng_step *step, throng_tile *tile) {
    framing f = {.view = {.x = f.x, .y = f.y, .velocity_x = f.velocity_x, .velocity_y = f.velocity_y}};
    for (int own = 1; own >= 0; --own) {
        for (uint32_t frame = 0; frame < frame_limit(step->world); ++frame) constrain(step, tile, &f, frame, own);
    }
    tile->wall_slots = 0;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        tile->wall_count[lane] = f.used[lane];
        if (f.used[lane] > tile->wall_slots) tile->wall_slots = f.used[lane];
    }
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        for (int slot = f.used[lane]; slot < tile->wall_slots; ++slot) {
            const int at = slot * THRONG_LANES + lane;
            tile->planes.nx[at] = tile->planes.ny[at] = 0.0f;
            tile->planes.c[at] = -1.0f;
        }
    }
}

// ---- ways

/// A body on its way: in its own frame from one place to another, seen from other frames in their poses then.
typedef struct walker {
    const throng_step *step;
    throng_tile *tile;
    uint32_t row, own;
    double from[2]; // m
    bool from_next; // it starts in the poses of the step's end, as a push does
    double radius;
    throng_wall_filter filter;
} walker;

static walker walker_of(const throng_step *step, throng_tile *tile, uint32_t row, bool from_next) {
    const throng_agents *agents = &step->world->agents;
    return (walker){
        step,
        tile,
        row,
        throng_frame_of(step->world, row),
        {from_next ? agents->next_x[row] : agents->x[row], from_next ? agents->next_y[row] : agents->y[row]},
        from_next,
        agents->radius[row],
        throng_row_wall_filter(agents, row)};
}

/// Sweeps among the walls of one frame; false where there are none near.
static bool sweep(const walker *w, const throng_wall_set *walls, throng_vector from, throng_vector to,
                  throng_wall_sweep *swept) {
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double reach = throng_wall_sweep_reach(sqrt(dx * dx + dy * dy), w->radius);
    const throng_wall_box box = throng_wall_box_around(from.x, from.y, reach);
    const uint32_t count = throng_wall_set_query(walls, &box, w->filter, w->tile->own_walls, walls->piece_count);
    if (count == 0) return false;
    *swept =
        throng_wall_sweep_disc(walls, w->tile->own_walls, count, w->filter, from.x, from.y, dx, dy, w->radius, NULL);
    return true;
}

/// Who is within a moving wall or solid, at `at` in its frame, makes for the nearest free place as fast as it can, but
/// through no wall unless it is within a solid. False: it is in none, or has nowhere to go.
static bool leave_wall(const walker *w, const throng_wall_set *walls, throng_vector at, throng_vector *to) {
    if (throng_wall_place_is_free(walls, w->filter, at.x, at.y, w->radius)) return false;
    const bool within = throng_wall_place_is_solid(walls, w->filter, at.x, at.y);
    const double from[2] = {at.x, at.y}, range = within ? throng_free_place_range : 2.0 * w->radius;
    double place[2];
    if (!throng_wall_place_find_free(walls, w->filter, at.x, at.y, w->radius, range, place)) return false;
    if (!within && !throng_wall_place_sees(walls, w->filter, from, place, 0.0)) return false;
    const double dx = place[0] - at.x, dy = place[1] - at.y, distance = sqrt(dx * dx + dy * dy);
    const double limit = w->step->world->agents.max_speed[w->row] * w->step->time_step;
    const double part = distance > limit ? limit / distance : 1.0;
    *to = (throng_vector){at.x + part * dx, at.y + part * dy};
    return true;
}

/// What the walls of another frame make of a way to `to`. True: they changed it.
static bool give_way(const walker *w, uint32_t frame, double to[2]) {
    const throng_world *world = w->step->world;
    const throng_wall_set *still = walls_in(world, frame);
    if (!still) return false;
    const throng_wall_set seen = from_outside(still), *walls = &seen;
    const throng_vector start = throng_between_frames(world, w->own, frame, w->from_next, w->from[0], w->from[1]);
    throng_vector end = throng_between_frames(world, w->own, frame, true, to[0], to[1]);
    throng_wall_sweep swept;
    if (w->from_next || !leave_wall(w, walls, start, &end)) {
        if (!sweep(w, walls, start, end, &swept) || !swept.turned) return false;
        end = (throng_vector){swept.x, swept.y};
    }
    const throng_vector place = throng_between_frames(world, frame, w->own, true, end.x, end.y);
    to[0] = throng_on_grid(place.x);
    to[1] = throng_on_grid(place.y);
    return true;
}

/// All other frames in turn, and the own walls after them. True where anything but the own walls changed the way;
/// *settled: all of them let it pass.
static bool give_way_to_all(const walker *w, double to[2], bool *settled) {
    const throng_world *world = w->step->world;
    const throng_wall_set *own = walls_in(world, w->own);
    bool changed = false;
    for (int round = 0; round < ROUNDS; ++round) {
        bool now = false;
        for (uint32_t frame = 0; frame < frame_limit(world); ++frame) {
            if (frame != w->own && give_way(w, frame, to)) now = true;
        }
        *settled = !now;
        if (!now) return changed;
        changed = true;
        throng_wall_sweep swept;
        if (own && sweep(w, own, (throng_vector){w->from[0], w->from[1]}, (throng_vector){to[0], to[1]}, &swept)) {
            to[0] = swept.x;
            to[1] = swept.y;
        }
    }
    return changed;
}

/// Walls may drag a body faster than it can walk; its velocity says what it can.
static void set_velocity(const walker *w, throng_vector velocity, bool limited) {
    throng_agents *agents = &w->step->world->agents;
    const throng_vector belt = throng_belt_velocity(throng_support_of(w->step->world, w->row));
    double vx = velocity.x - belt.x, vy = velocity.y - belt.y;
    const double speed = sqrt(vx * vx + vy * vy), most = agents->max_speed[w->row];
    if (limited && speed > most) {
        vx *= most / speed;
        vy *= most / speed;
    }
    agents->next_velocity_x[w->row] = (float)vx;
    agents->next_velocity_y[w->row] = (float)vy;
}

void throng_step_sweep_in_frames(const throng_step *step, throng_tile *tile, uint32_t row) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    if (agents->flags[row] & (THRONG_FLAG_HOST_MOVED | THRONG_FLAG_OUTSIDE)) return;
    const walker w = walker_of(step, tile, row, false);
    const throng_wall_set *own = walls_in(world, w.own);
    double to[2] = {agents->next_x[row], agents->next_y[row]};
    throng_wall_sweep swept;
    if (own && sweep(&w, own, (throng_vector){w.from[0], w.from[1]}, (throng_vector){to[0], to[1]}, &swept)) {
        step->memory->event_bits[row] |= THRONG_EVENT_BIT_NEAR_WALL;
        if (swept.turned) {
            to[0] = swept.x;
            to[1] = swept.y;
            set_velocity(&w, (throng_vector){swept.dx / step->time_step, swept.dy / step->time_step}, false);
        }
    }
    bool settled;
    if (give_way_to_all(&w, to, &settled)) {
        const throng_vector way = {to[0] - w.from[0], to[1] - w.from[1]};
        set_velocity(&w, (throng_vector){way.x / step->time_step, way.y / step->time_step}, true);
    }
    agents->next_x[row] = to[0];
    agents->next_y[row] = to[1];
}

/// Whether the straight way over the whole step, in each frame, passes no wall.
static bool passes_none(const walker *w, const double to[2]) {
    const throng_world *world = w->step->world;
    for (uint32_t frame = 0; frame < frame_limit(world); ++frame) {
        const throng_wall_set *walls = walls_in(world, frame);
        if (!walls) continue;
        const throng_vector start = throng_between_frames(world, w->own, frame, false, w->from[0], w->from[1]);
        const throng_vector end = throng_between_frames(world, w->own, frame, true, to[0], to[1]);
        const double a[2] = {start.x, start.y}, b[2] = {end.x, end.y};
        if (!throng_wall_place_sees(walls, w->filter, a, b, 0.0)) return false;
    }
    return true;
}

void throng_step_push_in_frames(const throng_step *step, throng_tile *tile, uint32_t row, double dx, double dy,
                                double to[2]) {
    const throng_world *world = step->world;
    if (!throng_has_walls(world)) return;
    const walker push = walker_of(step, tile, row, true);
    const throng_wall_set *own = walls_in(world, push.own);
    throng_wall_sweep swept;
    to[0] = push.from[0] + dx;
    to[1] = push.from[1] + dy;
    if (own && sweep(&push, own, (throng_vector){push.from[0], push.from[1]}, (throng_vector){to[0], to[1]}, &swept)) {
        step->memory->event_bits[row] |= THRONG_EVENT_BIT_NEAR_WALL;
        to[0] = swept.x;
        to[1] = swept.y;
    }
    bool settled = true;
    give_way_to_all(&push, to, &settled);
    const walker whole = walker_of(step, tile, row, false);
    if (world->agents.flags[row] & THRONG_FLAG_OUTSIDE || (settled && passes_none(&whole, to))) return;
    to[0] = push.from[0];
    to[1] = push.from[1];
}

// ---- what is left of it

float throng_step_overlap_in_frames(const throng_step *step, throng_tile *tile, uint32_t row) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    if (agents->flags[row] & (THRONG_FLAG_HOST_MOVED | THRONG_FLAG_OUTSIDE)) return 0.0f;
    const walker w = walker_of(step, tile, row, true);
    double deepest = 0.0;
    for (uint32_t frame = 0; frame < frame_limit(world); ++frame) {
        const throng_wall_set *still = walls_in(world, frame);
        if (!still) continue;
        const throng_wall_set seen = from_outside(still), *walls = frame == w.own ? still : &seen;
        const throng_vector at = throng_between_frames(world, w.own, frame, false, w.from[0], w.from[1]);
        const double distance = throng_wall_place_distance(walls, w.filter, at.x, at.y, w.radius);
        const bool within = throng_wall_place_is_solid(walls, w.filter, at.x, at.y);
        deepest = throng_maxd(deepest, within ? w.radius + distance : w.radius - distance);
    }
    return (float)deepest;
}
