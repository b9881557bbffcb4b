// libkdtree for one kind of point: each kdt_*.c defines KDT_SUFFIX, KDT_DIM, KDT_REAL and KDT_LIMIT (FLT or DBL, the
// prefix of its limits in float.h) and includes this once. The parts are in the order of their use.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__FAST_MATH__)
#error "libkdtree needs IEEE-754 comparisons with NaN and infinities"
#endif

#define KDT_EPSILON KDT_JOIN(KDT_LIMIT, EPSILON)
#define KDT_MIN     KDT_JOIN(KDT_LIMIT, MIN)
#define KDT_INF     ((KDT_REAL)INFINITY)

#if KDT_BITS == 32
#define KDT_KEY_MAX INT32_MAX
#else
#define KDT_KEY_MAX INT64_MAX
#endif

typedef KDT_KEY kdt_key;
typedef KDT_REAL real;
typedef KDT_POINTS kdt_points;
typedef KDT_NODE kdt_node;
typedef KDT_QUAD kdt_quad;
typedef KDT_TREE kdt_tree;
typedef KDT_BUILD kdt_build;
typedef KDT_HIT kdt_hit;
typedef KDT_QUERY kdt_query;
typedef KDT_BLOCK kdt_block;
typedef KDT_WALK kdt_walk;

#include "lanes.h"

#include "node.h"
#include "select.h"
#include "repair.h"
#include "scatter.h"
#include "gather.h"
#include "build.h"
#include "walk.h"
#include "hits.h"
#include "query.h"
#include "block.h"
