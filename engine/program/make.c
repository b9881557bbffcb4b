// throng make: a generated scene.
#include "program/command.h"

#include "record/output.h"
#include "scene/generate.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static void list_parameters(const generate_kind *kind) {
    for (size_t i = 0; i < generate_parameter_count(kind); i++) {
        const generate_parameter *parameter = &kind->parameters[i];
        printf("  %14s=%-8.10g %s, %.10g to %.10g\n", parameter->name, parameter->value, parameter->meaning,
               parameter->min, parameter->max);
    }
}

static int help_make(void) {
    command_help(&command_make);
    size_t count;
    const generate_kind *const *kinds = generate_kinds(&count);
    printf("\nscenes and their parameters with defaults:\n");
    for (size_t i = 0; i < count; i++) {
        printf("\n%s: %s\n", kinds[i]->name, kinds[i]->shows);
        list_parameters(kinds[i]);
    }
    return STATUS_DONE;
}

static int unknown_kind(const char *name) {
    char known[256] = "";
    size_t count;
    const generate_kind *const *kinds = generate_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", kinds[i]->name);
    }
    return command_wrong(&command_make, "no scene '%s'; there are %s", name, known);
}

// Writes the scene and says whether all of it arrived.
static bool write_scene(FILE *file, const generate_kind *kind, const double *parameters, failure *why) {
    errno = 0;
    if (!kind->write(file, parameters)) return fail(why, "out of memory");
    return (fflush(file) == 0 && !ferror(file)) || fail(why, "%s", strerror(errno));
}

static int write_to(const char *path, const generate_kind *kind, const double *parameters) {
    failure why;
    output_name name;
    if (!output_name_create(&name, path, &why)) return command_failed("%s", why.text);
    FILE *file = fopen(name.temporary, "w");
    bool done = file || fail(&why, "%s", strerror(errno));
    if (file) {
        done = write_scene(file, kind, parameters, &why);
        if (fclose(file) != 0 && done) done = fail(&why, "%s", strerror(errno));
    }
    if (!done) {
        output_name_discard(&name);
        return command_failed("%s: %s", path, why.text);
    }
    return output_name_commit(&name, &why) ? STATUS_DONE : command_failed("%s", why.text);
}

static int run_make(int argc, char **argv) {
    enum { OUT = 1, HELP };
    static const struct option options[] = {
        {"out", required_argument, NULL, OUT}, {"help", no_argument, NULL, HELP}, {0}};
    const char *path = NULL;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        switch (option) {
        case OUT:
            if (path) return command_wrong(&command_make, "one --out is enough");
            path = optarg;
            break;
        case HELP:
        case 'h':
            return help_make();
        default:
            return command_wrong_option(&command_make, option, argv);
        }
    }
    if (optind == argc) return command_wrong(&command_make, "a name is needed; throng make --help lists them");
    const generate_kind *kind = generate_find(argv[optind]);
    if (!kind) return unknown_kind(argv[optind]);
    double parameters[GENERATE_PARAMETERS];
    generate_defaults(kind, parameters);
    for (int i = optind + 1; i < argc; i++) {
        char why[512];
        if (!generate_set(kind, argv[i], parameters, why, sizeof why)) return command_wrong(&command_make, "%s", why);
    }
    if (path) return write_to(path, kind, parameters);
    failure why;
    return write_scene(stdout, kind, parameters, &why) ? STATUS_DONE : command_failed("standard output: %s", why.text);
}

const command command_make = {
    .name = "make",
    .arguments = "NAME [KEY=VALUE]... [--out FILE]",
    .what = "write a generated scene",
    .help = "Writes a scene made by rule, to standard output or a file. The same call always\n"
            "writes the same scene.\n\n"
            "  --out FILE  write there",
    .run = run_make,
};
