#include "step/near_walls.h"

#include "base/scalar.h"
#include "state/wall_piece.h"

#include <string.h>

/// In the memory of contact candidates, after those of the tile.
typedef struct wall_note {
    throng_wall_box box; // m
    uint32_t count;
    uint32_t pieces[]; // all that come into the box and stop anybody of the tile
} wall_note;

/// Of a tile without a note.
static const uint32_t nowhere = UINT32_MAX;

/// Who may come near a wall on the way to its next place: a bit each. Leaves how far everybody may be pushed from
/// there.
static uint32_t leave_rooms(const throng_step *step, const throng_tile *tile) {
    double left[THRONG_LANES]; // m
    for (int lane = 0; lane < THRONG_LANES; ++lane) {
        const double dx = tile->next_x[lane] - tile->lists.x[lane], dy = tile->next_y[lane] - tile->lists.y[lane];
        left[lane] = tile->wall_gap[lane] - tile->radius[lane] - THRONG_WALL_ROOM_SLACK - sqrt(dx * dx + dy * dy);
    }
    uint8_t *room = step->memory->wall_room + tile->first;
    uint32_t near = 0;
    for (int lane = 0; lane < tile->count; ++lane) {
        const double units = left[lane] * (1.0 / THRONG_WALL_ROOM_UNIT);
        room[lane] = (uint8_t)(int32_t)throng_mind(throng_maxd(units, 0.0), UINT8_MAX);
        near |= (uint32_t) !(left[lane] > 0.0) << lane;
    }
    return near;
}

/// Room for a note of so many pieces, or nowhere: the contact candidates of the task's other tiles must still fit.
static uint32_t reserve_note(const throng_tile *tile, uint32_t pieces, throng_tally *tally) {
    const size_t words = (sizeof(wall_note) + pieces * sizeof(uint32_t)) / sizeof(uint32_t);
    const size_t used = (words + THRONG_LANES - 1) / THRONG_LANES * THRONG_LANES;
    const uint32_t task = tile->first / THRONG_TASK_ROWS, tiles = tile->first % THRONG_TASK_ROWS / THRONG_LANES + 1;
    if (tally->contacts_used + used > (size_t)tiles * (THRONG_LANES * THRONG_MAX_CONTACTS)) return nowhere;
    const uint32_t begin = task * (THRONG_TASK_ROWS * THRONG_MAX_CONTACTS) + tally->contacts_used;
    tally->contacts_used += (uint32_t)used;
    return begin;
}

static wall_note *note_at(const throng_step_memory *memory, uint32_t begin) {
    return (wall_note *)(void *)(memory->contacts + begin);
}

void throng_near_walls_leave(const throng_step *step, const throng_tile *tile, throng_tally *tally) {
    throng_step_memory *memory = step->memory;
    if (step->world->walls->piece_count == 0 || throng_has_supports(step->world)) return;
    const uint32_t at = tile->first / THRONG_LANES;
    memory->wall_near[at] = (uint16_t)leave_rooms(step, tile);
    memory->wall_note[at] = nowhere;
    if (tile->near_wall_count == 0) return;
    const uint32_t begin = reserve_note(tile, tile->near_wall_count, tally);
    memory->wall_note[at] = begin;
    if (begin == nowhere) return;
    wall_note *note = note_at(memory, begin);
    note->box = tile->wall_box;
    note->count = tile->near_wall_count;
    memcpy(note->pieces, tile->near_walls, note->count * sizeof *note->pieces);
}

void throng_near_walls_fetch_note(const throng_step *step, uint32_t tile) {
    const uint32_t begin = step->memory->wall_note[tile];
    if (begin == nowhere) return;
    throng_fetch(step->memory->contacts + begin);
    throng_fetch(step->memory->contacts + begin + THRONG_LANES);
}

void throng_near_walls_fetch(const throng_step *step, uint32_t tile) {
    const uint32_t begin = step->memory->wall_note[tile];
    if (begin == nowhere) return;
    const wall_note *note = note_at(step->memory, begin);
    for (uint32_t i = 0; i < note->count; ++i) throng_fetch(&step->world->walls->segment[note->pieces[i]]);
}

throng_near_walls throng_near_walls_in(const throng_step *step, throng_tile *tile, uint32_t position,
                                       throng_wall_filter filter, const throng_wall_box *box) {
    const uint32_t begin = step->memory->wall_note[position / THRONG_LANES];
    if (begin != nowhere) {
        wall_note *note = note_at(step->memory, begin);
        if (throng_wall_box_holds(&note->box, box)) return (throng_near_walls){note->pieces, note->count};
    }
    const throng_wall_set *walls = step->world->walls;
    return (throng_near_walls){tile->own_walls,
                               throng_wall_set_query(walls, box, filter, tile->own_walls, walls->piece_count)};
}

float throng_near_walls_overlap(const throng_step *step, const throng_near_walls *near, uint32_t row, double x,
                                double y) {
    const throng_agents *agents = &step->world->agents;
    const throng_wall_set *walls = step->world->walls;
    const double radius = agents->radius[row];
    const double least = radius * radius * (1.0 + 1e-9); // the square's rounding hides nothing
    const throng_wall_filter filter = throng_row_wall_filter(agents, row);
    const throng_wall_box box = throng_wall_box_around(x, y, radius);
    double nearest = radius;
    for (uint32_t i = 0; i < near->count; ++i) {
        const uint32_t piece = near->pieces[i];
        if (!(throng_wall_piece_squared(walls, piece, x, y) < least)) continue;
        if (!throng_wall_stops(walls, piece, filter) || !throng_wall_set_has_in(walls, piece, &box)) continue;
        nearest = throng_mind(nearest, throng_wall_piece_foot(walls, piece, x, y).distance);
    }
    return (float)(radius - nearest);
}
