// Scatter: puts points that are in no useful order roughly into tree order, in parallel and in two passes: the kd-tree
// of a sample gives cells, about one for each subtree; points are counted by chunk and cell, and go there. Repair does
// the rest.

enum {
    SCATTER_CELL_BITS = 9, // at most this many levels of cells
    SCATTER_CHUNKS = 64,
    SCATTER_SAMPLE = 32 // sample points a cell
};

static inline uint32_t cell_count(const kdt_build *build) {
    return level_count(build, build->cell_level);
}

// The first sample point of a cell, in tree order, out of `size`.
static uint32_t sample_begin(const kdt_build *build, uint32_t cell, uint32_t size) {
    uint64_t position = ((uint64_t)cell << build->cell_level) * build->points.leaf_size;
    if (position > build->points.count) position = build->points.count;
    return (uint32_t)(position * size / build->points.count);
}

// Puts the `rank` sample points that come first along the axis to the front; the coordinate of the last of them.
static real split_sample(real *const sample[KDT_DIM], int axis, uint32_t begin, uint32_t end, uint32_t rank,
                         real *keys) {
    uint32_t count = end - begin;
    memcpy(keys, sample[axis] + begin, count * sizeof(real));
    real cut = select_key(keys, count, rank - 1);
    uint32_t ties = rank;
    for (uint32_t i = begin; i < end; ++i) ties -= (uint32_t)(sample[axis][i] < cut);
    uint32_t front = begin;
    for (uint32_t i = begin; i < end; ++i) {
        real key = sample[axis][i];
        if (key > cut || (key == cut && ties == 0)) continue;
        if (key == cut) --ties;
        for (int d = 0; d < KDT_DIM; ++d) {
            real value = sample[d][i];
            sample[d][i] = sample[d][front];
            sample[d][front] = value;
        }
        ++front;
    }
    return cut;
}

// The cuts above the cells, by a sample of the points in their present order. Uses the spare coordinates.
static void sample_cells(kdt_build *build) {
    uint32_t size = SCATTER_SAMPLE * cell_count(build), count = build->points.count;
    assert(2 * (uint64_t)size <= count);
    for (int d = 0; d < KDT_DIM; ++d)
        for (uint32_t i = 0; i < size; ++i) build->spare[d][i] = build->coord[d][(uint64_t)i * count / size];
    for (uint32_t level = build->levels; level > build->cell_level; --level) {
        for (uint32_t k = 0; k < level_count(build, level); ++k) {
            uint32_t h = (build->first_leaf >> level) + k, span = level - build->cell_level;
            uint32_t middle = (k << span) + (1u << (span - 1)), last = (k + 1) << span;
            uint32_t begin = sample_begin(build, k << span, size), end = sample_begin(build, last, size);
            uint32_t rank = sample_begin(build, middle, size) - begin;
            build->cut[h] = KDT_INF;
            build->cut_axis[h] = 0;
            if (rank == 0 || begin + rank >= end) continue;
            kdt_node box;
            for (int d = 0; d < KDT_DIM; ++d) {
                box.lo[d] = box.hi[d] = build->spare[d][begin];
                for (uint32_t i = begin + 1; i < end; ++i) {
                    box.lo[d] = smaller(box.lo[d], build->spare[d][i]);
                    box.hi[d] = larger(box.hi[d], build->spare[d][i]);
                }
            }
            int axis = longest_side(&box);
            build->cut[h] = split_sample(build->spare, axis, begin, end, rank, build->spare[0] + size);
            build->cut_axis[h] = (uint32_t)axis;
        }
    }
}

static inline uint32_t cell_of(const kdt_build *build, uint32_t position) {
    uint32_t h = 1;
    for (uint32_t level = build->levels; level > build->cell_level; --level)
        h = 2 * h + (uint32_t)(build->coord[build->cut_axis[h]][position] > build->cut[h]);
    return h - (build->first_leaf >> build->cell_level);
}

static inline uint32_t chunk_begin(const kdt_build *build, uint32_t chunk) {
    return (uint32_t)((uint64_t)build->points.count * chunk / SCATTER_CHUNKS);
}

static void count_chunk(const kdt_build *build, uint32_t chunk) {
    uint32_t *counts = build->cells + (size_t)chunk * cell_count(build);
    memset(counts, 0, cell_count(build) * sizeof(uint32_t));
    for (uint32_t i = chunk_begin(build, chunk); i < chunk_begin(build, chunk + 1); ++i) ++counts[cell_of(build, i)];
}

// Counts -> where each chunk's points of each cell begin, chunks in order within a cell.
static void place_chunks(const kdt_build *build) {
    uint32_t cells = cell_count(build), place = 0;
    for (uint32_t cell = 0; cell < cells; ++cell) {
        for (uint32_t chunk = 0; chunk < SCATTER_CHUNKS; ++chunk) {
            uint32_t *entry = &build->cells[(size_t)chunk * cells + cell];
            uint32_t count = *entry;
            *entry = place;
            place += count;
        }
    }
}

static void scatter_chunk(const kdt_build *build, uint32_t chunk) {
    uint32_t *places = build->cells + (size_t)chunk * cell_count(build);
    for (uint32_t i = chunk_begin(build, chunk); i < chunk_begin(build, chunk + 1); ++i) {
        uint32_t place = places[cell_of(build, i)]++;
        for (int d = 0; d < KDT_DIM; ++d) build->spare[d][place] = build->coord[d][i];
        build->spare_order[place] = build->points.order[i];
    }
}
