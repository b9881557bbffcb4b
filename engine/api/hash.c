#include "api/api.h"
#include "api/doors.h"

#include "base/hash.h"
#include "base/scalar.h"

/// Sums are independent of the order of rows; each term mixes the column, the creation number and the value.
static uint64_t term(uint64_t column, uint64_t creation, uint64_t value) {
    return throng_mix_pair(throng_mix_pair(column, creation), value);
}

enum { KIND_STATE, KIND_OUTCOME, KIND_IDENTITY };

#define KIND_OF(kind) KIND_##kind

/// The same number on machines of either byte order.
#define BITS_STATE(value)                                                                                              \
    _Generic((value), double : throng_double_bits, float : throng_float_bits, default : whole_bits)(value)
#define BITS_OUTCOME(value)  0
#define BITS_IDENTITY(value) 0

#define COUNT_STATE              1
#define COUNT_OUTCOME            0
#define COUNT_IDENTITY           0
#define X(type, name, kind, ...) +COUNT_##kind
_Static_assert(0 THRONG_AGENT_COLUMNS(X) THRONG_EXTRA_COLUMNS(X) <= THRONG_HASH_COLUMNS,
               "a hash for every column of state");
#undef X

static uint64_t whole_bits(uint64_t value) {
    return value;
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
    *hashes = (throng_hashes){0};
    const throng_agents *agents = &world->agents;
    uint64_t whole = throng_mix_pair(world->seed, world->next_creation);
    whole = throng_mix_pair(whole, world->clock.step);
    whole = throng_mix_pair(whole, throng_double_bits(throng_clock_time(&world->clock)));
    if (world->doors.count > 0) whole = throng_mix_pair(whole, throng_doors_hash(&world->doors));
    if (world->density_tables.count > 0) whole = throng_mix_pair(whole, world->density_tables.content);
#define X(type, name, kind, range)                                                                                     \
    if (KIND_OF(kind) == KIND_STATE) {                                                                                 \
        const uint32_t column = hashes->column_count++;                                                                \
        uint64_t sum = 0;                                                                                              \
        for (uint32_t row = 0; row < agents->count; ++row) {                                                           \
            sum += term(column, agents->creation[row], BITS_##kind(agents->name[row]));                                \
        }                                                                                                              \
        hashes->names[column] = #name;                                                                                 \
        hashes->columns[column] = sum;                                                                                 \
        whole = throng_mix_pair(whole, sum);                                                                           \
    }
    THRONG_AGENT_COLUMNS(X)
#undef X
#define X(type, name, kind, range, otherwise)                                                                          \
    if (KIND_OF(kind) == KIND_STATE) {                                                                                 \
        const uint32_t column = hashes->column_count++;                                                                \
        uint64_t sum = 0;                                                                                              \
        for (uint32_t row = 0; agents->has_extras && row < agents->count; ++row) {                                     \
            if (agents->name[row] == (otherwise)) continue;                                                            \
            sum += term(column, agents->creation[row], BITS_##kind(agents->name[row]));                                \
        }                                                                                                              \
        hashes->names[column] = #name;                                                                                 \
        hashes->columns[column] = sum;                                                                                 \
        if (sum) whole = throng_mix_pair(whole, sum);                                                                  \
    }
    THRONG_EXTRA_COLUMNS(X)
#undef X
    hashes->whole = add_supports(whole, &world->supports);
    for (uint32_t column = 0; column < 4; ++column)
        hashes->places = throng_mix_pair(hashes->places, hashes->columns[column]);
    for (int stage = 0; stage < THRONG_STAGE_COUNT; ++stage) hashes->stages[stage] = world->stage_hashes[stage];
    return THRONG_OK;
}
