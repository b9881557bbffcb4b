// Recordings: what a run leaves. A format is a table of functions; the file's ending chooses it.
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include "record/failure.h"

#include <throng/throng.h>

/// What a recording is of. Lives until record_finish or record_abort.
typedef struct record_run {
    const char *name; ///< the scene's, "" where it has none
    double time_step; ///< s
    uint64_t every;   ///< a frame is recorded each so many steps, >= 1
    uint64_t agents;  ///< in the scene; numbered 0, 1, 2 ... in its order
    const throng_wall *walls;
    uint32_t wall_count;
} record_run;

/// The crowd at one moment, ascending by number. Agents that left are not in it.
typedef struct record_frame {
    uint64_t step; ///< 0: the start
    double time;   ///< s
    uint32_t count;
    const uint64_t *numbers;              ///< the agents' numbers in the scene
    const double *x, *y;                  ///< m
    const float *velocity_x, *velocity_y; ///< m/s, as published
    const float *radius;                  ///< m
} record_frame;

/// Failures of a format say what happened; record_* add which file.
typedef struct record_format {
    const char *ending; ///< ".csv"
    const char *what;   ///< in a few words, for --help
    /// Starts a recording in the file `path`, which exists and is empty. Null and a failure: nothing to clean up.
    void *(*begin)(const char *path, const record_run *run, failure *why);
    bool (*frame)(void *state, const record_frame *frame, failure *why);
    /// Completes the file, everything on the disk, and frees the state, also when it fails.
    bool (*end)(void *state, failure *why);
    /// Frees the state; the file will be removed.
    void (*abort)(void *state);
} record_format;

/// All formats of this build; the last one's ending is null.
extern const record_format *const record_formats[];

extern const record_format record_csv;
extern const record_format record_sqlite; ///< where the build has SQLite

typedef struct recording recording;

/// Starts a recording under a temporary name beside `path`, in the format of its ending.
recording *record_open(const char *path, const record_run *run, failure *why);
bool record_write(recording *record, const record_frame *frame, failure *why);
/// Completes the file under its temporary name. Whatever happens, record_commit or record_abort must follow.
bool record_finish(recording *record, failure *why);
/// Gives the complete file its name and frees the recording, also when it fails (then nothing is left).
bool record_commit(recording *record, failure *why);
/// Leaves nothing behind. Null is fine.
void record_abort(recording *record);

/// The format of a file's ending, or null and a failure that names the known ones.
const record_format *record_format_of(const char *path, failure *why);

#endif
