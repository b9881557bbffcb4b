// SQLite recordings back in: JuPedSim's trajectory database, version 2.
#ifdef THRONG_HAVE_SQLITE3

#include "record/recording_read.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

typedef struct sqlite_state {
    sqlite3 *database;
    sqlite3_stmt *rows; // of trajectory_data, by frame and id
    sqlite3_int64 frame, frame_count;
    double fps;
    free_space ground;
    bool has_row; // `rows` stands on one that is not read yet
    replay_rows now, before;
} sqlite_state;

static bool fail_sqlite(const sqlite_state *state, failure *why) {
    return fail(why, "%s", sqlite3_errmsg(state->database));
}

static void sqlite_close(void *context) {
    sqlite_state *state = context;
    sqlite3_finalize(state->rows);
    sqlite3_close(state->database);
    free_space_clear(&state->ground);
    free(state->now.agents);
    free(state->before.agents);
    free(state);
}

// The first column of a query's first row, as text to be freed; null and a failure where there is none.
static char *query_text(const sqlite_state *state, const char *sql, const char *what, failure *why) {
    sqlite3_stmt *statement = NULL;
    char *text = NULL;
    if (sqlite3_prepare_v2(state->database, sql, -1, &statement, NULL) != SQLITE_OK) {
        fail(why, "not a JuPedSim trajectory database: %s", sqlite3_errmsg(state->database));
    } else if (sqlite3_step(statement) != SQLITE_ROW || !sqlite3_column_text(statement, 0)) {
        fail(why, "not a JuPedSim trajectory database: it has no %s", what);
    } else {
        text = strdup((const char *)sqlite3_column_text(statement, 0));
        if (!text) fail(why, "out of memory");
    }
    sqlite3_finalize(statement);
    return text;
}

static bool query_number(const sqlite_state *state, const char *sql, const char *what, double *value, failure *why) {
    char *text = query_text(state, sql, what, why);
    if (!text) return false;
    char *end;
    *value = strtod(text, &end);
    bool done = (end != text && *end == '\0' && isfinite(*value)) || fail(why, "%s: not a number: '%.40s'", what, text);
    free(text);
    return done;
}

static bool step_rows(sqlite_state *state, failure *why) {
    int code = sqlite3_step(state->rows);
    state->has_row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE || fail_sqlite(state, why);
}

static bool read_head(sqlite_state *state, failure *why) {
    double version, frames;
    if (!query_number(state, "SELECT value FROM metadata WHERE key = 'version'", "version", &version, why) ||
        !query_number(state, "SELECT value FROM metadata WHERE key = 'fps'", "fps", &state->fps, why)) {
        return false;
    }
    if (version != 2)
        return fail(why, "version %.17g of JuPedSim's trajectory database; this program reads 2", version);
    if (!(state->fps > 0)) return fail(why, "fps: must be > 0, is %.17g", state->fps);
    if (!query_number(state,
                      "SELECT max(n) FROM (SELECT count(*) AS n FROM frame_data UNION ALL "
                      "SELECT ifnull(max(frame) + 1, 0) FROM trajectory_data)",
                      "frame_data", &frames, why)) {
        return false;
    }
    state->frame_count = (sqlite3_int64)frames;
    char *wkt = query_text(state, "SELECT wkt FROM geometry", "geometry", why);
    bool done = wkt && free_space_read(wkt, &state->ground, why);
    free(wkt);
    if (!done) return false;
    static const char sql[] = "SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data ORDER BY frame, id";
    if (sqlite3_prepare_v2(state->database, sql, -1, &state->rows, NULL) != SQLITE_OK) return fail_sqlite(state, why);
    return step_rows(state, why);
}

static void *sqlite_open(const char *path, failure *why) {
    sqlite_state *state = calloc(1, sizeof *state);
    if (!state) {
        fail(why, "out of memory");
        return NULL;
    }
    if (sqlite3_open_v2(path, &state->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
        fail_sqlite(state, why);
    } else if (read_head(state, why)) {
        return state;
    }
    sqlite_close(state);
    return NULL;
}

// Speeds from the frame before; both are ascending by number.
static void measure_speeds(sqlite_state *state) {
    uint32_t k = 0;
    for (uint32_t i = 0; i < state->now.count; i++) {
        replay_agent *agent = &state->now.agents[i];
        while (k < state->before.count && state->before.agents[k].number < agent->number) k++;
        if (k == state->before.count || state->before.agents[k].number != agent->number) continue;
        double dx = agent->x - state->before.agents[k].x, dy = agent->y - state->before.agents[k].y;
        agent->speed = (float)(sqrt(dx * dx + dy * dy) * state->fps);
    }
}

static replay_status sqlite_next(void *context, replay_frame *frame, failure *why) {
    sqlite_state *state = context;
    if (state->frame >= state->frame_count) return REPLAY_END;
    replay_rows swapped = state->before;
    state->before = state->now;
    state->now = swapped;
    state->now.count = 0;
    while (state->has_row && sqlite3_column_int64(state->rows, 0) <= state->frame) {
        replay_agent agent = {
            .number = (uint64_t)sqlite3_column_int64(state->rows, 1),
            .x = sqlite3_column_double(state->rows, 2),
            .y = sqlite3_column_double(state->rows, 3),
            .heading_x = (float)sqlite3_column_double(state->rows, 4),
            .heading_y = (float)sqlite3_column_double(state->rows, 5),
        };
        if (!replay_rows_add(&state->now, &agent, why) || !step_rows(state, why)) return REPLAY_FAILED;
    }
    measure_speeds(state);
    frame->step = (uint64_t)state->frame;
    frame->time = (double)state->frame / state->fps;
    frame->count = state->now.count;
    frame->agents = state->now.agents;
    state->frame++;
    return REPLAY_FRAME;
}

static const free_space *sqlite_ground(void *context) {
    sqlite_state *state = context;
    return &state->ground;
}

const replay_format replay_sqlite = {
    .what = "SQLite, JuPedSim's trajectory database version 2",
    .open = sqlite_open,
    .next = sqlite_next,
    .ground = sqlite_ground,
    .close = sqlite_close,
};

#else

typedef int replay_sqlite_not_built; // a translation unit holds at least one declaration

#endif
