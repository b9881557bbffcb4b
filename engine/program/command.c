#include "program/command.h"

#include "scene/problems.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int command_help(const command *which) {
    printf("usage: throng %s %s\n\n%s\n", which->name, which->arguments, which->help);
    return STATUS_DONE;
}

int command_wrong(const command *which, const char *format, ...) {
    fprintf(stderr, "throng %s: ", which->name);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nusage: throng %s %s\n", which->name, which->arguments);
    return STATUS_WRONG;
}

int command_failed(const char *format, ...) {
    fprintf(stderr, "throng: ");
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    return STATUS_FAILED;
}

int command_wrong_option(const command *which, int option, char **argv) {
    if (option == ':') return command_wrong(which, "%s needs a value", argv[optind - 1]);
    return command_wrong(which, "%s is no option of it", argv[optind - 1]);
}

int command_report(const scene_problems *problems, size_t warning_limit) {
    size_t warnings = 0;
    for (size_t i = 0; i < problems->count; i++) {
        bool error = problems->items[i].severity == SCENE_ERROR;
        warnings += !error;
        if (!error && warnings > warning_limit) continue;
        fprintf(stderr, "throng: %s%s\n", error ? "" : "warning: ", problems->items[i].text);
    }
    if (warnings > warning_limit) {
        fprintf(stderr, "throng: warning: %zu more; throng check lists all\n", warnings - warning_limit);
    }
    if (problems->out_of_memory) return STATUS_FAILED;
    return problems->error_count > 0 ? STATUS_WRONG : STATUS_DONE;
}

int command_number(const char *text, unsigned long long least, unsigned long long most, unsigned long long *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *value >= least && *value <= most;
}
