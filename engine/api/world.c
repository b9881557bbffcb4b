#include "api/api.h"

#include "base/scalar.h"
#include "state/map.h"

#include <stdlib.h>

throng_world_def throng_default_world_def(void) {
    return (throng_world_def){
        .struct_size = sizeof(throng_world_def),
        .seed = 1,
        .contact_passes = 12,
        .sampling = {.count = 250, .horizon = INFINITY},
        .event_mask = 1 << THRONG_EVENT_ARRIVED | 1 << THRONG_EVENT_DISPLACED | 1 << THRONG_EVENT_CRUSHED |
                      1 << THRONG_EVENT_STUCK | 1 << THRONG_EVENT_SWAPPED,
    };
}

static throng_result check_def(const throng_world_def *def) {
    if (def->struct_size != sizeof *def) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_create: struct_size is %zu, must be %zu; start from %s",
                           def->struct_size, sizeof *def, "throng_default_world_def()");
    }
    if (def->contact_passes > 255) {
        return throng_fail(THRONG_ERROR_VALUE, -1, "world_create: contact_passes must be 0..255, is %u",
                           (unsigned)def->contact_passes);
    }
    if (def->solver != THRONG_SOLVER_FAST && def->solver != THRONG_SOLVER_REFERENCE) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_create: unknown solver %d", (int)def->solver);
    }
    if (!throng_sampling_is_sound(&def->sampling)) {
        return throng_fail(THRONG_ERROR_VALUE, -1,
                           "world_create: sampling must have a count up to %d, a known pattern and a horizon > 0, has "
                           "%u, %d and %g",
                           THRONG_MAX_SAMPLES, (unsigned)def->sampling.count, (int)def->sampling.pattern,
                           def->sampling.horizon);
    }
    if (def->event_mask >> THRONG_EVENT_KIND_COUNT) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_create: event_mask 0x%x names unknown events",
                           (unsigned)def->event_mask);
    }
    if (def->executor.run && (def->executor.workers < 1 || def->executor.workers > THRONG_MAX_WORKERS)) {
        return throng_fail(THRONG_ERROR_VALUE, -1, "world_create: executor.workers must be 1..%d, is %u",
                           THRONG_MAX_WORKERS, (unsigned)def->executor.workers);
    }
    if (def->threads > THRONG_MAX_WORKERS) {
        return throng_fail(THRONG_ERROR_VALUE, -1, "world_create: threads must be 0..%d, is %u", THRONG_MAX_WORKERS,
                           (unsigned)def->threads);
    }
    return throng_density_tables_check(def->density_tables, def->density_table_count);
}

static throng_result choose_kernel(const throng_world_def *def, const throng_kernels **kernels) {
    const char *name = def->kernel ? def->kernel : getenv("THRONG_KERNEL");
    *kernels = throng_kernels_select(name && *name ? name : NULL);
    if (*kernels) return THRONG_OK;
    return throng_fail(THRONG_ERROR_UNSUPPORTED, -1,
                       "world_create: no kernel '%.32s' here; there is '%s' (best for this machine) and 'scalar'", name,
                       throng_kernels_select(NULL)->name);
}

throng_result throng_world_create(const throng_world_def *def, throng_world **world) {
    if (!def || !world) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_create: def and world must not be null");
    throng_result result = check_def(def);
    if (result != THRONG_OK) return result;
    const throng_kernels *kernels;
    result = choose_kernel(def, &kernels);
    if (result != THRONG_OK) return result;
    throng_memory memory;
    if (!throng_memory_init(&memory, &def->allocator)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_create: allocator needs both functions or none");
    }
    throng_world *made = throng_memory_allocate(&memory, 1, sizeof *made);
    if (!made) return throng_fail(THRONG_ERROR_MEMORY, -1, "world_create: no memory");
    *made = (throng_world){
        .memory = memory,
        .kernels = kernels,
        .map = def->map,
        .seed = def->seed,
        .contact_passes = def->contact_passes,
        .solver = def->solver,
        .sampling = def->sampling,
        .event_mask = def->event_mask,
        .wants_profile = def->profile,
        .wants_stage_hashes = def->stage_hashes,
    };
    if (!throng_density_tables_copy(&made->density_tables, &made->memory, def->density_tables,
                                    def->density_table_count)) {
        throng_memory last = made->memory;
        throng_memory_release(&last, made, 1, sizeof *made);
        return throng_fail(THRONG_ERROR_MEMORY, -1, "world_create: no memory for density tables");
    }
    made->walls = def->map ? &def->map->walls : &made->merged_walls;
    if (def->map) throng_map_retain(def->map);
    throng_parallel_init(&made->parallel, &def->executor, def->threads);
    *world = made;
    return THRONG_OK;
}

void throng_world_destroy(throng_world *world) {
    if (!world || world->busy) return;
    throng_step_memory_release(world);
    throng_memory *memory = &world->memory;
    throng_agents_release(&world->agents, memory);
    throng_slots_release(&world->slots, memory);
    throng_doors_release(&world->doors, memory);
    throng_own_walls_release(&world->own_walls, memory);
    throng_wall_set_release(&world->merged_walls, memory);
    throng_supports_release(&world->supports, memory);
    throng_index_release(&world->index, memory);
    throng_memory_release(memory, world->events.items, world->events.capacity, sizeof *world->events.items);
    throng_density_tables_release(&world->density_tables, memory);
    throng_map_release(world->map);
    throng_memory last = *memory;
    throng_memory_release(&last, world, 1, sizeof *world);
    assert(last.bytes == 0);
}

throng_result throng_check_time_step(double time_step, const char *call) {
    const float rounded = (float)time_step;
    if (rounded > 0.0f && time_step <= THRONG_LIMIT_TIME_STEP) return THRONG_OK;
    return throng_fail(THRONG_ERROR_VALUE, -1, "%s: time_step must be > 0, also as a float, and at most 1e6 s, is %g",
                       call, time_step);
}

throng_result throng_world_step(throng_world *world, double time_step) {
    if (!world) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_step: world must not be null");
    if (world->busy) return throng_fail_busy("world_step");
    const throng_result checked = throng_check_time_step(time_step, "world_step");
    if (checked != THRONG_OK) return checked;
    world->busy = true;
    const throng_result result = throng_step_run(world, time_step);
    world->busy = false;
    return result;
}

throng_result throng_world_refresh(throng_world *world) {
    if (!world) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_refresh: world must not be null");
    if (world->busy) return throng_fail_busy("world_refresh");
    if (world->index.fresh) return THRONG_OK;
    if (!throng_index_reserve(&world->index, &world->memory, &world->agents)) {
        return throng_fail(THRONG_ERROR_MEMORY, -1, "world_refresh: no memory for %u agents",
                           (unsigned)world->agents.count);
    }
    throng_index_build(&world->index, &world->agents, &world->parallel, throng_world_motion(world));
    return THRONG_OK;
}

throng_result throng_world_view(const throng_world *world, throng_view *view) {
    if (!world || !view) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_view: world and view must not be null");
    const throng_agents *agents = &world->agents;
    const bool carried = throng_has_supports(world);
    *view = (throng_view){
        .step = world->clock.step,
        .time = throng_clock_time(&world->clock),
        .count = agents->count,
        .index_limit = throng_max_u32(world->slots.limit, 1),
        .ids = agents->id,
        .creation = agents->creation,
        .x = throng_world_x(world),
        .y = throng_world_y(world),
        .velocity_x = carried ? world->supports.world_velocity_x : agents->velocity_x,
        .velocity_y = carried ? world->supports.world_velocity_y : agents->velocity_y,
        .radius = agents->radius,
        .host_word = agents->host_word,
    };
    return THRONG_OK;
}

throng_result throng_world_bind_inputs(throng_world *world, const throng_inputs *inputs) {
    if (!world) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_bind_inputs: world must not be null");
    if (world->busy) return throng_fail_busy("world_bind_inputs");
    if (inputs && inputs->struct_size != sizeof *inputs) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_bind_inputs: struct_size is %zu, must be %zu",
                           inputs->struct_size, sizeof *inputs);
    }
    world->inputs = inputs ? *inputs : (throng_inputs){0};
    return THRONG_OK;
}

throng_result throng_world_events(const throng_world *world, const throng_event **events, uint32_t *count) {
    if (!world || !events || !count) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_events: world, events and count must not be null");
    }
    *events = world->events.items;
    *count = world->events.count;
    return THRONG_OK;
}

throng_result throng_world_counters(const throng_world *world, throng_counters *counters) {
    if (!world || !counters) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_counters: world and counters must not be null");
    }
    *counters = world->counters;
    counters->agents = world->agents.count;
    counters->parked = world->agents.count - world->agents.active;
    counters->bytes = world->memory.bytes;
    counters->kernel = world->kernels->name;
    counters->threads = world->parallel.threads;
    return THRONG_OK;
}

throng_result throng_world_profile(const throng_world *world, throng_profile *profile) {
    if (!world || !profile) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "world_profile: world and profile must not be null");
    }
    *profile = world->profile;
    return THRONG_OK;
}
