// What the tests of slopes and speeds share: walkers, a map of regions, and a speed after a step. Include after
// cmocka.h.
#ifndef THRONG_TESTS_GROUND_CASES_H
#define THRONG_TESTS_GROUND_CASES_H

#include "support/worlds.h"

static inline void assert_near(double is, double wanted, double slack, const char *what) {
    if (!(fabs(is - wanted) <= slack)) fail_msg("%s: is %.9g, should be %.9g", what, is, wanted);
}

static inline throng_agent_def walker(double x, double y, double goal_x, double goal_y) {
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = x;
    def.position[1] = y;
    def.target = (throng_target){.kind = THRONG_TARGET_POINT, .x = goal_x, .y = goal_y};
    def.max_speed = def.preferred_speed = 2.0f;
    return def;
}

// The speed after one step of a single agent.
static inline double speed_after_step(throng_map *map, const throng_agent_def *def, double time_step) {
    throng_world *world = make_world(NULL, map);
    must(throng_agents_add(world, def, 1, NULL));
    must(throng_world_step(world, time_step));
    const throng_view view = view_of(world);
    const double vx = view.velocity_x[0], vy = view.velocity_y[0];
    throng_world_destroy(world);
    return sqrt(vx * vx + vy * vy);
}

static inline throng_map *map_of_regions(const throng_region *regions, uint32_t count) {
    throng_map_def def = throng_default_map_def();
    def.regions = regions;
    def.region_count = count;
    throng_map *map = NULL;
    must(throng_map_create(&def, &map));
    return map;
}

static const double strip[] = {10, -5, 12, -5, 12, 5, 10, 5};
static const double right_half[] = {11, -5, 11, 5, 20, 5, 20, -5}; // clockwise
static const double sliver[] = {30, -5, 30.01, -5, 30.01, 5, 30, 5};

static const throng_region regions[] = {
    {strip, 4, 0.5f, {0, 0}}, {right_half, 4, 0.8f, {0.75f, 0}}, {sliver, 4, 0.25f, {0, 0}}};

#endif
