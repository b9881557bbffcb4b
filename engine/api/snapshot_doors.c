#include "api/doors.h"
#include "api/snapshot.h"

#include "base/hash.h"
#include "base/scalar.h"

static uint64_t pair(uint32_t low, uint32_t high) {
    return (uint64_t)high << 32 | low;
}

static uint64_t float_pair(float low, float high) {
    return pair(throng_float_bits(low), throng_float_bits(high));
}

void throng_snapshot_pack_door(const throng_door_column *door, uint64_t words[THRONG_SNAPSHOT_DOOR_WORDS]) {
    const throng_door_state *state = &door->state;
    for (int axis = 0; axis < 2; ++axis) {
        words[axis] = throng_double_bits(state->door.a[axis]);
        words[2 + axis] = throng_double_bits(state->door.b[axis]);
    }
    words[4] = pair(throng_float_bits(state->door.depth), state->door.capacity);
    words[5] = pair((uint32_t)state->way, state->clearing);
    words[6] = float_pair(state->open_time, door->idle_time);
    words[7] = throng_double_bits(door->admit_square);
    words[8] = door->admit_creation;
    words[9] = pair(state->waiting[0], state->waiting[1]);
    words[10] = pair(state->inside[0], state->inside[1]);
}

bool throng_snapshot_unpack_door(const uint64_t words[THRONG_SNAPSHOT_DOOR_WORDS], throng_door_column *door) {
    const throng_door given = {.a = {throng_double_of_bits(words[0]), throng_double_of_bits(words[1])},
                               .b = {throng_double_of_bits(words[2]), throng_double_of_bits(words[3])},
                               .depth = throng_float_of_bits((uint32_t)words[4]),
                               .capacity = (uint32_t)(words[4] >> 32)};
    const uint32_t way = (uint32_t)words[5];
    if (throng_door_fault(&given) || way > THRONG_DOOR_FROM_RIGHT || words[5] >> 33) return false;
    *door = throng_door_at_rest(&given);
    throng_door_state *state = &door->state;
    state->way = (throng_door_way)way;
    state->clearing = words[5] >> 32;
    state->open_time = throng_float_of_bits((uint32_t)words[6]);
    door->idle_time = throng_float_of_bits((uint32_t)(words[6] >> 32));
    door->admit_square = throng_double_of_bits(words[7]);
    door->admit_creation = words[8];
    for (int side = 0; side < THRONG_DOOR_SIDES; ++side) {
        state->waiting[side] = (uint32_t)(words[9] >> 32 * side);
        state->inside[side] = (uint32_t)(words[10] >> 32 * side);
    }
    return state->open_time >= 0.0f && door->idle_time >= 0.0f && door->admit_square >= -1.0;
}

uint64_t throng_doors_hash(const throng_doors *doors) {
    uint64_t hash = doors->count;
    for (uint32_t i = 0; i < doors->count; ++i) {
        uint64_t words[THRONG_SNAPSHOT_DOOR_WORDS];
        throng_snapshot_pack_door(&doors->items[i], words);
        for (int word = 0; word < THRONG_SNAPSHOT_DOOR_WORDS; ++word) hash = throng_mix_pair(hash, words[word]);
    }
    return hash;
}
