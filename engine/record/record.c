#include "record/record.h"

#include "record/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const record_format *const record_formats[] = {
    &record_csv,
#ifdef THRONG_HAVE_SQLITE3
    &record_sqlite,
#endif
    NULL,
};

struct recording {
    const record_format *format;
    void *state; ///< null once ended
    output_name name;
};

// Names the file that the user asked for, not the temporary one.
static bool blame(const recording *record, failure *why) {
    char reason[sizeof why->text];
    memcpy(reason, why->text, sizeof reason);
    return fail(why, "%s: %.900s", record->name.final, reason);
}

const record_format *record_format_of(const char *path, failure *why) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *ending = strrchr(base, '.');
    char known[256] = "";
    for (const record_format *const *format = record_formats; *format; format++) {
        if (ending && strcmp(ending, (*format)->ending) == 0) return *format;
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", (*format)->ending);
    }
#ifndef THRONG_HAVE_SQLITE3
    if (ending && strcmp(ending, ".sqlite") == 0) {
        fail(why, "%s: this build writes no SQLite databases (it was made without libsqlite3)", path);
        return NULL;
    }
#endif
    fail(why, "%s: the ending says no format; known endings of trajectories: %s", path, known);
    return NULL;
}

recording *record_open(const char *path, const record_run *run, failure *why) {
    const record_format *format = record_format_of(path, why);
    if (!format) return NULL;
    recording *record = calloc(1, sizeof *record);
    if (!record) {
        fail(why, "%s: no memory to write with", path);
        return NULL;
    }
    record->format = format;
    if (!output_name_create(&record->name, path, why)) {
        free(record);
        return NULL;
    }
    record->state = format->begin(record->name.temporary, run, why);
    if (!record->state) {
        blame(record, why);
        record_abort(record);
        return NULL;
    }
    return record;
}

bool record_write(recording *record, const record_frame *frame, failure *why) {
    return record->format->frame(record->state, frame, why) || blame(record, why);
}

bool record_finish(recording *record, failure *why) {
    void *state = record->state;
    record->state = NULL;
    return record->format->end(state, why) || blame(record, why);
}

bool record_commit(recording *record, failure *why) {
    bool done = output_name_commit(&record->name, why);
    free(record);
    return done;
}

void record_abort(recording *record) {
    if (!record) return;
    if (record->state) record->format->abort(record->state);
    output_name_discard(&record->name);
    free(record);
}
