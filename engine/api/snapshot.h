// The form of a snapshot, version 3. Everything is little-endian and every part is padded to 8 bytes:
//
//     header        THRONG_WORD_COUNT words of 64 bits
//     column table  an entry per column: 24 bytes of name, 8 bytes of type ("f64", "u8" ...), zero-filled
//     columns       in the table's order, a value per agent, in the view's row order; the extra ones all, or none where
//                   nobody holds another value than everybody has otherwise
//     agent ids     index of each row (u32), generation of each index below the limit (u32), free indices in the order
//                   of their reuse (u32)
//     wall ids      generation of each index below the limit (u32), free indices (u32)
//     walls         per wall: index, kind, layer, number of points (u32 each), heights from and to (f32 each); then the
//                   points of all (f64)
//     supports      see snapshot_supports.c; none while the world never had any
//     doors         THRONG_SNAPSHOT_DOOR_WORDS words (u64) per door: itself and its turn (api/snapshot_doors.c)
//     sums          a checksum (u64) per THRONG_SNAPSHOT_BLOCK bytes of what lies between header and sums
#ifndef THRONG_API_SNAPSHOT_H
#define THRONG_API_SNAPSHOT_H

#include "api/api.h"

#define THRONG_SNAPSHOT_MAGIC UINT64_C(0x50414e53474e5254) // "TRNGSNAP"

enum {
    THRONG_SNAPSHOT_VERSION = 3,
    THRONG_SNAPSHOT_BLOCK = 1 << 16, ///< bytes a checksum covers
    THRONG_SNAPSHOT_ROWS = 4096,     ///< rows a task
    THRONG_SNAPSHOT_WALL_WORDS = 6,  ///< of 32 bits, per wall
    THRONG_SNAPSHOT_MAX_COLUMNS = 96
};

typedef enum throng_snapshot_word {
    THRONG_WORD_MAGIC,
    THRONG_WORD_VERSION,
    THRONG_WORD_SIZE,     ///< bytes, of the whole
    THRONG_WORD_CHECKSUM, ///< of the other words and the sums
    THRONG_WORD_MAP,      ///< throng_map.content, 0 without a map
    THRONG_WORD_DENSITY,  ///< throng_density_tables.content
    THRONG_WORD_SEED,
    THRONG_WORD_SOLVER,
    THRONG_WORD_PASSES,
    THRONG_WORD_SAMPLES,        ///< throng_sampling: count, and pattern << 32
    THRONG_WORD_SAMPLE_HORIZON, ///< f32, s
    THRONG_WORD_NEXT_CREATION,
    THRONG_WORD_COLUMNS, ///< throng_snapshot_column_count()
    THRONG_WORD_AGENTS,
    THRONG_WORD_ACTIVE,
    THRONG_WORD_AGENT_LIMIT,
    THRONG_WORD_AGENT_FREE,
    THRONG_WORD_WALLS,
    THRONG_WORD_WALL_LIMIT,
    THRONG_WORD_WALL_FREE,
    THRONG_WORD_WALL_POINTS,
    THRONG_WORD_SUPPORT_BYTES,
    THRONG_WORD_DOORS,
    THRONG_WORD_STEP,
    THRONG_WORD_SINCE,
    THRONG_WORD_START,     ///< f64, s
    THRONG_WORD_TIME_STEP, ///< f64, s
    THRONG_WORD_INFEASIBLE_TOTAL,
    THRONG_WORD_TRUNCATED_TOTAL,
    THRONG_WORD_OVERLAP_MAX,      ///< f32, m
    THRONG_WORD_WALL_OVERLAP_MAX, ///< f32, m
    THRONG_WORD_COUNT
} throng_snapshot_word;

typedef enum throng_column_range {
    THRONG_RANGE_FINITE,
    THRONG_RANGE_NOT_NEGATIVE,
    THRONG_RANGE_POSITIVE,
    THRONG_RANGE_OR_INFINITE,
    THRONG_RANGE_ANY,
    THRONG_RANGE_SUPPORT,
    THRONG_RANGE_FLAGS,
    THRONG_RANGE_TARGET_KIND,
    THRONG_RANGE_SIDE,
    THRONG_RANGE_DENSITY,
    THRONG_RANGE_SIGNED_OR_INFINITE,
    THRONG_RANGE_COSINE,
    THRONG_RANGE_MODEL,
    THRONG_RANGE_INFEASIBLE,
    THRONG_RANGE_TRUTH
} throng_column_range;

typedef struct throng_snapshot_column {
    char name[24];
    char type[8];
    size_t bytes;  ///< of a value
    size_t column; ///< offset of the column's pointer in throng_agents
    throng_column_range range;
} throng_snapshot_column;

extern const throng_snapshot_column throng_snapshot_columns[];

/// How many of them a snapshot holds, without and with the extra ones.
uint32_t throng_snapshot_column_count(bool with_extras);

void *throng_snapshot_column_of(const throng_agents *agents, const throng_snapshot_column *column);

/// Byte offsets of the parts.
typedef struct throng_snapshot_layout {
    uint64_t table, column[THRONG_SNAPSHOT_MAX_COLUMNS];
    uint64_t index, agent_generation, agent_free, wall_generation, wall_free, wall_heads, wall_points, supports, doors;
    uint64_t sums, size;
    uint32_t sum_count;
} throng_snapshot_layout;

/// Follows from the counts in the header; false when they can't be.
bool throng_snapshot_lay_out(const uint64_t header[THRONG_WORD_COUNT], throng_snapshot_layout *layout);

/// Copies values between memory and a snapshot, whatever the machine's byte order; neither needs an alignment.
void throng_snapshot_copy(void *to, const void *from, size_t count, size_t bytes);

/// The same with the order given: `reverse` turns the bytes of every value round.
void throng_snapshot_copy_ordered(void *to, const void *from, size_t count, size_t bytes, bool reverse);

static inline uint32_t throng_snapshot_u32(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/// The sum of one block.
uint64_t throng_snapshot_block_sum(const unsigned char *bytes, size_t count);

/// The checksum of the header and the sums, which must be in place.
uint64_t throng_snapshot_checksum(const uint64_t header[THRONG_WORD_COUNT], const unsigned char *sums, uint32_t count);

/// Writes sums and checksum of a snapshot that is else complete.
void throng_snapshot_seal(unsigned char *snapshot, const throng_snapshot_layout *layout,
                          const throng_parallel *parallel);

/// SNAPSHOT unless every value is in range and ids and creation numbers agree with each other. `order` receives the
/// rows by creation number, `spare` holds as many, `marks` a byte for each index below both limits.
throng_result throng_snapshot_check(const throng_world *world, const unsigned char *snapshot,
                                    const uint64_t header[THRONG_WORD_COUNT], const throng_snapshot_layout *layout,
                                    throng_sort_item *order, throng_sort_item *spare, unsigned char *marks);

/// Writes the supports where `out` is not null; returns how many bytes they take.
uint64_t throng_snapshot_save_supports(const throng_supports *supports, unsigned char *out);

/// Reads them. SNAPSHOT, MEMORY: nothing is kept.
throng_result throng_snapshot_load_supports(throng_supports *supports, throng_memory *memory, const unsigned char *from,
                                            uint64_t bytes);

/// SNAPSHOT unless every agent is on the ground or on one of them.
throng_result throng_snapshot_check_supports(const throng_supports *supports, const unsigned char *snapshot,
                                             const uint64_t header[THRONG_WORD_COUNT],
                                             const throng_snapshot_layout *layout);

#endif
