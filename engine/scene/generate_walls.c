// Generated scenes of a few walls: buildings, a door, a bottleneck.
#include "scene/generate_pen.h"

enum { CHANCE_X, CHANCE_Y, CHANCE_GOAL };

// Right-hand traffic: in by one street and out by the opposite one, so that only streams at a right angle meet.
static bool write_blocks(FILE *file, const double *parameters) {
    int side = (int)parameters[0];
    generate_pen pen = generate_begin(file, &generate_blocks, 0.25, 900);
    generate_profiles(&pen, "{\"default\": {\"radius\": 2, \"preferred_speed\": 1, \"max_speed\": 2, "
                            "\"time_horizon\": 5, \"obstacle_horizon\": 5, \"neighbor_range\": 15, "
                            "\"max_neighbors\": 10, \"goal_radius\": 2}}");
    generate_list_begin(&pen, "walls");
    generate_box(&pen, 10, 10, 40, 40);
    generate_box(&pen, -40, 10, -10, 40);
    generate_box(&pen, -40, -40, -10, -10);
    generate_box(&pen, 10, -40, 40, -10);
    generate_list_end(&pen);
    generate_list_begin(&pen, "agents");
    const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    // m from the middle, along a street: before it, just in it, and the same at its other end. Whoever is swept past
    // the first beside the street still walks into it.
    const double along[4] = {47, 38, -38, -47};
    for (int group = 0; group < 4; group++) {
        double sx = signs[group][0], sy = signs[group][1];
        for (int i = 0; i < side * side; i++) {
            double x = sx * (55 + 10 * (double)(i % side)), y = sy * (55 + 10 * (double)(i / side));
            double lane = 3 + 4 * (double)(i % 2); // m off the middle of the street
            generate_walker walker = {.position = {x, y}, .stop_count = 5};
            for (int k = 0; k < 4; k++) {
                generate_point by_y = {-sx * lane, sy * along[k]}, by_x = {sx * along[k], -sy * lane};
                walker.stops[k] = sx == sy ? by_y : by_x;
            }
            walker.stops[4] = (generate_point){-x, -y};
            generate_agent(&pen, &walker);
        }
    }
    generate_end(&pen);
    return true;
}

const generate_kind generate_blocks = {
    .name = "blocks",
    .shows = "Four groups swap corners through the streets between four buildings: RVO2's Blocks example, on routes",
    .parameters = {{"side", 5, 1, 50, true, "agents along a side of each square group"}},
    .write = write_blocks,
};

// Two rooms side by side, joined by a door in the middle of their common wall; half of the agents in each. `lane`:
// how far right of the door's middle they pass, as a part of its width. `turns`: the door lets one direction through at
// a time.
static void write_two_rooms(FILE *file, const generate_kind *kind, double width, uint64_t count, uint64_t seed,
                            double lane, bool turns) {
    const double spacing = 0.9, shift = 0.15, front = 2.5; // m: places, at most off them, nearest to the door
    const double wall = 0.1;                               // m, half of its thickness
    uint64_t columns = 1;
    while (columns * columns < count) columns++;
    double half_height = spacing * (double)columns / 2 + 1;
    double depth = front + spacing * (double)columns + 1;
    double side = width / 2;
    generate_pen pen = generate_begin(file, kind, 0.1, 240);
    if (turns) generate_doors(&pen, "\"auto\"");
    generate_list_begin(&pen, "walls");
    const generate_point outline[] = {
        {-depth, -half_height}, {-wall, -half_height}, {-wall, -side},       {wall, -side},
        {wall, -half_height},   {depth, -half_height}, {depth, half_height}, {wall, half_height},
        {wall, side},           {-wall, side},         {-wall, half_height}, {-depth, half_height},
    };
    generate_polygon(&pen, outline, sizeof outline / sizeof outline[0], true);
    generate_list_end(&pen);
    generate_list_begin(&pen, "agents");
    for (uint64_t i = 0; i < 2 * count; i++) {
        uint64_t place = i / 2;
        double sign = i % 2 == 0 ? 1 : -1; // walks east or west
        double x = front + spacing * (double)(place / columns), y = spacing * ((double)(place % columns) + 0.5);
        x += shift * (2 * generate_chance(seed, i, CHANCE_X) - 1);
        y += shift * (2 * generate_chance(seed, i, CHANCE_Y) - 1) - spacing * (double)columns / 2;
        generate_walker walker = {
            .position = {generate_millimetre(-sign * x), generate_millimetre(y)}, .stop_count = 3, .leave = true};
        // One stop before the door and one behind it: whoever is swept past the first along the wall still walks to
        // the door.
        double right = -sign * lane * width;
        walker.stops[0] = (generate_point){-sign * 0.6, right};
        walker.stops[1] = (generate_point){sign * 0.6, right};
        walker.stops[2] = (generate_point){sign * (depth - 0.5), generate_millimetre(y)};
        generate_agent(&pen, &walker);
    }
    generate_end(&pen);
}

static bool write_doorway(FILE *file, const double *parameters) {
    write_two_rooms(file, &generate_doorway, parameters[0], (uint64_t)parameters[1], (uint64_t)parameters[2], 0.25,
                    false);
    return true;
}

const generate_kind generate_doorway = {
    .name = "doorway",
    .shows = "Both ways through a doorway wide enough for two, each on the right",
    .parameters = {{"width", 2.4, 1.2, 50, false, "m, of the door"},
                   {"n", 40, 1, 10000, true, "agents in each room"},
                   {"seed", 1, 0, 1e9, true, "of the places"}},
    .write = write_doorway,
};

static bool write_counterflow(FILE *file, const double *parameters) {
    write_two_rooms(file, &generate_counterflow, parameters[0], (uint64_t)parameters[1], (uint64_t)parameters[2], 0,
                    true);
    return true;
}

const generate_kind generate_counterflow = {
    .name = "counterflow",
    .shows = "Both ways through a door wide enough for one: who goes first?",
    .parameters = {{"width", 1, 0.55, 50, false, "m, of the door"},
                   {"n", 50, 1, 10000, true, "agents in each room"},
                   {"seed", 1, 0, 1e9, true, "of the places"}},
    .write = write_counterflow,
};

static bool write_bottleneck(FILE *file, const double *parameters) {
    uint64_t count = (uint64_t)parameters[0];
    double half = parameters[1] / 2, funnel = half + 0.15;
    uint64_t seed = (uint64_t)parameters[2];
    const double columns = 8, spacing_x = 0.64, spacing_y = 0.62, shift = 0.1; // m
    generate_pen pen = generate_begin(file, &generate_bottleneck, 0.05, 180);
    generate_profiles(&pen, "{\"default\": {\"radius\": 0.2, \"preferred_speed\": 1.34, \"max_speed\": 1.6, "
                            "\"time_horizon\": 1, \"obstacle_horizon\": 0.5}}");
    generate_list_begin(&pen, "walls");
    double length = 6.7;
    if (spacing_y * (double)(count / 8) + 1.7 > length) length = spacing_y * (double)(count / 8) + 1.7;
    for (int side = -1; side <= 1; side += 2) {
        const generate_point outline[] = {{side * funnel, 0},   {side * 2.8, 0},    {side * 2.8, length},
                                          {side * 3.0, length}, {side * 3.0, -1.1}, {side * half, -1.1},
                                          {side * half, -0.15}};
        generate_polygon(&pen, outline, sizeof outline / sizeof outline[0], false);
    }
    generate_list_end(&pen);
    generate_list_begin(&pen, "agents");
    for (uint64_t i = 0; i < count; i++) {
        double x = spacing_x * ((double)(i % 8) + 0.5 - columns / 2), y = 0.5 + spacing_y * (double)(i / 8);
        generate_walker walker = {.stop_count = 3, .leave = true};
        walker.position.x = generate_millimetre(x + shift * (2 * generate_chance(seed, i, CHANCE_X) - 1));
        walker.position.y = generate_millimetre(y + shift * (2 * generate_chance(seed, i, CHANCE_Y) - 1));
        walker.stops[0] = (generate_point){0, -0.2};
        walker.stops[1] = (generate_point){0, -1.3};
        walker.stops[2] = (generate_point){generate_millimetre(4 * generate_chance(seed, i, CHANCE_GOAL) - 2), -5};
        generate_agent(&pen, &walker);
    }
    generate_end(&pen);
    return true;
}

const generate_kind generate_bottleneck = {
    .name = "bottleneck",
    .shows = "75 people leave a corridor 5.6 m wide by an opening of 0.5 m: a laboratory experiment of the Pedestrian "
             "Dynamics Data Archive",
    .parameters = {{"n", 75, 1, 100000, true, "people"},
                   {"width", 0.5, 0.45, 5, false, "m, of the opening"},
                   {"seed", 1, 0, 1e9, true, "of the places"}},
    .write = write_bottleneck,
};
