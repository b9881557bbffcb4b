#include "state/extras.h"

bool throng_extras_allocate(throng_agents *agents, throng_memory *memory) {
    bool whole = true;
#define X(type, name, kind, range, otherwise)                                                                          \
    agents->name = whole ? throng_memory_allocate(memory, agents->capacity, sizeof(type)) : NULL;                      \
    whole = whole && agents->name;
    THRONG_EXTRA_COLUMNS(X)
#undef X
    return whole;
}

bool throng_extras_reserve(throng_agents *agents, throng_memory *memory) {
    if (agents->has_extras) return true;
    throng_agents extras = {.capacity = agents->capacity};
    if (!throng_extras_allocate(&extras, memory)) {
        throng_agents_release(&extras, memory);
        return false;
    }
#define X(type, name, kind, range, otherwise) agents->name = extras.name;
    THRONG_EXTRA_COLUMNS(X)
#undef X
    agents->has_extras = true;
    throng_extras_clear(agents, 0, agents->count);
    return true;
}

void throng_extras_clear(throng_agents *agents, uint32_t first, uint32_t end) {
    if (!agents->has_extras) return;
#define X(type, name, kind, range, otherwise)                                                                          \
    for (uint32_t row = first; row < end; ++row) agents->name[row] = otherwise;
    THRONG_EXTRA_COLUMNS(X)
#undef X
}

static uint32_t used_in(const throng_agents *agents, uint32_t row) {
    uint32_t used = 0;
#define X(type, name, kind, range, otherwise)                                                                          \
    used |= (uint32_t)(agents->name[row] != (otherwise)) << THRONG_EXTRA_##name;
    THRONG_EXTRA_COLUMNS(X)
#undef X
    return used;
}

void throng_extras_note(throng_agents *agents, uint32_t row) {
    if (agents->has_extras) agents->extras_used |= used_in(agents, row);
}

uint32_t throng_extras_find(const throng_agents *agents) {
    uint32_t used = 0;
    for (uint32_t row = 0; agents->has_extras && row < agents->count; ++row) used |= used_in(agents, row);
    return used;
}

const void *throng_extra_otherwise(throng_extra column) {
#define X(type, name, kind, range, otherwise) static const type name##_otherwise = otherwise;
    THRONG_EXTRA_COLUMNS(X)
#undef X
    static const void *const values[] = {
#define X(type, name, kind, range, otherwise) &name##_otherwise,
        THRONG_EXTRA_COLUMNS(X)
#undef X
    };
    return values[column];
}
