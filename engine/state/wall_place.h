// Where a disc may be among walls: inside and outside, free places, lines of sight.
#ifndef THRONG_STATE_WALL_PLACE_H
#define THRONG_STATE_WALL_PLACE_H

#include "state/wall_set.h"

/// Whether (x, y) lies inside a solid or outside an enclosure that stops somebody like this. Polygons that cross
/// themselves are solid where a ray from outside has crossed them an odd number of times. On the border is neither.
bool throng_wall_place_is_solid(const throng_wall_set *set, throng_wall_filter filter, double x, double y);

/// The distance to the nearest piece that stops somebody like this, m, or `reach` where none is nearer.
double throng_wall_place_distance(const throng_wall_set *set, throng_wall_filter filter, double x, double y,
                                  double reach);

/// Whether a disc may stand here: not in a solid, and no wall nearer than its radius less THRONG_WALL_SKIN. A disc
/// without radius keeps half of that skin, so that it always has a side.
bool throng_wall_place_is_free(const throng_wall_set *set, throng_wall_filter filter, double x, double y,
                               double radius);

/// Whether a disc moves along the straight line between two places without meeting a wall. The same in both
/// directions. Whether the places are solid is not asked.
bool throng_wall_place_sees(const throng_wall_set *set, throng_wall_filter filter, const double from[2],
                            const double to[2], double radius);

/// The same, with `pieces` that hold all that come near the line and stop somebody like this.
bool throng_wall_place_sees_past(const throng_wall_set *set, const uint32_t *pieces, uint32_t count,
                                 throng_wall_filter filter, const double from[2], const double to[2], double radius);

/// How far a step looks for the nearest free place of who is within a wall or solid, m.
static const double throng_free_place_range = 1e4;

/// The free place nearest to (x, y): the place itself where it is free, else at THRONG_WALL_SKIN from the walls it
/// touches; of several as near, the one of smallest x, then y. False and unchanged where none is within `range` m.
bool throng_wall_place_find_free(const throng_wall_set *set, throng_wall_filter filter, double x, double y,
                                 double radius, double range, double place[2]);

#endif
