// Recordings read back, a frame at a time: CSV as `throng run` writes it, and JuPedSim's SQLite database version 2.
#ifndef RECORD_RECORDING_READ_H
#define RECORD_RECORDING_READ_H

#include "record/failure.h"
#include "record/free_space.h"

#include <stdint.h>

typedef struct replay_agent {
    uint64_t number;
    double x, y;                ///< m
    float heading_x, heading_y; ///< unit, or 0 0 where unknown
    float speed;                ///< m/s; SQLite: from the place one frame before, 0 in an agent's first
} replay_agent;

/// The crowd at one moment, ascending by number.
typedef struct replay_frame {
    uint64_t step; ///< CSV: of the run; SQLite: the frame's number
    double time;   ///< s
    uint32_t count;
    const replay_agent *agents; ///< valid until the next call
} replay_frame;

typedef enum replay_status { REPLAY_FRAME, REPLAY_END, REPLAY_FAILED } replay_status;

/// One way to read recordings. Failures say what and where in the file; replay_* add which file.
typedef struct replay_format {
    const char *what;
    void *(*open)(const char *path, failure *why);
    replay_status (*next)(void *state, replay_frame *frame, failure *why);
    /// Null where the format has none.
    const free_space *(*ground)(void *state);
    void (*close)(void *state);
} replay_format;

extern const replay_format replay_csv, replay_sqlite;

typedef struct replay replay;

/// Tells the format by the file's first bytes.
replay *replay_open(const char *path, failure *why);
replay_status replay_next(replay *opened, replay_frame *frame, failure *why);
/// The ground as recorded, or null.
const free_space *replay_ground(const replay *opened);
/// In words.
const char *replay_what(const replay *opened);
/// Null is fine.
void replay_close(replay *opened);

/// Rows under way, for the formats.
typedef struct replay_rows {
    replay_agent *agents;
    uint32_t count, capacity;
} replay_rows;

bool replay_rows_add(replay_rows *rows, const replay_agent *agent, failure *why);

#endif
