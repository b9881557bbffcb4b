// Push-out by packed places, a tile of the tree at a time: nothing is gathered by row but by who moves.
#include "step/push.h"

#include "base/scalar.h"
#include "step/near_walls.h"

#include <string.h>

/// m: no push carries anybody of at most this radius farther than four times as much.
static const float largest_radius = 1.0f;
/// m: from here on doubles do not hold the grid in their low bits, as steps_of takes it.
static const double far_off = 0x1p22;
/// m: covers the rounding of the bounds below.
static const float margin = 0.01f;

/// A place in grid steps, modulo 2^32. The sum's last bit is worth a step: 1.5 * 2^52 of them.
static int32_t steps_of(double place) {
    const double sum = place + 0x1.8p24;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return (int32_t)(uint32_t)bits;
}

/// From one place to another, in grid steps.
static int32_t way(int32_t from, int32_t to) {
    return (int32_t)((uint32_t)to - (uint32_t)from);
}

static double meters(int32_t steps) {
    return (double)steps * (double)THRONG_GRID_STEP;
}

/// What a coordinate of next_x, next_y has become.
static double unpacked(double before, int32_t now) {
    return before + meters(way(steps_of(before), now));
}

static int32_t longer(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/// The whole number nearest to a number of grid steps, ties to even.
static int32_t nearest(float steps) {
    const double whole = 0x1.8p52; // here a double's last bit is worth 1
    return (int32_t)(((double)steps + whole) - whole);
}

static throng_push_places *packed_places(const throng_step *step) {
    return (throng_push_places *)(void *)step->world->index.packed;
}

// ---- there and back

static void pack_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_step *step = context;
    const throng_agents *agents = &step->world->agents;
    const throng_index *index = &step->world->index;
    const uint32_t first = item * THRONG_TASK_ROWS, end = throng_step_task_end(step, first);
    float longest_x = 0.0f, longest_y = 0.0f;
    for (uint32_t position = first; position < end; ++position) {
        const throng_packed packed = index->packed[position];
        const double x = agents->next_x[packed.row], y = agents->next_y[packed.row];
        float place[2];
        throng_index_place(index, x, y, place);
        longest_x = throng_maxf(longest_x, fabsf(place[0] - index->tree.coord[0][position]));
        longest_y = throng_maxf(longest_y, fabsf(place[1] - index->tree.coord[1][position]));
        const throng_push_place next = {steps_of(x), steps_of(y), packed.radius, packed.claim};
        packed_places(step)[position] = (throng_push_places){{next, next}};
    }
    step->memory->tallies[item].moved = 0;
    step->memory->tallies[item].farthest = throng_maxf(longest_x, longest_y);
}

float throng_push_pack(const throng_step *step) {
    const throng_world *world = step->world;
    const throng_index *index = &world->index;
    if (!index->packs || world->mixed || world->host_moves || index->count == 0) return -1.0f;
    const kdt_node_2f *all = &index->tree.nodes[1];
    if (!(all->radius <= largest_radius)) return -1.0f;
    const uint32_t tasks = throng_step_tasks(step);
    throng_parallel_for(&world->parallel, tasks, THRONG_SERIAL_TASKS, pack_task, (void *)step);
    float contact_range = 0.0f, longest = 0.0f;
    for (uint32_t task = 0; task < tasks; ++task) {
        contact_range = throng_maxf(contact_range, step->memory->tallies[task].contact_range);
        longest = throng_maxf(longest, step->memory->tallies[task].farthest);
    }
    for (int axis = 0; axis < 2; ++axis) {
        const double origin = fabs(axis ? index->origin_y : index->origin_x);
        if (!(origin + fabsf(all->lo[axis]) + fabsf(all->hi[axis]) + longest < far_off)) return -1.0f;
    }
    // Two who may touch were at most `contact_range` and a radius apart before both moved.
    const float apart = contact_range + all->radius + 2.0f * (longest + index->guard) + margin;
    return 0.5f * (THRONG_NARROW - apart);
}

static void unpack_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const throng_pass *pass = context;
    const throng_step *step = pass->step;
    throng_step_memory *memory = step->memory;
    throng_agents *agents = &step->world->agents;
    const uint32_t first = item * THRONG_TASK_ROWS, end = throng_step_task_end(step, first);
    for (uint32_t at = first / THRONG_LANES; at * THRONG_LANES < end; ++at) {
        for (uint32_t moved = memory->pass_moved[at]; moved; moved &= moved - 1) {
            const uint32_t position = at * THRONG_LANES + throng_lowest_bit(moved);
            const uint32_t row = step->world->index.order[position];
            const throng_push_place *place = &packed_places(step)[position].of_pass[pass->number & 1];
            agents->next_x[row] = unpacked(agents->next_x[row], place->x);
            agents->next_y[row] = unpacked(agents->next_y[row], place->y);
        }
        memory->pass_moved[at] = 0;
    }
}

void throng_push_unpack(throng_pass *pass) {
    throng_parallel_for(&pass->step->world->parallel, throng_step_tasks(pass->step), THRONG_SERIAL_TASKS, unpack_task,
                        pass);
}

// ---- passes

/// A tile in a pass. Lanes that are not due have no candidates.
typedef struct pushed_tile {
    _Alignas(THRONG_CACHE_LINE) int32_t count[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) int32_t x[THRONG_LANES]; // grid steps
    _Alignas(THRONG_CACHE_LINE) int32_t y[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) float deepest[THRONG_LANES];
    _Alignas(THRONG_CACHE_LINE) int32_t with[THRONG_LANES]; // tree position
    uint32_t first, moved;                                  // moved: a bit per lane
} pushed_tile;

static bool is_zero(const uint8_t bytes[THRONG_LANES]) {
    uint64_t words[2];
    memcpy(words, bytes, sizeof words);
    return (words[0] | words[1]) == 0;
}

/// Counts the candidates of who is due of a tile, and due no more. False where nobody is.
static bool take_due(const throng_pass *pass, pushed_tile *pushed) {
    throng_step_memory *memory = pass->step->memory;
    const uint32_t buried = memory->buried[pushed->first / THRONG_LANES];
    uint8_t count[THRONG_LANES];
    memcpy(count, memory->contact_count + pushed->first, sizeof count);
    if (pass->number > 0) {
        // Marks go to the next pass: nobody else touches these.
        void *const marks = (void *)(memory->due + pushed->first);
        uint8_t due[THRONG_LANES];
        memcpy(due, marks, sizeof due);
        if (!is_zero(due)) {
            memset(marks, 0, sizeof due);
        } else if (!(buried && pass->last)) {
            return false;
        }
        for (uint32_t lane = 0; lane < THRONG_LANES; ++lane) {
            count[lane] = due[lane] || (pass->last && buried >> lane & 1) ? count[lane] : 0;
        }
    }
    for (uint32_t lanes = pass->last ? 0 : buried; lanes; lanes &= lanes - 1) count[throng_lowest_bit(lanes)] = 0;
    if (is_zero(count)) return false;
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        pushed->count[lane] = count[lane] < THRONG_MAX_CONTACTS ? count[lane] : THRONG_MAX_CONTACTS;
    }
    return true;
}

/// Who of a tile is only measured, a bit per lane.
static uint32_t only_measured(const throng_pass *pass, uint32_t first) {
    const throng_world *world = pass->step->world;
    if (pass->last) return (1u << THRONG_LANES) - 1;
    uint32_t still = 0;
    if (pass->number >= THRONG_CROWDED_PASSES) {
        for (uint32_t lane = 0; lane < THRONG_LANES; ++lane) {
            still |= (uint32_t)throng_pass_only_measures(pass, first + lane) << lane;
        }
    }
    if (!world->may_be_outside) return still;
    for (uint32_t lane = 0; lane < throng_min_u32(THRONG_LANES, world->agents.active - first); ++lane) {
        if (world->agents.flags[world->index.order[first + lane]] & THRONG_FLAG_OUTSIDE) still |= 1u << lane;
    }
    return still;
}

/// One of those who share a place with another, which only their numbers can part.
static void push_one(const throng_pass *pass, pushed_tile *pushed, uint32_t lane, bool still) {
    const throng_step *step = pass->step;
    const uint32_t *order = step->world->index.order, position = pushed->first + lane, row = order[position];
    const throng_push_places *places = packed_places(step);
    const uint32_t *contacts = throng_contacts_of(step->memory, position), now = pass->number & 1;
    const throng_push_place own = places[position].of_pass[now];
    throng_push push = {.with = position};
    for (int i = 0; i < pushed->count[lane]; ++i) {
        const uint32_t other = contacts[i * THRONG_LANES];
        const throng_push_place place = places[other].of_pass[now];
        const float share = step->world->claims_vary ? own.claim / (own.claim + place.claim) : 0.5f;
        const float before = push.deepest;
        throng_push_add(&push, step, row, order[other], (float)way(own.x, place.x) * THRONG_GRID_STEP,
                        (float)way(own.y, place.y) * THRONG_GRID_STEP, share);
        if (push.deepest > before) pushed->with[lane] = (int32_t)other;
    }
    pushed->deepest[lane] = push.deepest;
    pushed->x[lane] = own.x;
    pushed->y[lane] = own.y;
    if (still || push.pushers == 0) return;
    const float to_steps = 1.0f / THRONG_GRID_STEP;
    pushed->x[lane] = way(nearest(throng_push_taken(push.x, push.pushers) * to_steps), own.x);
    pushed->y[lane] = way(nearest(throng_push_taken(push.y, push.pushers) * to_steps), own.y);
    pushed->moved |= 1u << lane;
}

/// Those who move, as far as walls let them.
static void stop_at_walls(const throng_pass *pass, throng_tile *tile, pushed_tile *pushed) {
    const throng_step *step = pass->step;
    const throng_agents *agents = &step->world->agents;
    for (uint32_t bits = pushed->moved; bits; bits &= bits - 1) {
        const uint32_t lane = throng_lowest_bit(bits), position = pushed->first + lane;
        const throng_push_place own = packed_places(step)[position].of_pass[pass->number & 1];
        const double dx = meters(way(own.x, pushed->x[lane])), dy = meters(way(own.y, pushed->y[lane]));
        if (!throng_near_walls_take(step->memory, position, dx, dy)) continue;
        const uint32_t row = step->world->index.order[position];
        const double from[2] = {unpacked(agents->next_x[row], own.x), unpacked(agents->next_y[row], own.y)};
        double to[2];
        throng_push_place_among_walls(step, tile, position, from, dx, dy, to);
        pushed->x[lane] = steps_of(to[0]);
        pushed->y[lane] = steps_of(to[1]);
    }
}

static void note_overlaps(const throng_pass *pass, const pushed_tile *pushed, uint32_t lanes) {
    const throng_step_memory *memory = pass->step->memory;
    const uint32_t *order = pass->step->world->index.order;
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t lane = throng_lowest_bit(lanes), row = order[pushed->first + lane];
        memory->overlap[row] = pushed->deepest[lane];
        memory->overlap_with[row] = order[pushed->with[lane]];
    }
}

/// Writes the places that the next pass reads. How far anybody moved at most, in grid steps along an axis.
static int32_t leave_places(const throng_pass *pass, const pushed_tile *pushed, uint32_t asked) {
    const throng_step_memory *memory = pass->step->memory;
    throng_push_places *places = packed_places(pass->step) + pushed->first;
    uint16_t *moved = &memory->pass_moved[pushed->first / THRONG_LANES];
    const uint32_t now = pass->number & 1;
    *moved |= (uint16_t)pushed->moved;
    int32_t farthest = 0;
    // Both places of who has never moved are the same.
    for (uint32_t bits = asked & *moved; bits; bits &= bits - 1) {
        const uint32_t lane = throng_lowest_bit(bits);
        const throng_push_place *from = &places[lane].of_pass[now];
        throng_push_place *to = &places[lane].of_pass[1 - now];
        const int32_t dx = way(from->x, pushed->x[lane]), dy = way(from->y, pushed->y[lane]);
        farthest = longer(farthest, dx < 0 ? -dx : dx);
        farthest = longer(farthest, dy < 0 ? -dy : dy);
        to->x = pushed->x[lane];
        to->y = pushed->y[lane];
    }
    if (pushed->moved) throng_push_mark(memory, pushed->first, pushed->moved);
    return farthest;
}

/// Pushes who is due of a tile. How far at most, in grid steps along an axis.
static int32_t push_tile(const throng_pass *pass, throng_tile *tile, pushed_tile *pushed) {
    const throng_step *step = pass->step;
    const throng_world *world = step->world;
    pushed->moved = 0;
    if (!take_due(pass, pushed)) return 0;
    const uint32_t still = only_measured(pass, pushed->first);
    const throng_pushes_input in = {.first = (int32_t)pushed->first,
                                    .count = pushed->count,
                                    .position = (const int32_t *)throng_contacts_of(step->memory, pushed->first),
                                    .places = packed_places(step),
                                    .now = pass->number & 1,
                                    .still = still,
                                    .claims_vary = world->claims_vary,
                                    .slop = THRONG_PUSH_SLOP};
    throng_pushes_output out = {.x = pushed->x, .y = pushed->y, .deepest = pushed->deepest, .with = pushed->with};
    world->kernels->pushes(&in, &out);
    pushed->moved = out.moved & ~out.together;
    for (uint32_t bits = out.together; bits; bits &= bits - 1) {
        const uint32_t lane = throng_lowest_bit(bits);
        push_one(pass, pushed, lane, still >> lane & 1);
    }
    if (world->walls->piece_count) stop_at_walls(pass, tile, pushed);
    // Before the first pass nobody overlaps.
    note_overlaps(pass, pushed, pass->number == 0 ? out.touching : out.asked);
    return leave_places(pass, pushed, out.asked);
}

void throng_push_packed(void *context, uint32_t item, uint32_t worker) {
    const throng_pass *pass = context;
    throng_step_memory *memory = pass->step->memory;
    throng_tile *tile = throng_step_tile(memory, worker);
    const uint32_t first = item * THRONG_TASK_ROWS, end = throng_step_task_end(pass->step, first);
    pushed_tile pushed;
    uint32_t moved = 0;
    int32_t farthest = 0;
    for (pushed.first = first; pushed.first < end; pushed.first += THRONG_LANES) {
        farthest = longer(farthest, push_tile(pass, tile, &pushed));
        moved += pushed.moved != 0;
    }
    memory->tallies[item].moved = moved;
    memory->tallies[item].farthest = (float)farthest * THRONG_GRID_STEP;
}
