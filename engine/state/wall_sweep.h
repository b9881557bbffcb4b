// The way of a disc among walls: where it really gets, at any speed and time step.
//
// The way is a few straight legs. A leg first turns the wanted displacement as little as the walls that the disc
// touches demand, then ends where the next wall is met. Every leg is checked as a whole before it is taken, by exact
// distances between straight lines and not by the formulas that proposed it: that check alone carries the guarantee
// that no wall is ever entered or crossed.
#ifndef THRONG_STATE_WALL_SWEEP_H
#define THRONG_STATE_WALL_SWEEP_H

#include "state/wall_set.h"

/// A disc that meets a wall stops this much before it, m: far above the rounding of places within 1e8 m of the origin.
#define THRONG_WALL_SKIN 1e-6

enum { THRONG_WALL_MAX_LEGS = 8 };

typedef struct throng_wall_sweep {
    double x, y;    // where the disc ends, m
    double dx, dy;  // the displacement that became of the wanted one, before rounding to places, m
    uint32_t piece; // the first piece that turned or ended the way, THRONG_WALL_NONE where the way was free
    bool turned;    // the way was turned or shortened
} throng_wall_sweep;

/// The corners of a way, its start and end included.
typedef struct throng_wall_way {
    uint32_t count;
    double x[THRONG_WALL_MAX_LEGS + 1], y[THRONG_WALL_MAX_LEGS + 1]; // m
} throng_wall_way;

/// Moves a disc from (x, y) by the displacement (dx, dy), m. The length of the way is at most that of the
/// displacement. `pieces`, in any order, must hold all within throng_wall_sweep_reach of (x, y) that stop
/// somebody like this; more do not matter. The list is reordered, nothing is lost from it. `way` may be null.
///
/// Where the disc starts clear of a piece (distance >= radius) its distance stays >= radius; where it starts closer, it
/// never comes closer still, and may leave; both to within 1e-8 m. No disc ever crosses a piece, nor does the straight
/// line from the start to the end. Every corner of the way is a whole number of grid steps (base/grid.h) from the
/// start.
throng_wall_sweep throng_wall_sweep_disc(const throng_wall_set *set, uint32_t *pieces, uint32_t count,
                                         throng_wall_filter filter, double x, double y, double dx, double dy,
                                         double radius, throng_wall_way *way);

/// How far around its start a swept disc heeds walls, m, for a displacement of length `length`.
static inline double throng_wall_sweep_reach(double length, double radius) {
    return length + radius + 4.0 * THRONG_WALL_SKIN;
}

#endif
