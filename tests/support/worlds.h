// Worlds for tests: mixed crowds from a counter, walls around them, their snapshots, and what two worlds have in
// common.
#ifndef TESTS_WORLDS_H
#define TESTS_WORLDS_H

#include <throng/throng.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// cmocka.h must have been included.

#define must(call) must_be_ok((call), #call, __FILE__, __LINE__)

static inline void must_be_ok(throng_result result, const char *call, const char *file, int line) {
    if (result == THRONG_OK) return;
    fail_msg("%s:%d: %s: %s: %s", file, line, call, throng_result_name(result), throng_last_error()->message);
}

static inline uint64_t random_word(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint32_t random_below(uint64_t *state, uint32_t limit) {
    return (uint32_t)((random_word(state) >> 32) * limit >> 32);
}

static inline double random_between(uint64_t *state, double low, double high) {
    return low + (high - low) * ((double)(random_word(state) >> 11) * 0x1p-53);
}

// People of many kinds within size x size m around (x, y).
static inline throng_agent_def random_agent(uint64_t *state, double x, double y, double size) {
    throng_agent_def def = throng_default_agent_def();
    const uint32_t kind = random_below(state, 16);
    def.position[0] = x + random_between(state, -0.5, 0.5) * size;
    def.position[1] = y + random_between(state, -0.5, 0.5) * size;
    def.radius = (float)random_between(state, 0.1, 0.35);
    def.preferred_speed = (float)random_between(state, 0.5, 1.5);
    def.max_speed = 1.3f * def.preferred_speed;
    def.max_neighbors = kind == 0 ? 40 : kind == 1 ? 0 : 10;
    def.layer = kind == 2 ? 2 : 1;
    def.mask = kind == 3 ? 1 : 3;
    def.yield = kind == 4 ? 0.0f : (float)random_between(state, 0.5, 2.0);
    def.margin = kind == 5 ? 0.1f : 0.0f;
    if (kind == 6) def.max_acceleration = 1.5f;
    if (kind == 7) def.flags = THRONG_AGENT_HOST_MOVED;
    if (kind == 8) def.radius = 0.9f;
    def.target.kind = kind < 3 ? (throng_target_kind)(kind == 0 ? 3 : kind) : THRONG_TARGET_POINT;
    const double reach = def.target.kind == THRONG_TARGET_VELOCITY ? 1.0 : 0.7 * size;
    const double origin = def.target.kind == THRONG_TARGET_VELOCITY ? 0.0 : 1.0;
    def.target.x = origin * x + random_between(state, -1.0, 1.0) * reach;
    def.target.y = origin * y + random_between(state, -1.0, 1.0) * reach;
    def.target.end_x = def.target.x + 1.0;
    def.target.end_y = def.target.y - 2.0;
    def.host_word = random_word(state);
    return def;
}

// Adds `count` of them, every tenth at the place of the one before.
static inline void add_crowd(throng_world *world, uint64_t seed, uint32_t count, double x, double y, double size,
                             throng_agent_id *ids) {
    throng_agent_def *defs = malloc((count ? count : 1) * sizeof *defs);
    assert_non_null(defs);
    for (uint32_t i = 0; i < count; i++) {
        defs[i] = random_agent(&seed, x, y, size);
        if (i % 10 == 9) memcpy(defs[i].position, defs[i - 1].position, sizeof defs[i].position);
    }
    must(throng_agents_add(world, defs, count, ids));
    free(defs);
}

// Release it after use.
static inline throng_map *map_of(const throng_wall *walls, uint32_t count) {
    throng_map_def def = throng_default_map_def();
    def.walls = walls;
    def.wall_count = count;
    throng_map *map = NULL;
    must(throng_map_create(&def, &map));
    return map;
}

// A hall of 30 m around the origin with a pillar, a fence and a block; release it after use.
static inline throng_map *make_map(void) {
    static const double hall[] = {-15, -15, 15, -15, 15, 15, -15, 15};
    static const double pillar[] = {-1, -1, 1, -1, 0.5, 1.5};
    static const double fence[] = {-6, -4, -3, -5, -3, -8};
    static const double block[] = {4, 3, 9, 3, 9, 4, 4, 4};
    static const throng_wall walls[] = {{THRONG_WALL_ENCLOSURE, 4, hall, UINT32_MAX},
                                        {THRONG_WALL_SOLID, 3, pillar, UINT32_MAX},
                                        {THRONG_WALL_LINE, 3, fence, 1},
                                        {THRONG_WALL_SOLID, 4, block, UINT32_MAX}};
    return map_of(walls, sizeof walls / sizeof walls[0]);
}

static inline throng_world *make_world(const throng_world_def *def, throng_map *map) {
    throng_world_def own = def ? *def : throng_default_world_def();
    own.map = map;
    throng_world *world = NULL;
    must(throng_world_create(&own, &world));
    return world;
}

static inline throng_view view_of(const throng_world *world) {
    throng_view view;
    must(throng_world_view(world, &view));
    return view;
}

static inline throng_hashes hashes_of(const throng_world *world) {
    throng_hashes hashes;
    must(throng_world_hash(world, &hashes));
    return hashes;
}

// The name of the first column that differs, "whole" where only the rest does; NULL: none.
static inline const char *first_difference(const throng_hashes *a, const throng_hashes *b) {
    for (uint32_t i = 0; i < a->column_count; i++) {
        if (a->columns[i] != b->columns[i]) return a->names[i];
    }
    return a->whole != b->whole ? "whole" : NULL;
}

static inline void assert_same_state(const throng_world *a, const throng_world *b, const char *when) {
    const throng_hashes first = hashes_of(a), second = hashes_of(b);
    const char *name = first_difference(&first, &second);
    if (name) fail_msg("%s: the states differ in %s", when, name);
}

static inline void run_beside(throng_world *a, throng_world *b, int steps, const char *when) {
    for (int i = 0; i < steps; i++) {
        must(throng_world_step(a, 0.1));
        must(throng_world_step(b, 0.1));
        assert_same_state(a, b, when);
    }
}

// A snapshot; free its bytes after use.
typedef struct world_image {
    unsigned char *bytes;
    size_t size;
} world_image;

static inline world_image image_of(const throng_world *world) {
    world_image made = {0};
    must(throng_world_save(world, NULL, 0, &made.size));
    made.bytes = malloc(made.size);
    assert_non_null(made.bytes);
    // What the buffer held must not show.
    memset(made.bytes, 0xa5, made.size);
    size_t size;
    must(throng_world_save(world, made.bytes, made.size, &size));
    assert_int_equal(size, made.size);
    return made;
}

static inline throng_result load_from(throng_world *to, const throng_world *from) {
    const world_image image = image_of(from);
    const throng_result result = throng_world_load(to, image.bytes, image.size);
    free(image.bytes);
    return result;
}

#endif
