#include "kernels/kernels.h"

#include <stddef.h>
#include <string.h>

#define DECLARE(isa)                                                                                                   \
    void throng_lane_agent_planes_##isa(const throng_pairs_input *in, throng_tile_planes planes,                       \
                                        uint16_t *degenerate);                                                         \
    void throng_lane_wall_planes_##isa(const throng_walls_input *in, throng_tile_planes planes);                       \
    void throng_lane_wall_reach_##isa(const throng_wall_seekers *seekers, double box[4]);                              \
    uint32_t throng_lane_wall_distances_##isa(const throng_wall_seekers *seekers, const throng_wall_segment *piece,    \
                                              double *squared);                                                        \
    void throng_lane_pairs_##isa(const throng_pairs_found *in, const throng_pairs_made *out);                          \
    void throng_lane_unseen_##isa(const throng_gazes_input *in, float *share, uint16_t *doubtful);                     \
    void throng_lane_program_##isa(const throng_program_input *in, throng_program_output *out);                        \
    void throng_lane_nearest_begin_##isa(struct throng_nearest_lists *lists,                                           \
                                         const struct throng_nearest_crowd *crowd);                                    \
    float throng_lane_nearest_leaf_##isa(struct throng_nearest_lists *lists, const struct throng_nearest_crowd *crowd, \
                                         const struct throng_nearest_leaf *leaf);                                      \
    uint32_t throng_lane_nearest_end_##isa(struct throng_nearest_lists *lists,                                         \
                                           const struct throng_nearest_crowd *crowd);                                  \
    uint64_t throng_lane_near_leaves_##isa(const struct throng_nearest_lists *lists,                                   \
                                           const struct throng_nearest_crowd *crowd, float bound,                      \
                                           struct throng_near_leaves *leaves);                                         \
    void throng_lane_nearest_exact_begin_##isa(struct throng_nearest_lists *lists);                                    \
    float throng_lane_nearest_exact_leaf_##isa(struct throng_nearest_lists *lists,                                     \
                                               const struct throng_nearest_crowd *crowd,                               \
                                               const struct throng_nearest_leaf *leaf);                                \
    void throng_lane_nearest_exact_end_##isa(struct throng_nearest_lists *lists);                                      \
    void throng_lane_penalties_##isa(const throng_sampled_input *in, float *penalty);                                  \
    int throng_lane_keep_contacts_##isa(const throng_contacts_input *in, int32_t *count, float *widest,                \
                                        uint32_t *kept);                                                               \
    void throng_lane_pushes_##isa(const throng_pushes_input *in, throng_pushes_output *out);                           \
    void throng_lane_progress_##isa(const throng_progress_rows *rows, throng_progress_made *made);                     \
    uint32_t throng_lane_approach_##isa(const throng_approach_input *in, float *vx, float *vy);                        \
    void throng_lane_press_##isa(const throng_press_lanes *lanes);                                                     \
    void throng_lane_move_##isa(const throng_move_input *in, double *x, double *y);                                    \
    uint32_t throng_lane_collisions_##isa(const throng_ahead_input *in);                                               \
    void throng_lane_density_##isa(const throng_ahead_input *in, const float *reach, float *density);

#define TABLE(isa, lanes)                                                                                              \
    {                                                                                                                  \
        .name = #isa, .width = lanes, .agent_planes = throng_lane_agent_planes_##isa,                                  \
        .wall_planes = throng_lane_wall_planes_##isa, .wall_reach = throng_lane_wall_reach_##isa,                      \
        .wall_distances = throng_lane_wall_distances_##isa, .nearest_begin = throng_lane_nearest_begin_##isa,          \
        .nearest_leaf = throng_lane_nearest_leaf_##isa, .near_leaves = throng_lane_near_leaves_##isa,                  \
        .nearest_end = throng_lane_nearest_end_##isa, .nearest_exact_begin = throng_lane_nearest_exact_begin_##isa,    \
        .nearest_exact_leaf = throng_lane_nearest_exact_leaf_##isa,                                                    \
        .nearest_exact_end = throng_lane_nearest_exact_end_##isa, .pairs = throng_lane_pairs_##isa,                    \
        .unseen = throng_lane_unseen_##isa, .program = throng_lane_program_##isa,                                      \
        .penalties = throng_lane_penalties_##isa, .keep_contacts = throng_lane_keep_contacts_##isa,                    \
        .pushes = throng_lane_pushes_##isa, .progress = throng_lane_progress_##isa,                                    \
        .approach = throng_lane_approach_##isa, .press = throng_lane_press_##isa, .move = throng_lane_move_##isa,      \
        .collisions = throng_lane_collisions_##isa, .density = throng_lane_density_##isa                               \
    }

#ifdef THRONG_HAVE_AVX512
DECLARE(avx512)
#endif
#ifdef THRONG_HAVE_AVX2
DECLARE(avx2)
#endif
#ifdef THRONG_HAVE_SSE2
DECLARE(sse2)
#endif
#ifdef THRONG_HAVE_NEON
DECLARE(neon)
#endif
DECLARE(scalar)

// Best first.
static const throng_kernels tables[] = {
#ifdef THRONG_HAVE_AVX512
    TABLE(avx512, 16),
#endif
#ifdef THRONG_HAVE_AVX2
    TABLE(avx2, 8),
#endif
#ifdef THRONG_HAVE_SSE2
    TABLE(sse2, 4),
#endif
#ifdef THRONG_HAVE_NEON
    TABLE(neon, 4),
#endif
    TABLE(scalar, 1),
};

// Whether this CPU (and its operating system) can run the table.
static int runs_here(const char *name) {
#if defined(__x86_64__)
    if (strcmp(name, "avx512") == 0) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    }
    if (strcmp(name, "avx2") == 0) return __builtin_cpu_supports("avx2");
#endif
    (void)name;
    return 1; // scalar, and what every CPU of the architecture has
}

const throng_kernels *throng_kernels_select(const char *name_or_null) {
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (name_or_null && strcmp(name_or_null, tables[i].name) != 0) continue;
        if (runs_here(tables[i].name)) return &tables[i];
    }
    return NULL;
}

void throng_plane_from_direction(float nx, float ny, float self_vx, float self_vy, float radius, float share,
                                 float time_step, float plane[3]) {
    plane[0] = nx;
    plane[1] = ny;
    plane[2] = nx * self_vx + ny * self_vy + share * (radius / time_step);
}
