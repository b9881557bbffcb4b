#include "scene/keys.h"

#include <float.h>

static const char *const side_words[] = {"none", "right", "left", NULL};          // throng_side
static const char *const density_words[] = {"none", "weidmann", NULL};            // throng_density_response
static const char *const model_words[] = {"orca", "rvo", "vo", NULL};             // throng_model
static const char *const infeasible_words[] = {"least_violation", "brake", NULL}; // throng_infeasible
static const char *const pattern_words[] = {"random", "even", NULL};              // throng_sample_pattern
static const char *const doors_words[] = {"none", "auto", NULL};                  // scene_find_doors
static const char *const support_words[] = {"platform", "belt", NULL};            // throng_support_kind
static const char *const inside_walls_words[] = {"move", "refuse", NULL};

_Static_assert(offsetof(throng_agent_def, height_high) == offsetof(throng_agent_def, height_low) + sizeof(float),
               "heights are read into both");
_Static_assert(offsetof(throng_region, height_high) == offsetof(throng_region, height_low) + sizeof(float),
               "heights are read into both");

// The range of a number without a limit of its own.
#define ANY_PLACE    -THRONG_LIMIT_PLACE, THRONG_LIMIT_PLACE
#define ANY_SPEED    -THRONG_LIMIT_NUMBER, THRONG_LIMIT_NUMBER
#define NOT_BELOW_0  0.0, THRONG_LIMIT_NUMBER
#define ANY_HEIGHT   -THRONG_LIMIT_NUMBER, THRONG_LIMIT_NUMBER
#define ANY_GRADIENT -1e6, 1e6

// Each entry names at least its last member: entries without names would be warned of as incomplete.

const scene_key scene_keys[] = {
    {.name = "throng", .type = SCENE_PART, .required = true},
    {"name", SCENE_TEXT, offsetof(scene, name), .required = false},
    {"description", SCENE_TEXT, offsetof(scene, description), .required = false},
    {"time_step", SCENE_DOUBLE, offsetof(scene, time_step), 0.0, THRONG_LIMIT_TIME_STEP, .above = true,
     .required = true},
    {"duration", SCENE_DOUBLE, offsetof(scene, duration), 0.0, DBL_MAX, .required = true},
    {"stop_early", SCENE_BOOL, offsetof(scene, stop_early), .required = false},
    {"seed", SCENE_UINT64, offsetof(scene, seed), 0.0, 9223372036854775807.0, .required = false},
    {"inside_walls", SCENE_CHOICE, offsetof(scene, inside_walls), .words = inside_walls_words},
    {.name = "solver", .type = SCENE_PART},
    {"height_grid", SCENE_TEXT, offsetof(scene, height_grid), .required = false},
    {.name = "regions", .type = SCENE_PART},
    {.name = "profiles", .type = SCENE_PART},
    {.name = "walls", .type = SCENE_PART},
    {"doors", SCENE_CHOICE_OR_LIST, offsetof(scene, find_doors), .words = doors_words},
    {.name = "supports", .type = SCENE_PART},
    {.name = "agents", .type = SCENE_PART},
    {.name = "obstacles", .type = SCENE_PART},
    {.name = NULL},
};

const scene_key scene_profile_keys[] = {
    {"radius", SCENE_FLOAT, offsetof(throng_agent_def, radius), NOT_BELOW_0, .above = false},
    {"margin", SCENE_FLOAT, offsetof(throng_agent_def, margin), NOT_BELOW_0, .above = false},
    {"max_speed", SCENE_FLOAT, offsetof(throng_agent_def, max_speed), NOT_BELOW_0, .above = false},
    {"preferred_speed", SCENE_FLOAT, offsetof(throng_agent_def, preferred_speed), NOT_BELOW_0, .above = false},
    {"max_acceleration", SCENE_FLOAT_OR_NULL, offsetof(throng_agent_def, max_acceleration), NOT_BELOW_0,
     .above = false},
    {"time_horizon", SCENE_FLOAT, offsetof(throng_agent_def, time_horizon), NOT_BELOW_0, .above = true},
    {"obstacle_horizon", SCENE_FLOAT, offsetof(throng_agent_def, obstacle_horizon), NOT_BELOW_0, .above = true},
    {"neighbor_range", SCENE_FLOAT, offsetof(throng_agent_def, neighbor_range), NOT_BELOW_0, .above = false},
    {"max_neighbors", SCENE_UINT32, offsetof(throng_agent_def, max_neighbors), 0.0, 255.0, .above = false},
    {"yield", SCENE_FLOAT, offsetof(throng_agent_def, yield), NOT_BELOW_0, .above = false},
    {"layer", SCENE_UINT32, offsetof(throng_agent_def, layer), 0.0, 4294967295.0, .above = false},
    {"mask", SCENE_UINT32, offsetof(throng_agent_def, mask), 0.0, 4294967295.0, .above = false},
    {"goal_radius", SCENE_FLOAT, offsetof(throng_agent_def, goal_radius), NOT_BELOW_0, .above = false},
    {"stuck_time", SCENE_FLOAT_OR_NULL, offsetof(throng_agent_def, stuck_time), NOT_BELOW_0, .above = true},
    {"side", SCENE_CHOICE, offsetof(throng_agent_def, side), .words = side_words},
    {"density_response", SCENE_CHOICE_OR_LIST, offsetof(throng_agent_def, density_response), .words = density_words},
    {"model", SCENE_CHOICE, offsetof(throng_agent_def, model), .words = model_words},
    {"aggressiveness", SCENE_FLOAT, offsetof(throng_agent_def, aggressiveness), NOT_BELOW_0, .above = false},
    {"infeasible", SCENE_CHOICE, offsetof(throng_agent_def, infeasible), .words = infeasible_words},
    {"max_turn_rate", SCENE_FLOAT_OR_NULL, offsetof(throng_agent_def, max_turn_rate), NOT_BELOW_0, .above = false},
    {"gradient", SCENE_FLOAT_POINT, offsetof(throng_agent_def, gradient), ANY_GRADIENT, .above = false},
    {"speed_limit", SCENE_FLOAT_OR_NULL, offsetof(throng_agent_def, speed_limit), NOT_BELOW_0, .above = false},
    {"heights", SCENE_HEIGHTS, offsetof(throng_agent_def, height_low), ANY_HEIGHT, .above = false},
    {"view_angle", SCENE_VIEW, offsetof(throng_agent_def, view_cosine), 0.0, 360.0, .above = false},
    {"view_range", SCENE_FLOAT_OR_NULL, offsetof(throng_agent_def, view_range), NOT_BELOW_0, .above = false},
    {"line_of_sight", SCENE_FLAG, offsetof(throng_agent_def, line_of_sight), .required = false},
    {"swap", SCENE_FLAG, offsetof(throng_agent_def, swap), .required = false},
    {.name = NULL},
};

const scene_key scene_solver_keys[] = {
    {"model", SCENE_CHOICE, offsetof(scene_solver, model), .words = model_words},
    {"infeasible", SCENE_CHOICE, offsetof(scene_solver, infeasible), .words = infeasible_words},
    {"samples", SCENE_UINT32, offsetof(scene_solver, samples), 0.0, 65535.0, .above = false},
    {"sample_pattern", SCENE_CHOICE, offsetof(scene_solver, sample_pattern), .words = pattern_words},
    {"sample_horizon", SCENE_FLOAT_OR_NULL, offsetof(scene_solver, sample_horizon), NOT_BELOW_0, .above = true},
    {.name = NULL},
};

const scene_key scene_agent_keys[] = {
    {.name = "profile", .type = SCENE_PART},
    {"position", SCENE_POINT, offsetof(scene_agent_reading, def.position), ANY_PLACE, .required = true},
    {"velocity", SCENE_FLOAT_POINT, offsetof(scene_agent_reading, def.velocity), ANY_SPEED, .required = false},
    {"goal", SCENE_POINT, offsetof(scene_agent_reading, goal), ANY_PLACE, .required = false},
    {"preferred_velocity", SCENE_POINT, offsetof(scene_agent_reading, preferred_velocity), ANY_SPEED,
     .required = false},
    {.name = "route", .type = SCENE_PART},
    {.name = "speed_limits", .type = SCENE_PART},
    {.name = "support", .type = SCENE_PART},
    {.name = "goal_support", .type = SCENE_PART},
    {"leave", SCENE_BOOL, offsetof(scene_agent_reading, leave), .required = false},
    {.name = NULL},
};

const scene_key scene_wall_keys[] = {
    {.name = "polygon", .type = SCENE_PART},
    {.name = "line", .type = SCENE_PART},
    {"enclosure", SCENE_BOOL, offsetof(scene_wall_reading, enclosure), .required = false},
    {"layer", SCENE_UINT32, offsetof(scene_wall_reading, layer), 0.0, 4294967295.0, .required = false},
    {"heights", SCENE_HEIGHTS, offsetof(scene_wall_reading, heights), ANY_HEIGHT, .required = false},
    {.name = NULL},
};

const scene_key scene_region_keys[] = {
    {.name = "polygon", .type = SCENE_PART, .required = true},
    {"speed_factor", SCENE_FLOAT, offsetof(throng_region, speed_factor), 0.0, 1.0, .above = true},
    {"gradient", SCENE_FLOAT_POINT, offsetof(throng_region, gradient), ANY_GRADIENT, .above = false},
    {"heights", SCENE_HEIGHTS, offsetof(throng_region, height_low), ANY_HEIGHT, .required = false},
    {.name = NULL},
};

const scene_key scene_door_keys[] = {
    {.name = "line", .type = SCENE_PART, .required = true},
    {"depth", SCENE_FLOAT, offsetof(scene_door_reading, depth), 0.0, 1e6, .required = false},
    {"capacity", SCENE_UINT32, offsetof(scene_door_reading, capacity), 0.0, 4294967295.0, .required = false},
    {.name = NULL},
};

// Degrees, and degrees a second.
#define ANY_ANGLE     -1e6, 1e6
#define ANY_TURN_RATE -5e4, 5e4
#define RIDE_SPEED    -1e6, 1e6

#define MOTION_KEYS                                                                                                    \
    {"position", SCENE_POINT, offsetof(scene_support, motion.position), ANY_PLACE, .required = false},                 \
        {"heading", SCENE_DOUBLE, offsetof(scene_support, heading), ANY_ANGLE, .required = false},                     \
        {"velocity", SCENE_POINT, offsetof(scene_support, motion.velocity), RIDE_SPEED, .required = false},            \
        {"turn_rate", SCENE_DOUBLE, offsetof(scene_support, turn_rate), ANY_TURN_RATE, .required = false},             \
        {"layer", SCENE_UINT32, offsetof(scene_support, layer), 0.0, 4294967295.0, .required = false}, {               \
        .name = "keyframes", .type = SCENE_PART                                                                        \
    }

const scene_key scene_support_keys[] = {
    {"name", SCENE_TEXT, offsetof(scene_support, name), .required = true},
    {"kind", SCENE_CHOICE, offsetof(scene_support, kind), .words = support_words},
    {.name = "outline", .type = SCENE_PART},
    {.name = "walls", .type = SCENE_PART},
    MOTION_KEYS,
    {.name = NULL},
};

const scene_key scene_obstacle_keys[] = {
    {.name = "polygon", .type = SCENE_PART},
    {.name = "line", .type = SCENE_PART},
    {"radius", SCENE_FLOAT, offsetof(scene_support, radius), NOT_BELOW_0, .above = true},
    MOTION_KEYS,
    {.name = NULL},
};

const scene_key scene_keyframe_keys[] = {
    {"time", SCENE_DOUBLE, offsetof(scene_keyframe, time), 0.0, DBL_MAX, .required = true},
    {"position", SCENE_POINT, offsetof(scene_keyframe, position), ANY_PLACE, .required = false},
    {"heading", SCENE_DOUBLE, offsetof(scene_keyframe, heading), ANY_ANGLE, .required = false},
    {.name = NULL},
};
