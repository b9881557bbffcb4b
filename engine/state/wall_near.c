#include "state/wall_near.h"

#include "state/wall_piece.h"

static void insert(throng_wall_near *near, uint32_t piece, double squared) {
    uint32_t at = near->count;
    if (at == THRONG_WALL_NEAR_MAX) {
        near->cut++;
        at--;
        if (squared > near->squared[at] || (squared == near->squared[at] && piece > near->piece[at])) return;
    } else {
        near->count++;
    }
    while (at > 0 &&
           (squared < near->squared[at - 1] || (squared == near->squared[at - 1] && piece < near->piece[at - 1]))) {
        near->squared[at] = near->squared[at - 1];
        near->piece[at] = near->piece[at - 1];
        at--;
    }
    near->squared[at] = squared;
    near->piece[at] = piece;
}

void throng_wall_near_find(const throng_wall_set *set, const uint32_t *pieces, uint32_t count, uint32_t mask, double x,
                           double y, double reach, throng_wall_near *near) {
    near->count = 0;
    near->cut = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((set->layer[pieces[i]] & mask) == 0) continue;
        const double squared = throng_wall_piece_squared(set, pieces[i], x, y);
        if (squared <= reach * reach) insert(near, pieces[i], squared);
    }
}
