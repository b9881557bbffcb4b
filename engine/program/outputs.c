#include "program/outputs.h"

#include <string.h>

bool outputs_check(const char *const *paths, int count, const char *summary, const char *scene, failure *why) {
    const char *all[OUTPUTS_MAX + 2];
    int all_count = 0;
    for (int i = 0; i < count; i++) {
        if (!record_format_of(paths[i], why)) return false;
        all[all_count++] = paths[i];
    }
    if (summary) all[all_count++] = summary;
    for (int i = 0; i < all_count; i++) {
        if (output_same_file(all[i], scene)) return fail(why, "%s: is the scene; it would be overwritten", all[i]);
        for (int j = 0; j < i; j++) {
            if (output_same_file(all[i], all[j])) return fail(why, "%s: is named twice as an output", all[i]);
        }
    }
    return true;
}

bool outputs_open(outputs *out, const char *const *paths, int count, const char *summary, const record_run *run,
                  failure *why) {
    *out = (outputs){0};
    if (summary && !output_name_create(&out->summary, summary, why)) return false;
    for (; out->count < count; out->count++) {
        out->recordings[out->count] = record_open(paths[out->count], run, why);
        if (!out->recordings[out->count]) {
            outputs_abort(out);
            return false;
        }
    }
    return true;
}

bool outputs_write(outputs *out, const record_frame *frame, failure *why) {
    for (int i = 0; i < out->count; i++) {
        if (!record_write(out->recordings[i], frame, why)) return false;
    }
    return true;
}

bool outputs_finish(outputs *out, failure *why) {
    for (int i = 0; i < out->count; i++) {
        if (!record_finish(out->recordings[i], why)) return false;
    }
    return true;
}

bool outputs_commit(outputs *out, const run_summary *summary, failure *why) {
    if (out->summary.final && !summary_write(out->summary.temporary, summary, why)) {
        char reason[sizeof why->text];
        memcpy(reason, why->text, sizeof reason);
        return fail(why, "%s: %.900s", out->summary.final, reason);
    }
    while (out->count > 0) {
        if (!record_commit(out->recordings[--out->count], why)) return false;
    }
    return !out->summary.final || output_name_commit(&out->summary, why);
}

void outputs_abort(outputs *out) {
    while (out->count > 0) record_abort(out->recordings[--out->count]);
    output_name_discard(&out->summary);
}
