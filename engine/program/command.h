// The commands of `throng`, one file each.
#ifndef PROGRAM_COMMAND_H
#define PROGRAM_COMMAND_H

#include <stddef.h>

enum {
    STATUS_DONE = 0,
    STATUS_FAILED = 1, ///< at run time
    STATUS_WRONG = 2   ///< a wrong call or scene
};

typedef struct command {
    const char *name;
    const char *arguments;             ///< as in a usage line
    const char *what;                  ///< in a few words, for the list of commands
    const char *help;                  ///< the rest of its --help
    int (*run)(int argc, char **argv); ///< argv[0] is the command's name; gives the exit status
} command;

extern const command command_run;
extern const command command_check;
extern const command command_make;
extern const command command_info;
extern const command command_draw;
extern const command command_validate;

/// Prints a command's --help; STATUS_DONE.
int command_help(const command *which);

/// The most --set of one call.
enum { OVERRIDES_MAX = 256 };

/// Says on standard error what is wrong with a call and where to look it up; STATUS_WRONG.
int command_wrong(const command *which, const char *format, ...);

/// Says why a command failed at run time; STATUS_FAILED.
int command_failed(const char *format, ...);

/// The message for the option at which getopt_long stopped (it must be called with opterr 0 and options that start
/// with ':'); STATUS_WRONG. `option` is what it returned.
int command_wrong_option(const command *which, int option, char **argv);

struct scene_problems;

/// Prints the problems of a scene on standard error; warnings beyond the first `warning_limit` are only counted. Gives
/// the exit status: STATUS_DONE where there are only warnings.
int command_report(const struct scene_problems *problems, size_t warning_limit);

/// A whole decimal number within [least, most].
int command_number(const char *text, unsigned long long least, unsigned long long most, unsigned long long *value);

#endif
