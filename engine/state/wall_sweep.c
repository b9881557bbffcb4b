#include "state/wall_sweep.h"

#include "base/grid.h"
#include "state/wall_piece.h"
#include "state/wall_turn.h"

enum { MAX_SHORTENINGS = 4 };

// Touched is what comes nearer than this to the disc, m: half a skin beyond where it stops.
#define TOUCH (1.5 * THRONG_WALL_SKIN)

// What the check of a leg demands, m beyond the radius: half of the skin is left to the rounding.
#define LEAST_GAP (0.5 * THRONG_WALL_SKIN)

// The pieces that a disc may meet.
typedef struct surroundings {
    const throng_wall_set *set;
    const uint32_t *pieces;
    uint32_t count;
} surroundings;

// Brings those within reach to the front of the caller's list.
static surroundings gather(const throng_wall_set *set, uint32_t *pieces, uint32_t count, throng_wall_filter filter,
                           double x, double y, double reach) {
    uint32_t near = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t piece = pieces[i];
        if (!throng_wall_stops(set, piece, filter) || throng_wall_piece_squared(set, piece, x, y) > reach * reach)
            continue;
        pieces[i] = pieces[near];
        pieces[near++] = piece;
    }
    return (surroundings){set, pieces, near};
}

// Turns a displacement by what the disc touches, as little as possible. False: there is nowhere to go.
static bool turn_at(const surroundings *s, double x, double y, double radius, double dx, double dy,
                    throng_wall_turned *turned) {
    *turned = (throng_wall_turned){dx, dy, THRONG_WALL_NONE, THRONG_WALL_NONE};
    throng_wall_contacts contacts = {.count = 0};
    for (uint32_t i = 0; i < s->count; i++) {
        const throng_wall_foot foot = throng_wall_piece_foot(s->set, s->pieces[i], x, y);
        // On the piece itself no side is the right one: it may be left to either.
        if (foot.distance > radius + TOUCH || foot.distance == 0.0) continue;
        const double missing = radius + THRONG_WALL_SKIN - foot.distance;
        throng_wall_contacts_add(&contacts, &(throng_wall_contact){
                                                .nx = foot.nx,
                                                .ny = foot.ny,
                                                .least = missing,
                                                .distance = foot.distance,
                                                .piece = s->pieces[i],
                                            });
    }
    if (contacts.count == 0) return true;
    // Deep in a wall a leg gains no more than a skin. Between walls too narrow for the disc nothing can be gained on
    // both sides: then it is enough to lose nothing.
    if (!throng_wall_contacts_turn(&contacts, THRONG_WALL_SKIN, dx, dy, turned) &&
        !throng_wall_contacts_turn(&contacts, 0.0, dx, dy, turned)) {
        return false;
    }
    const double wanted = dx * dx + dy * dy;
    const double squared = turned->x * turned->x + turned->y * turned->y;
    if (squared > wanted) {
        const double scale = sqrt(wanted / squared);
        turned->x *= scale;
        turned->y *= scale;
    }
    return squared > 0.0;
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
        if (distance <= radius + TOUCH || distance > reach + length) continue;
        const double t = throng_wall_piece_contact(s->set, candidate, x, y, dx, dy, length, reach);
        if (t < first || (t == first && candidate < *piece)) {
            first = t;
            *piece = candidate;
        }
    }
    return first;
}

// By how much a place between walls too narrow for its disc may miss its distance from them, m: it must be on the grid,
// or far from the origin what a double resolves. Constant within 2^25 m, so that where a scene lies changes nothing.
static double rounding_at(double x, double y) {
    return throng_maxd(0x1p-27, 0x1p-53 * (fabs(x) + fabs(y)));
}

// The guarantee: along the whole leg every piece stays as far as the disc is wide, or as far as it was.
static bool leg_is_clear(const surroundings *s, double x, double y, double to_x, double to_y, double radius) {
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t piece = s->pieces[i];
        const double before = throng_wall_piece_foot(s->set, piece, x, y).distance;
        const double least = throng_mind(radius + LEAST_GAP, before) - rounding_at(to_x, to_y);
        const double clearance = throng_wall_piece_clearance(s->set, piece, x, y, to_x, to_y);
        if (before > 0.0 && (clearance < least || clearance == 0.0)) return false;
    }
    return true;
}

// Takes a leg, or the part of it that passes the check. Returns the part.
static double take_leg(const surroundings *s, double *x, double *y, double dx, double dy, double radius, double part) {
    for (int i = 0; i < MAX_SHORTENINGS; i++, part *= 0.5) {
        const double to_x = *x + throng_on_grid(part * dx);
        const double to_y = *y + throng_on_grid(part * dy);
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

// What part of a turned leg brings the disc past the piece that turned it, so that the wish is free again: where the
// disc's way along the wish would just pass both of the piece's ends. 1 where it is not within the leg.
static double release(const surroundings *s, const throng_wall_turned *leg, double x, double y, double radius,
                      double dx, double dy) {
    const uint32_t piece = leg->last;
    const double length = sqrt(dx * dx + dy * dy);
    const double sideways = (dx * leg->y - dy * leg->x) / length;
    const double ends[2][2] = {{s->set->segment[piece].ax, s->set->segment[piece].ay},
                               {s->set->segment[piece].bx, s->set->segment[piece].by}};
    double part = 0.0;
    for (int i = 0; i < 2; i++) {
        const double end_side = (dx * (ends[i][1] - y) - dy * (ends[i][0] - x)) / length;
        const double needed = (sideways < 0.0 ? -end_side : end_side) + radius + THRONG_WALL_SKIN;
        part = throng_maxd(part, needed / fabs(sideways));
    }
    if (!(part > 0.0 && part < 1.0)) return 1.0;
    throng_wall_turned beyond;
    const bool moves = turn_at(s, x + part * leg->x, y + part * leg->y, radius, dx, dy, &beyond);
    return moves && beyond.first == THRONG_WALL_NONE ? part : 1.0;
}

throng_wall_sweep throng_wall_sweep_disc(const throng_wall_set *set, uint32_t *pieces, uint32_t count,
                                         throng_wall_filter filter, double x, double y, double dx, double dy,
                                         double radius, throng_wall_way *way) {
    throng_wall_sweep result = {.x = x, .y = y, .piece = THRONG_WALL_NONE};
    if (way) way->count = 0;
    note_corner(way, x, y);
    const double length = sqrt(dx * dx + dy * dy);
    const surroundings s = gather(set, pieces, count, filter, x, y, throng_wall_sweep_reach(length, radius));
    if (s.count == 0) {
        result.x += throng_on_grid(dx);
        result.y += throng_on_grid(dy);
        result.dx = dx;
        result.dy = dy;
        note_corner(way, result.x, result.y);
        return result;
    }
    for (uint32_t i = 0; i < THRONG_WALL_MAX_LEGS && (dx != 0.0 || dy != 0.0); i++) {
        throng_wall_turned leg;
        uint32_t met = THRONG_WALL_NONE;
        double taken = 0.0;
        const double from_x = result.x, from_y = result.y;
        if (turn_at(&s, result.x, result.y, radius, dx, dy, &leg)) {
            double part = first_contact(&s, result.x, result.y, leg.x, leg.y, radius, &met);
            if (leg.last != THRONG_WALL_NONE) {
                part = throng_mind(part, release(&s, &leg, result.x, result.y, radius, dx, dy));
            }
            taken = take_leg(&s, &result.x, &result.y, leg.x, leg.y, radius, part);
        }
        if (i > 0 && taken > 0.0 && !leg_is_clear(&s, x, y, result.x, result.y, 0.0)) {
            // Round a corner, but the straight line between the step's two places would cut through the wall.
            result.x = from_x;
            result.y = from_y;
            taken = 0.0;
        }
        if (leg.first != THRONG_WALL_NONE || taken < 1.0) result.turned = true;
        if (result.piece == THRONG_WALL_NONE) result.piece = leg.first != THRONG_WALL_NONE ? leg.first : met;
        if (taken == 0.0) break;
        note_corner(way, result.x, result.y);
        result.dx += taken * leg.x;
        result.dy += taken * leg.y;
        dx *= 1.0 - taken;
        dy *= 1.0 - taken;
    }
    return result;
}
