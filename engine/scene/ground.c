#include "scene/ground.h"

#include "scene/object.h"

#include <stdlib.h>

void scene_read_regions(scene *which, json_t *list, scene_problems *problems) {
    const size_t size = json_array_size(list);
    scene_place regions = {.key = "regions"};
    if (size == 0) return;
    which->regions = calloc(size, sizeof *which->regions);
    if (!which->regions) {
        scene_problem_add_memory(problems, &regions);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        scene_place place = {.parent = &regions, .index = i}, member = {.parent = &place, .key = "polygon"};
        json_t *object = json_array_get(list, i);
        throng_region *region = &which->regions[which->region_count++];
        region->speed_factor = 1.0f;
        scene_read_object(object, scene_region_keys, NULL, region, &place, problems);
        json_t *polygon = json_object_get(object, "polygon");
        double *points = NULL;
        if (polygon &&
            scene_read_points(polygon, 3, THRONG_LIMIT_PLACE, &points, &region->point_count, &member, problems))
            region->points = points;
    }
}

void scene_free_ground(scene *which) {
    for (uint32_t i = 0; i < which->region_count; i++) free((void *)which->regions[i].points);
    free(which->regions);
    free(which->height_grid);
    free((void *)which->heights.heights);
}
