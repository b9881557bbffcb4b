#include "record/recording_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    const replay_format *format;
    void *state;
    char *path;
};

// Adds the file's name to a failure.
static bool blame(const char *path, failure *why) {
    char reason[sizeof why->text];
    memcpy(reason, why->text, sizeof reason);
    return fail(why, "%s: %.900s", path, reason);
}

static const replay_format *find_format(const char *path, failure *why) {
    char start[16] = {0};
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail(why, "%s", strerror(errno));
        return NULL;
    }
    size_t count = fread(start, 1, sizeof start, file);
    bool broken = ferror(file) != 0;
    int reason = errno;
    fclose(file);
    if (broken) {
        fail(why, "%s", strerror(reason));
        return NULL;
    }
    if (count == sizeof start && memcmp(start, "SQLite format 3", sizeof start) == 0) {
#ifdef THRONG_HAVE_SQLITE3
        return &replay_sqlite;
#else
        fail(why, "an SQLite database; this build has no SQLite");
        return NULL;
#endif
    }
    if (count >= 5 && memcmp(start, "step,", 5) == 0) return &replay_csv;
    fail(why, "not a recording: neither CSV with a header 'step,time,id,x,y,vx,vy' nor an SQLite database");
    return NULL;
}

replay *replay_open(const char *path, failure *why) {
    const replay_format *format = find_format(path, why);
    replay *opened = format ? calloc(1, sizeof *opened) : NULL;
    if (opened) {
        opened->format = format;
        opened->path = strdup(path);
        opened->state = opened->path ? format->open(path, why) : NULL;
        if (opened->state) return opened;
        if (!opened->path) fail(why, "out of memory");
        free(opened->path);
        free(opened);
    } else if (format) {
        fail(why, "out of memory");
    }
    blame(path, why);
    return NULL;
}

replay_status replay_next(replay *opened, replay_frame *frame, failure *why) {
    replay_status status = opened->format->next(opened->state, frame, why);
    if (status == REPLAY_FAILED) blame(opened->path, why);
    return status;
}

const free_space *replay_ground(const replay *opened) {
    return opened->format->ground ? opened->format->ground(opened->state) : NULL;
}

const char *replay_what(const replay *opened) {
    return opened->format->what;
}

void replay_close(replay *opened) {
    if (!opened) return;
    opened->format->close(opened->state);
    free(opened->path);
    free(opened);
}

bool replay_rows_add(replay_rows *rows, const replay_agent *agent, failure *why) {
    if (rows->count == rows->capacity) {
        uint32_t larger = rows->capacity ? 2 * rows->capacity : 256;
        replay_agent *agents = larger > rows->capacity ? realloc(rows->agents, larger * sizeof *agents) : NULL;
        if (!agents) return fail(why, "out of memory");
        rows->agents = agents;
        rows->capacity = larger;
    }
    rows->agents[rows->count++] = *agent;
    return true;
}
