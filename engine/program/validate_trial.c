#include "program/validate_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

trial trial_begin(uint32_t count, uint64_t seed) {
    trial made = {.count = count, .random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    made.agents = calloc(count, sizeof *made.agents);
    made.ways = calloc(count, sizeof *made.ways);
    made.ids = calloc(count, sizeof *made.ids);
    made.arrival = calloc(count, sizeof *made.arrival);
    made.failed = !made.agents || !made.ways || !made.ids || !made.arrival;
    for (uint32_t i = 0; !made.failed && i < count; i++) {
        made.agents[i] = throng_default_agent_def();
        made.arrival[i] = -1.0;
    }
    return made;
}

void trial_end(trial *of) {
    throng_world_destroy(of->world);
    throng_map_release(of->map);
    for (uint32_t i = 0; i < of->wall_count; i++) free((void *)of->walls[i].points);
    free(of->walls);
    free(of->agents);
    free(of->ways);
    free(of->ids);
    free(of->arrival);
    free(of->number_of_index);
    *of = (trial){0};
}

void trial_wall(trial *of, throng_wall_kind kind, const double *points, uint32_t count) {
    if (of->failed) return;
    throng_wall *walls = realloc(of->walls, (of->wall_count + 1) * sizeof *walls);
    double *copy = malloc(2 * count * sizeof *copy);
    if (walls) of->walls = walls;
    of->failed = !walls || !copy;
    if (of->failed) {
        free(copy);
        return;
    }
    memcpy(copy, points, 2 * count * sizeof *copy);
    walls[of->wall_count++] = (throng_wall){.kind = kind, .point_count = count, .points = copy, .layer = UINT32_MAX};
}

void trial_box(trial *of, double x0, double y0, double x1, double y1) {
    const double points[] = {x0, y0, x1, y0, x1, y1, x0, y1};
    trial_wall(of, THRONG_WALL_SOLID, points, 4);
}

void trial_start(trial *of) {
    if (of->failed) return;
    throng_map_def map = throng_default_map_def();
    map.walls = of->walls;
    map.wall_count = of->wall_count;
    throng_world_def def = throng_default_world_def();
    throng_view view;
    of->failed = throng_map_create(&map, &of->map) != THRONG_OK;
    def.map = of->map;
    def.threads = 1; // small crowds: a second thread would mostly wait
    of->failed = of->failed || throng_world_create(&def, &of->world) != THRONG_OK ||
                 throng_agents_add(of->world, of->agents, of->count, of->ids) != THRONG_OK ||
                 throng_world_view(of->world, &view) != THRONG_OK;
    if (of->failed) return;
    of->number_of_index = calloc(view.index_limit, sizeof *of->number_of_index);
    of->failed = !of->number_of_index;
    for (uint32_t i = 0; !of->failed && i < of->count; i++) of->number_of_index[of->ids[i].index] = i;
}

static void note_arrival(trial *of, throng_agent_id id, double time) {
    const uint32_t number = of->number_of_index[id.index];
    trial_way *way = &of->ways[number];
    way->passed++;
    if (way->passed == (way->count > 0 ? way->count : 1)) {
        of->arrival[number] = time;
        of->arrived++;
    }
    if (way->count == 0) return;
    if (way->passed > way->count) {
        of->failed = throng_agents_remove(of->world, &id, 1) != THRONG_OK;
        return;
    }
    const throng_target *next = &way->targets[way->passed - 1];
    of->failed = throng_agents_write(of->world, THRONG_FIELD_TARGET, &id, 1, next) != THRONG_OK;
}

void trial_step(trial *of, double time_step) {
    if (of->failed) return;
    const throng_event *events;
    uint32_t count;
    throng_view view;
    of->failed = throng_world_step(of->world, time_step) != THRONG_OK ||
                 throng_world_view(of->world, &view) != THRONG_OK ||
                 throng_world_events(of->world, &events, &count) != THRONG_OK;
    if (of->failed || count == 0) return;
    // Events are valid until the world changes.
    throng_agent_id *arrived = malloc(count * sizeof *arrived);
    uint32_t arrivals = 0;
    of->failed = !arrived;
    for (uint32_t i = 0; !of->failed && i < count; i++) {
        if (events[i].kind == THRONG_EVENT_ARRIVED) arrived[arrivals++] = events[i].agent;
    }
    for (uint32_t i = 0; !of->failed && i < arrivals; i++) note_arrival(of, arrived[i], view.time);
    free(arrived);
}

throng_view trial_view(const trial *of) {
    throng_view view = {0};
    if (!of->failed) throng_world_view(of->world, &view);
    return view;
}

uint32_t trial_number(const trial *of, const throng_view *view, uint32_t row) {
    return of->number_of_index[view->ids[row].index];
}

double trial_random(trial *of, double low, double high) {
    uint64_t x = of->random += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return low + (high - low) * (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

void trial_scatter(trial *of, uint32_t first, uint32_t end, double x0, double y0, double x1, double y1, double apart) {
    enum { TRIES = 10000 };
    for (uint32_t i = first; !of->failed && i < end; i++) {
        double *place = of->agents[i].position;
        bool free_place = false;
        for (int tries = 0; tries < TRIES && !free_place; tries++) {
            place[0] = trial_random(of, x0, x1);
            place[1] = trial_random(of, y0, y1);
            free_place = true;
            for (uint32_t j = first; j < i && free_place; j++) {
                const double *other = of->agents[j].position;
                free_place = hypot(place[0] - other[0], place[1] - other[1]) >= apart;
            }
        }
        of->failed = !free_place;
    }
}
