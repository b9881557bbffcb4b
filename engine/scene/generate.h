// Scenes made by rule: what `throng make` writes. A text depends on its parameters alone, to the last bit: only
// + - * / and sqrt make its numbers, and chance is a hash of (seed, index, purpose).
#ifndef THRONG_SCENE_GENERATE_H
#define THRONG_SCENE_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GENERATE_PARAMETERS = 8 };

typedef struct generate_parameter {
    const char *name;
    double value; // where the caller gives none
    double min, max;
    bool whole;          // must be an integer
    const char *meaning; // with its unit
} generate_parameter;

typedef struct generate_kind generate_kind;

struct generate_kind {
    const char *name;
    const char *shows;                                   // one line, the scene's "description"
    generate_parameter parameters[GENERATE_PARAMETERS];  // used up to the first without a name
    bool (*write)(FILE *file, const double *parameters); // false: out of memory
};

// All kinds, ordered by name.
const generate_kind *const *generate_kinds(size_t *count);

// Null where there is none of that name.
const generate_kind *generate_find(const char *name);

size_t generate_parameter_count(const generate_kind *kind);
void generate_defaults(const generate_kind *kind, double *values);

// Reads "key=value" into values[], which holds one number per parameter of the kind. False: says why in why[size].
bool generate_set(const generate_kind *kind, const char *assignment, double *values, char *why, size_t size);

// The kinds, one file for each group.
extern const generate_kind generate_head_on, generate_circle, generate_crossing, generate_ring_siege, generate_uniform;
extern const generate_kind generate_blocks, generate_doorway, generate_counterflow, generate_bottleneck;
extern const generate_kind generate_concourse;

#endif
