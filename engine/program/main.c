#include "program/command.h"

#include <throng/throng.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const command *const commands[] = {&command_run,  &command_check, &command_make,
                                          &command_info, &command_draw,  &command_validate};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(void) {
    printf("throng: moves crowds, each agent avoiding the others and the walls\n\nusage:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) printf("  throng %s %s\n", commands[i]->name, commands[i]->arguments);
    printf("  throng COMMAND --help\n  throng --version\n\ncommands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) printf("  %-8s %s\n", commands[i]->name, commands[i]->what);
    printf("\nexit status: 0 done, 1 failed at run time, 2 wrong call or scene\n");
}

static int run_command(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "throng: a command is needed; throng --help lists them\n");
        return STATUS_WRONG;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help();
        return STATUS_DONE;
    }
    if (strcmp(name, "--version") == 0) {
        printf("throng %s\n", throng_version());
        return STATUS_DONE;
    }
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i]->name) == 0) return commands[i]->run(argc - 1, argv + 1);
    }
    fprintf(stderr, "throng: no command '%s'; throng --help lists them\n", name);
    return STATUS_WRONG;
}

int main(int argc, char **argv) {
    // A closed pipe and a file grown too large are write errors with a message, not sudden ends.
    signal(SIGPIPE, SIG_IGN);
#if defined(SIGXFSZ)
    signal(SIGXFSZ, SIG_IGN);
#endif
    int status = run_command(argc, argv);
    if (fflush(stdout) != 0 && status == STATUS_DONE) {
        return command_failed("standard output: %s", strerror(errno));
    }
    return status;
}
