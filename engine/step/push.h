// What the two ways of pushing out have in common: bodies that overlap make room for each other, in Jacobi passes over
// who is due.
#ifndef THRONG_STEP_PUSH_H
#define THRONG_STEP_PUSH_H

#include "base/grid.h"
#include "step/step.h"

/// A pass: everybody due looks at where all were after the last one.
typedef struct throng_pass {
    const throng_step *step;
    uint32_t number; ///< of the pass; in the first everybody is due
    bool last;       ///< it only measures the overlaps that are left; who is buried is asked for in this one alone
} throng_pass;

/// What those who overlap somebody ask of it.
typedef struct throng_push {
    float x, y;    ///< m, summed up: the way deeper into them
    int pushers;   ///< how many
    float deepest; ///< m, overlap
    uint32_t with; ///< row of the deepest
} throng_push;

/// Adds what `other` asks of `own`, which sees it at (dx, dy), m.
void throng_push_add(throng_push *push, const throng_step *step, uint32_t own, uint32_t other, float dx, float dy,
                     float share);

/// Bodies this deep in each other, m, are left alone, so that those who merely touch rest.
#define THRONG_PUSH_SLOP 2e-4f

/// Who has more contact candidates than are kept is moved by so many passes only: it no longer knows on whom it comes
/// to lie.
enum { THRONG_CROWDED_PASSES = 2 };

static inline uint32_t throng_contact_count(const throng_step_memory *memory, uint32_t position) {
    const uint32_t count = memory->contact_count[position];
    return count < THRONG_MAX_CONTACTS ? count : THRONG_MAX_CONTACTS;
}

/// Whether a pass leaves the tree position where it is, whoever pushes.
static inline bool throng_pass_only_measures(const throng_pass *pass, uint32_t position) {
    return pass->last ||
           (pass->number >= THRONG_CROWDED_PASSES && pass->step->memory->contact_count[position] > THRONG_MAX_CONTACTS);
}

/// What somebody takes of the sum of its pushes: from several sides not all, or Jacobi passes would overshoot in a
/// dense heap.
static inline float throng_push_taken(float sum, int pushers) {
    return 2.0f * sum / (1.0f + (float)pushers);
}

/// The agents of a tile that move, a bit each: they and those whom they may touch are due in the next pass.
static inline void throng_push_mark(const throng_step_memory *memory, uint32_t first, uint32_t moved) {
    // As many slots for each as the fullest has: what a lane does not use names it, and loops of one length are
    // foreseen.
    uint32_t slots = 0;
    for (uint32_t lane = 0; lane < THRONG_LANES; ++lane) {
        slots = throng_max_u32(slots, throng_contact_count(memory, first + lane));
    }
    _Atomic uint8_t *const due = memory->due_next; // bytes may be anything's: the pointer is not read again after each
    for (; moved; moved &= moved - 1) {
        const uint32_t position = first + throng_lowest_bit(moved);
        const uint32_t *contacts = throng_contacts_of(memory, position);
        atomic_store_explicit(&due[position], 1, memory_order_relaxed);
        for (uint32_t i = 0; i < slots; ++i) {
            atomic_store_explicit(&due[contacts[i * THRONG_LANES]], 1, memory_order_relaxed);
        }
    }
}

/// Where a push brings the agent of a tree position from its place, near walls (throng_near_walls_take): as far as they
/// let it, and nowhere if the straight line over the whole step would then cut through one.
void throng_push_place_among_walls(const throng_step *step, throng_tile *tile, uint32_t position, const double place[2],
                                   double dx, double dy, double to[2]);

// ---- by packed places, where everybody is near enough to everybody it may touch

/// Packs the next places. How far in all, m along an axis, passes may then carry anybody; negative where packed places
/// do not do.
float throng_push_pack(const throng_step *step);

/// A task of a pass: moves packed places. Tallies which tiles moved and how far, m.
void throng_push_packed(void *pass, uint32_t item, uint32_t worker);

/// Writes packed places back to next_x, next_y, as a pass finds them.
void throng_push_unpack(throng_pass *pass);

#endif
