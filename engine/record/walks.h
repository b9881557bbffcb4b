// A whole recording at a glance: who walked where, one moment of it, and its figures.
#ifndef RECORD_WALKS_H
#define RECORD_WALKS_H

#include "record/recording_read.h"

typedef struct walk {
    uint64_t number;
    double start[2], end[2]; ///< m, the first and the last place
    double (*points)[2];     ///< m, where trails are asked for; thinned to 5 cm
    uint32_t count, capacity;
} walk;

typedef struct walks {
    walk *items; ///< ascending by number
    uint32_t count, capacity;
    uint64_t frames, rows;
    double first_time, last_time; ///< s
    uint32_t most, at_end;        ///< agents in a frame
    double speed_sum, top_speed;  ///< m/s, over rows
    double min[2], max[2];        ///< m, of all places; min > max: none
    replay_rows moment;           ///< the frame nearest to the time asked for, the later of two
    double moment_time;           ///< s
} walks;

/// Reads a recording to its end. `at`: the time of the moment, in s; INFINITY: the end. False: nothing to free.
bool walks_read(replay *opened, double at, bool trails, walks *all, failure *why);

void walks_free(walks *all);

#endif
