#include "state/wall_chain.h"

#include "base/grid.h"

static int compare_points(const double *a, const double *b) {
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    if (a[1] != b[1]) return a[1] < b[1] ? -1 : 1;
    return 0;
}

// A way to read a closed chain: from which point, and whether backwards.
typedef struct reading {
    uint32_t start;
    bool backwards;
} reading;

static const double *read_point(const double *points, uint32_t count, reading r, uint32_t i) {
    const uint32_t at = r.backwards ? (r.start + count - i) % count : (r.start + i) % count;
    return points + 2 * (size_t)at;
}

static int compare_readings(const double *points, uint32_t count, reading a, reading b) {
    for (uint32_t i = 0; i < count; i++) {
        const int order = compare_points(read_point(points, count, a, i), read_point(points, count, b, i));
        if (order != 0) return order;
    }
    return 0;
}

// The smallest reading in one direction, in linear time however often points repeat: of two candidates that agree for a
// while, the one that turns out larger takes all starts within that while along.
static reading smallest_rotation(const double *points, uint32_t count, bool backwards) {
    const reading whole = {0, backwards};
    uint32_t first = 0;
    uint32_t second = 1;
    uint32_t agree = 0;
    while (first < count && second < count && agree < count) {
        const double *a = read_point(points, count, whole, (first + agree) % count);
        const double *b = read_point(points, count, whole, (second + agree) % count);
        const int order = compare_points(a, b);
        if (order == 0) {
            agree++;
            continue;
        }
        if (order > 0) {
            first += agree + 1;
        } else {
            second += agree + 1;
        }
        if (first == second) second++;
        agree = 0;
    }
    const uint32_t start = first < second ? first : second;
    return (reading){backwards ? (count - start) % count : start, backwards};
}

static reading smallest_reading(const double *points, uint32_t count) {
    const reading forwards = smallest_rotation(points, count, false);
    const reading backwards = smallest_rotation(points, count, true);
    return compare_readings(points, count, backwards, forwards) < 0 ? backwards : forwards;
}

static double twice_area(const double *points, uint32_t count) {
    double sum = 0.0;
    for (uint32_t i = 1; i + 1 < count; i++) {
        const double *p = points + 2 * (size_t)i;
        sum += (p[0] - points[0]) * (p[3] - points[1]) - (p[1] - points[1]) * (p[2] - points[0]);
    }
    return sum;
}

static void swap_points(double *a, double *b) {
    for (int axis = 0; axis < 2; axis++) {
        const double kept = a[axis];
        a[axis] = b[axis];
        b[axis] = kept;
    }
}

static void reverse(double *points, uint32_t first, uint32_t last) {
    for (; first + 1 < last; first++, last--) {
        swap_points(points + 2 * (size_t)first, points + 2 * (size_t)(last - 1));
    }
}

throng_wall_chain throng_wall_chain_normalize(const throng_wall *wall, double *points, double *scratch) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < wall->point_count; i++) {
        double *to = scratch + 2 * (size_t)count;
        to[0] = throng_on_grid(wall->points[2 * (size_t)i]);
        to[1] = throng_on_grid(wall->points[2 * (size_t)i + 1]);
        if (count == 0 || compare_points(to, to - 2) != 0) count++;
    }
    bool closed = wall->kind != THRONG_WALL_LINE;
    while (count > 1 && compare_points(scratch, scratch + 2 * (size_t)(count - 1)) == 0) {
        count--;
        closed = true;
    }
    closed = closed && count > 2;
    const bool all_heights = wall->height_low == 0.0f && wall->height_high == 0.0f;
    throng_wall_chain chain = {
        .kind = closed ? wall->kind : THRONG_WALL_LINE,
        .closed = closed,
        .count = count,
        .layer = wall->layer,
        .low = all_heights ? -INFINITY : wall->height_low + 0.0f,
        .high = all_heights ? INFINITY : wall->height_high + 0.0f,
        .points = points,
    };
    const bool turn_open = compare_points(scratch + 2 * (size_t)(count - 1), scratch) < 0;
    const reading open = {turn_open ? count - 1 : 0, turn_open};
    const reading way = closed ? smallest_reading(scratch, count) : open;
    for (uint32_t i = 0; i < count; i++) {
        const double *from = read_point(scratch, count, way, i);
        points[2 * (size_t)i] = from[0];
        points[2 * (size_t)i + 1] = from[1];
    }
    if (chain.kind != THRONG_WALL_LINE && twice_area(points, count) < 0.0) reverse(points, 1, count);
    return chain;
}

int throng_wall_chain_compare(const throng_wall_chain *a, const throng_wall_chain *b) {
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->closed != b->closed) return a->closed ? 1 : -1;
    const uint32_t shorter = a->count < b->count ? a->count : b->count;
    for (uint32_t i = 0; i < shorter; i++) {
        const int order = compare_points(a->points + 2 * (size_t)i, b->points + 2 * (size_t)i);
        if (order != 0) return order;
    }
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return 0;
}
