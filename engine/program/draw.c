// throng draw: a picture of a recording.
#include "program/command.h"
#include "program/draw_supports.h"

#include "record/output.h"
#include "record/picture.h"
#include "record/walks.h"
#include "scene/scene.h"

#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct drawing {
    const char *recording, *out, *scene_path;
    double at;   // s
    bool trails; // instead of a moment
    int color;   // a picture_legend, or -1: speed for a moment, goal for trails
    uint32_t size;
} drawing;

static const float default_radius = 0.25F; // m, where no scene tells

// All that a picture is made of, held until it is drawn.
typedef struct material {
    replay *opened;
    walks all;
    scene *which;
    free_space ground; // of the scene
    double time;       // s, of the moment, or where trails end
    support_shapes supports;
    picture_agent *agents;
    picture_trail *trails;
} material;

static void free_material(material *of) {
    walks_free(&of->all);
    replay_close(of->opened);
    scene_free(of->which);
    free_space_clear(&of->ground);
    support_shapes_free(&of->supports);
    free(of->agents);
    free(of->trails);
}

// Where an agent goes: its last goal in the scene, else where it was last seen.
static void find_goal(const material *of, const walk *who, double goal[2]) {
    goal[0] = who->end[0];
    goal[1] = who->end[1];
    if (!of->which || who->number >= of->which->agent_count) return;
    const throng_route *route = &of->which->routes[who->number];
    const throng_target *target = &of->which->agents[who->number].target;
    if (route->point_count > 0) {
        goal[0] = route->points[2 * (size_t)route->point_count - 2];
        goal[1] = route->points[2 * (size_t)route->point_count - 1];
    } else if (target->kind == THRONG_TARGET_POINT) {
        goal[0] = target->x;
        goal[1] = target->y;
        support_to_world(of->which, target->support.index, of->time, goal);
    }
}

// Colours each agent by the direction in which its goal lies from the middle of all goals.
static bool color_goals(const material *of, picture_color *colors, failure *why) {
    double(*goals)[2] = malloc((of->all.count + 1) * sizeof *goals);
    if (!goals) return fail(why, "out of memory");
    double middle[2] = {0, 0};
    for (uint32_t i = 0; i < of->all.count; i++) {
        find_goal(of, &of->all.items[i], goals[i]);
        middle[0] += goals[i][0] / of->all.count;
        middle[1] += goals[i][1] / of->all.count;
    }
    for (uint32_t i = 0; i < of->all.count; i++) {
        colors[i] = picture_direction_color(goals[i][0] - middle[0], goals[i][1] - middle[1]);
    }
    free(goals);
    return true;
}

static picture_agent make_agent(const material *of, const replay_agent *from, picture_color color) {
    bool known = of->which && from->number < of->which->agent_count;
    return (picture_agent){
        .x = from->x,
        .y = from->y,
        .radius = known ? of->which->agents[from->number].radius : default_radius,
        .heading_x = from->heading_x,
        .heading_y = from->heading_y,
        .color = color,
    };
}

static bool fill_picture(material *of, const drawing *job, picture *shown, failure *why) {
    const walks *all = &of->all;
    picture_color *colors = malloc((all->count + 1) * sizeof *colors);
    of->agents = malloc((all->moment.count + 1) * sizeof *of->agents);
    of->trails = malloc((all->count + 1) * sizeof *of->trails);
    bool done = (colors && of->agents && of->trails) || fail(why, "out of memory");
    if (done && shown->legend == PICTURE_LEGEND_GOAL) done = color_goals(of, colors, why);
    for (uint32_t i = 0; done && job->trails && i < all->count; i++) {
        const walk *who = &all->items[i];
        picture_color color = shown->legend == PICTURE_LEGEND_GOAL ? colors[i] : picture_direction_color(0, 0);
        of->trails[i] = (picture_trail){(const double(*)[2])who->points, who->count, color};
        shown->trail_count++;
    }
    for (uint32_t i = 0, at = 0; done && i < all->moment.count; i++) {
        const replay_agent *agent = &all->moment.agents[i];
        while (all->items[at].number < agent->number) at++;
        bool by_goal = shown->legend == PICTURE_LEGEND_GOAL;
        picture_color color = by_goal ? colors[at] : picture_speed_color((double)agent->speed, shown->top_speed);
        of->agents[shown->agent_count++] = make_agent(of, agent, color);
    }
    free(colors);
    shown->shapes = of->supports.items;
    shown->shape_count = of->supports.count;
    shown->agents = of->agents;
    shown->trails = of->trails;
    return done;
}

static bool write_picture(const picture *shown, const char *path, failure *why) {
    output_name name;
    if (!output_name_create(&name, path, why)) return false;
    if (picture_write(shown, name.temporary, path, why)) return output_name_commit(&name, why);
    output_name_discard(&name);
    return false;
}

// The highest speed on the legend: of the scene's people, else of the recording, to a tenth upwards.
static double find_top_speed(const material *of) {
    double top = 0;
    for (uint32_t i = 0; of->which && i < of->which->agent_count; i++) {
        const throng_agent_def *agent = &of->which->agents[i];
        double speed = (double)(agent->preferred_speed < agent->max_speed ? agent->preferred_speed : agent->max_speed);
        if (speed > top) top = speed;
    }
    if (!of->which) top = of->all.top_speed;
    return top > 0 ? ceil(top * 10 - 1e-6) / 10 : 1;
}

// The ground of the scene, around whole bodies and supports where it is the open plane.
static bool make_ground(material *of, failure *why) {
    double min[2], max[2], largest = 0;
    for (uint32_t i = 0; i < of->which->agent_count; i++) {
        if ((double)of->which->agents[i].radius > largest) largest = (double)of->which->agents[i].radius;
    }
    for (int axis = 0; axis < 2; axis++) {
        min[axis] = of->all.min[axis] - largest;
        max[axis] = of->all.max[axis] + largest;
        for (uint32_t i = 0; i < of->supports.point_count; i++) {
            min[axis] = fmin(min[axis], of->supports.points[i][axis]);
            max[axis] = fmax(max[axis], of->supports.points[i][axis]);
        }
    }
    return free_space_make(of->which->walls, of->which->wall_count, min, max, &of->ground, why);
}

static bool draw(material *of, const drawing *job, failure *why) {
    of->opened = replay_open(job->recording, why);
    // Trails end where everybody is last.
    if (!of->opened || !walks_read(of->opened, job->trails ? INFINITY : job->at, job->trails, &of->all, why)) {
        return false;
    }
    of->time = job->trails ? of->all.last_time : of->all.moment_time;
    const free_space *ground = replay_ground(of->opened);
    if (of->which) {
        if (!support_shapes_make(of->which, of->time, &of->supports, why) || !make_ground(of, why)) return false;
        ground = &of->ground;
    }
    const char *slash = strrchr(job->recording, '/');
    char label[128];
    if (job->trails) {
        snprintf(label, sizeof label, "%u agents, %.10g to %.10g s", of->all.count, of->all.first_time,
                 of->all.last_time);
    } else {
        snprintf(label, sizeof label, "%u agents at %.10g s", of->all.moment.count, of->all.moment_time);
    }
    picture shown = {
        .title = of->which && of->which->name ? of->which->name
                 : slash                      ? slash + 1
                                              : job->recording,
        .label = label,
        .legend = job->color >= 0 ? (picture_legend)job->color
                  : job->trails   ? PICTURE_LEGEND_GOAL
                                  : PICTURE_LEGEND_SPEED,
        .top_speed = find_top_speed(of),
        .ground = ground,
        .size = job->size,
    };
    return fill_picture(of, job, &shown, why) && write_picture(&shown, job->out, why);
}

static int draw_recording(const drawing *job) {
    failure why;
    if (!picture_name_check(job->out, &why)) return command_wrong(&command_draw, "%s", why.text);
    material of = {0};
    if (job->scene_path) {
        scene_problems problems = {0};
        of.which = scene_read(job->scene_path, NULL, 0, &problems);
        if (!of.which) command_report(&problems, 0);
        scene_problems_free(&problems);
        if (!of.which) return STATUS_WRONG;
    }
    bool done = draw(&of, job, &why);
    free_material(&of);
    return done ? STATUS_DONE : command_failed("%s", why.text);
}

static bool read_seconds(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value) && *value >= 0;
}

static int run_draw(int argc, char **argv) {
    enum { OUT = 1, AT, TRAILS, SCENE, COLOR, SIZE, HELP };
    static const struct option options[] = {
        {"out", required_argument, NULL, OUT},     {"at", required_argument, NULL, AT},
        {"trails", no_argument, NULL, TRAILS},     {"scene", required_argument, NULL, SCENE},
        {"color", required_argument, NULL, COLOR}, {"size", required_argument, NULL, SIZE},
        {"help", no_argument, NULL, HELP},         {0}};
    drawing job = {.at = -1, .color = -1};
    unsigned long long size = 0;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        switch (option) {
        case OUT:
            if (job.out) return command_wrong(&command_draw, "one --out is enough");
            job.out = optarg;
            break;
        case AT:
            if (!read_seconds(optarg, &job.at))
                return command_wrong(&command_draw, "--at: seconds >= 0, not '%s'", optarg);
            break;
        case TRAILS:
            job.trails = true;
            break;
        case SCENE:
            job.scene_path = optarg;
            break;
        case COLOR:
            if (strcmp(optarg, "speed") != 0 && strcmp(optarg, "goal") != 0) {
                return command_wrong(&command_draw, "--color: speed or goal, not '%s'", optarg);
            }
            job.color = strcmp(optarg, "speed") == 0 ? PICTURE_LEGEND_SPEED : PICTURE_LEGEND_GOAL;
            break;
        case SIZE:
            if (!command_number(optarg, 200, 20000, &size)) {
                return command_wrong(&command_draw, "--size: pixels, 200 to 20000, not '%s'", optarg);
            }
            job.size = (uint32_t)size;
            break;
        case HELP:
        case 'h':
            return command_help(&command_draw);
        default:
            return command_wrong_option(&command_draw, option, argv);
        }
    }
    if (optind + 1 != argc) return command_wrong(&command_draw, "one recording is needed");
    if (!job.out) return command_wrong(&command_draw, "--out is needed");
    if (job.trails && job.at >= 0) return command_wrong(&command_draw, "--at or --trails, not both");
    if (job.at < 0) job.trails = true;
    job.recording = argv[optind];
    return draw_recording(&job);
}

const command command_draw = {
    .name = "draw",
    .arguments = "RECORDING --out FILE.png|FILE.svg [--at S | --trails] [--scene SCENE] [--color WHAT] [--size PIXELS]",
    .what = "draw a picture of a recording",
    .help = "Draws a recording (.csv or .sqlite): the ground, the agents and which way they face.\n\n"
            "  --out FILE      a .png or .svg\n"
            "  --at S          the moment nearest to S seconds\n"
            "  --trails        everybody's whole way, and who is there at the end (without --at)\n"
            "  --scene SCENE   the scene that was run: its walls, supports, radii and goals. CSV holds no walls,\n"
            "                  and no recording supports.\n"
            "  --color WHAT    speed (with --at) or goal: the direction in which an agent's goal lies,\n"
            "                  or without a scene its last place\n"
            "  --size PIXELS   of the longer side, 200 to 20000",
    .run = run_draw,
};
