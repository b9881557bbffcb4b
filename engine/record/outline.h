// The outlines of a ground bounded by polygons that may overlap, touch and cross themselves.
#ifndef RECORD_OUTLINE_H
#define RECORD_OUTLINE_H

#include <stdbool.h>
#include <stdint.h>

/// A place in whole quanta of length, so that equal places compare equal; below 2^52.
typedef struct outline_spot {
    double x, y;
} outline_spot;

/// A closed polygon: solid inside, or an enclosure, free inside. Inside: its winding number is not 0.
typedef struct outline_loop {
    uint32_t first, count; ///< of its spots
    bool enclosure;
    outline_spot min, max; ///< its bounds
} outline_loop;

typedef struct outline_ground {
    outline_spot *spots;
    outline_loop *loops;
    uint32_t spot_count, loop_count;
} outline_ground;

typedef struct outline_ring {
    uint32_t first, count; ///< of the result's spots
    double area;           ///< signed, in quanta squared: positive around free ground, negative around a hole in it
} outline_ring;

typedef struct outline_result {
    outline_spot *spots;
    outline_ring *rings;
    uint32_t spot_count, ring_count;
} outline_result;

typedef enum outline_status {
    OUTLINE_DONE,
    OUTLINE_MEMORY,
    OUTLINE_SLIVERS ///< features of a few quanta: no rings could be made
} outline_status;

/// Rings around the ground that is within all enclosures and in no solid, free ground on their left; none touches
/// itself. Cost: crossings by a sweep; then (number of pieces) * (number of loops).
outline_status outline_make(const outline_ground *ground, outline_result *result);

void outline_clear(outline_result *result);

/// Whether a place is free.
bool outline_is_free(const outline_ground *ground, double x, double y);

#endif
