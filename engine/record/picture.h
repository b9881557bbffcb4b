// Pictures of a crowd: PNG or SVG, by the file's ending.
#ifndef RECORD_PICTURE_H
#define RECORD_PICTURE_H

#include "record/failure.h"
#include "record/free_space.h"

#include <stdint.h>

typedef struct picture_color {
    double red, green, blue; ///< 0 to 1
} picture_color;

typedef struct picture_agent {
    double x, y;                ///< m
    float radius;               ///< m
    float heading_x, heading_y; ///< unit, or 0 0: none is drawn
    picture_color color;
} picture_agent;

typedef enum picture_shape_kind {
    PICTURE_SHAPE_FLOOR, ///< a polygon that people stand on
    PICTURE_SHAPE_SOLID, ///< a polygon
    PICTURE_SHAPE_RING,  ///< a polygon's border
    PICTURE_SHAPE_LINE
} picture_shape_kind;

/// What stands or moves on the ground.
typedef struct picture_shape {
    picture_shape_kind kind;
    const double (*points)[2]; ///< m
    uint32_t count;
} picture_shape;

/// A way walked.
typedef struct picture_trail {
    const double (*points)[2]; ///< m
    uint32_t count;
    picture_color color;
} picture_trail;

typedef enum picture_legend {
    PICTURE_LEGEND_SPEED, ///< colours are speeds from 0 to top_speed
    PICTURE_LEGEND_GOAL   ///< colours are directions in which the agents' goals lie
} picture_legend;

typedef struct picture {
    const char *title; ///< top left
    const char *label; ///< top right: the time
    picture_legend legend;
    double top_speed;            ///< m/s
    const free_space *ground;    ///< null: the open plane
    const picture_shape *shapes; ///< drawn over the ground in their order
    const picture_trail *trails; ///< drawn over the shapes
    const picture_agent *agents; ///< drawn over the trails
    uint32_t shape_count, trail_count, agent_count;
    uint32_t size; ///< pixels, of the longer side; 0: as much as the agents need to be told apart
} picture;

/// From red at rest over amber and green to blue at the top speed.
picture_color picture_speed_color(double speed, double top_speed);

/// A hue for each direction (x, y), all equally light; gray for none.
picture_color picture_direction_color(double x, double y);

/// Draws into the file `path` (the format by `name`, the name that the user gave).
bool picture_write(const picture *of, const char *path, const char *name, failure *why);

/// Whether this build can write a picture of that name.
bool picture_name_check(const char *name, failure *why);

#endif
