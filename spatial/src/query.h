// Queries of single points and boxes, and of blocks of points.

static inline bool hit_before(const kdt_hit *a, const kdt_hit *b) {
    if (a->gap != b->gap) return a->gap < b->gap;
    if (a->rank != b->rank) return a->rank < b->rank;
    return a->row < b->row;
}

// Hits kept as a heap, the last in order on top: hits[0].
static void sift_down(kdt_hit *hits, uint32_t count, uint32_t hole, kdt_hit hit) {
    for (uint32_t child; (child = 2 * hole + 1) < count; hole = child) {
        if (child + 1 < count && hit_before(&hits[child], &hits[child + 1])) ++child;
        if (!hit_before(&hit, &hits[child])) break;
        hits[hole] = hits[child];
    }
    hits[hole] = hit;
}

static void add_hit(kdt_hit *hits, uint32_t *count, uint32_t capacity, kdt_hit hit) {
    if (*count == capacity) {
        if (capacity > 0 && hit_before(&hit, &hits[0])) sift_down(hits, capacity, 0, hit);
        return;
    }
    uint32_t hole = (*count)++;
    for (; hole > 0 && hit_before(&hits[(hole - 1) / 2], &hit); hole = (hole - 1) / 2)
        hits[hole] = hits[(hole - 1) / 2];
    hits[hole] = hit;
}

static void sort_hits(kdt_hit *hits, uint32_t count) {
    for (uint32_t end = count; end > 1; --end) {
        kdt_hit last = hits[0];
        sift_down(hits, end - 1, 0, hits[end - 1]);
        hits[end - 1] = last;
    }
}

static inline real square_to(const kdt_tree *tree, uint32_t position, const real *lo, const real *hi) {
    real sum = 0;
    for (int d = 0; d < KDT_DIM; ++d) {
        real x = tree->coord[d][position];
        real side = larger(larger(lo[d] - x, x - hi[d]), 0);
        sum += side * side;
    }
    return sum;
}

// Whether the point at a position is seen, and then its hit.
static inline bool see(const kdt_tree *tree, const kdt_query *query, uint32_t position, kdt_hit *hit) {
    if (tree->bits != NULL ? (tree->bits[position] & query->mask) == 0 : query->mask == 0) return false;
    hit->row = tree->order[position];
    if (hit->row == query->skip) return false;
    hit->rank = tree->rank != NULL ? tree->rank[position] : hit->row;
    hit->gap = square_root(square_to(tree, position, query->lo, query->hi));
    if (tree->radius != NULL) hit->gap -= tree->radius[position];
    return hit->gap <= query->range;
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

// The first `capacity` hits in order; returns how many points were seen. Without `all`, leaves that hold only later
// hits than those are not looked at.
static uint32_t search(const kdt_tree *tree, const kdt_query *query, bool all, uint32_t capacity, kdt_hit *hits,
                       uint32_t *kept) {
    uint32_t seen = 0, leaf;
    kdt_walk walk;
    real bound = query->range;
    uint32_t rank = UINT32_MAX;
    *kept = 0;
    KDT_FUNCTION(walk, begin)(&walk, tree, query->lo, query->hi, 0, 0, query->mask);
    while (KDT_FUNCTION(walk, next)(&walk, bound, rank, &leaf)) {
        uint32_t begin = leaf * tree->leaf_size, end = begin + tree->leaf_size;
        if (end > tree->count) end = tree->count;
        for (uint32_t i = begin; i < end; ++i) {
            kdt_hit hit;
            if (!see(tree, query, i, &hit)) continue;
            ++seen;
            add_hit(hits, kept, capacity, hit);
        }
        if (!all && *kept == capacity) {
            bound = hits[0].gap;
            rank = hits[0].rank;
        }
    }
    sort_hits(hits, *kept);
    return seen;
}

static bool arguments_are_valid(const kdt_tree *tree, const kdt_query *query, uint32_t capacity, const kdt_hit *hits,
                                const uint32_t *found) {
    return tree != NULL && query != NULL && found != NULL && (hits != NULL || capacity == 0) && query_is_valid(query);
}

kdt_result KDT_FUNCTION(tree, nearest)(const kdt_tree *tree, const kdt_query *query, uint32_t k, kdt_hit *hits,
                                       uint32_t *found) {
    if (!arguments_are_valid(tree, query, k, hits, found)) return KDT_ERROR_ARGUMENT;
    *found = 0;
    if (k > 0) search(tree, query, false, k, hits, found);
    return KDT_OK;
}

kdt_result KDT_FUNCTION(tree, within)(const kdt_tree *tree, const kdt_query *query, uint32_t capacity, kdt_hit *hits,
                                      uint32_t *found) {
    if (!arguments_are_valid(tree, query, capacity, hits, found)) return KDT_ERROR_ARGUMENT;
    uint32_t kept;
    *found = search(tree, query, true, capacity, hits, &kept);
    return KDT_OK;
}

// One pass of the leaves around up to BLOCK_LANES points.
enum { BLOCK_LANES = 16 };

static void search_lanes(const kdt_tree *tree, const kdt_block *block, uint32_t begin, uint32_t lanes, uint32_t k,
                         kdt_hit *hits, uint32_t *found) {
    kdt_query query[BLOCK_LANES];
    real lo[KDT_DIM], hi[KDT_DIM];
    for (int d = 0; d < KDT_DIM; ++d) {
        lo[d] = KDT_INF;
        hi[d] = -KDT_INF;
    }
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        for (int d = 0; d < KDT_DIM; ++d) {
            real x = block->coord[d][begin + lane];
            query[lane].lo[d] = query[lane].hi[d] = x;
            lo[d] = smaller(lo[d], x);
            hi[d] = larger(hi[d], x);
        }
        query[lane].range = block->range;
        query[lane].mask = block->mask;
        query[lane].skip = block->skip != NULL ? block->skip[begin + lane] : KDT_NONE;
        found[lane] = 0;
    }
    real bound = block->range;
    uint32_t rank = UINT32_MAX, leaf;
    kdt_walk walk;
    KDT_FUNCTION(walk, begin)(&walk, tree, lo, hi, 0, 0, block->mask);
    while (KDT_FUNCTION(walk, next)(&walk, bound, rank, &leaf)) {
        uint32_t first = leaf * tree->leaf_size, last = first + tree->leaf_size;
        if (last > tree->count) last = tree->count;
        bool full = true;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            kdt_hit *own = hits + (size_t)lane * k;
            for (uint32_t i = first; i < last; ++i) {
                kdt_hit hit;
                if (see(tree, &query[lane], i, &hit)) add_hit(own, &found[lane], k, hit);
            }
            full = full && found[lane] == k;
        }
        if (!full) continue;
        kdt_hit worst = hits[0];
        for (uint32_t lane = 1; lane < lanes; ++lane)
            if (hit_before(&worst, &hits[(size_t)lane * k])) worst = hits[(size_t)lane * k];
        bound = worst.gap;
        rank = worst.rank;
    }
    for (uint32_t lane = 0; lane < lanes; ++lane) sort_hits(hits + (size_t)lane * k, found[lane]);
}

kdt_result KDT_FUNCTION(tree, nearest_block)(const kdt_tree *tree, const kdt_block *block, uint32_t k, kdt_hit *hits,
                                             uint32_t *found) {
    if (tree == NULL || block == NULL || found == NULL || (hits == NULL && k > 0)) return KDT_ERROR_ARGUMENT;
    bool valid = block->range == block->range;
    for (int d = 0; d < KDT_DIM; ++d) {
        if (block->count > 0 && block->coord[d] == NULL) return KDT_ERROR_ARGUMENT;
        for (uint32_t i = 0; i < block->count; ++i) valid = valid && is_finite(block->coord[d][i]);
    }
    if (!valid) return KDT_ERROR_ARGUMENT;
    for (uint32_t begin = 0; begin < block->count; begin += BLOCK_LANES) {
        uint32_t lanes = block->count - begin < BLOCK_LANES ? block->count - begin : BLOCK_LANES;
        if (k == 0)
            for (uint32_t lane = 0; lane < lanes; ++lane) found[begin + lane] = 0;
        else
            search_lanes(tree, block, begin, lanes, k, hits + (size_t)begin * k, found + begin);
    }
    return KDT_OK;
}
