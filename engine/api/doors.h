// What setting, saving and hashing doors share.
#ifndef THRONG_API_DOORS_H
#define THRONG_API_DOORS_H

#include "state/doors.h"

enum {
    THRONG_MAX_DOORS = 65535,
    THRONG_SNAPSHOT_DOOR_WORDS = 11 ///< of 64 bits, a door
};

/// What is wrong with a door; null: nothing.
const char *throng_door_fault(const throng_door *door);

/// A door with its turn as words of 64 bits, and back; false where they are none.
void throng_snapshot_pack_door(const throng_door_column *door, uint64_t words[THRONG_SNAPSHOT_DOOR_WORDS]);
bool throng_snapshot_unpack_door(const uint64_t words[THRONG_SNAPSHOT_DOOR_WORDS], throng_door_column *door);

/// Of the doors in their order, with their turns.
uint64_t throng_doors_hash(const throng_doors *doors);

#endif
