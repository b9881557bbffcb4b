// The walk: leaves around a box, roughly nearest first.

// Squared distance between the node's box and [lo, hi]. Each side is a rounded difference of two bounds, so it is no
// more than that of any two points within, rounded; the sum likewise.
static inline real square_between(const kdt_node *node, const real *lo, const real *hi) {
    real sum = 0;
    for (int d = 0; d < KDT_DIM; ++d) {
        real side = larger(larger(node->lo[d] - hi[d], lo[d] - node->hi[d]), 0);
        sum += side * side;
    }
    return sum;
}

// What may be added to a node's radius and squared to compare with its distance. Errors: bound + own + radius and the
// caller's gap are each rounded to within KDT_EPSILON of the magnitudes that went in; squares and their sum to within 4
// KDT_EPSILON of their own, or KDT_MIN where they underflow.
static inline real walk_reach(real bound, real own, real slack) {
    return bound + own + slack + 4 * KDT_EPSILON * ((bound < 0 ? -bound : bound) + own + slack);
}

static inline bool walk_excludes(const kdt_walk *walk, const kdt_node *node, real square, real bound, uint32_t rank,
                                 real reach) {
    if ((node->bits & walk->mask) == 0) return true;
    if (bound <= 0) {
        // No distance is below 0.
        real nearest = -(walk->own + node->radius);
        if (nearest > bound || (nearest == bound && node->rank > rank)) return true;
    }
    real side = reach + node->radius * (1 + 4 * KDT_EPSILON);
    return !(square <= side * side * (1 + 8 * KDT_EPSILON) + KDT_MIN);
}

void KDT_FUNCTION(walk, begin)(kdt_walk *walk, const kdt_tree *tree, const real lo[KDT_DIM], const real hi[KDT_DIM],
                               real own, real slack, uint32_t mask) {
    assert(own >= 0 && slack >= 0);
    walk->nodes = tree->nodes;
    walk->first_leaf = tree->first_leaf;
    walk->mask = mask;
    for (int d = 0; d < KDT_DIM; ++d) {
        assert(lo[d] <= hi[d]);
        walk->lo[d] = lo[d];
        walk->hi[d] = hi[d];
    }
    walk->own = own;
    walk->slack = slack;
    walk->depth = 0;
    if (tree->leaf_count == 0) return;
    walk->depth = 1;
    walk->stack_node[0] = 1;
    walk->stack_square[0] = square_between(&tree->nodes[1], lo, hi);
}

bool KDT_FUNCTION(walk, next)(kdt_walk *walk, real bound, uint32_t rank, uint32_t *leaf) {
    const kdt_node *nodes = walk->nodes;
    real reach = walk_reach(bound, walk->own, walk->slack);
    while (walk->depth > 0) {
        --walk->depth;
        uint32_t h = walk->stack_node[walk->depth];
        if (walk_excludes(walk, &nodes[h], walk->stack_square[walk->depth], bound, rank, reach)) continue;
        while (h < walk->first_leaf) {
            const kdt_node *a = &nodes[2 * h], *b = a + 1;
            real square_a = square_between(a, walk->lo, walk->hi), square_b = square_between(b, walk->lo, walk->hi);
            bool a_out = walk_excludes(walk, a, square_a, bound, rank, reach);
            bool b_out = walk_excludes(walk, b, square_b, bound, rank, reach);
            if (a_out && b_out) break;
            bool b_first = a_out || (!b_out && (square_b < square_a || (square_b == square_a && b->rank < a->rank)));
            if (!a_out && !b_out) {
                walk->stack_node[walk->depth] = b_first ? 2 * h : 2 * h + 1;
                walk->stack_square[walk->depth] = b_first ? square_a : square_b;
                ++walk->depth;
            }
            h = 2 * h + (uint32_t)b_first;
        }
        if (h >= walk->first_leaf) {
            *leaf = h - walk->first_leaf;
            return true;
        }
    }
    return false;
}
