#include "scene/problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The override that set the value at `path` or something around it; null where the file did.
static const char *override_of(const scene_problems *problems, const char *path) {
    for (size_t i = problems->override_count; i > 0; i--) {
        const char *override = problems->overrides[i - 1];
        size_t length = strcspn(override, "=");
        bool within = strncmp(path, override, length) == 0;
        if (within && (path[length] == '\0' || path[length] == '.' || path[length] == '[')) return override;
    }
    return NULL;
}

static void keep(scene_problems *problems, scene_severity severity, const char *text) {
    if (problems->count == problems->capacity) {
        size_t capacity = problems->capacity ? 2 * problems->capacity : 16;
        scene_problem *items = realloc(problems->items, capacity * sizeof *items);
        if (!items) {
            problems->out_of_memory = true;
            return;
        }
        problems->items = items;
        problems->capacity = capacity;
    }
    char *copy = strdup(text);
    if (!copy) {
        problems->out_of_memory = true;
        return;
    }
    problems->items[problems->count++] = (scene_problem){severity, copy};
}

bool scene_problem_add(scene_problems *problems, scene_severity severity, const scene_place *place, const char *format,
                       ...) {
    problems->error_count += severity == SCENE_ERROR;
    char path[256], text[1024];
    scene_place_text(place, path, sizeof path);
    const char *override = place ? override_of(problems, path) : NULL;
    size_t line = override || !place ? 0 : scene_lines_find(&problems->lines, place);
    size_t used;
    if (override) {
        used = (size_t)snprintf(text, sizeof text, "--set %.200s: ", override);
    } else if (line > 0) {
        used = (size_t)snprintf(text, sizeof text, "%.400s, line %zu: ", problems->file, line);
    } else {
        used = (size_t)snprintf(text, sizeof text, "%.400s: ", problems->file);
    }
    if (place) used += (size_t)snprintf(text + used, sizeof text - used, "%s: ", path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    keep(problems, severity, text);
    return false;
}

bool scene_problem_add_memory(scene_problems *problems, const scene_place *place) {
    problems->out_of_memory = true;
    return scene_problem_add(problems, SCENE_ERROR, place, "no memory");
}

void scene_problems_free(scene_problems *problems) {
    for (size_t i = 0; i < problems->count; i++) free(problems->items[i].text);
    free(problems->items);
    *problems = (scene_problems){0};
}
