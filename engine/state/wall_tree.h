// A flat tree of boxes, for walls: which of them come near a place. Boxes are given once and never move.
#ifndef THRONG_STATE_WALL_TREE_H
#define THRONG_STATE_WALL_TREE_H

#include "base/scalar.h"

#include <throng/base.h>

typedef struct throng_wall_box {
    double min_x, min_y, max_x, max_y; // m, borders included
} throng_wall_box;

/// Without branches: nobody can foretell them.
static inline bool throng_wall_box_overlaps(const throng_wall_box *a, const throng_wall_box *b) {
    return (a->min_x <= b->max_x) & (b->min_x <= a->max_x) & (a->min_y <= b->max_y) & (b->min_y <= a->max_y);
}

static inline bool throng_wall_box_holds(const throng_wall_box *outer, const throng_wall_box *inner) {
    return outer->min_x <= inner->min_x && outer->min_y <= inner->min_y && inner->max_x <= outer->max_x &&
           inner->max_y <= outer->max_y;
}

/// The box of a place and everything within `reach` of it.
static inline throng_wall_box throng_wall_box_around(double x, double y, double reach) {
    return (throng_wall_box){x - reach, y - reach, x + reach, y + reach};
}

static inline throng_wall_box throng_wall_box_union(const throng_wall_box *a, const throng_wall_box *b) {
    return (throng_wall_box){throng_mind(a->min_x, b->min_x), throng_mind(a->min_y, b->min_y),
                             throng_maxd(a->max_x, b->max_x), throng_maxd(a->max_y, b->max_y)};
}

/// Nodes lie in depth-first order, so that a walk needs no stack: the next node is the following one, or, where the
/// box is missed, the one at `skip`.
typedef struct throng_wall_node {
    throng_wall_box box;
    uint32_t skip;        // the first node that is not below this one
    uint32_t first, last; // a leaf's range of `leaves`; empty for the nodes above
} throng_wall_node;

/// Beside its box, so that what misses it costs no look elsewhere.
typedef struct throng_wall_leaf {
    throng_wall_box box;
    uint32_t item;
} throng_wall_leaf;

typedef struct throng_wall_tree {
    throng_wall_node *nodes;
    throng_wall_leaf *leaves;
    uint32_t node_count;
    uint32_t item_count;
} throng_wall_tree;

/// What throng_wall_tree_build needs for each box besides the tree itself.
typedef struct throng_wall_tree_key {
    double x2, y2; // twice the box's middle, m
    uint32_t item;
} throng_wall_tree_key;

/// Builds the tree over `count` boxes into memory of the caller's: `nodes` and `leaves` for `count` each, `keys` only
/// until the call returns. Depth is at most log2(count).
void throng_wall_tree_build(throng_wall_tree *tree, const throng_wall_box *boxes, uint32_t count,
                            throng_wall_node *nodes, throng_wall_leaf *leaves, throng_wall_tree_key *keys);

/// Gives one by one, in no order that may matter, all items whose boxes meet a box.
typedef struct throng_wall_walk {
    const throng_wall_tree *tree;
    throng_wall_box box;
    uint32_t node;       // to visit next
    uint32_t leaf, last; // what is left of the present node
} throng_wall_walk;

static inline throng_wall_walk throng_wall_walk_begin(const throng_wall_tree *tree, const throng_wall_box *box) {
    return (throng_wall_walk){.tree = tree, .box = *box};
}

static inline bool throng_wall_walk_next(throng_wall_walk *walk, uint32_t *item) {
    const throng_wall_tree *tree = walk->tree;
    for (;;) {
        while (walk->leaf != walk->last) {
            const throng_wall_leaf *leaf = &tree->leaves[walk->leaf++];
            *item = leaf->item;
            if (throng_wall_box_overlaps(&leaf->box, &walk->box)) return true;
        }
        if (walk->node == tree->node_count) return false;
        const throng_wall_node *node = &tree->nodes[walk->node];
        if (throng_wall_box_overlaps(&node->box, &walk->box)) {
            walk->leaf = node->first;
            walk->last = node->last;
            walk->node++;
        } else {
            walk->node = node->skip;
        }
    }
}

#endif
