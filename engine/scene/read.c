// A scene file -> a scene, by the tables of keys.
#include "scene/density_table.h"
#include "scene/ground.h"
#include "scene/doors.h"
#include "scene/object.h"
#include "scene/override.h"
#include "scene/supports.h"
#include "scene/wording.h"

#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(offsetof(scene_agent_reading, def) == 0, "profile keys have one offset in both structs");

typedef struct reader {
    scene *scene;
    scene_problems *problems;
    struct profile *profiles; ///< the first is "default"
    size_t profile_count;
} reader;

typedef struct profile {
    const char *name; ///< the JSON's
    throng_agent_def def;
    bool used; ///< by an agent
} profile;

uint64_t scene_steps(const scene *which) {
    return (uint64_t)(which->duration / which->time_step + 0.5);
}

void scene_free(scene *which) {
    if (!which) return;
    for (uint32_t i = 0; i < which->wall_count; i++) free((void *)which->walls[i].points);
    for (uint32_t i = 0; i < which->agent_count; i++) {
        free((void *)which->routes[i].points);
        free((void *)which->routes[i].speed_limits);
    }
    scene_free_ground(which);
    for (uint32_t i = 0; i < which->density_table_count; i++) free((void *)which->density_tables[i].points);
    free(which->density_tables);
    scene_free_supports(which);
    free(which->walls);
    free(which->doors);
    free(which->agents);
    free(which->routes);
    free(which->name);
    free(which->description);
    free(which->text);
    free(which);
}

// The list of a key, borrowed; null where it is absent or wrong.
static json_t *list_of(reader *r, json_t *root, const char *key) {
    json_t *list = json_object_get(root, key);
    if (!list || json_is_array(list)) return list;
    scene_place place = {.key = key};
    scene_problem_add(r->problems, SCENE_ERROR, &place, "must be a list, is %s", scene_json_kind(list));
    return NULL;
}

bool scene_read_wall(json_t *object, throng_wall *wall, const scene_place *place, scene_problems *problems) {
    scene_wall_reading reading = {.layer = UINT32_MAX};
    bool good = scene_read_object(object, scene_wall_keys, NULL, &reading, place, problems);
    json_t *polygon = json_object_get(object, "polygon"), *line = json_object_get(object, "line");
    if (!polygon == !line) {
        if (!good && !line) return false; // not an object, or a misspelt key that was told
        return scene_problem_add(problems, SCENE_ERROR, place, "must have either \"polygon\" or \"line\"%s",
                                 line ? ", has both" : "");
    }
    scene_place points = {.parent = place, .key = line ? "line" : "polygon"};
    if (line && reading.enclosure) {
        scene_place enclosure = {.parent = place, .key = "enclosure"};
        good = scene_problem_add(problems, SCENE_ERROR, &enclosure, "only a polygon can be an enclosure");
    }
    wall->kind = line ? THRONG_WALL_LINE : reading.enclosure ? THRONG_WALL_ENCLOSURE : THRONG_WALL_SOLID;
    wall->layer = reading.layer;
    wall->height_low = reading.heights[0];
    wall->height_high = reading.heights[1];
    double *read = NULL;
    if (!scene_read_points(line ? line : polygon, line ? 2 : 3, THRONG_LIMIT_PLACE, &read, &wall->point_count, &points,
                           problems)) {
        return false;
    }
    wall->points = read;
    return good;
}

static void read_walls(reader *r, json_t *list) {
    size_t size = json_array_size(list);
    scene_place walls = {.key = "walls"};
    r->scene->walls = calloc(size ? size : 1, sizeof *r->scene->walls);
    if (!r->scene->walls) {
        scene_problem_add_memory(r->problems, &walls);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        scene_place place = {.parent = &walls, .index = i};
        throng_wall *wall = &r->scene->walls[r->scene->wall_count];
        scene_read_wall(json_array_get(list, i), wall, &place, r->problems);
        r->scene->wall_count++; // also a wrong one, whose points are freed with the others
    }
}

static bool read_profile_keys(reader *r, json_t *object, throng_agent_def *def, const scene_place *place) {
    return scene_read_object(object, scene_profile_keys, NULL, def, place, r->problems) &&
           scene_read_density_table(object, r->scene, &def->density_response, place, r->problems);
}

// What profiles start from.
static void read_solver(reader *r, json_t *object) {
    scene_place place = {.key = "solver"};
    const throng_world_def def = throng_default_world_def();
    r->scene->solver = (scene_solver){.samples = def.sampling.count,
                                      .sample_pattern = (uint32_t)def.sampling.pattern,
                                      .sample_horizon = def.sampling.horizon};
    if (object) scene_read_object(object, scene_solver_keys, NULL, &r->scene->solver, &place, r->problems);
}

// "default" first, since the others start from it wherever it stands in the file.
static bool read_profiles(reader *r, json_t *object) {
    scene_place profiles = {.key = "profiles"};
    r->profiles = calloc(json_object_size(object) + 1, sizeof *r->profiles);
    if (!r->profiles) return scene_problem_add_memory(r->problems, &profiles);
    r->profiles[0] = (profile){.name = "default", .def = throng_default_agent_def()};
    r->profiles[0].def.model = r->scene->solver.model;
    r->profiles[0].def.infeasible = r->scene->solver.infeasible;
    r->profile_count = 1;
    if (!object) return true;
    if (!json_is_object(object)) {
        return scene_problem_add(r->problems, SCENE_ERROR, &profiles, "must be an object, is %s",
                                 scene_json_kind(object));
    }
    scene_place first = {.parent = &profiles, .key = "default"};
    json_t *member = json_object_get(object, "default");
    if (member) read_profile_keys(r, member, &r->profiles[0].def, &first);
    const char *name;
    json_object_foreach(object, name, member) {
        if (strcmp(name, "default") == 0) continue;
        scene_place place = {.parent = &profiles, .key = name};
        profile *read = &r->profiles[r->profile_count++];
        *read = (profile){.name = name, .def = r->profiles[0].def};
        read_profile_keys(r, member, &read->def, &place);
    }
    return true;
}

typedef struct profile_walk {
    const profile *at, *end;
    bool used; ///< only those
} profile_walk;

static const char *next_profile(void *context) {
    profile_walk *walk = context;
    while (walk->used && walk->at < walk->end && !walk->at->used) walk->at++;
    return walk->at < walk->end ? (walk->at++)->name : NULL;
}

// The profile that an agent names, or "default"; null where it names none that exists.
static const profile *profile_of(reader *r, json_t *object, const scene_place *place) {
    json_t *value = json_object_get(object, "profile");
    if (!value) {
        r->profiles[0].used = true;
        return &r->profiles[0];
    }
    scene_place member = {.parent = place, .key = "profile"};
    const char *name = json_string_value(value);
    if (!name) {
        scene_problem_add(r->problems, SCENE_ERROR, &member, "must be a profile's name, is %s", scene_json_kind(value));
        return NULL;
    }
    for (size_t i = 0; i < r->profile_count; i++) {
        if (strcmp(name, r->profiles[i].name) != 0) continue;
        r->profiles[i].used = true;
        return &r->profiles[i];
    }
    profile_walk walk = {r->profiles, r->profiles + r->profile_count, false};
    const char *nearest = scene_nearest_word(name, next_profile, &walk);
    scene_problem_add(r->problems, SCENE_ERROR, &member, "there is no profile \"%.80s\"%s%.80s%s", name,
                      nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
    return NULL;
}

// The limits of a route's legs: as many as it has points, null for none.
static bool read_speed_limits(reader *r, json_t *list, throng_route *route, const scene_place *place) {
    const scene_key limit = {.type = SCENE_FLOAT_OR_NULL, .least = 0.0, .most = THRONG_LIMIT_NUMBER};
    scene_place member = {.parent = place, .key = "speed_limits"};
    if (!json_is_array(list) || json_array_size(list) != route->point_count) {
        return scene_problem_add(r->problems, SCENE_ERROR, &member,
                                 "must be a list of a number or null for each point of the route, %u",
                                 route->point_count);
    }
    float *limits = malloc(route->point_count * sizeof *limits);
    if (!limits) return scene_problem_add_memory(r->problems, &member);
    route->speed_limits = limits;
    bool good = true;
    for (size_t i = 0; i < route->point_count; i++) {
        scene_place element = {.parent = &member, .index = i};
        good &= scene_read_value(json_array_get(list, i), &limit, &limits[i], &element, r->problems);
    }
    return good;
}

// The target or route, once everything else is read.
static bool read_aim(reader *r, json_t *object, const scene_agent_reading *reading, throng_agent_def *def,
                     throng_route *route, const scene_place *place) {
    json_t *goal = json_object_get(object, "goal"), *list = json_object_get(object, "route");
    json_t *velocity = json_object_get(object, "preferred_velocity");
    if (!!goal + !!list + !!velocity > 1) {
        return scene_problem_add(r->problems, SCENE_ERROR, place,
                                 "can have only one of \"goal\", \"route\" and \"preferred_velocity\"");
    }
    if (reading->leave && !goal && !list) {
        scene_place leave = {.parent = place, .key = "leave"};
        return scene_problem_add(r->problems, SCENE_ERROR, &leave, "only an agent with a goal or a route can leave");
    }
    throng_support_id in = {0};
    if (!scene_read_support_name(r->scene, object, "goal_support", &in, place, r->problems)) return false;
    if (in.index && (!goal || reading->leave)) {
        scene_place member = {.parent = place, .key = "goal_support"};
        return scene_problem_add(r->problems, SCENE_ERROR, &member, "only a goal that nobody leaves at can be on one");
    }
    double *points = NULL;
    if (list) {
        scene_place member = {.parent = place, .key = "route"};
        if (!scene_read_points(list, 1, THRONG_LIMIT_PLACE, &points, &route->point_count, &member, r->problems))
            return false;
    } else if (goal && reading->leave) {
        points = malloc(2 * sizeof *points);
        if (!points) return scene_problem_add_memory(r->problems, place);
        memcpy(points, reading->goal, 2 * sizeof *points);
        route->point_count = 1;
    } else if (goal) {
        def->target =
            (throng_target){.kind = THRONG_TARGET_POINT, .x = reading->goal[0], .y = reading->goal[1], .support = in};
    } else if (velocity) {
        def->target = (throng_target){
            .kind = THRONG_TARGET_VELOCITY, .x = reading->preferred_velocity[0], .y = reading->preferred_velocity[1]};
    }
    route->points = points;
    route->leave = reading->leave;
    json_t *limits = json_object_get(object, "speed_limits");
    if (!limits) return true;
    if (list) return read_speed_limits(r, limits, route, place);
    scene_place member = {.parent = place, .key = "speed_limits"};
    return scene_problem_add(r->problems, SCENE_ERROR, &member, "only an agent with a route has legs to limit");
}

static bool read_agent(reader *r, json_t *object, throng_agent_def *def, throng_route *route,
                       const scene_place *place) {
    const profile *start = profile_of(r, object, place);
    scene_agent_reading reading = {.def = start ? start->def : r->profiles[0].def};
    bool good = scene_read_object(object, scene_agent_keys, scene_profile_keys, &reading, place, r->problems);
    good = good && scene_read_density_table(object, r->scene, &reading.def.density_response, place, r->problems);
    good &= scene_read_support_name(r->scene, object, "support", &reading.def.support, place, r->problems);
    *def = reading.def;
    return read_aim(r, object, &reading, def, route, place) && good && start;
}

static void read_agents(reader *r, json_t *list) {
    size_t size = json_array_size(list);
    scene_place agents = {.key = "agents"};
    if (size > INT32_MAX) {
        scene_problem_add(r->problems, SCENE_ERROR, &agents, "can be at most %d, are %zu", INT32_MAX, size);
        return;
    }
    r->scene->agents = calloc(size ? size : 1, sizeof *r->scene->agents);
    r->scene->routes = calloc(size ? size : 1, sizeof *r->scene->routes);
    if (!r->scene->agents || !r->scene->routes) {
        scene_problem_add_memory(r->problems, &agents);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        scene_place place = {.parent = &agents, .index = i};
        read_agent(r, json_array_get(list, i), &r->scene->agents[i], &r->scene->routes[i], &place);
    }
    r->scene->agent_count = (uint32_t)size;
}

// An override of a profile that no agent has does nothing: its name may be misspelt.
static void warn_of_idle_overrides(reader *r) {
    for (size_t i = 1; i < r->profile_count; i++) {
        scene_place profiles = {.key = "profiles"}, place = {.parent = &profiles, .key = r->profiles[i].name};
        char path[256];
        scene_place_text(&place, path, sizeof path);
        const size_t length = strlen(path);
        for (size_t k = 0; !r->profiles[i].used && k < r->problems->override_count; k++) {
            const char *override = r->problems->overrides[k];
            if (strncmp(override, path, length) != 0 || !strchr(".=", override[length])) continue;
            profile_walk walk = {r->profiles, r->profiles + r->profile_count, true};
            const char *nearest = scene_nearest_word(r->profiles[i].name, next_profile, &walk);
            scene_problem_add(
                r->problems, SCENE_WARNING, NULL, "--set %.200s: no agent has the profile \"%.80s\"%s%.80s%s", override,
                r->profiles[i].name, nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
        }
    }
}

// False: the file is of another format, and telling what else is unknown in it would mislead.
static bool read_version(reader *r, json_t *root) {
    json_t *version = json_object_get(root, "throng");
    scene_place place = {.key = "throng"};
    if (!version) {
        return scene_problem_add(r->problems, SCENE_ERROR, NULL,
                                 "the key \"throng\" is missing: the version of the scene format, now %d",
                                 SCENE_VERSION);
    }
    if (!json_is_integer(version) || json_integer_value(version) < 1) {
        return scene_problem_add(r->problems, SCENE_ERROR, &place, "must be the version of the scene format, now %d",
                                 SCENE_VERSION);
    }
    if (json_integer_value(version) > SCENE_VERSION) {
        return scene_problem_add(r->problems, SCENE_ERROR, &place,
                                 "the scene is of version %" JSON_INTEGER_FORMAT
                                 ", this program reads versions up to %d: a newer throng is needed",
                                 json_integer_value(version), SCENE_VERSION);
    }
    return true;
}

static void read_root(reader *r, json_t *root) {
    if (!read_version(r, root)) return;
    scene *s = r->scene;
    bool good = scene_read_object(root, scene_keys, NULL, s, NULL, r->problems);
    scene_place duration = {.key = "duration"};
    if (good && !(s->duration / s->time_step < 9e15)) { // counted exactly in a double
        scene_problem_add(r->problems, SCENE_ERROR, &duration, "must be less than 9e15 time steps, is %.3g of them",
                          s->duration / s->time_step);
    }
    read_walls(r, list_of(r, root, "walls"));
    read_solver(r, json_object_get(root, "solver"));
    scene_read_regions(s, list_of(r, root, "regions"), r->problems);
    if (s->height_grid) scene_read_height_grid(s, r->problems);
    scene_read_doors(s, json_object_get(root, "doors"), r->problems);
    scene_read_supports(s, list_of(r, root, "supports"), r->problems);
    if (read_profiles(r, json_object_get(root, "profiles"))) {
        read_agents(r, list_of(r, root, "agents"));
        warn_of_idle_overrides(r);
    }
    scene_read_obstacles(s, list_of(r, root, "obstacles"), r->problems);
}

// Jansson takes a failed allocation for an error in the text.
static _Thread_local bool json_memory_failed;

static void *json_allocate(size_t bytes) {
    void *block = malloc(bytes);
    if (!block) json_memory_failed = true;
    return block;
}

// Some editors put a byte order mark before UTF-8, where it says nothing.
static void skip_byte_order_mark(const char **text, size_t *size) {
    static const char mark[] = {'\xEF', '\xBB', '\xBF'};
    if (*size < sizeof mark || memcmp(*text, mark, sizeof mark) != 0) return;
    *text += sizeof mark;
    *size -= sizeof mark;
}

scene *scene_parse(const char *text, size_t size, const char *name, const char *const *overrides, size_t override_count,
                   scene_problems *problems) {
    skip_byte_order_mark(&text, &size);
    problems->file = name;
    problems->overrides = overrides;
    problems->override_count = override_count;
    if (memchr(text, '\0', size)) {
        scene_problem_add(problems, SCENE_ERROR, NULL, "is no UTF-8 text: it holds a zero byte");
        return NULL;
    }
    json_error_t error;
    json_memory_failed = false;
    json_set_alloc_funcs(json_allocate, free);
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        if (json_memory_failed) {
            scene_problem_add_memory(problems, NULL);
            return NULL;
        }
        scene_problem_add(problems, SCENE_ERROR, NULL, "line %d, column %d: %s", error.line, error.column, error.text);
        return NULL;
    }
    reader r = {.scene = calloc(1, sizeof *r.scene), .problems = problems};
    scene_lines_start(&problems->lines, text, size);
    if (!r.scene) {
        scene_problem_add_memory(problems, NULL);
    } else if (!json_is_object(root)) {
        scene_problem_add(problems, SCENE_ERROR, NULL, "must be an object, is %s", scene_json_kind(root));
    } else {
        *r.scene = (scene){.stop_early = true, .seed = 1};
        bool good = true;
        for (size_t i = 0; i < override_count; i++) good &= scene_override(root, overrides[i], problems);
        if (json_memory_failed) good = scene_problem_add_memory(problems, NULL);
        if (good) read_root(&r, root);
    }
    free(r.profiles);
    json_decref(root);
    problems->lines = (scene_lines){0}; // the text is the caller's
    if (problems->error_count == 0) return r.scene;
    scene_free(r.scene);
    return NULL;
}

// The whole file; the caller frees. Null and a problem where it can't be read.
static char *read_file(const char *path, size_t *size, scene_problems *problems) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0;
    *size = 0;
    bool good = file != NULL, ended = false;
    while (good && !ended) {
        if (*size == capacity) {
            capacity = capacity ? 2 * capacity : 1 << 16;
            char *larger = realloc(text, capacity);
            if (!larger) break;
            text = larger;
        }
        const size_t read = fread(text + *size, 1, capacity - *size, file);
        ended = memchr(text + *size, '\0', read) || feof(file); // no scene goes on behind a zero: devices may never end
        *size += read;
        good = !ferror(file);
    }
    bool done = good && ended;
    if (!done) scene_problem_add(problems, SCENE_ERROR, NULL, "can't be read: %s", strerror(errno));
    if (file) fclose(file);
    if (done) return text;
    free(text);
    return NULL;
}

scene *scene_read(const char *path, const char *const *overrides, size_t override_count, scene_problems *problems) {
    problems->file = path;
    size_t size;
    char *text = read_file(path, &size, problems);
    if (!text) return NULL;
    scene *read = scene_parse(text, size, path, overrides, override_count, problems);
    if (read) {
        read->text = text;
        const char *begin = text;
        skip_byte_order_mark(&begin, &size);
        scene_lines_start(&problems->lines, begin, size);
    } else {
        free(text);
    }
    return read;
}
