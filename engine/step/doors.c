// Reads:  places and targets after the step, the index.
// Writes: the doors' turns and counts.
// Order:  none: counts and least keys.
// Cost:   O(agents near) a door; with a capacity once more for each 64 that it lets in while others wait.
#include "step/doors.h"

#include "base/scalar.h"
#include "step/door_role.h"

#include <assert.h>

/// A turn lasts so long at most, s, while somebody waits on the other side.
static const float turn_time = 10.0f;
/// A turn ends when nobody has come in for so long, s.
static const float idle_time = 2.0f;
/// Who has not come out after so long, s, has to go back: the other side gets its turn.
static const float clearing_time = 10.0f;

// ---- who is there

typedef void visitor(void *context, uint32_t row, const throng_door_role *role);

static void visit(const throng_world *world, const throng_door_column *door, visitor *see, void *context) {
    const throng_index *index = &world->index;
    if (index->count == 0) return;
    const kdt_tree_2f *tree = &index->tree;
    const double x = door->x - index->origin_x, y = door->y - index->origin_y;
    const float at[2] = {(float)x, (float)y};
    const float reach = 1.5f * (float)door->extent;
    const float slack = index->guard + 0x1p-20f * (throng_maxf(at[0], -at[0]) + throng_maxf(at[1], -at[1]));
    kdt_walk_2f walk;
    kdt_walk_2f_begin(&walk, tree, at, at, 0.0f, slack, KDT_ALL);
    for (uint32_t leaf; kdt_walk_2f_next(&walk, reach, UINT32_MAX, &leaf);) {
        const uint32_t first = leaf * tree->leaf_size, end = throng_min_u32(tree->count, first + tree->leaf_size);
        for (uint32_t position = first; position < end; ++position) {
            const uint32_t row = index->order[position];
            const throng_door_role role =
                throng_door_role_of(world, door, row, world->agents.x[row], world->agents.y[row]);
            if (role.part != THRONG_DOOR_NONE) see(context, row, &role);
        }
    }
}

typedef struct presence {
    uint32_t waiting[THRONG_DOOR_SIDES], inside[THRONG_DOOR_SIDES];
} presence;

static void count_role(void *context, uint32_t row, const throng_door_role *role) {
    (void)row;
    presence *here = context;
    (role->part == THRONG_DOOR_INSIDE ? here->inside : here->waiting)[role->from]++;
}

// ---- capacity

typedef struct rank {
    double square;
    uint64_t creation;
} rank;

static bool before(rank a, rank b) {
    return a.square < b.square || (a.square == b.square && a.creation < b.creation);
}

enum { BATCH = 64 }; // ranks found by one look at who is there

typedef struct selection {
    const throng_world *world;
    int from;
    bool started;
    rank last;        ///< those up to it are found
    rank next[BATCH]; ///< the first of those after it, in order
    uint32_t count;
} selection;

static void select_next(void *context, uint32_t row, const throng_door_role *role) {
    selection *of = context;
    if (role->part != THRONG_DOOR_WAITING || role->from != of->from) return;
    const rank own = {throng_door_order(role), of->world->agents.creation[row]};
    if (of->started && !before(of->last, own)) return;
    uint32_t at = of->count;
    if (at == BATCH && !before(own, of->next[--at])) return;
    for (; at > 0 && before(own, of->next[at - 1]); --at) of->next[at] = of->next[at - 1];
    of->next[at] = own;
    of->count += of->count < BATCH;
}

/// The rank of the `number`-th of those who wait, from 1; there must be so many.
static rank find_rank(selection *of, const throng_door_column *door, uint32_t number) {
    for (;;) {
        of->count = 0;
        visit(of->world, door, select_next, of);
        assert(of->count == BATCH || of->count >= number);
        if (number <= of->count) return of->next[number - 1];
        number -= of->count;
        of->last = of->next[of->count - 1];
        of->started = true;
    }
}

/// Lets in as many as find room beside those inside.
static void admit(const throng_world *world, throng_door_column *door, const presence *here) {
    const uint32_t capacity = door->state.door.capacity;
    const uint32_t inside = here->inside[THRONG_DOOR_LEFT] + here->inside[THRONG_DOOR_RIGHT];
    const int from = door->state.way == THRONG_DOOR_FROM_LEFT                           ? THRONG_DOOR_LEFT
                     : door->state.way == THRONG_DOOR_FROM_RIGHT                        ? THRONG_DOOR_RIGHT
                     : here->waiting[THRONG_DOOR_LEFT] + here->inside[THRONG_DOOR_LEFT] ? THRONG_DOOR_LEFT
                                                                                        : THRONG_DOOR_RIGHT;
    door->admit_square = INFINITY;
    door->admit_creation = 0;
    if (capacity == 0 || (inside < capacity && here->waiting[from] <= capacity - inside)) return;
    if (inside >= capacity) {
        door->admit_square = -1.0;
        return;
    }
    selection of = {.world = world, .from = from};
    const rank last = find_rank(&of, door, capacity - inside);
    door->admit_square = last.square;
    door->admit_creation = last.creation;
}

// ---- turns

static throng_door_way way_from(int side) {
    return side == THRONG_DOOR_LEFT ? THRONG_DOOR_FROM_LEFT : THRONG_DOOR_FROM_RIGHT;
}

static void open_to(throng_door_column *door, throng_door_way way) {
    door->state.way = way;
    door->state.clearing = false;
    door->state.open_time = door->idle_time = 0.0f;
}

/// Both want through and nobody has the turn: those who are inside, else those of whom more wait, else the left.
static int first_turn(const presence *here) {
    if (here->inside[0] != here->inside[1]) return here->inside[0] > here->inside[1] ? 0 : 1;
    return here->waiting[1] > here->waiting[0] ? 1 : 0;
}

static void give_turn(throng_door_column *door, const presence *here, float dt) {
    throng_door_state *state = &door->state;
    const bool wanted[] = {here->waiting[0] + here->inside[0] > 0, here->waiting[1] + here->inside[1] > 0};
    state->open_time += dt;
    if (!wanted[0] || !wanted[1]) {
        if (state->way != THRONG_DOOR_BOTH) open_to(door, THRONG_DOOR_BOTH);
        return;
    }
    if (state->way == THRONG_DOOR_BOTH) {
        open_to(door, way_from(first_turn(here)));
        return;
    }
    const int own = state->way == THRONG_DOOR_FROM_LEFT ? 0 : 1, other = 1 - own;
    door->idle_time = here->inside[own] ? 0.0f : door->idle_time + dt;
    if (state->clearing) {
        if (here->inside[own] == 0 || state->open_time > clearing_time) open_to(door, way_from(other));
    } else if (door->idle_time > idle_time || state->open_time > turn_time) {
        if (here->inside[own] == 0) {
            open_to(door, way_from(other));
        } else {
            state->clearing = true;
            state->open_time = 0.0f;
        }
    }
}

void throng_step_turn_doors(const throng_step *step) {
    throng_world *world = step->world;
    for (uint32_t i = 0; i < world->doors.count; ++i) {
        throng_door_column *door = &world->doors.items[i];
        presence here = {{0}, {0}};
        visit(world, door, count_role, &here);
        give_turn(door, &here, step->dt);
        admit(world, door, &here);
        for (int side = 0; side < THRONG_DOOR_SIDES; ++side) {
            door->state.waiting[side] = here.waiting[side];
            door->state.inside[side] = here.inside[side];
        }
    }
}

bool throng_step_at_turns(const throng_world *world, uint32_t row, double x, double y) {
    for (uint32_t i = 0; i < world->doors.count; ++i) {
        const throng_door_column *door = &world->doors.items[i];
        if (door->state.way == THRONG_DOOR_BOTH) continue;
        if (throng_door_role_of(world, door, row, x, y).part != THRONG_DOOR_NONE) return true;
    }
    return false;
}
