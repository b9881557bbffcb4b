// Generated scenes without walls.
#include "scene/generate_pen.h"

#include <math.h>
#include <stdlib.h>

// What a scene asks of chance.
enum { CHANCE_X, CHANCE_Y, CHANCE_GOAL_X, CHANCE_GOAL_Y, CHANCE_ORDER };

static bool write_head_on(FILE *file, const double *parameters) {
    double half = parameters[0] / 2, offset = parameters[1];
    generate_pen pen = generate_begin(file, &generate_head_on, 0.1, 4 * parameters[0]);
    generate_list_begin(&pen, "agents");
    generate_agent(&pen, &(generate_walker){.position = {-half, 0}, .stop_count = 1, .stops = {{half, 0}}});
    generate_agent(&pen, &(generate_walker){.position = {half, offset}, .stop_count = 1, .stops = {{-half, offset}}});
    generate_end(&pen);
    return true;
}

const generate_kind generate_head_on = {
    .name = "head-on",
    .shows = "Two walkers head on: each gives way by half and walks on",
    .parameters = {{"distance", 20, 2, 1000, false, "m between the two at the start"},
                   {"offset", 0.1, -10, 10, false, "m between their lines"}},
    .write = write_head_on,
};

static bool write_circle(FILE *file, const double *parameters) {
    uint64_t count = (uint64_t)parameters[0];
    double ring = parameters[1] > 0 ? parameters[1] : 0.8 * (double)count;
    generate_pen pen = generate_begin(file, &generate_circle, 0.25, generate_millimetre(3 * ring));
    generate_profiles(&pen, "{\"default\": {\"radius\": 1.5, \"preferred_speed\": 1, \"max_speed\": 2, "
                            "\"time_horizon\": 10, \"obstacle_horizon\": 10, \"neighbor_range\": 15, "
                            "\"max_neighbors\": 10, \"goal_radius\": 1.5}}");
    generate_list_begin(&pen, "agents");
    for (uint64_t i = 0; i < count; i++) {
        generate_point turn = generate_turn(i, count);
        generate_point position = {ring * turn.x, ring * turn.y};
        generate_agent(
            &pen, &(generate_walker){.position = position, .stop_count = 1, .stops = {{-position.x, -position.y}}});
    }
    generate_end(&pen);
    return true;
}

const generate_kind generate_circle = {
    .name = "circle",
    .shows = "Agents on a circle, each walking to the opposite place: RVO2's Circle example",
    .parameters = {{"n", 250, 1, 100000, true, "agents"},
                   {"ring", 0, 0, 100000, false, "m, radius of the circle; 0: 0.8 m an agent"}},
    .write = write_circle,
};

static bool write_crossing(FILE *file, const double *parameters) {
    uint64_t count = (uint64_t)parameters[0], seed = (uint64_t)parameters[2];
    uint64_t lanes = (uint64_t)parameters[1];
    const double spacing = 1.5, shift = 0.4; // m, between places and at most off them
    double width = spacing * (double)lanes;
    double length = spacing * (double)((count + lanes - 1) / lanes);
    double travel = length + 2 * width + 10;
    generate_pen pen = generate_begin(file, &generate_crossing, 0.1, generate_millimetre(2 * travel));
    generate_list_begin(&pen, "agents");
    for (uint64_t i = 0; i < 2 * count; i++) {
        uint64_t place = i / 2;
        double along = -width / 2 - 5 - spacing * (double)(place / lanes);
        double across = spacing * ((double)(place % lanes) + 0.5) - width / 2;
        along = generate_millimetre(along + shift * (2 * generate_chance(seed, i, CHANCE_X) - 1));
        across = generate_millimetre(across + shift * (2 * generate_chance(seed, i, CHANCE_Y) - 1));
        double end = generate_millimetre(along + travel);
        generate_walker walker = {
            .position = {along, across}, .stop_count = 1, .stops = {{end, across}}, .leave = true};
        if (i % 2 == 1) { // the other stream walks north
            walker.position = (generate_point){across, along};
            walker.stops[0] = (generate_point){across, end};
        }
        generate_agent(&pen, &walker);
    }
    generate_end(&pen);
    return true;
}

const generate_kind generate_crossing = {
    .name = "crossing",
    .shows = "Two streams cross at a right angle: stripes form and both get through",
    .parameters = {{"n", 100, 1, 100000, true, "agents in each stream"},
                   {"lanes", 7, 1, 1000, true, "abreast"},
                   {"seed", 1, 0, 1e9, true, "of the places"}},
    .write = write_crossing,
};

static bool write_ring_siege(FILE *file, const double *parameters) {
    uint64_t count = (uint64_t)parameters[0];
    const double full_turn = 6.283185307179586, spacing = 0.62, apart = 1; // m, in the end and at the start
    generate_pen pen = generate_begin(file, &generate_ring_siege, 0.1, 60);
    generate_list_begin(&pen, "agents");
    generate_agent(&pen, &(generate_walker){.position = {0, 0}, .stop_count = 1, .stops = {{30, 0}}});
    for (uint64_t ring = 0, done = 0; done < count; ring++) {
        double goal = 1 + spacing * (double)ring, start = 8 + apart * (double)ring;
        uint64_t places = (uint64_t)(full_turn * goal / spacing);
        if (places > count - done) places = count - done;
        for (uint64_t i = 0; i < places; i++) {
            // Every second ring stands in the gaps of the one before.
            generate_point turn = generate_turn(2 * i + ring % 2, 2 * places);
            generate_walker walker = {.stop_count = 1};
            walker.position.x = generate_millimetre(start * turn.x);
            walker.position.y = generate_millimetre(start * turn.y);
            walker.stops[0].x = generate_millimetre(goal * turn.x);
            walker.stops[0].y = generate_millimetre(goal * turn.y);
            generate_agent(&pen, &walker);
        }
        done += places;
    }
    generate_end(&pen);
    return true;
}

const generate_kind generate_ring_siege = {
    .name = "ring-siege",
    .shows = "A ring closes in on one agent that must leave through it",
    .parameters = {{"n", 200, 1, 100000, true, "agents in the ring"}},
    .write = write_ring_siege,
};

// Places in an order of chance, so that neighbors in space are far apart in memory.
static void shuffle(uint32_t *order, uint32_t count, uint64_t seed) {
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = (uint32_t)(generate_chance(seed, i, CHANCE_ORDER) * i);
        uint32_t swapped = order[i - 1];
        order[i - 1] = order[other];
        order[other] = swapped;
    }
}

static bool write_uniform(FILE *file, const double *parameters) {
    uint32_t count = (uint32_t)parameters[0];
    uint64_t seed = (uint64_t)parameters[3];
    const double radius = 0.25;
    uint32_t *order = malloc(count * sizeof *order);
    if (!order) return false;
    shuffle(order, count, seed);
    uint32_t columns = 1;
    while ((uint64_t)columns * columns < count) columns++;
    uint32_t rows = (count + columns - 1) / columns;
    double cell = 1 / sqrt(parameters[1]);
    double shift = cell > 2 * radius ? cell / 2 - radius : 0; // from a cell's middle, so that nobody overlaps
    double width = cell * columns, height = cell * rows;
    generate_pen pen = generate_begin(file, &generate_uniform, 0.1, parameters[2]);
    generate_list_begin(&pen, "agents");
    for (uint32_t i = 0; i < count; i++) {
        double x = cell * (order[i] % columns + 0.5) + shift * (2 * generate_chance(seed, i, CHANCE_X) - 1);
        double y = cell * (order[i] / columns + 0.5) + shift * (2 * generate_chance(seed, i, CHANCE_Y) - 1);
        generate_walker walker = {.stop_count = 1};
        walker.position = (generate_point){generate_millimetre(x - width / 2), generate_millimetre(y - height / 2)};
        walker.stops[0].x = generate_millimetre(width * (generate_chance(seed, i, CHANCE_GOAL_X) - 0.5));
        walker.stops[0].y = generate_millimetre(height * (generate_chance(seed, i, CHANCE_GOAL_Y) - 0.5));
        generate_agent(&pen, &walker);
    }
    generate_end(&pen);
    free(order);
    return true;
}

const generate_kind generate_uniform = {
    .name = "uniform",
    .shows = "A crowd spread evenly over a square, in no order, each walking to a goal of chance within it",
    .parameters = {{"n", 1000, 1, 1e7, true, "agents"},
                   {"density", 1, 0.001, 4, false, "agents per square metre"},
                   {"duration", 60, 0.1, 1e6, false, "s"},
                   {"seed", 1, 0, 1e9, true, "of places, goals and order"}},
    .write = write_uniform,
};
