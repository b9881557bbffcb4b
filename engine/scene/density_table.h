// "density_response" where it is a table: [[people per square metre, part of the speed], ...].
#ifndef SCENE_DENSITY_TABLE_H
#define SCENE_DENSITY_TABLE_H

#include "scene/problems.h"
#include "scene/scene.h"

#include <jansson.h>

/// Reads the table of a profile or agent, if it has one, into the scene's and names it in `response`; equal tables are
/// kept once. False where it is wrong.
bool scene_read_density_table(json_t *object, scene *of, uint32_t *response, const scene_place *place,
                              scene_problems *problems);

#endif
