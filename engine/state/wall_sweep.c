#include "state/wall_sweep.h"

#include "state/wall_piece.h"

enum { MAX_CONTACTS = 32, MAX_NEAR = 64, MAX_SHORTENINGS = 4 };

// Directions whose cross product is smaller count as parallel: far above the rounding of unit vectors.
#define PARALLEL 1e-12

// A touched piece: the displacement must go at least `least` along the direction away from it.
typedef struct contact {
    double nx, ny;
    double least;    // m
    double distance; // m
    uint32_t piece;
} contact;

typedef struct contact_list {
    contact items[MAX_CONTACTS];
    uint32_t count;
} contact_list;

static bool contact_before(const contact *a, const contact *b) {
    if (a->distance != b->distance) return a->distance < b->distance;
    return a->piece < b->piece;
}

// Keeps the list sorted, nearest first, whatever the order of insertion; the farthest falls out of a full one.
static void add_contact(contact_list *list, const contact *added) {
    uint32_t at = list->count;
    if (at == MAX_CONTACTS) {
        if (!contact_before(added, &list->items[--at])) return;
    } else {
        list->count++;
    }
    for (; at > 0 && contact_before(added, &list->items[at - 1]); at--) list->items[at] = list->items[at - 1];
    list->items[at] = *added;
}

// The displacement on the border of contact `i` that is nearest to (dx, dy) and obeys the contacts before it.
static bool turn_along(const contact_list *list, uint32_t i, double ease, double dx, double dy, double *x, double *y) {
    const contact *c = &list->items[i];
    const double least = throng_mind(c->least, ease);
    const double ex = -c->ny;
    const double ey = c->nx;
    double low = -HUGE_VAL;
    double high = HUGE_VAL;
    for (uint32_t j = 0; j < i; j++) {
        const contact *other = &list->items[j];
        const double along = other->nx * ex + other->ny * ey;
        const double missing = throng_mind(other->least, ease) - least * (other->nx * c->nx + other->ny * c->ny);
        if (along > PARALLEL) {
            low = throng_maxd(low, missing / along);
        } else if (along < -PARALLEL) {
            high = throng_mind(high, missing / along);
        } else if (missing > PARALLEL) {
            return false;
        }
    }
    if (low > high) return false;
    const double t = throng_maxd(low, throng_mind(high, dx * ex + dy * ey));
    *x = least * c->nx + t * ex;
    *y = least * c->ny + t * ey;
    return true;
}

// The displacement nearest to (dx, dy) that obeys all contacts, no contact asking for more than `ease`: the
// two-dimensional program solved contact by contact. `turner` receives the first piece that turned it.
static bool turn(const contact_list *list, double ease, double dx, double dy, double *x, double *y, uint32_t *turner) {
    *x = dx;
    *y = dy;
    *turner = THRONG_WALL_NONE;
    for (uint32_t i = 0; i < list->count; i++) {
        const contact *c = &list->items[i];
        if (c->nx * *x + c->ny * *y >= throng_mind(c->least, ease)) continue;
        if (*turner == THRONG_WALL_NONE) *turner = c->piece;
        if (!turn_along(list, i, ease, dx, dy, x, y)) return false;
    }
    return true;
}

static double least_of(double reach, double distance) {
    return throng_maxd(-0.5 * THRONG_WALL_SKIN, throng_mind(THRONG_WALL_SKIN, reach - distance));
}

// The pieces that a sweep may meet: a compact copy where they are few, as they nearly always are.
typedef struct surroundings {
    const throng_wall_set *set;
    const uint32_t *pieces;
    uint32_t count;
    uint32_t near[MAX_NEAR];
} surroundings;

static void gather(surroundings *s, const throng_wall_set *set, const uint32_t *pieces, uint32_t count, double x,
                   double y, double reach) {
    s->set = set;
    s->pieces = s->near;
    s->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (throng_wall_piece_foot(set, pieces[i], x, y).distance > reach) continue;
        if (s->count == MAX_NEAR) {
            s->pieces = pieces;
            s->count = count;
            return;
        }
        s->near[s->count++] = pieces[i];
    }
}

// Turns the displacement by what the disc touches. False: there is nowhere to go.
static bool turn_at(const surroundings *s, double x, double y, double radius, double *dx, double *dy,
                    uint32_t *turner) {
    const double reach = radius + THRONG_WALL_SKIN;
    contact_list list = {.count = 0};
    for (uint32_t i = 0; i < s->count; i++) {
        const throng_wall_foot foot = throng_wall_piece_foot(s->set, s->pieces[i], x, y);
        // On the piece itself no side is the right one: it may be left to either.
        if (foot.distance > reach + 0.5 * THRONG_WALL_SKIN || foot.distance == 0.0) continue;
        add_contact(&list, &(contact){foot.nx, foot.ny, least_of(reach, foot.distance), foot.distance, s->pieces[i]});
    }
    *turner = THRONG_WALL_NONE;
    if (list.count == 0) return true;
    double tx;
    double ty;
    // Between walls too narrow for the disc nothing can be gained on both sides: then it is enough to lose nothing.
    if (!turn(&list, THRONG_WALL_SKIN, *dx, *dy, &tx, &ty, turner) && !turn(&list, 0.0, *dx, *dy, &tx, &ty, turner)) {
        return false;
    }
    const double wanted = *dx * *dx + *dy * *dy;
    const double turned = tx * tx + ty * ty;
    const double scale = turned > wanted ? sqrt(wanted / turned) : 1.0;
    *dx = tx * scale;
    *dy = ty * scale;
    return turned > 0.0;
}

// How much of a displacement the disc travels before it meets a piece that it does not touch yet: 0 to 1.
static double first_contact(const surroundings *s, double x, double y, double dx, double dy, double radius,
                            uint32_t *piece) {
    const double reach = radius + THRONG_WALL_SKIN;
    const double length = sqrt(dx * dx + dy * dy);
    double first = 1.0;
    *piece = THRONG_WALL_NONE;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t candidate = s->pieces[i];
        const double distance = throng_wall_piece_foot(s->set, candidate, x, y).distance;
        if (distance <= reach + 0.5 * THRONG_WALL_SKIN || distance > reach + length) continue;
        const double t = throng_wall_piece_contact(s->set, candidate, x, y, dx, dy, length, reach);
        if (t < first || (t == first && candidate < *piece)) {
            first = t;
            *piece = candidate;
        }
    }
    return first;
}

// The guarantee: along the whole leg every piece stays as far as the disc is wide, or as far as it was.
static bool leg_is_clear(const surroundings *s, double x, double y, double to_x, double to_y, double radius) {
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t piece = s->pieces[i];
        const double before = throng_wall_piece_foot(s->set, piece, x, y).distance;
        const double rounding = 1e-15 * (fabs(to_x) + fabs(to_y) + s->set->length[piece]);
        const double least = throng_mind(radius + 0.5 * THRONG_WALL_SKIN, before) - rounding;
        if (before > 0.0 && throng_wall_piece_clearance(s->set, piece, x, y, to_x, to_y) < least) return false;
    }
    return true;
}

// Takes a leg, or the part of it that passes the check. Returns the part.
static double take_leg(const surroundings *s, double *x, double *y, double dx, double dy, double radius, double part) {
    for (int i = 0; i < MAX_SHORTENINGS; i++, part *= 0.5) {
        const double to_x = *x + part * dx;
        const double to_y = *y + part * dy;
        if (!leg_is_clear(s, *x, *y, to_x, to_y, radius)) continue;
        *x = to_x;
        *y = to_y;
        return part;
    }
    return 0.0;
}

static void note_corner(throng_wall_way *way, double x, double y) {
    if (!way) return;
    way->x[way->count] = x;
    way->y[way->count] = y;
    way->count++;
}

throng_wall_sweep throng_wall_sweep_disc(const throng_wall_set *set, const uint32_t *pieces, uint32_t count, double x,
                                         double y, double dx, double dy, double radius, throng_wall_way *way) {
    throng_wall_sweep result = {.x = x, .y = y, .piece = THRONG_WALL_NONE};
    if (way) way->count = 0;
    note_corner(way, x, y);
    surroundings s;
    gather(&s, set, pieces, count, x, y, throng_wall_sweep_reach(sqrt(dx * dx + dy * dy), radius));
    if (s.count == 0) {
        note_corner(way, x + dx, y + dy);
        return (throng_wall_sweep){x + dx, y + dy, dx, dy, THRONG_WALL_NONE, false};
    }
    for (uint32_t leg = 0; leg < THRONG_WALL_MAX_LEGS && (dx != 0.0 || dy != 0.0); leg++) {
        double leg_x = dx;
        double leg_y = dy;
        uint32_t turner;
        uint32_t met = THRONG_WALL_NONE;
        double taken = 0.0;
        if (turn_at(&s, result.x, result.y, radius, &leg_x, &leg_y, &turner)) {
            const double part = first_contact(&s, result.x, result.y, leg_x, leg_y, radius, &met);
            taken = take_leg(&s, &result.x, &result.y, leg_x, leg_y, radius, part);
        }
        if (turner != THRONG_WALL_NONE || taken < 1.0) result.turned = true;
        if (result.piece == THRONG_WALL_NONE) result.piece = turner != THRONG_WALL_NONE ? turner : met;
        if (taken == 0.0) break;
        note_corner(way, result.x, result.y);
        result.dx += taken * leg_x;
        result.dy += taken * leg_y;
        dx *= 1.0 - taken;
        dy *= 1.0 - taken;
    }
    return result;
}

// The deepest that the disc reaches into a piece, m; negative where it touches none.
static double deepest(const surroundings *s, double x, double y, double radius) {
    double depth = -HUGE_VAL;
    for (uint32_t i = 0; i < s->count; i++) {
        depth = throng_maxd(depth, radius - throng_wall_piece_foot(s->set, s->pieces[i], x, y).distance);
    }
    return depth;
}

throng_wall_push throng_wall_push_out(const throng_wall_set *set, const uint32_t *pieces, uint32_t count, double *x,
                                      double *y, double radius, double limit) {
    surroundings s;
    gather(&s, set, pieces, count, *x, *y, throng_wall_sweep_reach(limit, radius));
    if (deepest(&s, *x, *y, radius) <= THRONG_WALL_SKIN) return THRONG_WALL_PUSH_FREE;
    const double reach = radius + THRONG_WALL_SKIN;
    double to_x = *x;
    double to_y = *y;
    for (int leg = 0; leg < THRONG_WALL_MAX_LEGS; leg++) {
        contact_list list = {.count = 0};
        for (uint32_t i = 0; i < s.count; i++) {
            const throng_wall_foot foot = throng_wall_piece_foot(set, s.pieces[i], to_x, to_y);
            const double least = reach - foot.distance;
            if (foot.distance == 0.0 || least < -limit) continue;
            add_contact(&list, &(contact){foot.nx, foot.ny, least, foot.distance, s.pieces[i]});
        }
        double dx;
        double dy;
        uint32_t turner;
        if (!turn(&list, HUGE_VAL, 0.0, 0.0, &dx, &dy, &turner)) break;
        // Distances are convex along a straight way, so what obeys the tangents at its start passes no wall.
        if (!leg_is_clear(&s, to_x, to_y, to_x + dx, to_y + dy, 0.0)) break;
        to_x += dx;
        to_y += dy;
        const double moved_x = to_x - *x;
        const double moved_y = to_y - *y;
        if (moved_x * moved_x + moved_y * moved_y > limit * limit) break;
        if (deepest(&s, to_x, to_y, radius) > 0.0) continue;
        *x = to_x;
        *y = to_y;
        return THRONG_WALL_PUSH_MOVED;
    }
    return THRONG_WALL_PUSH_SQUEEZED;
}
