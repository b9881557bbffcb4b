#include "state/slots.h"
#include "base/compiler.h"

#include <string.h>

void throng_slots_release(throng_slots *slots, throng_memory *memory) {
    throng_memory_release(memory, slots->row, slots->capacity, sizeof *slots->row);
    throng_memory_release(memory, slots->generation, slots->capacity, sizeof *slots->generation);
    throng_memory_release(memory, slots->used, slots->capacity, sizeof *slots->used);
    *slots = (throng_slots){0};
}

bool throng_slots_reserve_limit(throng_slots *slots, throng_memory *memory, size_t limit) {
    if (limit <= slots->capacity) return true;
    throng_slots grown = *slots;
    grown.capacity = slots->capacity + slots->capacity / 2;
    if (grown.capacity < limit) grown.capacity = limit;
    if (grown.capacity < 16) grown.capacity = 16;
    grown.row = throng_memory_allocate(memory, grown.capacity, sizeof *grown.row);
    grown.generation = throng_memory_allocate(memory, grown.capacity, sizeof *grown.generation);
    grown.used = throng_memory_allocate(memory, grown.capacity, sizeof *grown.used);
    if (!grown.row || !grown.generation || !grown.used) {
        throng_slots_release(&grown, memory);
        return false;
    }
    if (slots->limit) {
        memcpy(grown.row, slots->row, slots->limit * sizeof *grown.row);
        memcpy(grown.generation, slots->generation, slots->limit * sizeof *grown.generation);
        memcpy(grown.used, slots->used, slots->limit * sizeof *grown.used);
    } else {
        grown.limit = 1;
        grown.row[0] = grown.generation[0] = 0;
        grown.used[0] = 0;
    }
    throng_slots_release(slots, memory);
    *slots = grown;
    return true;
}

bool throng_slots_reserve(throng_slots *slots, throng_memory *memory, uint32_t count) {
    const size_t limit = slots->limit ? slots->limit : 1;
    const size_t fresh = count > slots->free_count ? count - slots->free_count : 0;
    return throng_slots_reserve_limit(slots, memory, limit + fresh);
}

throng_slot_id throng_slots_take(throng_slots *slots, uint32_t row) {
    uint32_t index = slots->first_free;
    if (index) {
        slots->first_free = slots->row[index];
        if (!slots->first_free) slots->last_free = 0;
        slots->free_count--;
    } else {
        assert(slots->limit && slots->limit < slots->capacity);
        index = slots->limit++;
        slots->generation[index] = 1;
    }
    slots->used[index] = 1;
    slots->row[index] = row;
    return (throng_slot_id){index, slots->generation[index]};
}

void throng_slots_give(throng_slots *slots, uint32_t index) {
    assert(index && index < slots->limit && slots->used[index]);
    slots->used[index] = 0;
    if (++slots->generation[index] == 0) slots->generation[index] = 1;
    throng_slots_queue(slots, index);
}

void throng_slots_queue(throng_slots *slots, uint32_t index) {
    slots->row[index] = 0;
    if (slots->last_free) {
        slots->row[slots->last_free] = index;
    } else {
        slots->first_free = index;
    }
    slots->last_free = index;
    slots->free_count++;
}
