#include "program/draw_supports.h"

#include <math.h>
#include <stdlib.h>

typedef struct frame {
    double origin[2], heading[2];
} frame;

static frame frame_of(const scene_support *support, double time) {
    frame of;
    double angle;
    scene_support_place(support, time, of.origin, &angle);
    throng_direction(fmod(angle, 360.0), of.heading);
    return of;
}

static void to_world(const frame *from, const double own[2], double world[2]) {
    world[0] = from->origin[0] + from->heading[0] * own[0] - from->heading[1] * own[1];
    world[1] = from->origin[1] + from->heading[1] * own[0] + from->heading[0] * own[1];
}

void support_to_world(const scene *which, uint32_t number, double time, double point[2]) {
    if (number == 0) return;
    const frame from = frame_of(&which->supports[number - 1], time);
    const double own[2] = {point[0], point[1]};
    to_world(&from, own, point);
}

static void add(support_shapes *shapes, picture_shape_kind kind, const frame *from, const double *points,
                uint32_t count) {
    double(*to)[2] = shapes->points + shapes->point_count;
    for (uint32_t i = 0; i < count; i++) to_world(from, points + 2 * (size_t)i, to[i]);
    shapes->items[shapes->count++] = (picture_shape){kind, (const double(*)[2])to, count};
    shapes->point_count += count;
}

static void add_support(support_shapes *shapes, const scene_support *support, double time) {
    static const picture_shape_kind kinds[] = {
        [THRONG_WALL_SOLID] = PICTURE_SHAPE_SOLID,
        [THRONG_WALL_ENCLOSURE] = PICTURE_SHAPE_RING,
        [THRONG_WALL_LINE] = PICTURE_SHAPE_LINE,
    };
    const frame from = frame_of(support, time);
    if (support->outline_count) add(shapes, PICTURE_SHAPE_FLOOR, &from, support->outline, support->outline_count);
    for (uint32_t i = 0; i < support->wall_count; i++) {
        const throng_wall *wall = &support->walls[i];
        add(shapes, kinds[wall->kind], &from, wall->points, wall->point_count);
    }
}

bool support_shapes_make(const scene *which, double time, support_shapes *shapes, failure *why) {
    size_t count = 0, points = 0;
    for (uint32_t i = 0; i < which->support_count; i++) {
        const scene_support *support = &which->supports[i];
        count += 1 + (size_t)support->wall_count;
        points += support->outline_count;
        for (uint32_t wall = 0; wall < support->wall_count; wall++) points += support->walls[wall].point_count;
    }
    *shapes = (support_shapes){.items = malloc((count + 1) * sizeof *shapes->items),
                               .points = malloc((points + 1) * sizeof *shapes->points)};
    if (!shapes->items || !shapes->points) {
        support_shapes_free(shapes);
        return fail(why, "out of memory");
    }
    for (uint32_t i = 0; i < which->support_count; i++) add_support(shapes, &which->supports[i], time);
    return true;
}

void support_shapes_free(support_shapes *shapes) {
    free(shapes->items);
    free(shapes->points);
    *shapes = (support_shapes){0};
}
