#include "state/support.h"

#include <string.h>

void throng_support_release(throng_support *support, throng_memory *memory) {
    throng_memory_release(memory, support->outline, 2 * (size_t)support->outline_count, sizeof *support->outline);
    throng_wall_set_release(&support->walls, memory);
    *support = (throng_support){0};
}

static void release_rows(throng_supports *supports, throng_memory *memory) {
    const size_t rows = supports->row_capacity;
    throng_memory_release(memory, supports->world_x, rows, sizeof *supports->world_x);
    throng_memory_release(memory, supports->world_y, rows, sizeof *supports->world_y);
    throng_memory_release(memory, supports->world_velocity_x, rows, sizeof *supports->world_velocity_x);
    throng_memory_release(memory, supports->world_velocity_y, rows, sizeof *supports->world_velocity_y);
}

void throng_supports_release(throng_supports *supports, throng_memory *memory) {
    for (uint32_t i = 1; i < supports->slots.limit; ++i) {
        if (supports->slots.used[i]) throng_support_release(&supports->items[i], memory);
    }
    throng_memory_release(memory, supports->items, supports->capacity, sizeof *supports->items);
    release_rows(supports, memory);
    throng_slots_release(&supports->slots, memory);
    *supports = (throng_supports){0};
}

bool throng_supports_reserve(throng_supports *supports, throng_memory *memory, size_t limit) {
    const size_t before = supports->capacity;
    if (!throng_slots_reserve_limit(&supports->slots, memory, limit) ||
        !throng_memory_reserve(memory, (void **)&supports->items, &supports->capacity, before, limit,
                               sizeof *supports->items)) {
        return false;
    }
    for (size_t i = before; i < supports->capacity; ++i) supports->items[i] = (throng_support){.pose.ux = 1.0};
    return true;
}

bool throng_supports_reserve_rows(throng_supports *supports, throng_memory *memory, size_t rows) {
    if (rows <= supports->row_capacity) return true;
    throng_supports grown = {.row_capacity = rows};
    grown.world_x = throng_memory_allocate(memory, rows, sizeof *grown.world_x);
    grown.world_y = throng_memory_allocate(memory, rows, sizeof *grown.world_y);
    grown.world_velocity_x = throng_memory_allocate(memory, rows, sizeof *grown.world_velocity_x);
    grown.world_velocity_y = throng_memory_allocate(memory, rows, sizeof *grown.world_velocity_y);
    if (!grown.world_x || !grown.world_y || !grown.world_velocity_x || !grown.world_velocity_y) {
        release_rows(&grown, memory);
        return false;
    }
    release_rows(supports, memory);
    supports->row_capacity = rows;
    supports->world_x = grown.world_x;
    supports->world_y = grown.world_y;
    supports->world_velocity_x = grown.world_velocity_x;
    supports->world_velocity_y = grown.world_velocity_y;
    return true;
}

bool throng_support_copy_outline(throng_support *support, const double *outline, uint32_t count,
                                 throng_memory *memory) {
    support->outline = throng_memory_allocate(memory, 2 * (size_t)count, sizeof *outline);
    if (!support->outline) return false;
    memcpy(support->outline, outline, 2 * (size_t)count * sizeof *outline);
    support->outline_count = count;
    support->bounds = (throng_wall_box){outline[0], outline[1], outline[0], outline[1]};
    for (uint32_t i = 1; i < count; ++i) {
        const throng_wall_box point = {outline[2 * i], outline[2 * i + 1], outline[2 * i], outline[2 * i + 1]};
        support->bounds = throng_wall_box_union(&support->bounds, &point);
    }
    return true;
}

/// A vector of length 1 stays as it is, so that a motion can be read, changed in part and written.
static throng_vector unit_of(double x, double y) {
    const double square = x * x + y * y;
    if (square > 1.0 - 1e-15 && square < 1.0 + 1e-15) return (throng_vector){x + 0.0, y + 0.0};
    // In two steps, so that no square underflows or overflows.
    const double size = throng_maxd(fabs(x), fabs(y)), sx = x / size, sy = y / size;
    const double length = sqrt(sx * sx + sy * sy);
    return (throng_vector){sx / length + 0.0, sy / length + 0.0};
}

void throng_support_set_motion(throng_support *support, const throng_support_motion *motion) {
    const throng_vector unit = unit_of(motion->heading[0], motion->heading[1]);
    support->pose = (throng_pose){motion->position[0] + 0.0, motion->position[1] + 0.0, unit.x, unit.y};
    support->velocity = (throng_vector){motion->velocity[0] + 0.0, motion->velocity[1] + 0.0};
    support->turn_rate = motion->turn_rate + 0.0;
}

bool throng_support_holds(const throng_support *support, double x, double y) {
    const throng_wall_box *box = &support->bounds;
    if (x < box->min_x || x > box->max_x || y < box->min_y || y > box->max_y) return false;
    bool inside = false;
    const double *at = support->outline;
    for (uint32_t i = 0, j = support->outline_count - 1; i < support->outline_count; j = i++) {
        const double ax = at[2 * i], ay = at[2 * i + 1], bx = at[2 * j], by = at[2 * j + 1];
        if ((ay > y) == (by > y)) continue;
        // Seen from the lower end, so that both polygons at a shared edge say the same.
        const bool up = by > ay;
        const double lx = up ? ax : bx, ly = up ? ay : by, hx = up ? bx : ax, hy = up ? by : ay;
        if ((hx - lx) * (y - ly) >= (x - lx) * (hy - ly)) inside = !inside;
    }
    return inside;
}
