// A scene -> a world with its map and plan.
#include "scene/doors.h"
#include "scene/supports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scene_world_free(scene_world *built) {
    throng_plan_destroy(built->plan);
    throng_world_destroy(built->world);
    throng_map_release(built->map);
    free(built->ids);
    free(built->supports);
    *built = (scene_world){0};
}

// A body that reaches into a wall by no more than this is as good as outside.
static const float touch = 0.001f; // m

typedef struct place_check {
    const scene *scene;
    const throng_world *world;
    scene_problems *problems;
} place_check;

static bool is_free(const place_check *check, const double point[2], const throng_agent_def *agent, float radius) {
    throng_query_filter filter = throng_default_query_filter();
    filter.mask = agent->mask;
    filter.height_low = agent->height_low;
    filter.height_high = agent->height_high;
    filter.body_radius = radius > touch ? radius - touch : 0.0f;
    double place[2];
    throng_result result = throng_query_free_place(check->world, point[0], point[1], 0.0, &filter, place);
    return result != THRONG_ERROR_NONE_FOUND;
}

static void check_agent(const place_check *check, uint32_t number) {
    static const scene_place agents = {.key = "agents"};
    const throng_agent_def *agent = &check->scene->agents[number];
    const throng_route *route = &check->scene->routes[number];
    scene_place place = {.parent = &agents, .index = number};
    scene_place position = {.parent = &place, .key = "position"};
    if (agent->support.index) return; // places on supports are not those of the world
    if (!is_free(check, agent->position, agent, agent->radius)) {
        if (check->scene->inside_walls == SCENE_INSIDE_WALLS_REFUSE) {
            scene_problem_add(check->problems, SCENE_ERROR, &position,
                              "the agent starts within a wall (\"inside_walls\" is \"refuse\")");
        } else {
            scene_problem_add(check->problems, SCENE_WARNING, &position,
                              "the agent starts within a wall; it is moved to the nearest free place");
        }
    }
    scene_place goal = {.parent = &place, .key = "goal"}, list = {.parent = &place, .key = "route"};
    if (agent->target.kind == THRONG_TARGET_POINT && !agent->target.support.index) {
        const double point[2] = {agent->target.x, agent->target.y};
        if (!is_free(check, point, agent, 0.0f)) {
            scene_problem_add(check->problems, SCENE_WARNING, &goal, "the goal lies inside a solid");
        }
    }
    for (uint32_t i = 0; i < route->point_count; i++) {
        scene_place point = {.parent = &list, .index = i};
        if (is_free(check, route->points + 2 * (size_t)i, agent, 0.0f)) continue;
        bool last = i + 1 == route->point_count; // a "goal" with "leave" is one, too
        scene_problem_add(check->problems, SCENE_WARNING, last ? &place : &point, "the %s lies inside a solid",
                          last ? "goal" : "waypoint");
    }
}

// The library's last error; `list` is where its item stands, or null. Where the library names the item, too, its
// message is told from there on.
static bool tell_refusal(const char *list, scene_problems *problems) {
    const throng_error *error = throng_last_error();
    if (error->result == THRONG_ERROR_MEMORY) return scene_problem_add_memory(problems, NULL);
    if (!list || error->item < 0) return scene_problem_add(problems, SCENE_ERROR, NULL, "%s", error->message);
    scene_place all = {.key = list}, place = {.parent = &all, .index = (size_t)error->item};
    char named[64];
    const int length = snprintf(named, sizeof named, "%s[%lld]: ", list, (long long)error->item);
    const char *own = strstr(error->message, named);
    return scene_problem_add(problems, SCENE_ERROR, &place, "%s", own ? own + length : error->message);
}

static throng_support_id support_of(const scene_world *built, throng_support_id number) {
    return number.index ? built->supports[number.index - 1] : (throng_support_id){0};
}

static bool add_agents(const scene *which, scene_world *built, scene_problems *problems) {
    const throng_agent_def *defs = which->agents;
    throng_agent_def *named = NULL;
    if (which->support_count) {
        named = malloc(which->agent_count * sizeof *named);
        if (!named) return scene_problem_add_memory(problems, NULL);
        for (uint32_t i = 0; i < which->agent_count; i++) {
            named[i] = which->agents[i];
            named[i].support = support_of(built, named[i].support);
            named[i].target.support = support_of(built, named[i].target.support);
        }
        defs = named;
    }
    throng_result result = throng_agents_add(built->world, defs, which->agent_count, built->ids);
    free(named);
    return result == THRONG_OK || tell_refusal("agents", problems);
}

static bool create_world(const scene *which, const throng_world_def *given, scene_world *built,
                         scene_problems *problems) {
    throng_map_def map = throng_default_map_def();
    map.walls = which->walls;
    map.wall_count = which->wall_count;
    map.heights = which->heights;
    map.regions = which->regions;
    map.region_count = which->region_count;
    if (throng_map_create(&map, &built->map) != THRONG_OK) return tell_refusal("walls", problems);
    throng_world_def def = *given;
    def.map = built->map;
    def.seed = which->seed;
    def.sampling = (throng_sampling){.count = which->solver.samples,
                                     .pattern = (throng_sample_pattern)which->solver.sample_pattern,
                                     .horizon = which->solver.sample_horizon};
    def.density_tables = which->density_tables;
    def.density_table_count = which->density_table_count;
    if (throng_world_create(&def, &built->world) != THRONG_OK) return tell_refusal(NULL, problems);
    if (!scene_add_supports(which, built)) return tell_refusal("supports", problems);
    if (which->agent_count == 0) return true;
    return add_agents(which, built, problems);
}

// Routes of those who have one, in one call.
static bool set_routes(const scene *which, scene_world *built, scene_problems *problems) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < which->agent_count; i++) count += which->routes[i].point_count > 0;
    if (count == 0) return true;
    if (throng_plan_create(built->world, NULL, &built->plan) != THRONG_OK) return tell_refusal(NULL, problems);
    throng_agent_id *ids = malloc(count * sizeof *ids);
    throng_route *routes = malloc(count * sizeof *routes);
    bool done = ids && routes;
    for (uint32_t i = 0, j = 0; done && i < which->agent_count; i++) {
        if (which->routes[i].point_count == 0) continue;
        ids[j] = built->ids[i];
        routes[j++] = which->routes[i];
    }
    if (!done) {
        scene_problem_add_memory(problems, NULL);
    } else if (throng_plan_set_routes(built->plan, ids, routes, count) != THRONG_OK) {
        done = tell_refusal(NULL, problems);
    }
    free(ids);
    free(routes);
    return done;
}

bool scene_build(const scene *which, const throng_world_def *def, scene_world *built, scene_problems *problems) {
    *built = (scene_world){.ids = calloc(which->agent_count ? which->agent_count : 1, sizeof *built->ids)};
    if (!built->ids) return scene_problem_add_memory(problems, NULL);
    bool done = create_world(which, def, built, problems) && set_routes(which, built, problems) &&
                (scene_set_doors(which, built) || tell_refusal("doors", problems)) &&
                (throng_world_refresh(built->world) == THRONG_OK || tell_refusal(NULL, problems));
    if (done && which->wall_count > 0) {
        place_check check = {which, built->world, problems};
        for (uint32_t i = 0; i < which->agent_count; i++) check_agent(&check, i);
    }
    if (done && problems->error_count == 0) return true;
    scene_world_free(built);
    return false;
}
