// The doors of a scene: given one by one, or found between its walls.
#ifndef SCENE_DOORS_H
#define SCENE_DOORS_H

#include "scene/scene.h"

#include <jansson.h>

/// Reads the list of "doors"; nothing where the value is none.
void scene_read_doors(scene *which, json_t *value, scene_problems *problems);

/// Gives the world its doors. False: throng_last_error says why.
bool scene_set_doors(const scene *which, scene_world *built);

#endif
