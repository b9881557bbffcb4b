#include "base/sort.h"

#include <string.h>

enum { SHORT_LIST = 32, DIGITS = 256 };

static void insertion_sort(throng_sort_item *items, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) {
        const throng_sort_item item = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; --at) items[at] = items[at - 1];
        items[at] = item;
    }
}

/// By one byte of the keys.
static void scatter(const throng_sort_item *from, throng_sort_item *to, uint32_t count, int shift) {
    uint32_t start[DIGITS] = {0};
    for (uint32_t i = 0; i < count; ++i) start[from[i].key >> shift & (DIGITS - 1)]++;
    uint32_t sum = 0;
    for (int digit = 0; digit < DIGITS; ++digit) {
        const uint32_t many = start[digit];
        start[digit] = sum;
        sum += many;
    }
    for (uint32_t i = 0; i < count; ++i) to[start[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

void throng_sort(throng_sort_item *items, throng_sort_item *spare, uint32_t count) {
    if (count <= SHORT_LIST) {
        insertion_sort(items, count);
        return;
    }
    uint64_t differ = 0;
    for (uint32_t i = 1; i < count; ++i) differ |= items[i].key ^ items[0].key;
    throng_sort_item *from = items, *to = spare;
    for (int shift = 0; shift < 64; shift += 8) {
        if ((differ >> shift & (DIGITS - 1)) == 0) continue; // one byte for all
        scatter(from, to, count, shift);
        throng_sort_item *const kept = from;
        from = to;
        to = kept;
    }
    if (from != items) memcpy(items, from, count * sizeof *items);
}
