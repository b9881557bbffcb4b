#include "api/api.h"
#include "api/doors.h"

#include "base/hash.h"
#include "base/scalar.h"

/// Sums are independent of the order of rows; each term mixes the column, the creation number and the value.
static uint64_t term(uint64_t column, uint64_t creation, uint64_t value) {
    return throng_mix_pair(throng_mix_pair(column, creation), value);
}

static uint64_t whole_bits(uint64_t value) {
    return value;
}

/// The same number on machines of either byte order.
#define BITS(value)                                                                                                    \
    _Generic((value), double : throng_double_bits, float : throng_float_bits, default : whole_bits)(value)

// The sum of each column of state. Of extra columns, values that are not what everybody has otherwise.
#define SUM_STATE(name)                                                                                                \
    static uint64_t sum_##name(const throng_agents *agents, uint64_t column) {                                         \
        uint64_t sum = 0;                                                                                              \
        for (uint32_t row = 0; row < agents->count; ++row) {                                                           \
            sum += term(column, agents->creation[row], BITS(agents->name[row]));                                       \
        }                                                                                                              \
        return sum;                                                                                                    \
    }
#define SUM_OUTCOME(name)
#define SUM_IDENTITY(name)
#define X(type, name, kind, range) SUM_##kind(name)
THRONG_AGENT_COLUMNS(X)
#undef X
#define X(type, name, kind, range, otherwise)                                                                          \
    static uint64_t sum_##name(const throng_agents *agents, uint64_t column) {                                         \
        uint64_t sum = 0;                                                                                              \
        for (uint32_t row = 0; agents->has_extras && row < agents->count; ++row) {                                     \
            if (agents->name[row] == (otherwise)) continue;                                                            \
            sum += term(column, agents->creation[row], BITS(agents->name[row]));                                       \
        }                                                                                                              \
        return sum;                                                                                                    \
    }
THRONG_EXTRA_COLUMNS(X)
#undef X

static const struct {
    const char *name;
    uint64_t (*sum)(const throng_agents *agents, uint64_t column);
    bool is_extra;
} hashed[] = {
#define ENTRY_STATE(name) {#name, sum_##name, false},
#define ENTRY_OUTCOME(name)
#define ENTRY_IDENTITY(name)
#define X(type, name, kind, range) ENTRY_##kind(name)
    THRONG_AGENT_COLUMNS(X)
#undef X
#define X(type, name, kind, range, otherwise) {#name, sum_##name, true},
        THRONG_EXTRA_COLUMNS(X)
#undef X
};

enum { HASHED = sizeof hashed / sizeof *hashed };

_Static_assert((int)HASHED <= (int)THRONG_HASH_COLUMNS, "a hash for every column of state");

typedef struct hashing {
    const throng_agents *agents;
    throng_hashes *hashes;
} hashing;

static void hash_column(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const hashing *work = context;
    work->hashes->columns[item] = hashed[item].sum(work->agents, item);
}

/// Where supports are and how they move; outlines and walls are left out as walls are.
static uint64_t add_supports(uint64_t hash, const throng_supports *supports) {
    for (uint32_t i = 1; i < supports->slots.limit; ++i) {
        if (!supports->slots.used[i]) continue;
        const throng_support *support = &supports->items[i];
        const double numbers[] = {support->pose.x,     support->pose.y,     support->pose.ux,  support->pose.uy,
                                  support->velocity.x, support->velocity.y, support->turn_rate};
        hash = throng_mix_pair(throng_mix_pair(hash, i), (uint64_t)support->kind << 32 | support->layer);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; ++n) {
            hash = throng_mix_pair(hash, throng_double_bits(numbers[n]));
        }
    }
    return hash;
}

throng_result throng_world_hash(const throng_world *world, throng_hashes *hashes) {
    if (!world || !hashes) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_hash: world and hashes must not be null");
    }
    *hashes = (throng_hashes){.column_count = HASHED};
    enum { FEW = 1024 }; // agents that no other thread is woken for
    hashing work = {&world->agents, hashes};
    throng_parallel_for(&world->parallel, HASHED, world->agents.count < FEW ? HASHED : 1, hash_column, &work);
    uint64_t whole = throng_mix_pair(world->seed, world->next_creation);
    whole = throng_mix_pair(whole, world->clock.step);
    whole = throng_mix_pair(whole, throng_double_bits(throng_clock_time(&world->clock)));
    if (world->doors.count > 0) whole = throng_mix_pair(whole, throng_doors_hash(&world->doors));
    if (world->density_tables.count > 0) whole = throng_mix_pair(whole, world->density_tables.content);
    for (uint32_t column = 0; column < HASHED; ++column) {
        hashes->names[column] = hashed[column].name;
        if (hashed[column].is_extra && hashes->columns[column] == 0) continue;
        whole = throng_mix_pair(whole, hashes->columns[column]);
    }
    hashes->whole = add_supports(whole, &world->supports);
    for (uint32_t column = 0; column < 4; ++column) {
        hashes->places = throng_mix_pair(hashes->places, hashes->columns[column]);
    }
    for (int stage = 0; stage < THRONG_STAGE_COUNT; ++stage) hashes->stages[stage] = world->stage_hashes[stage];
    return THRONG_OK;
}
