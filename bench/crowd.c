#include "crowd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t word(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double unit(uint64_t *state) {
    return (double)(word(state) >> 11) * 0x1p-53;
}

static void *get(size_t count, size_t size) {
    void *memory = malloc(count ? count * size : 1);
    if (!memory) {
        fprintf(stderr, "bench: no memory for %zu bytes\n", count * size);
        exit(1);
    }
    return memory;
}

static void must(throng_result result) {
    if (result == THRONG_OK) return;
    fprintf(stderr, "bench: %s\n", throng_last_error()->message);
    exit(1);
}

crowd_def crowd_default(void) {
    return (crowd_def){.agents = 10000,
                       .density = 1.0,
                       .threads = 1,
                       .max_neighbors = 10,
                       .radius = 0.25f,
                       .time_horizon = 2.0f,
                       .neighbor_range = 5.0f};
}

const char *crowd_layout_name(crowd_layout layout) {
    static const char *const names[] = {"uniform", "point", "line", "block", "mixed_radii", "giant"};
    return layout < CROWD_LAYOUT_COUNT ? names[layout] : NULL;
}

static void place(const crowd_def *def, uint32_t i, double side, uint64_t *state, throng_agent_def *agent) {
    const double x = unit(state), y = unit(state), goal_x = unit(state), goal_y = unit(state);
    agent->position[0] = x * side;
    agent->position[1] = y * side;
    agent->target = (throng_target){.kind = THRONG_TARGET_POINT, .x = goal_x * side, .y = goal_y * side};
    switch (def->layout) {
    case CROWD_POINT:
        agent->position[0] = agent->position[1] = 0.5 * side;
        break;
    case CROWD_LINE:
        agent->position[1] = 0.5 * side;
        break;
    case CROWD_BLOCK: {
        const double block = sqrt(0.5 * def->agents / 5.0);
        const double size = i % 2 ? block : 1e4;
        agent->radius = 0.2f;
        agent->position[0] = x * size;
        agent->position[1] = y * size;
        agent->target.x = goal_x * size;
        agent->target.y = goal_y * size;
        break;
    }
    case CROWD_MIXED_RADII:
        agent->radius = (float)(0.2 + 0.1 * unit(state));
        break;
    case CROWD_GIANT:
        if (i == def->agents / 2) agent->radius = 50.0f;
        break;
    default:
        break;
    }
}

/// The same way at the same speed, but as a wish that nothing alters.
static void fix_wish(throng_agent_def *agent) {
    const double x = agent->target.x - agent->position[0], y = agent->target.y - agent->position[1];
    const double scale = agent->preferred_speed / (sqrt(x * x + y * y) + 1e-9);
    agent->target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = x * scale, .y = y * scale};
}

static throng_map *make_walls(const crowd_def *def, double side) {
    throng_wall *walls = get(def->wall_segments, sizeof *walls);
    double *points = get(4 * (size_t)def->wall_segments, sizeof *points);
    uint64_t state = 7;
    for (uint32_t i = 0; i < def->wall_segments; i++) {
        double *p = points + 4 * (size_t)i;
        const double angle_x = 2.0 * unit(&state) - 1.0, angle_y = 2.0 * unit(&state) - 1.0;
        const double length = sqrt(angle_x * angle_x + angle_y * angle_y) + 1e-9;
        p[0] = unit(&state) * side;
        p[1] = unit(&state) * side;
        p[2] = p[0] + angle_x / length;
        p[3] = p[1] + angle_y / length;
        walls[i] = (throng_wall){THRONG_WALL_LINE, 2, p, UINT32_MAX};
    }
    throng_map_def map_def = throng_default_map_def();
    map_def.walls = walls;
    map_def.wall_count = def->wall_segments;
    throng_map *map;
    must(throng_map_create(&map_def, &map));
    free(walls);
    free(points);
    return map;
}

throng_world *crowd_make(const crowd_def *def) {
    const double side = sqrt(def->agents / def->density);
    throng_map *map = def->wall_segments ? make_walls(def, side) : NULL;
    throng_world_def world_def = throng_default_world_def();
    world_def.map = map;
    world_def.threads = def->threads;
    world_def.kernel = def->kernel;
    world_def.profile = def->profile;
    throng_world *world;
    must(throng_world_create(&world_def, &world));
    throng_map_release(map);
    throng_agent_def *agents = get(def->agents, sizeof *agents);
    uint64_t state = 1;
    for (uint32_t i = 0; i < def->agents; i++) {
        agents[i] = throng_default_agent_def();
        agents[i].radius = def->radius;
        agents[i].time_horizon = def->time_horizon;
        agents[i].neighbor_range = def->neighbor_range;
        agents[i].max_neighbors = def->max_neighbors;
        place(def, i, side, &state, &agents[i]);
        if (def->plain) fix_wish(&agents[i]);
    }
    must(throng_agents_add(world, agents, def->agents, NULL));
    free(agents);
    return world;
}

void crowd_step(throng_world *world) {
    must(throng_world_step(world, 1.0 / CROWD_STEP_PER_SECOND));
}

uint64_t crowd_hash_after(const crowd_def *def, int steps) {
    throng_world *world = crowd_make(def);
    for (int i = 0; i < steps; i++) crowd_step(world);
    throng_hashes hashes;
    must(throng_world_hash(world, &hashes));
    throng_world_destroy(world);
    return hashes.whole;
}

// ---- places alone

/// Interleaves the bits of two 16-bit cells: Morton order.
static uint32_t morton(uint32_t x, uint32_t y) {
    uint32_t code = 0;
    for (int bit = 0; bit < 16; bit++) code |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1);
    return code;
}

typedef struct placed {
    uint32_t code;
    float x, y;
} placed;

static int by_code(const void *a, const void *b) {
    const uint32_t left = ((const placed *)a)->code, right = ((const placed *)b)->code;
    return left < right ? -1 : left > right;
}

void crowd_places(uint32_t count, bool sorted, float *x, float *y) {
    placed *places = get(count, sizeof *places);
    const double side = sqrt(count);
    uint64_t state = 1;
    for (uint32_t i = 0; i < count; i++) {
        const double px = unit(&state), py = unit(&state);
        places[i] = (placed){morton((uint32_t)(px * 65535.0), (uint32_t)(py * 65535.0)), (float)(px * side),
                             (float)(py * side)};
    }
    if (sorted) qsort(places, count, sizeof *places, by_code);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = places[i].x;
        y[i] = places[i].y;
    }
    free(places);
}
