#include "step/near_leaves.h"

enum { TASK_LEAVES = THRONG_TASK_ROWS / THRONG_LANES };
_Static_assert((TASK_LEAVES & (TASK_LEAVES - 1)) == 0, "a task is a node of the tree");

/// Tiles may look farther than the first one by this part of its distance; those that look farther still walk.
static const float spare = 0.5f;

static uint32_t task_of(const throng_tile *tile) {
    return tile->first / THRONG_TASK_ROWS * THRONG_TASK_ROWS;
}

bool throng_near_leaves_are_known(const throng_tile *tile) {
    return tile->near_leaves.first == task_of(tile) && tile->near_leaves.count >= 0;
}

void throng_near_leaves_find(const throng_index *index, throng_tile *tile, const throng_nearest_crowd *crowd) {
    throng_near_leaves *near = &tile->near_leaves;
    const kdt_tree_2f *tree = &index->tree;
    if (near->first == task_of(tile)) return;
    near->first = task_of(tile);
    near->count = -1;
    const float bound = tile->lists.largest;
    if (tree->first_leaf < TASK_LEAVES || bound == -INFINITY) return;
    near->reach = bound + spare * (bound + crowd->lift);
    const kdt_node_2f *task = &tree->nodes[(tree->first_leaf + near->first / THRONG_LANES) / TASK_LEAVES];
    kdt_walk_2f walk;
    kdt_walk_2f_begin(&walk, tree, task->lo, task->hi, 0.0f, crowd->guard, KDT_ALL);
    int count = 0;
    for (uint32_t leaf; kdt_walk_2f_next(&walk, near->reach, UINT32_MAX, &leaf); ++count) {
        if (count == THRONG_NEAR_LEAVES) return;
        const kdt_node_2f *node = &tree->nodes[tree->first_leaf + leaf];
        near->min_x[count] = node->lo[0];
        near->min_y[count] = node->lo[1];
        near->max_x[count] = node->hi[0];
        near->max_y[count] = node->hi[1];
        near->radius[count] = node->radius;
        near->leaf[count] = leaf;
    }
    near->count = count;
}
