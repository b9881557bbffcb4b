#include "program/simulation.h"

#include <stdlib.h>

static const float standing = 0.001f; // m/s, at most

static bool has_goal(const scene *which, uint32_t number) {
    return which->agents[number].target.kind == THRONG_TARGET_POINT || which->routes[number].point_count > 0;
}

static bool walks_forever(const throng_target *target) {
    return target->kind == THRONG_TARGET_VELOCITY && ((float)target->x != 0.0f || (float)target->y != 0.0f);
}

// Whether an agent's goal, with no waypoint before it, is where the agent starts: it arrives at time 0.
static bool starts_at_goal(const scene *which, uint32_t number) {
    const throng_agent_def *agent = &which->agents[number];
    const throng_route *route = &which->routes[number];
    if (agent->support.index != agent->target.support.index) return false;
    double x = agent->target.x, y = agent->target.y, reach = agent->goal_radius;
    if (route->point_count == 1) {
        x = route->points[0];
        y = route->points[1];
    } else if (agent->target.kind != THRONG_TARGET_POINT) {
        return false;
    }
    x -= agent->position[0];
    y -= agent->position[1];
    return x * x + y * y <= reach * reach;
}

static bool fail_library(failure *why) {
    return fail(why, "%s", throng_last_error()->message);
}

bool simulation_start(simulation *run, const scene *which, const scene_world *built, failure *why) {
    *run = (simulation){.scene = which, .built = built};
    throng_view view;
    if (throng_world_view(built->world, &view) != THRONG_OK) return fail_library(why);
    uint32_t count = which->agent_count;
    run->arrival_times = malloc((count + (size_t)1) * sizeof *run->arrival_times);
    run->number_of_index = calloc(view.index_limit + (size_t)1, sizeof *run->number_of_index);
    run->stuck_reasons = calloc(count + (size_t)1, sizeof *run->stuck_reasons);
    run->stuck_by = calloc(count + (size_t)1, sizeof *run->stuck_by);
    run->infeasible = calloc(count + (size_t)1, sizeof *run->infeasible);
    if (!run->arrival_times || !run->number_of_index || !run->stuck_reasons || !run->stuck_by || !run->infeasible) {
        simulation_free(run);
        return fail(why, "no memory to follow %u agents", count);
    }
    for (uint32_t i = 0; i < count; i++) {
        bool there = starts_at_goal(which, i);
        run->arrival_times[i] = there ? 0.0 : -1.0;
        run->number_of_index[built->ids[i].index] = i;
        run->expected += has_goal(which, i) && !there;
        run->endless |= i < count - which->disc_count && walks_forever(&which->agents[i].target);
    }
    return true;
}

void simulation_free(simulation *run) {
    free(run->arrival_times);
    free(run->number_of_index);
    free(run->stuck_reasons);
    free(run->stuck_by);
    free(run->infeasible);
    *run = (simulation){0};
}

static void note_arrival(simulation *run, uint32_t number, double time) {
    if (run->arrival_times[number] >= 0.0) return;
    run->arrival_times[number] = time;
    run->expected--;
}

// Arrivals of agents with a goal alone are events of the step; a route's waypoints are such, too, and do not count.
static bool note_events(simulation *run, double time) {
    const throng_event *events;
    uint32_t count;
    if (throng_world_events(run->built->world, &events, &count) != THRONG_OK) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = run->number_of_index[events[i].agent.index];
        if (events[i].kind == THRONG_EVENT_STUCK) {
            const uint32_t other = events[i].other.index;
            run->stuck_reasons[number] = events[i].reason;
            run->stuck_by[number] = other ? run->number_of_index[other] : number;
        }
        if (events[i].kind == THRONG_EVENT_INFEASIBLE) run->infeasible[number]++;
        if (events[i].kind != THRONG_EVENT_ARRIVED) continue;
        if (run->scene->agents[number].target.kind == THRONG_TARGET_POINT) note_arrival(run, number, time);
    }
    return true;
}

static bool follow_routes(simulation *run, double time) {
    const throng_agent_id *ids;
    uint32_t count;
    if (!run->built->plan) return true;
    if (throng_plan_update(run->built->plan) != THRONG_OK) return false;
    if (throng_plan_arrived(run->built->plan, &ids, &count) != THRONG_OK) return false;
    for (uint32_t i = 0; i < count; i++) note_arrival(run, run->number_of_index[ids[i].index], time);
    return true;
}

bool simulation_step(simulation *run, failure *why) {
    throng_world *world = run->built->world;
    throng_view view;
    bool done =
        scene_move_supports(run->scene, run->built) && throng_world_step(world, run->scene->time_step) == THRONG_OK &&
        throng_world_view(world, &view) == THRONG_OK && note_events(run, view.time) && follow_routes(run, view.time);
    return done || fail_library(why);
}

bool simulation_under_way(const simulation *run) {
    if (run->endless || run->expected > 0) return true;
    throng_view view;
    if (throng_world_view(run->built->world, &view) != THRONG_OK) return false;
    for (uint32_t i = 0; i < view.count; i++) {
        if (run->number_of_index[view.ids[i].index] >= run->scene->agent_count - run->scene->disc_count) continue;
        float x = view.velocity_x[i], y = view.velocity_y[i];
        if (x * x + y * y > standing * standing) return true;
    }
    return false;
}

uint64_t *simulation_in_state(const simulation *run, throng_agent_state state, uint64_t *count) {
    throng_view view;
    *count = 0;
    if (throng_world_view(run->built->world, &view) != THRONG_OK) return NULL;
    uint8_t *states = malloc(view.count + (size_t)1);
    uint8_t *marked = calloc(run->scene->agent_count + (size_t)1, 1);
    uint64_t *numbers = malloc((view.count + (size_t)1) * sizeof *numbers);
    bool done = states && marked && numbers &&
                (view.count == 0 ||
                 throng_agents_read(run->built->world, THRONG_FIELD_STATE, NULL, view.count, states) == THRONG_OK);
    for (uint32_t row = 0; done && row < view.count; row++) {
        marked[run->number_of_index[view.ids[row].index]] = states[row] == state;
    }
    for (uint32_t i = 0; done && i < run->scene->agent_count; i++) {
        if (marked[i]) numbers[(*count)++] = i;
    }
    free(states);
    free(marked);
    if (done) return numbers;
    free(numbers);
    return NULL;
}
