// The validation tests of `throng validate`: each measures and reports against what is required.
#ifndef PROGRAM_VALIDATE_H
#define PROGRAM_VALIDATE_H

#include "program/validate_trial.h"

#include <stdio.h>

typedef struct validation {
    const char *folder;     ///< for plots, null: none
    const char *laboratory; ///< trajectories of the laboratory experiment, null: where they lie by default
    uint32_t seeds;         ///< how often tests with random starts are repeated
    uint32_t rows, failed, skipped;
} validation;

typedef struct validation_test {
    const char *name, *what;
    void (*run)(validation *of);
} validation_test;

extern const validation_test validate_circle, validate_siege, validate_door, validate_door_width, validate_door_step,
    validate_counterflow, validate_corridor, validate_lanes, validate_diagram, validate_laboratory;

/// A row of the table: `measured` must lie within [least, most].
void validation_row(validation *of, const char *test, const char *what, double measured, double least, double most,
                    const char *unit);

/// A row that says that the test could not be made.
void validation_broken(validation *of, const char *test, const char *what);

/// A row that says why something was not measured: neither held nor failed.
void validation_skipped(validation *of, const char *test, const char *what, const char *why);

/// On a terminal: what is being measured, until the next row.
void validation_progress(const char *test, const char *what, uint32_t done, uint32_t of_all);

// ---- plots

typedef struct plot_series {
    const char *name;
    const double *x, *y;
    uint32_t count;
    bool line; ///< else points
} plot_series;

/// Writes FOLDER/NAME.svg where a folder was asked for.
void validation_plot(validation *of, const char *name, const char *x_title, const char *y_title,
                     const plot_series *series, uint32_t count);

#endif
