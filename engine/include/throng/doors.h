// Doors: narrow places that one direction passes at a time. A world has none until it is given some.
//
// Where people from both sides want through the same door, it lets those from one side through for a while and then
// those from the other, in turn; who waits stands beside the way of those who come out. While only one side wants
// through, a door does nothing but keep to its capacity. Who wants through is told from targets that are points and
// segments: the straight way to the target crosses the door, or ends at it. Doors are on the ground; platforms have
// none.
#ifndef THRONG_DOORS_H
#define THRONG_DOORS_H

#include <throng/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_door {
    double a[2], b[2]; ///< m, the ends of the opening, in the middle of the wall; not the same place
    float depth;       ///< m, how far the narrow part goes on to either side of the line from a to b, 0..1e6
    uint32_t capacity; ///< how many may be within the narrow part at once; 0: as many as find room
} throng_door;

/// Gives a world its doors in place of those it had; nobody is on the way through the new ones. Snapshots hold them.
/// ARGUMENT, VALUE (item: the door), CAPACITY (more than 65,535), MEMORY, BUSY.
THRONG_API throng_result throng_world_set_doors(throng_world *world, const throng_door *doors, uint32_t count);

/// Whom a door lets in.
typedef enum throng_door_way {
    THRONG_DOOR_BOTH = 0,      ///< nobody comes the other way
    THRONG_DOOR_FROM_LEFT = 1, ///< those from the left of a -> b
    THRONG_DOOR_FROM_RIGHT = 2
} throng_door_way;

typedef struct throng_door_state {
    throng_door door;
    throng_door_way way;
    bool clearing;       ///< its turn is over: nobody else gets in, the last ones get out
    float open_time;     ///< s, since `way` became what it is
    uint32_t waiting[2]; ///< who wants in, from the left and from the right
    uint32_t inside[2];  ///< who is within the narrow part, come from the left and from the right
} throng_door_state;

/// The doors after the last step, in the order given: the first `capacity` are written, `count` receives how many there
/// are. ARGUMENT.
THRONG_API throng_result throng_world_doors(const throng_world *world, throng_door_state *states, uint32_t capacity,
                                            uint32_t *count);

/// Finds the gaps of a map's walls that are narrower than `most` m and wider than `least`: passages that go on narrow
/// for a while are one door with a depth of at most 1e6 m. The first `capacity` are written, `count` receives how many
/// there are; their order depends on the places of the walls alone. ARGUMENT, VALUE (unless 0 <= least <= most <= 1e9),
/// MEMORY.
THRONG_API throng_result throng_map_find_doors(const throng_map *map, double least, double most, throng_door *doors,
                                               uint32_t capacity, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
