// Nodes: where they are in the heap, their boxes.
//
// Level 0 holds the leaves. Node k of level j covers the leaves k << j to (k + 1) << j, as far as they exist; its heap
// index is (first_leaf >> j) + k. Beyond the last node of a level lies one empty node where a parent would else miss
// its child.

enum { POINT_GROUP = 16 }; // points of a leaf that queries test together

static inline real smaller(real a, real b) {
    return a < b ? a : b;
}

static inline real larger(real a, real b) {
    return a > b ? a : b;
}

static inline real magnitude(real value) {
    return sizeof(real) == sizeof(float) ? (real)fabsf((float)value) : (real)fabs((double)value);
}

static inline uint32_t trailing_zeros(uint32_t value) {
    uint32_t count = 0;
    while ((value & 1u) == 0u) {
        value >>= 1;
        ++count;
    }
    return count;
}

static inline uint32_t node_at(const kdt_build *build, uint32_t level, uint32_t leaf) {
    return (build->first_leaf + leaf) >> level;
}

static inline uint32_t leaf_begin(const kdt_build *build, uint32_t leaf) {
    return leaf * build->points.leaf_size;
}

// One past the last position of a leaf or, for the number of leaves, of all.
static inline uint32_t leaf_end(const kdt_build *build, uint32_t leaf) {
    return leaf + 1 < build->leaf_count ? (leaf + 1) * build->points.leaf_size : build->points.count;
}

static inline bool node_is_empty(const kdt_node *node) {
    return node->lo[0] > node->hi[0];
}

static void empty_node(kdt_node *node) {
    for (int d = 0; d < KDT_DIM; ++d) {
        node->lo[d] = KDT_INF;
        node->hi[d] = -KDT_INF;
    }
    node->radius = -KDT_INF;
    node->rank = UINT32_MAX;
    node->bits = 0;
    node->reserved = 0;
}

// The extremes of 16 values in a fixed tree of comparisons: short chains, and lanes that a compiler can pair.
static inline void extremes_16(const real *value, real *lo, real *hi) {
    real a[8], b[8];
    for (int i = 0; i < 8; ++i) {
        a[i] = smaller(value[i], value[i + 8]);
        b[i] = larger(value[i], value[i + 8]);
    }
    for (int i = 0; i < 4; ++i) {
        a[i] = smaller(a[i], a[i + 4]);
        b[i] = larger(b[i], b[i + 4]);
    }
    *lo = smaller(smaller(a[0], a[1]), smaller(a[2], a[3]));
    *hi = larger(larger(b[0], b[1]), larger(b[2], b[3]));
}

static inline void bound_leaf(const kdt_build *build, uint32_t leaf) {
    kdt_node *node = &build->nodes[build->first_leaf + leaf];
    uint32_t begin = leaf_begin(build, leaf), count = leaf_end(build, leaf) - begin;
    for (int d = 0; d < KDT_DIM; ++d) {
        const real *value = build->coord[d] + begin;
        if (count == 16) {
            extremes_16(value, &node->lo[d], &node->hi[d]);
            continue;
        }
        real lo = value[0], hi = value[0];
        for (uint32_t i = 1; i < count; ++i) {
            lo = smaller(lo, value[i]);
            hi = larger(hi, value[i]);
        }
        node->lo[d] = lo;
        node->hi[d] = hi;
    }
}

static inline void bound_parent(kdt_node *nodes, uint32_t h) {
    const kdt_node *a = &nodes[2 * h], *b = a + 1;
    for (int d = 0; d < KDT_DIM; ++d) {
        nodes[h].lo[d] = smaller(a->lo[d], b->lo[d]);
        nodes[h].hi[d] = larger(a->hi[d], b->hi[d]);
    }
}

// The number of nodes of a level that hold points.
static inline uint32_t level_count(const kdt_build *build, uint32_t level) {
    return ((build->leaf_count - 1) >> level) + 1;
}

// Boxes of the inner nodes of one subtree, from its leaves up to and including its root.
static void bound_subtree(const kdt_build *build, uint32_t level, uint32_t index) {
    for (uint32_t j = 1; j <= level; ++j) {
        uint32_t begin = index << (level - j), end = begin + (1u << (level - j)), count = level_count(build, j);
        for (uint32_t k = begin; k < end && k < count; ++k) bound_parent(build->nodes, (build->first_leaf >> j) + k);
    }
}

// Boxes of the nodes above the subtrees.
static void bound_crown(const kdt_build *build) {
    for (uint32_t j = build->subtree_level + 1; j <= build->levels; ++j)
        for (uint32_t k = 0; k < level_count(build, j); ++k) bound_parent(build->nodes, (build->first_leaf >> j) + k);
}

// The quad that node k of an even level is a child of: quads form a heap of four children each, from 0.
static inline uint32_t quad_at(const kdt_build *build, uint32_t level, uint32_t k) {
    uint32_t depth = build->quad_levels - 1 - level / 2;
    return ((1u << 2 * depth) - 1) / 3 + k / 4;
}

static inline void fill_child(const kdt_build *build, uint32_t level, uint32_t k, const kdt_node *node) {
    kdt_quad *quad = &build->quads[quad_at(build, level, k)];
    uint32_t i = k % 4;
    for (int d = 0; d < KDT_DIM; ++d) {
        quad->lo[d][i] = node->lo[d];
        quad->hi[d][i] = node->hi[d];
    }
    quad->radius[i] = node->radius;
    quad->rank[i] = node->rank;
    quad->bits[i] = node->bits;
}

static inline int longest_side(const kdt_node *node) {
    int axis = 0;
    for (int d = 1; d < KDT_DIM; ++d)
        if (node->hi[d] - node->lo[d] > node->hi[axis] - node->lo[axis]) axis = d;
    return axis;
}
