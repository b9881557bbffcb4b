// Where in a scene a value stands: a chain from the value up to the root, on the reader's stack.
#ifndef SCENE_PLACE_H
#define SCENE_PLACE_H

#include <stddef.h>

typedef struct scene_place {
    const struct scene_place *parent; ///< null at the first step from the root
    const char *key;                  ///< of an object's member; null: an element
    size_t index;                     ///< of a list's element
} scene_place;

/// The path as text ("agents[3].radius"), cut to `size`. A null place is the root: "".
void scene_place_text(const scene_place *place, char *text, size_t size);

#endif
