#include "scene/override.h"

#include "scene/object.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 128 };

// One step of a path: a member's key, or an element's index where `key` is empty.
typedef struct step {
    char key[KEY_MAX];
    size_t index;
} step;

// Takes the next step off `*at`, which ends at '='. False: not a path.
static bool next_step(const char **at, const char *end, bool first, step *taken) {
    const char *from = *at;
    *taken = (step){0};
    if (*from == '[') {
        char *after;
        if (from[1] < '0' || from[1] > '9') return false;
        taken->index = (size_t)strtoull(from + 1, &after, 10);
        *at = after + 1;
        return *after == ']' && *at <= end;
    }
    if (!first) {
        if (*from != '.') return false;
        from++;
    }
    size_t length = strcspn(from, ".[=");
    if (length == 0 || length >= KEY_MAX || from + length > end) return false;
    memcpy(taken->key, from, length);
    *at = from + length;
    return true;
}

// New reference; null for lack of memory.
static json_t *value_of(const char *text) {
    json_error_t error; // not told: what is no JSON is a text
    json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
    return value ? value : json_string(text);
}

// The step's member or element, or null where there is none.
static json_t *child_of(json_t *parent, const step *taken) {
    return taken->key[0] ? json_object_get(parent, taken->key) : json_array_get(parent, taken->index);
}

static bool refuse(scene_problems *problems, const char *assignment, const char *why) {
    return scene_problem_add(problems, SCENE_ERROR, NULL, "--set %.200s: %s", assignment, why);
}

bool scene_override(json_t *root, const char *assignment, scene_problems *problems) {
    const char *equals = strchr(assignment, '='), *at = assignment;
    if (!equals) return refuse(problems, assignment, "must be PATH=VALUE");
    json_t *parent = root;
    for (bool first = true;; first = false) {
        step taken;
        if (!next_step(&at, equals, first, &taken)) {
            return refuse(problems, assignment, "the path must look like agents[3].radius");
        }
        bool member = taken.key[0] != '\0';
        if (member ? !json_is_object(parent) : !json_is_array(parent)) {
            return refuse(problems, assignment,
                          member ? "the path leads into what is no object" : "the path leads into what is no list");
        }
        if (!member && taken.index >= json_array_size(parent)) {
            return scene_problem_add(problems, SCENE_ERROR, NULL, "--set %.200s: the list has %zu elements", assignment,
                                     json_array_size(parent));
        }
        bool last = at == equals;
        json_t *child = last ? value_of(equals + 1) : child_of(parent, &taken);
        if (!last && child) {
            parent = child;
            continue;
        }
        if (!last) child = json_object(); // an object on the way that the file left out
        int status =
            member ? json_object_set_new(parent, taken.key, child) : json_array_set_new(parent, taken.index, child);
        if (status != 0) return refuse(problems, assignment, "can't be set (not UTF-8, or no memory)");
        if (last) return true;
        parent = child;
    }
}
