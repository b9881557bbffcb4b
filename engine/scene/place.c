#include "scene/place.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool plain(const char *key) {
    for (const char *c = key; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (!letter && *c != '_' && *c != '-') return false;
    }
    return *key != '\0';
}

void scene_place_text(const scene_place *place, char *text, size_t size) {
    if (!place) {
        text[0] = '\0';
        return;
    }
    scene_place_text(place->parent, text, size);
    size_t used = strlen(text);
    if (!place->key) {
        snprintf(text + used, size - used, "[%zu]", place->index);
    } else if (plain(place->key)) {
        snprintf(text + used, size - used, "%s%s", used ? "." : "", place->key);
    } else {
        snprintf(text + used, size - used, "[\"%s\"]", place->key);
    }
}
