// What is wrong with a scene: every problem, in the order found, each with file, line and path.
#ifndef SCENE_PROBLEMS_H
#define SCENE_PROBLEMS_H

#include "scene/lines.h"
#include "scene/place.h"

#include <stdbool.h>

typedef enum scene_severity {
    SCENE_WARNING = 0,
    SCENE_ERROR = 1 ///< the scene can't be used
} scene_severity;

typedef struct scene_problem {
    scene_severity severity;
    char *text; ///< one line: "FILE, line N: PATH: what is wrong"
} scene_problem;

typedef struct scene_problems {
    const char *file;
    const char *const *overrides; ///< PATH=VALUE that replaced values of the file
    size_t override_count;
    scene_lines lines; ///< without text: no line is told
    scene_problem *items;
    size_t count, capacity;
    size_t error_count;
    bool out_of_memory; ///< an error is not the scene's fault, and problems may be missing
} scene_problems;

/// Always false, so that a caller can write `return scene_problem_add(...)`. A null place is the whole file.
bool scene_problem_add(scene_problems *problems, scene_severity severity, const scene_place *place, const char *format,
                       ...);

/// The error that there is no memory; always false.
bool scene_problem_add_memory(scene_problems *problems, const scene_place *place);

void scene_problems_free(scene_problems *problems);

#endif
