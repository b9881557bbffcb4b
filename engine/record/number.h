// Numbers as decimal text that reads back as the same number, fast.
#ifndef RECORD_NUMBER_H
#define RECORD_NUMBER_H

#include <stdint.h>

enum {
    NUMBER_CHARS = 32 ///< room that any number needs
};

/// Each writes to `at` (no final null) and returns the end. Finite numbers only.
char *number_from_integer(char *at, uint64_t value);
/// Reads back by strtod as the same double.
char *number_from_double(char *at, double value);
/// Reads back by strtof, or by strtod rounded to float, as the same float.
char *number_from_float(char *at, float value);

#endif
