// The ground that walls leave free, as polygons, and as Well-Known Text: what JuPedSim's tools read.
#ifndef RECORD_FREE_SPACE_H
#define RECORD_FREE_SPACE_H

#include "record/failure.h"

#include <throng/throng.h>

typedef struct free_ring {
    uint32_t first, count; ///< of its points; the last is not the first again
    bool hole;             ///< of the last ring before it that is none
} free_ring;

/// Polygons: each a ring and its holes. All zero is none.
typedef struct free_space {
    double (*points)[2]; ///< m
    free_ring *rings;
    uint32_t point_count, ring_count;
} free_space;

/// The ground within all enclosures and outside of solids and lines (1 cm wide); without an enclosure, within the box
/// around the walls and whatever lies from `min` to `max` (m; min > max: nothing), plus 1 m. Valid polygons whatever
/// the walls' windings, overlaps and touches: outer rings counterclockwise, holes clockwise, to the micrometre.
bool free_space_make(const throng_wall *walls, uint32_t wall_count, const double min[2], const double max[2],
                     free_space *space, failure *why);

/// Drops polygons that hold none of `count` places (x, y), unless that would be all.
void free_space_keep(free_space *space, const double (*places)[2], uint64_t count);

/// POLYGON, or GEOMETRYCOLLECTION where there are several. Null: out of memory.
char *free_space_text(const free_space *space);

/// Reads POLYGON, MULTIPOLYGON, and GEOMETRYCOLLECTION of them. False: nothing to clear.
bool free_space_read(const char *text, free_space *space, failure *why);

/// False where there are no points.
bool free_space_bounds(const free_space *space, double min[2], double max[2]);

void free_space_clear(free_space *space);

#endif
