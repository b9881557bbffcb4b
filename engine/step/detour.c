#include "step/detour.h"

#include "base/scalar.h"
#include "state/height.h"
#include "state/wall_piece.h"
#include "step/target.h"

enum {
    SIDE = 25, ///< cells of the grid along x and y; the agent stands in the middle one
    CELLS = SIDE * SIDE,
    HOME = CELLS / 2
};
/// Walls keep a cell from being walked on when nearer than this part of the radius, those who stand when nearer than
/// this part of both radii. A wall never slips between two cells, which are a radius apart: 2 * wall_part > 1.
static const double wall_part = 0.7, body_part = 0.9;
/// The way must lead nearer to the target than the agent by so many radii.
static const double least_gain = 2.0;

/// Nobody looks for a way where bodies cover the grid more than so many times.
static const double enough = 2.0;
/// The grid's area in the units that areas are added up in.
static const double whole_grid = 0x1p40;
static const double pi = 3.14159265358979323846;

/// Nobody looks farther, cells: ints must hold what is counted.
static const double farthest = 1e8;

typedef struct grid {
    double x, y, cell;         // m: the middle cell's, and a side
    double target_x, target_y; // m, from the middle
    uint8_t barred[CELLS];
    uint16_t from[CELLS]; // the cell before on the way from home; CELLS: not reached
} grid;

static int column_of(int cell) {
    return cell % SIDE - SIDE / 2;
}

static int row_of(int cell) {
    return cell / SIDE - SIDE / 2;
}

static double square_to_target(const grid *g, int cell) {
    const double dx = g->target_x - column_of(cell) * g->cell, dy = g->target_y - row_of(cell) * g->cell;
    return dx * dx + dy * dy;
}

/// The cells, of 0 to SIDE - 1, whose middles are between `low` and `high`, m from the middle one's.
static void span(const grid *g, double low, double high, int *first, int *last) {
    const double half = SIDE / 2;
    const double from = throng_mind(SIDE, throng_maxd(0.0, low / g->cell + half));
    const double to = throng_mind(SIDE - 1, high / g->cell + half);
    *first = (int)from;
    *last = to >= 0.0 ? (int)to : -1;
    if ((double)*first < from) ++*first;
}

// ---- what bars the ground

static void bar_walls(const throng_wall_set *walls, throng_tile *tile, throng_wall_filter filter, double reach,
                      grid *g) {
    if (walls->piece_count == 0) return;
    const double half = 0.5 * SIDE * g->cell + reach;
    const throng_wall_box box = throng_wall_box_around(g->x, g->y, half);
    const uint32_t count = throng_wall_set_query(walls, &box, filter, tile->near_walls, walls->piece_count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t piece = tile->near_walls[i];
        const double ax = walls->segment[piece].ax - g->x, ay = walls->segment[piece].ay - g->y;
        const double bx = walls->segment[piece].bx - g->x, by = walls->segment[piece].by - g->y;
        int left, right, bottom, top;
        span(g, throng_mind(ax, bx) - reach, throng_maxd(ax, bx) + reach, &left, &right);
        span(g, throng_mind(ay, by) - reach, throng_maxd(ay, by) + reach, &bottom, &top);
        for (int row = bottom; row <= top; ++row) {
            for (int column = left; column <= right; ++column) {
                const double x = g->x + (column - SIDE / 2) * g->cell, y = g->y + (row - SIDE / 2) * g->cell;
                if (throng_wall_piece_squared(walls, piece, x, y) < reach * reach) {
                    g->barred[row * SIDE + column] = 1;
                }
            }
        }
    }
}

/// A body at (x, y) from the middle.
static void bar_body(double x, double y, double reach, grid *g) {
    int left, right, bottom, top;
    span(g, x - reach, x + reach, &left, &right);
    span(g, y - reach, y + reach, &bottom, &top);
    for (int r = bottom; r <= top; ++r) {
        for (int c = left; c <= right; ++c) {
            const double dx = (c - SIDE / 2) * g->cell - x, dy = (r - SIDE / 2) * g->cell - y;
            if (dx * dx + dy * dy < reach * reach) g->barred[r * SIDE + c] = 1;
        }
    }
}

/// A body's area in parts of the grid's, of which whole ones add up to the same in any order.
static uint64_t area_of(double radius, const grid *g) {
    const double part = radius / (SIDE * g->cell);
    return (uint64_t)(throng_mind(pi * part * part, enough) * whole_grid);
}

/// False where bodies cover the grid over and over: in a heap nobody finds a way, and to look at all of it would take
/// as long as everything else together.
static bool bar_standers(const throng_step *step, uint32_t own, grid *g) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    const throng_index *index = &world->index;
    const kdt_tree_2f *tree = &index->tree;
    float at[2];
    throng_index_place(index, throng_world_x(world)[own], throng_world_y(world)[own], at);
    // To the grid's corners.
    const float reach = (float)(0.75 * SIDE * g->cell);
    const double half = 0.5 * SIDE * g->cell;
    uint64_t covered = 0;
    kdt_walk_2f walk;
    kdt_walk_2f_begin(&walk, tree, at, at, agents->radius[own], index->guard, agents->mask[own]);
    for (uint32_t leaf; kdt_walk_2f_next(&walk, reach, UINT32_MAX, &leaf);) {
        const uint32_t first = leaf * tree->leaf_size, end = throng_min_u32(tree->count, first + tree->leaf_size);
        for (uint32_t position = first; position < end; ++position) {
            const uint32_t row = index->order[position];
            if (row == own || !(agents->mask[own] & agents->layer[row])) continue;
            const throng_vector offset = throng_offset_of(world, own, row, false);
            if (fabs(offset.x) <= half && fabs(offset.y) <= half) covered += area_of(agents->radius[row], g);
            if (!throng_row_stands(agents, row)) continue;
            bar_body(offset.x, offset.y, body_part * ((double)agents->radius[own] + agents->radius[row]), g);
        }
        if (covered > (uint64_t)(enough * whole_grid)) return false;
    }
    return true;
}

// ---- ways

/// Whether the straight way from home to a cell is free: sampled twice a cell.
static bool is_straight(const grid *g, double x, double y) {
    const double dx = x / g->cell, dy = y / g->cell;
    const double longest = throng_maxd(throng_maxd(dx, -dx), throng_maxd(dy, -dy));
    // A way longer than the grid leaves it.
    const int samples = (int)(2.0 * throng_mind(longest, farthest)) + 1;
    for (int i = 1; i <= samples; ++i) {
        const double part = (double)i / samples;
        if (part * longest > SIDE) return true;
        const int column = (int)(dx * part + SIDE / 2 + 0.5), row = (int)(dy * part + SIDE / 2 + 0.5);
        if (column < 0 || column >= SIDE || row < 0 || row >= SIDE) return true;
        if (g->barred[row * SIDE + column] && row * SIDE + column != HOME) return false;
    }
    return true;
}

/// Breadth first over the four neighbors of each cell; returns the cell nearest to the target, of several the one
/// reached first.
static int explore(grid *g) {
    uint16_t queue[CELLS];
    int head = 0, tail = 0, best = HOME;
    for (int cell = 0; cell < CELLS; ++cell) g->from[cell] = CELLS;
    g->from[HOME] = HOME;
    queue[tail++] = HOME;
    double least = square_to_target(g, HOME);
    while (head < tail) {
        const int cell = queue[head++], column = cell % SIDE, row = cell / SIDE;
        const double square = square_to_target(g, cell);
        if (square < least) {
            least = square;
            best = cell;
        }
        const int next[4] = {column > 0 ? cell - 1 : cell, column < SIDE - 1 ? cell + 1 : cell,
                             row > 0 ? cell - SIDE : cell, row < SIDE - 1 ? cell + SIDE : cell};
        for (int i = 0; i < 4; ++i) {
            if (g->from[next[i]] != CELLS || g->barred[next[i]]) continue;
            g->from[next[i]] = (uint16_t)cell;
            queue[tail++] = (uint16_t)next[i];
        }
    }
    return best;
}

void throng_step_detour(const throng_step *step, throng_tile *tile, int lane) {
    const throng_world *world = step->world;
    const throng_agents *agents = &world->agents;
    const uint32_t row = tile->row[lane];
    const double radius = agents->radius[row];
    if (!(radius > 0.0)) return;
    grid g = {.x = agents->x[row], .y = agents->y[row], .cell = radius};
    throng_to_target(world, row, g.x, g.y, &g.target_x, &g.target_y);
    bar_walls(throng_walls_of(world, row), tile, throng_row_wall_filter(agents, row), wall_part * radius, &g);
    if (!bar_standers(step, row, &g)) return;
    if (is_straight(&g, g.target_x, g.target_y)) return;
    const int best = explore(&g);
    const double gain = sqrt(square_to_target(&g, HOME)) - sqrt(square_to_target(&g, best));
    if (!(gain > least_gain * radius)) return;
    int aim = best;
    while (g.from[aim] != HOME && !is_straight(&g, column_of(aim) * g.cell, row_of(aim) * g.cell)) aim = g.from[aim];
    const double x = column_of(aim), y = row_of(aim), length = sqrt(x * x + y * y);
    const float wish_x = tile->preferred_x[lane], wish_y = tile->preferred_y[lane];
    const double speed = sqrtf(wish_x * wish_x + wish_y * wish_y);
    tile->preferred_x[lane] = (float)(x / length * speed);
    tile->preferred_y[lane] = (float)(y / length * speed);
}
