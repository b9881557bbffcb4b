// SQLite recordings: JuPedSim's tables to the letter, the numbers written, and both formats read back.
#include "record/record.h" // before cmocka.h, which defines fail as a macro
#include "record/recording_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef THRONG_HAVE_SQLITE3
#include <sqlite3.h>

enum { AGENTS = 103, FRAMES = 7 }; // some agents in whole batches, some single

// A recording of chance: agent 3 leaves after the fourth frame, agent 1 never moves.
typedef struct course {
    uint64_t numbers[FRAMES][AGENTS];
    double x[FRAMES][AGENTS], y[FRAMES][AGENTS];
    float vx[FRAMES][AGENTS], vy[FRAMES][AGENTS];
    uint32_t count[FRAMES];
} course;

static const float radius[AGENTS] = {0.25F};
static const double box[] = {2, 2, 3, 2, 3, 3, 2, 3};
static const throng_wall walls[] = {{THRONG_WALL_SOLID, 4, box, 1}};
static char folder[] = "/tmp/throng-test-XXXXXX";

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g instead of %.17g", value, expected);
}

static const char *path_of(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void make_course(course *of) {
    uint32_t random = 7;
    for (int f = 0; f < FRAMES; f++) {
        of->count[f] = 0;
        for (uint64_t n = 0; n < AGENTS; n++) {
            if (n == 3 && f > 3) continue;
            uint32_t i = of->count[f]++;
            of->numbers[f][i] = n;
            random = random * 1664525 + 1013904223;
            of->x[f][i] = (double)n + (n == 1 ? 0 : f * 0.1 + random / 4294967296.0 / 3);
            random = random * 1664525 + 1013904223;
            of->y[f][i] = -(double)n / 3 + (n == 1 ? 0 : random / 4294967296.0 / 7);
            of->vx[f][i] = n == 1 ? 0 : (float)(random % 100) / 33.0F - 1;
            of->vy[f][i] = n == 1 ? 0 : (float)(random / 100 % 100) / 77.0F;
        }
    }
}

static bool write_course(const char *path, const course *of, failure *why) {
    const record_run run = {
        .name = "course", .time_step = 0.05, .every = 4, .agents = AGENTS, .walls = walls, .wall_count = 1};
    recording *record = record_open(path, &run, why);
    if (!record) return false;
    for (int f = 0; f < FRAMES; f++) {
        const record_frame frame = {
            .step = 4 * (uint64_t)f,
            .time = 4 * f * 0.05,
            .count = of->count[f],
            .numbers = of->numbers[f],
            .x = of->x[f],
            .y = of->y[f],
            .velocity_x = of->vx[f],
            .velocity_y = of->vy[f],
            .radius = radius,
        };
        if (!record_write(record, &frame, why)) {
            record_abort(record);
            return false;
        }
    }
    if (!record_finish(record, why)) {
        record_abort(record);
        return false;
    }
    return record_commit(record, why);
}

static sqlite3 *open_database(const char *path) {
    sqlite3 *database;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", path, sqlite3_errmsg(database));
    }
    return database;
}

// All rows of a query as one text: fields by commas, rows by semicolons.
static const char *query(sqlite3 *database, const char *sql) {
    static char text[4096];
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    }
    size_t used = 0;
    text[0] = '\0';
    for (int row = 0; sqlite3_step(statement) == SQLITE_ROW; row++) {
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const char *field = (const char *)sqlite3_column_text(statement, i);
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     i     ? ","
                                     : row ? ";"
                                           : "",
                                     field ? field : "null");
        }
    }
    sqlite3_finalize(statement);
    return text;
}

static void test_tables(void **state) {
    (void)state;
    course of;
    failure why;
    make_course(&of);
    if (!write_course(path_of("a.sqlite"), &of, &why)) fail_msg("%s", why.text);
    sqlite3 *database = open_database(path_of("a.sqlite"));
    assert_string_equal(query(database, "PRAGMA integrity_check"), "ok");
    assert_string_equal(query(database, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"),
                        "frame_data;geometry;metadata;trajectory_data");
    // name, type, not null, primary key
    assert_string_equal(query(database, "SELECT name, type, \"notnull\", pk FROM pragma_table_info('trajectory_data')"),
                        "frame,INTEGER,1,0;id,INTEGER,1,0;pos_x,REAL,1,0;pos_y,REAL,1,0;ori_x,REAL,1,0;ori_y,REAL,1,0");
    assert_string_equal(query(database, "SELECT name, type, \"notnull\", pk FROM pragma_table_info('metadata')"),
                        "key,TEXT,1,1;value,TEXT,1,0");
    assert_string_equal(query(database, "SELECT name, type, \"notnull\", pk FROM pragma_table_info('geometry')"),
                        "hash,INTEGER,1,0;wkt,TEXT,1,0");
    assert_string_equal(query(database, "SELECT name, type, \"notnull\", pk FROM pragma_table_info('frame_data')"),
                        "frame,INTEGER,1,0;geometry_hash,INTEGER,1,0");
    assert_string_equal(query(database, "SELECT name, \"unique\" FROM pragma_index_list('geometry')"),
                        "geometry_hash,1");
    assert_string_equal(query(database, "SELECT name FROM pragma_index_info('geometry_hash')"), "hash");
    assert_string_equal(query(database, "SELECT name FROM pragma_index_info('frame_id_idx') ORDER BY seqno"),
                        "frame;id");
    sqlite3_close(database);
}

static void test_contents(void **state) {
    (void)state;
    course of;
    failure why;
    make_course(&of);
    if (!write_course(path_of("b.sqlite"), &of, &why)) fail_msg("%s", why.text);
    sqlite3 *database = open_database(path_of("b.sqlite"));
    assert_string_equal(query(database, "SELECT value FROM metadata WHERE key = 'version'"), "2");
    assert_true(strtod(query(database, "SELECT value FROM metadata WHERE key = 'fps'"), NULL) == 1 / (0.05 * 4));
    assert_string_equal(query(database, "SELECT frame FROM frame_data"), "0;1;2;3;4;5;6");
    assert_string_equal(query(database, "SELECT count(*) FROM frame_data JOIN geometry ON geometry_hash = hash"), "7");
    assert_string_equal(query(database, "SELECT count(*), min(frame), max(frame) FROM trajectory_data WHERE id = 3"),
                        "4,0,3");
    // The plane's bounds: places and the box, 1 m around.
    double least = INFINITY, most = -INFINITY;
    for (int f = 0; f < FRAMES; f++) {
        for (uint32_t i = 0; i < of.count[f]; i++) {
            least = fmin(least, of.x[f][i]);
            most = fmax(most, of.x[f][i]);
        }
    }
    assert_near(strtod(query(database, "SELECT value FROM metadata WHERE key = 'xmin'"), NULL), least - 1, 1e-6);
    assert_near(strtod(query(database, "SELECT value FROM metadata WHERE key = 'xmax'"), NULL), most + 1, 1e-6);
    assert_near(strtod(query(database, "SELECT value FROM metadata WHERE key = 'ymax'"), NULL), 4, 1e-6);
    const char *wkt = query(database, "SELECT wkt FROM geometry");
    if (!strstr(wkt, "(2 2, 2 3, 3 3, 3 2, 2 2)")) fail_msg("no hole for the box: %s", wkt);
    // Bit for bit the places; orientation a unit vector along the velocity, the last one kept at rest.
    sqlite3_stmt *rows;
    sqlite3_prepare_v2(database, "SELECT * FROM trajectory_data ORDER BY frame, id", -1, &rows, NULL);
    for (int f = 0; f < FRAMES; f++) {
        for (uint32_t i = 0; i < of.count[f]; i++) {
            assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
            assert_int_equal(sqlite3_column_int64(rows, 0), f);
            assert_int_equal(sqlite3_column_int64(rows, 1), of.numbers[f][i]);
            assert_true(sqlite3_column_double(rows, 2) == of.x[f][i]);
            assert_true(sqlite3_column_double(rows, 3) == of.y[f][i]);
            double speed = hypot((double)of.vx[f][i], (double)of.vy[f][i]);
            double along_x = speed > 0 ? (double)of.vx[f][i] / speed : 1;
            double along_y = speed > 0 ? (double)of.vy[f][i] / speed : 0;
            assert_near(sqlite3_column_double(rows, 4), along_x, 1e-6);
            assert_near(sqlite3_column_double(rows, 5), along_y, 1e-6);
        }
    }
    assert_int_equal(sqlite3_step(rows), SQLITE_DONE);
    sqlite3_finalize(rows);
    sqlite3_close(database);
}

static void check_read(const char *path, const course *of, bool csv) {
    failure why;
    replay *opened = replay_open(path, &why);
    if (!opened) fail_msg("%s", why.text);
    assert_true((replay_ground(opened) != NULL) != csv);
    replay_frame frame;
    for (int f = 0; f < FRAMES; f++) {
        if (replay_next(opened, &frame, &why) != REPLAY_FRAME) fail_msg("frame %d: %s", f, why.text);
        assert_int_equal(frame.step, csv ? 4 * f : f);
        assert_near(frame.time, f * 0.2, 1e-12);
        assert_int_equal(frame.count, of->count[f]);
        for (uint32_t i = 0; i < frame.count; i++) {
            const replay_agent *agent = &frame.agents[i];
            assert_int_equal(agent->number, of->numbers[f][i]);
            assert_true(agent->x == of->x[f][i] && agent->y == of->y[f][i]);
            double speed = hypot((double)of->vx[f][i], (double)of->vy[f][i]);
            if (csv) assert_near((double)agent->speed, speed, 1e-6);
            if (speed > 0) {
                assert_near((double)agent->heading_x, (double)of->vx[f][i] / speed, 1e-6);
                assert_near((double)agent->heading_y, (double)of->vy[f][i] / speed, 1e-6);
            }
            if (!csv && f > 0 && agent->number == 1) assert_true(agent->speed == 0);
            if (!csv && f > 0 && agent->number == 0) {
                double moved = hypot(of->x[f][0] - of->x[f - 1][0], of->y[f][0] - of->y[f - 1][0]);
                assert_near((double)agent->speed, moved / 0.2, 1e-5);
            }
        }
    }
    assert_int_equal(replay_next(opened, &frame, &why), REPLAY_END);
    replay_close(opened);
}

static void test_read_back(void **state) {
    (void)state;
    course of;
    failure why;
    make_course(&of);
    if (!write_course(path_of("c.sqlite"), &of, &why)) fail_msg("%s", why.text);
    check_read(path_of("c.sqlite"), &of, false);
    if (!write_course(path_of("c.csv"), &of, &why)) fail_msg("%s", why.text);
    check_read(path_of("c.csv"), &of, true);
}

// A file that may not grow: an error that says so, and nothing is left.
static void test_no_room(void **state) {
    (void)state;
    course of;
    failure why;
    make_course(&of);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    for (rlim_t room = 0; room <= 100000; room += 20000) {
        small = (struct rlimit){room, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        bool done = write_course(path_of("d.sqlite"), &of, &why);
        setrlimit(RLIMIT_FSIZE, &before);
        if (done) fail_msg("a database in %d bytes", (int)room);
        if (!strstr(why.text, "d.sqlite") || !strstr(why.text, "File too large")) fail_msg("said: %s", why.text);
        assert_int_equal(access(path_of("d.sqlite"), F_OK), -1);
    }
    signal(SIGXFSZ, SIG_DFL);
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// What reading a text says: to open it or a frame of it.
static void check_wrong(const char *path, const char *reason) {
    failure why = {""};
    replay *opened = replay_open(path, &why);
    replay_status status = REPLAY_FAILED;
    replay_frame frame;
    if (opened) {
        while ((status = replay_next(opened, &frame, &why)) == REPLAY_FRAME) {
        }
        replay_close(opened);
    }
    if (status != REPLAY_FAILED) fail_msg("it was read, instead of: %s", reason);
    if (!strstr(why.text, reason) || !strstr(why.text, path)) fail_msg("expected '%s', said '%s'", reason, why.text);
}

static void test_wrong_recordings(void **state) {
    (void)state;
    const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "not a recording"},
        {"hello", "not a recording"},
        {"step,time\n", "line 1: expected the header"},
        {"step,time,id,x,y,vx,vy\n0,0,0,1,2,3\n", "line 2, field 6"},
        {"step,time,id,x,y,vx,vy\n0,0,0,1,2,3,4,5\n", "line 2, field 7"},
        {"step,time,id,x,y,vx,vy\n0,0,0,1,nan,3,4\n", "line 2, field 5"},
        {"step,time,id,x,y,vx,vy\n0,0,0,1,2,3,4\n0,0,0,1,2,3,4\n", "line 3: ids must ascend"},
        {"step,time,id,x,y,vx,vy\n5,0,0,1,2,3,4\n4,0,0,1,2,3,4\n", "line 3: steps must ascend"},
        {"step,time,id,x,y,vx,vy\n0,0,-1,1,2,3,4\n", "line 2: step and id"},
        {"SQLite format 3", "malformed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_text(path_of("wrong"), cases[i].text);
        if (i + 1 == sizeof cases / sizeof cases[0]) { // the magic ends with a null
            FILE *file = fopen(path_of("wrong"), "a");
            char zeros[4096] = {0};
            fwrite(zeros, 1, sizeof zeros, file);
            fclose(file);
            check_wrong(path_of("wrong"), "wrong: ");
            continue;
        }
        check_wrong(path_of("wrong"), cases[i].reason);
    }
    check_wrong(path_of("none"), "No such file");
    const struct {
        const char *sql, *reason;
    } databases[] = {
        {"CREATE TABLE x(y)", "no such table: metadata"},
        {"CREATE TABLE metadata(key, value)", "it has no version"},
        {"CREATE TABLE metadata(key, value); INSERT INTO metadata VALUES('version', '1'), ('fps', '5')", "version 1"},
        {"CREATE TABLE metadata(key, value); INSERT INTO metadata VALUES('version', '2'), ('fps', '0');",
         "fps: must be > 0"},
        {"CREATE TABLE metadata(key, value); INSERT INTO metadata VALUES('version', '2'), ('fps', 'x');",
         "not a number"},
    };
    for (size_t i = 0; i < sizeof databases / sizeof databases[0]; i++) {
        sqlite3 *database;
        unlink(path_of("wrong.sqlite"));
        sqlite3_open(path_of("wrong.sqlite"), &database);
        assert_int_equal(sqlite3_exec(database, databases[i].sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(database);
        check_wrong(path_of("wrong.sqlite"), databases[i].reason);
    }
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    const char *names[] = {"a.sqlite", "b.sqlite", "c.sqlite", "c.csv", "wrong", "wrong.sqlite"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) unlink(path_of(names[i]));
    return rmdir(folder); // fails when anything else was left behind
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),  cmocka_unit_test(test_contents),         cmocka_unit_test(test_read_back),
        cmocka_unit_test(test_no_room), cmocka_unit_test(test_wrong_recordings),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

#else

int main(void) {
    return 0; // nothing to test in a build without SQLite
}

#endif
