// Sets of walls for tests of what is found in them.
#ifndef THRONG_TESTS_WALL_SETS_H
#define THRONG_TESTS_WALL_SETS_H

#include "base/memory.h"
#include "state/wall_sweep.h"
#include "support/wall_oracle.h"

#include <stdlib.h>

static const throng_wall_filter everyone = {UINT32_MAX, -INFINITY, INFINITY};

static throng_memory memory;

/// A group's setup.
static inline int wall_memory(void **state) {
    (void)state;
    return throng_memory_init(&memory, &(throng_allocator){0}) ? 0 : -1;
}

/// Release it from `memory` after use.
static inline void build(throng_wall_set *set, const throng_wall *walls, uint32_t count) {
    assert_int_equal(throng_wall_set_build(set, walls, count, &memory), THRONG_OK);
}

static inline throng_wall wall_of(throng_wall_kind kind, uint32_t count, const double *points) {
    return (throng_wall){.kind = kind, .point_count = count, .points = points, .layer = UINT32_MAX};
}

/// The sweep of a disc that all walls stop. `way` may be null.
static inline throng_wall_sweep sweep(const throng_wall_set *set, double x, double y, double dx, double dy,
                                      double radius, throng_wall_way *way) {
    enum { PIECES = 4096 };
    static uint32_t pieces[PIECES];
    const throng_wall_box box = throng_wall_box_around(x, y, throng_wall_sweep_reach(sqrt(dx * dx + dy * dy), radius));
    const uint32_t count = throng_wall_set_query(set, &box, everyone, pieces, PIECES);
    assert_true(count <= PIECES);
    return throng_wall_sweep_disc(set, pieces, count, everyone, x, y, dx, dy, radius, way);
}

#endif
