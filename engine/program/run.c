// throng run: a scene, stepped, with its outputs.
#include "program/command.h"
#include "program/outputs.h"
#include "program/progress.h"
#include "program/simulation.h"

#include "record/frame.h"
#include "scene/scene.h"

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MAX = 1024, WARNINGS_SHOWN = 20 };

typedef struct run_options {
    const char *scene;
    const char *outs[OUTPUTS_MAX];
    int out_count;
    const char *summary;
    const char *overrides[OVERRIDES_MAX + 1]; ///< --duration is one, too
    size_t override_count;
    char duration[64]; ///< the override that --duration stands for
    uint64_t every;
    uint32_t threads; ///< 0: all
    bool quiet;
} run_options;

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

// The run ends after the step under way, with whole outputs. A signal that the caller ignores (nohup) stays ignored.
static void catch_signals(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = interrupt}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(signals[i], &action, NULL);
    }
}

// STATUS_DONE: go on; else the exit status, with everything said.
static int take_option(run_options *options, int option, char **argv) {
    unsigned long long number;
    char *end;
    switch (option) {
    case 'o':
        if (options->out_count == OUTPUTS_MAX) return command_wrong(&command_run, "at most %d --out", OUTPUTS_MAX);
        options->outs[options->out_count++] = optarg;
        return STATUS_DONE;
    case 'e':
        if (!command_number(optarg, 1, UINT64_MAX, &number)) {
            return command_wrong(&command_run, "--every must be a whole number >= 1, is '%s'", optarg);
        }
        options->every = number;
        return STATUS_DONE;
    case 's':
        if (options->summary) return command_wrong(&command_run, "--summary is given twice");
        options->summary = optarg;
        return STATUS_DONE;
    case 't':
        if (!command_number(optarg, 1, THREADS_MAX, &number)) {
            return command_wrong(&command_run, "--threads must be from 1 to %d, is '%s'", THREADS_MAX, optarg);
        }
        options->threads = (uint32_t)number;
        return STATUS_DONE;
    case 'd': {
        double seconds = strtod(optarg, &end);
        if (end == optarg || *end != '\0' || !(seconds >= 0.0 && seconds <= 1e300)) {
            return command_wrong(&command_run, "--duration must be seconds >= 0, is '%s'", optarg);
        }
        snprintf(options->duration, sizeof options->duration, "duration=%.17g", seconds);
        return STATUS_DONE;
    }
    case 'p':
        if (options->override_count == OVERRIDES_MAX)
            return command_wrong(&command_run, "at most %d --set", OVERRIDES_MAX);
        options->overrides[options->override_count++] = optarg;
        return STATUS_DONE;
    case 'q':
        options->quiet = true;
        return STATUS_DONE;
    default:
        return command_wrong_option(&command_run, option, argv);
    }
}

typedef struct run_state {
    const run_options *options;
    scene *scene;
    scene_world built;
    simulation simulation;
    outputs out;
    frame_buffer frames;
    run_summary summary;
} run_state;

static bool record_now(run_state *run, failure *why) {
    record_frame frame;
    if (run->out.count == 0) return true;
    return frame_take(&run->frames, run->built.world, &frame, why) && outputs_write(&run->out, &frame, why);
}

static bool step_all(run_state *run, failure *why) {
    uint64_t steps = scene_steps(run->scene), step = 0;
    progress bar = progress_start(run->options->quiet);
    bool good = record_now(run, why);
    while (good && step < steps && !interrupted) {
        if (run->scene->stop_early && !simulation_under_way(&run->simulation)) break;
        good = simulation_step(&run->simulation, why);
        step += good;
        if (good && step % run->options->every == 0) good = record_now(run, why);
        throng_view view;
        if (bar.shown && throng_world_view(run->built.world, &view) == THRONG_OK) {
            progress_update(&bar, step, steps, view.count, view.time);
        }
    }
    progress_end(&bar);
    run->summary.interrupted = interrupted && step < steps;
    return good && outputs_finish(&run->out, why);
}

// What the world tells at the end.
static bool sum_up(run_state *run, double started, failure *why) {
    run_summary *s = &run->summary;
    const throng_world *world = run->built.world;
    throng_view view;
    throng_hashes hashes;
    if (throng_world_view(world, &view) != THRONG_OK || throng_world_hash(world, &hashes) != THRONG_OK ||
        throng_world_counters(world, &s->counters) != THRONG_OK ||
        throng_world_profile(world, &s->profile) != THRONG_OK) {
        return fail(why, "%s", throng_last_error()->message);
    }
    s->outside = simulation_in_state(&run->simulation, THRONG_AGENT_OUTSIDE, &s->outside_count);
    s->stuck = simulation_in_state(&run->simulation, THRONG_AGENT_STUCK, &s->stuck_count);
    if (!s->outside || !s->stuck) return fail(why, "no memory for the summary");
    s->scene = run->options->scene;
    s->name = run->scene->name;
    s->agents = run->scene->agent_count;
    s->steps = view.step;
    s->time_step = run->scene->time_step;
    s->time = view.time;
    s->arrival_times = run->simulation.arrival_times;
    s->stuck_reasons = run->simulation.stuck_reasons;
    s->stuck_by = run->simulation.stuck_by;
    s->infeasible = run->simulation.infeasible;
    s->state_hash = hashes.whole;
    s->wall_seconds = progress_seconds() - started;
    return true;
}

// Closing lines would stand amid what a reader of standard output is to take for a recording or a summary.
static bool writes_to_standard(const run_options *options) {
    for (int i = 0; i < options->out_count; i++) {
        if (output_is_standard(options->outs[i])) return true;
    }
    return options->summary && output_is_standard(options->summary);
}

static void print_closing(const run_state *run) {
    const run_summary *s = &run->summary;
    const run_options *options = run->options;
    printf("%" PRIu64 " agents, %" PRIu64 " steps (%g s) in %.3g s: %.3g ns per agent and step, %u thread%s, %s\n",
           s->agents, s->steps, s->time, s->wall_seconds, summary_ns_per_agent_step(s), s->counters.threads,
           s->counters.threads == 1 ? "" : "s", s->counters.kernel);
    printf("arrived: %" PRIu64 ", stuck: %" PRIu64 "; deepest overlap %.3g m, into walls %.3g m\n", summary_arrived(s),
           s->stuck_count, s->counters.overlap_max, s->counters.wall_overlap_max);
    for (int i = 0; i < options->out_count; i++) printf("wrote %s\n", options->outs[i]);
    if (options->summary) printf("wrote %s\n", options->summary);
}

// With the world built: outputs opened, all steps, files named.
static int run_world(run_state *run, double started) {
    const run_options *options = run->options;
    const record_run about = {.name = run->scene->name ? run->scene->name : "",
                              .time_step = run->scene->time_step,
                              .every = options->every,
                              .agents = run->scene->agent_count,
                              .walls = run->scene->walls,
                              .wall_count = run->scene->wall_count};
    failure why;
    bool done = simulation_start(&run->simulation, run->scene, &run->built, &why) &&
                outputs_open(&run->out, options->outs, options->out_count, options->summary, &about, &why) &&
                step_all(run, &why) && sum_up(run, started, &why) && outputs_commit(&run->out, &run->summary, &why);
    outputs_abort(&run->out);
    if (!done) return command_failed("%s", why.text);
    if (run->summary.interrupted) {
        fprintf(stderr, "throng: interrupted after %" PRIu64 " steps; what was recorded is kept\n", run->summary.steps);
    }
    if (!options->quiet && !writes_to_standard(options)) print_closing(run);
    return STATUS_DONE;
}

static int run_scene(const run_options *options) {
    double started = progress_seconds();
    run_state run = {.options = options};
    scene_problems problems = {0};
    throng_world_def def = throng_default_world_def();
    def.threads = options->threads;
    if (options->summary) def.event_mask |= 1 << THRONG_EVENT_INFEASIBLE;
    run.scene = scene_read(options->scene, options->overrides, options->override_count, &problems);
    bool built = run.scene && scene_build(run.scene, &def, &run.built, &problems);
    int status = command_report(&problems, WARNINGS_SHOWN);
    if (built) status = run_world(&run, started);
    free((void *)run.summary.outside);
    free((void *)run.summary.stuck);
    frame_buffer_free(&run.frames);
    simulation_free(&run.simulation);
    scene_world_free(&run.built);
    scene_free(run.scene);
    scene_problems_free(&problems);
    return status;
}

static int run_run(int argc, char **argv) {
    static const struct option names[] = {
        {"out", required_argument, NULL, 'o'},
        {"every", required_argument, NULL, 'e'},
        {"summary", required_argument, NULL, 's'},
        {"threads", required_argument, NULL, 't'},
        {"duration", required_argument, NULL, 'd'},
        {"set", required_argument, NULL, 'p'},
        {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    run_options options = {.every = 1};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":h", names, NULL)) != -1;) {
        if (option == 'h') return command_help(&command_run);
        int status = take_option(&options, option, argv);
        if (status != STATUS_DONE) return status;
    }
    if (optind + 1 != argc) return command_wrong(&command_run, "one scene is needed");
    options.scene = argv[optind];
    if (options.duration[0]) options.overrides[options.override_count++] = options.duration;
    failure why;
    if (!outputs_check(options.outs, options.out_count, options.summary, options.scene, &why)) {
        return command_wrong(&command_run, "%s", why.text);
    }
    catch_signals();
    return run_scene(&options);
}

const command command_run = {
    .name = "run",
    .arguments = "SCENE [--out FILE]... [--every K] [--summary FILE.json] [--threads N] [--duration S] "
                 "[--set PATH=VALUE]... [--quiet]",
    .what = "run a scene and record it",
    .help = "Steps the crowd of a scene file until its duration is over or, where \"stop_early\" is\n"
            "true, nobody is under way. Ctrl-C ends the run and keeps what was recorded.\n\n"
            "  --out FILE        record trajectories; the ending says the format: .csv, or .sqlite for\n"
            "                    JuPedSim's trajectory database; may be given several times\n"
            "  --every K         record each K-th step (default 1); step 0 is the start\n"
            "  --summary FILE    write what happened as JSON: arrival times, overlaps, state hash ...\n"
            "                    (to /dev/stdout without the closing lines)\n"
            "  --threads N       use at most N threads (default: all); results do not depend on it\n"
            "  --duration S      seconds, in place of the scene's duration\n"
            "  --set PATH=VALUE  replace a value of the scene, as in agents[3].radius=0.3 or\n"
            "                    profiles.default.max_speed=2\n"
            "  --quiet           no progress bar and no closing lines; warnings and errors stay\n\n"
            "Files appear under their names once they are whole; a run that fails leaves none.\n"
            "Exit status 0: done (agents may be stuck); 2: a wrong call or scene; 1: failed.",
    .run = run_run,
};
