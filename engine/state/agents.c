#include "state/agents.h"
#include "base/compiler.h"
#include "state/extras.h"

#include <string.h>

// Back buffers as columns of their own, so that growth sees one list.
#define BACK_COLUMNS(X)                                                                                                \
    X(double, next_x, BACK, ANY)                                                                                       \
    X(double, next_y, BACK, ANY)                                                                                       \
    X(float, next_velocity_x, BACK, ANY)                                                                               \
    X(float, next_velocity_y, BACK, ANY)

#define ALL_COLUMNS(X)                                                                                                 \
    THRONG_AGENT_COLUMNS(X)                                                                                            \
    BACK_COLUMNS(X)

void throng_agents_release(throng_agents *agents, throng_memory *memory) {
#define X(type, name, kind, range) throng_memory_release(memory, agents->name, agents->capacity, sizeof(type));
    ALL_COLUMNS(X)
#undef X
#define X(type, name, kind, range, otherwise)                                                                          \
    throng_memory_release(memory, agents->name, agents->capacity, sizeof(type));
    THRONG_EXTRA_COLUMNS(X)
#undef X
    *agents = (throng_agents){0};
}

bool throng_agents_reserve(throng_agents *agents, throng_memory *memory, uint32_t count) {
    if (count <= agents->capacity) return true;
    throng_agents grown = {.count = agents->count,
                           .active = agents->active,
                           .has_extras = agents->has_extras,
                           .extras_used = agents->extras_used};
    grown.capacity = agents->capacity + agents->capacity / 2;
    if (grown.capacity < count) grown.capacity = count;
    if (grown.capacity < 16) grown.capacity = 16;
    bool whole = true;
#define X(type, name, kind, range)                                                                                     \
    grown.name = whole ? throng_memory_allocate(memory, grown.capacity, sizeof(type)) : NULL;                          \
    whole = whole && grown.name;
    ALL_COLUMNS(X)
#undef X
    whole = whole && (!grown.has_extras || throng_extras_allocate(&grown, memory));
    if (!whole) {
        throng_agents_release(&grown, memory);
        return false;
    }
#define X(type, name, kind, range)                                                                                     \
    if (agents->count) memcpy(grown.name, agents->name, agents->count * sizeof(type));
    THRONG_AGENT_COLUMNS(X)
#undef X
#define X(type, name, kind, range, otherwise)                                                                          \
    if (agents->count && agents->has_extras) memcpy(grown.name, agents->name, agents->count * sizeof(type));
    THRONG_EXTRA_COLUMNS(X)
#undef X
    throng_agents_release(agents, memory);
    *agents = grown;
    return true;
}

void throng_agents_copy_row(throng_agents *agents, uint32_t to, uint32_t from) {
#define X(type, name, kind, range) agents->name[to] = agents->name[from];
    THRONG_AGENT_COLUMNS(X)
#undef X
    if (!agents->has_extras) return;
#define X(type, name, kind, range, otherwise) agents->name[to] = agents->name[from];
    THRONG_EXTRA_COLUMNS(X)
#undef X
}

#define SWAP(type, name)                                                                                               \
    {                                                                                                                  \
        const type kept = agents->name[a];                                                                             \
        agents->name[a] = agents->name[b];                                                                             \
        agents->name[b] = kept;                                                                                        \
    }

void throng_agents_swap_rows(throng_agents *agents, uint32_t a, uint32_t b) {
#define X(type, name, kind, range) SWAP(type, name)
    THRONG_AGENT_COLUMNS(X)
#undef X
    if (!agents->has_extras) return;
#define X(type, name, kind, range, otherwise) SWAP(type, name)
    THRONG_EXTRA_COLUMNS(X)
#undef X
}

enum { REORDER_BLOCK = 4096 }; // rows a task: large enough to share, small enough to balance

typedef struct reorder {
    const uint32_t *order;
    uint32_t count;
    size_t size;
    unsigned char *column, *spare;
} reorder;

static uint32_t block_end(const reorder *work, uint32_t first) {
    return work->count - first < REORDER_BLOCK ? work->count : first + REORDER_BLOCK;
}

static void gather_block(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const reorder *work = context;
    const uint32_t first = item * REORDER_BLOCK, end = block_end(work, first);
    // Sizes as constants, so that each copy is one move.
#define GATHER(bytes)                                                                                                  \
    for (uint32_t row = first; row < end; ++row) {                                                                     \
        memcpy(work->spare + (size_t)row * (bytes), work->column + (size_t)work->order[row] * (bytes), bytes);         \
    }                                                                                                                  \
    break;
    switch (work->size) {
    case 1:
        GATHER(1)
    case 2:
        GATHER(2)
    case 4:
        GATHER(4)
    default:
        assert(work->size == 8);
        GATHER(8)
    }
#undef GATHER
}

static void copy_back_block(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const reorder *work = context;
    const uint32_t first = item * REORDER_BLOCK, end = block_end(work, first);
    memcpy(work->column + first * work->size, work->spare + first * work->size, (end - first) * work->size);
}

static void reorder_column(reorder *work, const throng_parallel *parallel, void *column, size_t size) {
    const uint32_t blocks = (work->count + REORDER_BLOCK - 1) / REORDER_BLOCK;
    work->column = column;
    work->size = size;
    throng_parallel_for(parallel, blocks, 1, gather_block, work);
    throng_parallel_for(parallel, blocks, 1, copy_back_block, work);
}

void throng_agents_reorder(throng_agents *agents, const throng_parallel *parallel, const uint32_t *order,
                           uint32_t count, void *spare) {
    reorder work = {.order = order, .count = count, .spare = spare};
#define X(type, name, kind, range) reorder_column(&work, parallel, agents->name, sizeof(type));
    THRONG_AGENT_COLUMNS(X)
#undef X
    if (!agents->has_extras) return;
#define X(type, name, kind, range, otherwise) reorder_column(&work, parallel, agents->name, sizeof(type));
    THRONG_EXTRA_COLUMNS(X)
#undef X
}
