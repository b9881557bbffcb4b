#include "scene/lines.h"

#include <stdbool.h>
#include <string.h>

enum { DEPTH_MAX = 16 }; // places deeper than any in a scene

static const size_t nowhere = (size_t)-1;

void scene_lines_start(scene_lines *lines, const char *text, size_t size) {
    *lines = (scene_lines){.text = text, .size = size, .line = 1};
}

static size_t skip_space(const scene_lines *lines, size_t at) {
    while (at < lines->size && strchr(" \t\r\n,:", lines->text[at]) && lines->text[at]) at++;
    return at;
}

// `at` is at the opening quote; the end is past the closing one.
static size_t skip_string(const scene_lines *lines, size_t at) {
    for (at++; at < lines->size && lines->text[at] != '"'; at++) {
        if (lines->text[at] == '\\') at++;
    }
    return at + 1;
}

static bool ends_scalar(char c) {
    return strchr(" \t\r\n,:]}", c) != NULL;
}

// `at` is at the value's first character; where that closes a list or object instead, it stays.
static size_t skip_value(const scene_lines *lines, size_t at) {
    size_t depth = 0;
    do {
        at = skip_space(lines, at);
        if (at >= lines->size) break;
        char c = lines->text[at];
        if (c == '"') {
            at = skip_string(lines, at);
        } else if (c == '{' || c == '[') {
            depth++;
            at++;
        } else if (c == '}' || c == ']') {
            if (depth == 0) break;
            depth--;
            at++;
        } else {
            do at++; // at least one character, whatever the parser let pass
            while (at < lines->size && !ends_scalar(lines->text[at]));
        }
    } while (depth > 0);
    return at;
}

static size_t find_member(const scene_lines *lines, size_t at, const char *key) {
    if (at >= lines->size || lines->text[at] != '{') return nowhere;
    size_t length = strlen(key);
    at = skip_space(lines, at + 1);
    while (at < lines->size && lines->text[at] == '"') {
        size_t end = skip_string(lines, at);
        size_t value = skip_space(lines, end);
        if (end - at == length + 2 && memcmp(lines->text + at + 1, key, length) == 0) return value;
        at = skip_space(lines, skip_value(lines, value));
    }
    return nowhere;
}

static size_t skip_elements(const scene_lines *lines, size_t at, size_t count) {
    for (; count > 0; count--) at = skip_space(lines, skip_value(lines, at));
    return at < lines->size && lines->text[at] != ']' ? at : nowhere;
}

static size_t find_element(const scene_lines *lines, size_t at, size_t index) {
    if (at >= lines->size || lines->text[at] != '[') return nowhere;
    return skip_elements(lines, skip_space(lines, at + 1), index);
}

size_t scene_lines_find(scene_lines *lines, const scene_place *place) {
    const scene_place *steps[DEPTH_MAX];
    size_t depth = 0;
    for (; place; place = place->parent) {
        if (depth == DEPTH_MAX) return 0;
        steps[depth++] = place; // from the value up
    }
    if (!lines->text) return 0;
    size_t at = skip_space(lines, 0);
    if (depth >= 2 && steps[depth - 1]->key && !steps[depth - 2]->key) {
        const char *list = steps[depth - 1]->key;
        size_t index = steps[depth - 2]->index;
        if (lines->list && strcmp(lines->list, list) == 0 && lines->list_index <= index) {
            at = skip_elements(lines, lines->list_offset, index - lines->list_index);
        } else {
            at = find_member(lines, at, list);
            if (at != nowhere) at = find_element(lines, at, index);
        }
        if (at == nowhere) return 0;
        lines->list = list;
        lines->list_index = index;
        lines->list_offset = at;
        depth -= 2;
    }
    while (depth > 0) {
        const scene_place *step = steps[--depth];
        at = step->key ? find_member(lines, at, step->key) : find_element(lines, at, step->index);
        if (at == nowhere) return 0;
    }
    if (at < lines->line_offset) {
        lines->line_offset = 0;
        lines->line = 1;
    }
    for (; lines->line_offset < at; lines->line_offset++) lines->line += lines->text[lines->line_offset] == '\n';
    return lines->line;
}
