// What the tests of supports share: platforms, belts, and a ride that turns. Include after cmocka.h.
#ifndef THRONG_TESTS_SUPPORT_CASES_H
#define THRONG_TESTS_SUPPORT_CASES_H

#include "support/worlds.h"

static const double dt = 0.1;

static inline throng_support_id add_support(throng_world *world, const throng_support_def *def) {
    throng_support_id id;
    must(throng_supports_add(world, def, 1, &id));
    return id;
}

static inline throng_support_id add_belt(throng_world *world, const double *outline, uint32_t points, double vx,
                                         double vy) {
    throng_support_def def = throng_default_support_def();
    def.kind = THRONG_SUPPORT_BELT;
    def.outline = outline;
    def.outline_count = points;
    def.motion.velocity[0] = vx;
    def.motion.velocity[1] = vy;
    return add_support(world, &def);
}

static inline throng_support_motion turning_ride(void) {
    throng_support_motion motion = {.position = {37.0, -12.0},
                                    .velocity = {4.0, 3.0}, // 5 m/s
                                    .turn_rate = 10.0 * 3.14159265358979323846 / 180.0};
    throng_heading(0.7, motion.heading);
    return motion;
}

static const double walkway[] = {10, -1, 30, -1, 30, 1, 10, 1};

#endif
