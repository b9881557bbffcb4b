// Hashes of what each stage made, where the world's def asks for them: the first stage that differs is where two runs
// part. Sums over agents by creation number, so that neither rows, tiles nor the tree show.
#include "step/step.h"

#include "base/hash.h"
#include "base/scalar.h"

static uint64_t add_float(uint64_t hash, float value) {
    return throng_mix_pair(hash, throng_float_bits(value));
}

static uint64_t add_double(uint64_t hash, double value) {
    return throng_mix_pair(hash, throng_double_bits(value));
}

static uint64_t add_planes(uint64_t hash, const throng_tile *tile, int lane, int first, int count) {
    for (int slot = first; slot < first + count; ++slot) {
        const int at = slot * THRONG_LANES + lane;
        hash = add_float(add_float(add_float(hash, tile->planes.nx[at]), tile->planes.ny[at]), tile->planes.c[at]);
    }
    return hash;
}

static uint64_t hash_lane(const throng_step *step, const throng_tile *tile, throng_stage stage, int lane) {
    const throng_agents *agents = &step->world->agents;
    const uint32_t row = tile->row[lane];
    uint64_t hash = throng_mix_pair(stage, agents->creation[row]);
    switch (stage) {
    case THRONG_STAGE_INGEST:
        return throng_mix_pair(hash, agents->flags[row]);
    case THRONG_STAGE_NEIGHBORS:
        for (int slot = 0; slot < tile->neighbor_count[lane]; ++slot) {
            const uint32_t other = (uint32_t)tile->neighbor_row[slot * THRONG_LANES + lane];
            hash = throng_mix_pair(hash, agents->creation[other]);
        }
        return hash;
    case THRONG_STAGE_SENSE:
        return add_float(add_float(hash, tile->preferred_x[lane]), tile->preferred_y[lane]);
    case THRONG_STAGE_CONSTRAINTS:
        hash = add_planes(hash, tile, lane, 0, tile->wall_slots ? tile->wall_count[lane] : 0);
        return add_planes(hash, tile, lane, tile->hard_slots, tile->neighbor_count[lane]);
    case THRONG_STAGE_SOLVE:
        hash = throng_mix_pair(hash, tile->infeasible >> lane & 1);
        return add_float(add_float(hash, tile->solved_x[lane]), tile->solved_y[lane]);
    default:
        return hash;
    }
}

void throng_step_hash_tile(const throng_step *step, const throng_tile *tile, throng_stage stage, throng_tally *tally) {
    if (!step->world->wants_stage_hashes) return;
    for (int lane = 0; lane < tile->count; ++lane) tally->stage_hashes[stage] += hash_lane(step, tile, stage, lane);
}

/// Places and velocities, which the stages integrate and contacts make and publish brings to the front.
static uint64_t hash_next(const throng_agents *agents, uint64_t hash, uint32_t row) {
    hash = add_double(add_double(hash, agents->next_x[row]), agents->next_y[row]);
    return add_float(add_float(hash, agents->next_velocity_x[row]), agents->next_velocity_y[row]);
}

static uint64_t hash_row(const throng_world *world, throng_stage stage, uint32_t row) {
    const throng_agents *agents = &world->agents;
    uint64_t hash = throng_mix_pair(stage, agents->creation[row]);
    switch (stage) {
    case THRONG_STAGE_INTEGRATE:
    case THRONG_STAGE_CONTACTS:
        return hash_next(agents, hash, row);
    case THRONG_STAGE_INDEX: // which keeps no more of a place than its nearest float
        return add_float(add_float(hash, (float)agents->next_x[row]), (float)agents->next_y[row]);
    default:
        hash = throng_mix_pair(hash, agents->flags[row]);
        return add_double(add_double(hash, agents->x[row]), agents->y[row]);
    }
}

typedef struct hashing {
    const throng_step *step;
    throng_stage stage;
} hashing;

static void hash_task(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const hashing *work = context;
    const throng_world *world = work->step->world;
    const uint32_t first = item * THRONG_TASK_ROWS;
    const uint32_t end = throng_step_task_end(work->step, first);
    uint64_t sum = 0;
    for (uint32_t row = first; row < end; ++row) sum += hash_row(world, work->stage, row);
    work->step->memory->tallies[item].stage_hashes[work->stage] = sum;
}

void throng_step_hash_rows(const throng_step *step, throng_stage stage) {
    if (!step->world->wants_stage_hashes) return;
    hashing work = {step, stage};
    throng_parallel_for(&step->world->parallel, throng_step_tasks(step), THRONG_SERIAL_TASKS, hash_task, &work);
}

void throng_step_sum_hashes(const throng_step *step) {
    if (!step->world->wants_stage_hashes) return;
    for (int stage = 0; stage < THRONG_STAGE_COUNT; ++stage) {
        uint64_t sum = 0;
        for (uint32_t item = 0; item < throng_step_tasks(step); ++item) {
            sum += step->memory->tallies[item].stage_hashes[stage];
        }
        step->world->stage_hashes[stage] = sum;
    }
}
