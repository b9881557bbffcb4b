// Why something failed, in words for the user. Functions that can fail take a `failure *` and return false.
#ifndef RECORD_FAILURE_H
#define RECORD_FAILURE_H

#include <stdbool.h>

typedef struct failure {
    char text[1024]; ///< one line without a final newline
} failure;

/// Sets the text; always false, so that a caller can write `return fail(...)`.
bool fail(failure *why, const char *format, ...);

#endif
