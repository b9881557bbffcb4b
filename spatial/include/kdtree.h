// libkdtree: nearest neighbors among points in two and three dimensions, single and double precision.
//
// A tree is built over points that the caller keeps in arrays by coordinate, in memory that the caller owns; nothing is
// allocated, no thread is started, no state is global. The four kinds of tree have the same functions, named by their
// suffix: 2f and 3f (float), 2d and 3d (double). kdtree_template.h declares them for one suffix and is the reference.
//
//     kdt_points_2f points = {.count = n, .coord = {x, y}, .order = order};        // order: 0, 1, 2 ... or the last
//     one void *memory = malloc(kdt_tree_2f_memory(&points)), *scratch = malloc(kdt_build_2f_memory(&points));
//     kdt_tree_2f tree;
//     if (kdt_tree_2f_build(&tree, &points, memory, scratch, NULL) == KDT_OK) { ... }   // scratch is free again
//     kdt_query_2f query = kdt_query_2f_point((float[2]){1, 2});
//     kdt_tree_2f_nearest(&tree, &query, 10, hits, &found);
//
// Gap. A point may have a radius: it is then a disc (a ball), and what counts is the gap between what is asked from (a
// point or a box) and its surface, distance - radius, negative inside. Without radii the gap is the distance.
//
// Order. Results come in the order (gap, rank, row), and the same order decides which points are kept where more are
// found than asked for. The rank is the caller's, by default the row; with distinct ranks a result depends on the
// points alone: not on the order of the rows, the tree's shape, the previous order, or the threads that built it.
//
// Bits. A point is seen by a query when (query mask & point bits) != 0; what is not seen is not counted.
//
// Shape. The points are kept in tree order, in leaves of leaf_size: leaf i holds the positions from i * leaf_size on,
// and only the last leaf may hold fewer. Depth is ceil(log2(leaves)) whatever the points, so no query needs more than a
// fixed stack. Nodes form a heap: nodes[1] is the root, 2h and 2h + 1 are the children of h, leaf i is nodes[first_leaf
// + i].
//
// Threads. A finished tree is constant: any number of threads may query it. A build is divided in phases of independent
// tasks (kdt_build_2f_next), whose number depends on the number of points alone, so that the tree is the same, bit for
// bit, whoever runs them. Compile with the platform's default rounding; results are the same on every IEEE-754 machine,
// and with whatever vectors it has: on x86-64 queries choose among SSE2, AVX2 and AVX-512 when they run. They take up
// to 32 KiB of stack.
#ifndef KDTREE_H
#define KDTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define KDT_API __attribute__((visibility("default")))
#else
#define KDT_API
#endif

#define KDT_MAX_COUNT     (1u << 30) // points in a tree
#define KDT_MAX_LEAF_SIZE 256u       // points in a leaf
#define KDT_LEAF_SIZE     16u        // where the caller leaves the choice
#define KDT_MAX_STACK     48u        // of a walk through the largest tree: three for each two levels, and the last
#define KDT_NONE          UINT32_MAX // no row
#define KDT_ALL           UINT32_MAX // every filter bit

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kdt_result {
    KDT_OK = 0,
    KDT_ERROR_ARGUMENT = 1,   // a null pointer, a count or size out of range, a query that is not a number
    KDT_ERROR_NOT_FINITE = 2, // a coordinate is not finite, or a radius is negative or not finite
    KDT_ERROR_ORDER = 3       // an entry of the previous order is no row
} kdt_result;

// A constant English sentence; never NULL.
KDT_API const char *kdt_result_text(kdt_result result);

#define KDT_JOIN_(a, b)          a##_##b
#define KDT_JOIN(a, b)           KDT_JOIN_(a, b)
#define KDT_TYPE(noun)           KDT_JOIN(kdt_##noun, KDT_SUFFIX) // kdt_tree_2f
#define KDT_FUNCTION(noun, verb) KDT_JOIN(KDT_TYPE(noun), verb)   // kdt_tree_2f_build

#define KDT_POINTS KDT_TYPE(points)
#define KDT_NODE   KDT_TYPE(node)
#define KDT_QUAD   KDT_TYPE(quad)
#define KDT_TREE   KDT_TYPE(tree)
#define KDT_BUILD  KDT_TYPE(build)
#define KDT_HIT    KDT_TYPE(hit)
#define KDT_QUERY  KDT_TYPE(query)
#define KDT_BLOCK  KDT_TYPE(block)
#define KDT_WALK   KDT_TYPE(walk)

#define KDT_SUFFIX 2f
#define KDT_DIM    2
#define KDT_REAL   float
#define KDT_KEY    int32_t
#include "kdtree_template.h"

#define KDT_SUFFIX 2d
#define KDT_DIM    2
#define KDT_REAL   double
#define KDT_KEY    int64_t
#include "kdtree_template.h"

#define KDT_SUFFIX 3f
#define KDT_DIM    3
#define KDT_REAL   float
#define KDT_KEY    int32_t
#include "kdtree_template.h"

#define KDT_SUFFIX 3d
#define KDT_DIM    3
#define KDT_REAL   double
#define KDT_KEY    int64_t
#include "kdtree_template.h"

#ifdef __cplusplus
}
#endif

#endif
