// Gathering: the caller's arrays into tree order, checked, and what leaves, nodes and quads hold of them.

static inline bool is_finite(real value) {
    return value - value == 0;
}

// The leaves and positions of a subtree.
typedef struct extent {
    uint32_t leaf_begin, leaf_end, begin, end;
} extent;

static extent subtree_extent(const kdt_build *build, uint32_t subtree) {
    extent e = {.leaf_begin = subtree << build->subtree_level, .leaf_end = (subtree + 1) << build->subtree_level};
    if (e.leaf_end > build->leaf_count) e.leaf_end = build->leaf_count;
    e.begin = leaf_begin(build, e.leaf_begin);
    e.end = leaf_end(build, e.leaf_end - 1);
    return e;
}

static void bound_leaves(const kdt_build *build, uint32_t subtree) {
    extent e = subtree_extent(build, subtree);
    for (uint32_t leaf = e.leaf_begin; leaf < e.leaf_end; ++leaf) bound_leaf(build, leaf);
    bound_subtree(build, build->subtree_level, subtree);
}

// Whether all of some values are finite. No branches: compilers make vectors of it, likewise below.
static inline bool are_finite(const real *value, uint32_t count) {
    kdt_key bad = 0;
    for (uint32_t i = 0; i < count; ++i) bad |= (kdt_key)(value[i] - value[i] != 0);
    return bad == 0;
}

static inline bool are_radii(const real *value, uint32_t count) {
    kdt_key bad = 0;
    for (uint32_t i = 0; i < count; ++i) bad |= (kdt_key)(value[i] - value[i] != 0) | (kdt_key)(value[i] < 0);
    return bad == 0;
}

static inline uint32_t most_of(const uint32_t *value, uint32_t count) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; ++i) most = value[i] > most ? value[i] : most;
    return most;
}

static inline void pick_reals(const real *restrict from, const uint32_t *restrict row, uint32_t count,
                              real *restrict to) {
    for (uint32_t i = 0; i < count; ++i) to[i] = from[row[i]];
}

static inline void pick_places(const double *restrict from, double origin, const uint32_t *restrict row, uint32_t count,
                               real *restrict to) {
    for (uint32_t i = 0; i < count; ++i) to[i] = (real)(from[row[i]] - origin);
}

static inline void pick_words(const uint32_t *restrict from, const uint32_t *restrict row, uint32_t count,
                              uint32_t *restrict to) {
    for (uint32_t i = 0; i < count; ++i) to[i] = from[row[i]];
}

// What is wrong with the points of a subtree, of which something is.
static void find_bad(const kdt_build *build, uint32_t subtree) {
    extent e = subtree_extent(build, subtree);
    const kdt_points *points = &build->points;
    uint32_t bad_row = KDT_NONE, bad_order = KDT_NONE;
    for (uint32_t i = e.begin; i < e.end; ++i) {
        uint32_t row = points->order[i];
        if (row >= points->count) {
            if (bad_order == KDT_NONE) bad_order = i;
            continue;
        }
        bool finite = true;
        for (int d = 0; d < KDT_DIM; ++d) {
            const real *coord = points->coord[d];
            finite =
                finite && is_finite(coord != NULL ? coord[row] : (real)(points->place[d][row] - points->origin[d]));
        }
        if (!finite && row < bad_row) bad_row = row;
    }
    for (uint32_t row = e.begin; points->radius != NULL && !points->kept && row < e.end; ++row)
        if (!(points->radius[row] >= 0 && is_finite(points->radius[row])) && row < bad_row) bad_row = row;
    build->bad_row[subtree] = bad_row;
    build->bad_order[subtree] = bad_order;
}

static void gather(const kdt_build *build, uint32_t subtree) {
    extent e = subtree_extent(build, subtree);
    const kdt_points *points = &build->points;
    build->bad_row[subtree] = build->bad_order[subtree] = KDT_NONE;
    bool good = points->radius == NULL || points->kept || are_radii(points->radius + e.begin, e.end - e.begin);
    for (uint32_t leaf = e.leaf_begin; leaf < e.leaf_end && good; ++leaf) {
        uint32_t begin = leaf_begin(build, leaf), count = leaf_end(build, leaf) - begin;
        good = most_of(points->order + begin, count) < points->count;
        for (int d = 0; d < KDT_DIM && good; ++d) {
            if (points->coord[d] != NULL)
                pick_reals(points->coord[d], points->order + begin, count, build->coord[d] + begin);
            else
                pick_places(points->place[d], points->origin[d], points->order + begin, count, build->coord[d] + begin);
            good = are_finite(build->coord[d] + begin, count);
        }
        if (good) bound_leaf(build, leaf);
    }
    if (good)
        bound_subtree(build, build->subtree_level, subtree);
    else
        find_bad(build, subtree);
}

static void retake(const kdt_build *build, uint32_t subtree) {
    extent e = subtree_extent(build, subtree);
    uint32_t count = e.end - e.begin;
    for (int d = 0; d < KDT_DIM; ++d)
        memcpy(build->coord[d] + e.begin, build->spare[d] + e.begin, count * sizeof(real));
    memcpy(build->points.order + e.begin, build->spare_order + e.begin, count * sizeof(uint32_t));
    bound_leaves(build, subtree);
}

// What a node holds beside its box, from its children.
static void merge_parent(kdt_node *nodes, uint32_t h) {
    const kdt_node *a = &nodes[2 * h], *b = a + 1;
    nodes[h].radius = larger(a->radius, b->radius);
    nodes[h].rank = a->rank < b->rank ? a->rank : b->rank;
    nodes[h].bits = a->bits | b->bits;
    nodes[h].reserved = 0;
}

// Takes a leaf's radii, ranks and bits from the rows; they are there already where they were kept.
static void pick_others(const kdt_build *build, uint32_t begin, uint32_t count) {
    const kdt_points *points = &build->points;
    const uint32_t *row = points->order + begin;
    if (points->radius != NULL) pick_reals(points->radius, row, count, build->radius + begin);
    if (points->rank != NULL) pick_words(points->rank, row, count, build->rank + begin);
    if (points->bits != NULL) pick_words(points->bits, row, count, build->bits + begin);
}

#if !defined(NDEBUG)
static bool others_were_kept(const kdt_build *build, uint32_t begin, uint32_t count) {
    const kdt_points *points = &build->points;
    for (uint32_t i = begin; i < begin + count; ++i) {
        uint32_t row = points->order[i];
        if (points->radius != NULL && build->radius[i] != points->radius[row]) return false;
        if (points->rank != NULL && build->rank[i] != points->rank[row]) return false;
        if (points->bits != NULL && build->bits[i] != points->bits[row]) return false;
    }
    return true;
}
#endif

static inline real largest_of(const real *value, uint32_t count) {
    real lo, hi = 0;
    if (count == 16) {
        extremes_16(value, &lo, &hi);
        return hi;
    }
    for (uint32_t i = 0; i < count; ++i) hi = larger(hi, value[i]);
    return hi;
}

static void merge_leaf(const kdt_build *build, uint32_t leaf) {
    kdt_node *node = &build->nodes[build->first_leaf + leaf];
    const kdt_points *points = &build->points;
    uint32_t begin = leaf_begin(build, leaf), count = leaf_end(build, leaf) - begin;
    if (!points->kept) pick_others(build, begin, count);
    assert(!points->kept || others_were_kept(build, begin, count));
    const uint32_t *rank = points->rank != NULL ? build->rank + begin : points->order + begin;
    uint32_t least = UINT32_MAX, seen = points->bits != NULL ? 0 : KDT_ALL;
    for (uint32_t i = 0; i < count; ++i) least = rank[i] < least ? rank[i] : least;
    for (uint32_t i = 0; points->bits != NULL && i < count; ++i) seen |= build->bits[begin + i];
    node->radius = points->radius != NULL ? largest_of(build->radius + begin, count) : 0;
    node->rank = least;
    node->bits = seen;
    node->reserved = 0;
}

// The positions of the last leaf that hold no point.
static void pad_leaf(const kdt_build *build, uint32_t leaf) {
    uint32_t full = leaf_begin(build, leaf) + build->points.leaf_size;
    for (uint32_t i = leaf_end(build, leaf); i < full; ++i) {
        for (int d = 0; d < KDT_DIM; ++d) build->coord[d][i] = (real)NAN;
        if (build->radius != NULL) build->radius[i] = 0;
        if (build->rank != NULL) build->rank[i] = UINT32_MAX;
        if (build->bits != NULL) build->bits[i] = 0;
    }
}

// The quads whose children are the nodes begin to end of a level.
static void fill_quads(const kdt_build *build, uint32_t level, uint32_t begin, uint32_t end) {
    uint32_t count = level_count(build, level);
    for (uint32_t k = begin; k < end && k < count; ++k)
        fill_child(build, level, k, &build->nodes[(build->first_leaf >> level) + k]);
}
