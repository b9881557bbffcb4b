// What touched walls leave of a displacement: a small program in two dimensions.
#ifndef THRONG_STATE_WALL_TURN_H
#define THRONG_STATE_WALL_TURN_H

#include "state/wall_set.h"

/// A touched piece: the displacement must go at least `least` along the unit direction away from it.
typedef struct throng_wall_contact {
    double nx, ny;
    double least;    // m
    double distance; // m
    uint32_t piece;
} throng_wall_contact;

enum { THRONG_WALL_MAX_CONTACTS = 32 };

typedef struct throng_wall_contacts {
    throng_wall_contact items[THRONG_WALL_MAX_CONTACTS]; // by (distance, piece number)
    uint32_t count;
} throng_wall_contacts;

typedef struct throng_wall_turned {
    double x, y;          // m
    uint32_t first, last; // the first and the last piece that turned it, THRONG_WALL_NONE where none did
} throng_wall_turned;

/// Keeps the contacts sorted, whatever the order of insertion; the farthest falls out of a full list.
void throng_wall_contacts_add(throng_wall_contacts *contacts, const throng_wall_contact *added);

/// The displacement nearest to (dx, dy) that obeys all contacts, none of which asks for more than `most` m. False
/// where there is none.
bool throng_wall_contacts_turn(const throng_wall_contacts *contacts, double most, double dx, double dy,
                               throng_wall_turned *turned);

#endif
