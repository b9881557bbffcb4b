#include "state/wall_piece.h"

// When the place (wx, wy), seen from a point, comes within `reach` of it.
static double point_contact(double wx, double wy, double dx, double dy, double length, double reach) {
    const double toward = wx * dx + wy * dy;
    if (!(toward < 0.0)) return 2.0;
    // Factors instead of differences of squares: they keep their digits where the disc only just touches.
    const double across = fabs(wx * dy - wy * dx);
    const double margin = length * reach - across;
    if (margin < 0.0) return 2.0;
    const double root = sqrt(margin * (length * reach + across));
    const double distance = sqrt(wx * wx + wy * wy);
    const double gap = (distance - reach) * (distance + reach);
    return throng_maxd(gap, 0.0) / (root - toward);
}

double throng_wall_piece_contact(const throng_wall_set *set, uint32_t piece, double x, double y, double dx, double dy,
                                 double length, double reach) {
    const double wx = x - set->segment[piece].ax;
    const double wy = y - set->segment[piece].ay;
    const double ux = set->segment[piece].ux;
    const double uy = set->segment[piece].uy;
    const double side = ux * wy - uy * wx;
    const double side_speed = ux * dy - uy * dx;
    if (fabs(side) > reach) {
        // Ends lie within the band around the line, so nothing is touched before the band is entered.
        if (!(side * side_speed < 0.0)) return 2.0;
        const double entry = (fabs(side) - reach) / fabs(side_speed);
        if (entry > 1.0) return 2.0;
        const double along = ux * wx + uy * wy + entry * (ux * dx + uy * dy);
        if (along >= 0.0 && along <= set->segment[piece].length) return entry;
    }
    const double first = point_contact(wx, wy, dx, dy, length, reach);
    const double second = point_contact(x - set->segment[piece].bx, y - set->segment[piece].by, dx, dy, length, reach);
    const double contact = throng_mind(first, second);
    return contact <= 1.0 ? contact : 2.0;
}

// The distance of a point from the way, both seen from the way's start.
static double way_distance(double wx, double wy, double dx, double dy, double squared) {
    const double along = wx * dx + wy * dy;
    const double t = along <= 0.0 ? 0.0 : along >= squared ? 1.0 : along / squared;
    const double ex = wx - t * dx;
    const double ey = wy - t * dy;
    return sqrt(ex * ex + ey * ey);
}

double throng_wall_piece_clearance(const throng_wall_set *set, uint32_t piece, double x, double y, double to_x,
                                   double to_y) {
    const double dx = to_x - x;
    const double dy = to_y - y;
    const double ax = set->segment[piece].ax - x;
    const double ay = set->segment[piece].ay - y;
    const double bx = set->segment[piece].bx - x;
    const double by = set->segment[piece].by - y;
    const double from = throng_wall_piece_side(set, piece, x, y);
    const double to = throng_wall_piece_side(set, piece, to_x, to_y);
    if (from * to < 0.0 && (dx * ay - dy * ax) * (dx * by - dy * bx) < 0.0) return 0.0;
    const double squared = dx * dx + dy * dy;
    const double start = throng_wall_piece_foot(set, piece, x, y).distance;
    const double end = throng_wall_piece_foot(set, piece, to_x, to_y).distance;
    const double at_a = way_distance(ax, ay, dx, dy, squared);
    const double at_b = way_distance(bx, by, dx, dy, squared);
    return throng_mind(throng_mind(start, end), throng_mind(at_a, at_b));
}
