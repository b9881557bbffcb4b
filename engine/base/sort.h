// Sorting by 64-bit keys, without the C library (whose qsort may allocate).
#ifndef THRONG_BASE_SORT_H
#define THRONG_BASE_SORT_H

#include <stdint.h>

typedef struct throng_sort_item {
    uint64_t key;
    uint32_t value;
} throng_sort_item;

/// Sorts by key, ascending and stable. `spare` holds as many.
void throng_sort(throng_sort_item *items, throng_sort_item *spare, uint32_t count);

#endif
