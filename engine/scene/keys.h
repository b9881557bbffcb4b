// The keys of scene files: one table per kind of object. The reader, `--set` and the test of the JSON Schema use them.
#ifndef SCENE_KEYS_H
#define SCENE_KEYS_H

#include "scene/scene.h"

typedef enum scene_type {
    SCENE_DOUBLE,         ///< double
    SCENE_FLOAT,          ///< float
    SCENE_FLOAT_OR_NULL,  ///< float; null: infinity
    SCENE_UINT32,         ///< uint32_t
    SCENE_UINT64,         ///< uint64_t
    SCENE_BOOL,           ///< bool
    SCENE_TEXT,           ///< char *, owned by the struct
    SCENE_CHOICE,         ///< uint32_t: which of the words
    SCENE_CHOICE_OR_LIST, ///< the same, or a list that is read by code of its own
    SCENE_POINT,          ///< double[2]
    SCENE_FLOAT_POINT,    ///< float[2]
    SCENE_FLAG,           ///< uint32_t: 1 for true
    SCENE_HEIGHTS,        ///< float[2]: [low, high], low < high; null: no end
    SCENE_VIEW,           ///< float: cosine of half of so many degrees
    SCENE_PART            ///< read by code of its own
} scene_type;

typedef struct scene_key {
    const char *name; ///< null ends a table
    scene_type type;
    size_t offset;      ///< of the value in the struct that the object is read into
    double least, most; ///< range of each number
    bool above;         ///< `least` itself is excluded
    bool required;
    const char *const *words; ///< of a CHOICE; the last is null
} scene_key;

/// What an agent's object is read into; `def` comes first, so that offsets of profile keys hold in both.
typedef struct scene_agent_reading {
    throng_agent_def def;
    double goal[2];
    double preferred_velocity[2];
    bool leave;
} scene_agent_reading;

typedef struct scene_wall_reading {
    float heights[2];
    uint32_t layer;
    bool enclosure;
} scene_wall_reading;

typedef struct scene_door_reading {
    float depth;
    uint32_t capacity;
} scene_door_reading;

extern const scene_key scene_support_keys[];  ///< scene_support
extern const scene_key scene_obstacle_keys[]; ///< scene_support
extern const scene_key scene_keyframe_keys[]; ///< scene_keyframe
extern const scene_key scene_keys[];          ///< of the file: scene
extern const scene_key scene_profile_keys[];  ///< throng_agent_def
extern const scene_key scene_solver_keys[];   ///< scene_solver
extern const scene_key scene_agent_keys[];    ///< scene_agent_reading; profile keys beside them
extern const scene_key scene_wall_keys[];     ///< scene_wall_reading
extern const scene_key scene_region_keys[];   ///< throng_region
extern const scene_key scene_door_keys[];     ///< scene_door_reading

#endif
