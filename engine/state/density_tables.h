// Tables of a world: the part of its speed that somebody walks at, by the density felt ahead.
#ifndef THRONG_STATE_DENSITY_TABLES_H
#define THRONG_STATE_DENSITY_TABLES_H

#include "base/memory.h"
#include <throng/world.h>

enum {
    THRONG_MAX_DENSITY_TABLES = 255 - THRONG_DENSITY_TABLE, ///< what a response's 8 bits can name
    THRONG_MAX_DENSITY_POINTS = 256
};

typedef struct throng_density_tables {
    uint32_t count, point_count; ///< tables, points of all
    uint32_t *ends;              ///< of each table's points
    float *points;               ///< (people per square metre, part of the speed)
    uint64_t content;            ///< hash of all, 0 of none: snapshots name them by it
} throng_density_tables;

/// VALUE naming the table in `item` and what would be right, or ARGUMENT.
throng_result throng_density_tables_check(const throng_density_table *tables, uint32_t count);

/// Copies checked tables. False when there is no memory; nothing is kept then.
bool throng_density_tables_copy(throng_density_tables *to, throng_memory *memory, const throng_density_table *tables,
                                uint32_t count);

void throng_density_tables_release(throng_density_tables *tables, throng_memory *memory);

#endif
