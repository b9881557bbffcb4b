// The geometry of one piece, in double: how far, which way, and when a moving disc meets it.
#ifndef THRONG_STATE_WALL_PIECE_H
#define THRONG_STATE_WALL_PIECE_H

#include "base/scalar.h"
#include "state/wall_set.h"

/// How a place lies to a piece: the distance to its nearest point and the unit direction from there to the place.
/// On the piece itself the direction is zero.
typedef struct throng_wall_foot {
    double distance; // m
    double nx, ny;
} throng_wall_foot;

/// Positive when (x, y) lies to the left of the piece's line, m for pieces with a length.
static inline double throng_wall_piece_side(const throng_wall_set *set, uint32_t piece, double x, double y) {
    return set->segment[piece].ux * (y - set->segment[piece].ay) -
           set->segment[piece].uy * (x - set->segment[piece].ax);
}

static inline throng_wall_foot throng_wall_piece_foot(const throng_wall_set *set, uint32_t piece, double x, double y) {
    const double wx = x - set->segment[piece].ax;
    const double wy = y - set->segment[piece].ay;
    const double ux = set->segment[piece].ux;
    const double uy = set->segment[piece].uy;
    const double along = wx * ux + wy * uy;
    if (along > 0.0 && along < set->segment[piece].length) {
        const double side = ux * wy - uy * wx;
        if (side > 0.0) return (throng_wall_foot){side, -uy, ux};
        if (side < 0.0) return (throng_wall_foot){-side, uy, -ux};
        return (throng_wall_foot){0.0, 0.0, 0.0};
    }
    const double ex = along > 0.0 ? x - set->segment[piece].bx : wx;
    const double ey = along > 0.0 ? y - set->segment[piece].by : wy;
    const double distance = sqrt(ex * ex + ey * ey);
    if (!(distance > 0.0)) return (throng_wall_foot){0.0, 0.0, 0.0};
    return (throng_wall_foot){distance, ex / distance, ey / distance};
}

/// The square of the distance alone, m²: the foot's without root or quotient.
static inline double throng_wall_piece_squared(const throng_wall_set *set, uint32_t piece, double x, double y) {
    const double wx = x - set->segment[piece].ax;
    const double wy = y - set->segment[piece].ay;
    const double ux = set->segment[piece].ux;
    const double uy = set->segment[piece].uy;
    const double along = wx * ux + wy * uy;
    if (along > 0.0 && along < set->segment[piece].length) {
        const double side = ux * wy - uy * wx;
        return side * side;
    }
    const double ex = along > 0.0 ? x - set->segment[piece].bx : wx;
    const double ey = along > 0.0 ? y - set->segment[piece].by : wy;
    return ex * ex + ey * ey;
}

/// When a disc of radius `reach` around (x, y), outside the piece, first touches it on its way along (dx, dy) of length
/// `length`: 0 to 1, or 2 for never.
double throng_wall_piece_contact(const throng_wall_set *set, uint32_t piece, double x, double y, double dx, double dy,
                                 double length, double reach);

/// The least distance between a piece and the straight way from (x, y) to (to_x, to_y); 0 where they cross.
double throng_wall_piece_clearance(const throng_wall_set *set, uint32_t piece, double x, double y, double to_x,
                                   double to_y);

#endif
