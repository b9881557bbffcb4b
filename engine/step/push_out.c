#include "step/push_out.h"

#include "base/scalar.h"
#include "base/tie.h"
#include "state/wall_place.h"
#include "step/buried.h"
#include "step/near_walls.h"
#include "step/push.h"
#include "step/share.h"

/// Fewer tiles than this are pushed on the calling thread: waking another costs more.
static const uint32_t few_tiles = 32;

void throng_push_add(throng_push *push, const throng_step *step, uint32_t own, uint32_t other, float dx, float dy,
                     float share) {
    const throng_agents *agents = &step->world->agents;
    const float reach = agents->radius[own] + agents->radius[other], square = dx * dx + dy * dy;
    if (!(square < reach * reach)) return;
    const float distance = sqrtf(square), overlap = reach - distance;
    if (overlap > push->deepest) {
        push->deepest = overlap;
        push->with = other;
    }
    if (!(overlap > THRONG_PUSH_SLOP && share > 0.0f)) return;
    push->pushers++;
    if (distance > 0.0f) {
        const float part = share * overlap / distance;
        push->x += part * dx;
        push->y += part * dy;
        return;
    }
    float away[2];
    throng_tie_direction(step->world->seed, agents->creation[own], agents->creation[other], away);
    push->x -= share * overlap * away[0];
    push->y -= share * overlap * away[1];
}

void throng_push_place_among_walls(const throng_step *step, throng_tile *tile, uint32_t position, const double place[2],
                                   double dx, double dy, double to[2]) {
    const throng_agents *agents = &step->world->agents;
    const throng_wall_set *walls = step->world->walls;
    const uint32_t row = step->world->index.order[position];
    const double x = place[0], y = place[1], radius = agents->radius[row];
    const double from[2] = {agents->x[row], agents->y[row]};
    to[0] = x + dx;
    to[1] = y + dy;
    const double pushed = sqrt(dx * dx + dy * dy);
    const throng_wall_filter filter = throng_row_wall_filter(agents, row);
    const throng_wall_box around = throng_wall_box_around(x, y, throng_wall_sweep_reach(pushed, radius));
    const throng_wall_box start = throng_wall_box_around(from[0], from[1], throng_wall_sweep_reach(0.0, 0.0));
    const throng_wall_box box = throng_wall_box_union(&around, &start);
    const throng_near_walls near = throng_near_walls_in(step, tile, position, filter, &box);
    if (near.count == 0) return;
    const throng_wall_sweep swept =
        throng_wall_sweep_disc(walls, near.pieces, near.count, filter, x, y, dx, dy, radius, NULL);
    to[0] = swept.x;
    to[1] = swept.y;
    if (!(agents->flags[row] & THRONG_FLAG_OUTSIDE) &&
        !throng_wall_place_sees_past(walls, near.pieces, near.count, filter, from, to, 0.0)) {
        to[0] = x;
        to[1] = y;
    }
    uint16_t *reaching = &step->memory->wall_near[position / THRONG_LANES];
    const uint16_t bit = (uint16_t)(1u << position % THRONG_LANES);
    const bool reaches = throng_near_walls_overlap(step, &near, row, to[0], to[1]) > 0.0f;
    *reaching = (uint16_t)(reaches ? *reaching | bit : *reaching & ~bit);
}

// ---- by places as they are: on supports, among kinds that share by more than claims, far apart or far off

/// Where a pass moves somebody, m, by tree position: in the memory of what was packed.
typedef struct pass_place {
    double x, y;
} pass_place;

_Static_assert(sizeof(pass_place) <= sizeof(throng_packed), "places of a pass lie in the memory of the packed");

static pass_place *pass_places(const throng_step *step) {
    return (pass_place *)(void *)step->world->index.packed;
}

static float push_share(const throng_agents *agents, uint32_t own, uint32_t other) {
    if (agents->flags[own] & (THRONG_FLAG_HOST_MOVED | THRONG_FLAG_OUTSIDE)) return 0.0f;
    if (agents->flags[other] & THRONG_FLAG_HOST_MOVED) return 1.0f;
    return throng_share(agents, own, other);
}

/// Adds up what those that overlap the row at a tree position ask of it, and notes the deepest.
static throng_push pushes(const throng_step *step, uint32_t position, uint32_t row) {
    const throng_agents *agents = &step->world->agents;
    const uint32_t *order = step->world->index.order, *contacts = throng_contacts_of(step->memory, position);
    const uint32_t count = throng_contact_count(step->memory, position);
    const bool carried = throng_has_supports(step->world);
    throng_push sum = {.with = row};
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t other = order[contacts[i * THRONG_LANES]];
        throng_vector offset = {agents->next_x[other] - agents->next_x[row],
                                agents->next_y[other] - agents->next_y[row]};
        if (carried) offset = throng_offset_of(step->world, row, other, true);
        throng_push_add(&sum, step, row, other, (float)offset.x, (float)offset.y, push_share(agents, row, other));
    }
    step->memory->overlap[row] = sum.deepest;
    step->memory->overlap_with[row] = sum.with;
    return sum;
}

/// Moves the row at a tree position as it is pushed. Whether it moves.
static bool give_way(const throng_pass *pass, throng_tile *tile, uint32_t position) {
    const throng_step *step = pass->step;
    const throng_agents *agents = &step->world->agents;
    const uint32_t row = step->world->index.order[position];
    const throng_push sum = pushes(step, position, row);
    if (throng_pass_only_measures(pass, position) || sum.pushers == 0) return false;
    const double dx = -throng_on_grid((double)throng_push_taken(sum.x, sum.pushers));
    const double dy = -throng_on_grid((double)throng_push_taken(sum.y, sum.pushers));
    const double from[2] = {agents->next_x[row], agents->next_y[row]};
    double to[2] = {from[0] + dx, from[1] + dy};
    if (throng_has_supports(step->world)) {
        throng_step_push_in_frames(step, tile, row, dx, dy, to);
    } else if (step->world->walls->piece_count && throng_near_walls_take(step->memory, position, dx, dy)) {
        throng_push_place_among_walls(step, tile, position, from, dx, dy, to);
    }
    pass_places(step)[position] = (pass_place){to[0], to[1]};
    return true;
}

static bool take_due(const throng_pass *pass, uint32_t position) {
    const throng_step_memory *memory = pass->step->memory;
    bool due = pass->number == 0;
    if (!due && atomic_load_explicit(&memory->due[position], memory_order_relaxed)) {
        atomic_store_explicit(&memory->due[position], 0, memory_order_relaxed);
        due = true;
    }
    if (throng_is_buried(memory, position)) due = pass->last;
    return due && memory->contact_count[position] > 0;
}

static void push_task(void *context, uint32_t item, uint32_t worker) {
    const throng_pass *pass = context;
    throng_step_memory *memory = pass->step->memory;
    throng_tile *tile = throng_step_tile(memory, worker);
    const uint32_t first = item * THRONG_TASK_ROWS, end = throng_step_task_end(pass->step, first);
    uint32_t moved_tiles = 0;
    for (uint32_t position = first; position < end; position += THRONG_LANES) {
        uint32_t moved = 0;
        for (uint32_t lane = 0; lane < throng_min_u32(THRONG_LANES, end - position); ++lane) {
            if (!take_due(pass, position + lane)) continue;
            moved |= (uint32_t)give_way(pass, tile, position + lane) << lane;
        }
        if (moved) throng_push_mark(memory, position, moved);
        memory->pass_moved[position / THRONG_LANES] = (uint16_t)moved;
        moved_tiles += moved != 0;
    }
    memory->tallies[item].moved = moved_tiles;
}

static void take_places_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    throng_step_memory *memory = step->memory;
    if (memory->tallies[item].moved == 0) return;
    throng_agents *agents = &step->world->agents;
    const uint32_t first = item * THRONG_TASK_ROWS, end = throng_step_task_end(step, first);
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

// ---- passes

static void swap_due(throng_step_memory *memory) {
    _Atomic uint8_t *const kept = memory->due;
    memory->due = memory->due_next;
    memory->due_next = kept;
}

void throng_push_out(throng_step *step) {
    throng_world *world = step->world;
    throng_step_memory *memory = step->memory;
    const uint32_t tasks = throng_step_tasks(step);
    bool buries = false;
    for (uint32_t task = 0; task < tasks; ++task) buries = buries || memory->tallies[task].buries;
    float room = throng_push_pack(step);
    world->index.packs = false;
    bool packed = room >= 0.0f, unpacks = false;
    uint32_t moved = few_tiles;
    throng_pass pass = {.step = step, .last = world->contact_passes == 0};
    for (;;) {
        if (packed && room < 0.0f) {
            throng_push_unpack(&pass);
            packed = unpacks = false;
        }
        const uint32_t grain = moved < few_tiles ? tasks : THRONG_SERIAL_TASKS;
        throng_parallel_for(&world->parallel, tasks, grain, packed ? throng_push_packed : push_task, &pass);
        moved = 0;
        float farthest = 0.0f;
        for (uint32_t task = 0; task < tasks; ++task) {
            moved += memory->tallies[task].moved;
            farthest = throng_maxf(farthest, memory->tallies[task].farthest);
        }
        // Where nobody moves any more, nothing is left to measure but who is buried.
        if (pass.last || (moved == 0 && !buries)) break;
        pass.last = moved == 0 || pass.number + 1 == world->contact_passes;
        pass.number++;
        if (moved == 0) continue;
        if (packed) {
            room -= farthest;
            unpacks = true;
        } else {
            throng_parallel_for(&world->parallel, tasks, moved < few_tiles ? tasks : THRONG_SERIAL_TASKS,
                                take_places_task, step);
        }
        swap_due(memory);
    }
    if (unpacks) throng_push_unpack(&pass);
}
