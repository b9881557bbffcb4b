// Repair: makes the two halves of a node meet at a plane again, for points that the last order left nearly so.
//
// Where everybody moved a little, few points change sides: the highest of the left half and the lowest of the right
// one, again and again until the halves are apart. The boxes lead to them, so a node costs what crossed its plane and
// not its points. Halves that are in no order, or of which too many crossed, exchange all that are on the wrong side at
// once.

enum {
    REPAIR_SAMPLE = 8,        // points of each half that tell along which axis they were parted
    REPAIR_INVERTED = 8,      // of their pairs that one stray puts in the wrong order
    REPAIR_SWAPS = 4,         // single swaps before an exchange,
    REPAIR_SWAPS_SHARE = 32,  // and one more for so many points
    REPAIR_GIVE_UP = 64,      // the same where there is a choice
    REPAIR_NARROW_LEVEL = 5,  // from this level on a few strays far off must not make everything a candidate
    REPAIR_NARROW_TRIES = 32, // halvings of the range of the cut
    REPAIR_SHARE = 8          // candidates at most this part of a half, or the order is no use there
};

// Halves may overlap by this part of a leaf's side: it costs queries less than the repair would.
#define REPAIR_TOLERANCE ((real)1 / 16)

// The positions below node h (of a level) whose coordinate lies above (below) the bound, ascending; at most limit + the
// last leaf's.
static uint32_t collect(const kdt_build *build, uint32_t h, uint32_t level, int axis, real bound, bool above,
                        uint32_t limit, uint32_t *list) {
    const kdt_node *nodes = build->nodes;
    const real *value = build->coord[axis];
    uint32_t leaf = (h << level) - build->first_leaf, end = leaf + (1u << level), j = level, count = 0;
    if (end > build->leaf_count) end = build->leaf_count;
    while (leaf < end && count <= limit) {
        const kdt_node *node = &nodes[node_at(build, j, leaf)];
        bool skip = above ? node->hi[axis] <= bound : node->lo[axis] >= bound;
        if (!skip && j > 0) {
            --j;
            continue;
        }
        if (!skip) {
            uint32_t i = leaf_begin(build, leaf), last = leaf_end(build, leaf);
            if (above) {
                for (; i < last; ++i) {
                    list[count] = i;
                    count += (uint32_t)(value[i] > bound);
                }
            } else {
                for (; i < last; ++i) {
                    list[count] = i;
                    count += (uint32_t)(value[i] < bound);
                }
            }
        }
        // The largest node that begins where this one ended: its right sibling or an ancestor's.
        leaf += 1u << j;
        if (leaf < end) j = trailing_zeros(leaf | (1u << level));
    }
    return count;
}

// Boxes of the leaves of `list` (positions, ascending) and of all above them up to a level. Uses up the list.
static void bound_touched(const kdt_build *build, uint32_t *list, uint32_t count, uint32_t child_level) {
    uint32_t size = build->points.leaf_size, distinct = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t h = build->first_leaf + list[i] / size;
        if (distinct > 0 && list[distinct - 1] == h) continue;
        bound_leaf(build, h - build->first_leaf);
        list[distinct++] = h;
    }
    for (uint32_t j = 0; j < child_level; ++j) {
        count = distinct;
        distinct = 0;
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t h = list[i] / 2;
            if (distinct > 0 && list[distinct - 1] == h) continue;
            bound_parent(build->nodes, h);
            list[distinct++] = h;
        }
    }
}

static inline void swap_reals(real *value, uint32_t a, uint32_t b) {
    real kept = value[a];
    value[a] = value[b];
    value[b] = kept;
}

static inline void swap_words(uint32_t *value, uint32_t a, uint32_t b) {
    uint32_t kept = value[a];
    value[a] = value[b];
    value[b] = kept;
}

static inline void swap_points(const kdt_build *build, uint32_t a, uint32_t b) {
    for (int d = 0; d < KDT_DIM; ++d) swap_reals(build->coord[d], a, b);
    swap_words(build->points.order, a, b);
    if (!build->points.kept) return; // the others are taken once the order stands
    if (build->radius != NULL) swap_reals(build->radius, a, b);
    if (build->rank != NULL) swap_words(build->rank, a, b);
    if (build->bits != NULL) swap_words(build->bits, a, b);
}

// Of the candidates keeps those on the wrong side of the cut, and so many of those at the cut.
static uint32_t keep_wrong(const real *value, real cut, bool above, uint32_t ties, uint32_t *list, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        real key = value[list[i]];
        bool wrong = above ? key > cut : key < cut;
        if (!wrong && key == cut && ties > 0) {
            --ties;
            wrong = true;
        }
        list[kept] = list[i];
        kept += (uint32_t)wrong;
    }
    return kept;
}

// Of a sample of points of each half, the number of pairs in the wrong order along an axis: about 0 along the axis that
// parted the halves, half of all along others.
static uint32_t count_inverted(const kdt_build *build, uint32_t begin, uint32_t half, uint32_t end, int axis) {
    const real *value = build->coord[axis];
    real a[REPAIR_SAMPLE], b[REPAIR_SAMPLE];
    for (uint32_t i = 0; i < REPAIR_SAMPLE; ++i) {
        a[i] = value[begin + (uint64_t)i * half / REPAIR_SAMPLE];
        b[i] = value[begin + half + (uint64_t)i * (end - begin - half) / REPAIR_SAMPLE];
    }
    uint32_t inverted = 0;
    for (uint32_t i = 0; i < REPAIR_SAMPLE; ++i)
        for (uint32_t j = 0; j < REPAIR_SAMPLE; ++j) inverted += (uint32_t)(a[i] > b[j]);
    return inverted;
}

// The axis to cut: the longest side, or one nearly as long that the halves are parted along, so that a node that is
// nearly square is not turned over from frame to frame. Large nodes are turned over last: that renews everything below,
// and their shape hardly matters to the leaves'. *parted: whether the halves are, along that axis.
static int choose_axis(const kdt_build *build, uint32_t h, uint32_t level, uint32_t begin, uint32_t end, bool *parted) {
    const kdt_node *node = &build->nodes[h], *a = &build->nodes[2 * h], *b = a + 1;
    uint32_t half = build->points.leaf_size << (level - 1);
    int axis = longest_side(node);
    real longest = node->hi[axis] - node->lo[axis];
    *parted = true;
    if ((a->hi[axis] - b->lo[axis]) * REPAIR_SHARE <= longest) return axis;
    real least = longest * (level > build->subtree_level ? (real)0.25 : (real)0.75);
    uint32_t fewest = REPAIR_INVERTED + 1;
    for (int d = 0; d < KDT_DIM; ++d) {
        if (node->hi[d] - node->lo[d] < least) continue;
        uint32_t inverted = count_inverted(build, begin, half, end, d);
        if (inverted >= fewest) continue;
        fewest = inverted;
        axis = d;
    }
    *parted = fewest <= REPAIR_INVERTED;
    return axis;
}

// The position below node h (of a level) that has its highest (lowest) coordinate.
static uint32_t find_extreme(const kdt_build *build, uint32_t h, uint32_t level, int axis, bool highest) {
    const kdt_node *nodes = build->nodes;
    real wanted = highest ? nodes[h].hi[axis] : nodes[h].lo[axis];
    for (; level > 0; --level) {
        h *= 2;
        h += (uint32_t)((highest ? nodes[h].hi[axis] : nodes[h].lo[axis]) != wanted);
    }
    const real *value = build->coord[axis];
    uint32_t leaf = h - build->first_leaf, end = leaf_end(build, leaf), found = leaf_begin(build, leaf);
    for (uint32_t i = found; i < end; ++i) found = value[i] == wanted ? i : found;
    return found;
}

// Renews the boxes from the leaf of a position up to a level.
static inline void bound_upwards(const kdt_build *build, uint32_t position, uint32_t level) {
    uint32_t leaf = position / build->points.leaf_size;
    bound_leaf(build, leaf);
    for (uint32_t j = 1; j <= level; ++j) bound_parent(build->nodes, node_at(build, j, leaf));
}

// Swaps single points until the halves overlap by no more than `tolerance`; false if that takes more than `swaps`.
static bool swap_extremes(const kdt_build *build, uint32_t h, uint32_t level, int axis, real tolerance,
                          uint32_t swaps) {
    const kdt_node *a = &build->nodes[2 * h], *b = a + 1;
    for (; a->hi[axis] - b->lo[axis] > tolerance; --swaps) {
        if (swaps == 0) return false;
        uint32_t i = find_extreme(build, 2 * h, level - 1, axis, true);
        uint32_t j = find_extreme(build, 2 * h + 1, level - 1, axis, false);
        swap_points(build, i, j);
        bound_upwards(build, i, level - 1);
        bound_upwards(build, j, level - 1);
    }
    return true;
}

// The candidates of node h for the cut, which is somewhere in [lo, hi]: left points above it and right points below.
typedef struct candidates {
    real lo, hi;
    uint32_t *left, *right;
    uint32_t lefts, rights;
} candidates;

static void collect_both(const kdt_build *build, uint32_t h, uint32_t level, int axis, real above, real below,
                         uint32_t limit, candidates *found) {
    found->lefts = collect(build, 2 * h, level - 1, axis, above, true, limit, found->left);
    found->rights = collect(build, 2 * h + 1, level - 1, axis, below, false, limit, found->right);
}

// Narrows the range of the cut until few points are candidates; false if no cut has that, that is, if the halves are
// not nearly apart.
static bool collect_few(const kdt_build *build, uint32_t h, uint32_t level, int axis, uint32_t limit,
                        candidates *found) {
    for (int tries = 0; tries < REPAIR_NARROW_TRIES; ++tries) {
        collect_both(build, h, level, axis, found->lo, found->hi, limit, found);
        if (found->lefts <= limit && found->rights <= limit) return true;
        real middle = found->lo / 2 + found->hi / 2;
        if (!(middle > found->lo && middle < found->hi)) return false;
        collect_both(build, h, level, axis, middle, middle, limit, found);
        if (found->lefts > limit && found->rights > limit) return false;
        if (found->lefts > found->rights)
            found->lo = middle;
        else
            found->hi = middle;
    }
    return false;
}

// Exchanges candidates so that no left one lies above a right one.
static void exchange(const kdt_build *build, int axis, const candidates *found, real *keys, uint32_t child_level) {
    const real *value = build->coord[axis];
    uint32_t *left = found->left, *right = found->right;
    for (uint32_t i = 0; i < found->lefts; ++i) keys[i] = value[left[i]];
    for (uint32_t i = 0; i < found->rights; ++i) keys[found->lefts + i] = value[right[i]];
    real cut = select_key(keys, found->lefts + found->rights, found->lefts - 1);
    uint32_t over = 0, under = 0;
    for (uint32_t i = 0; i < found->lefts; ++i) over += (uint32_t)(value[left[i]] > cut);
    for (uint32_t i = 0; i < found->rights; ++i) under += (uint32_t)(value[right[i]] < cut);
    uint32_t lefts = keep_wrong(value, cut, true, under > over ? under - over : 0, left, found->lefts);
    uint32_t rights = keep_wrong(value, cut, false, over > under ? over - under : 0, right, found->rights);
    assert(lefts == rights);
    for (uint32_t i = 0; i < lefts; ++i) swap_points(build, left[i], right[i]);
    bound_touched(build, left, lefts, child_level);
    bound_touched(build, right, rights, child_level);
}

// Adds positions whose coordinate is the cut, until the list has `wanted` entries.
static void add_ties(const real *value, real cut, uint32_t position, uint32_t *list, uint32_t count, uint32_t wanted) {
    for (; count < wanted; ++position)
        if (value[position] == cut) list[count++] = position;
}

// Parts a node whose halves are in no order: selects among all its points. `list` and `keys` hold as many entries.
static void part_anew(const kdt_build *build, uint32_t h, uint32_t level, int axis, uint32_t begin, uint32_t half,
                      uint32_t end, uint32_t *list, real *keys) {
    const real *value = build->coord[axis];
    memcpy(keys, value + begin, (end - begin) * sizeof(real));
    real cut = select_key(keys, end - begin, half - 1);
    uint32_t *left = list, *right = list + half, middle = begin + half, lefts = 0, rights = 0;
    for (uint32_t i = begin; i < middle; ++i) {
        left[lefts] = i;
        lefts += (uint32_t)(value[i] > cut);
    }
    for (uint32_t i = middle; i < end; ++i) {
        right[rights] = i;
        rights += (uint32_t)(value[i] < cut);
    }
    uint32_t count = lefts > rights ? lefts : rights;
    add_ties(value, cut, begin, left, lefts, count);
    add_ties(value, cut, middle, right, rights, count);
    for (uint32_t i = 0; i < count; ++i) swap_points(build, left[i], right[i]);
    uint32_t leaf = (h << level) - build->first_leaf, leaves = leaf + (1u << level);
    for (; leaf < leaves && leaf < build->leaf_count; ++leaf) bound_leaf(build, leaf);
    uint32_t child = 2 * h - (build->first_leaf >> (level - 1));
    bound_subtree(build, level - 1, child);
    bound_subtree(build, level - 1, child + 1);
}

// Repairs node h. With `give_up`, returns false instead of moving many of its points.
static bool repair(const kdt_build *build, uint32_t h, uint32_t level, bool give_up) {
    const kdt_node *node = &build->nodes[h], *a = &build->nodes[2 * h], *b = a + 1;
    if (node_is_empty(b)) return true;
    uint32_t begin = leaf_begin(build, (h << level) - build->first_leaf), half = build->points.leaf_size << (level - 1);
    uint32_t end = begin + 2 * half < build->points.count ? begin + 2 * half : build->points.count;
    bool parted;
    int axis = choose_axis(build, h, level, begin, end, &parted);
    // In a node of level j a side is that of 2^(j / KDT_DIM) leaves.
    real leaf_side = (node->hi[axis] - node->lo[axis]) / (real)(1u << ((level + KDT_DIM - 1) / KDT_DIM));
    real tolerance = leaf_side * REPAIR_TOLERANCE;
    if (a->hi[axis] - b->lo[axis] <= tolerance) return true;
    uint32_t swaps = give_up ? half / REPAIR_GIVE_UP : REPAIR_SWAPS + half / REPAIR_SWAPS_SHARE;
    if (parted && swap_extremes(build, h, level, axis, tolerance, swaps)) return true;
    if (give_up) return false;
    uint32_t *list = build->spare_order + begin;
    real *keys = build->spare[0] + begin;
    candidates found = {.lo = b->lo[axis], .hi = a->hi[axis], .left = list, .right = list + half};
    if (level >= REPAIR_NARROW_LEVEL && collect_few(build, h, level, axis, half / REPAIR_SHARE, &found)) {
        if (found.lefts > 0 && found.rights > 0) exchange(build, axis, &found, keys, level - 1);
    } else {
        part_anew(build, h, level, axis, begin, half, end, list, keys);
    }
    return true;
}

// Repairs node h and everything below it down to the level `last`, parents first.
static bool repair_levels(const kdt_build *build, uint32_t h, uint32_t level, uint32_t last, bool give_up) {
    for (uint32_t j = level; j >= last; --j) {
        uint32_t begin = (h << (level - j)) - (build->first_leaf >> j), end = begin + (1u << (level - j));
        uint32_t count = level_count(build, j);
        for (uint32_t k = begin; k < end && k < count; ++k)
            if (!repair(build, (build->first_leaf >> j) + k, j, give_up)) return false;
    }
    return true;
}

// The same for a whole subtree, depth first, so that what is repaired next is in the nearest cache.
static void repair_subtree(const kdt_build *build, uint32_t level, uint32_t index) {
    uint32_t end = (index + 1) << level;
    if (end > build->leaf_count) end = build->leaf_count;
    for (uint32_t leaf = index << level; leaf < end; leaf += 2)
        for (uint32_t j = trailing_zeros(leaf | (1u << level)); j >= 1; --j)
            repair(build, node_at(build, j, leaf), j, false);
}
