// Builds that keep what the last one read.
// Puts the rows in the tree's order.
static void rename_rows(crowd *c) {
    crowd old = *c;
    uint32_t count = c->points.count;
    for (int d = 0; d < KDT_DIM; ++d) {
        c->points.coord[d] = c->coord[d] = malloc(count * sizeof(real));
        for (uint32_t i = 0; i < count; ++i) c->coord[d][i] = old.coord[d][old.order[i]];
        free(old.coord[d]);
    }
    c->points.radius = c->radius = malloc(count * sizeof(real));
    c->points.rank = c->rank = malloc(count * sizeof(uint32_t));
    c->points.bits = c->bits = malloc(count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; ++i) {
        c->radius[i] = old.radius[old.order[i]];
        c->rank[i] = old.rank[old.order[i]];
        c->bits[i] = old.bits[old.order[i]];
    }
    for (uint32_t i = 0; i < count; ++i) c->order[i] = i;
    free(old.radius);
    free(old.rank);
    free(old.bits);
}

static void check_same_trees(const crowd *a, const crowd *b, int round) {
    uint32_t count = a->points.count;
    for (uint32_t i = 0; i < count; ++i) {
        bool same = a->order[i] == b->order[i] && a->tree.radius[i] == b->tree.radius[i] &&
                    a->tree.rank[i] == b->tree.rank[i] && a->tree.bits[i] == b->tree.bits[i];
        for (int d = 0; d < KDT_DIM; ++d) same = same && a->tree.coord[d][i] == b->tree.coord[d][i];
        if (!same)
            fail_msg("round %d, position %u: rows %u and %u, ranks %u and %u", round, i, a->order[i], b->order[i],
                     a->tree.rank[i], b->tree.rank[i]);
    }
    for (uint32_t leaf = 0; leaf < a->tree.leaf_count; ++leaf)
        assert_memory_equal(&a->tree.nodes[a->tree.first_leaf + leaf], &b->tree.nodes[b->tree.first_leaf + leaf],
                            sizeof(node_def));
    assert_memory_equal(&a->tree.nodes[1], &b->tree.nodes[1], sizeof(node_def));
}

// A tree that keeps what did not change is the one that reads everything again, and places in double with an origin are
// the coordinates that these make: for points that move little, get other rows, or lose their order altogether.
static void test_kept_tree_is_like_a_new_one(void **state) {
    (void)state;
    enum { COUNT = 20011 };
    random_state = 11;
    crowd c = new_crowd(PATTERN_UNIFORM, COUNT, 16, true, true, true);
    double *places[KDT_DIM];
    for (int d = 0; d < KDT_DIM; ++d) places[d] = malloc(COUNT * sizeof(double));
    crowd kept = c;
    kept.points.order = kept.order = malloc(COUNT * sizeof(uint32_t));
    kept.memory = malloc(KDT_FUNCTION(tree, memory)(&c.points));
    for (int round = 0; round < 6; ++round) {
        for (uint32_t i = 0; i < COUNT; ++i) {
            for (int d = 0; d < KDT_DIM; ++d) {
                real step = random_unit() - (real)0.5;
                c.coord[d][i] = round == 4 ? 100 * random_unit() : c.coord[d][i] + step / 4;
            }
        }
        if (round == 3) rename_rows(&c);
        crowd again = kept;
        again.points = c.points;
        again.points.order = kept.order;
        memcpy(kept.order, c.order, COUNT * sizeof(uint32_t));
        for (int d = 0; d < KDT_DIM; ++d) {
            again.points.coord[d] = NULL;
            again.points.place[d] = places[d];
            again.points.origin[d] = 4096.0 * (d + 1);
            for (uint32_t i = 0; i < COUNT; ++i) {
                places[d][i] = (double)c.coord[d][i] + again.points.origin[d];
                c.coord[d][i] = (real)(places[d][i] - again.points.origin[d]);
            }
        }
        again.points.kept = round > 0;
        build_crowd(&c);
        build_crowd(&again);
        check_same_trees(&c, &again, round);
    }
    for (int d = 0; d < KDT_DIM; ++d) free(places[d]);
    free(kept.order);
    free(kept.memory);
    free_crowd(&c);
}
