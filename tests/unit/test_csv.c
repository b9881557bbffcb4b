// Numbers and rows of CSV recordings read back as what was written.
#include "record/number.h"
#include "record/record.h" // before cmocka.h, which defines fail as a macro

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t random_state = 1;

static uint64_t random_bits(void) { // splitmix64
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double random_unit(void) {
    return (double)(random_bits() >> 11) / 9007199254740992.0;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void check_double(double value) {
    char text[NUMBER_CHARS + 1];
    char *end = number_from_double(text, value);
    if (end - text > NUMBER_CHARS) fail_msg("%a: %td characters", value, end - text);
    *end = '\0';
    char *after;
    double back = strtod(text, &after);
    if (after != end || bits_of(back) != bits_of(value)) fail_msg("%.17g (%a) became %s", value, value, text);
}

static void check_float(float value) {
    char text[NUMBER_CHARS + 1];
    char *end = number_from_float(text, value);
    if (end - text > NUMBER_CHARS) fail_msg("%a: %td characters", (double)value, end - text);
    *end = '\0';
    float back = strtof(text, NULL), through_double = (float)strtod(text, NULL);
    if (memcmp(&back, &value, sizeof value) != 0 || memcmp(&through_double, &value, sizeof value) != 0) {
        fail_msg("%.9g (%a) became %s", (double)value, (double)value, text);
    }
}

static void doubles_read_back(void **state) {
    (void)state;
    const double special[] = {0.0,     -0.0,     1.0,     0.1,     0.001,  9.99999999999999e14, 1e15, 1e16, 5e-324,
                              DBL_MAX, -DBL_MAX, DBL_MIN, 1.0 / 3, 1e-300, 4503599627370497.5,  0.3};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) check_double(special[i]);
    for (double power = 1e-5; power < 1e18; power *= 10.0) {
        check_double(power);
        check_double(nextafter(power, 0.0));
        check_double(nextafter(power, INFINITY));
    }
    for (int i = 0; i < 300000; i++) {
        check_double((random_unit() - 0.5) * 200.0);
        check_double(5.9e6 + random_unit());
        check_double((double)(int64_t)(random_unit() * 1e6) / 1000.0);
        check_double(random_unit() * 1e-2);
        uint64_t bits = random_bits();
        double any;
        memcpy(&any, &bits, sizeof any);
        if (isfinite(any)) check_double(any);
    }
}

static void floats_read_back(void **state) {
    (void)state;
    const float special[] = {0.0f, -0.0f, 1.0f, 0.1f, 1.3f, FLT_MAX, FLT_MIN, 1e-45f, 16777216.0f, 1e9f, 0.001f, 1e8f};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) check_float(special[i]);
    for (int i = 0; i < 300000; i++) {
        check_float((float)((random_unit() - 0.5) * 4.0));
        check_float((float)(random_unit() * 1e7));
        uint32_t bits = (uint32_t)random_bits();
        float any;
        memcpy(&any, &bits, sizeof any);
        if (isfinite(any)) check_float(any);
    }
}

static void numbers_are_short(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {-2.5, "-2.5"},
                 {1200.0, "1200"},
                 {0.30000000000000004, "0.30000000000000004"},
                 {123456.789, "123456.789"},
                 {0.001, "0.001"},
                 {0.0, "0"},
                 {5900000.25, "5900000.25"},
                 {82.30000000000001, "82.30000000000001"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[NUMBER_CHARS + 1];
        *number_from_double(text, cases[i].value) = '\0';
        assert_string_equal(text, cases[i].text);
    }
    char text[NUMBER_CHARS + 1];
    *number_from_float(text, 1.3f) = '\0';
    assert_string_equal(text, "1.3");
    *number_from_integer(text, UINT64_MAX) = '\0';
    assert_string_equal(text, "18446744073709551615");
}

enum { AGENTS = 1000, FRAMES = 20 };

typedef struct crowd {
    uint64_t numbers[AGENTS];
    double x[AGENTS], y[AGENTS];
    float velocity_x[AGENTS], velocity_y[AGENTS], radius[AGENTS];
} crowd;

static record_frame frame_of(crowd *c, uint64_t step) {
    for (uint32_t i = 0; i < AGENTS; i++) {
        c->numbers[i] = 3 * (uint64_t)i;
        c->x[i] = (random_unit() - 0.5) * 1e4;
        c->y[i] = 5.9e6 + random_unit();
        c->velocity_x[i] = (float)(random_unit() - 0.5);
        c->velocity_y[i] = i % 3 == 0 ? 0.0f : (float)random_unit() * 1e-7f;
    }
    return (record_frame){.step = step,
                          .time = 0.1 * (double)step,
                          .count = AGENTS,
                          .numbers = c->numbers,
                          .x = c->x,
                          .y = c->y,
                          .velocity_x = c->velocity_x,
                          .velocity_y = c->velocity_y,
                          .radius = c->radius};
}

static void check_row(FILE *file, const record_frame *frame, uint32_t i) {
    uint64_t step, number;
    char time[64], x[64], y[64], vx[64], vy[64];
    int read = fscanf(file, "%" SCNu64 ",%63[^,],%" SCNu64 ",%63[^,],%63[^,],%63[^,],%63[^\n]\n", &step, time, &number,
                      x, y, vx, vy);
    assert_int_equal(read, 7);
    assert_int_equal(step, frame->step);
    assert_int_equal(number, frame->numbers[i]);
    assert_true(strtod(time, NULL) == frame->time);
    if (strtod(x, NULL) != frame->x[i] || strtod(y, NULL) != frame->y[i] || strtof(vx, NULL) != frame->velocity_x[i] ||
        strtof(vy, NULL) != frame->velocity_y[i]) {
        fail_msg("step %" PRIu64 ", agent %" PRIu64 ": %s %s %s %s", step, number, x, y, vx, vy);
    }
}

static void rows_read_back(void **state) {
    (void)state;
    char folder[] = "/tmp/test_csv.XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.csv", folder);
    const record_run run = {.name = "", .time_step = 0.1, .every = 1, .agents = AGENTS};
    failure why = {0};
    static crowd c;
    uint64_t seed = random_state;
    recording *record = record_open(path, &run, &why);
    if (!record) fail_msg("%s", why.text);
    assert_int_not_equal(access(path, F_OK), 0); // no name before it is whole
    for (uint64_t step = 0; step < FRAMES; step++) {
        record_frame frame = frame_of(&c, step);
        assert_true(record_write(record, &frame, &why));
    }
    assert_true(record_finish(record, &why));
    assert_true(record_commit(record, &why));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char header[64];
    assert_non_null(fgets(header, sizeof header, file));
    assert_string_equal(header, "step,time,id,x,y,vx,vy\n");
    random_state = seed;
    for (uint64_t step = 0; step < FRAMES; step++) {
        record_frame frame = frame_of(&c, step);
        for (uint32_t i = 0; i < AGENTS; i++) check_row(file, &frame, i);
    }
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); // nothing else was left
}

static void an_aborted_recording_leaves_nothing(void **state) {
    (void)state;
    char folder[] = "/tmp/test_csv.XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.csv", folder);
    const record_run run = {.name = "", .time_step = 0.1, .every = 1};
    failure why = {0};
    recording *record = record_open(path, &run, &why);
    assert_non_null(record);
    record_abort(record);
    assert_int_equal(rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_read_back),
        cmocka_unit_test(floats_read_back),
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(rows_read_back),
        cmocka_unit_test(an_aborted_recording_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
