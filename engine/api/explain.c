#include "api/api.h"

#include "base/scalar.h"
#include <throng/query.h>

/// The tree position of an active row of a fresh index.
static uint32_t position_of(const throng_world *world, uint32_t row) {
    const throng_index *index = &world->index;
    const kdt_tree_2f *tree = &index->tree;
    float at[2];
    throng_index_place(index, throng_world_x(world)[row], throng_world_y(world)[row], at);
    kdt_walk_2f walk;
    kdt_walk_2f_begin(&walk, tree, at, at, 0.0f, 0.0f, KDT_ALL);
    for (uint32_t leaf; kdt_walk_2f_next(&walk, INFINITY, UINT32_MAX, &leaf);) {
        const uint32_t first = leaf * tree->leaf_size, end = throng_min_u32(tree->count, first + tree->leaf_size);
        for (uint32_t position = first; position < end; ++position) {
            if (index->order[position] == row) return position;
        }
    }
    // An agent of no layer is in a leaf that no mask may see.
    uint32_t position = 0;
    while (index->order[position] != row) ++position;
    return position;
}

static throng_result check_input(const throng_world *world, uint32_t row) {
    const throng_agents *agents = &world->agents;
    const size_t at = 2 * (size_t)agents->id[row].index;
    const float *velocity = world->inputs.preferred_velocity;
    const double *target = world->inputs.target;
    const bool bad_velocity = velocity && agents->target_kind[row] == THRONG_TARGET_VELOCITY &&
                              !(throng_is_within(velocity[at], THRONG_LIMIT_NUMBER) &&
                                throng_is_within(velocity[at + 1], THRONG_LIMIT_NUMBER));
    const bool bad_target =
        target && agents->target_kind[row] == THRONG_TARGET_POINT &&
        !(throng_is_within(target[at], THRONG_LIMIT_PLACE) && throng_is_within(target[at + 1], THRONG_LIMIT_PLACE));
    if (!bad_velocity && !bad_target) return THRONG_OK;
    return throng_fail(THRONG_ERROR_VALUE, agents->id[row].index,
                       "query_explain: the input column of agent index %u is out of a target's range",
                       (unsigned)agents->id[row].index);
}

static throng_half_plane plane_at(const throng_tile *tile, int slot) {
    const int at = slot * THRONG_LANES;
    return (throng_half_plane){tile->planes.nx[at], tile->planes.ny[at], tile->planes.c[at]};
}

/// Takes what lane 0 of a finished tile holds.
static void report(const throng_world *world, const throng_tile *tile, throng_explanation *explanation) {
    const throng_agents *agents = &world->agents;
    explanation->neighbor_count = (uint32_t)tile->neighbor_count[0];
    for (int slot = 0; slot < tile->neighbor_count[0]; ++slot) {
        const uint32_t other = (uint32_t)tile->neighbor_row[slot * THRONG_LANES];
        explanation->neighbors[slot] =
            (throng_query_hit){agents->id[other], tile->lists.key[slot * THRONG_LANES] - tile->radius[0]};
        explanation->planes[slot] = plane_at(tile, tile->hard_slots + slot);
    }
    explanation->wall_count = (uint32_t)tile->wall_slots;
    for (int slot = 0; slot < tile->wall_slots; ++slot) explanation->wall_planes[slot] = plane_at(tile, slot);
    explanation->preferred_velocity[0] = tile->preferred_x[0];
    explanation->preferred_velocity[1] = tile->preferred_y[0];
    explanation->solved_velocity[0] = tile->solved_x[0];
    explanation->solved_velocity[1] = tile->solved_y[0];
    explanation->feasible = !(tile->infeasible & 1);
    explanation->violation = explanation->feasible ? 0.0f : tile->violation[0];
}

typedef struct explained {
    const throng_step *step;
    throng_tile *tile;
} explained;

/// A step of one agent that ends before anything is written to the world.
static void run_stages(void *context, uint32_t item, uint32_t worker) {
    (void)item;
    (void)worker;
    const explained *call = context;
    throng_step_neighbors(call->step, call->tile);
    throng_step_sense(call->step, call->tile);
    throng_step_constraints(call->step, call->tile);
    throng_step_solve(call->step, call->tile);
}

throng_result throng_query_explain(const throng_world *world, throng_agent_id agent, double time_step,
                                   throng_explanation *explanation) {
    if (!world || !explanation) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "query_explain: world and explanation must not be null");
    }
    throng_result result = throng_check_agent_id(world, agent, 0, "query_explain");
    if (result == THRONG_OK) result = throng_check_time_step(time_step, "query_explain");
    if (result != THRONG_OK) return result;
    const uint32_t row = world->slots.row[agent.index];
    if (row >= world->agents.active) {
        return throng_fail(THRONG_ERROR_ARGUMENT, 0, "query_explain: agent (%u, %u) is parked", (unsigned)agent.index,
                           (unsigned)agent.generation);
    }
    result = throng_check_index(world, "query_explain");
    if (result == THRONG_OK) result = check_input(world, row);
    if (result != THRONG_OK) return result;

    // A tally of its own: the world's belongs to its writer.
    throng_memory memory = {.allocator = world->memory.allocator};
    const int neighbors = world->agents.max_neighbors[row];
    const size_t walls = throng_max_u32(world->walls->piece_count, world->supports.most_pieces);
    const size_t bytes = throng_step_tile_bytes(neighbors, walls);
    void *block = throng_memory_allocate(&memory, bytes, 1);
    if (!block) return throng_fail(THRONG_ERROR_MEMORY, -1, "query_explain: no memory for %zu bytes", bytes);
    throng_tile *tile = throng_step_tile_lay_out(block, neighbors, walls);
    tile->first = position_of(world, row);
    tile->count = 1;
    // The stages up to solve only read the world.
    const throng_step step = {
        .world = (throng_world *)(uintptr_t)world, .time_step = time_step, .dt = (float)time_step};
    explained call = {&step, tile};
    throng_parallel_for(&world->parallel, 1, 1, run_stages, &call); // on this thread, in the step's rounding mode
    report(world, tile, explanation);
    throng_memory_release(&memory, block, bytes, 1);
    return THRONG_OK;
}
