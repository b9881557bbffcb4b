// Half-planes of walls against what they mean, in double: a velocity is forbidden when the body's disc, moving at it
// for the horizon, comes nearer to the piece than its radius.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/program_tile.h"

typedef struct walls_tile {
    tile_row sx, sy, ux, uy, to_a, to_b, a_dx, a_dy, b_dx, b_dy, self_vx, self_vy, radius, horizon;
    tile_row_int count, chain, flags;
} walls_tile;

typedef struct piece {
    double ax, ay, bx, by; // relative to the agent
    double a_dx, a_dy, b_dx, b_dy;
    int chain, flags;
} piece;

typedef struct walker {
    double vx, vy, radius, horizon, preferred_x, preferred_y, max_speed;
} walker;

static walls_tile walls;
static program_tile program;
static program_answer answer;

static void put_piece(int slot, int lane, const piece *p) {
    const int at = slot * THRONG_LANES + lane;
    const double length = hypot(p->bx - p->ax, p->by - p->ay);
    const double ux = length > 0 ? (p->bx - p->ax) / length : 0, uy = length > 0 ? (p->by - p->ay) / length : 0;
    const double along = fmin(fmax(-p->ax * ux - p->ay * uy, 0), length);
    walls.sx.at[at] = (float)(p->ax + along * ux);
    walls.sy.at[at] = (float)(p->ay + along * uy);
    walls.ux.at[at] = (float)ux;
    walls.uy.at[at] = (float)uy;
    walls.to_a.at[at] = (float)-along;
    walls.to_b.at[at] = (float)(length - along);
    walls.a_dx.at[at] = (float)p->a_dx;
    walls.a_dy.at[at] = (float)p->a_dy;
    walls.b_dx.at[at] = (float)p->b_dx;
    walls.b_dy.at[at] = (float)p->b_dy;
    walls.chain.at[at] = p->chain;
    walls.flags.at[at] = p->flags;
}

static void put_walker(int lane, const walker *w, int count) {
    walls.count.at[lane] = count;
    walls.self_vx.at[lane] = program.reach_vx.at[lane] = (float)w->vx;
    walls.self_vy.at[lane] = program.reach_vy.at[lane] = (float)w->vy;
    walls.radius.at[lane] = (float)w->radius;
    walls.horizon.at[lane] = (float)w->horizon;
    program.preferred_vx.at[lane] = (float)w->preferred_x;
    program.preferred_vy.at[lane] = (float)w->preferred_y;
    program.max_speed.at[lane] = (float)w->max_speed;
    program.reach_radius.at[lane] = INFINITY;
}

// Half-planes of all lanes, and the program of walls alone.
static void solve(int slots) {
    const throng_kernels *kernels = throng_kernels_select(NULL);
    const throng_walls_input in = {
        slots,          walls.count.at, walls.sx.at,      walls.sy.at,      walls.ux.at,     walls.uy.at,
        walls.to_a.at,  walls.to_b.at,  walls.a_dx.at,    walls.a_dy.at,    walls.b_dx.at,   walls.b_dy.at,
        walls.chain.at, walls.flags.at, walls.self_vx.at, walls.self_vy.at, walls.radius.at, walls.horizon.at};
    kernels->wall_planes(&in, planes_of(&program.planes));
    program.wall_slots = program.slot_count = slots;
    solve_tile(kernels, &program, &answer);
}

static double point_to_segment(double x, double y, double ax, double ay, double bx, double by) {
    const double dx = bx - ax, dy = by - ay, squared = dx * dx + dy * dy;
    const double part = squared > 0 ? fmin(fmax(((x - ax) * dx + (y - ay) * dy) / squared, 0), 1) : 0;
    return hypot(ax + part * dx - x, ay + part * dy - y);
}

// How near the centre of a body comes to a piece, moving at (vx, vy) for the horizon.
static double least_distance(const piece *p, double vx, double vy, double horizon) {
    const double x = vx * horizon, y = vy * horizon;
    const double from_a = x * p->ay - y * p->ax, from_b = x * p->by - y * p->bx;
    const double dx = p->bx - p->ax, dy = p->by - p->ay;
    const double start = -dx * p->ay + dy * p->ax, end = dx * (y - p->ay) - dy * (x - p->ax);
    if (from_a * from_b < 0 && start * end < 0) return 0;
    return fmin(
        fmin(point_to_segment(0, 0, p->ax, p->ay, p->bx, p->by), point_to_segment(x, y, p->ax, p->ay, p->bx, p->by)),
        fmin(point_to_segment(p->ax, p->ay, 0, 0, x, y), point_to_segment(p->bx, p->by, 0, 0, x, y)));
}

static int forbidden(const piece *pieces, int count, const walker *w, double vx, double vy) {
    for (int i = 0; i < count; i++) {
        if (least_distance(pieces + i, vx, vy, w->horizon) < w->radius) return 1;
    }
    return 0;
}

static walker random_walker(void) {
    const double angle = 6.2831853 * random_unit(), speed = random_between(0, 2);
    return (walker){speed * cos(angle),
                    speed * sin(angle),
                    random_between(0.1, 0.5),
                    random_between(0.4, 2),
                    random_between(-2, 2),
                    random_between(-2, 2),
                    2.5};
}

// One piece by itself is convex: its half-plane is a tangent of the obstacle, at the point nearest to the velocity.
static void test_single_piece(void **state) {
    (void)state;
    int inside = 0, outside = 0, touching = 0;
    for (int n = 0; n < 20000; n++) {
        const walker w = random_walker();
        piece p = {.ax = random_between(-3, 3), .ay = random_between(-3, 3)};
        const int point = n % 10 == 0;
        p.bx = point ? p.ax : random_between(-3, 3);
        p.by = point ? p.ay : random_between(-3, 3);
        put_walker(0, &w, 1);
        put_piece(0, 0, &p);
        solve(1);
        const double nx = program.planes.nx.at[0], ny = program.planes.ny.at[0], c = program.planes.c.at[0];
        if (point_to_segment(0, 0, p.ax, p.ay, p.bx, p.by) <= w.radius * 1.0001) {
            // Whoever touches may rest, and leave, but not go nearer.
            assert_true(c == 0);
            touching++;
            continue;
        }
        const double depth = c - nx * w.vx - ny * w.vy;
        const int is_inside = forbidden(&p, 1, &w, w.vx, w.vy);
        is_inside ? inside++ : outside++;
        if (is_inside != (depth > 0)) fail_msg("piece %d: forbidden %d, depth %.9g", n, is_inside, depth);
        const double grazes = least_distance(&p, w.vx + depth * nx, w.vy + depth * ny, w.horizon);
        if (!(fabs(grazes - w.radius) < 1e-4)) fail_msg("piece %d: grazes at %.9g of %.9g", n, grazes, w.radius);
        for (int turn = 0; turn < 32; turn++) {
            const double part = 0.99 * fabs(depth) - 1e-4;
            const double vx = w.vx + part * cos(turn * 0.19635), vy = w.vy + part * sin(turn * 0.19635);
            if (part > 0 && forbidden(&p, 1, &w, vx, vy) != is_inside) {
                fail_msg("piece %d: a correction of %.9g would do, not %.9g", n, part, depth);
            }
            // A tangent of a convex obstacle allows nothing of it.
            const double x = random_between(-3, 3), y = random_between(-3, 3);
            if (nx * x + ny * y > c + 1e-4 && forbidden(&p, 1, &w, x, y)) {
                fail_msg("piece %d: (%.9g, %.9g) is allowed, and hits", n, x, y);
            }
        }
    }
    assert_true(inside > 1000 && outside > 1000 && touching > 300);
}

enum { CHAIN = 100 };

static int by_distance(const void *a, const void *b) {
    const piece *p = a, *q = b;
    const double p_distance = point_to_segment(0, 0, p->ax, p->ay, p->bx, p->by);
    const double q_distance = point_to_segment(0, 0, q->ax, q->ay, q->bx, q->by);
    return (p_distance > q_distance) - (p_distance < q_distance);
}

// The nearest pieces, as the engine picks them.
static int put_nearest(int lane, piece *pieces, int count) {
    qsort(pieces, (size_t)count, sizeof *pieces, by_distance);
    const int used = count < THRONG_WALL_SLOTS ? count : THRONG_WALL_SLOTS;
    for (int slot = 0; slot < used; slot++) put_piece(slot, lane, pieces + slot);
    return used;
}

// A chain through the points, which are relative to the agent. Returns the number of pieces.
static int make_chain(double (*points)[2], int count, int closed, int flags, piece *pieces) {
    const int pieces_count = closed ? count : count - 1;
    for (int i = 0; i < pieces_count; i++) {
        const double *a = points[i], *b = points[(i + 1) % count];
        pieces[i] = (piece){.ax = a[0], .ay = a[1], .bx = b[0], .by = b[1], .chain = 7, .flags = flags};
    }
    for (int i = 0; i < pieces_count; i++) {
        piece *p = pieces + i;
        if (closed || i > 0) {
            const piece *q = pieces + (i + pieces_count - 1) % pieces_count;
            const double length = hypot(q->bx - q->ax, q->by - q->ay);
            p->flags |= THRONG_WALL_JOINED_A;
            p->a_dx = (q->ax - q->bx) / length;
            p->a_dy = (q->ay - q->by) / length;
        }
        if (closed || i < pieces_count - 1) {
            const piece *q = pieces + (i + 1) % pieces_count;
            const double length = hypot(q->bx - q->ax, q->by - q->ay);
            p->flags |= THRONG_WALL_JOINED_B;
            p->b_dx = (q->bx - q->ax) / length;
            p->b_dy = (q->by - q->ay) / length;
        }
    }
    return pieces_count;
}

static void test_straight_chain(void **state) {
    (void)state;
    static double points[CHAIN + 1][2];
    static piece pieces[CHAIN];
    int bound = 0;
    double worst = 0;
    for (int n = 0; n < 20000; n++) {
        walker w = random_walker();
        w.horizon = random_between(0.2, 1);
        const double angle = 6.2831853 * random_unit(), length = random_between(20, 40);
        const double away = w.radius + (n % 3 ? random_between(0, 2) : 1e-5);
        const double from = n % 2 ? -length * random_unit() : random_between(-1, 1);
        for (int i = 0; i <= CHAIN; i++) {
            const double along = from + length * i / CHAIN;
            points[i][0] = along * cos(angle) - away * sin(angle);
            points[i][1] = along * sin(angle) + away * cos(angle);
        }
        const piece whole = {.ax = points[0][0], .ay = points[0][1], .bx = points[CHAIN][0], .by = points[CHAIN][1]};
        const int count = make_chain(points, CHAIN + 1, 0, 0, pieces);
        memset(&walls, 0, sizeof walls);
        put_walker(0, &w, put_nearest(0, pieces, count));
        put_walker(1, &w, 1);
        put_piece(0, 1, &whole);
        solve(THRONG_WALL_SLOTS);
        const double difference = hypot(answer.vx.at[0] - answer.vx.at[1], answer.vy.at[0] - answer.vy.at[1]);
        if (!(difference <= 2e-6 / w.horizon)) {
            fail_msg(
                "wall %d, agent at %.9g of it (radius %.9g), velocity (%.9g, %.9g), wish (%.9g, %.9g): (%.9g, %.9g) "
                "by the chain, (%.9g, %.9g) by the whole",
                n, away, w.radius, w.vx, w.vy, w.preferred_x, w.preferred_y, answer.vx.at[0], answer.vy.at[0],
                answer.vx.at[1], answer.vy.at[1]);
        }
        worst = fmax(worst, difference * w.horizon);
        bound += hypot(answer.vx.at[1] - w.preferred_x, answer.vy.at[1] - w.preferred_y) > 1e-3;
    }
    print_message("a chain of %d pieces is one piece to %.2g m\n", CHAIN, worst);
    assert_true(bound > 2000);
}

// A square pillar is convex, and so is its obstacle: a velocity inside it leaves by the nearest way, with one
// half-plane or with others that agree.
static void test_pillar(void **state) {
    (void)state;
    int inside = 0, around = 0;
    for (int n = 0; n < 20000; n++) {
        const walker w = random_walker();
        const double angle = 6.2831853 * random_unit(), half = random_between(0.1, 1);
        const double cx = random_between(-3, 3), cy = random_between(-3, 3);
        double points[4][2];
        for (int i = 0; i < 4; i++) {
            points[i][0] = cx + half * cos(angle + i * 1.5707963267948966);
            points[i][1] = cy + half * sin(angle + i * 1.5707963267948966);
        }
        if (hypot(cx, cy) < half + w.radius + 0.01) continue;
        piece pieces[4];
        make_chain(points, 4, 1, THRONG_WALL_SOLID_LEFT, pieces);
        put_walker(0, &w, 4);
        for (int slot = 0; slot < 4; slot++) put_piece(slot, 0, pieces + slot);
        solve(4);
        if (!forbidden(pieces, 4, &w, w.vx, w.vy)) continue;
        inside++;
        double most = 0;
        for (int slot = 0; slot < 4; slot++) {
            const int at = slot * THRONG_LANES;
            const double nx = program.planes.nx.at[at], ny = program.planes.ny.at[at];
            most = fmax(most, program.planes.c.at[at] - nx * w.vx - ny * w.vy);
        }
        double least = INFINITY; // the nearest way out, by rings of growing radius
        for (double part = 0.002; part < 4 && !isfinite(least); part += 0.002) {
            for (int turn = 0; turn < 128; turn++) {
                const double a = turn * 0.04908738521;
                if (!forbidden(pieces, 4, &w, w.vx + part * cos(a), w.vy + part * sin(a))) least = part;
            }
        }
        if (!(fabs(most - least) < 0.004 + 0.02 * least)) {
            fail_msg("pillar %d: leaves by %.9g m/s, the nearest way is %.9g", n, most, least);
        }
        around += answer.vx.at[0] * cx + answer.vy.at[0] * cy > 0;
    }
    assert_true(inside > 500 && around > 100);
}

// The corner of a room: both walls hold, and who stands in it may rest.
static void test_room_corner(void **state) {
    (void)state;
    for (int n = 0; n < 5000; n++) {
        walker w = random_walker();
        w.preferred_x = 3;
        w.preferred_y = 3;
        const double x = w.radius + (n % 2 ? random_between(0, 1) : 0), y = w.radius + random_between(0, 1);
        double points[4][2] = {{x - 8, y - 8}, {x, y - 8}, {x, y}, {x - 8, y}};
        piece pieces[4];
        make_chain(points, 4, 1, THRONG_WALL_SOLID_RIGHT, pieces);
        put_walker(0, &w, 4);
        for (int slot = 0; slot < 4; slot++) put_piece(slot, 0, pieces + slot);
        solve(4);
        const double vx = answer.vx.at[0], vy = answer.vy.at[0];
        if (!(vx * w.horizon <= x - w.radius + 1e-5 && vy * w.horizon <= y - w.radius + 1e-5)) {
            fail_msg("corner %d at (%.9g, %.9g), velocity (%.9g, %.9g), horizon %.9g: (%.9g, %.9g) enters a wall", n, x,
                     y, w.vx, w.vy, w.horizon, vx, vy);
        }
        for (int slot = 0; slot < 4; slot++) assert_true(program.planes.c.at[slot * THRONG_LANES] <= 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_piece),
        cmocka_unit_test(test_straight_chain),
        cmocka_unit_test(test_pillar),
        cmocka_unit_test(test_room_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
