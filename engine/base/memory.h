// Memory through the caller's allocator, counted, aligned to cache lines.
#ifndef THRONG_BASE_MEMORY_H
#define THRONG_BASE_MEMORY_H

#include <throng/base.h>

/// An allocator with its tally. Every block of a world or map passes through one of these.
typedef struct throng_memory {
    throng_allocator allocator;
    uint64_t bytes;       ///< held now
    uint64_t allocations; ///< made since the beginning
} throng_memory;

/// Fills in the C library's allocator where `allocator` is all zero. False: only one of the two functions is set.
bool throng_memory_init(throng_memory *memory, const throng_allocator *allocator);

/// `count` times `size` bytes, aligned to 64, not cleared; null when there is no more or the product overflows.
/// A block of no bytes is never null.
void *throng_memory_allocate(throng_memory *memory, size_t count, size_t size);

/// Null is fine; `count` and `size` as at allocation.
void throng_memory_release(throng_memory *memory, void *block, size_t count, size_t size);

/// A growing array: makes room for `count` elements of `size` bytes, keeping the first `used`. Grows by half at least,
/// so that adding one by one stays linear. False and unchanged when there is no more.
bool throng_memory_reserve(throng_memory *memory, void **block, size_t *capacity, size_t used, size_t count,
                           size_t size);

#endif
