// The JSON Schema says what the reader's tables of keys say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scene/keys.h"

#include <float.h>
#include <math.h>
#include <jansson.h>
#include <string.h>

static json_t *schema;

// Follows references and the first of alternatives.
static json_t *resolved(json_t *node, bool *alternative) {
    for (;;) {
        const char *reference = json_string_value(json_object_get(node, "$ref"));
        json_t *alternatives = json_object_get(node, "anyOf");
        if (alternatives) {
            *alternative = true;
            node = json_array_get(alternatives, 0);
        } else if (reference && strncmp(reference, "#/", 2) == 0) {
            char path[128], *step = path + 2;
            strncpy(path, reference, sizeof path - 1);
            path[sizeof path - 1] = '\0';
            node = schema;
            while (step) {
                char *slash = strchr(step, '/');
                if (slash) *slash = '\0';
                node = json_object_get(node, step);
                step = slash ? slash + 1 : NULL;
            }
            if (!node) fail_msg("%s leads nowhere", reference);
        } else {
            return node;
        }
    }
}

static bool requires(json_t *object, const char *name) {
    size_t i;
    json_t *required;
    json_array_foreach(json_object_get(object, "required"), i, required) {
        if (strcmp(json_string_value(required), name) == 0) return true;
    }
    return false;
}

static const char *type_of(const scene_key *key) {
    switch (key->type) {
    case SCENE_DOUBLE:
    case SCENE_FLOAT:
    case SCENE_FLOAT_OR_NULL:
    case SCENE_VIEW:
        return "number";
    case SCENE_UINT32:
    case SCENE_UINT64:
        return "integer";
    case SCENE_BOOL:
    case SCENE_FLAG:
        return "boolean";
    case SCENE_TEXT:
        return "string";
    case SCENE_POINT:
    case SCENE_FLOAT_POINT:
    case SCENE_HEIGHTS:
        return "array";
    case SCENE_CHOICE:
    case SCENE_CHOICE_OR_LIST:
    case SCENE_PART:
        break;
    }
    return NULL;
}

static void check_number(const char *name, json_t *node, const char *bound, double value, bool stated) {
    json_t *told = json_object_get(node, bound);
    if (!!told != stated) fail_msg("%s: %s is %s", name, bound, told ? "stated without need" : "not stated");
    if (stated && json_number_value(told) != value) {
        fail_msg("%s: %s is %.17g in the schema, %.17g in the table", name, bound, json_number_value(told), value);
    }
}

static void check_key(json_t *object, const scene_key *key) {
    bool other = false;
    const bool choice = key->type == SCENE_CHOICE || key->type == SCENE_CHOICE_OR_LIST;
    json_t *member = json_object_get(json_object_get(object, "properties"), key->name);
    if (!member) fail_msg("%s is not in the schema", key->name);
    json_t *node = resolved(member, &other);
    assert_int_equal(other, key->type == SCENE_FLOAT_OR_NULL || key->type == SCENE_CHOICE_OR_LIST);
    if (requires(object, key->name) != key->required) fail_msg("%s: required in one of both", key->name);
    const char *type = type_of(key), *told = json_string_value(json_object_get(node, "type"));
    if (type && (!told || strcmp(type, told) != 0)) fail_msg("%s: %s in the schema, %s here", key->name, told, type);
    if (type && (strcmp(type, "number") == 0 || strcmp(type, "integer") == 0)) {
        check_number(key->name, node, key->above ? "exclusiveMinimum" : "minimum", key->least, true);
        check_number(key->name, node, "maximum", key->most, key->most < DBL_MAX);
    }
    if (choice) {
        json_t *words = json_object_get(node, "enum");
        size_t i = 0;
        for (; key->words[i]; i++) assert_string_equal(json_string_value(json_array_get(words, i)), key->words[i]);
        assert_int_equal(json_array_size(words), i);
    }
}

static size_t check_table(json_t *object, const scene_key *keys) {
    size_t count = 0;
    for (const scene_key *key = keys; key->name; key++, count++) check_key(object, key);
    return count;
}

static void the_schema_has_the_keys(void **state) {
    (void)state;
    json_t *definitions = json_object_get(schema, "$defs");
    const struct {
        json_t *object;
        const scene_key *keys, *more;
    } objects[] = {
        {schema, scene_keys, NULL},
        {json_object_get(definitions, "solver"), scene_solver_keys, NULL},
        {json_object_get(definitions, "profile"), scene_profile_keys, NULL},
        {json_object_get(definitions, "agent"), scene_agent_keys, scene_profile_keys},
        {json_object_get(definitions, "wall"), scene_wall_keys, NULL},
        {json_object_get(definitions, "region"), scene_region_keys, NULL},
        {json_object_get(definitions, "door"), scene_door_keys, NULL},
        {json_object_get(definitions, "support"), scene_support_keys, NULL},
        {json_object_get(definitions, "obstacle"), scene_obstacle_keys, NULL},
        {json_object_get(definitions, "keyframe"), scene_keyframe_keys, NULL},
    };
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        size_t count = check_table(objects[i].object, objects[i].keys);
        if (objects[i].more) count += check_table(objects[i].object, objects[i].more);
        assert_int_equal(json_object_size(json_object_get(objects[i].object, "properties")), count);
        assert_true(json_is_false(json_object_get(objects[i].object, "additionalProperties")));
    }
}

// Its defaults are those of the library.
static void the_schema_has_the_defaults(void **state) {
    (void)state;
    throng_agent_def def = throng_default_agent_def();
    json_t *properties = json_object_get(json_object_get(json_object_get(schema, "$defs"), "profile"), "properties");
    for (const scene_key *key = scene_profile_keys; key->name; key++) {
        json_t *told = json_object_get(json_object_get(properties, key->name), "default");
        const void *at = (const char *)&def + key->offset;
        float real;
        uint32_t whole;
        memcpy(&real, at, sizeof real);
        memcpy(&whole, at, sizeof whole);
        bool same = json_integer_value(told) == whole;
        if (key->type == SCENE_FLOAT) same = (float)json_number_value(told) == real;
        if (key->type == SCENE_FLOAT_OR_NULL) same = json_is_null(told) == (real > FLT_MAX);
        if (key->type == SCENE_FLOAT_OR_NULL && same && !json_is_null(told)) {
            same = (float)json_number_value(told) == real;
        }
        if (key->type == SCENE_CHOICE || key->type == SCENE_CHOICE_OR_LIST)
            same = strcmp(json_string_value(told), key->words[whole]) == 0;
        if (key->type == SCENE_FLAG) same = json_boolean_value(told) == (whole == 1);
        if (key->type == SCENE_VIEW) same = json_number_value(told) == 360.0 && real == -1.0f;
        if (key->type == SCENE_HEIGHTS) {
            const float *heights = at;
            same = json_is_null(json_array_get(told, 0)) && json_is_null(json_array_get(told, 1)) &&
                   heights[0] == -INFINITY && heights[1] == INFINITY;
        }
        if (key->type == SCENE_FLOAT_POINT) {
            const float *pair = at;
            same = (float)json_number_value(json_array_get(told, 0)) == pair[0] &&
                   (float)json_number_value(json_array_get(told, 1)) == pair[1];
        }
        if (!same) fail_msg("%s: the schema's default is not the library's", key->name);
    }
}

static int load(void **state) {
    (void)state;
    json_error_t error;
    schema = json_load_file(THRONG_DATA "/scene.schema.json", JSON_REJECT_DUPLICATES, &error);
    if (!schema) print_error("line %d: %s\n", error.line, error.text);
    return schema ? 0 : -1;
}

static int unload(void **state) {
    (void)state;
    json_decref(schema);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_schema_has_the_keys),
                                       cmocka_unit_test(the_schema_has_the_defaults)};
    return cmocka_run_group_tests(tests, load, unload);
}
