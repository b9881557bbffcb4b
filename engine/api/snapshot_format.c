#include "api/doors.h"
#include "api/snapshot.h"

#include "base/hash.h"
#include "state/extras.h"

#include <string.h>

// clang-format off
#define TYPE_NAME(type) _Generic((type)0, double: "f64", float: "f32", uint8_t: "u8", uint16_t: "u16", uint32_t: "u32", \
    uint64_t: "u64")
// clang-format on

// Identity columns have parts of their own.
#define COLUMNS_STATE(type, name, range) COLUMNS_OUTCOME(type, name, range)
#define COLUMNS_OUTCOME(type, name, range)                                                                             \
    {#name, TYPE_NAME(type), sizeof(type), offsetof(throng_agents, name), THRONG_RANGE_##range},
#define COLUMNS_IDENTITY(type, name, range)

const throng_snapshot_column throng_snapshot_columns[] = {
#define X(type, name, kind, range) COLUMNS_##kind(type, name, range)
    THRONG_AGENT_COLUMNS(X)
#undef X
#define X(type, name, kind, range, otherwise) COLUMNS_##kind(type, name, range)
        THRONG_EXTRA_COLUMNS(X)
#undef X
};

enum { COLUMN_COUNT = sizeof throng_snapshot_columns / sizeof *throng_snapshot_columns };

_Static_assert((int)COLUMN_COUNT <= (int)THRONG_SNAPSHOT_MAX_COLUMNS, "room for every column");

uint32_t throng_snapshot_column_count(bool with_extras) {
    const uint32_t all = COLUMN_COUNT;
    return with_extras ? all : all - (uint32_t)THRONG_EXTRA_COUNT;
}

void *throng_snapshot_column_of(const throng_agents *agents, const throng_snapshot_column *column) {
    void *pointer;
    memcpy(&pointer, (const unsigned char *)agents + column->column, sizeof pointer);
    return pointer;
}

// ---- layout

static uint64_t take(uint64_t *at, uint64_t count, uint64_t bytes) {
    const uint64_t begin = *at;
    *at += (count * bytes + 7) & ~UINT64_C(7);
    return begin;
}

bool throng_snapshot_lay_out(const uint64_t header[THRONG_WORD_COUNT], throng_snapshot_layout *layout) {
    if (header[THRONG_WORD_COLUMNS] > COLUMN_COUNT) return false;
    // Small enough that no sum below overflows.
    const uint64_t limit = UINT64_C(1) << 33;
    for (int word = THRONG_WORD_AGENTS; word <= THRONG_WORD_DOORS; ++word) {
        if (header[word] > limit) return false;
    }
    *layout = (throng_snapshot_layout){0};
    uint64_t at = THRONG_WORD_COUNT * sizeof(uint64_t);
    const uint64_t agents = header[THRONG_WORD_AGENTS];
    const throng_snapshot_column *columns = throng_snapshot_columns;
    const uint64_t column_count = header[THRONG_WORD_COLUMNS];
    layout->table = take(&at, column_count, sizeof columns->name + sizeof columns->type);
    for (uint64_t i = 0; i < column_count; ++i) layout->column[i] = take(&at, agents, columns[i].bytes);
    layout->index = take(&at, agents, sizeof(uint32_t));
    layout->agent_generation = take(&at, header[THRONG_WORD_AGENT_LIMIT], sizeof(uint32_t));
    layout->agent_free = take(&at, header[THRONG_WORD_AGENT_FREE], sizeof(uint32_t));
    layout->wall_generation = take(&at, header[THRONG_WORD_WALL_LIMIT], sizeof(uint32_t));
    layout->wall_free = take(&at, header[THRONG_WORD_WALL_FREE], sizeof(uint32_t));
    layout->wall_heads = take(&at, header[THRONG_WORD_WALLS], THRONG_SNAPSHOT_WALL_WORDS * sizeof(uint32_t));
    layout->wall_points = take(&at, 2 * header[THRONG_WORD_WALL_POINTS], sizeof(double));
    layout->supports = take(&at, header[THRONG_WORD_SUPPORT_BYTES], 1);
    layout->doors = take(&at, header[THRONG_WORD_DOORS], THRONG_SNAPSHOT_DOOR_WORDS * sizeof(uint64_t));
    layout->sums = at;
    const uint64_t covered = at - layout->table;
    const uint64_t sum_count = (covered + THRONG_SNAPSHOT_BLOCK - 1) / THRONG_SNAPSHOT_BLOCK;
    if (sum_count > UINT32_MAX) return false;
    layout->sum_count = (uint32_t)sum_count;
    take(&at, sum_count, sizeof(uint64_t));
    layout->size = at;
    return at <= SIZE_MAX / 2;
}

// ---- bytes

void throng_snapshot_copy_ordered(void *to, const void *from, size_t count, size_t bytes, bool reverse) {
    if (count == 0) return;
    if (!reverse) {
        memcpy(to, from, count * bytes);
        return;
    }
    unsigned char *out = to;
    const unsigned char *in = from;
    for (size_t i = 0; i < count; ++i, out += bytes, in += bytes) {
        for (size_t byte = 0; byte < bytes; ++byte) out[byte] = in[bytes - 1 - byte];
    }
}

void throng_snapshot_copy(void *to, const void *from, size_t count, size_t bytes) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    throng_snapshot_copy_ordered(to, from, count, bytes, first == 0);
}

// ---- checksums

static uint64_t mixed(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 29;
}

uint64_t throng_snapshot_block_sum(const unsigned char *bytes, size_t count) {
    enum { CHAINS = 8 }; // so that multiplications overlap
    uint64_t sum[CHAINS] = {1, 2, 3, 4, 5, 6, 7, 8}, words[CHAINS];
    size_t at = 0;
    for (; at + sizeof words <= count; at += sizeof words) {
        throng_snapshot_copy(words, bytes + at, CHAINS, sizeof *words);
        for (int chain = 0; chain < CHAINS; ++chain) sum[chain] = mixed(sum[chain], words[chain]);
    }
    for (; at < count; at += sizeof *words) {
        throng_snapshot_copy(words, bytes + at, 1, sizeof *words);
        sum[0] = mixed(sum[0], *words);
    }
    uint64_t all = 0;
    for (int chain = 0; chain < CHAINS; ++chain) all = throng_mix_pair(all, sum[chain]);
    return all;
}

uint64_t throng_snapshot_checksum(const uint64_t header[THRONG_WORD_COUNT], const unsigned char *sums, uint32_t count) {
    uint64_t sum = 0;
    for (int word = 0; word < THRONG_WORD_COUNT; ++word) {
        if (word != THRONG_WORD_CHECKSUM) sum = throng_mix_pair(sum, header[word]);
    }
    for (uint32_t block = 0; block < count; ++block) {
        uint64_t own;
        throng_snapshot_copy(&own, sums + (size_t)block * sizeof own, 1, sizeof own);
        sum = throng_mix_pair(sum, own);
    }
    return sum;
}

typedef struct sealing {
    unsigned char *snapshot;
    const throng_snapshot_layout *layout;
} sealing;

static void seal_block(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const sealing *work = context;
    const uint64_t begin = work->layout->table + (uint64_t)item * THRONG_SNAPSHOT_BLOCK;
    const uint64_t left = work->layout->sums - begin;
    const size_t count = left < THRONG_SNAPSHOT_BLOCK ? (size_t)left : THRONG_SNAPSHOT_BLOCK;
    const uint64_t sum = throng_snapshot_block_sum(work->snapshot + begin, count);
    throng_snapshot_copy(work->snapshot + work->layout->sums + (size_t)item * sizeof sum, &sum, 1, sizeof sum);
}

void throng_snapshot_seal(unsigned char *snapshot, const throng_snapshot_layout *layout,
                          const throng_parallel *parallel) {
    sealing work = {snapshot, layout};
    throng_parallel_for(parallel, layout->sum_count, 4, seal_block, &work);
    uint64_t header[THRONG_WORD_COUNT];
    throng_snapshot_copy(header, snapshot, THRONG_WORD_COUNT, sizeof *header);
    header[THRONG_WORD_CHECKSUM] = throng_snapshot_checksum(header, snapshot + layout->sums, layout->sum_count);
    throng_snapshot_copy(snapshot, header, THRONG_WORD_COUNT, sizeof *header);
}
