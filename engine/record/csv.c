// step,time,id,x,y,vx,vy: a row per agent and recorded step.
#include "record/number.h"
#include "record/output.h"
#include "record/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *csv_begin(const char *path, const record_run *run, failure *why) {
    (void)run;
    output_file *file = malloc(sizeof *file);
    if (!file) {
        fail(why, "no memory to write with");
        return NULL;
    }
    if (!output_open(file, path, why)) {
        free(file);
        return NULL;
    }
    output_text(file, "step,time,id,x,y,vx,vy\n", why); // fits the empty buffer
    return file;
}

static bool csv_frame(void *state, const record_frame *frame, failure *why) {
    output_file *file = state;
    char start[64]; // "step,time,", the same in all rows
    char *end = start + snprintf(start, sizeof start, "%" PRIu64 ",", frame->step);
    end = number_from_double(end, frame->time);
    *end++ = ',';
    size_t start_length = (size_t)(end - start);
    for (uint32_t i = 0; i < frame->count; i++) {
        char *room = output_room(file, why);
        if (!room) return false;
        memcpy(room, start, start_length);
        char *at = number_from_integer(room + start_length, frame->numbers[i]);
        *at++ = ',';
        at = number_from_double(at, frame->x[i]);
        *at++ = ',';
        at = number_from_double(at, frame->y[i]);
        *at++ = ',';
        at = number_from_float(at, frame->velocity_x[i]);
        *at++ = ',';
        at = number_from_float(at, frame->velocity_y[i]);
        *at++ = '\n';
        output_advance(file, (size_t)(at - room));
    }
    return true;
}

static bool csv_end(void *state, failure *why) {
    bool done = output_finish(state, why);
    free(state);
    return done;
}

static void csv_abort(void *state) {
    output_abandon(state);
    free(state);
}

const record_format record_csv = {
    .ending = ".csv",
    .what = "a table: step,time,id,x,y,vx,vy",
    .begin = csv_begin,
    .frame = csv_frame,
    .end = csv_end,
    .abort = csv_abort,
};
