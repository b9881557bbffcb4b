// The progress bar on a terminal.
#ifndef PROGRAM_PROGRESS_H
#define PROGRAM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool shown;
    double started, drawn; ///< s, by the clock of progress_seconds
} progress;

/// Seconds of a clock that only goes forward.
double progress_seconds(void);

/// Shown only where standard error is a terminal.
progress progress_start(bool quiet);

/// Draws, at most ten times a second. `time` is the scene's.
void progress_update(progress *bar, uint64_t step, uint64_t steps, uint32_t agents, double time);

/// Wipes the bar.
void progress_end(progress *bar);

#endif
