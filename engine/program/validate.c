// throng validate: what is measured of crowds against what is known of them.
#include "program/command.h"
#include "program/validate.h"

#include <getopt.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static const validation_test *const tests[] = {
    &validate_circle,      &validate_siege,    &validate_door,  &validate_door_step, &validate_door_width,
    &validate_counterflow, &validate_corridor, &validate_lanes, &validate_diagram,   &validate_laboratory};
enum { TEST_COUNT = sizeof tests / sizeof tests[0] };

static bool progress_shown;

void validation_progress(const char *test, const char *what, uint32_t done, uint32_t of_all) {
    if (!isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r%-78.78s\r     %s: %s, %u of %u", "", test, what, done, of_all);
    fflush(stderr);
    progress_shown = true;
}

static void clear_progress(void) {
    if (progress_shown) fprintf(stderr, "\r%-78.78s\r", "");
    progress_shown = false;
}

void validation_row(validation *of, const char *test, const char *what, double measured, double least, double most,
                    const char *unit) {
    const bool good = measured >= least && measured <= most;
    char required[64];
    if (!(least > -INFINITY)) {
        snprintf(required, sizeof required, "<= %.4g", most);
    } else if (!(most < INFINITY)) {
        snprintf(required, sizeof required, ">= %.4g", least);
    } else {
        snprintf(required, sizeof required, "%.4g to %.4g", least, most);
    }
    clear_progress();
    printf("%-4s %-12s %-44s %9.4g  %-16s %s\n", good ? "ok" : "FAIL", test, what, measured, required, unit);
    fflush(stdout);
    of->rows++;
    of->failed += !good;
}

void validation_broken(validation *of, const char *test, const char *what) {
    clear_progress();
    printf("FAIL %-12s %-44s could not be run: %s\n", test, what, throng_last_error()->message);
    of->rows++;
    of->failed++;
}

void validation_skipped(validation *of, const char *test, const char *what, const char *why) {
    clear_progress();
    printf("-    %-12s %-44s not measured: %s\n", test, what, why);
    of->skipped++;
}

static const validation_test *test_named(const char *name) {
    for (int i = 0; i < TEST_COUNT; i++) {
        if (strcmp(tests[i]->name, name) == 0) return tests[i];
    }
    return NULL;
}

static int run_validate(int argc, char **argv) {
    static const struct option names[] = {{"out", required_argument, NULL, 'o'},
                                          {"seeds", required_argument, NULL, 's'},
                                          {"laboratory", required_argument, NULL, 'f'},
                                          {"list", no_argument, NULL, 'l'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    validation of = {.seeds = 20};
    unsigned long long number;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":h", names, NULL)) != -1;) {
        switch (option) {
        case 'h':
            return command_help(&command_validate);
        case 'o':
            of.folder = optarg;
            break;
        case 'f':
            of.laboratory = optarg;
            break;
        case 's':
            if (!command_number(optarg, 1, 1000, &number)) {
                return command_wrong(&command_validate, "--seeds must be from 1 to 1000, is '%s'", optarg);
            }
            of.seeds = (uint32_t)number;
            break;
        case 'l':
            for (int i = 0; i < TEST_COUNT; i++) printf("%-12s %s\n", tests[i]->name, tests[i]->what);
            return STATUS_DONE;
        default:
            return command_wrong_option(&command_validate, option, argv);
        }
    }
    for (int i = optind; i < argc; i++) {
        if (!test_named(argv[i])) return command_wrong(&command_validate, "there is no test '%s'; --list", argv[i]);
    }
    printf("%-4s %-12s %-44s %9s  %-16s %s\n", "", "test", "", "measured", "required", "unit");
    for (int i = optind; i < argc; i++) test_named(argv[i])->run(&of);
    for (int i = 0; optind == argc && i < TEST_COUNT; i++) tests[i]->run(&of);
    printf("%u of %u hold", of.rows - of.failed, of.rows);
    if (of.skipped > 0) printf(", %u not measured", of.skipped);
    printf("\n");
    return of.failed ? STATUS_FAILED : STATUS_DONE;
}

const command command_validate = {
    .name = "validate",
    .arguments = "[TEST]... [--seeds N] [--out FOLDER] [--laboratory FILE] [--list]",
    .what = "measure crowds against what is known of them",
    .help = "Runs the validation tests (all, or those named) and prints a table of what was measured\n"
            "against what is required; data/validation/README.md says where the figures come from.\n\n"
            "  --seeds N      repeat tests with random starts so often (default 20)\n"
            "  --out FOLDER   write plots as SVG into a folder that exists\n"
            "  --laboratory FILE\n"
            "                 trajectories of the experiment 040_c_56_h, lines 'id frame x y z'\n"
            "                 (looked for in ../shared/data); without them it is not measured\n"
            "  --list         name the tests\n\n"
            "Exit status 0: all hold; 1: some do not; 2: a wrong call.",
    .run = run_validate,
};
