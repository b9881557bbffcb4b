// The walk: leaves around a box, roughly nearest first. It goes by quads, two levels at a time: four boxes side by side
// are tested at the price of one.
//
// Lower bounds. The distance to a box is computed as a query computes that to a point in it, from differences that are
// no larger, each rounded once: it is a lower bound but for a caller's own way of rounding. KDT_GUARD is eight half
// ulps; it is taken off relative to each magnitude that goes in, and WALK_TINY where squares underflow.
#define KDT_GUARD (4 * KDT_EPSILON)
#define WALK_TINY ((real)(sizeof(real) == sizeof(float) ? 1e-18 : 1e-153))

static inline real square_root(real value) {
    return sizeof(real) == sizeof(float) ? (real)sqrtf((float)value) : (real)sqrt((double)value);
}

// Squared distance between a node's box and [lo, hi].
static inline real square_between(const kdt_node *node, const real *lo, const real *hi) {
    real sum = 0;
    for (int d = 0; d < KDT_DIM; ++d) {
        real side = larger(larger(node->lo[d] - hi[d], lo[d] - node->hi[d]), 0);
        sum += side * side;
    }
    return sum;
}

// The greatest distance - radius that is looked at.
static inline real walk_reach(const kdt_walk *walk, real bound) {
    real sum = walk->own + walk->slack;
    return bound + sum + KDT_GUARD * (magnitude(bound) + sum) + WALK_TINY;
}

// Whether everything below a child comes after (bound, rank) because no distance is below 0: exact, so that ties are
// told from what lies before.
static inline bool walk_is_late(const kdt_walk *walk, uint32_t id, real bound, uint32_t rank) {
    if (bound > 0 || id == 0) return false;
    const kdt_quad *quad = &walk->quads[(id - 1) / 4];
    real nearest = -(walk->own + quad->radius[(id - 1) % 4]);
    return nearest > bound || (nearest == bound && quad->rank[(id - 1) % 4] > rank);
}

// Integers in the order of numbers, by the bits of one. The two lowest bits are cleared, so a key may come a few ulp
// before its number, never after.
static inline kdt_key order_key(kdt_key bits) {
    return (bits ^ ((bits >> (KDT_BITS - 1)) & KDT_KEY_MAX)) & ~(kdt_key)3;
}

static inline kdt_key last_key(real reach) {
    kdt_key bits;
    memcpy(&bits, &reach, sizeof bits);
    return order_key(bits) | 3;
}

static inline void order_pair(kdt_key *a, kdt_key *b) {
    kdt_key less = *a < *b ? *a : *b, more = *a < *b ? *b : *a;
    *a = less;
    *b = more;
}

static inline bool walk_sees(const kdt_walk *walk, const kdt_quad *quad, kdt_key key, kdt_key last) {
    return (key <= last) & ((quad->bits[key & 3] & walk->mask) != 0);
}

// Returns the nearest child of a quad, 0 if that holds nothing, and pushes the others that may, nearer ones later.
static inline uint32_t walk_expand(kdt_walk *walk, uint32_t id, kdt_key last) {
    const kdt_quad *quad = &walk->quads[id];
    real square[4] = {0, 0, 0, 0}, least[4];
    kdt_key key[4];
    // No comparisons in these loops, which keeps compilers from making vectors of them: v + abs(v) is 2 max(v, 0),
    // exactly, and at most one of the two differences is positive.
    for (int d = 0; d < KDT_DIM; ++d) {
        for (int i = 0; i < 4; ++i) {
            real before = quad->lo[d][i] - walk->hi[d], after = walk->lo[d] - quad->hi[d][i];
            real twice = (before + magnitude(before)) + (after + magnitude(after));
            square[i] += twice * twice;
        }
    }
    for (int i = 0; i < 4; ++i)
        least[i] = square_root(square[i]) * ((1 - KDT_GUARD) / 2) - quad->radius[i] * (1 + KDT_GUARD);
    memcpy(key, least, sizeof key);
    for (int i = 0; i < 4; ++i) key[i] = order_key(key[i]) | i;
    order_pair(&key[0], &key[1]);
    order_pair(&key[2], &key[3]);
    order_pair(&key[0], &key[2]);
    order_pair(&key[1], &key[3]);
    order_pair(&key[1], &key[2]);
    uint32_t depth = walk->depth, child = 4 * id + 1;
    for (int i = 3; i > 0; --i) {
        walk->stack_node[depth] = child + (uint32_t)(key[i] & 3);
        walk->stack_key[depth] = key[i];
        depth += (uint32_t)walk_sees(walk, quad, key[i], last);
    }
    walk->depth = depth;
    return walk_sees(walk, quad, key[0], last) ? child + (uint32_t)(key[0] & 3) : 0;
}

void KDT_FUNCTION(walk, begin)(kdt_walk *walk, const kdt_tree *tree, const real lo[KDT_DIM], const real hi[KDT_DIM],
                               real own, real slack, uint32_t mask) {
    assert(own >= 0 && slack >= 0);
    walk->quads = tree->quads;
    walk->first_leaf = tree->quad_first_leaf;
    walk->mask = mask;
    for (int d = 0; d < KDT_DIM; ++d) {
        assert(lo[d] <= hi[d]);
        walk->lo[d] = lo[d];
        walk->hi[d] = hi[d];
    }
    walk->own = own;
    walk->slack = slack;
    walk->depth = tree->leaf_count > 0 ? 1 : 0;
    walk->stack_node[0] = 0;
    walk->stack_key[0] = -KDT_KEY_MAX;
}

bool KDT_FUNCTION(walk, next)(kdt_walk *walk, real bound, uint32_t rank, uint32_t *leaf) {
    if (bound == -KDT_INF) return false; // and no reach for it
    kdt_key last = last_key(walk_reach(walk, bound));
    while (walk->depth > 0) {
        --walk->depth;
        uint32_t id = walk->stack_node[walk->depth];
        if (walk->stack_key[walk->depth] > last) continue;
        do {
            if (walk_is_late(walk, id, bound, rank)) break;
            if (id >= walk->first_leaf) {
                *leaf = id - walk->first_leaf;
                return true;
            }
            id = walk_expand(walk, id, last);
        } while (id != 0);
    }
    return false;
}
