// throng info: what a scene or a recording holds.
#include "program/command.h"

#include "record/walks.h"
#include "scene/scene.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The first character that is no blank, 0 where there is none.
static bool first_character(const char *path, int *first, failure *why) {
    FILE *file = fopen(path, "r");
    if (!file) return fail(why, "%s: %s", path, strerror(errno));
    do *first = fgetc(file);
    while (*first == ' ' || *first == '\t' || *first == '\n' || *first == '\r');
    bool done = !ferror(file) || fail(why, "%s: %s", path, strerror(errno));
    fclose(file);
    return done;
}

static void print_bounds(const char *what, const double min[2], const double max[2]) {
    printf("%-12s x %.10g to %.10g m, y %.10g to %.10g m\n", what, min[0], max[0], min[1], max[1]);
}

static void print_ground(const free_space *ground) {
    uint32_t holes = 0;
    double area = 0;
    for (uint32_t i = 0; i < ground->ring_count; i++) {
        const free_ring *ring = &ground->rings[i];
        const double(*points)[2] = (const double(*)[2])ground->points + ring->first;
        double twice = 0;
        for (uint32_t k = 1; k + 1 < ring->count; k++) {
            twice += (points[k][0] - points[0][0]) * (points[k + 1][1] - points[0][1]) -
                     (points[k][1] - points[0][1]) * (points[k + 1][0] - points[0][0]);
        }
        area += (ring->hole ? -1 : 1) * fabs(twice) / 2;
        holes += ring->hole;
    }
    printf("ground:      %.10g square metres, %u polygon%s, %u hole%s\n", area, ground->ring_count - holes,
           ground->ring_count - holes == 1 ? "" : "s", holes, holes == 1 ? "" : "s");
}

static int info_recording(const char *path) {
    failure why;
    replay *opened = replay_open(path, &why);
    if (!opened) return command_failed("%s", why.text);
    walks all;
    if (!walks_read(opened, 0, false, &all, &why)) {
        replay_close(opened);
        return command_failed("%s", why.text);
    }
    printf("recording:   %s\n", replay_what(opened));
    printf("agents:      %u, at most %u at once, %u at the end\n", all.count, all.most, all.at_end);
    printf("frames:      %llu, from %.10g to %.10g s", (unsigned long long)all.frames, all.first_time, all.last_time);
    if (all.frames > 1) printf(", one each %.6g s", (all.last_time - all.first_time) / (double)(all.frames - 1));
    printf("\nrows:        %llu\n", (unsigned long long)all.rows);
    if (all.rows > 0) {
        print_bounds("places:", all.min, all.max);
        printf("speed:       mean %.3g m/s, highest %.3g m/s\n", all.speed_sum / (double)all.rows, all.top_speed);
    }
    if (replay_ground(opened)) print_ground(replay_ground(opened));
    walks_free(&all);
    replay_close(opened);
    return STATUS_DONE;
}

static void widen(double min[2], double max[2], const double *place) {
    for (int axis = 0; axis < 2; axis++) {
        if (place[axis] < min[axis]) min[axis] = place[axis];
        if (place[axis] > max[axis]) max[axis] = place[axis];
    }
}

static void print_walls(const scene *which) {
    uint32_t kinds[3] = {0};
    uint64_t points = 0;
    double min[2] = {INFINITY, INFINITY}, max[2] = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < which->wall_count; i++) {
        kinds[which->walls[i].kind]++;
        points += which->walls[i].point_count;
        for (uint32_t k = 0; k < which->walls[i].point_count; k++) widen(min, max, which->walls[i].points + 2 * k);
    }
    printf("walls:       %u solid, %u enclosing, %u lines, %llu points\n", kinds[THRONG_WALL_SOLID],
           kinds[THRONG_WALL_ENCLOSURE], kinds[THRONG_WALL_LINE], (unsigned long long)points);
    if (points > 0) print_bounds("", min, max);
}

static void print_slopes(const scene *which) {
    const throng_height_grid *grid = &which->heights;
    if (grid->columns > 0) {
        printf("heights:     %u x %u squares of %.10g m from (%.10g, %.10g)\n", grid->columns, grid->rows, grid->cell,
               grid->x, grid->y);
    }
    if (which->region_count > 0) printf("regions:     %u\n", which->region_count);
}

static void print_agents(const scene *which) {
    uint32_t goals = 0, routes = 0, leaving = 0;
    double min[2] = {INFINITY, INFINITY}, max[2] = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < which->agent_count; i++) {
        const throng_route *route = &which->routes[i];
        routes += route->point_count > 1;
        goals += route->point_count == 1 || which->agents[i].target.kind == THRONG_TARGET_POINT;
        leaving += route->point_count > 0 && route->leave;
        widen(min, max, which->agents[i].position);
    }
    printf("agents:      %u, %u with a goal, %u with a route, %u leave on arrival\n", which->agent_count, goals, routes,
           leaving);
    if (which->agent_count > 0) print_bounds("", min, max);
}

static int info_scene(const char *path) {
    scene_problems problems = {0};
    scene *which = scene_read(path, NULL, 0, &problems);
    command_report(&problems, 0);
    scene_problems_free(&problems);
    if (!which) return STATUS_WRONG;
    printf("scene:       %s\n", which->name ? which->name : "without a name");
    if (which->description) printf("shows:       %s\n", which->description);
    printf("time:        %.10g s in %llu steps of %.10g s%s\n", which->duration, (unsigned long long)scene_steps(which),
           which->time_step, which->stop_early ? ", or until nobody is under way" : "");
    print_agents(which);
    print_walls(which);
    print_slopes(which);
    scene_free(which);
    return STATUS_DONE;
}

static int run_info(int argc, char **argv) {
    enum { HELP = 1 };
    static const struct option options[] = {{"help", no_argument, NULL, HELP}, {0}};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (option == HELP || option == 'h') return command_help(&command_info);
        return command_wrong_option(&command_info, option, argv);
    }
    if (optind + 1 != argc) return command_wrong(&command_info, "one file is needed");
    failure why;
    int first = 0;
    if (!first_character(argv[optind], &first, &why)) return command_failed("%s", why.text);
    return first == '{' ? info_scene(argv[optind]) : info_recording(argv[optind]);
}

const command command_info = {
    .name = "info",
    .arguments = "FILE",
    .what = "say what a scene or recording holds",
    .help = "Says what a scene (.json) or a recording (.csv, .sqlite) holds: its agents, times, bounds,\n"
            "speeds, walls and ground.",
    .run = run_info,
};
