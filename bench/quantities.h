// What targets are made of: things to be measured again and again, in turn with others.
#ifndef THRONG_BENCH_QUANTITIES_H
#define THRONG_BENCH_QUANTITIES_H

#include "crowd.h"

typedef enum quantity_kind {
    QUANTITY_STEP,            ///< ns an agent-step
    QUANTITY_STAGE,           ///< ns an agent of one stage, wall clock
    QUANTITY_BYTES,           ///< bytes an agent that the world holds
    QUANTITY_KDTREE_BUILD,    ///< ns a point, of points left nearly in order by the last build
    QUANTITY_KDTREE_FIRST,    ///< ns a point, of points in whatever order they are
    QUANTITY_KDTREE_QUERY,    ///< ns a point, 10 nearest of every point, a leaf at once
    QUANTITY_NANOFLANN_BUILD, ///< ns a point
    QUANTITY_NANOFLANN_QUERY, ///< ns a point, 10 nearest of every point
    QUANTITY_NANOFLANN_ALL,   ///< ns a point, both
    QUANTITY_RVO_STEP,        ///< ns an agent-step
    QUANTITY_KIND_COUNT
} quantity_kind;

typedef struct quantity_def {
    quantity_kind kind;
    crowd_def crowd;
    throng_stage stage;
    bool sorted; ///< points in the order of a space-filling curve
} quantity_def;

typedef struct quantity quantity;

const char *quantity_kind_name(quantity_kind kind);
const char *quantity_stage_name(throng_stage stage);

/// Null where this build lacks the yardstick.
quantity *quantity_open(const quantity_def *def);

/// One more measurement.
double quantity_measure(quantity *q);

/// The world of a step, stage or bytes; else null.
const throng_world *quantity_world(const quantity *q);

void quantity_close(quantity *q);

#endif
