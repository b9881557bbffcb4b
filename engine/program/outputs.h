// All files that a run writes: they get their names together, once each is whole.
#ifndef PROGRAM_OUTPUTS_H
#define PROGRAM_OUTPUTS_H

#include "record/output.h"
#include "record/record.h"
#include "record/summary.h"

enum { OUTPUTS_MAX = 16 };

typedef struct outputs {
    recording *recordings[OUTPUTS_MAX];
    int count;
    output_name summary;
} outputs;

/// What can be wrong with the names alone: unknown endings, one file named twice, the scene among them. `summary` may
/// be null.
bool outputs_check(const char *const *paths, int count, const char *summary, const char *scene, failure *why);

/// False: nothing is left.
bool outputs_open(outputs *out, const char *const *paths, int count, const char *summary, const record_run *run,
                  failure *why);
bool outputs_write(outputs *out, const record_frame *frame, failure *why);
/// Completes the recordings under their temporary names.
bool outputs_finish(outputs *out, failure *why);
/// Writes the summary and gives all files their names. False: nothing more is left than files that were renamed
/// before one could not be.
bool outputs_commit(outputs *out, const run_summary *summary, failure *why);
/// Leaves nothing behind; after a commit it does nothing.
void outputs_abort(outputs *out);

#endif
