// The declarations of one kind of tree: kdtree.h includes this once for each suffix, with KDT_SUFFIX, KDT_DIM and
// KDT_REAL defined. The comments name the functions of the suffix 2f.
#ifndef KDT_SUFFIX
#include "kdtree.h"
#else

// ---- points ----

// What a tree is built from. All arrays are the caller's and hold `count` entries; only `order` is written. They are
// read during the build only: the tree keeps its own copies in tree order (but keeps pointing at `order`).
typedef struct KDT_POINTS {
    uint32_t count;                 // 0 to KDT_MAX_COUNT
    uint32_t leaf_size;             // 1 to KDT_MAX_LEAF_SIZE; 0 means KDT_LEAF_SIZE
    const KDT_REAL *coord[KDT_DIM]; // by row, finite; NULL: from place
    const double *place[KDT_DIM];   // by row, where coord is NULL: the coordinate is (KDT_REAL)(place - origin), finite
    double origin[KDT_DIM];
    const KDT_REAL *radius; // by row, finite, >= 0; NULL: 0 for all
    const uint32_t *rank;   // by row; NULL: the row
    const uint32_t *bits;   // by row; NULL: KDT_ALL for all
    // In: any permutation of the rows 0 to count - 1; the order that the last build left makes this one several times
    // faster. Out: the row at each position of the tree. A build that fails leaves it as it was.
    uint32_t *order;
    // The memory holds the last tree of these points: nothing but coordinates changed since that was built, save that
    // rows may have been renamed, in the arrays and in `order` alike. Radius, rank and bits are then not read again.
    bool kept;
} KDT_POINTS;

// ---- tree ----

// The box of the points below a node, and the extremes of their other values.
typedef struct KDT_NODE {
    KDT_REAL lo[KDT_DIM], hi[KDT_DIM];
    KDT_REAL radius;  // the largest
    uint32_t rank;    // the smallest
    uint32_t bits;    // of any
    KDT_KEY reserved; // 0; leaves no padding
} KDT_NODE;

// Four nodes side by side, for the walk: two levels of the heap in one, with children 4 q + 1 to 4 q + 4 of quad q.
typedef struct KDT_QUAD {
    KDT_REAL lo[KDT_DIM][4], hi[KDT_DIM][4];
    KDT_REAL radius[4];
    uint32_t rank[4];
    uint32_t bits[4]; // 0 where there is no node
} KDT_QUAD;

// Constant once built. The arrays by position are padded to whole leaves: coordinates with NaN (no comparison with them
// holds), radius 0, rank UINT32_MAX, bits 0. `order` has exactly `count` entries.
typedef struct KDT_TREE {
    uint32_t count;
    uint32_t leaf_size;
    uint32_t leaf_count;
    uint32_t first_leaf; // a power of two
    uint32_t quad_first_leaf;
    const KDT_NODE *nodes; // of leaf i: nodes[first_leaf + i]
    const KDT_QUAD *quads; // leaf i is child quad_first_leaf + i
    const KDT_REAL *coord[KDT_DIM];
    const KDT_REAL *radius; // NULL where the points have none, like the next two
    const uint32_t *rank;
    const uint32_t *bits;
    const uint32_t *order; // the caller's
} KDT_TREE;

// Bytes that the tree of such points needs (count, leaf_size, and which arrays there are); 0 if they are out of range.
KDT_API size_t KDT_FUNCTION(tree, memory)(const KDT_POINTS *points);

// Builds a tree in one go. `memory` (kdt_tree_2f_memory bytes) must live as long as the tree; `scratch`
// (kdt_build_2f_memory bytes) is free again on return. Neither needs an alignment. On an error the tree is empty,
// `order` is as it was, and *bad (if not NULL) is the first row that is not finite or the first position of `order`
// that is no row.
KDT_API kdt_result KDT_FUNCTION(tree, build)(KDT_TREE *tree, const KDT_POINTS *points, void *memory, void *scratch,
                                             uint32_t *bad);

// ---- build in parts ----

// A build under way, to be run by the caller's threads. Its fields are not for the caller.
//
//     kdt_build_2f_begin(&build, &points, memory, scratch);
//     while ((tasks = kdt_build_2f_next(&build)) > 0)
//         for (task = 0; task < tasks; ++task) kdt_build_2f_run(&build, task);     // in any order, on any threads
//     result = kdt_build_2f_end(&build, &tree, &bad);
typedef struct KDT_BUILD {
    KDT_POINTS points;
    KDT_NODE *nodes;
    KDT_QUAD *quads;
    KDT_REAL *coord[KDT_DIM];
    KDT_REAL *radius;
    uint32_t *rank, *bits;
    KDT_REAL *spare[KDT_DIM]; // scratch: coordinates and order while points move, keys while they are selected
    uint32_t *spare_order;
    uint32_t *cells; // scratch: where each chunk's points of each cell go
    KDT_REAL *cut;   // scratch: the sample's tree
    uint32_t *cut_axis;
    uint32_t *bad_row, *bad_order; // scratch: first of each subtree
    uint32_t leaf_count, first_leaf, levels, quad_levels;
    uint32_t subtree_level, subtree_count; // a subtree: what one task gathers and finishes
    uint32_t cell_level;
    uint32_t phase, band;
    bool started, stuck;
} KDT_BUILD;

KDT_API size_t KDT_FUNCTION(build, memory)(const KDT_POINTS *points);

KDT_API kdt_result KDT_FUNCTION(build, begin)(KDT_BUILD *build, const KDT_POINTS *points, void *memory, void *scratch);

// Begins the next phase and returns the number of its tasks; 0 when none is left. All tasks of the phase before must be
// done.
KDT_API uint32_t KDT_FUNCTION(build, next)(KDT_BUILD *build);

// Runs one task of the phase. Tasks of a phase touch nothing in common.
KDT_API void KDT_FUNCTION(build, run)(KDT_BUILD *build, uint32_t task);

// After kdt_build_2f_next returned 0. As kdt_tree_2f_build.
KDT_API kdt_result KDT_FUNCTION(build, end)(KDT_BUILD *build, KDT_TREE *tree, uint32_t *bad);

// ---- queries ----

// A gap is computed in KDT_REAL as sqrt(dx * dx + dy * dy [+ dz * dz]) - radius, dx = max(lo - x, x - hi, 0).
typedef struct KDT_HIT {
    KDT_REAL gap;
    uint32_t rank;
    uint32_t row;
} KDT_HIT;

typedef struct KDT_QUERY {
    KDT_REAL lo[KDT_DIM], hi[KDT_DIM]; // the box that gaps are measured from; lo = hi: a point
    KDT_REAL range;                    // the largest gap, included
    uint32_t mask;                     // filter bits
    uint32_t skip;                     // a row that is not seen (the one that asks), or KDT_NONE
} KDT_QUERY;

// Everything, from a point: range infinite, mask KDT_ALL, skip KDT_NONE.
KDT_API KDT_QUERY KDT_FUNCTION(query, point)(const KDT_REAL at[KDT_DIM]);

// The points within a closed box (with radii: whose disc touches it): range 0, mask KDT_ALL, skip KDT_NONE.
KDT_API KDT_QUERY KDT_FUNCTION(query, box)(const KDT_REAL lo[KDT_DIM], const KDT_REAL hi[KDT_DIM]);

// The first `k` points within the query's range. *found <= k is their number. `hits` holds k.
KDT_API kdt_result KDT_FUNCTION(tree, nearest)(const KDT_TREE *tree, const KDT_QUERY *query, uint32_t k, KDT_HIT *hits,
                                               uint32_t *found);

// All points within the query's range: *found is their number, `hits` receives the first min(*found, capacity) of them.
KDT_API kdt_result KDT_FUNCTION(tree, within)(const KDT_TREE *tree, const KDT_QUERY *query, uint32_t capacity,
                                              KDT_HIT *hits, uint32_t *found);

// The first `k` points within `range` of each of a block of points, as by kdt_tree_2f_nearest for each, with one walk
// for up to 16 of them that follow each other: they should lie close together, as those of a leaf do.
typedef struct KDT_BLOCK {
    uint32_t count;
    const KDT_REAL *coord[KDT_DIM];
    const uint32_t *skip; // for each, a row that it does not see; NULL: none
    KDT_REAL range;
    uint32_t mask;
} KDT_BLOCK;

// hits[i * k] on receives the found[i] <= k hits of point i.
KDT_API kdt_result KDT_FUNCTION(tree, nearest_block)(const KDT_TREE *tree, const KDT_BLOCK *block, uint32_t k,
                                                     KDT_HIT *hits, uint32_t *found);

// ---- walk ----

// The leaves around a block, roughly nearest first, for callers that test the points themselves. A leaf is left out
// only when every one of its points comes after (bound, rank) for everything in the block; the caller lowers the bound
// as it finds. A gap in a walk is distance - (own + radius).
//
// Exactness. Whatever point the caller finds at a gap <= bound is in a leaf that is given, if the caller computes
// distance and own + radius in KDT_REAL or better, from coordinates that may differ from the tree's by so much that the
// distance differs by at most `slack`. The guard for rounding is a few ulp of bound, own, radius and distance. Ties are
// pruned by rank where the boxes touch (distance 0), as in a heap of coincident points: there no guard is needed,
// provided the caller's gap at distance 0 is -(own + radius) computed in KDT_REAL.
typedef struct KDT_WALK {
    const KDT_QUAD *quads;
    uint32_t first_leaf;
    uint32_t mask;
    KDT_REAL lo[KDT_DIM], hi[KDT_DIM];
    KDT_REAL own, slack;
    uint32_t depth;
    uint32_t stack_node[KDT_MAX_STACK];
    KDT_KEY stack_key[KDT_MAX_STACK]; // lower bound of distance - radius, as an integer
} KDT_WALK;

// own: the largest radius in the block. slack: see above, 0 where the caller uses the tree's coordinates. mask: all
// bits that anything in the block can see. All must be finite, own and slack >= 0 (asserted).
KDT_API void KDT_FUNCTION(walk, begin)(KDT_WALK *walk, const KDT_TREE *tree, const KDT_REAL lo[KDT_DIM],
                                       const KDT_REAL hi[KDT_DIM], KDT_REAL own, KDT_REAL slack, uint32_t mask);

// The next leaf with a point that can come before or at (bound, rank); false when there is none. Between calls neither
// may grow. rank UINT32_MAX prunes by the bound alone.
KDT_API bool KDT_FUNCTION(walk, next)(KDT_WALK *walk, KDT_REAL bound, uint32_t rank, uint32_t *leaf);

#undef KDT_SUFFIX
#undef KDT_DIM
#undef KDT_REAL
#undef KDT_KEY
#endif
