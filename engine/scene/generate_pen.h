// What the generators write with: a scene's JSON text, numbers that read back the same, points on a circle, chance.
#ifndef THRONG_SCENE_GENERATE_PEN_H
#define THRONG_SCENE_GENERATE_PEN_H

#include "scene/generate.h"

#include <stdint.h>

typedef struct generate_point {
    double x, y;
} generate_point;

typedef struct generate_pen {
    FILE *file;
    const char *separator; // before the next item of the list that is open
} generate_pen;

// Opens the scene: name, description, time step and duration (s).
generate_pen generate_begin(FILE *file, const generate_kind *kind, double time_step, double duration);

// "profiles", from its JSON text.
void generate_profiles(generate_pen *pen, const char *object);

// "doors", from its JSON text.
void generate_doors(generate_pen *pen, const char *value);

void generate_list_begin(generate_pen *pen, const char *key);
void generate_list_end(generate_pen *pen);

// An item of "walls".
void generate_polygon(generate_pen *pen, const generate_point *points, size_t count, bool enclosure);
void generate_box(generate_pen *pen, double min_x, double min_y, double max_x, double max_y);

enum { GENERATE_STOPS = 16 };

typedef struct generate_walker {
    const char *profile; // null: default
    generate_point position;
    size_t stop_count; // one stop is its goal, more are a route, none leaves it standing
    generate_point stops[GENERATE_STOPS];
    bool leave;
} generate_walker;

// An item of "agents".
void generate_agent(generate_pen *pen, const generate_walker *walker);

// Closes the last list and the scene.
void generate_end(generate_pen *pen);

// Nearest whole millimetre: what scenes need, and short to read.
double generate_millimetre(double value);

// The point at `index` of `count` equal parts of a turn on the unit circle, from (1, 0) counterclockwise. Points an
// eighth, a quarter or half a turn apart mirror each other exactly.
generate_point generate_turn(uint64_t index, uint64_t count);

// Even in [0, 1), from (seed, index, purpose) alone.
double generate_chance(uint64_t seed, uint64_t index, uint64_t purpose);

#endif
