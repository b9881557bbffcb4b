#include "record/frame.h"

#include <stdlib.h>

// A row of the view under the number of its agent.
typedef struct entry {
    uint64_t number;
    uint32_t row;
} entry;

typedef struct columns {
    entry *entries, *spare;
    uint64_t *numbers;
    double *x, *y;
    float *velocity_x, *velocity_y, *radius;
} columns;

static columns columns_of(const frame_buffer *buffer) {
    size_t n = buffer->capacity;
    columns c;
    c.entries = buffer->memory;
    c.spare = c.entries + n;
    c.numbers = (uint64_t *)(c.spare + n);
    c.x = (double *)(c.numbers + n);
    c.y = c.x + n;
    c.velocity_x = (float *)(c.y + n);
    c.velocity_y = c.velocity_x + n;
    c.radius = c.velocity_y + n;
    return c;
}

static bool reserve(frame_buffer *buffer, uint32_t count, failure *why) {
    if (count <= buffer->capacity) return true;
    uint32_t capacity = count + count / 4;
    size_t row_bytes = 2 * sizeof(entry) + sizeof(uint64_t) + 2 * sizeof(double) + 3 * sizeof(float);
    free(buffer->memory);
    *buffer = (frame_buffer){.capacity = capacity, .memory = malloc(capacity * row_bytes)};
    if (buffer->memory) return true;
    buffer->capacity = 0;
    return fail(why, "no memory for a frame of %u agents", count);
}

static unsigned digit(const entry *of, uint64_t low, unsigned shift) {
    return (unsigned)((of->number - low) >> shift) & 255u;
}

// Least significant byte first: linear, whatever order a step leaves the rows in. The result is in `from`.
static void sort_by_number(entry **from, entry **to, uint32_t count) {
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((*from)[i].number < low) low = (*from)[i].number;
        if ((*from)[i].number > high) high = (*from)[i].number;
    }
    for (unsigned shift = 0; shift < 64 && (high - low) >> shift > 0; shift += 8) {
        uint32_t starts[257] = {0};
        for (uint32_t i = 0; i < count; i++) starts[digit(*from + i, low, shift) + 1]++;
        for (unsigned i = 1; i < 256; i++) starts[i] += starts[i - 1];
        for (uint32_t i = 0; i < count; i++) {
            (*to)[starts[digit(*from + i, low, shift)]++] = (*from)[i];
        }
        entry *swap = *from;
        *from = *to;
        *to = swap;
    }
}

static void copy_rows(columns *c, const throng_view *view) {
    sort_by_number(&c->entries, &c->spare, view->count);
    for (uint32_t i = 0; i < view->count; i++) {
        uint32_t row = c->entries[i].row;
        c->numbers[i] = c->entries[i].number;
        c->x[i] = view->x[row];
        c->y[i] = view->y[row];
        c->velocity_x[i] = view->velocity_x[row];
        c->velocity_y[i] = view->velocity_y[row];
        c->radius[i] = view->radius[row];
    }
}

bool frame_take(frame_buffer *buffer, const throng_world *world, record_frame *frame, failure *why) {
    throng_view view;
    if (throng_world_view(world, &view) != THRONG_OK) return fail(why, "%s", throng_last_error()->message);
    *frame = (record_frame){.step = view.step, .time = view.time, .count = view.count};
    if (view.count == 0) return true;
    if (!reserve(buffer, view.count, why)) return false;
    columns c = columns_of(buffer);
    for (uint32_t i = 0; i < view.count; i++) c.entries[i] = (entry){view.creation[i], i};
    copy_rows(&c, &view);
    frame->numbers = c.numbers;
    frame->x = c.x;
    frame->y = c.y;
    frame->velocity_x = c.velocity_x;
    frame->velocity_y = c.velocity_y;
    frame->radius = c.radius;
    return true;
}

void frame_buffer_free(frame_buffer *buffer) {
    free(buffer->memory);
    *buffer = (frame_buffer){0};
}
