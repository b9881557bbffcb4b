#include "scene/object.h"

#include "scene/wording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *scene_json_kind(const json_t *value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        break;
    }
    return "null";
}

// A number within the key's range. `narrow`: it is kept as float. What must be above the least stays so as a float: the
// engine works with floats (1e-60 is not > 0).
static bool read_number(json_t *value, const scene_key *key, bool narrow, double *number, const scene_place *place,
                        scene_problems *problems) {
    if (!json_is_number(value)) {
        return scene_problem_add(problems, SCENE_ERROR, place, "must be a number, is %s", scene_json_kind(value));
    }
    double wide = json_number_value(value);
    bool fits = wide >= key->least && wide <= key->most;
    *number = narrow && fits ? (double)(float)wide : wide;
    if (fits && !(key->above && (double)(float)wide <= key->least)) return true;
    char range[128];
    scene_range_text(key, wide, range, sizeof range);
    return scene_problem_add(problems, SCENE_ERROR, place, "must be %s, is %.15g", range, wide);
}

static bool read_whole(json_t *value, const scene_key *key, uint64_t *number, const scene_place *place,
                       scene_problems *problems) {
    double wide;
    if (!read_number(value, key, false, &wide, place, problems)) return false;
    if (json_is_integer(value)) {
        *number = (uint64_t)json_integer_value(value);
        return true;
    }
    if (wide != floor(wide) || wide >= 9007199254740992.0) { // 2^53: beyond, a real is not exact
        return scene_problem_add(problems, SCENE_ERROR, place, "must be a whole number, is %.15g", wide);
    }
    *number = (uint64_t)wide;
    return true;
}

static bool read_point(json_t *value, const scene_key *key, bool narrow, double point[2], const scene_place *place,
                       scene_problems *problems) {
    if (!json_is_array(value)) {
        return scene_problem_add(problems, SCENE_ERROR, place, "must be [x, y], is %s", scene_json_kind(value));
    }
    size_t size = json_array_size(value);
    if (size != 2) {
        return scene_problem_add(problems, SCENE_ERROR, place, "must be [x, y], has %zu element%s", size,
                                 size == 1 ? "" : "s");
    }
    bool good = true;
    for (size_t i = 0; i < 2; i++) {
        scene_place element = {.parent = place, .index = i};
        good &= read_number(json_array_get(value, i), key, narrow, &point[i], &element, problems);
    }
    return good;
}

static bool read_truth(json_t *value, bool *truth, const scene_place *place, scene_problems *problems) {
    if (!json_is_boolean(value)) {
        return scene_problem_add(problems, SCENE_ERROR, place, "must be true or false, is %s", scene_json_kind(value));
    }
    *truth = json_is_true(value);
    return true;
}

static bool read_heights(json_t *value, const scene_key *key, float heights[2], const scene_place *place,
                         scene_problems *problems) {
    if (!json_is_array(value) || json_array_size(value) != 2) {
        return scene_problem_add(problems, SCENE_ERROR, place, "must be [low, high], numbers or null");
    }
    bool good = true;
    double ends[2] = {-INFINITY, INFINITY};
    for (size_t i = 0; i < 2; i++) {
        scene_place element = {.parent = place, .index = i};
        json_t *end = json_array_get(value, i);
        if (!json_is_null(end)) good &= read_number(end, key, true, &ends[i], &element, problems);
        heights[i] = (float)ends[i];
    }
    if (!good || heights[0] < heights[1]) return good;
    return scene_problem_add(problems, SCENE_ERROR, place, "must be [low, high] with low < high, is [%.9g, %.9g]",
                             ends[0], ends[1]);
}

static bool read_text(json_t *value, char **text, const scene_place *place, scene_problems *problems) {
    if (!json_is_string(value)) {
        return scene_problem_add(problems, SCENE_ERROR, place, "must be a text, is %s", scene_json_kind(value));
    }
    *text = strdup(json_string_value(value));
    return *text || scene_problem_add_memory(problems, place);
}

static bool read_choice(json_t *value, const scene_key *key, uint32_t *choice, const scene_place *place,
                        scene_problems *problems) {
    const char *word = json_string_value(value);
    char known[128];
    scene_words_text(key->words, known, sizeof known);
    const char *or_list = key->type == SCENE_CHOICE_OR_LIST ? " or a list" : "";
    for (uint32_t i = 0; word && key->words[i]; i++) {
        if (strcmp(word, key->words[i]) == 0) {
            *choice = i;
            return true;
        }
    }
    if (word)
        return scene_problem_add(problems, SCENE_ERROR, place, "must be %s%s, is \"%.80s\"", known, or_list, word);
    return scene_problem_add(problems, SCENE_ERROR, place, "must be %s%s, is %s", known, or_list,
                             scene_json_kind(value));
}

bool scene_read_value(json_t *value, const scene_key *key, void *target, const scene_place *place,
                      scene_problems *problems) {
    void *at = (char *)target + key->offset;
    double number, point[2];
    uint64_t whole = 0;
    bool truth = false;
    switch (key->type) {
    case SCENE_DOUBLE:
        return read_number(value, key, false, at, place, problems);
    case SCENE_FLOAT_OR_NULL:
        if (json_is_null(value)) {
            *(float *)at = INFINITY;
            return true;
        }
        // fall through
    case SCENE_FLOAT:
        if (!read_number(value, key, true, &number, place, problems)) return false;
        *(float *)at = (float)number;
        return true;
    case SCENE_UINT32:
        if (!read_whole(value, key, &whole, place, problems)) return false;
        *(uint32_t *)at = (uint32_t)whole;
        return true;
    case SCENE_UINT64:
        return read_whole(value, key, at, place, problems);
    case SCENE_BOOL:
        return read_truth(value, at, place, problems);
    case SCENE_TEXT:
        return read_text(value, at, place, problems);
    case SCENE_CHOICE_OR_LIST:
        if (json_is_array(value)) return true;
        // fall through
    case SCENE_CHOICE:
        return read_choice(value, key, at, place, problems);
    case SCENE_POINT:
        return read_point(value, key, false, at, place, problems);
    case SCENE_FLOAT_POINT:
        if (!read_point(value, key, true, point, place, problems)) return false;
        ((float *)at)[0] = (float)point[0];
        ((float *)at)[1] = (float)point[1];
        return true;
    case SCENE_FLAG:
        if (!read_truth(value, &truth, place, problems)) return false;
        *(uint32_t *)at = truth;
        return true;
    case SCENE_HEIGHTS:
        return read_heights(value, key, at, place, problems);
    case SCENE_VIEW:
        if (!read_number(value, key, false, &number, place, problems)) return false;
        throng_direction(0.5 * number, point);
        *(float *)at = (float)point[0];
        return true;
    case SCENE_PART:
        break;
    }
    return true;
}

static const scene_key *find_key(const scene_key *keys, const char *name) {
    for (; keys && keys->name; keys++) {
        if (strcmp(keys->name, name) == 0) return keys;
    }
    return NULL;
}

typedef struct key_walk {
    const scene_key *keys, *more;
} key_walk;

static const char *next_key(void *context) {
    key_walk *walk = context;
    if (!walk->keys->name) {
        if (!walk->more) return NULL;
        walk->keys = walk->more;
        walk->more = NULL;
    }
    return (walk->keys++)->name;
}

bool scene_read_object(json_t *object, const scene_key *keys, const scene_key *more, void *target,
                       const scene_place *place, scene_problems *problems) {
    if (!json_is_object(object)) {
        return scene_problem_add(problems, SCENE_ERROR, place, "must be an object, is %s", scene_json_kind(object));
    }
    bool good = true;
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        scene_place member = {.parent = place, .key = name};
        const scene_key *key = find_key(keys, name);
        if (!key) key = find_key(more, name);
        if (key) {
            good &= scene_read_value(value, key, target, &member, problems);
            continue;
        }
        key_walk walk = {keys, more};
        const char *nearest = scene_nearest_word(name, next_key, &walk);
        good = nearest ? scene_problem_add(problems, SCENE_ERROR, &member, "unknown key; did you mean \"%s\"?", nearest)
                       : scene_problem_add(problems, SCENE_ERROR, &member, "unknown key");
    }
    for (const scene_key *key = keys; key->name; key++) {
        if (key->required && !json_object_get(object, key->name)) {
            good = scene_problem_add(problems, SCENE_ERROR, place, "the key \"%s\" is missing", key->name);
        }
    }
    return good;
}

bool scene_read_points(json_t *list, uint32_t least, double reach, double **points, uint32_t *count,
                       const scene_place *place, scene_problems *problems) {
    const scene_key coordinate = {.least = -reach, .most = reach};
    if (!json_is_array(list)) {
        return scene_problem_add(problems, SCENE_ERROR, place, "must be a list of points [x, y], is %s",
                                 scene_json_kind(list));
    }
    size_t size = json_array_size(list);
    if (size < least || size > UINT32_MAX / 2) {
        return scene_problem_add(problems, SCENE_ERROR, place, "must have at least %u point%s, has %zu", least,
                                 least == 1 ? "" : "s", size);
    }
    double *read = malloc(size * 2 * sizeof *read);
    if (!read) return scene_problem_add_memory(problems, place);
    bool good = true;
    for (size_t i = 0; i < size; i++) {
        scene_place element = {.parent = place, .index = i};
        good &= read_point(json_array_get(list, i), &coordinate, false, read + 2 * i, &element, problems);
    }
    if (!good) {
        free(read);
        return false;
    }
    *points = read;
    *count = (uint32_t)size;
    return true;
}
