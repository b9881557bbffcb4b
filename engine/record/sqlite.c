// SQLite recordings: JuPedSim's trajectory database, version 2. PedPy, jupedsim-visualizer and BlenderJPS open it.
#ifdef THRONG_HAVE_SQLITE3

#include "record/free_space.h"
#include "record/number.h"
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The file goes by a temporary name until it is whole and on the disk, so SQLite need keep no journal and wait for
// nothing. Rows come in the order of the index, which keeps it cheap and needs no sorting (nor room for it) at the end.
static const char schema[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 16384; PRAGMA cache_size = -16384;"
    "BEGIN;"
    "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, "
    "pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);"
    "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);"
    "CREATE UNIQUE INDEX geometry_hash ON geometry(hash);"
    "CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);"
    "CREATE INDEX frame_id_idx ON trajectory_data(frame, id);";

enum {
    COLUMNS = 6,    // of trajectory_data
    BATCH_ROWS = 40 // by one statement, which takes half the time of single ones
};

typedef struct sqlite_state {
    sqlite3 *database;
    sqlite3_stmt *insert_row, *insert_batch; // into trajectory_data
    char *path;
    const record_run *run;
    sqlite3_int64 frames;
    float (*headings)[2]; // unit, by the agent's number: the last direction in which it moved
    double (*starts)[2];  // m, of the first frame's agents
    uint64_t start_count;
    double min[2], max[2]; // m, where agents were
} sqlite_state;

// SQLite says no more than "disk I/O error" where the system tells why; errno is still the system's then. Callers
// clear it first.
static bool fail_sqlite(const sqlite_state *state, const char *doing, failure *why) {
    int reason = errno, code = sqlite3_errcode(state->database);
    if (code == SQLITE_FULL) return fail(why, "%s: %s", doing, strerror(ENOSPC));
    if (code == SQLITE_IOERR && reason != 0) return fail(why, "%s: %s", doing, strerror(reason));
    return fail(why, "%s: %s", doing, sqlite3_errmsg(state->database));
}

static void free_state(sqlite_state *state) {
    sqlite3_finalize(state->insert_row);
    sqlite3_finalize(state->insert_batch);
    sqlite3_close(state->database);
    free(state->path);
    free(state->headings);
    free(state->starts);
    free(state);
}

static bool prepare_insert(sqlite_state *state, int rows, sqlite3_stmt **statement) {
    static const char start[] = "INSERT INTO trajectory_data VALUES", row[] = "(?, ?, ?, ?, ?, ?)";
    char sql[sizeof start + BATCH_ROWS * (sizeof row + 1)];
    size_t used = (size_t)snprintf(sql, sizeof sql, "%s", start);
    for (int i = 0; i < rows; i++) {
        used += (size_t)snprintf(sql + used, sizeof sql - used, "%s%s", i > 0 ? "," : "", row);
    }
    return sqlite3_prepare_v2(state->database, sql, -1, statement, NULL) == SQLITE_OK;
}

static void *sqlite_begin(const char *path, const record_run *run, failure *why) {
    sqlite_state *state = calloc(1, sizeof *state);
    if (!state) {
        fail(why, "out of memory");
        return NULL;
    }
    state->run = run;
    state->path = strdup(path);
    state->headings = calloc(run->agents + 1, sizeof *state->headings);
    state->starts = calloc(run->agents + 1, sizeof *state->starts);
    for (int axis = 0; axis < 2; axis++) {
        state->min[axis] = INFINITY;
        state->max[axis] = -INFINITY;
    }
    if (!state->path || !state->headings || !state->starts) {
        fail(why, "out of memory");
        goto failed;
    }
    for (uint64_t i = 0; i < run->agents; i++) state->headings[i][0] = 1;
    errno = 0;
    if (sqlite3_open_v2(path, &state->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
        fail_sqlite(state, "opening the database", why);
        goto failed;
    }
    if (sqlite3_exec(state->database, schema, NULL, NULL, NULL) != SQLITE_OK ||
        !prepare_insert(state, 1, &state->insert_row) || !prepare_insert(state, BATCH_ROWS, &state->insert_batch)) {
        fail_sqlite(state, "making the tables", why);
        goto failed;
    }
    return state;
failed:
    free_state(state);
    return NULL;
}

// Binds an agent to a row of a statement, the row's first parameter being `first`.
static void bind_agent(sqlite_state *state, const record_frame *frame, uint32_t i, sqlite3_stmt *insert, int first) {
    float *heading = state->headings[frame->numbers[i]];
    float vx = frame->velocity_x[i], vy = frame->velocity_y[i];
    double speed = sqrt((double)vx * vx + (double)vy * vy);
    if (speed > 0) {
        heading[0] = (float)(vx / speed);
        heading[1] = (float)(vy / speed);
    }
    sqlite3_bind_int64(insert, first, state->frames);
    sqlite3_bind_int64(insert, first + 1, (sqlite3_int64)frame->numbers[i]);
    sqlite3_bind_double(insert, first + 2, frame->x[i]);
    sqlite3_bind_double(insert, first + 3, frame->y[i]);
    sqlite3_bind_double(insert, first + 4, (double)heading[0]);
    sqlite3_bind_double(insert, first + 5, (double)heading[1]);
}

// Remembers where agents are, for the ground.
static void note_places(sqlite_state *state, const record_frame *frame) {
    for (uint32_t i = 0; i < frame->count; i++) {
        const double place[2] = {frame->x[i], frame->y[i]};
        for (int axis = 0; axis < 2; axis++) {
            if (place[axis] < state->min[axis]) state->min[axis] = place[axis];
            if (place[axis] > state->max[axis]) state->max[axis] = place[axis];
            if (state->frames == 0) state->starts[i][axis] = place[axis];
        }
    }
    if (state->frames == 0) state->start_count = frame->count;
}

static bool sqlite_frame(void *context, const record_frame *frame, failure *why) {
    sqlite_state *state = context;
    errno = 0;
    note_places(state, frame);
    for (uint32_t i = 0, rows; i < frame->count; i += rows) {
        rows = frame->count - i >= BATCH_ROWS ? BATCH_ROWS : 1;
        sqlite3_stmt *insert = rows == 1 ? state->insert_row : state->insert_batch;
        for (uint32_t k = 0; k < rows; k++) bind_agent(state, frame, i + k, insert, (int)k * COLUMNS + 1);
        if (sqlite3_step(insert) != SQLITE_DONE) return fail_sqlite(state, "writing a frame", why);
        sqlite3_reset(insert);
    }
    state->frames++;
    return true;
}

// A positive number that names a geometry (FNV-1a).
static sqlite3_int64 hash_text(const char *text) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (sqlite3_int64)(hash >> 1);
}

// The ground that is free, and its bounds: known only at the end, for on the open plane it goes as far as agents went.
static char *ground_text(const sqlite_state *state, double min[2], double max[2], failure *why) {
    free_space space;
    if (!free_space_make(state->run->walls, state->run->wall_count, state->min, state->max, &space, why)) return NULL;
    free_space_keep(&space, (const double(*)[2])state->starts, state->start_count);
    if (!free_space_bounds(&space, min, max)) min[0] = min[1] = max[0] = max[1] = 0;
    char *text = free_space_text(&space);
    free_space_clear(&space);
    if (!text) fail(why, "out of memory");
    return text;
}

static bool write_rest(sqlite_state *state, failure *why) {
    double min[2], max[2];
    char *wkt = ground_text(state, min, max, why);
    if (!wkt) return false;
    const double numbers[5] = {1 / (state->run->time_step * (double)state->run->every), min[0], max[0], min[1], max[1]};
    char texts[5][NUMBER_CHARS];
    for (int i = 0; i < 5; i++) *number_from_double(texts[i], numbers[i]) = '\0';
    sqlite3_int64 hash = hash_text(wkt);
    char *sql = sqlite3_mprintf(
        "INSERT INTO metadata VALUES('version', '2'), ('fps', '%s'), ('xmin', '%s'), ('xmax', '%s'), ('ymin', '%s'), "
        "('ymax', '%s');"
        "INSERT INTO geometry VALUES(%lld, '%q');"
        "INSERT INTO frame_data WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers LIMIT %lld) "
        "SELECT n, %lld FROM numbers;"
        "COMMIT;",
        texts[0], texts[1], texts[2], texts[3], texts[4], hash, wkt, state->frames, hash);
    free(wkt);
    if (!sql) return fail(why, "out of memory");
    errno = 0;
    bool done = sqlite3_exec(state->database, sql, NULL, NULL, NULL) == SQLITE_OK ||
                fail_sqlite(state, "completing the database", why);
    sqlite3_free(sql);
    return done;
}

static bool wait_for_disk(const char *path, failure *why) {
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return fail(why, "opening it again: %s", strerror(errno));
    bool done = fsync(descriptor) == 0 || errno == EINVAL || fail(why, "writing to the disk: %s", strerror(errno));
    close(descriptor);
    return done;
}

static bool sqlite_end(void *context, failure *why) {
    sqlite_state *state = context;
    bool done = write_rest(state, why);
    sqlite3_finalize(state->insert_row);
    sqlite3_finalize(state->insert_batch);
    state->insert_row = state->insert_batch = NULL;
    if (done && sqlite3_close(state->database) != SQLITE_OK) done = fail_sqlite(state, "closing the database", why);
    if (done) {
        state->database = NULL;
        done = wait_for_disk(state->path, why);
    }
    free_state(state);
    return done;
}

static void sqlite_abort(void *context) {
    free_state(context);
}

const record_format record_sqlite = {
    .ending = ".sqlite",
    .what = "SQLite, JuPedSim's trajectory database version 2",
    .begin = sqlite_begin,
    .frame = sqlite_frame,
    .end = sqlite_end,
    .abort = sqlite_abort,
};

#else

typedef int record_sqlite_not_built; // a translation unit holds at least one declaration

#endif
