// The lists that a tile finds against all others one by one: crowds with ties, heaps, lattices, giants and wide gaps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "step/neighbors.h"
#include "step/step.h"
#include "support/worlds.h"

enum { CROWD = 400, ROUNDS = 12 };

typedef enum layout { SCATTERED, LATTICE, HEAP, POINTS, CLUSTERS, LAYOUTS } layout;

static const char *const layout_names[LAYOUTS] = {"scattered", "lattice", "heap", "points", "clusters"};

static void place(layout how, uint64_t *state, uint32_t i, double position[2]) {
    const double size = how == HEAP ? 0.5 : 25.0;
    for (int axis = 0; axis < 2; axis++) position[axis] = random_between(state, -0.5, 0.5) * size;
    if (how == LATTICE) {
        position[0] = 0.75 * (i % 20);
        position[1] = 0.75 * (double)(i / 20);
    } else if (how == POINTS) {
        position[0] = (double)(i % 3);
        position[1] = i % 2 ? 0.5 : 0.0;
    } else if (how == CLUSTERS && i % 8) {
        for (int axis = 0; axis < 2; axis++) position[axis] = 0.02 * position[axis] + (i % 4) * 40.0;
    }
}

static void add_people(throng_world *world, layout how, int round) {
    uint64_t state = 100 * (uint64_t)how + (uint64_t)round;
    static throng_agent_def defs[CROWD];
    for (uint32_t i = 0; i < CROWD; i++) {
        defs[i] = throng_default_agent_def();
        place(how, &state, i, defs[i].position);
        // Some rounds are of one radius and kind, some are far out, some hold a giant.
        if (round % 2) defs[i].radius = (float)random_between(&state, 0.1, 0.4);
        if (round % 4 == 3 && i == 7) defs[i].radius = 20.0f;
        if (round % 3 == 2) defs[i].max_neighbors = (uint32_t)(i % 16);
        if (round % 5 == 4) defs[i].layer = 1u << (i % 3), defs[i].mask = i % 5 ? 3 : 7;
        if (round % 6 == 5) defs[i].position[0] += 1e6;
        // Who is far off makes tree coordinates too coarse for the others' distances.
        if (how == HEAP && round % 3 == 1 && i == 9) defs[i].position[0] += 1000.0;
    }
    must(throng_agents_add(world, defs, CROWD, NULL));
}

typedef struct seen {
    float key;
    uint64_t creation;
    uint32_t row;
} seen;

static int by_key(const void *a, const void *b) {
    const seen *first = a, *second = b;
    if (first->key != second->key) return first->key < second->key ? -1 : 1;
    return first->creation < second->creation ? -1 : 1;
}

// All whom a row heeds, nearest first: the definition, with places subtracted in double and the rest in float.
static uint32_t see_all(const throng_agents *agents, uint32_t row, seen *all) {
    uint32_t count = 0;
    for (uint32_t other = 0; other < agents->active; other++) {
        if (other == row || !(agents->mask[row] & agents->layer[other])) continue;
        const float dx = (float)(agents->x[other] - agents->x[row]), dy = (float)(agents->y[other] - agents->y[row]);
        all[count++] = (seen){sqrtf(dx * dx + dy * dy) - agents->radius[other], agents->creation[other], other};
    }
    qsort(all, count, sizeof *all, by_key);
    return count;
}

// Octants around, cut at the axes and their bisectors, from the x-axis on.
static int octant(double x, double y) {
    if (y >= 0.0) return x >= 0.0 ? (y > x ? 1 : 0) : (y > -x ? 2 : 3);
    return x < 0.0 ? (y < x ? 5 : 4) : (-y > x ? 6 : 7);
}

// Whether sixteen others cover the row's centre and leave no three neighboring octants empty.
static bool is_buried(const throng_agents *agents, uint32_t row, const seen *all, uint32_t count) {
    bool taken[8] = {false};
    if (count < 16) return false;
    for (int i = 0; i < 16; i++) {
        if (!(all[i].key < 0.0f)) return false;
        taken[octant(agents->x[all[i].row] - agents->x[row], agents->y[all[i].row] - agents->y[row])] = true;
    }
    for (int i = 0; i < 8; i++) {
        if (!taken[i] && !taken[(i + 1) % 8] && !taken[(i + 2) % 8]) return false;
    }
    return true;
}

static void assert_lists(const throng_step *step, const throng_tile *tile, int lane, const char *what) {
    static seen all[CROWD];
    const throng_agents *agents = &step->world->agents;
    const throng_nearest_lists *lists = &tile->lists;
    const uint32_t row = tile->row[lane], count = see_all(agents, row, all);
    uint32_t wanted = 0, contacts = 0;
    while (wanted < count && wanted < agents->max_neighbors[row] && all[wanted].key <= lists->range[lane]) wanted++;
    if ((uint32_t)lists->found[lane] != wanted) {
        fail_msg("%s: row %u has %d neighbors, should have %u", what, row, lists->found[lane], wanted);
    }
    const bool buried = is_buried(agents, row, all, count);
    if (buried != (tile->buried >> lane & 1))
        fail_msg("%s: row %u should%s be buried", what, row, buried ? "" : " not");
    assert_int_equal(tile->neighbor_count[lane], buried ? 0 : wanted);
    for (uint32_t slot = 0; slot < wanted; slot++) {
        const uint32_t at = slot * THRONG_LANES + (uint32_t)lane, got = step->world->index.order[lists->position[at]];
        if (!buried) assert_int_equal(tile->neighbor_row[at], got);
        if (got == all[slot].row) continue;
        fail_msg("%s: neighbor %u of row %u is row %u, should be %u with key %.9g", what, slot, row, got, all[slot].row,
                 (double)all[slot].key);
    }
    while (contacts < count && contacts < THRONG_CONTACT_SLOTS && all[contacts].key <= lists->contact_range[lane]) {
        contacts++;
    }
    uint32_t found = 0;
    while (found < THRONG_CONTACT_SLOTS &&
           tile->contact_key[found * THRONG_LANES + (uint32_t)lane] <= lists->contact_range[lane]) {
        found++;
    }
    if (found != contacts) fail_msg("%s: row %u has %u contacts, should have %u", what, row, found, contacts);
    for (uint32_t slot = 0; slot < contacts && slot < THRONG_MAX_CONTACTS; slot++) {
        const int32_t position = tile->contact_position[slot * THRONG_LANES + (uint32_t)lane];
        assert_int_equal(step->world->index.order[position], all[slot].row);
    }
}

static void lists_are_those_of_all_pairs(void **state) {
    (void)state;
    static const char *const kernels[] = {NULL, "scalar"};
    for (int at = 0; at < 2 * LAYOUTS * ROUNDS; at++) {
        const layout how = (layout)(at / 2 % LAYOUTS);
        const int round = at / 2 / LAYOUTS;
        throng_world_def def = throng_default_world_def();
        def.kernel = kernels[at % 2];
        throng_world *world;
        must(throng_world_create(&def, &world));
        add_people(world, how, round);
        must(throng_world_step(world, 0.1));
        throng_step step = {.world = world, .time_step = 0.1, .dt = 0.1f};
        must(throng_step_ingest(&step));
        throng_tile *tile = throng_step_tile(step.memory, 0);
        char what[80];
        snprintf(what, sizeof what, "%s, round %d, %s kernel", layout_names[how], round, at % 2 ? "scalar" : "best");
        for (uint32_t first = 0; first < world->agents.active; first += THRONG_LANES) {
            tile->first = first;
            tile->count =
                (int)(world->agents.active - first < THRONG_LANES ? world->agents.active - first : THRONG_LANES);
            throng_step_neighbors(&step, tile);
            for (int lane = 0; lane < tile->count; lane++) assert_lists(&step, tile, lane, what);
        }
        throng_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_are_those_of_all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
