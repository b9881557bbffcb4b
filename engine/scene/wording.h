// Wording of messages: ranges, lists of words, the nearest known word.
#ifndef SCENE_WORDING_H
#define SCENE_WORDING_H

#include "scene/keys.h"

/// What a number out of range must be: "> 0", ">= 0", "from 0 to 255".
void scene_range_text(const scene_key *key, double value, char *text, size_t size);

/// "\"move\" or \"refuse\"".
void scene_words_text(const char *const *words, char *text, size_t size);

/// The known word nearest to a misspelt one, or null where none is near. `next` gives the known words one after the
/// other and null at the end.
const char *scene_nearest_word(const char *word, const char *(*next)(void *context), void *context);

#endif
