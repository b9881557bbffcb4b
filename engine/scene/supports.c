#include "scene/supports.h"

#include "scene/object.h"
#include "scene/wording.h"

#include <stdlib.h>
#include <string.h>

static const double degree = 0.01745329251994329577; // rad
/// The fastest that keyframes may move and turn a support: RIDE_SPEED and ANY_TURN_RATE of the keys.
static const double most_speed = 1e6;     // m/s along x and y
static const double most_turn_rate = 5e4; // degrees a second

// ---- reading

static void *grow(void *items, uint32_t count, size_t size) {
    return realloc(items, (count + (size_t)1) * size);
}

// A support more, all zero but for defaults; null when there is no memory.
static scene_support *append_support(scene *which) {
    scene_support *grown = grow(which->supports, which->support_count, sizeof *grown);
    if (!grown) return NULL;
    which->supports = grown;
    scene_support *made = &grown[which->support_count++];
    *made = (scene_support){.motion = throng_default_support_def().motion, .layer = UINT32_MAX, .radius = -1.0f};
    return made;
}

static bool read_walls(json_t *list, scene_support *support, const scene_place *place, scene_problems *problems) {
    if (!json_is_array(list)) {
        return scene_problem_add(problems, SCENE_ERROR, place, "must be a list, is %s", scene_json_kind(list));
    }
    support->walls = calloc(json_array_size(list) + 1, sizeof *support->walls);
    if (!support->walls) return scene_problem_add_memory(problems, place);
    bool good = true;
    size_t i;
    json_t *wall;
    json_array_foreach(list, i, wall) {
        scene_place element = {.parent = place, .index = i};
        good &= scene_read_wall(wall, &support->walls[support->wall_count++], &element, problems);
    }
    return good;
}

static double clamped(double value, double most) {
    return value > most ? most : value < -most ? -most : value;
}

// Whether a support comes from one keyframe to the next no faster than supports may.
static bool check_pace(const scene_keyframe *from, const scene_keyframe *to, const scene_place *place,
                       scene_problems *problems) {
    scene_place position = {.parent = place, .key = "position"}, heading = {.parent = place, .key = "heading"};
    const double time = to->time - from->time, turn = (to->heading - from->heading) / time;
    for (int axis = 0; axis < 2; axis++) {
        const double speed = (to->position[axis] - from->position[axis]) / time;
        if (clamped(speed, most_speed) == speed) continue;
        return scene_problem_add(problems, SCENE_ERROR, &position,
                                 "must be reached at no more than 1e6 m/s along x and y, is at %.6g", speed);
    }
    if (clamped(turn, most_turn_rate) == turn) return true;
    return scene_problem_add(problems, SCENE_ERROR, &heading,
                             "must be reached at no more than 50000 degrees a second, is at %.6g", turn);
}

// What a keyframe leaves out is as in the one before.
static bool read_keyframes(json_t *list, scene_support *support, const scene_place *place, scene_problems *problems) {
    if (!json_is_array(list) || json_array_size(list) == 0) {
        return scene_problem_add(problems, SCENE_ERROR, place, "must be a list of at least one keyframe");
    }
    support->keyframes = calloc(json_array_size(list), sizeof *support->keyframes);
    if (!support->keyframes) return scene_problem_add_memory(problems, place);
    scene_keyframe last = {.position = {support->motion.position[0], support->motion.position[1]},
                           .heading = support->heading};
    bool good = true;
    size_t i;
    json_t *keyframe;
    json_array_foreach(list, i, keyframe) {
        scene_place element = {.parent = place, .index = i}, time = {.parent = &element, .key = "time"};
        scene_keyframe read = last;
        good &= scene_read_object(keyframe, scene_keyframe_keys, NULL, &read, &element, problems);
        if (good && i > 0 && !(read.time > last.time)) {
            good = scene_problem_add(problems, SCENE_ERROR, &time, "must be later than %.15g, is %.15g", last.time,
                                     read.time);
        }
        if (good && i > 0) good = check_pace(&last, &read, &element, problems);
        support->keyframes[support->keyframe_count++] = last = read;
    }
    return good;
}

static bool refuse(const char *key, const scene_place *place, scene_problems *problems, const char *why) {
    scene_place member = {.parent = place, .key = key};
    return scene_problem_add(problems, SCENE_ERROR, &member, "%s", why);
}

// Keyframes say all about a motion.
static bool check_motion(json_t *object, const scene_place *place, scene_problems *problems) {
    static const char *const keys[] = {"velocity", "turn_rate"};
    bool good = true;
    for (size_t i = 0; json_object_get(object, "keyframes") && i < sizeof keys / sizeof keys[0]; i++) {
        if (json_object_get(object, keys[i]))
            good = refuse(keys[i], place, problems, "can't stand beside \"keyframes\"");
    }
    return good;
}

static bool check_belt(json_t *object, const scene_place *place, scene_problems *problems) {
    static const char *const keys[] = {"position", "heading", "turn_rate", "walls", "keyframes"};
    bool good = true;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (json_object_get(object, keys[i]))
            good = refuse(keys[i], place, problems, "a belt stands where its outline is");
    }
    return good;
}

static bool name_is_taken(const scene *which, const scene_support *support) {
    for (uint32_t i = 0; i < which->support_count; i++) {
        const scene_support *other = &which->supports[i];
        if (other != support && other->name && support->name && strcmp(other->name, support->name) == 0) return true;
    }
    return false;
}

static bool read_support(scene *which, json_t *object, const scene_place *place, scene_problems *problems) {
    scene_support *support = append_support(which);
    if (!support) return scene_problem_add_memory(problems, place);
    bool good = scene_read_object(object, scene_support_keys, NULL, support, place, problems);
    if (!json_is_object(object)) return false;
    json_t *outline = json_object_get(object, "outline"), *walls = json_object_get(object, "walls");
    json_t *keyframes = json_object_get(object, "keyframes");
    scene_place at_outline = {.parent = place, .key = "outline"}, at_walls = {.parent = place, .key = "walls"};
    scene_place at_keyframes = {.parent = place, .key = "keyframes"};
    if (name_is_taken(which, support)) good = refuse("name", place, problems, "another support has this name");
    if (outline) {
        good &= scene_read_points(outline, 3, THRONG_LIMIT_PLACE, &support->outline, &support->outline_count,
                                  &at_outline, problems);
    }
    good &= support->kind == THRONG_SUPPORT_BELT ? check_belt(object, place, problems)
                                                 : check_motion(object, place, problems);
    if (walls) good &= read_walls(walls, support, &at_walls, problems);
    if (keyframes) good &= read_keyframes(keyframes, support, &at_keyframes, problems);
    return good;
}

void scene_read_supports(scene *which, json_t *list, scene_problems *problems) {
    scene_place supports = {.key = "supports"};
    size_t i;
    json_t *object;
    if (json_array_size(list) > 65535) {
        scene_problem_add(problems, SCENE_ERROR, &supports, "can be at most 65535, are %zu", json_array_size(list));
        return;
    }
    json_array_foreach(list, i, object) {
        scene_place place = {.parent = &supports, .index = i};
        read_support(which, object, &place, problems);
    }
}

// ---- obstacles

// A body that heeds nobody: it keeps its velocity, and others take the whole of every correction.
static bool append_disc(scene *which, const scene_support *disc, const scene_place *place, scene_problems *problems) {
    throng_agent_def *agents = grow(which->agents, which->agent_count, sizeof *agents);
    if (agents) which->agents = agents;
    throng_route *routes = grow(which->routes, which->agent_count, sizeof *routes);
    if (routes) which->routes = routes;
    if (!agents || !routes) return scene_problem_add_memory(problems, place);
    const double vx = disc->motion.velocity[0], vy = disc->motion.velocity[1];
    throng_agent_def def = throng_default_agent_def();
    memcpy(def.position, disc->motion.position, sizeof def.position);
    def.velocity[0] = (float)vx;
    def.velocity[1] = (float)vy;
    def.target = (throng_target){.kind = THRONG_TARGET_VELOCITY, .x = vx, .y = vy};
    def.max_speed = 2e6f; // whatever its velocity
    def.radius = disc->radius;
    def.layer = disc->layer;
    def.mask = 0;
    agents[which->agent_count] = def;
    routes[which->agent_count] = (throng_route){0};
    which->agent_count++;
    which->disc_count++;
    return true;
}

static bool read_disc(scene *which, json_t *object, const scene_place *place, scene_problems *problems) {
    static const char *const keys[] = {"heading", "turn_rate", "keyframes"};
    scene_support disc = {.layer = UINT32_MAX};
    bool good = scene_read_object(object, scene_obstacle_keys, NULL, &disc, place, problems);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (json_object_get(object, keys[i]))
            good = refuse(keys[i], place, problems, "a disc moves by its velocity alone");
    }
    if (!json_object_get(object, "position")) {
        good = scene_problem_add(problems, SCENE_ERROR, place, "the key \"position\" is missing");
    }
    return good && append_disc(which, &disc, place, problems);
}

static bool read_shape(scene *which, json_t *object, const scene_place *place, scene_problems *problems) {
    scene_support *support = append_support(which);
    if (!support) return scene_problem_add_memory(problems, place);
    bool good = scene_read_object(object, scene_obstacle_keys, NULL, support, place, problems);
    json_t *polygon = json_object_get(object, "polygon"), *line = json_object_get(object, "line");
    json_t *keyframes = json_object_get(object, "keyframes");
    scene_place at_points = {.parent = place, .key = line ? "line" : "polygon"};
    scene_place at_keyframes = {.parent = place, .key = "keyframes"};
    support->walls = calloc(1, sizeof *support->walls);
    if (!support->walls) return scene_problem_add_memory(problems, place);
    throng_wall *wall = support->walls;
    double *points = NULL;
    wall->kind = line ? THRONG_WALL_LINE : THRONG_WALL_SOLID;
    wall->layer = support->layer;
    support->wall_count = 1;
    good &= scene_read_points(line ? line : polygon, line ? 2 : 3, THRONG_LIMIT_PLACE, &points, &wall->point_count,
                              &at_points, problems);
    wall->points = points;
    good &= check_motion(object, place, problems);
    if (keyframes) good &= read_keyframes(keyframes, support, &at_keyframes, problems);
    return good;
}

void scene_read_obstacles(scene *which, json_t *list, scene_problems *problems) {
    scene_place obstacles = {.key = "obstacles"};
    size_t i;
    json_t *object;
    json_array_foreach(list, i, object) {
        scene_place place = {.parent = &obstacles, .index = i};
        const int shapes = !!json_object_get(object, "polygon") + !!json_object_get(object, "line") +
                           !!json_object_get(object, "radius");
        if (json_is_object(object) && shapes != 1) {
            scene_problem_add(problems, SCENE_ERROR, &place,
                              "must have exactly one of \"polygon\", \"line\" and \"radius\", has %d", shapes);
        } else if (json_object_get(object, "radius")) {
            read_disc(which, object, &place, problems);
        } else if (which->support_count == 65535) {
            scene_problem_add(problems, SCENE_ERROR, &place, "there can be at most 65535 supports and such obstacles");
        } else {
            read_shape(which, object, &place, problems);
        }
    }
}

void scene_free_supports(scene *which) {
    for (uint32_t i = 0; i < which->support_count; i++) {
        scene_support *support = &which->supports[i];
        for (uint32_t wall = 0; wall < support->wall_count; wall++) free((void *)support->walls[wall].points);
        free(support->walls);
        free(support->outline);
        free(support->keyframes);
        free(support->name);
    }
    free(which->supports);
}

// ---- names

typedef struct name_walk {
    const scene_support *at, *end;
} name_walk;

static const char *next_name(void *context) {
    name_walk *walk = context;
    while (walk->at < walk->end && !walk->at->name) walk->at++;
    return walk->at < walk->end ? (walk->at++)->name : NULL;
}

bool scene_read_support_name(const scene *which, json_t *agent, const char *key, throng_support_id *id,
                             const scene_place *place, scene_problems *problems) {
    json_t *value = json_object_get(agent, key);
    if (!value) return true;
    scene_place member = {.parent = place, .key = key};
    const char *name = json_string_value(value);
    if (!name) {
        return scene_problem_add(problems, SCENE_ERROR, &member, "must be a support's name, is %s",
                                 scene_json_kind(value));
    }
    for (uint32_t i = 0; i < which->support_count; i++) {
        if (!which->supports[i].name || strcmp(name, which->supports[i].name) != 0) continue;
        id->index = i + 1;
        return true;
    }
    name_walk walk = {which->supports, which->supports + which->support_count};
    const char *nearest = scene_nearest_word(name, next_name, &walk);
    return scene_problem_add(problems, SCENE_ERROR, &member, "there is no support \"%.80s\"%s%.80s%s", name,
                             nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

// ---- moving

// Keyframes: linear between them, at rest before the first and after the last.
void scene_support_place(const scene_support *support, double time, double position[2], double *heading) {
    if (support->keyframe_count == 0) {
        // A belt's velocity is its surface's.
        const double moved = support->kind == THRONG_SUPPORT_BELT ? 0.0 : time;
        for (int axis = 0; axis < 2; axis++) {
            position[axis] = support->motion.position[axis] + moved * support->motion.velocity[axis];
        }
        *heading = support->heading + moved * support->turn_rate;
        return;
    }
    const scene_keyframe *frames = support->keyframes;
    uint32_t next = 0;
    while (next < support->keyframe_count && frames[next].time <= time) next++;
    const scene_keyframe *a = &frames[next > 0 ? next - 1 : 0];
    const scene_keyframe *b = &frames[next < support->keyframe_count ? next : support->keyframe_count - 1];
    const double span = b->time - a->time, part = span > 0.0 ? (time - a->time) / span : 0.0;
    for (int axis = 0; axis < 2; axis++)
        position[axis] = a->position[axis] + part * (b->position[axis] - a->position[axis]);
    *heading = a->heading + part * (b->heading - a->heading);
}

// The motion that brings a support from where it has to be at `time` to where it has to be a step later.
static throng_support_motion motion_at(const scene_support *support, double time, double time_step) {
    throng_support_motion motion = support->motion;
    double heading = support->heading;
    motion.turn_rate = support->turn_rate * degree;
    if (support->keyframe_count) {
        double next[2], next_heading;
        scene_support_place(support, time, motion.position, &heading);
        scene_support_place(support, time + time_step, next, &next_heading);
        // Rounding may make them faster than the keyframes are.
        for (int axis = 0; axis < 2; axis++)
            motion.velocity[axis] = clamped((next[axis] - motion.position[axis]) / time_step, most_speed);
        motion.turn_rate = clamped((next_heading - heading) / time_step, most_turn_rate) * degree;
    }
    throng_heading(heading * degree, motion.heading);
    return motion;
}

bool scene_add_supports(const scene *which, scene_world *built) {
    if (which->support_count == 0) return true;
    built->supports = calloc(which->support_count, sizeof *built->supports);
    throng_support_def *defs = calloc(which->support_count, sizeof *defs);
    bool done = built->supports && defs;
    for (uint32_t i = 0; done && i < which->support_count; i++) {
        const scene_support *support = &which->supports[i];
        defs[i] = throng_default_support_def();
        defs[i].kind = (throng_support_kind)support->kind;
        defs[i].motion = motion_at(support, 0.0, which->time_step);
        defs[i].outline = support->outline;
        defs[i].outline_count = support->outline_count;
        defs[i].walls = support->walls;
        defs[i].wall_count = support->wall_count;
        defs[i].layer = support->layer;
    }
    done = done && throng_supports_add(built->world, defs, which->support_count, built->supports) == THRONG_OK;
    free(defs);
    return done;
}

bool scene_move_supports(const scene *which, const scene_world *built) {
    enum { CHUNK = 64 }; // each call renews the places of all agents
    throng_support_id ids[CHUNK];
    throng_support_motion motions[CHUNK];
    uint32_t count = 0;
    throng_view view;
    if (which->support_count == 0) return true;
    if (throng_world_view(built->world, &view) != THRONG_OK) return false;
    for (uint32_t i = 0; i < which->support_count; i++) {
        if (which->supports[i].keyframe_count == 0) continue;
        ids[count] = built->supports[i];
        motions[count++] = motion_at(&which->supports[i], view.time, which->time_step);
        if (count < CHUNK) continue;
        if (throng_supports_move(built->world, ids, motions, count) != THRONG_OK) return false;
        count = 0;
    }
    return throng_supports_move(built->world, ids, motions, count) == THRONG_OK;
}
