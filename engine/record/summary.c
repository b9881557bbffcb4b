#include "record/summary.h"

#include "record/number.h"
#include "record/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

double summary_ns_per_agent_step(const run_summary *summary) {
    uint64_t agent_steps = summary->profile.agent_steps;
    return agent_steps > 0 ? 1e9 * summary->profile.run_seconds / (double)agent_steps : 0.0;
}

uint64_t summary_arrived(const run_summary *summary) {
    uint64_t arrived = 0;
    for (uint64_t i = 0; i < summary->agents; i++) arrived += summary->arrival_times[i] >= 0.0;
    return arrived;
}

// A writer of members. After a failure the rest is left out; `good` tells at the end.
typedef struct writer {
    output_file file;
    failure *why;
    bool good, first;
} writer;

static void text(writer *w, const char *what) {
    w->good = w->good && output_text(&w->file, what, w->why);
}

static void key(writer *w, const char *name) {
    text(w, w->first ? "{\n  \"" : ",\n  \"");
    text(w, name);
    text(w, "\": ");
    w->first = false;
}

static void whole_value(writer *w, uint64_t value) {
    char digits[NUMBER_CHARS];
    *number_from_integer(digits, value) = '\0';
    text(w, digits);
}

static void double_value(writer *w, double value) {
    char digits[NUMBER_CHARS];
    *number_from_double(digits, value) = '\0';
    text(w, digits);
}

static void whole(writer *w, const char *name, uint64_t value) {
    key(w, name);
    whole_value(w, value);
}

static void real(writer *w, const char *name, double value) {
    key(w, name);
    double_value(w, value);
}

static void metres(writer *w, const char *name, float value) {
    char digits[NUMBER_CHARS];
    *number_from_float(digits, value) = '\0';
    key(w, name);
    text(w, digits);
}

static void string(writer *w, const char *name, const char *value) {
    key(w, name);
    text(w, "\"");
    for (; *value; value++) {
        char escaped[8] = {*value};
        unsigned char c = (unsigned char)*value;
        if (c < 0x20) snprintf(escaped, sizeof escaped, "\\u%04x", c);
        if (c == '"' || c == '\\') snprintf(escaped, sizeof escaped, "\\%c", c);
        text(w, escaped);
    }
    text(w, "\"");
}

static void list(writer *w, const char *name, const uint64_t *values, uint64_t count) {
    key(w, name);
    text(w, "[");
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0) text(w, ", ");
        whole_value(w, values[i]);
    }
    text(w, "]");
}

// A map from agents' numbers: begin, then a name for each, and end.
static void begin_map(writer *w, const char *name) {
    key(w, name);
    text(w, "{");
    w->first = true;
}

static void agent(writer *w, uint64_t number) {
    text(w, w->first ? "\"" : ", \"");
    whole_value(w, number);
    text(w, "\": ");
    w->first = false;
}

static void end_map(writer *w) {
    text(w, "}");
    w->first = false;
}

static void arrival_times(writer *w, const run_summary *summary) {
    begin_map(w, "arrival_times");
    for (uint64_t i = 0; i < summary->agents; i++) {
        if (summary->arrival_times[i] < 0.0) continue;
        agent(w, i);
        double_value(w, summary->arrival_times[i]);
    }
    end_map(w);
}

static void stuck_reasons(writer *w, const run_summary *summary) {
    static const char *const words[] = {"", "unreachable", "walls", "blocked", "jam", "door"}; // throng_stuck_reason
    begin_map(w, "stuck_reasons");
    for (uint64_t i = 0; i < summary->stuck_count; i++) {
        agent(w, summary->stuck[i]);
        text(w, "\"");
        text(w, words[summary->stuck_reasons[summary->stuck[i]]]);
        text(w, "\"");
    }
    end_map(w);
}

static void stuck_by(writer *w, const run_summary *summary) {
    begin_map(w, "stuck_by");
    for (uint64_t i = 0; i < summary->stuck_count; i++) {
        const uint64_t number = summary->stuck[i];
        if (summary->stuck_by[number] == number) continue;
        agent(w, number);
        whole_value(w, summary->stuck_by[number]);
    }
    end_map(w);
}

static void infeasible_by_agent(writer *w, const run_summary *summary) {
    begin_map(w, "infeasible_by_agent");
    for (uint64_t i = 0; i < summary->agents; i++) {
        if (summary->infeasible[i] == 0) continue;
        agent(w, i);
        whole_value(w, summary->infeasible[i]);
    }
    end_map(w);
}

bool summary_write(const char *path, const run_summary *summary, failure *why) {
    writer w = {.why = why, .good = true, .first = true};
    if (!output_open(&w.file, path, why)) return false;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, summary->state_hash);
    string(&w, "scene", summary->scene);
    if (summary->name) string(&w, "name", summary->name);
    whole(&w, "agents", summary->agents);
    whole(&w, "steps", summary->steps);
    real(&w, "time_step", summary->time_step);
    real(&w, "time", summary->time);
    whole(&w, "arrived", summary_arrived(summary));
    arrival_times(&w, summary);
    list(&w, "stuck", summary->stuck, summary->stuck_count);
    stuck_reasons(&w, summary);
    stuck_by(&w, summary);
    list(&w, "outside", summary->outside, summary->outside_count);
    metres(&w, "max_overlap", summary->counters.overlap_max);
    metres(&w, "max_wall_overlap", summary->counters.wall_overlap_max);
    whole(&w, "infeasible", summary->counters.infeasible_total);
    infeasible_by_agent(&w, summary);
    whole(&w, "truncated", summary->counters.truncated_total);
    string(&w, "state_hash", hash);
    real(&w, "wall_seconds", summary->wall_seconds);
    real(&w, "ns_per_agent_step", summary_ns_per_agent_step(summary));
    whole(&w, "threads", summary->counters.threads);
    string(&w, "kernel", summary->counters.kernel);
    string(&w, "version", throng_version());
    key(&w, "interrupted");
    text(&w, summary->interrupted ? "true\n}\n" : "false\n}\n");
    if (w.good) return output_finish(&w.file, why);
    output_abandon(&w.file);
    return false;
}
