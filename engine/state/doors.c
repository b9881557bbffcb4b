#include "state/doors.h"

#include "base/scalar.h"

throng_door_column throng_door_at_rest(const throng_door *door) {
    const double dx = door->b[0] - door->a[0], dy = door->b[1] - door->a[1], width = sqrt(dx * dx + dy * dy);
    return (throng_door_column){
        .state = {.door = *door},
        .admit_square = INFINITY,
        .x = door->a[0] + 0.5 * dx,
        .y = door->a[1] + 0.5 * dy,
        .ux = dx / width,
        .uy = dy / width,
        .half = 0.5 * width,
        .extent = 0.5 * width + (double)door->depth + THRONG_DOOR_REACH,
    };
}

void throng_doors_release(throng_doors *doors, throng_memory *memory) {
    throng_memory_release(memory, doors->items, doors->count, sizeof *doors->items);
    *doors = (throng_doors){0};
}
