// The line of a value in a scene's text, which the JSON parser does not keep. The text has passed the parser.
#ifndef SCENE_LINES_H
#define SCENE_LINES_H

#include "scene/place.h"

typedef struct scene_lines {
    const char *text;
    size_t size;
    // The last element found in a list at the top, from where the search for a later one goes on.
    const char *list; ///< a key of the reader's tables, compared by text
    size_t list_index;
    size_t list_offset;
    // A place whose line is known.
    size_t line_offset;
    size_t line;
} scene_lines;

void scene_lines_start(scene_lines *lines, const char *text, size_t size);

/// From 1; 0 where the text does not hold the place.
size_t scene_lines_find(scene_lines *lines, const scene_place *place);

#endif
