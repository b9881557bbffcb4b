#include "state/wall_tree.h"

enum { LEAF_ITEMS = 4 };

typedef struct builder {
    throng_wall_tree *tree;
    const throng_wall_box *boxes;
    throng_wall_tree_key *keys;
} builder;

static throng_wall_box box_of(const builder *b, uint32_t first, uint32_t last) {
    throng_wall_box box = b->boxes[b->keys[first].item];
    for (uint32_t i = first + 1; i < last; i++) {
        const throng_wall_box *other = &b->boxes[b->keys[i].item];
        if (other->min_x < box.min_x) box.min_x = other->min_x;
        if (other->min_y < box.min_y) box.min_y = other->min_y;
        if (other->max_x > box.max_x) box.max_x = other->max_x;
        if (other->max_y > box.max_y) box.max_y = other->max_y;
    }
    return box;
}

static bool key_before(const throng_wall_tree_key *a, const throng_wall_tree_key *b, bool by_y) {
    const double a2 = by_y ? a->y2 : a->x2;
    const double b2 = by_y ? b->y2 : b->x2;
    if (a2 != b2) return a2 < b2;
    return a->item < b->item;
}

static throng_wall_tree_key middle_key(const throng_wall_tree_key *keys, uint32_t first, uint32_t last, bool by_y) {
    const throng_wall_tree_key *a = &keys[first];
    const throng_wall_tree_key *b = &keys[first + (last - first) / 2];
    const throng_wall_tree_key *c = &keys[last - 1];
    if (key_before(b, a, by_y)) {
        const throng_wall_tree_key *swap = a;
        a = b;
        b = swap;
    }
    if (key_before(c, a, by_y)) return *a;
    return key_before(c, b, by_y) ? *c : *b;
}

// Hoare's selection: afterwards the keys before `middle` come before those from it on.
static void select_middle(throng_wall_tree_key *keys, uint32_t first, uint32_t last, uint32_t middle, bool by_y) {
    while (last - first > 1) {
        const throng_wall_tree_key pivot = middle_key(keys, first, last, by_y);
        uint32_t low = first;
        uint32_t high = last;
        for (;;) {
            while (key_before(&keys[low], &pivot, by_y)) low++;
            do high--;
            while (key_before(&pivot, &keys[high], by_y));
            if (low >= high) break;
            const throng_wall_tree_key swap = keys[low];
            keys[low] = keys[high];
            keys[high] = swap;
            low++;
        }
        const uint32_t split = low > first ? low : first + 1;
        if (middle < split) {
            last = split;
        } else {
            first = split;
        }
    }
}

// Halves are halves of the count, so the depth of the recursion depends on nothing else.
static void build_node(builder *b, uint32_t first, uint32_t last) {
    throng_wall_tree *tree = b->tree;
    throng_wall_node *node = &tree->nodes[tree->node_count++];
    node->box = box_of(b, first, last);
    node->first = first;
    node->last = first;
    if (last - first <= LEAF_ITEMS) {
        node->last = last;
    } else {
        const bool by_y = node->box.max_y - node->box.min_y > node->box.max_x - node->box.min_x;
        const uint32_t middle = first + (last - first) / 2;
        select_middle(b->keys, first, last, middle, by_y);
        build_node(b, first, middle);
        build_node(b, middle, last);
    }
    node->skip = tree->node_count;
}

void throng_wall_tree_build(throng_wall_tree *tree, const throng_wall_box *boxes, uint32_t count,
                            throng_wall_node *nodes, throng_wall_leaf *leaves, throng_wall_tree_key *keys) {
    *tree = (throng_wall_tree){.nodes = nodes, .leaves = leaves, .item_count = count};
    if (count == 0) return;
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = (throng_wall_tree_key){boxes[i].min_x + boxes[i].max_x, boxes[i].min_y + boxes[i].max_y, i};
    }
    builder b = {tree, boxes, keys};
    build_node(&b, 0, count);
    for (uint32_t i = 0; i < count; i++) leaves[i] = (throng_wall_leaf){boxes[keys[i].item], keys[i].item};
}
