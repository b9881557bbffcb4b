#include "state/wall_near.h"

#include "state/wall_piece.h"

static bool before(double squared, uint32_t piece, const throng_wall_near *near, uint32_t at) {
    if (squared != near->squared[at]) return squared < near->squared[at];
    return piece < near->piece[at];
}

static void insert(throng_wall_near *near, uint32_t piece, double squared) {
    uint32_t at = near->count;
    if (at == THRONG_WALL_NEAR_MAX) {
        near->cut++;
        if (!before(squared, piece, near, --at)) return;
    } else {
        near->count++;
    }
    for (; at > 0 && before(squared, piece, near, at - 1); at--) {
        near->squared[at] = near->squared[at - 1];
        near->piece[at] = near->piece[at - 1];
    }
    near->squared[at] = squared;
    near->piece[at] = piece;
}

static void square_reaches(const throng_wall_seekers *seekers, double squares[THRONG_WALL_SEEKERS]) {
    for (int i = 0; i < THRONG_WALL_SEEKERS; i++) {
        squares[i] = seekers->reach[i] < 0.0 ? -1.0 : seekers->reach[i] * seekers->reach[i];
    }
}

// Who has the piece within reach. Straight loops, so that compilers make vectors of them.
static uint32_t seekers_of(const throng_wall_set *set, uint32_t piece, const throng_wall_seekers *seekers,
                           const double squares[THRONG_WALL_SEEKERS], double squared[THRONG_WALL_SEEKERS]) {
    const double ax = set->ax[piece];
    const double ay = set->ay[piece];
    const double ux = set->ux[piece];
    const double uy = set->uy[piece];
    const double length = set->length[piece];
    for (int i = 0; i < THRONG_WALL_SEEKERS; i++) {
        squared[i] = throng_wall_segment_squared(seekers->x[i] - ax, seekers->y[i] - ay, ux, uy, length);
    }
    const uint32_t layer = set->layer[piece];
    uint32_t bits = 0;
    for (int i = 0; i < THRONG_WALL_SEEKERS; i++) {
        const uint32_t within = squared[i] <= squares[i];
        const uint32_t heeded = (layer & seekers->mask[i]) != 0;
        bits |= (within & heeded) << i;
    }
    return bits;
}

void throng_wall_near_find(const throng_wall_set *set, const uint32_t *pieces, uint32_t count,
                           const throng_wall_seekers *seekers, throng_wall_near near[THRONG_WALL_SEEKERS]) {
    double squares[THRONG_WALL_SEEKERS];
    double squared[THRONG_WALL_SEEKERS];
    square_reaches(seekers, squares);
    for (int i = 0; i < THRONG_WALL_SEEKERS; i++) {
        near[i].count = 0;
        near[i].cut = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits = seekers_of(set, pieces[i], seekers, squares, squared);
        for (int seeker = 0; bits; seeker++, bits >>= 1) {
            if (bits & 1) insert(&near[seeker], pieces[i], squared[seeker]);
        }
    }
}

uint32_t throng_wall_near_any(const throng_wall_set *set, const uint32_t *pieces, uint32_t count,
                              const throng_wall_seekers *seekers) {
    double squares[THRONG_WALL_SEEKERS];
    double squared[THRONG_WALL_SEEKERS];
    square_reaches(seekers, squares);
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count; i++) bits |= seekers_of(set, pieces[i], seekers, squares, squared);
    return bits;
}
