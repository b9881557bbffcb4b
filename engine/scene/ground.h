// The ground of a scene: regions and a grid of heights.
#ifndef SCENE_GROUND_H
#define SCENE_GROUND_H

#include "scene/problems.h"
#include "scene/scene.h"

#include <jansson.h>

/// The list "regions" (null: none) into the scene.
void scene_read_regions(scene *which, json_t *list, scene_problems *problems);

/// The file that "height_grid" names, an ESRI ASCII raster, into the scene.
void scene_read_height_grid(scene *which, scene_problems *problems);

/// Frees what the two read.
void scene_free_ground(scene *which);

#endif
