// Ids: index -> row, with a 32-bit generation; freed indices are reused first-in first-out.
#ifndef THRONG_STATE_SLOTS_H
#define THRONG_STATE_SLOTS_H

#include "base/memory.h"

/// What agents and own walls are named by; the public id types have this shape.
typedef struct throng_slot_id {
    uint32_t index;
    uint32_t generation;
} throng_slot_id;

typedef struct throng_slots {
    size_t capacity;
    uint32_t limit; ///< indices [1, limit) were given out at some time
    uint32_t free_count;
    uint32_t first_free; ///< 0: none; the next in line is kept in `row`
    uint32_t last_free;
    uint32_t *row;
    uint32_t *generation; ///< of the agent there, or of the next one where free
    uint8_t *used;
} throng_slots;

void throng_slots_release(throng_slots *slots, throng_memory *memory);

/// Makes room so that the next `count` calls of take can't fail. False and unchanged when there is no memory.
bool throng_slots_reserve(throng_slots *slots, throng_memory *memory, uint32_t count);

/// Room for indices below `limit`. False and unchanged when there is no memory.
bool throng_slots_reserve_limit(throng_slots *slots, throng_memory *memory, size_t limit);

throng_slot_id throng_slots_take(throng_slots *slots, uint32_t row);

/// `index` must be in use.
void throng_slots_give(throng_slots *slots, uint32_t index);

/// Puts an index that is not in use behind the free ones, under the generation it has.
void throng_slots_queue(throng_slots *slots, uint32_t index);

/// Whether the id names something that is there.
static inline bool throng_slots_holds(const throng_slots *slots, uint32_t index, uint32_t generation) {
    return index != 0 && index < slots->limit && slots->used[index] && slots->generation[index] == generation;
}

#endif
