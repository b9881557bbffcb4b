// Points of many patterns, trees of them, and brute force: what the tests of one kind of tree share.
typedef KDT_REAL real;
typedef KDT_POINTS points_def;
typedef KDT_NODE node_def;
typedef KDT_TREE tree_def;
typedef KDT_BUILD build_def;
typedef KDT_HIT hit_def;
typedef KDT_QUERY query_def;

// ---- points ----

static uint64_t random_state;

static uint32_t random_bits(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) ^ (uint32_t)(random_state >> 40);
}

static real random_unit(void) {
    return (real)(random_bits() % 65536u) / 65536;
}

typedef enum pattern {
    PATTERN_UNIFORM,
    PATTERN_CLUSTERED,
    PATTERN_LATTICE,
    PATTERN_COLLINEAR,
    PATTERN_COINCIDENT,
    PATTERN_HALVES, // x = 2^-i
    PATTERN_FAR,    // from the origin: spacing of an ulp
    PATTERN_HALF_COINCIDENT,
    PATTERN_COUNT
} pattern;

typedef struct crowd {
    points_def points;
    real *coord[KDT_DIM];
    real *radius;
    uint32_t *rank, *bits, *order;
    void *memory, *scratch;
    tree_def tree;
} crowd;

static real place(pattern kind, uint32_t i, int d) {
    switch (kind) {
    case PATTERN_UNIFORM:
        return 100 * random_unit();
    case PATTERN_CLUSTERED:
        return (real)(i % 7u) * 50 + random_unit() * random_unit() * random_unit();
    case PATTERN_LATTICE:
        return (real)(random_bits() % 20u);
    case PATTERN_COLLINEAR:
        return d == 0 ? 100 * random_unit() : 3;
    case PATTERN_COINCIDENT:
        return 7;
    case PATTERN_HALVES:
        return d == 0 ? (real)ldexp(1, -(int)(i % 140u)) : 0;
    case PATTERN_FAR:
        return 16000000 + 4 * random_unit();
    case PATTERN_HALF_COINCIDENT:
        return i % 2 == 0 ? 5 : 10 * random_unit();
    case PATTERN_COUNT:
        break;
    }
    return 0;
}

static void shuffle(uint32_t *values, uint32_t count) {
    for (uint32_t i = count; i > 1; --i) {
        uint32_t j = random_bits() % i, value = values[i - 1];
        values[i - 1] = values[j];
        values[j] = value;
    }
}

static crowd new_crowd(pattern kind, uint32_t count, uint32_t leaf_size, bool with_radius, bool with_rank,
                       bool with_bits) {
    crowd c = {.points = {.count = count, .leaf_size = leaf_size}};
    for (int d = 0; d < KDT_DIM; ++d) {
        c.points.coord[d] = c.coord[d] = malloc(count * sizeof(real) + 1);
        for (uint32_t i = 0; i < count; ++i) c.coord[d][i] = place(kind, i, d);
    }
    c.points.order = c.order = malloc(count * sizeof(uint32_t) + 1);
    for (uint32_t i = 0; i < count; ++i) c.order[i] = i;
    if (with_radius) {
        c.points.radius = c.radius = malloc(count * sizeof(real) + 1);
        for (uint32_t i = 0; i < count; ++i) c.radius[i] = i % 100 == 99 ? 20 : (real)(random_bits() % 4u) / 10;
    }
    if (with_rank) {
        c.points.rank = c.rank = malloc(count * sizeof(uint32_t) + 1);
        for (uint32_t i = 0; i < count; ++i) c.rank[i] = 3 * i + 5;
        shuffle(c.rank, count);
    }
    if (with_bits) {
        c.points.bits = c.bits = malloc(count * sizeof(uint32_t) + 1);
        for (uint32_t i = 0; i < count; ++i) c.bits[i] = 1u << (random_bits() % 4u);
    }
    c.memory = malloc(KDT_FUNCTION(tree, memory)(&c.points));
    c.scratch = malloc(KDT_FUNCTION(build, memory)(&c.points));
    assert_non_null(c.memory);
    assert_non_null(c.scratch);
    return c;
}

static void free_crowd(crowd *c) {
    for (int d = 0; d < KDT_DIM; ++d) free(c->coord[d]);
    free(c->radius);
    free(c->rank);
    free(c->bits);
    free(c->order);
    free(c->memory);
    free(c->scratch);
}

static void build_crowd(crowd *c) {
    uint32_t bad = 0;
    kdt_result result = KDT_FUNCTION(tree, build)(&c->tree, &c->points, c->memory, c->scratch, &bad);
    if (result != KDT_OK) fail_msg("build of %u points: %s (%u)", c->points.count, kdt_result_text(result), bad);
}

// ---- oracle ----

static int compare_hits(const void *a, const void *b) {
    const hit_def *p = a, *q = b;
    if (p->gap != q->gap) return p->gap < q->gap ? -1 : 1;
    if (p->rank != q->rank) return p->rank < q->rank ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static uint32_t brute_force(const crowd *c, const query_def *query, hit_def *hits) {
    uint32_t found = 0;
    for (uint32_t row = 0; row < c->points.count; ++row) {
        if (((c->bits != NULL ? c->bits[row] : KDT_ALL) & query->mask) == 0 || row == query->skip) continue;
        real square = 0;
        for (int d = 0; d < KDT_DIM; ++d) {
            real x = c->coord[d][row], side = 0;
            if (x < query->lo[d]) side = query->lo[d] - x;
            if (x > query->hi[d]) side = x - query->hi[d];
            square += side * side;
        }
        real gap = sizeof(real) == sizeof(float) ? (real)sqrtf((float)square) : (real)sqrt((double)square);
        if (c->radius != NULL) gap -= c->radius[row];
        if (gap > query->range) continue;
        hits[found++] = (hit_def){.gap = gap, .rank = c->rank != NULL ? c->rank[row] : row, .row = row};
    }
    qsort(hits, found, sizeof(hit_def), compare_hits);
    return found;
}

static void expect_hits(const hit_def *hits, const hit_def *right, uint32_t count, const char *what) {
    for (uint32_t i = 0; i < count; ++i) {
        if (hits[i].row == right[i].row && hits[i].gap == right[i].gap && hits[i].rank == right[i].rank) continue;
        fail_msg("%s: hit %u of %u is row %u (gap %.9g, rank %u), should be row %u (gap %.9g, rank %u)", what, i, count,
                 hits[i].row, (double)hits[i].gap, hits[i].rank, right[i].row, (double)right[i].gap, right[i].rank);
    }
}

static query_def random_query(const crowd *c) {
    real at[KDT_DIM], to[KDT_DIM];
    uint32_t row = random_bits() % c->points.count;
    bool on_point = random_bits() % 2 == 0;
    for (int d = 0; d < KDT_DIM; ++d) {
        at[d] = c->coord[d][row] + (on_point ? 0 : 4 * random_unit() - 2);
        to[d] = at[d] + 10 * random_unit();
    }
    query_def query = KDT_FUNCTION(query, point)(at);
    if (random_bits() % 4 == 0) query = KDT_FUNCTION(query, box)(at, to);
    if (random_bits() % 2 == 0) query.range = (real)(random_bits() % 12u) - 1;
    if (random_bits() % 4 == 0) query.mask = random_bits() % 16u;
    if (random_bits() % 4 == 0) query.skip = row;
    return query;
}

static void check_queries(const crowd *c, uint32_t queries, const char *what) {
    uint32_t count = c->points.count;
    hit_def *right = malloc((count + 1) * sizeof(hit_def)), *hits = malloc((count + 1) * sizeof(hit_def));
    for (uint32_t i = 0; i < queries; ++i) {
        query_def query = random_query(c);
        uint32_t total = brute_force(c, &query, right), found = 0;
        uint32_t k = random_bits() % 3 == 0 ? random_bits() % (count + 1) : random_bits() % 20u;
        assert_int_equal(KDT_FUNCTION(tree, nearest)(&c->tree, &query, k, hits, &found), KDT_OK);
        uint32_t expected = k < total ? k : total;
        if (found != expected) fail_msg("%s: %u nearest found %u, should be %u", what, k, found, expected);
        expect_hits(hits, right, found, what);
        assert_int_equal(KDT_FUNCTION(tree, within)(&c->tree, &query, k, hits, &found), KDT_OK);
        if (found != total) fail_msg("%s: %u within %g, should be %u", what, found, (double)query.range, total);
        expect_hits(hits, right, expected, what);
    }
    free(right);
    free(hits);
}
