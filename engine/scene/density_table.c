#include "scene/density_table.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TABLES = 253, MAX_POINTS = 256 }; // the library's

static const double highest = 100.0; // people per square metre

static bool number_of(json_t *pair, size_t index, double most, float *number, const scene_place *place,
                      scene_problems *problems) {
    json_t *value = json_array_get(pair, index);
    scene_place element = {.parent = place, .index = index};
    if (json_is_number(value) && json_number_value(value) >= 0.0 && json_number_value(value) <= most) {
        *number = (float)json_number_value(value);
        return true;
    }
    if (!json_is_number(value)) return scene_problem_add(problems, SCENE_ERROR, &element, "must be a number");
    return scene_problem_add(problems, SCENE_ERROR, &element, "must be from 0 to %.15g, is %.15g", most,
                             json_number_value(value));
}

static bool read_points(json_t *list, float *points, const scene_place *place, scene_problems *problems) {
    bool good = true;
    size_t i;
    json_t *pair;
    json_array_foreach(list, i, pair) {
        scene_place element = {.parent = place, .index = i};
        if (!json_is_array(pair) || json_array_size(pair) != 2) {
            good = scene_problem_add(problems, SCENE_ERROR, &element,
                                     "must be [people per square metre, part of the speed]");
            continue;
        }
        float *point = points + 2 * i;
        const bool density = number_of(pair, 0, highest, &point[0], &element, problems);
        const bool part = number_of(pair, 1, 1.0, &point[1], &element, problems);
        good = good && density && part;
        if (good && i > 0 && !(point[0] > point[-2])) {
            good =
                scene_problem_add(problems, SCENE_ERROR, &element, "densities must ascend, but %.7g comes after %.7g",
                                  (double)point[0], (double)point[-2]);
        }
    }
    return good;
}

/// The number of the table, which is taken over or freed.
static bool keep(scene *of, float *points, uint32_t count, uint32_t *number, const scene_place *place,
                 scene_problems *problems) {
    for (uint32_t i = 0; i < of->density_table_count; i++) {
        const throng_density_table *known = &of->density_tables[i];
        if (known->point_count != count || memcmp(known->points, points, 2 * count * sizeof *points) != 0) continue;
        free(points);
        *number = i;
        return true;
    }
    if (of->density_table_count == MAX_TABLES) {
        free(points);
        return scene_problem_add(problems, SCENE_ERROR, place, "is one table more than the %d that a scene can have",
                                 MAX_TABLES);
    }
    throng_density_table *more =
        realloc(of->density_tables, (of->density_table_count + 1) * sizeof *of->density_tables);
    if (!more) {
        free(points);
        return scene_problem_add_memory(problems, place);
    }
    of->density_tables = more;
    *number = of->density_table_count++;
    more[*number] = (throng_density_table){.point_count = count, .points = points};
    return true;
}

bool scene_read_density_table(json_t *object, scene *of, uint32_t *response, const scene_place *place,
                              scene_problems *problems) {
    json_t *list = json_object_get(object, "density_response");
    if (!json_is_array(list)) return true;
    scene_place member = {.parent = place, .key = "density_response"};
    const size_t size = json_array_size(list);
    if (size < 1 || size > MAX_POINTS) {
        return scene_problem_add(problems, SCENE_ERROR, &member, "must have from 1 to %d points, has %zu", MAX_POINTS,
                                 size);
    }
    float *points = calloc(2 * size, sizeof *points);
    if (!points) return scene_problem_add_memory(problems, &member);
    if (!read_points(list, points, &member, problems)) {
        free(points);
        return false;
    }
    uint32_t number = 0;
    if (!keep(of, points, (uint32_t)size, &number, &member, problems)) return false;
    *response = THRONG_DENSITY_TABLE + number;
    return true;
}
