// The view of a world, put in the order of the agents' numbers.
#ifndef RECORD_FRAME_H
#define RECORD_FRAME_H

#include "record/record.h"

/// Memory kept from frame to frame. Starts all zero.
typedef struct frame_buffer {
    uint32_t capacity;
    void *memory;
} frame_buffer;

/// The current state as a frame; valid until the next call with this buffer or one that changes the world.
bool frame_take(frame_buffer *buffer, const throng_world *world, record_frame *frame, failure *why);

void frame_buffer_free(frame_buffer *buffer);

#endif
