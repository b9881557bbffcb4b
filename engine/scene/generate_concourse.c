// The concourse: a station hall between ten corridors, with pillars and kiosks.
#include "scene/generate_pen.h"

#include <math.h>

enum { CHANCE_X, CHANCE_Y, CHANCE_EXIT, CHANCE_LANE, CHANCE_PACE };

enum { DOOR_COUNT = 10, ROUND_COUNT = 19 };

static const double hall_width = 120, hall_height = 64; // m
static const double corridor_length = 14;               // m, from the hall's wall outwards
static const double clearance = 0.45;                   // m, that routes keep from pillars and kiosks
static const double least_clearance = 0.3;              // m, and from the one that they go around
static const double spacing = 1;                        // m, between the places where people start in a corridor

typedef struct door {
    double x, y;   // m, its middle, on the hall's wall
    double ox, oy; // unit, outwards
    double half;   // m, half its width
} door;

static const door doors[DOOR_COUNT] = {
    {20, 0, 0, -1, 4},  {60, 0, 0, -1, 4}, {100, 0, 0, -1, 4}, {120, 18, 1, 0, 3}, {120, 46, 1, 0, 3},
    {100, 64, 0, 1, 4}, {60, 64, 0, 1, 4}, {20, 64, 0, 1, 4},  {0, 46, -1, 0, 3},  {0, 18, -1, 0, 3},
};

// A pillar or kiosk.
typedef struct round_wall {
    double x, y, radius; // m
} round_wall;

static const round_wall rounds[ROUND_COUNT] = {
    {10, 16, 0.8},  {24, 16, 0.8},  {38, 16, 0.8}, {52, 16, 0.8}, {68, 16, 0.8}, {82, 16, 0.8}, {96, 16, 0.8},
    {110, 16, 0.8}, {10, 48, 0.8},  {24, 48, 0.8}, {38, 48, 0.8}, {52, 48, 0.8}, {68, 48, 0.8}, {82, 48, 0.8},
    {96, 48, 0.8},  {110, 48, 0.8}, {30, 32, 3},   {60, 32, 5},   {90, 32, 3},
};

// `right` m to the right of the door's middle for someone who leaves by it, `out` m outwards of the hall's wall.
static generate_point door_point(const door *at, double right, double out) {
    return (generate_point){generate_millimetre(at->x + right * at->oy + out * at->ox),
                            generate_millimetre(at->y - right * at->ox + out * at->oy)};
}

// The solid masses between the corridors, counterclockwise: one from each door to the next, around the hall's corner
// where one lies between them.
static void write_masses(generate_pen *pen) {
    for (int i = 0; i < DOOR_COUNT; i++) {
        const door *from = &doors[i], *to = &doors[(i + 1) % DOOR_COUNT];
        bool turns = from->ox != to->ox || from->oy != to->oy;
        generate_point corner = {from->ox != 0 ? from->x : to->x, from->oy != 0 ? from->y : to->y};
        generate_point outline[6];
        size_t count = 0;
        outline[count++] = door_point(from, -from->half, corridor_length);
        if (turns) {
            outline[count++] = (generate_point){corner.x + corridor_length * (from->ox + to->ox),
                                                corner.y + corridor_length * (from->oy + to->oy)};
        }
        outline[count++] = door_point(to, to->half, corridor_length);
        outline[count++] = door_point(to, to->half, 0);
        if (turns) outline[count++] = corner;
        outline[count++] = door_point(from, -from->half, 0);
        generate_polygon(pen, outline, count, false);
    }
}

// Short sides: whoever is pushed in front of a long one and wants straight through it stands there.
static void write_rounds(generate_pen *pen) {
    enum { MOST_SIDES = 40 };
    for (int i = 0; i < ROUND_COUNT; i++) {
        generate_point outline[MOST_SIDES];
        uint64_t sides = rounds[i].radius < 1 ? 32 : MOST_SIDES;
        for (uint64_t k = 0; k < sides; k++) {
            generate_point turn = generate_turn(2 * k + 1, 2 * sides);
            outline[k].x = generate_millimetre(rounds[i].x + rounds[i].radius * turn.x);
            outline[k].y = generate_millimetre(rounds[i].y + rounds[i].radius * turn.y);
        }
        generate_polygon(pen, outline, sides, false);
    }
}

static void add_stop(generate_walker *walker, generate_point stop) {
    if (walker->stop_count < GENERATE_STOPS) walker->stops[walker->stop_count++] = stop;
}

// How near the straight way comes to the middle of a pillar or kiosk that lies ahead and before its end, at `along`;
// a positive `left`: the middle is left of the way. False: it is not on the way.
static bool passes(int i, generate_point from, generate_point to, double *along, double *left) {
    double dx = to.x - from.x, dy = to.y - from.y;
    double length = sqrt(dx * dx + dy * dy);
    if (length == 0) return false;
    double rx = rounds[i].x - from.x, ry = rounds[i].y - from.y;
    *along = (rx * dx + ry * dy) / length;
    *left = (dx * ry - dy * rx) / length;
    return *along > 0 && *along < length;
}

// The first that the way comes too near to, ROUND_COUNT where there is none. The one just passed may be nearer.
static int first_in_way(generate_point from, generate_point to, int passed) {
    double nearest = 0, along, left;
    int found = ROUND_COUNT;
    for (int i = 0; i < ROUND_COUNT; i++) {
        double clear = rounds[i].radius + (i == passed ? least_clearance : clearance);
        if (!passes(i, from, to, &along, &left) || left >= clear || -left >= clear) continue;
        if (found != ROUND_COUNT && along >= nearest) continue;
        nearest = along;
        found = i;
    }
    return found;
}

// A place abeam of one that is in the way, on the way's side of it, so far out that the way there is clear of it.
// `spread`: m that this one keeps farther off than need be, so that not all take the same way.
static generate_point way_around(int i, generate_point from, generate_point to, double spread) {
    double along, left;
    passes(i, from, to, &along, &left);
    double dx = to.x - from.x, dy = to.y - from.y;
    double side = (left > 0 ? -1 : 1) / sqrt(dx * dx + dy * dy);
    generate_point stop = {0, 0};
    for (double out = 2 * clearance + spread; out < 5; out += 0.25) {
        stop.x = generate_millimetre(rounds[i].x - side * dy * (rounds[i].radius + out));
        stop.y = generate_millimetre(rounds[i].y + side * dx * (rounds[i].radius + out));
        double clear = rounds[i].radius + least_clearance;
        if (!passes(i, from, stop, &along, &left) || left >= clear || -left >= clear) break;
    }
    return stop;
}

// Stops around all that the way from `from` to `to` would meet. A way around one is itself led around what comes
// before.
static void add_ways_around(generate_walker *walker, generate_point from, generate_point to, double spread) {
    int passed = ROUND_COUNT, heading = ROUND_COUNT; // heading: whose way around `next` is
    generate_point next = to;
    for (int tries = 0; tries < 32; tries++) {
        int met = first_in_way(from, next, passed);
        if (met != ROUND_COUNT && met != heading) {
            next = way_around(met, from, next, spread);
            heading = met;
        } else if (heading != ROUND_COUNT) {
            add_stop(walker, next);
            from = next;
            passed = heading;
            next = to;
            heading = ROUND_COUNT;
        } else {
            return;
        }
    }
}

// From the last stop so far (or the start) through the hall and out by a door. One stop before the door and one just
// inside it: whoever is swept past the first beside the door still walks to the door. The last lies beyond the
// corridor, so that nobody waits in it.
static void add_exit(generate_walker *walker, const door *at, double chance) {
    double right = 0.6 + chance * (at->half - 1.2);
    generate_point before = door_point(at, right, -3);
    generate_point from = walker->stop_count ? walker->stops[walker->stop_count - 1] : walker->position;
    add_ways_around(walker, from, before, 1.5 * chance);
    add_stop(walker, before);
    add_stop(walker, door_point(at, right, 0.5));
    add_stop(walker, door_point(at, right, corridor_length));
    add_stop(walker, door_point(at, right, corridor_length + 2));
    walker->leave = true;
}

static const char *pace(double chance) {
    if (chance < 0.25) return "calm";
    return chance < 0.8 ? NULL : "hurried";
}

// People in the corridors, on the side of those who come in. Returns how many.
static uint64_t write_incoming(generate_pen *pen, uint64_t count, uint64_t seed) {
    uint64_t done = 0;
    int rows = (int)(corridor_length / spacing) - 1;
    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < DOOR_COUNT; i++) {
            const door *at = &doors[i];
            for (double lane = 0.6; lane <= at->half - 0.6 && done < count; lane += spacing) {
                double shift_x = 0.4 * generate_chance(seed, done, CHANCE_X) - 0.2;
                double shift_y = 0.4 * generate_chance(seed, done, CHANCE_Y) - 0.2;
                // Anywhere but back, nor to the doors beside this one.
                int away = 2 + (int)(generate_chance(seed, done, CHANCE_EXIT) * (DOOR_COUNT - 3));
                generate_walker walker = {.profile = pace(generate_chance(seed, done, CHANCE_PACE))};
                walker.position = door_point(at, -(lane + shift_x), 1 + spacing * row + shift_y);
                // So far in that nobody who is pushed aside in the corridor counts as past it.
                add_stop(&walker, door_point(at, -lane, -5));
                add_exit(&walker, &doors[(i + away) % DOOR_COUNT], generate_chance(seed, done, CHANCE_LANE));
                generate_agent(pen, &walker);
                done++;
            }
        }
    }
    return done;
}

// Not so near to a pillar or kiosk that the way around it would begin along it.
static bool is_free(generate_point place) {
    for (int i = 0; i < ROUND_COUNT; i++) {
        double dx = place.x - rounds[i].x, dy = place.y - rounds[i].y, clear = 1.3 * rounds[i].radius + 0.6;
        if (dx * dx + dy * dy < clear * clear) return false;
    }
    return true;
}

// People all over the hall.
static void write_waiting(generate_pen *pen, uint64_t first, uint64_t count, uint64_t seed) {
    if (count == 0) return;
    // A cell a person and some to spare for pillars and kiosks.
    double cell = sqrt((hall_width - 2) * (hall_height - 2) / (1.06 * (double)count + 60));
    double shift = cell > 0.5 ? cell / 2 - 0.25 : 0;
    uint64_t columns = (uint64_t)((hall_width - 2) / cell);
    uint64_t done = 0;
    for (uint64_t place = 0; done < count; place++) {
        double x = 1 + cell * ((double)(place % columns) + 0.5), y = 1 + cell * ((double)(place / columns) + 0.5);
        x += shift * (2 * generate_chance(seed, first + place, CHANCE_X) - 1);
        y += shift * (2 * generate_chance(seed, first + place, CHANCE_Y) - 1);
        generate_walker walker = {.profile = pace(generate_chance(seed, first + place, CHANCE_PACE))};
        walker.position = (generate_point){generate_millimetre(x), generate_millimetre(y)};
        if (!is_free(walker.position)) continue;
        int exit = (int)(generate_chance(seed, first + place, CHANCE_EXIT) * DOOR_COUNT);
        add_exit(&walker, &doors[exit], generate_chance(seed, first + place, CHANCE_LANE));
        generate_agent(pen, &walker);
        done++;
    }
}

static bool write_concourse(FILE *file, const double *parameters) {
    uint64_t count = (uint64_t)parameters[0], seed = (uint64_t)parameters[1];
    generate_pen pen = generate_begin(file, &generate_concourse, 0.1, 200);
    generate_profiles(&pen, "{\"default\": {\"radius\": 0.22, \"obstacle_horizon\": 0.6, \"goal_radius\": 1}, "
                            "\"calm\": {\"preferred_speed\": 1}, "
                            "\"hurried\": {\"preferred_speed\": 1.6, \"max_speed\": 2}}");
    generate_list_begin(&pen, "walls");
    write_masses(&pen);
    write_rounds(&pen);
    generate_list_end(&pen);
    generate_list_begin(&pen, "agents");
    uint64_t incoming = write_incoming(&pen, count / 5, seed);
    write_waiting(&pen, incoming, count - incoming, seed);
    generate_end(&pen);
    return true;
}

const generate_kind generate_concourse = {
    .name = "concourse",
    .shows = "A station concourse: thousands cross a hall between pillars and kiosks and leave by ten corridors",
    .parameters = {{"n", 4000, 1, 20000, true, "people"}, {"seed", 1, 0, 1e9, true, "of places, exits and paces"}},
    .write = write_concourse,
};
