#include "step/push_out.h"

#include "base/grid.h"
#include "base/scalar.h"
#include "base/tie.h"
#include "state/wall_place.h"
#include "step/near_walls.h"
#include "step/share.h"

#include <stddef.h>

/// Fewer tiles than this are pushed on the calling thread: waking another costs more.
static const uint32_t few_tiles = 32;

/// Bodies this deep in each other, m, are left alone, so that those who merely touch rest.
static const double slop = 1e-4;

static uint32_t task_end(const throng_step *step, uint32_t first) {
    return throng_min_u32(step->world->agents.active, first + THRONG_TASK_ROWS);
}

/// Where a pass moves somebody, m, in the memory of what was packed: once those due are known, only radius, row and
/// claim still serve.
typedef struct pass_place {
    double x;
    float radius;
    uint32_t row;
    double y;
    float claim;
    uint32_t unused;
} pass_place;

_Static_assert(sizeof(pass_place) == sizeof(throng_packed) &&
                   offsetof(pass_place, radius) == offsetof(throng_packed, radius) &&
                   offsetof(pass_place, row) == offsetof(throng_packed, row) &&
                   offsetof(pass_place, claim) == offsetof(throng_packed, claim),
               "places of a pass lie between what of the packed still serves");

/// By tree position.
static pass_place *pass_places(const throng_step *step) {
    return (pass_place *)(void *)step->world->index.packed;
}

typedef struct push {
    double x, y;  // m
    int contacts; // who push
} push;

static float push_share(const throng_agents *agents, uint32_t own, uint32_t other) {
    if (agents->flags[own] & (THRONG_FLAG_HOST_MOVED | THRONG_FLAG_OUTSIDE)) return 0.0f;
    if (agents->flags[other] & THRONG_FLAG_HOST_MOVED) return 1.0f;
    return throng_share(agents, own, other);
}

/// Adds up what those that overlap the row at a tree position ask of it, and notes the deepest.
static push pushes(const throng_step *step, uint32_t position, uint32_t row) {
    const throng_agents *agents = &step->world->agents;
    const uint32_t *order = step->world->index.order, *contacts = throng_contacts_of(step->memory, position);
    const int count = step->memory->contact_count[position];
    const double x = agents->next_x[row], y = agents->next_y[row];
    const bool carried = throng_has_supports(step->world);
    push sum = {0};
    float deepest = 0.0f;
    uint32_t with = row;
    for (int i = 0; i < count; ++i) {
        const uint32_t other = order[contacts[i * THRONG_LANES]];
        double dx = x - agents->next_x[other], dy = y - agents->next_y[other];
        if (carried) {
            const throng_vector offset = throng_offset_of(step->world, row, other, true);
            dx = -offset.x;
            dy = -offset.y;
        }
        const double reach = (double)agents->radius[row] + agents->radius[other], square = dx * dx + dy * dy;
        if (square >= reach * reach) continue;
        const double distance = sqrt(square), overlap = reach - distance;
        if ((float)overlap > deepest) {
            deepest = (float)overlap;
            with = other;
        }
        const float share = push_share(agents, row, other);
        if (overlap <= slop || share <= 0.0f) continue;
        double nx, ny;
        if (distance > 0.0) {
            nx = dx / distance;
            ny = dy / distance;
        } else {
            float direction[2];
            throng_tie_direction(step->world->seed, agents->creation[row], agents->creation[other], direction);
            nx = direction[0];
            ny = direction[1];
        }
        sum.x += share * overlap * nx;
        sum.y += share * overlap * ny;
        sum.contacts++;
    }
    step->memory->overlap[row] = deepest;
    step->memory->overlap_with[row] = with;
    return sum;
}

/// Where a push brings the row at a tree position: as far as the walls let it, and nowhere if the straight line over
/// the whole step would then cut through a wall.
static void push_among_walls(const throng_step *step, throng_tile *tile, uint32_t position, double dx, double dy,
                             double to[2]) {
    const throng_agents *agents = &step->world->agents;
    const throng_wall_set *walls = step->world->walls;
    const uint32_t row = step->world->index.order[position];
    const double pushed = sqrt(dx * dx + dy * dy);
    if (!throng_near_walls_matter(step->memory, position, throng_way_length(agents, row) + pushed)) return;
    const double x = agents->next_x[row], y = agents->next_y[row], radius = agents->radius[row];
    const double from[2] = {agents->x[row], agents->y[row]};
    const throng_wall_filter filter = throng_row_wall_filter(agents, row);
    const throng_wall_box around = throng_wall_box_around(x, y, throng_wall_sweep_reach(pushed, radius));
    const throng_wall_box start = throng_wall_box_around(from[0], from[1], throng_wall_sweep_reach(0.0, 0.0));
    const throng_wall_box box = throng_wall_box_union(&around, &start);
    const throng_near_walls near = throng_near_walls_in(step, tile, position, filter, &box);
    if (near.count == 0) return;
    step->memory->event_bits[row] |= THRONG_EVENT_BIT_NEAR_WALL;
    const throng_wall_sweep swept =
        throng_wall_sweep_disc(walls, near.pieces, near.count, filter, x, y, dx, dy, radius, NULL);
    to[0] = swept.x;
    to[1] = swept.y;
    if (agents->flags[row] & THRONG_FLAG_OUTSIDE ||
        throng_wall_place_sees_past(walls, near.pieces, near.count, filter, from, to, 0.0)) {
        return;
    }
    to[0] = x;
    to[1] = y;
}

static void place_pushed(const throng_step *step, throng_tile *tile, uint32_t position, double dx, double dy) {
    const throng_agents *agents = &step->world->agents;
    const uint32_t row = step->world->index.order[position];
    double to[2] = {agents->next_x[row] + dx, agents->next_y[row] + dy};
    if (throng_has_supports(step->world)) {
        throng_step_push_in_frames(step, tile, row, dx, dy, to);
    } else if (step->world->walls->piece_count) {
        push_among_walls(step, tile, position, dx, dy, to);
    }
    pass_places(step)[position].x = to[0];
    pass_places(step)[position].y = to[1];
}

static void mark(const throng_step_memory *memory, uint32_t position) {
    atomic_store_explicit(&memory->due_next[position], 1, memory_order_relaxed);
    atomic_store_explicit(&memory->tile_due_next[position / THRONG_LANES], 1, memory_order_relaxed);
}

/// Moves the row at a tree position as it is pushed. Whether it moves.
static bool give_way(const throng_step *step, throng_tile *tile, uint32_t position, push sum) {
    const throng_step_memory *memory = step->memory;
    if (step->last_pass || sum.contacts == 0) return false;
    // Pushes from several sides are taken in part, or Jacobi passes would overshoot in a dense heap.
    const double part = 2.0 / (1.0 + sum.contacts);
    place_pushed(step, tile, position, throng_on_grid(part * sum.x), throng_on_grid(part * sum.y));
    mark(memory, position);
    const uint32_t *contacts = throng_contacts_of(memory, position);
    for (int i = 0; i < memory->contact_count[position]; ++i) mark(memory, contacts[i * THRONG_LANES]);
    return true;
}

/// From so many on, those due in a tile are pushed in lanes.
enum { LANES_PAY_FROM = 4 };

/// Which of the tile's lanes can be pushed in lanes: those in whose pairs claims alone decide the shares.
static uint32_t plain_lanes(const throng_step *step, uint32_t first, uint32_t due) {
    const throng_world *world = step->world;
    if (!step->pushes_by_claims) return 0;
    uint32_t plain = 0;
    for (uint32_t bits = due; bits; bits &= bits - 1) {
        const uint32_t lane = throng_lowest_bit(bits), row = world->index.order[first + lane];
        if (!(world->agents.flags[row] & (THRONG_FLAG_HOST_MOVED | THRONG_FLAG_OUTSIDE))) plain |= 1u << lane;
    }
    return plain;
}

/// Pushes those in lanes that are `plain`. Returns who moves; *left is who must still be pushed one by one.
static uint32_t push_lanes(const throng_step *step, throng_tile *tile, uint32_t first, uint32_t plain, uint32_t *left) {
    throng_step_memory *memory = step->memory;
    const throng_world *world = step->world;
    double x[THRONG_LANES], y[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) int32_t count[THRONG_LANES] = {0}, pushers[THRONG_LANES], with[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float deepest[THRONG_LANES];
    for (uint32_t bits = plain; bits; bits &= bits - 1) {
        const uint32_t lane = throng_lowest_bit(bits);
        count[lane] = memory->contact_count[first + lane];
    }
    const throng_pushes_input in = {.first = (int32_t)first,
                                    .count = count,
                                    .position = (const int32_t *)throng_contacts_of(memory, first),
                                    .packed = world->index.packed,
                                    .x = world->agents.next_x,
                                    .y = world->agents.next_y,
                                    .claims_vary = world->claims_vary,
                                    .slop = slop};
    throng_pushes_output out = {.x = x, .y = y, .pushers = pushers, .deepest = deepest, .with = with};
    world->kernels->pushes(&in, &out);
    *left |= plain & out.together;
    uint32_t moved = 0;
    for (uint32_t bits = plain & ~out.together; bits; bits &= bits - 1) {
        const uint32_t lane = throng_lowest_bit(bits), row = world->index.order[first + lane];
        memory->overlap[row] = deepest[lane];
        memory->overlap_with[row] = count[lane] ? (uint32_t)with[lane] : row;
        const push sum = {x[lane], y[lane], pushers[lane]};
        moved |= (uint32_t)give_way(step, tile, first + lane, sum) << lane;
    }
    return moved;
}

/// Pushes who is due of the tile that begins at a tree position. Returns who moves.
static uint32_t push_tile(const throng_step *step, throng_tile *tile, uint32_t first, uint32_t lanes) {
    throng_step_memory *memory = step->memory;
    uint32_t due = 0, moved = 0, many = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        if (!atomic_load_explicit(&memory->due[first + lane], memory_order_relaxed)) continue;
        atomic_store_explicit(&memory->due[first + lane], 0, memory_order_relaxed);
        due |= 1u << lane;
        many++;
    }
    if (many >= LANES_PAY_FROM) {
        const uint32_t plain = plain_lanes(step, first, due);
        due &= ~plain;
        if (plain) moved = push_lanes(step, tile, first, plain, &due);
    }
    for (; due; due &= due - 1) {
        const uint32_t lane = throng_lowest_bit(due), row = step->world->index.order[first + lane];
        moved |= (uint32_t)give_way(step, tile, first + lane, pushes(step, first + lane, row)) << lane;
    }
    return moved;
}

static void push_task(void *context, uint32_t item, uint32_t worker) {
    const throng_step *step = context;
    throng_step_memory *memory = step->memory;
    throng_tile *tile = throng_step_tile(memory, worker);
    const uint32_t first = item * THRONG_TASK_ROWS, end = task_end(step, first);
    memory->tallies[item].moved = 0;
    for (uint32_t position = first; position < end; position += THRONG_LANES) {
        const uint32_t at = position / THRONG_LANES;
        if (!atomic_load_explicit(&memory->tile_due[at], memory_order_relaxed)) continue;
        atomic_store_explicit(&memory->tile_due[at], 0, memory_order_relaxed);
        const uint32_t moved = push_tile(step, tile, position, throng_min_u32(THRONG_LANES, end - position));
        memory->pass_moved[at] = (uint16_t)moved;
        if (moved) memory->tallies[item].moved++;
    }
}

static void take_places_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    throng_step_memory *memory = step->memory;
    if (memory->tallies[item].moved == 0) return;
    throng_agents *agents = &step->world->agents;
    const uint32_t first = item * THRONG_TASK_ROWS, end = task_end(step, first);
    for (uint32_t at = first / THRONG_LANES; at * THRONG_LANES < end; ++at) {
        for (uint32_t moved = memory->pass_moved[at]; moved; moved &= moved - 1) {
            const uint32_t position = at * THRONG_LANES + throng_lowest_bit(moved);
            const uint32_t row = step->world->index.order[position];
            agents->next_x[row] = pass_places(step)[position].x;
            agents->next_y[row] = pass_places(step)[position].y;
        }
        memory->pass_moved[at] = 0;
    }
}

static void swap_due(_Atomic uint8_t **a, _Atomic uint8_t **b) {
    _Atomic uint8_t *const kept = *a;
    *a = *b;
    *b = kept;
}

// ---- who is due first

/// Tells of each tile who may overlap somebody: few of those that could have been reached. What is packed decides, to
/// within its rounding, and the passes decide exactly.
static void look_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    const throng_world *world = step->world;
    throng_step_memory *memory = step->memory;
    const uint32_t first = item * THRONG_TASK_ROWS, end = task_end(step, first);
    for (uint32_t position = first; position < end; position += THRONG_LANES) {
        _Alignas(THRONG_CACHE_LINE) int32_t count[THRONG_LANES] = {0};
        const uint32_t lanes = throng_min_u32(THRONG_LANES, end - position);
        uint32_t bits = 0;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            count[lane] = memory->contact_count[position + lane];
            bits |= (uint32_t)(count[lane] > 0) << lane;
        }
        if (world->index.packs && bits) {
            const throng_meetings_input in = {.first = (int32_t)position,
                                              .count = count,
                                              .position = (const int32_t *)throng_contacts_of(memory, position),
                                              .packed = world->index.packed};
            bits = world->kernels->meetings(&in);
        }
        if (!bits) continue;
        atomic_store_explicit(&memory->tile_due[position / THRONG_LANES], 1, memory_order_relaxed);
        for (; bits; bits &= bits - 1) {
            atomic_store_explicit(&memory->due[position + throng_lowest_bit(bits)], 1, memory_order_relaxed);
        }
    }
}

void throng_push_out(throng_step *step) {
    throng_world *world = step->world;
    throng_step_memory *memory = step->memory;
    const uint32_t tasks = throng_step_tasks(step);
    throng_index_pack_places(&world->index, &world->parallel, world->agents.next_x, world->agents.next_y);
    throng_parallel_for(&world->parallel, tasks, THRONG_SERIAL_TASKS, look_task, step);
    step->pushes_by_claims = world->index.packs && !world->mixed && !world->host_moves;
    world->index.packs = false;
    uint32_t moved = few_tiles;
    // One round more than there are passes: the last only measures the overlaps that are left.
    for (uint32_t pass = 0; pass <= world->contact_passes; ++pass) {
        step->last_pass = pass == world->contact_passes;
        const uint32_t grain = moved < few_tiles ? tasks : THRONG_SERIAL_TASKS;
        throng_parallel_for(&world->parallel, tasks, grain, push_task, step);
        moved = 0;
        for (uint32_t task = 0; task < tasks; ++task) moved += memory->tallies[task].moved;
        if (moved == 0) break;
        throng_parallel_for(&world->parallel, tasks, moved < few_tiles ? tasks : THRONG_SERIAL_TASKS, take_places_task,
                            step);
        swap_due(&memory->due, &memory->due_next);
        swap_due(&memory->tile_due, &memory->tile_due_next);
    }
}
