// The last error of a thread.
#ifndef THRONG_BASE_ERROR_H
#define THRONG_BASE_ERROR_H

#include <throng/base.h>

/// Records what went wrong (printf-like) and returns `result`. `item` -1: no item.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
throng_result
throng_fail(throng_result result, int64_t item, const char *format, ...);

#endif
