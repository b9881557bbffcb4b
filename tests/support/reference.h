// The files of questions and independent answers. Include after cmocka.h.
#ifndef THRONG_TESTS_REFERENCE_H
#define THRONG_TESTS_REFERENCE_H

#include <stdio.h>
#include <stdlib.h>

static inline FILE *open_reference(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", THRONG_TEST_REFERENCE, name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s: cannot be opened", path);
    for (int c; (c = fgetc(file)) != EOF && c != '\n';) { // the line that names the columns
    }
    return file;
}

static inline int read_numbers(FILE *file, double *to, int count) {
    for (int i = 0; i < count; i++) {
        char word[64];
        if (fscanf(file, "%63s", word) != 1) return 0;
        to[i] = strtod(word, NULL);
    }
    return 1;
}

#endif
