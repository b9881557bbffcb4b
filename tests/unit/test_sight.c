// Whom agents see, found over lanes, against the search agent by agent and against the definition, for crowds with
// heights, fields of view, lines of sight among walls, masks and heaps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels/kernels.h"
#include "state/world.h"
#include "step/sight.h"
#include "step/step.h"
#include "support/worlds.h"

enum { CROWD = 250, STEPS = 3 };

typedef struct senses {
    const char *name;
    bool heights, views, walls, mixed;
    double size; // m
} senses;

static const senses crowds[] = {{"heights", true, false, false, false, 20.0},
                                {"heights, mixed", true, false, false, true, 20.0},
                                {"views", false, true, false, false, 20.0},
                                {"views, mixed", false, true, false, true, 20.0},
                                {"walls", false, false, true, false, 20.0},
                                {"everything", true, true, true, true, 20.0},
                                {"all of one kind", true, true, true, false, 26.0},
                                {"masks", false, false, false, true, 20.0},
                                {"a heap", true, true, true, true, 2.0},
                                {"a heap of one kind", true, true, false, false, 1.0}};

static void add_senses(uint64_t *state, const senses *kind, throng_agent_def *def) {
    if (kind->heights) {
        def->height_low = (float)random_below(state, 3);
        def->height_high = def->height_low + (float)(1 + random_below(state, 2));
    }
    if (kind->views) {
        static const float cosines[] = {-1.0f, -0.5f, 0.0f, 0.5f, 0.9f, 1.0f};
        def->view_cosine = cosines[random_below(state, 6)];
        if (random_below(state, 3) == 0) def->view_range = (float)random_between(state, 0.0, 3.0);
        if (random_below(state, 4) == 0) def->velocity[0] = def->velocity[1] = 0.0f;
    }
    if (kind->walls) def->line_of_sight = random_below(state, 4) != 0;
}

static throng_world *make_crowd(const senses *kind, uint64_t seed, const char *kernel, throng_map *map) {
    throng_world_def world_def = throng_default_world_def();
    world_def.kernel = kernel;
    throng_world *world = make_world(&world_def, map);
    throng_agent_def defs[CROWD];
    for (uint32_t i = 0; i < CROWD; i++) {
        const throng_agent_def random = random_agent(&seed, 0, 0, kind->size);
        defs[i] = random;
        if (!kind->mixed) {
            defs[i] = throng_default_agent_def();
            memcpy(defs[i].position, random.position, sizeof random.position);
            defs[i].radius = random.radius;
            defs[i].max_neighbors = i % 40 == 3 ? 14 : random.max_neighbors;
            defs[i].target = random.target;
        }
        defs[i].velocity[0] = (float)random_between(&seed, -1.0, 1.0);
        defs[i].velocity[1] = (float)random_between(&seed, -1.0, 1.0);
        add_senses(&seed, kind, &defs[i]);
        if (i % 10 == 9) memcpy(defs[i].position, defs[i - 1].position, sizeof defs[i].position);
    }
    must(throng_agents_add(world, defs, CROWD, NULL));
    return world;
}

// ---- the definition, in other words than the step's: angles

static bool is_within_angle(const throng_agents *agents, uint32_t row, double px, double py, bool *unsure) {
    double gx = (double)agents->velocity_x[row], gy = (double)agents->velocity_y[row];
    const double cosine = (double)agents->view_cosine[row];
    if (gx == 0.0 && gy == 0.0) {
        if (agents->target_kind[row] == THRONG_TARGET_VELOCITY) {
            gx = agents->target_x[row];
            gy = agents->target_y[row];
        } else if (agents->target_kind[row] == THRONG_TARGET_POINT) {
            gx = agents->target_x[row] - agents->x[row];
            gy = agents->target_y[row] - agents->y[row];
        } else {
            *unsure = true; // segments: the nearest point is not this test's
            return true;
        }
    }
    if (cosine <= -1.0 || (px == 0.0 && py == 0.0) || (gx == 0.0 && gy == 0.0)) return true;
    const double angle = fabs(atan2(gx * py - gy * px, gx * px + gy * py)), most = acos(cosine);
    if (fabs(angle - most) < 1e-7) *unsure = true;
    return angle <= most;
}

// Whether the row's own view, without walls, holds the other.
static bool is_seen(const throng_agents *agents, uint32_t row, uint32_t other, bool *unsure) {
    const double px = agents->x[other] - agents->x[row], py = agents->y[other] - agents->y[row];
    const double distance = sqrt(px * px + py * py), range = (double)agents->view_range[row];
    if (fabs(distance - range) < 1e-9) *unsure = true;
    return distance <= range && is_within_angle(agents, row, px, py, unsure);
}

// ---- lists

typedef struct found {
    int32_t neighbors[THRONG_LANES], positions[THRONG_MAX_NEIGHBORS * THRONG_LANES];
    float contact_key[THRONG_CONTACT_SLOTS * THRONG_LANES];
    int32_t contact_position[THRONG_CONTACT_SLOTS * THRONG_LANES];
} found;

static void keep(const throng_tile *tile, found *out) {
    memcpy(out->neighbors, tile->lists.found, sizeof out->neighbors);
    memcpy(out->positions, tile->lists.position, sizeof *out->positions * (size_t)tile->slot_capacity * THRONG_LANES);
    memcpy(out->contact_key, tile->contact_key, sizeof out->contact_key);
    memcpy(out->contact_position, tile->contact_position, sizeof out->contact_position);
}

static void compare(const char *name, const throng_tile *tile, const found *lanes, const found *one_by_one) {
    for (int lane = 0; lane < tile->count; lane++) {
        if (lanes->neighbors[lane] != one_by_one->neighbors[lane]) {
            fail_msg("%s: row %u found %d neighbors, one by one %d", name, tile->row[lane], lanes->neighbors[lane],
                     one_by_one->neighbors[lane]);
        }
        for (int slot = 0, at = lane; slot < lanes->neighbors[lane]; slot++, at += THRONG_LANES) {
            if (lanes->positions[at] == one_by_one->positions[at]) continue;
            fail_msg("%s: neighbor %d of row %u is at %d, one by one at %d", name, slot, tile->row[lane],
                     lanes->positions[at], one_by_one->positions[at]);
        }
        for (int slot = 0, at = lane; slot < THRONG_CONTACT_SLOTS; slot++, at += THRONG_LANES) {
            const float range = tile->lists.contact_range[lane];
            const float key = lanes->contact_key[at], other = one_by_one->contact_key[at];
            if (!(key <= range) && !(other <= range)) break;
            // The last slot only tells that there are more.
            if (slot == THRONG_MAX_CONTACTS && key <= range && other <= range) continue;
            if (key == other && lanes->contact_position[at] == one_by_one->contact_position[at]) continue;
            fail_msg("%s: contact %d of row %u is %.9g m at %d, one by one %.9g m at %d", name, slot, tile->row[lane],
                     (double)key, lanes->contact_position[at], (double)other, one_by_one->contact_position[at]);
        }
    }
}

typedef struct tallies {
    uint64_t pairs, unseen, told, full;
} tallies;

static void check_pairs(const char *name, const throng_world *world, const throng_tile *tile, tallies *sum) {
    const throng_agents *agents = &world->agents;
    for (int lane = 0; lane < tile->count; lane++) {
        if (tile->neighbor_count[lane] == agents->max_neighbors[tile->row[lane]]) sum->full++;
        for (int slot = 0, at = lane; slot < tile->neighbor_count[lane]; slot++, at += THRONG_LANES) {
            const uint32_t own = tile->row[lane], other = (uint32_t)tile->neighbor_row[at];
            const bool seen = !agents->has_extras || throng_sees(world, other, own);
            sum->pairs++;
            if (!seen) sum->unseen++;
            if (!seen && tile->pair_share[at] != 1.0f) {
                fail_msg("%s: row %u takes %.9g where row %u does not see it", name, own, (double)tile->pair_share[at],
                         other);
            }
            if (seen && !world->mixed && !world->claims_vary && tile->pair_share[at] != 0.5f) {
                fail_msg("%s: row %u takes %.9g where row %u sees it", name, own, (double)tile->pair_share[at], other);
            }
            if (!agents->has_extras) continue;
            bool unsure = false;
            const bool mine = is_seen(agents, own, other, &unsure);
            if (unsure) continue;
            sum->told++;
            if (!mine) fail_msg("%s: row %u heeds row %u, whom it cannot see", name, own, other);
        }
    }
}

static void check_tiles(const char *name, throng_world *world, tallies *sum) {
    throng_step step = {.world = world, .time_step = 0.1, .dt = 0.1f};
    must(throng_step_ingest(&step));
    throng_tile *tile = throng_step_tile(step.memory, 0);
    static found lanes, one_by_one;
    for (uint32_t first = 0; first < CROWD; first += THRONG_LANES) {
        tile->first = first;
        tile->count = CROWD - first < THRONG_LANES ? (int)(CROWD - first) : THRONG_LANES;
        throng_step_neighbors(&step, tile);
        check_pairs(name, world, tile, sum);
        keep(tile, &lanes);
        throng_sight_search(&step, tile, (1u << tile->count) - 1);
        keep(tile, &one_by_one);
        compare(name, tile, &lanes, &one_by_one);
    }
}

static void lanes_find_whom_agents_see(void **state) {
    (void)state;
    static const char *const kernels[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
    throng_map *map = make_map();
    tallies sum = {0};
    for (size_t c = 0; c < sizeof crowds / sizeof *crowds; c++) {
        uint64_t places = 0;
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
            if (!throng_kernels_select(kernels[k])) continue;
            throng_world *world = make_crowd(&crowds[c], 11 + c, kernels[k], map);
            for (int i = 0; i < STEPS; i++) {
                check_tiles(crowds[c].name, world, &sum);
                must(throng_world_step(world, 0.1));
            }
            const throng_hashes hashes = hashes_of(world);
            if (places && places != hashes.places) fail_msg("%s: %s moves otherwise", crowds[c].name, kernels[k]);
            places = hashes.places;
            throng_world_destroy(world);
        }
    }
    throng_map_release(map);
    // What the test lives on was there.
    assert_true(sum.unseen * 20 > sum.pairs && sum.told * 2 > sum.pairs && sum.full > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_find_whom_agents_see)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
