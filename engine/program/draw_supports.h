// The supports and moving obstacles of a scene, as shapes of a picture.
#ifndef PROGRAM_DRAW_SUPPORTS_H
#define PROGRAM_DRAW_SUPPORTS_H

#include "record/picture.h"
#include "scene/scene.h"

typedef struct support_shapes {
    picture_shape *items;
    uint32_t count;
    double (*points)[2]; ///< of all
    uint32_t point_count;
} support_shapes;

/// Where they are at a time, s: each outline with its walls on it, in the order of the scene.
bool support_shapes_make(const scene *which, double time, support_shapes *shapes, failure *why);

/// All zero is fine.
void support_shapes_free(support_shapes *shapes);

/// A point of a support's frame in the world at a time, m. `number` counts from 1; 0: the ground.
void support_to_world(const scene *which, uint32_t number, double time, double point[2]);

#endif
