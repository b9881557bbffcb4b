#include "state/index.h"
#include "base/compiler.h"
#include "base/scalar.h"

enum {
    INDEX_BLOCK = 1024, // rows a task
    SMALL_CROWD = 4096  // agents that are indexed on the calling thread: waking another costs more
};

void throng_index_release(throng_index *index, throng_memory *memory) {
    throng_memory_release(memory, index->packed, index->capacity, sizeof *index->packed);
    throng_memory_release(memory, index->order, index->capacity, sizeof *index->order);
    throng_memory_release(memory, index->tree_memory, index->tree_bytes, 1);
    throng_memory_release(memory, index->scratch, index->scratch_bytes, 1);
    throng_memory_release(memory, index->extents, index->extent_count, sizeof *index->extents);
    *index = (throng_index){0};
}

static uint32_t blocks_of(size_t count) {
    return (uint32_t)((count + INDEX_BLOCK - 1) / INDEX_BLOCK);
}

bool throng_index_reserve(throng_index *index, throng_memory *memory, const throng_agents *agents) {
    const size_t capacity = agents->capacity;
    if (capacity <= index->capacity || capacity == 0) return true;
    // Any pointers that are not null: only which arrays there are decides the size.
    static const float no_float;
    static const uint32_t no_word;
    const kdt_points_2f points = {.count = (uint32_t)capacity,
                                  .coord = {&no_float, &no_float},
                                  .radius = &no_float,
                                  .rank = &no_word,
                                  .bits = &no_word};
    throng_index grown = {.capacity = capacity,
                          .tree_bytes = kdt_tree_2f_memory(&points),
                          .scratch_bytes = kdt_build_2f_memory(&points),
                          .extent_count = blocks_of(capacity)};
    grown.packed = throng_memory_allocate(memory, capacity, sizeof *grown.packed);
    grown.order = throng_memory_allocate(memory, capacity, sizeof *grown.order);
    grown.tree_memory = throng_memory_allocate(memory, grown.tree_bytes, 1);
    grown.scratch = throng_memory_allocate(memory, grown.scratch_bytes, 1);
    grown.extents = throng_memory_allocate(memory, grown.extent_count, sizeof *grown.extents);
    if (!grown.packed || !grown.order || !grown.tree_memory || !grown.scratch || !grown.extents) {
        throng_index_release(&grown, memory);
        return false;
    }
    throng_index_release(index, memory);
    *index = grown;
    return true;
}

typedef struct index_work {
    throng_index *index;
    const throng_agents *agents;
    throng_motion motion;
    uint32_t count;
    bool restart; // with the rows' own order, which lies near the tree's
    kdt_build_2f build;
} index_work;

static uint32_t block_end(const index_work *work, uint32_t first) {
    return throng_min_u32(work->count, first + INDEX_BLOCK);
}

static void find_extent(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const index_work *work = context;
    const uint32_t first = item * INDEX_BLOCK, end = block_end(work, first);
    const double *x = work->motion.x, *y = work->motion.y;
    throng_extent extent = {x[first], x[first], y[first], y[first]};
    for (uint32_t row = first + 1; row < end; ++row) {
        extent.min_x = throng_mind(extent.min_x, x[row]);
        extent.max_x = throng_maxd(extent.max_x, x[row]);
        extent.min_y = throng_mind(extent.min_y, y[row]);
        extent.max_y = throng_maxd(extent.max_y, y[row]);
    }
    work->index->extents[item] = extent;
    if (!work->restart) return;
    for (uint32_t row = first; row < end; ++row) work->index->order[row] = row;
}

/// In grid steps, modulo 2^32: what is left of a place without whole laps of 16 m.
static int32_t packed_place(double place) {
    const double lap = 2.0 * THRONG_NARROW, whole = 0x1p52; // from here on a double is a whole number
    const double laps = place / lap, size = laps < 0.0 ? -laps : laps;
    const double rounded = size < whole ? (size + whole) - whole : size;
    const double rest = place - lap * (laps < 0.0 ? -rounded : rounded);
    return (int32_t)(uint32_t)(int64_t)(rest * (1.0 / THRONG_GRID_STEP));
}

static void pack(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const index_work *work = context;
    const throng_motion *motion = &work->motion;
    const uint32_t first = item * INDEX_BLOCK, end = block_end(work, first);
    const float largest = work->index->tree.nodes[1].radius;
    bool differ = false;
    for (uint32_t position = first; position < end; ++position) {
        const uint32_t row = work->index->order[position];
        differ |= work->index->tree.radius[position] != largest;
        work->index->packed[position] = (throng_packed){.x = packed_place(motion->x[row]),
                                                        .y = packed_place(motion->y[row]),
                                                        .radius = work->index->tree.radius[position],
                                                        .row = row,
                                                        .velocity_x = motion->velocity_x[row],
                                                        .velocity_y = motion->velocity_y[row],
                                                        .claim = work->agents->claim[row],
                                                        .stander = work->agents->flags[row] & THRONG_FLAG_ARRIVED};
    }
    if (differ) atomic_store_explicit(&work->index->radii_differ, true, memory_order_relaxed);
}

static void build_part(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    index_work *work = context;
    kdt_build_2f_run(&work->build, item);
}

/// The origin amid a crowd of which nothing is known.
static void find_origin(throng_index *index, uint32_t blocks) {
    throng_extent all = index->extents[0];
    for (uint32_t block = 1; block < blocks; ++block) {
        all.min_x = throng_mind(all.min_x, index->extents[block].min_x);
        all.max_x = throng_maxd(all.max_x, index->extents[block].max_x);
        all.min_y = throng_mind(all.min_y, index->extents[block].min_y);
        all.max_y = throng_maxd(all.max_y, index->extents[block].max_y);
    }
    index->origin_x = all.min_x + 0.5 * (all.max_x - all.min_x);
    index->origin_y = all.min_y + 0.5 * (all.max_y - all.min_y);
}

/// The origin amid a crowd that moved since the last tree: near enough, as nothing that is found depends on it.
static void move_origin(throng_index *index) {
    const kdt_node_2f *root = &index->tree.nodes[1];
    index->origin_x += 0.5 * ((double)root->lo[0] + (double)root->hi[0]);
    index->origin_y += 0.5 * ((double)root->lo[1] + (double)root->hi[1]);
}

static void find_guard(throng_index *index) {
    const kdt_node_2f *root = &index->tree.nodes[1];
    double farthest = 0.0;
    for (int axis = 0; axis < 2; ++axis) {
        farthest = throng_maxd(farthest, throng_maxd(-(double)root->lo[axis], (double)root->hi[axis]));
    }
    // A tree coordinate of size E is off by at most E * 2^-24; two axes of two points by less than E * 2^-21 together.
    // The second term covers the rounding of the subtraction at places far from the world's own origin.
    const double x = index->origin_x, y = index->origin_y;
    const double far_off = throng_maxd(throng_maxd(x, -x), throng_maxd(y, -y)) + farthest;
    index->guard = (float)(farthest * 0x1p-21 + far_off * 0x1p-50);
}

void throng_index_build(throng_index *index, const throng_agents *agents, const throng_parallel *parallel,
                        throng_motion motion) {
    const uint32_t count = agents->active, blocks = blocks_of(count);
    assert(count <= index->capacity);
    const bool restart = index->count != count, kept = index->fresh && !restart;
    index->count = count;
    if (count == 0) {
        index->tree = (kdt_tree_2f){0};
        index->fresh = true;
        index->packs = false;
        return;
    }
    index_work work = {.index = index, .motion = motion, .count = count, .restart = restart};
    if (kept) {
        move_origin(index);
    } else {
        throng_parallel_for(parallel, blocks, 1, find_extent, &work);
        find_origin(index, blocks);
    }
    const kdt_points_2f points = {.count = count,
                                  .leaf_size = THRONG_LANES,
                                  .place = {motion.x, motion.y},
                                  .origin = {index->origin_x, index->origin_y},
                                  .radius = agents->radius,
                                  .rank = agents->rank,
                                  .bits = agents->layer,
                                  .order = index->order,
                                  .kept = kept};
    kdt_result result = kdt_build_2f_begin(&work.build, &points, index->tree_memory, index->scratch);
    assert(result == KDT_OK);
    for (uint32_t tasks; (tasks = kdt_build_2f_next(&work.build)) > 0;) {
        throng_parallel_for(parallel, tasks, count <= SMALL_CROWD ? tasks : 1, build_part, &work);
    }
    result = kdt_build_2f_end(&work.build, &index->tree, NULL);
    assert(result == KDT_OK);
    (void)result;
    find_guard(index);
    index->packs = false;
    index->fresh = true;
}

void throng_index_pack(throng_index *index, const throng_agents *agents, const throng_parallel *parallel,
                       throng_motion motion) {
    index_work work = {.index = index, .agents = agents, .motion = motion, .count = index->count};
    atomic_store_explicit(&index->radii_differ, false, memory_order_relaxed);
    throng_parallel_for(parallel, blocks_of(index->count), 1, pack, &work);
    index->packs = true;
}
