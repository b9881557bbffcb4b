#include "state/wall_turn.h"

#include "base/scalar.h"

// Directions whose cross product is smaller count as parallel: far above the rounding of unit vectors.
#define PARALLEL 1e-12

static bool contact_before(const throng_wall_contact *a, const throng_wall_contact *b) {
    if (a->distance != b->distance) return a->distance < b->distance;
    return a->piece < b->piece;
}

void throng_wall_contacts_add(throng_wall_contacts *contacts, const throng_wall_contact *added) {
    throng_wall_contact *items = contacts->items;
    uint32_t at = contacts->count;
    if (at == THRONG_WALL_MAX_CONTACTS) {
        if (!contact_before(added, &items[--at])) return;
    } else {
        contacts->count++;
    }
    for (; at > 0 && contact_before(added, &items[at - 1]); at--) items[at] = items[at - 1];
    items[at] = *added;
}

// The displacement on the border of contact `i` that is nearest to (dx, dy) and obeys the contacts before it.
static bool turn_along(const throng_wall_contacts *contacts, uint32_t i, double most, double dx, double dy,
                       throng_wall_turned *turned) {
    const throng_wall_contact *c = &contacts->items[i];
    const double least = throng_mind(c->least, most);
    const double ex = -c->ny;
    const double ey = c->nx;
    double low = -HUGE_VAL;
    double high = HUGE_VAL;
    for (uint32_t j = 0; j < i; j++) {
        const throng_wall_contact *other = &contacts->items[j];
        const double along = other->nx * ex + other->ny * ey;
        const double missing = throng_mind(other->least, most) - least * (other->nx * c->nx + other->ny * c->ny);
        if (along > PARALLEL) {
            low = throng_maxd(low, missing / along);
        } else if (along < -PARALLEL) {
            high = throng_mind(high, missing / along);
        } else if (missing > PARALLEL) {
            return false;
        }
    }
    if (low > high) return false;
    const double t = throng_maxd(low, throng_mind(high, dx * ex + dy * ey));
    turned->x = least * c->nx + t * ex;
    turned->y = least * c->ny + t * ey;
    return true;
}

// Contact by contact: what the ones so far allow is either kept by the next one, or the answer lies on its border.
bool throng_wall_contacts_turn(const throng_wall_contacts *contacts, double most, double dx, double dy,
                               throng_wall_turned *turned) {
    *turned = (throng_wall_turned){dx, dy, THRONG_WALL_NONE, THRONG_WALL_NONE};
    for (uint32_t i = 0; i < contacts->count; i++) {
        const throng_wall_contact *c = &contacts->items[i];
        if (c->nx * turned->x + c->ny * turned->y >= throng_mind(c->least, most)) continue;
        if (turned->first == THRONG_WALL_NONE) turned->first = c->piece;
        turned->last = c->piece;
        if (!turn_along(contacts, i, most, dx, dy, turned)) return false;
    }
    return true;
}
