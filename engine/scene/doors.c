#include "scene/doors.h"

#include "scene/keys.h"
#include "scene/object.h"

#include <stdlib.h>

static void read_door(json_t *object, throng_door *door, const scene_place *place, scene_problems *problems) {
    scene_door_reading reading = {0};
    scene_read_object(object, scene_door_keys, NULL, &reading, place, problems);
    json_t *line = json_object_get(object, "line");
    scene_place member = {.parent = place, .key = "line"};
    double *points = NULL;
    uint32_t count = 0;
    if (!line || !scene_read_points(line, 2, THRONG_LIMIT_PLACE, &points, &count, &member, problems)) return;
    if (count != 2) {
        scene_problem_add(problems, SCENE_ERROR, &member, "must be the two ends of the opening, are %u points", count);
    } else {
        *door = (throng_door){{points[0], points[1]}, {points[2], points[3]}, reading.depth, reading.capacity};
    }
    free(points);
}

void scene_read_doors(scene *which, json_t *value, scene_problems *problems) {
    if (!json_is_array(value)) return;
    scene_place doors = {.key = "doors"};
    const size_t size = json_array_size(value);
    which->doors = calloc(size ? size : 1, sizeof *which->doors);
    if (!which->doors) {
        scene_problem_add_memory(problems, &doors);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        scene_place place = {.parent = &doors, .index = i};
        read_door(json_array_get(value, i), &which->doors[i], &place, problems);
    }
    which->door_count = (uint32_t)size;
}

static int by_size(const void *a, const void *b) {
    const float one = *(const float *)a, other = *(const float *)b;
    return (one > other) - (one < other);
}

// Half of the agents are no larger; false where there is no memory.
static bool middle_radius(const scene *which, double *radius) {
    float *radii = malloc(which->agent_count * sizeof *radii);
    if (!radii) return false;
    for (uint32_t i = 0; i < which->agent_count; i++) radii[i] = which->agents[i].radius;
    qsort(radii, which->agent_count, sizeof *radii, by_size);
    *radius = (double)radii[which->agent_count / 2];
    free(radii);
    return true;
}

// Gaps that let one body through and not two side by side, with a little to spare for rounding.
static bool find_doors(const scene *which, scene_world *built) {
    static const double spare = 1.001;
    double radius;
    if (which->agent_count == 0) return true;
    if (!middle_radius(which, &radius)) return false;
    const double least = 2.0 * radius / spare, most = 4.0 * radius * spare;
    uint32_t count;
    if (throng_map_find_doors(built->map, least, most, NULL, 0, &count) != THRONG_OK) return false;
    throng_door *doors = malloc((count + (size_t)1) * sizeof *doors);
    const bool done = doors && throng_map_find_doors(built->map, least, most, doors, count, &count) == THRONG_OK &&
                      throng_world_set_doors(built->world, doors, count) == THRONG_OK;
    free(doors);
    return done;
}

bool scene_set_doors(const scene *which, scene_world *built) {
    if (which->find_doors == SCENE_FIND_DOORS_AUTO) return find_doors(which, built);
    return throng_world_set_doors(built->world, which->doors, which->door_count) == THRONG_OK;
}
