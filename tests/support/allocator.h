// An allocator that counts, and fails when it is told to.
#ifndef TESTS_ALLOCATOR_H
#define TESTS_ALLOCATOR_H

#include <throng/base.h>

#include <stdlib.h>
#include <string.h>

typedef struct test_allocator {
    int64_t blocks, bytes; // held now
    int64_t calls;         // allocations asked for
    int64_t fail_at;       // number of the call that fails, -1: none
    bool fail_on;          // and all that follow
} test_allocator;

static inline void *test_allocate(void *context, size_t bytes) {
    test_allocator *own = context;
    const int64_t call = own->calls++;
    if (own->fail_at >= 0 && (call == own->fail_at || (own->fail_on && call > own->fail_at))) return NULL;
    void *block = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!block) abort();
    memset(block, 0xcd, bytes); // nothing may rely on cleared memory
    own->blocks++;
    own->bytes += (int64_t)bytes;
    return block;
}

static inline void test_release(void *context, void *block, size_t bytes) {
    test_allocator *own = context;
    memset(block, 0xdd, bytes);
    own->blocks--;
    own->bytes -= (int64_t)bytes;
    free(block);
}

static inline throng_allocator allocator_of(test_allocator *own) {
    *own = (test_allocator){.fail_at = -1};
    return (throng_allocator){own, test_allocate, test_release};
}

static inline void fail_from(test_allocator *own, int64_t call, bool on) {
    own->calls = 0;
    own->fail_at = call;
    own->fail_on = on;
}

static inline void fail_never(test_allocator *own) {
    own->fail_at = -1;
}

#endif
