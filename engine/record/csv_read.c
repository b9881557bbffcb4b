// CSV recordings back in.
#include "record/recording_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static const char header[] = "step,time,id,x,y,vx,vy";

typedef struct csv_state {
    FILE *file;
    char *line;
    size_t line_room;
    uint64_t line_number;
    replay_rows rows;
    replay_agent ahead; // the first row of the next frame
    uint64_t ahead_step;
    double ahead_time;
    bool has_ahead;
} csv_state;

static void csv_close(void *context) {
    csv_state *state = context;
    fclose(state->file);
    free(state->line);
    free(state->rows.agents);
    free(state);
}

// The next line without its end. REPLAY_END at the end of the file.
static replay_status read_line(csv_state *state, failure *why) {
    errno = 0;
    ssize_t length = getline(&state->line, &state->line_room, state->file);
    if (length < 0) {
        if (feof(state->file)) return REPLAY_END;
        fail(why, "line %llu: %s", (unsigned long long)state->line_number + 1, strerror(errno));
        return REPLAY_FAILED;
    }
    state->line_number++;
    state->line[strcspn(state->line, "\r\n")] = '\0';
    return REPLAY_FRAME;
}

// A row into the state's `ahead`.
static bool parse_row(csv_state *state, failure *why) {
    double values[7];
    const char *at = state->line;
    unsigned long long line = state->line_number;
    for (int i = 0; i < 7; i++) {
        char *end;
        values[i] = strtod(at, &end);
        if (end == at || !isfinite(values[i]) || *end != (i < 6 ? ',' : '\0')) {
            return fail(why, "line %llu, field %d: expected 7 numbers '%s', found '%.40s'", line, i + 1, header, at);
        }
        at = end + 1;
    }
    if (values[0] < 0 || values[2] < 0 || values[0] > 9e15 || values[2] > 9e15) {
        return fail(why, "line %llu: step and id must be from 0 to 9e15", line);
    }
    double speed = sqrt(values[5] * values[5] + values[6] * values[6]);
    state->ahead = (replay_agent){.number = (uint64_t)values[2], .x = values[3], .y = values[4], .speed = (float)speed};
    if (speed > 0) {
        state->ahead.heading_x = (float)(values[5] / speed);
        state->ahead.heading_y = (float)(values[6] / speed);
    }
    state->ahead_step = (uint64_t)values[0];
    state->ahead_time = values[1];
    return true;
}

static replay_status read_row(csv_state *state, failure *why) {
    replay_status status = read_line(state, why);
    state->has_ahead = status == REPLAY_FRAME;
    return state->has_ahead && !parse_row(state, why) ? REPLAY_FAILED : status;
}

static void *csv_open(const char *path, failure *why) {
    FILE *file = fopen(path, "r");
    csv_state *state = file ? calloc(1, sizeof *state) : NULL;
    if (!state) {
        fail(why, "%s", file ? "out of memory" : strerror(errno));
        if (file) fclose(file);
        return NULL;
    }
    state->file = file;
    replay_status status = read_line(state, why);
    if (status == REPLAY_END || (status == REPLAY_FRAME && strcmp(state->line, header) != 0)) {
        fail(why, "line 1: expected the header '%s'", header);
        status = REPLAY_FAILED;
    }
    if (status == REPLAY_FAILED || read_row(state, why) == REPLAY_FAILED) {
        csv_close(state);
        return NULL;
    }
    return state;
}

static replay_status csv_next(void *context, replay_frame *frame, failure *why) {
    csv_state *state = context;
    if (!state->has_ahead) return REPLAY_END;
    frame->step = state->ahead_step;
    frame->time = state->ahead_time;
    state->rows.count = 0;
    while (state->has_ahead && state->ahead_step == frame->step) {
        const replay_rows *rows = &state->rows;
        if (rows->count > 0 && rows->agents[rows->count - 1].number >= state->ahead.number) {
            fail(why, "line %llu: ids must ascend within a step", (unsigned long long)state->line_number);
            return REPLAY_FAILED;
        }
        if (!replay_rows_add(&state->rows, &state->ahead, why)) return REPLAY_FAILED;
        if (read_row(state, why) == REPLAY_FAILED) return REPLAY_FAILED;
    }
    if (state->has_ahead && state->ahead_step < frame->step) {
        fail(why, "line %llu: steps must ascend", (unsigned long long)state->line_number);
        return REPLAY_FAILED;
    }
    frame->count = state->rows.count;
    frame->agents = state->rows.agents;
    return REPLAY_FRAME;
}

const replay_format replay_csv = {
    .what = "CSV",
    .open = csv_open,
    .next = csv_next,
    .close = csv_close,
};
