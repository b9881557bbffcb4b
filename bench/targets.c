// throng_targets TARGETS.json FOLDER: measures ratios against what a targets file asks for, each from measurements
// interleaved in one run, prints a table, and leaves report.json and plots in the folder. Its status is 0 also where a
// target is missed: these are benchmarks, not tests. A wrong state hash or targets file is an error.
#include "clock.h"
#include "plot.h"
#include "quantities.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_REPETITIONS = 101 };

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "throng_targets: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(2);
}

// ---- reading

static double number_or(const json_t *object, const char *key, double otherwise) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

static quantity_def read_quantity(const json_t *object, const char *target) {
    static const char *const known[] = {"quantity",       "agents", "threads",      "kernel",  "layout",
                                        "walls",          "stage",  "sorted",       "density", "max_neighbors",
                                        "neighbor_range", "radius", "time_horizon", "plain"};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) found = found || strcmp(key, known[i]) == 0;
        if (!found) fail("target '%s': unknown key '%s'", target, key);
    }
    quantity_def def = {.kind = QUANTITY_KIND_COUNT, .crowd = crowd_default()};
    const char *name = json_string_value(json_object_get(object, "quantity"));
    for (int kind = 0; name && kind < QUANTITY_KIND_COUNT; kind++) {
        if (strcmp(name, quantity_kind_name((quantity_kind)kind)) == 0) def.kind = (quantity_kind)kind;
    }
    if (def.kind == QUANTITY_KIND_COUNT) fail("target '%s': unknown quantity '%s'", target, name ? name : "");
    def.crowd.agents = (uint32_t)number_or(object, "agents", def.crowd.agents);
    def.crowd.threads = (uint32_t)number_or(object, "threads", def.crowd.threads);
    def.crowd.wall_segments = (uint32_t)number_or(object, "walls", 0);
    def.crowd.density = number_or(object, "density", def.crowd.density);
    def.crowd.max_neighbors = (uint32_t)number_or(object, "max_neighbors", def.crowd.max_neighbors);
    def.crowd.neighbor_range = (float)number_or(object, "neighbor_range", def.crowd.neighbor_range);
    def.crowd.radius = (float)number_or(object, "radius", def.crowd.radius);
    def.crowd.time_horizon = (float)number_or(object, "time_horizon", def.crowd.time_horizon);
    def.crowd.kernel = json_string_value(json_object_get(object, "kernel"));
    def.crowd.plain = json_is_true(json_object_get(object, "plain"));
    def.sorted = json_is_true(json_object_get(object, "sorted"));
    const char *layout = json_string_value(json_object_get(object, "layout"));
    for (int i = 0; layout && i < CROWD_LAYOUT_COUNT; i++) {
        if (strcmp(layout, crowd_layout_name((crowd_layout)i)) == 0) def.crowd.layout = (crowd_layout)i;
    }
    const char *stage = json_string_value(json_object_get(object, "stage"));
    for (int i = 0; stage && i < THRONG_STAGE_COUNT; i++) {
        if (strcmp(stage, quantity_stage_name((throng_stage)i)) == 0) def.stage = (throng_stage)i;
    }
    if (def.crowd.agents < 1) fail("target '%s': agents must be >= 1", target);
    return def;
}

// ---- measuring

typedef struct outcome {
    bool measured;
    double value, against; ///< medians
    double ratio;          ///< median of the ratios pair by pair; the value itself where there is nothing to compare
} outcome;

static bool same_crowd(const crowd_def *a, const crowd_def *b) {
    return a->layout == b->layout && a->agents == b->agents && a->density == b->density &&
           a->wall_segments == b->wall_segments && a->max_neighbors == b->max_neighbors && a->radius == b->radius &&
           a->time_horizon == b->time_horizon && a->neighbor_range == b->neighbor_range && a->plain == b->plain;
}

/// Threads and kernels may differ, states may not.
static void check_same_hash(const quantity *a, const quantity *b, const quantity_def *first, const quantity_def *second,
                            const char *name) {
    if (!quantity_world(a) || !b || !quantity_world(b)) return;
    if (!same_crowd(&first->crowd, &second->crowd)) return;
    throng_hashes x, y;
    throng_world_hash(quantity_world(a), &x);
    throng_world_hash(quantity_world(b), &y);
    if (x.whole != y.whole) fail("target '%s': the two runs end in different states: the figures are void", name);
}

static outcome measure(const json_t *target, const char *name, int repetitions) {
    const quantity_def def = read_quantity(json_object_get(target, "measure"), name);
    const json_t *other = json_object_get(target, "against");
    const quantity_def other_def = json_is_object(other) ? read_quantity(other, name) : (quantity_def){0};
    quantity *a = quantity_open(&def), *b = json_is_object(other) ? quantity_open(&other_def) : NULL;
    outcome result = {.measured = a && (b || !json_is_object(other))};
    double values[MAX_REPETITIONS], others[MAX_REPETITIONS], ratios[MAX_REPETITIONS];
    for (int i = 0; i < repetitions && result.measured; i++) {
        values[i] = quantity_measure(a);
        others[i] = b ? quantity_measure(b) : 1.0;
        ratios[i] = values[i] / others[i];
    }
    if (result.measured) {
        check_same_hash(a, b, &def, &other_def, name);
        result.ratio = bench_median(ratios, (size_t)repetitions);
        result.value = bench_median(values, (size_t)repetitions);
        result.against = bench_median(others, (size_t)repetitions);
    }
    quantity_close(a);
    quantity_close(b);
    return result;
}

static json_t *report_target(const json_t *target, int repetitions) {
    const char *name = json_string_value(json_object_get(target, "name"));
    if (!name) fail("a target has no name");
    const bool at_least = json_object_get(target, "at_least") != NULL;
    const double bound = number_or(target, at_least ? "at_least" : "at_most", NAN);
    if (isnan(bound)) fail("target '%s': at_most or at_least is missing", name);
    const outcome got = measure(target, name, repetitions);
    const bool met = got.measured && (at_least ? got.ratio >= bound : got.ratio <= bound);
    printf("%-62s %8.3f %s %-8.4g %s", name, got.ratio, at_least ? ">=" : "<=", bound,
           !got.measured ? "not measured"
           : met         ? "met"
                         : "FALLS SHORT");
    if (got.measured) printf("   (%.1f", got.value);
    if (got.measured && json_object_get(target, "against")) printf(" against %.1f", got.against);
    printf(got.measured ? ")\n" : "\n");
    fflush(stdout);
    return json_pack("{s:s, s:b, s:b, s:f, s:f, s:f, s:f}", "name", name, "measured", got.measured, "met", met, "ratio",
                     got.ratio, "bound", bound, "value", got.value, "against", got.against);
}

// ---- plots

static double median_step(crowd_def crowd, int repetitions) {
    const quantity_def def = {.kind = QUANTITY_STEP, .crowd = crowd};
    quantity *q = quantity_open(&def);
    double values[MAX_REPETITIONS];
    for (int i = 0; i < repetitions; i++) values[i] = quantity_measure(q);
    quantity_close(q);
    return bench_median(values, (size_t)repetitions);
}

static void add_point(plot_curve *curve, double x, double y) {
    if (curve->count == PLOT_POINTS) return;
    curve->x[curve->count] = x;
    curve->y[curve->count++] = y;
}

static void save(const plot *p, const char *folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    if (!plot_write(p, path)) fail("%s: %s", path, strerror(errno));
    printf("wrote %s\n", path);
}

static void draw_plots(const json_t *plots, const char *folder, int repetitions) {
    const uint32_t threads = (uint32_t)number_or(plots, "threads", 2);
    const uint32_t strong = (uint32_t)number_or(plots, "strong_agents", 100000);
    const uint32_t weak = (uint32_t)number_or(plots, "weak_agents_per_thread", 100000);
    plot cost = {
        .title = "Cost of an agent-step", .x_label = "agents", .y_label = "ns", .log_x = true, .curve_count = 2};
    cost.curves[0].name = "1 thread";
    cost.curves[1].name = "all threads";
    size_t i;
    json_t *value;
    json_array_foreach(json_object_get(plots, "agents"), i, value) {
        crowd_def crowd = crowd_default();
        crowd.agents = (uint32_t)json_number_value(value);
        add_point(&cost.curves[0], crowd.agents, median_step(crowd, repetitions));
        crowd.threads = threads;
        add_point(&cost.curves[1], crowd.agents, median_step(crowd, repetitions));
    }
    save(&cost, folder, "cost-against-agents");

    plot speed = {.title = "Strong scaling", .x_label = "threads", .y_label = "times one thread", .curve_count = 2};
    speed.curves[0].name = "speed-up";
    speed.curves[1].name = "efficiency";
    plot scaled = {.title = "Weak scaling", .x_label = "threads", .y_label = "efficiency", .curve_count = 1};
    scaled.curves[0].name = "agents per thread fixed";
    double one = 0.0, one_weak = 0.0;
    for (uint32_t n = 1; n <= threads; n++) {
        crowd_def crowd = crowd_default();
        crowd.threads = n;
        crowd.agents = strong;
        const double took = median_step(crowd, repetitions);
        crowd.agents = weak * n;
        const double took_weak = median_step(crowd, repetitions) * n;
        if (n == 1) {
            one = took;
            one_weak = took_weak;
        }
        add_point(&speed.curves[0], n, one / took);
        add_point(&speed.curves[1], n, one / took / n);
        add_point(&scaled.curves[0], n, one_weak / took_weak);
    }
    save(&speed, folder, "speed-up");
    save(&scaled, folder, "weak-scaling");
}

int main(int count, char **arguments) {
    if (count != 3) fail("usage: throng_targets TARGETS.json FOLDER");
    json_error_t error;
    json_t *file = json_load_file(arguments[1], JSON_REJECT_DUPLICATES, &error);
    if (!file) fail("%s: line %d: %s", arguments[1], error.line, error.text);
    if (mkdir(arguments[2], 0777) != 0 && errno != EEXIST) fail("%s: %s", arguments[2], strerror(errno));
    const int repetitions = (int)number_or(file, "repetitions", 7);
    if (repetitions < 1 || repetitions > MAX_REPETITIONS) fail("repetitions must be 1..%d", MAX_REPETITIONS);

    json_t *report = json_array();
    size_t i;
    json_t *target;
    json_array_foreach(json_object_get(file, "targets"), i, target) {
        json_array_append_new(report, report_target(target, repetitions));
    }
    const json_t *plots = json_object_get(file, "plots");
    if (plots) draw_plots(plots, arguments[2], repetitions);
    char path[1024];
    snprintf(path, sizeof path, "%s/report.json", arguments[2]);
    if (json_dump_file(report, path, JSON_INDENT(1)) != 0) fail("%s: can't be written", path);
    printf("wrote %s\n", path);
    json_decref(report);
    json_decref(file);
    return 0;
}
