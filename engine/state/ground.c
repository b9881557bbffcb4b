#include "state/ground.h"

#include "base/error.h"
#include "base/grid.h"
#include "base/hash.h"

static const double least_cell = 1e-3, most_cell = 1e6; // m
static const double most_height = 1e9;                  // m
static const double most_gradient = 1e6;
#define MAX_SQUARES (UINT64_C(1) << 31)
#define MAX_POINTS  (UINT64_C(1) << 31)

// ---- building

static throng_result check_grid(const throng_height_grid *grid) {
    if (grid->columns == 0 || grid->rows == 0) return THRONG_OK;
    if ((uint64_t)grid->columns * grid->rows > MAX_SQUARES) {
        return throng_fail(THRONG_ERROR_CAPACITY, -1, "heights: %u x %u squares are more than 2^31", grid->columns,
                           grid->rows);
    }
    if (!grid->heights) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "heights: heights is null");
    if (!(grid->cell >= least_cell && grid->cell <= most_cell)) {
        return throng_fail(THRONG_ERROR_VALUE, -1, "heights: cell must be 0.001 to 1e6 m, is %g", grid->cell);
    }
    if (!throng_is_within(grid->x, THRONG_LIMIT_PLACE) || !throng_is_within(grid->y, THRONG_LIMIT_PLACE)) {
        return throng_fail(THRONG_ERROR_VALUE, -1, "heights: the corner must be within +-1e12 m, is (%g, %g)", grid->x,
                           grid->y);
    }
    for (size_t i = 0; i < (size_t)grid->columns * grid->rows; ++i) {
        const double height = grid->heights[i];
        if (throng_is_within(height, most_height) || height != height) continue;
        return throng_fail(THRONG_ERROR_VALUE, -1, "heights: number %zu must be within +-1e9 m or NaN, is %g", i,
                           height);
    }
    return THRONG_OK;
}

static throng_result check_region(const throng_region *region, uint32_t number) {
    if (!region->points) return throng_fail(THRONG_ERROR_ARGUMENT, number, "region %u: points is null", number);
    if (region->point_count < 3) {
        return throng_fail(THRONG_ERROR_VALUE, number, "region %u: must have at least 3 points, has %u", number,
                           region->point_count);
    }
    if (!(region->speed_factor > 0.0f && region->speed_factor <= 1.0f)) {
        return throng_fail(THRONG_ERROR_VALUE, number, "region %u: speed_factor must be > 0 and at most 1, is %g",
                           number, region->speed_factor);
    }
    for (int axis = 0; axis < 2; ++axis) {
        if (throng_is_within(region->gradient[axis], most_gradient)) continue;
        return throng_fail(THRONG_ERROR_VALUE, number, "region %u: gradient must be within +-1e6, is %g", number,
                           region->gradient[axis]);
    }
    const bool all_heights = region->height_low == 0.0f && region->height_high == 0.0f;
    if (!all_heights && !(region->height_low < region->height_high)) {
        return throng_fail(THRONG_ERROR_VALUE, number, "region %u: height_low must be below height_high, are %g and %g",
                           number, region->height_low, region->height_high);
    }
    for (size_t i = 0; i < 2 * (size_t)region->point_count; ++i) {
        if (throng_is_within(region->points[i], THRONG_LIMIT_PLACE)) continue;
        return throng_fail(THRONG_ERROR_VALUE, number, "region %u, point %zu: must be within +-1e12 m, is %g", number,
                           i / 2, region->points[i]);
    }
    return THRONG_OK;
}

/// The slope along one axis from the heights before, at and behind a square's middle.
static double slope(double before, double here, double behind, double cell) {
    const bool first = before == before, last = behind == behind; // known
    if (first && last) return (behind - before) / (2.0 * cell);
    if (last) return (behind - here) / cell;
    return first ? (here - before) / cell : 0.0;
}

static double height_at(const throng_height_grid *grid, uint32_t column, uint32_t row) {
    if (column >= grid->columns || row >= grid->rows) return NAN; // also those before the first, which wrap round
    return grid->heights[(size_t)row * grid->columns + column];
}

static float steepness_of(double gx, double gy) {
    return (float)sqrt(1.0 + (gx * gx + gy * gy));
}

static void fill_grid(throng_ground *ground, const throng_height_grid *grid) {
    for (uint32_t row = 0; row < grid->rows; ++row) {
        for (uint32_t column = 0; column < grid->columns; ++column) {
            const double here = height_at(grid, column, row);
            float *to = &ground->steepness[(size_t)row * grid->columns + column];
            *to = 1.0f;
            if (here != here) continue;
            const double west = height_at(grid, column - 1, row), east = height_at(grid, column + 1, row);
            const double south = height_at(grid, column, row - 1), north = height_at(grid, column, row + 1);
            *to = steepness_of(slope(west, here, east, grid->cell), slope(south, here, north, grid->cell));
        }
    }
}

static throng_wall_box box_of(const double *points, uint32_t count) {
    throng_wall_box box = {points[0], points[1], points[0], points[1]};
    for (uint32_t i = 1; i < count; ++i) {
        const double *p = points + 2 * (size_t)i;
        const throng_wall_box own = {p[0], p[1], p[0], p[1]};
        box = throng_wall_box_union(&box, &own);
    }
    return box;
}

static void fill_regions(throng_ground *ground, const throng_map_def *def, throng_wall_box *boxes,
                         throng_wall_tree_key *keys) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < def->region_count; ++i) {
        const throng_region *region = &def->regions[i];
        double *points = ground->points + 2 * (size_t)used;
        const bool all_heights = region->height_low == 0.0f && region->height_high == 0.0f;
        for (size_t j = 0; j < 2 * (size_t)region->point_count; ++j) points[j] = throng_on_grid(region->points[j]);
        ground->regions[i] = (throng_ground_region){.first = used,
                                                    .count = region->point_count,
                                                    .factor = region->speed_factor,
                                                    .steepness = steepness_of(region->gradient[0], region->gradient[1]),
                                                    .low = all_heights ? -INFINITY : region->height_low + 0.0f,
                                                    .high = all_heights ? INFINITY : region->height_high + 0.0f};
        boxes[i] = box_of(points, region->point_count);
        used += region->point_count;
    }
    throng_wall_tree_build(&ground->tree, boxes, def->region_count, ground->nodes, ground->leaves, keys);
}

static bool build(throng_ground *ground, const throng_map_def *def, throng_memory *memory) {
    if (ground->columns) {
        ground->steepness =
            throng_memory_allocate(memory, (size_t)ground->columns * ground->rows, sizeof *ground->steepness);
        if (!ground->steepness) return false;
        fill_grid(ground, &def->heights);
    }
    const uint32_t count = ground->region_count;
    if (count == 0) return true;
    ground->regions = throng_memory_allocate(memory, count, sizeof *ground->regions);
    ground->points = throng_memory_allocate(memory, 2 * (size_t)ground->point_count, sizeof *ground->points);
    ground->nodes = throng_memory_allocate(memory, count, sizeof *ground->nodes);
    ground->leaves = throng_memory_allocate(memory, count, sizeof *ground->leaves);
    throng_wall_box *boxes = throng_memory_allocate(memory, count, sizeof *boxes);
    throng_wall_tree_key *keys = throng_memory_allocate(memory, count, sizeof *keys);
    const bool whole = ground->regions && ground->points && ground->nodes && ground->leaves && boxes && keys;
    if (whole) fill_regions(ground, def, boxes, keys);
    throng_memory_release(memory, boxes, count, sizeof *boxes);
    throng_memory_release(memory, keys, count, sizeof *keys);
    return whole;
}

throng_result throng_ground_build(throng_ground *ground, const throng_map_def *def, throng_memory *memory) {
    *ground = (throng_ground){0};
    const throng_height_grid *grid = &def->heights;
    throng_result result = check_grid(grid);
    if (result != THRONG_OK) return result;
    if (def->region_count && !def->regions) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "map_create: regions is null with region_count %u",
                           def->region_count);
    }
    uint64_t points = 0;
    for (uint32_t i = 0; i < def->region_count; ++i) {
        result = check_region(&def->regions[i], i);
        if (result != THRONG_OK) return result;
        points += def->regions[i].point_count;
        if (points > MAX_POINTS) {
            return throng_fail(THRONG_ERROR_CAPACITY, i, "region %u: all regions have more than 2^31 points", i);
        }
    }
    if (grid->columns && grid->rows) {
        *ground = (throng_ground){.columns = grid->columns,
                                  .rows = grid->rows,
                                  .x = throng_on_grid(grid->x),
                                  .y = throng_on_grid(grid->y),
                                  .cell = grid->cell};
    }
    ground->region_count = def->region_count;
    ground->point_count = (uint32_t)points;
    if (build(ground, def, memory)) return THRONG_OK;
    throng_ground_release(ground, memory);
    return throng_fail(THRONG_ERROR_MEMORY, -1, "map_create: no memory for the ground");
}

void throng_ground_release(throng_ground *ground, throng_memory *memory) {
    throng_memory_release(memory, ground->steepness, (size_t)ground->columns * ground->rows, sizeof *ground->steepness);
    throng_memory_release(memory, ground->regions, ground->region_count, sizeof *ground->regions);
    throng_memory_release(memory, ground->points, 2 * (size_t)ground->point_count, sizeof *ground->points);
    throng_memory_release(memory, ground->nodes, ground->region_count, sizeof *ground->nodes);
    throng_memory_release(memory, ground->leaves, ground->region_count, sizeof *ground->leaves);
    *ground = (throng_ground){0};
}

uint64_t throng_ground_content(const throng_ground *ground) {
    if (throng_ground_is_level(ground)) return 0;
    uint64_t hash = throng_mix_pair(ground->columns, ground->rows);
    if (ground->columns) {
        hash = throng_mix_pair(hash, throng_double_bits(ground->x));
        hash = throng_mix_pair(hash, throng_double_bits(ground->y));
        hash = throng_mix_pair(hash, throng_double_bits(ground->cell));
    }
    for (size_t i = 0; i < (size_t)ground->columns * ground->rows; ++i) {
        hash = throng_mix_pair(hash, throng_float_bits(ground->steepness[i]));
    }
    // Regions count in any order.
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ground->region_count; ++i) {
        const throng_ground_region *region = &ground->regions[i];
        uint64_t own = throng_mix_pair(throng_float_bits(region->factor), throng_float_bits(region->steepness));
        own = throng_mix_pair(own, (uint64_t)throng_float_bits(region->low) << 32 | throng_float_bits(region->high));
        for (size_t j = 0; j < 2 * (size_t)region->count; ++j) {
            own = throng_mix_pair(own, throng_double_bits(ground->points[2 * (size_t)region->first + j]));
        }
        sum += own;
    }
    return throng_mix_pair(hash, sum);
}

// ---- looking

/// The largest whole number not above a number within +-1e15.
static int64_t whole_below(double value) {
    const int64_t whole = (int64_t)value;
    return (double)whole > value ? whole - 1 : whole;
}

static double clamped(double value, double low, double high) {
    return throng_maxd(low, throng_mind(high, value));
}

/// The steepest of the squares that a straight way from (ax, ay) to (bx, by) comes into, in squares from the corner.
/// Column by column: the rows that the way spans there.
static float steepest_on_grid(const throng_ground *ground, double ax, double ay, double bx, double by) {
    if (ax > bx) return steepest_on_grid(ground, bx, by, ax, ay);
    const double columns = ground->columns, rows = ground->rows;
    if (!(bx >= 0.0 && ax < columns && throng_maxd(ay, by) >= 0.0 && throng_mind(ay, by) < rows)) return 1.0f;
    const int64_t first = whole_below(clamped(ax, 0.0, columns - 1.0));
    const int64_t last = whole_below(clamped(bx, 0.0, columns - 1.0));
    const double rise = bx > ax ? (by - ay) / (bx - ax) : 0.0;
    float steepest = 1.0f;
    for (int64_t column = first; column <= last; ++column) {
        // Where the way enters and leaves the column; its own ends where they lie in it.
        const double enter = ax >= (double)column ? ay : ay + rise * ((double)column - ax);
        const double leave = bx <= (double)column + 1.0 ? by : ay + rise * ((double)column + 1.0 - ax);
        const double low = throng_mind(enter, leave), high = throng_maxd(enter, leave);
        if (high < 0.0 || low >= rows) continue;
        const int64_t bottom = whole_below(clamped(low, 0.0, rows - 1.0));
        const int64_t top = whole_below(clamped(high, 0.0, rows - 1.0));
        for (int64_t row = bottom; row <= top; ++row) {
            const size_t at = (size_t)row * ground->columns + (size_t)column;
            steepest = throng_maxf(steepest, ground->steepness[at]);
        }
    }
    return steepest;
}

/// Whether a way that starts at the origin comes to the inside of a polygon or crosses its border. The points are seen
/// from the start. The inside by the ray towards greater x, which a side owns with its lower end only.
typedef struct sight {
    bool starts_inside, ends_inside, crosses;
} sight;

static bool ray_meets(double ax, double ay, double bx, double by) {
    if ((ay > 0.0) == (by > 0.0)) return false;
    return (ax * (by - ay) - ay * (bx - ax) > 0.0) == (by > ay);
}

static sight look_at_region(const throng_ground *ground, const throng_ground_region *region, double x, double y,
                            double dx, double dy) {
    const double *points = ground->points + 2 * (size_t)region->first;
    sight seen = {false, false, false};
    for (uint32_t i = 0; i < region->count; ++i) {
        const double *a = points + 2 * (size_t)i, *b = points + 2 * (size_t)(i + 1 < region->count ? i + 1 : 0);
        const double ax = a[0] - x, ay = a[1] - y, bx = b[0] - x, by = b[1] - y;
        if (ray_meets(ax, ay, bx, by)) seen.starts_inside = !seen.starts_inside;
        if (ray_meets(ax - dx, ay - dy, bx - dx, by - dy)) seen.ends_inside = !seen.ends_inside;
        const double ex = bx - ax, ey = by - ay;
        const double from = ey * ax - ex * ay, to = ey * (ax - dx) - ex * (ay - dy);
        if ((from > 0.0) != (to > 0.0) && (dx * ay - dy * ax > 0.0) != (dx * by - dy * bx > 0.0)) seen.crosses = true;
    }
    return seen;
}

/// The slower and steeper of two.
static void obey(throng_footing *footing, const throng_ground_region *region) {
    footing->factor = throng_minf(footing->factor, region->factor);
    footing->steepness = throng_maxf(footing->steepness, region->steepness);
}

throng_footing throng_ground_along(const throng_ground *ground, float low, float high, double x, double y, double dx,
                                   double dy) {
    throng_footing footing = {1.0f, 1.0f};
    dx = throng_on_grid(dx);
    dy = throng_on_grid(dy);
    if (ground->columns) {
        const double ax = (x - ground->x) / ground->cell, ay = (y - ground->y) / ground->cell;
        const double bx = (x - ground->x + dx) / ground->cell, by = (y - ground->y + dy) / ground->cell;
        footing.steepness = steepest_on_grid(ground, ax, ay, bx, by);
    }
    if (ground->region_count == 0) return footing;
    const throng_wall_box box = {throng_mind(x, x + dx), throng_mind(y, y + dy), throng_maxd(x, x + dx),
                                 throng_maxd(y, y + dy)};
    throng_wall_walk walk = throng_wall_walk_begin(&ground->tree, &box);
    uint32_t item;
    while (throng_wall_walk_next(&walk, &item)) {
        const throng_ground_region *region = &ground->regions[item];
        if (!(region->low < high && low < region->high)) continue;
        const sight seen = look_at_region(ground, region, x, y, dx, dy);
        if (seen.starts_inside || seen.ends_inside || seen.crosses) obey(&footing, region);
    }
    return footing;
}
