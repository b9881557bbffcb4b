// Output files: written under a temporary name in the same folder, renamed when whole. A target that is no regular
// file (a pipe, a device), or that standard output goes to, is written in place.
#ifndef RECORD_OUTPUT_H
#define RECORD_OUTPUT_H

#include "record/failure.h"

#include <stddef.h>

/// A file name under way: `temporary` is written, `final` is what the user asked for.
typedef struct output_name {
    char *final;     ///< with symbolic links of an existing target resolved
    char *temporary; ///< equal to `final` where the target is written in place
    bool in_place;
} output_name;

/// Creates the temporary file (empty). False: nothing remains.
bool output_name_create(output_name *name, const char *path, failure *why);
/// Renames; frees the names. False: nothing remains.
bool output_name_commit(output_name *name, failure *why);
/// Removes the temporary file; frees the names. A cleared name is fine.
void output_name_discard(output_name *name);

/// Whether a path leads to where standard output goes.
bool output_is_standard(const char *path);

/// Whether two paths lead to the same file, whether or not it exists yet.
bool output_same_file(const char *a, const char *b);

/// A buffered writer. Its failures do not name the file.
typedef struct output_file {
    int descriptor;
    char *buffer;
    size_t used;
} output_file;

enum {
    OUTPUT_ROOM = 4096 ///< bytes that output_room makes available
};

bool output_open(output_file *file, const char *path, failure *why);
/// Somewhere to write up to OUTPUT_ROOM bytes to, counted by output_advance; null after a failure.
char *output_room(output_file *file, failure *why);
void output_advance(output_file *file, size_t bytes);
bool output_text(output_file *file, const char *text, failure *why);
/// Writes what is left, waits for the disk and closes. The file is closed also when it fails.
bool output_finish(output_file *file, failure *why);
/// Closes without a word. A file that is not open is fine.
void output_abandon(output_file *file);

#endif
