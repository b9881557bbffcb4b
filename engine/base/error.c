#include "base/error.h"
#include "base/compiler.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local throng_error last_error = {THRONG_OK, -1, ""};

throng_result throng_fail(throng_result result, int64_t item, const char *format, ...) {
    last_error.result = result;
    last_error.item = item;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error.message, sizeof last_error.message, format, arguments);
    va_end(arguments);
    return result;
}

const throng_error *throng_last_error(void) {
    return &last_error;
}

const char *throng_result_name(throng_result result) {
    static const char *const names[] = {
        [THRONG_OK] = "THRONG_OK",
        [THRONG_ERROR_ARGUMENT] = "THRONG_ERROR_ARGUMENT",
        [THRONG_ERROR_VALUE] = "THRONG_ERROR_VALUE",
        [THRONG_ERROR_STALE_ID] = "THRONG_ERROR_STALE_ID",
        [THRONG_ERROR_STALE_INDEX] = "THRONG_ERROR_STALE_INDEX",
        [THRONG_ERROR_MEMORY] = "THRONG_ERROR_MEMORY",
        [THRONG_ERROR_BUSY] = "THRONG_ERROR_BUSY",
        [THRONG_ERROR_CAPACITY] = "THRONG_ERROR_CAPACITY",
        [THRONG_ERROR_SNAPSHOT] = "THRONG_ERROR_SNAPSHOT",
        [THRONG_ERROR_UNSUPPORTED] = "THRONG_ERROR_UNSUPPORTED",
        [THRONG_ERROR_NONE_FOUND] = "THRONG_ERROR_NONE_FOUND",
    };
    const int number = (int)result;
    return number >= 0 && number < (int)(sizeof names / sizeof *names) ? names[number] : "unknown";
}

#define TEXT_OF(x)       #x
#define VERSION(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const char *throng_version(void) {
    return VERSION(THRONG_VERSION_MAJOR, THRONG_VERSION_MINOR, THRONG_VERSION_PATCH);
}
