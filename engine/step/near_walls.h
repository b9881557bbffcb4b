// What a tile knows of its walls, left for the stages after it: how far everybody is from the nearest, and which come
// near. Each question is answered from there where that suffices, else by the walls' tree: the answers are the same.
// Not for worlds with supports, whose walls have frames of their own.
#ifndef THRONG_STEP_NEAR_WALLS_H
#define THRONG_STEP_NEAR_WALLS_H

#include "state/wall_sweep.h"
#include "step/step.h"

/// What rounding and the sweep's own reach beyond the body may take, m.
#define THRONG_WALL_ROOM_SLACK (8.0 * THRONG_WALL_SKIN)

/// After integrate: leaves what the tile found.
void throng_near_walls_leave(const throng_step *step, const throng_tile *tile, throng_tally *tally);

/// Takes a push by (dx, dy), m, from the room of the agent at a tree position. Whether walls may be within
/// throng_wall_sweep_reach of it.
static inline bool throng_near_walls_take(const throng_step_memory *memory, uint32_t position, double dx, double dy) {
    const uint32_t room = memory->wall_room[position];
    const double units = (fabs(dx) + fabs(dy)) * (1.0 / THRONG_WALL_ROOM_UNIT);
    const uint32_t taken = units < UINT8_MAX ? (uint32_t)(int32_t)units + 1 : UINT8_MAX + 1;
    memory->wall_room[position] = (uint8_t)(taken < room ? room - taken : 0);
    return taken > room;
}

/// Pieces that come into a box near the agent at a tree position and stop it, and maybe others; to be reordered at
/// will.
typedef struct throng_near_walls {
    uint32_t *pieces;
    uint32_t count;
} throng_near_walls;

/// Asks for what throng_near_walls_in reads of a tile: first for its note, then, when that is there, for the pieces.
void throng_near_walls_fetch_note(const throng_step *step, uint32_t tile);
void throng_near_walls_fetch(const throng_step *step, uint32_t tile);

throng_near_walls throng_near_walls_in(const throng_step *step, throng_tile *tile, uint32_t position,
                                       throng_wall_filter filter, const throng_wall_box *box);

/// How deep the agent of a row reaches into those of the pieces that stop it, m, with its centre at (x, y).
float throng_near_walls_overlap(const throng_step *step, const throng_near_walls *near, uint32_t row, double x,
                                double y);

#endif
