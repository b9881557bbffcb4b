// A stand-in for the part of cmocka that the unit tests use, for builds where the library is not at hand: a
// cross-compiled test needs nothing but a C compiler. A failed assertion ends its test; the run goes on.
#ifndef CMOCKA_STAND_IN_H
#define CMOCKA_STAND_IN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uintmax_t LargestIntegralType;
typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
    CMFixtureFunction setup_func;
    CMFixtureFunction teardown_func;
    void *initial_state;
};

#define cmocka_unit_test(f)                                                                                            \
    { #f, f, NULL, NULL, NULL }
#define cmocka_unit_test_setup(f, setup)                                                                               \
    { #f, f, setup, NULL, NULL }
#define cmocka_unit_test_teardown(f, teardown)                                                                         \
    { #f, f, NULL, teardown, NULL }
#define cmocka_unit_test_setup_teardown(f, up, down)                                                                   \
    { #f, f, up, down, NULL }
#define cmocka_unit_test_prestate(f, state)                                                                            \
    { #f, f, NULL, NULL, state }

enum { STAND_IN_PASSED, STAND_IN_FAILED, STAND_IN_SKIPPED };
static jmp_buf stand_in_jump;

#define stand_in_end(outcome) longjmp(stand_in_jump, outcome)

#define print_message(...) (void)printf(__VA_ARGS__)
#define print_error(...)   (void)fprintf(stderr, __VA_ARGS__)

#define fail_msg(...)                                                                                                  \
    do {                                                                                                               \
        print_error("%s:%d: ", __FILE__, __LINE__);                                                                    \
        print_error(__VA_ARGS__);                                                                                      \
        print_error("\n");                                                                                             \
        stand_in_end(STAND_IN_FAILED);                                                                                 \
    } while (0)
#define fail() fail_msg("fail()")
#define skip() stand_in_end(STAND_IN_SKIPPED)

static inline void stand_in_compare(int holds, const char *text, LargestIntegralType a, LargestIntegralType b,
                                    const char *file, int line) {
    if (!holds) {
        print_error("%s:%d: %s does not hold: %jd (0x%jx), %jd (0x%jx)\n", file, line, text, (intmax_t)a, a,
                    (intmax_t)b, b);
        stand_in_end(STAND_IN_FAILED);
    }
}

static inline void stand_in_near(int near, int wanted, double a, double b, double epsilon, const char *file, int line) {
    if (near != wanted) {
        print_error("%s:%d: %.17g and %.17g, tolerance %g\n", file, line, a, b, epsilon);
        stand_in_end(STAND_IN_FAILED);
    }
}

static inline void stand_in_memory(const void *a, const void *b, size_t size, int wanted, const char *file, int line) {
    const unsigned char *x = a;
    const unsigned char *y = b;
    size_t i = 0;
    while (i < size && x[i] == y[i]) i++;
    if ((i == size) != wanted) {
        print_error("%s:%d: %zu bytes %s, first difference at byte %zu\n", file, line, size,
                    wanted ? "differ" : "are equal", i);
        stand_in_end(STAND_IN_FAILED);
    }
}

#define stand_in_check(holds, text) stand_in_compare(holds, text, 0, 0, __FILE__, __LINE__)
#define assert_true(c)              stand_in_check((c) ? 1 : 0, #c)
#define assert_false(c)             stand_in_check((c) ? 0 : 1, "not " #c)
// Arguments are evaluated once: they may start a thread.
#define stand_in_numbers(a, op, b, text)                                                                               \
    do {                                                                                                               \
        const LargestIntegralType stand_in_a = (LargestIntegralType)(a);                                               \
        const LargestIntegralType stand_in_b = (LargestIntegralType)(b);                                               \
        stand_in_compare(stand_in_a op stand_in_b, text, stand_in_a, stand_in_b, __FILE__, __LINE__);                  \
    } while (0)
#define stand_in_integers(a, op, b) stand_in_numbers(a, op, b, #a " " #op " " #b)
#define assert_null(p)              stand_in_numbers((uintptr_t)(p), ==, 0, #p " == NULL")
#define assert_non_null(p)          stand_in_numbers((uintptr_t)(p), !=, 0, #p " != NULL")
#define assert_ptr_equal(a, b)      stand_in_numbers((uintptr_t)(a), ==, (uintptr_t)(b), #a " == " #b)
#define assert_ptr_not_equal(a, b)  stand_in_numbers((uintptr_t)(a), !=, (uintptr_t)(b), #a " != " #b)
#define assert_int_equal(a, b)      stand_in_integers(a, ==, b)
#define assert_int_not_equal(a, b)  stand_in_integers(a, !=, b)
#define assert_in_range(v, low, high)                                                                                  \
    do {                                                                                                               \
        const LargestIntegralType stand_in_v = (LargestIntegralType)(v);                                               \
        stand_in_numbers(stand_in_v, >=, low, #v " >= " #low);                                                         \
        stand_in_numbers(stand_in_v, <=, high, #v " <= " #high);                                                       \
    } while (0)
#define assert_string_equal(a, b)                                                                                      \
    do {                                                                                                               \
        if (strcmp(a, b) != 0) fail_msg("\"%s\" is not \"%s\"", a, b);                                                 \
    } while (0)
#define assert_string_not_equal(a, b)                                                                                  \
    do {                                                                                                               \
        if (strcmp(a, b) == 0) fail_msg("both are \"%s\"", a);                                                         \
    } while (0)
#define assert_memory_equal(a, b, size)     stand_in_memory(a, b, size, 1, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, size) stand_in_memory(a, b, size, 0, __FILE__, __LINE__)
#define stand_in_float(a, b, e, wanted)                                                                                \
    stand_in_near((a) - (b) <= (e) && (b) - (a) <= (e), wanted, (double)(a), (double)(b), (double)(e), __FILE__,       \
                  __LINE__)
#define assert_float_equal(a, b, e)     stand_in_float(a, b, e, 1)
#define assert_float_not_equal(a, b, e) stand_in_float(a, b, e, 0)

static inline int stand_in_run_one(const struct CMUnitTest *test) {
    void *state = test->initial_state;
    if (test->setup_func && test->setup_func(&state) != 0) {
        print_error("%s: its setup failed\n", test->name);
        return STAND_IN_FAILED;
    }
    volatile int outcome = setjmp(stand_in_jump);
    if (outcome == STAND_IN_PASSED) test->test_func(&state);
    if (test->teardown_func && test->teardown_func(&state) != 0) outcome = STAND_IN_FAILED;
    return outcome;
}

static inline int stand_in_run(const char *group, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                               CMFixtureFunction teardown) {
    static const char *const words[] = {"OK", "FAILED", "SKIPPED"};
    int failed = 0;
    void *state = NULL;
    if (setup && setup(&state) != 0) return 1;
    for (size_t i = 0; i < count; i++) {
        struct CMUnitTest test = tests[i];
        if (!test.initial_state) test.initial_state = state;
        int outcome = stand_in_run_one(&test);
        print_message("%s: %s %s\n", group, test.name, words[outcome]);
        (void)fflush(stdout);
        failed += outcome == STAND_IN_FAILED;
    }
    if (teardown && teardown(&state) != 0) failed++;
    return failed;
}

#define cmocka_run_group_tests(tests, setup, teardown)                                                                 \
    stand_in_run(#tests, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                                      \
    stand_in_run(name, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

#endif
