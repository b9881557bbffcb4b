// Maps: walls and ground, built once, immutable, shared by any number of worlds.
#ifndef THRONG_MAP_H
#define THRONG_MAP_H

#include <throng/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum throng_wall_kind {
    THRONG_WALL_SOLID = 0,     ///< a polygon, solid inside whatever its winding; at least 3 points
    THRONG_WALL_ENCLOSURE = 1, ///< a polygon, free inside and solid outside; at least 3 points
    THRONG_WALL_LINE = 2       ///< a polyline of zero width, solid from both sides; at least 1 point
} throng_wall_kind;

/// A wall: kind and points. Repeated points, touching and overlapping walls and zero lengths are fine; neither
/// winding, first point nor the order of walls changes any result. Enclosures intersect: a place is free when it is
/// within all of them and in no solid.
typedef struct throng_wall {
    throng_wall_kind kind;
    uint32_t point_count;
    const double *points; ///< m, x0 y0 x1 y1 ...; within +-1e12
    uint32_t layer;       ///< stops the agents whose mask shares a bit
    float height_low;     ///< m: and whose heights overlap those from here
    float height_high;    ///< to here, height_low < height_high; both 0: all heights
} throng_wall;

/// Heights of the ground on a grid of squares. The ground slopes in every square by central differences of the heights
/// around it, by one-sided ones where the grid ends or a height is not known; it is level outside.
///
/// Speeds and accelerations of agents are those along the ground. Where its gradient is g, k = sqrt(1 + g.g), they are
/// 1/k of that on the map. A step that comes into steeper ground obeys the larger k.
typedef struct throng_height_grid {
    uint32_t columns, rows; ///< columns * rows at most 2^31; 0: no grid
    double x, y;            ///< m, the corner of least x and y, within +-1e12
    double cell;            ///< m, the side of a square, 0.001..1e6
    const double *heights; ///< m, within +-1e9, of the middles of the squares: rows from least to greatest y, each from
                           ///< least to greatest x; NaN: not known. Copied
} throng_height_grid;

/// A part of the ground that is walked more slowly: stairs, mud. A step that comes into it obeys it. Where regions
/// overlap the least factor and the greatest slope count.
typedef struct throng_region {
    const double *points; ///< m, x0 y0 x1 y1 ..., a polygon of any winding; within +-1e12; copied
    uint32_t point_count; ///< >= 3
    float speed_factor;   ///< of maximum and preferred speed, > 0 and at most 1
    float gradient[2];    ///< m up a m along x and y, within +-1e6
    float height_low;     ///< m: for agents whose heights overlap those from here
    float height_high;    ///< to here, height_low < height_high; both 0: all heights
} throng_region;

/// Start from throng_default_map_def().
typedef struct throng_map_def {
    size_t struct_size;
    const throng_wall *walls; ///< copied
    uint32_t wall_count;      ///< 0: the open plane
    throng_height_grid heights;
    const throng_region *regions; ///< copied
    uint32_t region_count;
    throng_allocator allocator; ///< default: the C library's; it must outlive the map
} throng_map_def;

typedef struct throng_map throng_map;

THRONG_API throng_map_def throng_default_map_def(void);

/// Builds a map. The caller owns one reference.
/// ARGUMENT (null, struct_size, kind), VALUE (too few points, a number out of range; item: the wall or region),
/// CAPACITY, MEMORY.
THRONG_API throng_result throng_map_create(const throng_map_def *def, throng_map **map);

/// Gives back the caller's reference; the map lives on while worlds use it. Null is fine. Safe on any thread.
THRONG_API void throng_map_release(throng_map *map);

#ifdef __cplusplus
}
#endif

#endif
