// Building: memory, phases and their tasks.

enum {
    BUILD_SUBTREE_LEVEL = 7, // leaves of a subtree, as a power of two
    BUILD_BAND = 3           // levels above the subtrees that one task repairs
};

typedef enum phase {
    PHASE_GATHER,  // subtrees: coordinates into tree order, boxes
    PHASE_INSPECT, // one task: the first band; finds out whether the order is of use
    PHASE_COUNT,   // chunks, only if it is not, like the next three
    PHASE_SCATTER,
    PHASE_RETAKE, // subtrees
    PHASE_AGAIN,  // one task: the first band
    PHASE_BAND,   // the nodes at the top of each further band
    PHASE_FINISH, // subtrees: repair, then what nodes hold beside boxes
    PHASE_DONE
} phase;

static bool points_in_range(const kdt_points *points) {
    return points != NULL && points->count <= KDT_MAX_COUNT && points->leaf_size <= KDT_MAX_LEAF_SIZE;
}

static void set_shape(kdt_build *build) {
    uint32_t size = build->points.leaf_size;
    build->leaf_count = build->points.count / size + (build->points.count % size != 0);
    build->levels = 0;
    while (build->leaf_count > 1u << build->levels) ++build->levels;
    build->first_leaf = 1u << build->levels;
    build->quad_levels = build->levels > 1 ? (build->levels + 1) / 2 : 1;
    build->subtree_level = build->levels < BUILD_SUBTREE_LEVEL ? build->levels : BUILD_SUBTREE_LEVEL;
    build->subtree_count = build->leaf_count > 0 ? level_count(build, build->subtree_level) : 0;
    build->cell_level = build->subtree_level;
    if (build->levels > build->cell_level + SCATTER_CELL_BITS) build->cell_level = build->levels - SCATTER_CELL_BITS;
}

// Takes aligned pieces from a block of memory, or only adds them up where there is none.
typedef struct piece_cutter {
    unsigned char *base;
    size_t used;
} piece_cutter;

static void *cut_piece(piece_cutter *cutter, size_t count, size_t size) {
    void *piece = cutter->base != NULL ? cutter->base + cutter->used : NULL;
    cutter->used += (count * size + 63) / 64 * 64;
    return piece;
}

static piece_cutter begin_cutting(void *memory) {
    piece_cutter cutter = {memory, 0};
    if (memory != NULL) cutter.used = (64 - (uintptr_t)memory % 64) % 64;
    return cutter;
}

static size_t cut_tree(kdt_build *build, void *memory) {
    piece_cutter cutter = begin_cutting(memory);
    size_t padded = (size_t)build->leaf_count * build->points.leaf_size;
    build->nodes = cut_piece(&cutter, 2 * (size_t)build->first_leaf, sizeof(kdt_node));
    uint32_t quads = quad_at(build, 0, 0) + (build->leaf_count + 3) / 4;
    build->quads = cut_piece(&cutter, quads, sizeof(kdt_quad));
    for (int d = 0; d < KDT_DIM; ++d) build->coord[d] = cut_piece(&cutter, padded + POINT_GROUP, sizeof(real));
    build->radius = build->points.radius != NULL ? cut_piece(&cutter, padded + POINT_GROUP, sizeof(real)) : NULL;
    build->rank = build->points.rank != NULL ? cut_piece(&cutter, padded, sizeof(uint32_t)) : NULL;
    build->bits = build->points.bits != NULL ? cut_piece(&cutter, padded, sizeof(uint32_t)) : NULL;
    return cutter.used;
}

static size_t cut_scratch(kdt_build *build, void *memory) {
    piece_cutter cutter = begin_cutting(memory);
    size_t cells = build->leaf_count > 0 ? cell_count(build) : 0, cuts = build->first_leaf >> build->cell_level;
    for (int d = 0; d < KDT_DIM; ++d) build->spare[d] = cut_piece(&cutter, build->points.count, sizeof(real));
    build->spare_order = cut_piece(&cutter, build->points.count, sizeof(uint32_t));
    build->cells = cut_piece(&cutter, SCATTER_CHUNKS * cells, sizeof(uint32_t));
    build->cut = cut_piece(&cutter, cuts, sizeof(real));
    build->cut_axis = cut_piece(&cutter, cuts, sizeof(uint32_t));
    build->bad_row = cut_piece(&cutter, build->subtree_count, sizeof(uint32_t));
    build->bad_order = cut_piece(&cutter, build->subtree_count, sizeof(uint32_t));
    return cutter.used;
}

static kdt_build shape_of(const kdt_points *points) {
    kdt_build build = {.points = *points};
    if (build.points.leaf_size == 0) build.points.leaf_size = KDT_LEAF_SIZE;
    set_shape(&build);
    return build;
}

size_t KDT_FUNCTION(tree, memory)(const kdt_points *points) {
    if (!points_in_range(points)) return 0;
    kdt_build build = shape_of(points);
    return cut_tree(&build, NULL) + 63;
}

size_t KDT_FUNCTION(build, memory)(const kdt_points *points) {
    if (!points_in_range(points)) return 0;
    kdt_build build = shape_of(points);
    return cut_scratch(&build, NULL) + 63;
}

kdt_result KDT_FUNCTION(build, begin)(kdt_build *build, const kdt_points *points, void *memory, void *scratch) {
    if (build == NULL || !points_in_range(points) || memory == NULL || scratch == NULL) return KDT_ERROR_ARGUMENT;
    if (points->count > 0 && points->order == NULL) return KDT_ERROR_ARGUMENT;
    for (int d = 0; d < KDT_DIM; ++d)
        if (points->count > 0 && points->coord[d] == NULL && points->place[d] == NULL) return KDT_ERROR_ARGUMENT;
    *build = shape_of(points);
    cut_tree(build, memory);
    cut_scratch(build, scratch);
    build->phase = PHASE_GATHER;
    build->band = build->levels;
    // The missing right siblings.
    for (uint32_t level = 0; level < build->levels; ++level) {
        uint32_t count = level_count(build, level);
        if (count % 2 != 0) empty_node(&build->nodes[(build->first_leaf >> level) + count]);
    }
    // And the children that quads lack.
    kdt_node empty;
    empty_node(&empty);
    for (uint32_t level = 0; build->leaf_count > 0 && level < 2 * build->quad_levels; level += 2)
        for (uint32_t k = level_count(build, level); k % 4 != 0; ++k) fill_child(build, level, k, &empty);
    if (build->leaf_count == 0) {
        empty_node(&build->nodes[1]);
        build->phase = PHASE_DONE;
    }
    build->started = false;
    return KDT_OK;
}

// ---- tasks ----

static void finish(const kdt_build *build, uint32_t subtree) {
    extent e = subtree_extent(build, subtree);
    repair_subtree(build, build->subtree_level, subtree);
    for (uint32_t leaf = e.leaf_begin; leaf < e.leaf_end; ++leaf) merge_leaf(build, leaf);
    for (uint32_t j = 1; j <= build->subtree_level; ++j) {
        uint32_t shift = build->subtree_level - j, end = (subtree + 1) << shift, count = level_count(build, j);
        for (uint32_t k = subtree << shift; k < end && k < count; ++k)
            merge_parent(build->nodes, (build->first_leaf >> j) + k);
    }
    for (uint32_t j = 0; j + 2 <= build->subtree_level; j += 2) {
        uint32_t shift = build->subtree_level - j;
        fill_quads(build, j, subtree << shift, (subtree + 1) << shift);
    }
}

// The same above the subtrees.
static void finish_crown(const kdt_build *build) {
    for (uint32_t j = build->subtree_level + 1; j <= build->levels; ++j)
        for (uint32_t k = 0; k < level_count(build, j); ++k) merge_parent(build->nodes, (build->first_leaf >> j) + k);
    for (uint32_t j = build->subtree_level / 2 * 2; j < 2 * build->quad_levels; j += 2)
        fill_quads(build, j, 0, level_count(build, j));
}

// The lowest level of the band that begins at a level.
static uint32_t band_last(const kdt_build *build, uint32_t level) {
    return level >= build->subtree_level + BUILD_BAND ? level - BUILD_BAND + 1 : build->subtree_level + 1;
}

static bool repair_first_band(const kdt_build *build, bool give_up) {
    bound_crown(build);
    return repair_levels(build, 1, build->levels, band_last(build, build->levels), give_up);
}

void KDT_FUNCTION(build, run)(kdt_build *build, uint32_t task) {
    switch ((phase)build->phase) {
    case PHASE_GATHER:
        gather(build, task);
        break;
    case PHASE_INSPECT:
        build->stuck = !repair_first_band(build, true);
        if (build->stuck) sample_cells(build);
        break;
    case PHASE_COUNT:
        count_chunk(build, task);
        break;
    case PHASE_SCATTER:
        scatter_chunk(build, task);
        break;
    case PHASE_RETAKE:
        retake(build, task);
        break;
    case PHASE_AGAIN:
        repair_first_band(build, false);
        break;
    case PHASE_BAND:
        repair_levels(build, (build->first_leaf >> build->band) + task, build->band, band_last(build, build->band),
                      false);
        break;
    case PHASE_FINISH:
        finish(build, task);
        break;
    case PHASE_DONE:
        break;
    }
}

// ---- phases ----

static kdt_result build_result(const kdt_build *build, uint32_t *bad) {
    uint32_t row = KDT_NONE, order = KDT_NONE;
    for (uint32_t i = 0; i < build->subtree_count; ++i) {
        row = build->bad_row[i] < row ? build->bad_row[i] : row;
        order = build->bad_order[i] < order ? build->bad_order[i] : order;
    }
    *bad = order != KDT_NONE ? order : row;
    return order != KDT_NONE ? KDT_ERROR_ORDER : row != KDT_NONE ? KDT_ERROR_NOT_FINITE : KDT_OK;
}

// The phase after this one.
static phase phase_after(kdt_build *build) {
    uint32_t bad;
    switch ((phase)build->phase) {
    case PHASE_GATHER:
        if (build_result(build, &bad) != KDT_OK) return PHASE_DONE;
        return build->levels > build->subtree_level ? PHASE_INSPECT : PHASE_FINISH;
    case PHASE_INSPECT:
        if (!build->stuck) break;
        build->points.kept = false;
        return PHASE_COUNT;
    case PHASE_COUNT:
        place_chunks(build);
        return PHASE_SCATTER;
    case PHASE_SCATTER:
        return PHASE_RETAKE;
    case PHASE_RETAKE:
        return PHASE_AGAIN;
    case PHASE_AGAIN:
    case PHASE_BAND:
        break;
    case PHASE_FINISH:
    case PHASE_DONE:
        return PHASE_DONE;
    }
    build->band = band_last(build, build->band) - 1;
    return build->band > build->subtree_level ? PHASE_BAND : PHASE_FINISH;
}

uint32_t KDT_FUNCTION(build, next)(kdt_build *build) {
    if (build->started) build->phase = phase_after(build);
    build->started = true;
    switch ((phase)build->phase) {
    case PHASE_INSPECT:
    case PHASE_AGAIN:
        return 1;
    case PHASE_COUNT:
    case PHASE_SCATTER:
        return SCATTER_CHUNKS;
    case PHASE_BAND:
        return level_count(build, build->band);
    case PHASE_GATHER:
    case PHASE_RETAKE:
    case PHASE_FINISH:
        return build->subtree_count;
    case PHASE_DONE:
        break;
    }
    return 0;
}

kdt_result KDT_FUNCTION(build, end)(kdt_build *build, kdt_tree *tree, uint32_t *bad) {
    assert(build->phase == PHASE_DONE);
    uint32_t first_bad;
    kdt_result result = build_result(build, &first_bad);
    if (bad != NULL) *bad = first_bad;
    if (result != KDT_OK) {
        *tree = (kdt_tree){.leaf_size = build->points.leaf_size};
        return result;
    }
    if (build->leaf_count > 0) finish_crown(build);
    if (build->leaf_count > 0) pad_leaf(build, build->leaf_count - 1);
    // Groups of points that begin in the last leaf may reach beyond it.
    size_t padded = (size_t)build->leaf_count * build->points.leaf_size;
    for (size_t i = padded; i < padded + POINT_GROUP; ++i) {
        for (int d = 0; d < KDT_DIM; ++d) build->coord[d][i] = (real)NAN;
        if (build->radius != NULL) build->radius[i] = 0;
    }
    *tree = (kdt_tree){.count = build->points.count,
                       .leaf_size = build->points.leaf_size,
                       .leaf_count = build->leaf_count,
                       .first_leaf = build->first_leaf,
                       .quad_first_leaf = quad_at(build, 0, 0) * 4 + 1,
                       .nodes = build->nodes,
                       .quads = build->quads,
                       .radius = build->radius,
                       .rank = build->rank,
                       .bits = build->bits,
                       .order = build->points.order};
    for (int d = 0; d < KDT_DIM; ++d) tree->coord[d] = build->coord[d];
    return KDT_OK;
}

kdt_result KDT_FUNCTION(tree, build)(kdt_tree *tree, const kdt_points *points, void *memory, void *scratch,
                                     uint32_t *bad) {
    if (tree == NULL) return KDT_ERROR_ARGUMENT;
    *tree = (kdt_tree){0};
    kdt_build build;
    kdt_result result = KDT_FUNCTION(build, begin)(&build, points, memory, scratch);
    if (result != KDT_OK) return result;
    for (uint32_t tasks = KDT_FUNCTION(build, next)(&build); tasks > 0; tasks = KDT_FUNCTION(build, next)(&build))
        for (uint32_t task = 0; task < tasks; ++task) KDT_FUNCTION(build, run)(&build, task);
    return KDT_FUNCTION(build, end)(&build, tree, bad);
}
