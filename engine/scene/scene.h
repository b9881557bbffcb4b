// Scenes: what a scene file says, checked and with all defaults filled in.
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "scene/problems.h"

#include <throng/plan.h>
#include <throng/throng.h>

enum {
    SCENE_VERSION = 1 ///< the "throng" of files that this program reads
};

typedef enum scene_inside_walls {
    SCENE_INSIDE_WALLS_MOVE = 0,  ///< agents that start in a wall walk out of it, with a warning
    SCENE_INSIDE_WALLS_REFUSE = 1 ///< they are an error
} scene_inside_walls;

/// How velocities are chosen: of agents whose profile says nothing else, and what all have in common.
typedef struct scene_solver {
    uint32_t model;          ///< a throng_model
    uint32_t infeasible;     ///< a throng_infeasible
    uint32_t samples;        ///< throng_sampling.count
    uint32_t sample_pattern; ///< a throng_sample_pattern
    float sample_horizon;    ///< s
} scene_solver;

typedef enum scene_find_doors {
    SCENE_FIND_DOORS_NONE = 0,
    SCENE_FIND_DOORS_AUTO = 1 ///< the doors are the narrow gaps of the walls
} scene_find_doors;

/// Where a support is at a moment.
typedef struct scene_keyframe {
    double time; ///< s
    double position[2];
    double heading; ///< degrees
} scene_keyframe;

/// A support, or an obstacle that moves.
typedef struct scene_support {
    char *name;    ///< null: an obstacle
    uint32_t kind; ///< a throng_support_kind
    uint32_t layer;
    float radius;                 ///< m, of a disc; negative: none
    throng_support_motion motion; ///< without heading and turn rate
    double heading;               ///< degrees
    double turn_rate;             ///< degrees/s
    uint32_t outline_count, wall_count, keyframe_count;
    double *outline;           ///< owned
    throng_wall *walls;        ///< owned, with their points
    scene_keyframe *keyframes; ///< owned
} scene_support;

typedef struct scene {
    char *name, *description; ///< null where not given
    double time_step;         ///< s
    double duration;          ///< s
    bool stop_early;
    uint64_t seed;
    uint32_t inside_walls; ///< a scene_inside_walls
    scene_solver solver;
    uint32_t door_count;
    throng_door *doors;
    uint32_t find_doors; ///< a scene_find_doors, where they are not given one by one
    uint32_t wall_count;
    throng_wall *walls;         ///< points owned
    char *height_grid;          ///< an ESRI ASCII raster, relative to the scene's folder; null: none
    throng_height_grid heights; ///< what it holds, owned
    uint32_t region_count;
    throng_region *regions; ///< points owned
    uint32_t density_table_count;
    throng_density_table *density_tables; ///< points owned
    uint32_t support_count;
    scene_support *supports; ///< in the order of the file, obstacles behind the others
    uint32_t agent_count;
    uint32_t disc_count;      ///< of the agents, the last so many: obstacles
    throng_agent_def *agents; ///< in ids of supports the index is 1 + the number in `supports`, the generation 0
    throng_route *routes;     ///< of each agent; point_count 0: none. Points and limits owned
    char *text;               ///< the file's, for the lines of problems that only the world shows
} scene;

/// Steps of the whole duration.
uint64_t scene_steps(const scene *which);

/// Reads a scene file. `overrides` are texts PATH=VALUE that replace values of the file before it is checked. Null:
/// `problems` says why, with every error that could be found; else it may hold warnings. `problems` starts all zero,
/// keeps pointing to `path`, `overrides` and the scene's text, and is freed by the caller in any case.
scene *scene_read(const char *path, const char *const *overrides, size_t override_count, scene_problems *problems);

/// The same from a text in memory; `name` stands for the file's.
scene *scene_parse(const char *text, size_t size, const char *name, const char *const *overrides, size_t override_count,
                   scene_problems *problems);

/// Null is fine.
void scene_free(scene *which);

/// A world with the scene's walls, agents and routes.
typedef struct scene_world {
    throng_map *map;
    throng_world *world;
    throng_plan *plan;    ///< null where no agent has a route
    throng_agent_id *ids; ///< of the scene's agents, in order
    throng_support_id *supports;
} scene_world;

/// Builds it; `def` gives threads, kernel and so on, its map and seed are set here. Adds what only the finished world
/// can tell (agents that start within walls, goals inside solids) to `problems`. False: there is an error among them.
bool scene_build(const scene *which, const throng_world_def *def, scene_world *built, scene_problems *problems);

/// Where a support is at a time, s: the origin of its frame, m, and the frame's heading, degrees.
void scene_support_place(const scene_support *support, double time, double position[2], double *heading);

/// Before each step: sets supports and obstacles that have keyframes on their way. False: throng_last_error says why.
bool scene_move_supports(const scene *which, const scene_world *built);

/// All zero is fine.
void scene_world_free(scene_world *built);

#endif
