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

// Squares of what a piece is from every seeker, m². Kept apart until they are needed, since a choice in a loop keeps
// compilers from making vectors of it.
typedef struct distances {
    double beyond[THRONG_WALL_SEEKERS]; // m, how far past the nearer end; negative beside the piece
    double line[THRONG_WALL_SEEKERS];   // m², from the piece's line
    double end[THRONG_WALL_SEEKERS];    // m², from its nearer end
} distances;

static void measure(const throng_wall_set *set, uint32_t piece, const throng_wall_seekers *seekers, distances *d) {
    const double ax = set->ax[piece];
    const double ay = set->ay[piece];
    const double bx = set->bx[piece];
    const double by = set->by[piece];
    const double ux = set->ux[piece];
    const double uy = set->uy[piece];
    const double length = set->length[piece];
    for (int i = 0; i < THRONG_WALL_SEEKERS; i++) {
        const double wx = seekers->x[i] - ax;
        const double wy = seekers->y[i] - ay;
        const double vx = seekers->x[i] - bx;
        const double vy = seekers->y[i] - by;
        const double along = wx * ux + wy * uy;
        const double side = ux * wy - uy * wx;
        d->beyond[i] = throng_maxd(-along, along - length);
        d->line[i] = side * side;
        d->end[i] = throng_mind(wx * wx + wy * wy, vx * vx + vy * vy);
    }
}

static double squared_of(const distances *d, int seeker) {
    return d->beyond[seeker] < 0.0 ? d->line[seeker] : d->end[seeker];
}

// Of the seekers named by bits those whom the piece stops where it is.
static uint32_t at_height(const throng_wall_set *set, uint32_t piece, const throng_wall_seekers *seekers,
                          uint32_t bits) {
    for (int i = 0; i < THRONG_WALL_SEEKERS; i++) {
        const throng_wall_filter filter = {seekers->mask[i], seekers->low[i], seekers->high[i]};
        if (!throng_wall_stops(set, piece, filter)) bits &= ~(1u << i);
    }
    return bits;
}

// A bit for everyone who has the piece within reach and is stopped by it.
static uint32_t seekers_of(const throng_wall_set *set, uint32_t piece, const throng_wall_seekers *seekers,
                           const distances *d) {
    const uint32_t layer = set->layer[piece];
    uint32_t bits = 0;
    for (int i = 0; i < THRONG_WALL_SEEKERS; i++) {
        const double square = seekers->reach[i] * seekers->reach[i];
        const uint32_t beside = d->beyond[i] < 0.0;
        const uint32_t within = (beside & (d->line[i] <= square)) | (~beside & (d->end[i] <= square));
        bits |= (within & (seekers->reach[i] >= 0.0) & ((layer & seekers->mask[i]) != 0)) << i;
    }
    return bits && set->by_height ? at_height(set, piece, seekers, bits) : bits;
}

void throng_wall_near_find(const throng_wall_set *set, const uint32_t *pieces, uint32_t count,
                           const throng_wall_seekers *seekers, throng_wall_near near[THRONG_WALL_SEEKERS]) {
    for (int i = 0; i < THRONG_WALL_SEEKERS; i++) {
        near[i].count = 0;
        near[i].cut = 0;
    }
    distances d;
    for (uint32_t i = 0; i < count; i++) {
        measure(set, pieces[i], seekers, &d);
        uint32_t bits = seekers_of(set, pieces[i], seekers, &d);
        for (int seeker = 0; bits; seeker++, bits >>= 1) {
            if (bits & 1) insert(&near[seeker], pieces[i], squared_of(&d, seeker));
        }
    }
}

uint32_t throng_wall_near_any(const throng_wall_set *set, const uint32_t *pieces, uint32_t count,
                              const throng_wall_seekers *seekers) {
    uint32_t bits = 0;
    distances d;
    for (uint32_t i = 0; i < count; i++) {
        measure(set, pieces[i], seekers, &d);
        bits |= seekers_of(set, pieces[i], seekers, &d);
    }
    return bits;
}
