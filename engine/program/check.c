// throng check: every problem of scenes.
#include "program/command.h"

#include "scene/scene.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>

static int check_scene(const char *path, const char *const *overrides, size_t override_count) {
    scene_problems problems = {0};
    scene *which = scene_read(path, overrides, override_count, &problems);
    scene_world built = {0};
    throng_world_def def = throng_default_world_def();
    def.threads = 1;
    if (which) scene_build(which, &def, &built, &problems);
    int status = command_report(&problems, SIZE_MAX);
    size_t warnings = problems.count - problems.error_count;
    if (status == STATUS_DONE) {
        printf("%s: good, %u agents, %u walls, %zu warning%s\n", path, which->agent_count, which->wall_count, warnings,
               warnings == 1 ? "" : "s");
    }
    scene_world_free(&built);
    scene_free(which);
    scene_problems_free(&problems);
    return status;
}

static int run_check(int argc, char **argv) {
    enum { SET = 1, HELP };
    static const struct option options[] = {
        {"set", required_argument, NULL, SET}, {"help", no_argument, NULL, HELP}, {0}};
    const char *overrides[OVERRIDES_MAX];
    size_t override_count = 0;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        switch (option) {
        case SET:
            if (override_count == OVERRIDES_MAX)
                return command_wrong(&command_check, "at most %d --set", OVERRIDES_MAX);
            overrides[override_count++] = optarg;
            break;
        case HELP:
        case 'h':
            return command_help(&command_check);
        default:
            return command_wrong_option(&command_check, option, argv);
        }
    }
    if (optind == argc) return command_wrong(&command_check, "a scene is needed");
    int worst = STATUS_DONE;
    for (int i = optind; i < argc; i++) {
        int status = check_scene(argv[i], overrides, override_count);
        if (status > worst) worst = status;
    }
    return worst;
}

const command command_check = {
    .name = "check",
    .arguments = "SCENE... [--set PATH=VALUE]...",
    .what = "report every problem of scenes",
    .help = "Reads scene files and says on standard error everything that is wrong with them,\n"
            "each with file, line and the path of the value.\n\n"
            "  --set PATH=VALUE  replace a value first, as in throng run\n\n"
            "Exit status 0: the scenes can be run (there may be warnings); 2: one can't.",
    .run = run_check,
};
