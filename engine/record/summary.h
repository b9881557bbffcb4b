// The summary of a run: one JSON object.
#ifndef RECORD_SUMMARY_H
#define RECORD_SUMMARY_H

#include "record/failure.h"

#include <throng/throng.h>

typedef struct run_summary {
    const char *scene;           ///< its file
    const char *name;            ///< its name, null where it has none
    uint64_t agents;             ///< in the scene
    uint64_t steps;              ///< made
    double time_step, time;      ///< s
    bool interrupted;            ///< ended by a signal
    const double *arrival_times; ///< s, of each agent of the scene; negative: none
    const uint64_t *stuck;       ///< numbers, ascending
    uint64_t stuck_count;
    const throng_stuck_reason *stuck_reasons; ///< of each agent of the scene
    const uint32_t *stuck_by;                 ///< who was in its way; its own number: nobody
    const uint32_t *infeasible;               ///< of each agent of the scene: solves that met not all half-planes
    const uint64_t *outside;                  ///< numbers of those within a wall at the end, ascending
    uint64_t outside_count;
    throng_counters counters; ///< at the end
    throng_profile profile;
    uint64_t state_hash;
    double wall_seconds; ///< of the run with all its output
} run_summary;

/// Writes it into the file `path`, which exists. Failures do not name the file.
bool summary_write(const char *path, const run_summary *summary, failure *why);

/// Nanoseconds inside steps per agent and step; 0 where no agent made a step.
double summary_ns_per_agent_step(const run_summary *summary);

uint64_t summary_arrived(const run_summary *summary);

#endif
