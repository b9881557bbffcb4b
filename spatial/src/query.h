// Queries of single points and boxes.

// One query under way.
typedef struct search {
    const kdt_tree *tree;
    const kdt_query *query;
    bool from_point;
    uint32_t seen;
    bool all;   // what is in range is counted, also what is not kept
    real bound; // the largest gap that still matters
    hit_list list;
} search;

// Tests the point at a position whose squared distance is known.
static inline void test_point(search *s, uint32_t position, real square) {
    const kdt_tree *tree = s->tree;
    const kdt_query *query = s->query;
    kdt_hit hit = {.gap = square_root(square)};
    if (tree->radius != NULL) hit.gap -= tree->radius[position];
    if (!(hit.gap <= s->bound)) return;
    hit.row = tree->order[position];
    if (hit.row == query->skip || (tree->bits != NULL && (tree->bits[position] & query->mask) == 0)) return;
    hit.rank = tree->rank != NULL ? tree->rank[position] : hit.row;
    ++s->seen;
    keep_hit(&s->list, hit);
    if (!s->all && s->list.count == s->list.capacity) s->bound = last_hit(&s->list).gap;
}

// Squared distances of POINT_GROUP points from a position on. What lies beyond the leaf is computed in vain.
static inline void square_group(const search *s, uint32_t position, real *square) {
    LANES_LOOP
    for (int i = 0; i < POINT_GROUP; ++i) square[i] = 0;
    for (int d = 0; d < KDT_DIM; ++d) {
        const real *x = s->tree->coord[d] + position;
        real lo = s->query->lo[d], hi = s->query->hi[d];
        if (s->from_point) {
            LANES_LOOP
            for (int i = 0; i < POINT_GROUP; ++i) {
                real side = x[i] - lo;
                square[i] += side * side;
            }
        } else {
            // max(lo - x, x - hi, 0), exactly, as in walk_expand.
            LANES_LOOP
            for (int i = 0; i < POINT_GROUP; ++i) {
                real before = lo - x[i], after = x[i] - hi;
                real side = ((before + magnitude(before)) + (after + magnitude(after))) / 2;
                square[i] += side * side;
            }
        }
    }
}

// Tests the points of a leaf that come near enough. They are listed first, without branches.
static void test_leaf(search *s, uint32_t leaf) {
    const kdt_tree *tree = s->tree;
    const kdt_node *node = &tree->nodes[tree->first_leaf + leaf];
    real side = s->bound + node->radius;
    side += KDT_GUARD * (magnitude(s->bound) + node->radius);
    real limit = side * side * (1 + 2 * KDT_GUARD) + WALK_TINY * WALK_TINY;
    if (!(side >= 0) || !(square_between(node, s->query->lo, s->query->hi) <= limit)) return;
    uint32_t begin = leaf * tree->leaf_size, end = begin + tree->leaf_size;
    for (uint32_t group = begin; group < end; group += POINT_GROUP) {
        real square[POINT_GROUP];
        square_group(s, group, square);
        uint8_t list[POINT_GROUP];
        uint32_t listed = 0, count = end - group < POINT_GROUP ? end - group : POINT_GROUP;
        for (uint32_t i = 0; i < count; ++i) {
            list[listed] = (uint8_t)i;
            listed += (uint32_t)(square[i] <= limit);
        }
        for (uint32_t i = 0; i < listed; ++i) test_point(s, group + list[i], square[list[i]]);
    }
}

static bool query_is_valid(const kdt_query *query) {
    bool valid = query->range == query->range;
    for (int d = 0; d < KDT_DIM; ++d)
        valid = valid && is_finite(query->lo[d]) && is_finite(query->hi[d]) && query->lo[d] <= query->hi[d];
    return valid;
}

kdt_query KDT_FUNCTION(query, point)(const real at[KDT_DIM]) {
    kdt_query query = {.range = KDT_INF, .mask = KDT_ALL, .skip = KDT_NONE};
    for (int d = 0; d < KDT_DIM; ++d) query.lo[d] = query.hi[d] = at[d];
    return query;
}

kdt_query KDT_FUNCTION(query, box)(const real lo[KDT_DIM], const real hi[KDT_DIM]) {
    kdt_query query = {.range = 0, .mask = KDT_ALL, .skip = KDT_NONE};
    for (int d = 0; d < KDT_DIM; ++d) {
        query.lo[d] = lo[d];
        query.hi[d] = hi[d];
    }
    return query;
}

static inline void begin_search(search *s, const kdt_tree *tree, const kdt_query *query, uint32_t capacity,
                                kdt_hit *hits, bool all) {
    s->tree = tree;
    s->query = query;
    s->from_point = true;
    for (int d = 0; d < KDT_DIM; ++d) s->from_point = s->from_point && query->lo[d] == query->hi[d];
    s->seen = 0;
    s->all = all;
    s->bound = query->range;
    s->list.hits = hits;
    s->list.capacity = capacity;
    s->list.count = 0;
}

// Looks at all points in range or, where not all are wanted, at leaves that may hold one of the first `capacity`.
static void run_search(search *s) {
    uint32_t rank = UINT32_MAX, leaf;
    kdt_walk walk;
    KDT_FUNCTION(walk, begin)(&walk, s->tree, s->query->lo, s->query->hi, 0, 0, s->query->mask);
    while (KDT_FUNCTION(walk, next)(&walk, s->bound, rank, &leaf)) {
        test_leaf(s, leaf);
        if (!s->all && s->list.count == s->list.capacity) rank = last_hit(&s->list).rank;
    }
}

static bool arguments_are_valid(const kdt_tree *tree, const kdt_query *query, uint32_t capacity, const kdt_hit *hits,
                                const uint32_t *found) {
    return tree != NULL && query != NULL && found != NULL && (hits != NULL || capacity == 0) && query_is_valid(query);
}

kdt_result KDT_FUNCTION(tree, within)(const kdt_tree *tree, const kdt_query *query, uint32_t capacity, kdt_hit *hits,
                                      uint32_t *found) {
    if (!arguments_are_valid(tree, query, capacity, hits, found)) return KDT_ERROR_ARGUMENT;
    search s;
    begin_search(&s, tree, query, capacity, hits, true);
    run_search(&s);
    finish_hits(&s.list);
    *found = s.seen;
    return KDT_OK;
}
