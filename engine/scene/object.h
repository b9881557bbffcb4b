// JSON values -> C values by the tables of keys, with a problem for everything that is wrong.
#ifndef SCENE_OBJECT_H
#define SCENE_OBJECT_H

#include "scene/keys.h"
#include "scene/problems.h"

#include <jansson.h>

/// Reads the members of `object` into `target` by one or two tables (`more` may be null). Unknown and missing keys are
/// problems; PARTs are left to the caller. False where anything was wrong.
bool scene_read_object(json_t *object, const scene_key *keys, const scene_key *more, void *target,
                       const scene_place *place, scene_problems *problems);

/// One value into `target` + the key's offset. False where it is wrong.
bool scene_read_value(json_t *value, const scene_key *key, void *target, const scene_place *place,
                      scene_problems *problems);

/// A list of [x, y] of at least `least` points within +-`reach` m, as x0 y0 x1 y1 ...; the caller frees.
bool scene_read_points(json_t *list, uint32_t least, double reach, double **points, uint32_t *count,
                       const scene_place *place, scene_problems *problems);

/// A wall of a list of walls, points owned by the caller, also of a wrong one.
bool scene_read_wall(json_t *object, throng_wall *wall, const scene_place *place, scene_problems *problems);

/// "a text", "a number" ...: what a value is, for messages.
const char *scene_json_kind(const json_t *value);

#endif
