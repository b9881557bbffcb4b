// Supports: what carries agents. A platform (train, lift, ferry) moves with its outline and its walls; a belt (walkway,
// escalator) stands where it is and carries what stands on it. The ground is no support: it has the id of zeros.
//
// An agent's position, velocity and speed limits are those in the frame of its support: a crowd on a moving platform
// moves in it bit for bit as on the ground. A belt's frame is the world's, and velocities on it are relative to it.
// throng_view, queries and recordings speak of the world. Agents step on where their centre comes into an outline, and
// off where it leaves it; where outlines overlap they stay, or step onto the support of the lowest index. Their world
// velocity stays the same then.
#ifndef THRONG_SUPPORTS_H
#define THRONG_SUPPORTS_H

#include <throng/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum throng_support_kind {
    THRONG_SUPPORT_PLATFORM = 0,
    THRONG_SUPPORT_BELT = 1 ///< neither turns nor has walls or a place of its own
} throng_support_kind;

/// Where a platform is and how it moves. Every step moves it on: by velocity * time_step, turned by
/// turn_rate * time_step about its own origin.
typedef struct throng_support_motion {
    double position[2]; ///< m, world: the origin of its frame, within +-1e12. BELT: 0
    double heading[2];  ///< the direction of its frame's x axis in the world; any length but 0. BELT: (1, 0)
    double velocity[2]; ///< m/s, world, within +-1e6: of its origin; of a belt's surface
    double turn_rate;   ///< rad/s, counterclockwise, within +-1e3. BELT: 0
} throng_support_motion;

/// Start from throng_default_support_def().
typedef struct throng_support_def {
    size_t struct_size;
    throng_support_kind kind; ///< default PLATFORM
    throng_support_motion motion;
    const double *outline;    ///< m, in its frame: x0 y0 x1 y1 ... of a polygon; copied
    uint32_t outline_count;   ///< points: 0 (default; nobody can step on it) or at least 3
    const throng_wall *walls; ///< in its frame, copied. They stop those on it, and all others as walls that move
    uint32_t wall_count;
    uint32_t layer; ///< carries the agents whose mask shares a bit; default: all
} throng_support_def;

THRONG_API throng_support_def throng_default_support_def(void);

/// The unit vector of an angle in radians within +-1e6, the same bits on every machine; of other angles (1, 0).
THRONG_API void throng_heading(double radians, double heading[2]);

/// Adds supports and writes their ids where `ids` is not null. At most 65535 at a time.
/// ARGUMENT, VALUE (item: the support), CAPACITY, MEMORY, BUSY.
THRONG_API throng_result throng_supports_add(throng_world *world, const throng_support_def *defs, uint32_t count,
                                             throng_support_id *ids);

/// Removes supports. Agents on them stand on the ground from then on, where they are; targets given in their frames
/// become targets of the ground. ARGUMENT (also an id named twice), STALE_ID, BUSY.
THRONG_API throng_result throng_supports_remove(throng_world *world, const throng_support_id *ids, uint32_t count);

/// Sets places and motions; who is on them is carried along. ARGUMENT, STALE_ID, VALUE, BUSY.
THRONG_API throng_result throng_supports_move(throng_world *world, const throng_support_id *ids,
                                              const throng_support_motion *motions, uint32_t count);

/// Where a support is and how it moves; the heading has length 1. ARGUMENT, STALE_ID.
THRONG_API throng_result throng_support_read(const throng_world *world, throng_support_id id,
                                             throng_support_motion *motion);

#ifdef __cplusplus
}
#endif

#endif
