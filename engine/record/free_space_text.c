// Free ground as Well-Known Text, out and in.
#include "record/free_space.h"
#include "record/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char *put(char *at, const char *text) {
    size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

static char *put_ring(char *at, const free_space *space, const free_ring *ring) {
    *at++ = '(';
    for (uint32_t i = 0; i <= ring->count; i++) {
        const double *point = space->points[ring->first + i % ring->count];
        if (i > 0) at = put(at, ", ");
        at = number_from_double(at, point[0]);
        *at++ = ' ';
        at = number_from_double(at, point[1]);
    }
    *at++ = ')';
    return at;
}

char *free_space_text(const free_space *space) {
    uint32_t polygons = 0;
    size_t room = 64;
    for (uint32_t i = 0; i < space->ring_count; i++) {
        if (!space->rings[i].hole) polygons++;
        room += 32 + ((size_t)space->rings[i].count + 1) * (2 * NUMBER_CHARS + 3);
    }
    char *text = malloc(room);
    if (!text) return NULL;
    char *at = text;
    if (polygons != 1) at = put(at, "GEOMETRYCOLLECTION");
    if (polygons == 0) at = put(at, " EMPTY");
    if (polygons > 1) at = put(at, " (");
    for (uint32_t i = 0; i < space->ring_count; i++) {
        if (!space->rings[i].hole) {
            if (i > 0) at = put(at, "), ");
            at = put(at, "POLYGON (");
        } else {
            at = put(at, ", ");
        }
        at = put_ring(at, space, &space->rings[i]);
    }
    if (polygons > 0) *at++ = ')';
    if (polygons > 1) *at++ = ')';
    *at = '\0';
    return text;
}

// A text under way.
typedef struct wkt_reader {
    const char *text, *at;
    free_space *space;
    failure *why;
} wkt_reader;

static bool wrong(const wkt_reader *reader, const char *expected) {
    return fail(reader->why, "geometry, character %zu: expected %s, found '%.20s'",
                (size_t)(reader->at - reader->text) + 1, expected, reader->at);
}

static void skip_blanks(wkt_reader *reader) {
    reader->at += strspn(reader->at, " \t\r\n");
}

static bool take(wkt_reader *reader, const char *word) {
    skip_blanks(reader);
    size_t length = strlen(word);
    if (strncasecmp(reader->at, word, length) != 0) return false;
    reader->at += length;
    return true;
}

static bool read_number(wkt_reader *reader, double *value) {
    char *end;
    skip_blanks(reader);
    *value = strtod(reader->at, &end);
    if (end == reader->at || !isfinite(*value)) return wrong(reader, "a number");
    reader->at = end;
    return true;
}

// Memory for the ring was reserved by the size of the text.
static bool read_ring(wkt_reader *reader, bool hole) {
    free_space *space = reader->space;
    if (!take(reader, "(")) return wrong(reader, "'('");
    free_ring ring = {space->point_count, 0, hole};
    do {
        double *point = space->points[space->point_count];
        if (!read_number(reader, &point[0]) || !read_number(reader, &point[1])) return false;
        space->point_count++;
        ring.count++;
    } while (take(reader, ","));
    if (!take(reader, ")")) return wrong(reader, "',' or ')'");
    const double *first = space->points[ring.first], *last = space->points[space->point_count - 1];
    if (ring.count > 1 && first[0] == last[0] && first[1] == last[1]) {
        space->point_count--;
        ring.count--;
    }
    space->rings[space->ring_count++] = ring;
    return true;
}

static bool read_polygon(wkt_reader *reader) {
    if (take(reader, "EMPTY")) return true;
    if (!take(reader, "(")) return wrong(reader, "'('");
    bool hole = false;
    do {
        if (!read_ring(reader, hole)) return false;
        hole = true;
    } while (take(reader, ","));
    return take(reader, ")") || wrong(reader, "',' or ')'");
}

static bool read_polygons(wkt_reader *reader) {
    bool collection = take(reader, "GEOMETRYCOLLECTION");
    if (!collection && !take(reader, "MULTIPOLYGON")) {
        return (take(reader, "POLYGON") || wrong(reader, "POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION")) &&
               read_polygon(reader);
    }
    if (take(reader, "EMPTY")) return true;
    if (!take(reader, "(")) return wrong(reader, "'('");
    do {
        if (collection && !take(reader, "POLYGON")) return wrong(reader, "POLYGON");
        if (!read_polygon(reader)) return false;
    } while (take(reader, ","));
    return take(reader, ")") || wrong(reader, "',' or ')'");
}

bool free_space_read(const char *text, free_space *space, failure *why) {
    *space = (free_space){0};
    // A point takes at least "0 0," and a ring "(0 0)".
    size_t room = strlen(text) / 4 + 1;
    space->points = malloc(room * sizeof *space->points);
    space->rings = malloc(room * sizeof *space->rings);
    wkt_reader reader = {.text = text, .at = text, .space = space, .why = why};
    bool done = space->points && space->rings ? read_polygons(&reader) : fail(why, "out of memory");
    if (done) {
        skip_blanks(&reader);
        done = *reader.at == '\0' || wrong(&reader, "the end");
    }
    if (!done) free_space_clear(space);
    return done;
}
