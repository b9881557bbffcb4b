// The table of generated scenes and the reading of their parameters.
#include "scene/generate.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const generate_kind *const all_kinds[] = {
    &generate_blocks,   &generate_bottleneck, &generate_circle,  &generate_concourse,  &generate_counterflow,
    &generate_crossing, &generate_doorway,    &generate_head_on, &generate_ring_siege, &generate_uniform,
};

const generate_kind *const *generate_kinds(size_t *count) {
    *count = sizeof all_kinds / sizeof all_kinds[0];
    return all_kinds;
}

const generate_kind *generate_find(const char *name) {
    size_t count;
    const generate_kind *const *kinds = generate_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
    }
    return NULL;
}

size_t generate_parameter_count(const generate_kind *kind) {
    size_t count = 0;
    while (count < GENERATE_PARAMETERS && kind->parameters[count].name) count++;
    return count;
}

void generate_defaults(const generate_kind *kind, double *values) {
    for (size_t i = 0; i < generate_parameter_count(kind); i++) values[i] = kind->parameters[i].value;
}

// Writes a reason; always false.
static bool refuse(char *why, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, size, format, arguments);
    va_end(arguments);
    return false;
}

static bool unknown_key(const generate_kind *kind, const char *key, size_t length, char *why, size_t size) {
    char known[256] = "";
    for (size_t i = 0; i < generate_parameter_count(kind); i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", kind->parameters[i].name);
    }
    return refuse(why, size, "'%.*s' is no parameter of %s; there are %s", (int)length, key, kind->name, known);
}

bool generate_set(const generate_kind *kind, const char *assignment, double *values, char *why, size_t size) {
    const char *equals = strchr(assignment, '=');
    if (!equals) return refuse(why, size, "'%s': expected key=value", assignment);
    size_t length = (size_t)(equals - assignment);
    size_t count = generate_parameter_count(kind);
    size_t found = 0;
    while (found < count && (strlen(kind->parameters[found].name) != length ||
                             strncmp(kind->parameters[found].name, assignment, length) != 0)) {
        found++;
    }
    if (found == count) return unknown_key(kind, assignment, length, why, size);
    const generate_parameter *parameter = &kind->parameters[found];
    const char *text = equals + 1;
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value)) {
        return refuse(why, size, "%s: expected a number, got '%s'", parameter->name, text);
    }
    if (value < parameter->min || value > parameter->max) {
        return refuse(why, size, "%s: must be from %.10g to %.10g, is %s", parameter->name, parameter->min,
                      parameter->max, text);
    }
    if (parameter->whole && value != (double)(long long)value) {
        return refuse(why, size, "%s: must be a whole number, is %s", parameter->name, text);
    }
    values[found] = value;
    return true;
}
