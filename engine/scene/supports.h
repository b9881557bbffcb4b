// The supports and obstacles of a scene, and how keyframes move them.
#ifndef SCENE_SUPPORTS_H
#define SCENE_SUPPORTS_H

#include "scene/scene.h"

#include <jansson.h>

/// Reads the lists "supports" and "obstacles" (null: none). Discs become agents behind all others.
void scene_read_supports(scene *which, json_t *list, scene_problems *problems);
void scene_read_obstacles(scene *which, json_t *list, scene_problems *problems);

void scene_free_supports(scene *which);

/// The support that `key` of an agent names, which must be a library's id once the world is built: an index alone.
/// False: a problem was told.
bool scene_read_support_name(const scene *which, json_t *agent, const char *key, throng_support_id *id,
                             const scene_place *place, scene_problems *problems);

/// Gives the world its supports. False: throng_last_error says why.
bool scene_add_supports(const scene *which, scene_world *built);

#endif
