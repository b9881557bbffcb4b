#include "record/free_space.h"

#include "record/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double line_half_width = 0.005; // m
static const double plane_margin = 1;        // m, around all there is on the open plane

void free_space_clear(free_space *space) {
    free(space->points);
    free(space->rings);
    *space = (free_space){0};
}

bool free_space_bounds(const free_space *space, double min[2], double max[2]) {
    for (int axis = 0; axis < 2; axis++) {
        min[axis] = INFINITY;
        max[axis] = -INFINITY;
        for (uint32_t i = 0; i < space->ring_count; i++) {
            for (uint32_t k = 0; k < space->rings[i].count; k++) {
                double value = space->points[space->rings[i].first + k][axis];
                if (value < min[axis]) min[axis] = value;
                if (value > max[axis]) max[axis] = value;
            }
        }
    }
    return space->ring_count > 0;
}

// The walls as loops of whole quanta: a ground under way.
typedef struct quantized {
    outline_ground ground;
    double per_metre; // quanta
} quantized;

static void add_spot(quantized *plan, double x, double y) {
    plan->ground.spots[plan->ground.spot_count++] =
        (outline_spot){floor(x * plan->per_metre + 0.5), floor(y * plan->per_metre + 0.5)};
}

// Makes a loop of the spots added since the last one.
static void close_loop(quantized *plan, bool enclosure) {
    outline_ground *ground = &plan->ground;
    uint32_t first = 0;
    if (ground->loop_count > 0) {
        first = ground->loops[ground->loop_count - 1].first + ground->loops[ground->loop_count - 1].count;
    }
    outline_loop loop = {.first = first, .count = ground->spot_count - first, .enclosure = enclosure};
    loop.min = loop.max = ground->spots[first];
    for (uint32_t i = first; i < ground->spot_count; i++) {
        outline_spot at = ground->spots[i];
        if (at.x < loop.min.x) loop.min.x = at.x;
        if (at.y < loop.min.y) loop.min.y = at.y;
        if (at.x > loop.max.x) loop.max.x = at.x;
        if (at.y > loop.max.y) loop.max.y = at.y;
    }
    ground->loops[ground->loop_count++] = loop;
}

// A rectangle around a piece of a line, longer by its half-width at both ends, so that pieces join.
static void add_bar(quantized *plan, const double *a, const double *b) {
    double dx = b[0] - a[0], dy = b[1] - a[1];
    double length = sqrt(dx * dx + dy * dy);
    double ux = length > 0 ? dx / length : 1, uy = length > 0 ? dy / length : 0;
    ux *= line_half_width;
    uy *= line_half_width;
    add_spot(plan, a[0] - ux + uy, a[1] - uy - ux);
    add_spot(plan, b[0] + ux + uy, b[1] + uy - ux);
    add_spot(plan, b[0] + ux - uy, b[1] + uy + ux);
    add_spot(plan, a[0] - ux - uy, a[1] - uy + ux);
    close_loop(plan, false);
}

static void add_wall(quantized *plan, const throng_wall *wall) {
    if (wall->kind != THRONG_WALL_LINE) {
        for (uint32_t k = 0; k < wall->point_count; k++) add_spot(plan, wall->points[2 * k], wall->points[2 * k + 1]);
        close_loop(plan, wall->kind == THRONG_WALL_ENCLOSURE);
        return;
    }
    for (uint32_t k = 0; k + 1 < wall->point_count; k++) add_bar(plan, wall->points + 2 * k, wall->points + 2 * k + 2);
    if (wall->point_count == 1) add_bar(plan, wall->points, wall->points);
}

static void widen(double min[2], double max[2], const double place[2]) {
    for (int axis = 0; axis < 2; axis++) {
        if (place[axis] < min[axis]) min[axis] = place[axis];
        if (place[axis] > max[axis]) max[axis] = place[axis];
    }
}

static bool make_plan(const throng_wall *walls, uint32_t wall_count, const double min[2], const double max[2],
                      quantized *plan) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    size_t spots = 4, loops = 1;
    bool enclosed = false;
    if (min[0] <= max[0]) {
        widen(low, high, min);
        widen(low, high, max);
    }
    for (uint32_t i = 0; i < wall_count; i++) {
        for (uint32_t k = 0; k < walls[i].point_count; k++) widen(low, high, walls[i].points + 2 * k);
        bool line = walls[i].kind == THRONG_WALL_LINE;
        spots += line ? (size_t)walls[i].point_count * 4 : walls[i].point_count;
        loops += line ? walls[i].point_count : 1;
        enclosed = enclosed || walls[i].kind == THRONG_WALL_ENCLOSURE;
    }
    if (low[0] > high[0]) low[0] = low[1] = high[0] = high[1] = 0;
    double largest = fmax(fmax(fabs(low[0]), fabs(low[1])), fmax(fabs(high[0]), fabs(high[1]))) + plane_margin;
    *plan = (quantized){.per_metre = 1e6};
    while (plan->per_metre * largest > 1e15) plan->per_metre /= 10;
    plan->ground.spots = malloc(spots * sizeof *plan->ground.spots);
    plan->ground.loops = malloc(loops * sizeof *plan->ground.loops);
    if (!plan->ground.spots || !plan->ground.loops) return false;
    if (!enclosed) {
        add_spot(plan, low[0] - plane_margin, low[1] - plane_margin);
        add_spot(plan, high[0] + plane_margin, low[1] - plane_margin);
        add_spot(plan, high[0] + plane_margin, high[1] + plane_margin);
        add_spot(plan, low[0] - plane_margin, high[1] + plane_margin);
        close_loop(plan, true);
    }
    for (uint32_t i = 0; i < wall_count; i++) add_wall(plan, &walls[i]);
    return true;
}

static bool ring_holds(const free_space *space, const free_ring *ring, double x, double y) {
    const double(*points)[2] = (const double(*)[2])space->points + ring->first;
    bool inside = false;
    for (uint32_t i = 0; i < ring->count; i++) {
        const double *a = points[i], *b = points[i + 1 < ring->count ? i + 1 : 0];
        if ((a[1] <= y) == (b[1] <= y)) continue;
        double left = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
        if ((left > 0) == (b[1] > a[1])) inside = !inside;
    }
    return inside;
}

// Which of the rings around free ground a hole lies in: the smallest that holds a place beside it. ring_count: none.
static uint32_t find_owner(const free_space *space, const outline_result *outline, uint32_t hole, double aside) {
    const double *a = space->points[space->rings[hole].first], *b = space->points[space->rings[hole].first + 1];
    double dx = b[0] - a[0], dy = b[1] - a[1];
    double scale = aside / sqrt(dx * dx + dy * dy);
    double x = a[0] + dx / 2 - dy * scale, y = a[1] + dy / 2 + dx * scale;
    uint32_t owner = space->ring_count;
    for (uint32_t i = 0; i < space->ring_count; i++) {
        if (space->rings[i].hole || !ring_holds(space, &space->rings[i], x, y)) continue;
        if (owner == space->ring_count || outline->rings[i].area < outline->rings[owner].area) owner = i;
    }
    return owner;
}

// Puts each hole behind the ring that it lies in.
static bool order_rings(free_space *space, const outline_result *outline, double aside) {
    uint32_t count = space->ring_count, done = 0;
    free_ring *ordered = malloc((count + 1) * sizeof *ordered);
    uint32_t *owners = malloc((count + 1) * sizeof *owners);
    if (ordered && owners) {
        for (uint32_t i = 0; i < count; i++) {
            owners[i] = space->rings[i].hole ? find_owner(space, outline, i, aside) : count;
        }
        for (uint32_t i = 0; i < count; i++) {
            if (space->rings[i].hole) continue;
            ordered[done++] = space->rings[i];
            for (uint32_t k = 0; k < count; k++) {
                if (owners[k] == i) ordered[done++] = space->rings[k];
            }
        }
        memcpy(space->rings, ordered, done * sizeof *ordered);
        space->ring_count = done;
    }
    bool enough = ordered && owners;
    free(ordered);
    free(owners);
    return enough;
}

static bool from_outline(free_space *space, const outline_result *outline, double per_metre) {
    space->points = malloc((outline->spot_count + 1) * sizeof *space->points);
    space->rings = malloc((outline->ring_count + 1) * sizeof *space->rings);
    if (!space->points || !space->rings) return false;
    space->point_count = outline->spot_count;
    space->ring_count = outline->ring_count;
    for (uint32_t i = 0; i < outline->spot_count; i++) {
        space->points[i][0] = outline->spots[i].x / per_metre;
        space->points[i][1] = outline->spots[i].y / per_metre;
    }
    for (uint32_t i = 0; i < outline->ring_count; i++) {
        const outline_ring *ring = &outline->rings[i];
        space->rings[i] = (free_ring){ring->first, ring->count, ring->area < 0};
    }
    return order_rings(space, outline, 3 / per_metre);
}

// Walls that come within micrometres of each other without touching may have no proper outline: then they stand as
// they are, one enclosure and holes that may overlap.
static bool from_walls(free_space *space, const outline_ground *ground, double per_metre) {
    space->points = malloc((ground->spot_count + 1) * sizeof *space->points);
    space->rings = malloc((ground->loop_count + 1) * sizeof *space->rings);
    if (!space->points || !space->rings) return false;
    for (uint32_t i = 0; i < ground->spot_count; i++) {
        space->points[i][0] = ground->spots[i].x / per_metre;
        space->points[i][1] = ground->spots[i].y / per_metre;
    }
    space->point_count = ground->spot_count;
    for (int holes = 0; holes < 2; holes++) {
        for (uint32_t i = 0; i < ground->loop_count; i++) {
            const outline_loop *loop = &ground->loops[i];
            if (loop->enclosure == (holes == 1) || (holes == 0 && space->ring_count > 0)) continue;
            space->rings[space->ring_count++] = (free_ring){loop->first, loop->count, holes == 1};
        }
    }
    return true;
}

bool free_space_make(const throng_wall *walls, uint32_t wall_count, const double min[2], const double max[2],
                     free_space *space, failure *why) {
    *space = (free_space){0};
    quantized plan;
    outline_result outline = {0};
    bool enough = make_plan(walls, wall_count, min, max, &plan);
    if (enough) {
        outline_status status = outline_make(&plan.ground, &outline);
        enough = status == OUTLINE_DONE      ? from_outline(space, &outline, plan.per_metre)
                 : status == OUTLINE_SLIVERS ? from_walls(space, &plan.ground, plan.per_metre)
                                             : false;
    }
    outline_clear(&outline);
    free(plan.ground.spots);
    free(plan.ground.loops);
    if (enough) return true;
    free_space_clear(space);
    return fail(why, "out of memory");
}

void free_space_keep(free_space *space, const double (*places)[2], uint64_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0, next; i < space->ring_count; i = next) {
        for (next = i + 1; next < space->ring_count && space->rings[next].hole;) next++;
        bool holds = false;
        for (uint64_t k = 0; k < count && !holds; k++) {
            holds = ring_holds(space, &space->rings[i], places[k][0], places[k][1]);
            for (uint32_t hole = i + 1; hole < next && holds; hole++) {
                holds = !ring_holds(space, &space->rings[hole], places[k][0], places[k][1]);
            }
        }
        if (!holds) continue;
        memmove(space->rings + kept, space->rings + i, (next - i) * sizeof *space->rings);
        kept += next - i;
    }
    if (kept > 0) space->ring_count = kept;
}
