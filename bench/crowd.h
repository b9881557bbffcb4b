// The crowds that are measured: made by rule, the same on every machine.
#ifndef THRONG_BENCH_CROWD_H
#define THRONG_BENCH_CROWD_H

#include <throng/throng.h>

typedef enum crowd_layout {
    CROWD_UNIFORM,     ///< evenly spread, inserted in random order, walking to random goals
    CROWD_POINT,       ///< all on one point
    CROWD_LINE,        ///< all on one line
    CROWD_BLOCK,       ///< half in a block of 5 a square metre, radius 0.2; the rest over 10 x 10 km
    CROWD_MIXED_RADII, ///< uniform, radii from 0.2 to 0.3 m
    CROWD_GIANT,       ///< uniform, one of them of radius 50 m
    CROWD_LAYOUT_COUNT
} crowd_layout;

typedef struct crowd_def {
    crowd_layout layout;
    uint32_t agents;
    double density;         ///< agents a square metre
    uint32_t threads;       ///< 0: all
    const char *kernel;     ///< null: the best
    uint32_t wall_segments; ///< free-standing segments of a metre among the agents
    uint32_t max_neighbors;
    float radius, time_horizon, neighbor_range;
    bool profile;
    bool plain; ///< fixed preferred velocities towards the goals: ORCA alone, no sides, settling, aging or detours
} crowd_def;

/// 10,000 agents at one a square metre, 10 neighbors, range 5 m, radius 0.25 m, horizon 2 s, one thread.
crowd_def crowd_default(void);

/// "uniform", ...; null beyond the last.
const char *crowd_layout_name(crowd_layout layout);

enum { CROWD_STEP_PER_SECOND = 10 };

/// Ends the program with a message where it can't be made. The map is released with the world.
throng_world *crowd_make(const crowd_def *def);

/// A step of 0.1 s; ends the program with a message where it fails.
void crowd_step(throng_world *world);

/// The places of a uniform crowd, x and y; sorted along a space-filling curve where asked.
void crowd_places(uint32_t count, bool sorted, float *x, float *y);

/// The hash of the state after `steps` steps.
uint64_t crowd_hash_after(const crowd_def *def, int steps);

#endif
