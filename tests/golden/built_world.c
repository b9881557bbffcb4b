// A world built in code, stepped over every kernel and several thread counts, against one golden hash: what the scenes
// hold natively, held also where the program can't be built (a cross-compiled test under an emulator).
//
// usage: built_world GOLDEN_FILE [--update]
#include <throng/throng.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AGENTS = 400, STEPS = 150 };

// splitmix64's finalizer over a counter: the crowd is the same on every machine.
static double uniform(uint64_t index, uint64_t purpose, double low, double high) {
    uint64_t z = index * 0x9e3779b97f4a7c15u + purpose * 0xd1b54a32d192ed03u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) * 0x1p-53);
}

// Two crowds of mixed people that cross between pillars, a line and an enclosure: about one a square metre.
static throng_agent_def walker(uint64_t i) {
    throng_agent_def def = throng_default_agent_def();
    double side = i % 2 == 0 ? -1.0 : 1.0;
    def.position[0] = side * uniform(i, 1, 2.0, 14.0);
    def.position[1] = uniform(i, 2, -9.0, 9.0);
    def.radius = (float)uniform(i, 3, 0.15, 0.3);
    def.margin = i % 5 == 0 ? 0.05f : 0.0f;
    def.preferred_speed = (float)uniform(i, 4, 0.8, 1.6);
    def.max_speed = def.preferred_speed * 1.25f;
    def.max_acceleration = i % 3 == 0 ? 2.0f : INFINITY;
    def.yield = i % 17 == 0 ? 0.0f : (float)uniform(i, 5, 0.5, 2.0);
    def.layer = i % 11 == 0 ? 2u : 1u;
    def.mask = 3u;
    if (i % 7 == 0) {
        def.target.kind = THRONG_TARGET_VELOCITY;
        def.target.x = -side;
        def.target.y = 0.25;
    } else {
        def.target.kind = THRONG_TARGET_POINT;
        def.target.x = -side * uniform(i, 6, 4.0, 13.0);
        def.target.y = uniform(i, 7, -8.0, 8.0);
    }
    return def;
}

static throng_result build(const throng_world_def *def, throng_map **map, throng_world **world) {
    static const double pillar[] = {-1.0, -1.0, 1.0, -1.0, 0.5, 1.5};
    static const double block[] = {-3.0, 5.0, -3.0, 4.0, 3.0, 4.0, 3.0, 5.0};
    static const double fence[] = {-2.0, -7.0, 0.0, -5.0, 2.0, -7.0};
    static const double hall[] = {-20.0, -12.0, 20.0, -12.0, 20.0, 12.0, -20.0, 12.0};
    static const throng_wall walls[] = {{THRONG_WALL_SOLID, 3, pillar, UINT32_MAX},
                                        {THRONG_WALL_SOLID, 4, block, UINT32_MAX},
                                        {THRONG_WALL_LINE, 3, fence, UINT32_MAX},
                                        {THRONG_WALL_ENCLOSURE, 4, hall, UINT32_MAX}};
    throng_map_def map_def = throng_default_map_def();
    map_def.walls = walls;
    map_def.wall_count = sizeof walls / sizeof walls[0];
    throng_result result = throng_map_create(&map_def, map);
    if (result != THRONG_OK) return result;

    throng_world_def world_def = *def;
    world_def.map = *map;
    result = throng_world_create(&world_def, world);
    if (result != THRONG_OK) return result;

    static throng_agent_def agents[AGENTS];
    for (uint64_t i = 0; i < AGENTS; i++) agents[i] = walker(i);
    return throng_agents_add(*world, agents, AGENTS, NULL);
}

// 0 on failure: no state hashes to it but by an accident of 2^-64.
static uint64_t run(const throng_world_def *def, throng_result *result) {
    throng_map *map = NULL;
    throng_world *world = NULL;
    throng_hashes hashes = {0};
    *result = build(def, &map, &world);
    for (int step = 0; step < STEPS && *result == THRONG_OK; step++) *result = throng_world_step(world, 0.1);
    if (*result == THRONG_OK) *result = throng_world_hash(world, &hashes);
    throng_world_destroy(world);
    throng_map_release(map);
    return hashes.whole;
}

static int compare(const char *what, uint64_t found, uint64_t golden, throng_result result) {
    if (result != THRONG_OK) {
        (void)printf("%s: %s: %s\n", what, throng_result_name(result), throng_last_error()->message);
        return 1;
    }
    (void)printf("%s: %016" PRIx64 "%s\n", what, found, found == golden ? "" : " DIFFERS");
    return found != golden;
}

static int check_all(uint64_t golden) {
    static const uint32_t threads[] = {1, 2, 3, 7};
    static const char *const kernels[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
    int failures = 0;
    char what[64];
    throng_result result = THRONG_OK;
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        throng_world_def def = throng_default_world_def();
        def.threads = threads[i];
        uint64_t found = run(&def, &result);
        (void)snprintf(what, sizeof what, "%u threads", threads[i]);
        failures += compare(what, found, golden, result);
    }
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        throng_world_def def = throng_default_world_def();
        def.kernel = kernels[i];
        uint64_t found = run(&def, &result);
        if (result == THRONG_ERROR_UNSUPPORTED && i > 0) {
            (void)printf("%s: not on this machine or in this build\n", kernels[i]);
            continue;
        }
        failures += compare(kernels[i], found, golden, result);
    }
    return failures;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        (void)fprintf(stderr, "usage: built_world GOLDEN_FILE [--update]\n");
        return 2;
    }
    uint64_t golden = 0;
    if (argc > 2 && strcmp(argv[2], "--update") == 0) {
        throng_world_def def = throng_default_world_def();
        throng_result result = THRONG_OK;
        golden = run(&def, &result);
        FILE *file = fopen(argv[1], "w");
        if (!file || fprintf(file, "%016" PRIx64 "\n", golden) < 0 || fclose(file) != 0) {
            perror(argv[1]);
            return 1;
        }
    } else {
        FILE *file = fopen(argv[1], "r");
        if (!file || fscanf(file, "%" SCNx64, &golden) != 1) {
            (void)fprintf(stderr, "%s: no golden hash\n", argv[1]);
            return 1;
        }
        (void)fclose(file);
    }
    (void)printf("golden: %016" PRIx64 "\n", golden);
    return check_all(golden) != 0;
}
