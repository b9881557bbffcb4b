#include "base/memory.h"
#include "base/compiler.h"

#include <stdlib.h>
#include <string.h>

static size_t rounded(size_t bytes) {
    const size_t mask = THRONG_CACHE_LINE - 1;
    return bytes == 0 ? THRONG_CACHE_LINE : (bytes + mask) & ~mask;
}

static void *libc_allocate(void *context, size_t bytes) {
    (void)context;
    return aligned_alloc(THRONG_CACHE_LINE, bytes);
}

static void libc_release(void *context, void *block, size_t bytes) {
    (void)context;
    (void)bytes;
    free(block);
}

bool throng_memory_init(throng_memory *memory, const throng_allocator *allocator) {
    *memory = (throng_memory){.allocator = *allocator};
    if (!allocator->allocate && !allocator->release) {
        memory->allocator = (throng_allocator){.allocate = libc_allocate, .release = libc_release};
    }
    return memory->allocator.allocate && memory->allocator.release;
}

void *throng_memory_allocate(throng_memory *memory, size_t count, size_t size) {
    if (size && count > (SIZE_MAX / 2) / size) return NULL;
    const size_t bytes = rounded(count * size);
    void *block = memory->allocator.allocate(memory->allocator.context, bytes);
    if (block) {
        memory->bytes += bytes;
        memory->allocations++;
    }
    return block;
}

void throng_memory_release(throng_memory *memory, void *block, size_t count, size_t size) {
    if (!block) return;
    const size_t bytes = rounded(count * size);
    assert(memory->bytes >= bytes);
    memory->bytes -= bytes;
    memory->allocator.release(memory->allocator.context, block, bytes);
}

bool throng_memory_reserve(throng_memory *memory, void **block, size_t *capacity, size_t used, size_t count,
                           size_t size) {
    if (count <= *capacity && *block) return true;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < count) wanted = count;
    if (wanted < 16) wanted = 16;
    void *grown = throng_memory_allocate(memory, wanted, size);
    if (!grown) return false;
    if (used) memcpy(grown, *block, used * size);
    throng_memory_release(memory, *block, *capacity, size);
    *block = grown;
    *capacity = wanted;
    return true;
}
