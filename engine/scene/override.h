// PATH=VALUE: a value of a scene replaced from the command line.
#ifndef SCENE_OVERRIDE_H
#define SCENE_OVERRIDE_H

#include "scene/problems.h"

#include <jansson.h>

/// Sets the value at PATH ("duration", "profiles.default.radius", "agents[3].goal") in `root`. VALUE is JSON, or else
/// a text as it stands. Members that are not there yet are added, also objects on the way; elements of lists must
/// exist. Whether keys and values make sense is the reader's to say.
bool scene_override(json_t *root, const char *assignment, scene_problems *problems);

#endif
