#include "api/api.h"

#include "base/grid.h"
#include "base/scalar.h"

#include <throng/supports.h>

/// The largest angle that a heading takes, rad.
static const double max_angle = 1e6;

throng_support_def throng_default_support_def(void) {
    return (throng_support_def){
        .struct_size = sizeof(throng_support_def), .motion.heading = {1.0, 0.0}, .layer = UINT32_MAX};
}

void throng_heading(double radians, double heading[2]) {
    if (!heading) return;
    const throng_vector unit = throng_unit_vector(throng_is_within(radians, max_angle) ? radians : 0.0);
    heading[0] = unit.x;
    heading[1] = unit.y;
}

// ---- checks

static throng_result bad(int64_t item, const char *name, const char *must, double is) {
    return throng_fail(THRONG_ERROR_VALUE, item, "%s of support %lld: must be %s, is %g", name, (long long)item, must,
                       is);
}

static throng_result check_motion(throng_support_kind kind, const throng_support_motion *motion, int64_t item) {
    for (int axis = 0; axis < 2; ++axis) {
        const double place = motion->position[axis], speed = motion->velocity[axis];
        if (!throng_is_within(place, THRONG_LIMIT_PLACE)) return bad(item, "position", "within +-1e12", place);
        if (!throng_is_within(speed, THRONG_SUPPORT_MAX_SPEED)) return bad(item, "velocity", "within +-1e6", speed);
        if (!throng_is_finite(motion->heading[axis])) return bad(item, "heading", "finite", motion->heading[axis]);
    }
    if (!throng_is_within(motion->turn_rate, THRONG_SUPPORT_MAX_TURN_RATE)) {
        return bad(item, "turn_rate", "within +-1e3", motion->turn_rate);
    }
    if (motion->heading[0] == 0.0 && motion->heading[1] == 0.0) return bad(item, "heading", "longer than 0", 0.0);
    if (kind == THRONG_SUPPORT_PLATFORM) return THRONG_OK;
    if (motion->position[0] != 0.0 || motion->position[1] != 0.0 || motion->turn_rate != 0.0 ||
        !(motion->heading[0] > 0.0) || motion->heading[1] != 0.0) {
        return throng_fail(THRONG_ERROR_VALUE, item, "support %lld: a belt has the world's frame: %s", (long long)item,
                           "position (0, 0), heading (1, 0) and turn_rate 0");
    }
    return THRONG_OK;
}

static throng_result check_def(const throng_support_def *def, int64_t item) {
    if (def->struct_size != sizeof *def) {
        return throng_fail(THRONG_ERROR_ARGUMENT, item, "defs[%lld].struct_size is %zu, must be %zu; start from %s",
                           (long long)item, def->struct_size, sizeof *def, "throng_default_support_def()");
    }
    if (def->kind != THRONG_SUPPORT_PLATFORM && def->kind != THRONG_SUPPORT_BELT) {
        return throng_fail(THRONG_ERROR_ARGUMENT, item, "support %lld: %d is no kind", (long long)item, (int)def->kind);
    }
    if ((def->outline_count && !def->outline) || (def->wall_count && !def->walls)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, item, "support %lld: outline and walls must not be null",
                           (long long)item);
    }
    if (def->outline_count == 1 || def->outline_count == 2) {
        return bad(item, "outline_count", "0 or at least 3", def->outline_count);
    }
    for (size_t i = 0; i < 2 * (size_t)def->outline_count; ++i) {
        if (!throng_is_within(def->outline[i], THRONG_LIMIT_PLACE)) {
            return bad(item, "outline", "within +-1e12", def->outline[i]);
        }
    }
    if (def->kind == THRONG_SUPPORT_BELT && def->wall_count) {
        return throng_fail(THRONG_ERROR_VALUE, item, "support %lld: a belt has no walls of its own", (long long)item);
    }
    return check_motion(def->kind, &def->motion, item);
}

throng_result throng_check_support_id(const throng_world *world, throng_support_id id, int64_t item, const char *call) {
    if (id.index == 0 && id.generation == 0) return THRONG_OK;
    if (throng_slots_holds(&world->supports.slots, id.index, id.generation)) return THRONG_OK;
    return throng_fail(THRONG_ERROR_STALE_ID, item, "%s: item %lld: (%u, %u) is no support of this world", call,
                       (long long)item, (unsigned)id.index, (unsigned)id.generation);
}

/// The same, the ground left out.
static throng_result check_ids(const throng_world *world, const throng_support_id *ids, uint32_t count,
                               const char *call) {
    for (uint32_t i = 0; i < count; ++i) {
        if (throng_slots_holds(&world->supports.slots, ids[i].index, ids[i].generation)) continue;
        return throng_fail(THRONG_ERROR_STALE_ID, i, "%s: ids[%u] = (%u, %u) is no support of this world", call,
                           (unsigned)i, (unsigned)ids[i].index, (unsigned)ids[i].generation);
    }
    return THRONG_OK;
}

// ---- adding

/// A support with what it owns, its frame not yet known. On failure nothing is kept.
static throng_result make_support(throng_support *made, const throng_support_def *def, int64_t item,
                                  throng_memory *memory) {
    *made = (throng_support){.kind = def->kind, .layer = def->layer};
    throng_support_set_motion(made, &def->motion);
    const throng_result result = throng_wall_set_build(&made->walls, def->walls, def->wall_count, memory);
    if (result != THRONG_OK) {
        const throng_error wall = *throng_last_error();
        return throng_fail(result, item, "support %lld: %.200s", (long long)item, wall.message);
    }
    if (def->outline_count && !throng_support_copy_outline(made, def->outline, def->outline_count, memory)) {
        throng_support_release(made, memory);
        return throng_fail(THRONG_ERROR_MEMORY, -1, "supports_add: no memory for an outline");
    }
    return THRONG_OK;
}

/// The largest set of walls decides the step's scratch.
static void note_pieces(throng_world *world, const throng_support *support) {
    world->supports.most_pieces = throng_max_u32(world->supports.most_pieces, support->walls.piece_count);
}

throng_result throng_supports_add(throng_world *world, const throng_support_def *defs, uint32_t count,
                                  throng_support_id *ids) {
    if (!world || (count && !defs)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "supports_add: world and defs must not be null");
    }
    if (world->busy) return throng_fail_busy("supports_add");
    for (uint32_t i = 0; i < count; ++i) {
        const throng_result result = check_def(&defs[i], i);
        if (result != THRONG_OK) return result;
    }
    if (count == 0) return THRONG_OK;
    throng_supports *supports = &world->supports;
    throng_memory *memory = &world->memory;
    if (count > THRONG_MAX_SUPPORTS - supports->count) {
        return throng_fail(THRONG_ERROR_CAPACITY, -1, "supports_add: %u and %u supports are more than %d",
                           (unsigned)supports->count, (unsigned)count, THRONG_MAX_SUPPORTS);
    }
    throng_support *made = throng_memory_allocate(memory, count, sizeof *made);
    const size_t limit = (size_t)throng_max_u32(supports->slots.limit, 1) + count;
    if (!made || !throng_supports_reserve(supports, memory, limit) ||
        !throng_supports_reserve_rows(supports, memory, world->agents.capacity)) {
        throng_memory_release(memory, made, count, sizeof *made);
        return throng_fail(THRONG_ERROR_MEMORY, -1, "supports_add: no memory for %u supports", (unsigned)count);
    }
    throng_result result = THRONG_OK;
    uint32_t done = 0;
    while (done < count && (result = make_support(&made[done], &defs[done], done, memory)) == THRONG_OK) ++done;
    for (uint32_t i = 0; i < done; ++i) {
        if (result != THRONG_OK) {
            throng_support_release(&made[i], memory);
            continue;
        }
        const throng_slot_id id = throng_slots_take(&supports->slots, 0);
        made[i].frame = made[i].kind == THRONG_SUPPORT_PLATFORM ? id.index : 0;
        made[i].next = made[i].pose;
        supports->items[id.index] = made[i];
        supports->count++;
        note_pieces(world, &made[i]);
        if (ids) ids[i] = (throng_support_id){id.index, id.generation};
    }
    throng_memory_release(memory, made, count, sizeof *made);
    throng_renew_world_columns(world);
    return result;
}

// ---- removing

/// A target in the frame of a support that goes becomes one of the ground.
static void ground_target(throng_world *world, uint32_t row) {
    throng_agents *agents = &world->agents;
    const uint32_t frame = throng_target_frame_of(world, row);
    if (frame && agents->target_kind[row] == THRONG_TARGET_VELOCITY) {
        const throng_vector wish =
            throng_turn_between_frames(world, frame, 0, agents->target_x[row], agents->target_y[row]);
        agents->target_x[row] = (float)wish.x + 0.0;
        agents->target_y[row] = (float)wish.y + 0.0;
    } else if (frame && agents->target_kind[row] != THRONG_TARGET_NONE) {
        const throng_vector place =
            throng_between_frames(world, frame, 0, false, agents->target_x[row], agents->target_y[row]);
        const throng_vector end =
            throng_turn_between_frames(world, frame, 0, agents->target_dx[row], agents->target_dy[row]);
        agents->target_x[row] = throng_on_grid(place.x);
        agents->target_y[row] = throng_on_grid(place.y);
        agents->target_dx[row] = (float)end.x + 0.0f;
        agents->target_dy[row] = (float)end.y + 0.0f;
    }
    agents->target_support[row] = 0;
}

/// Who stands on a support that goes, or whose target lies in its frame.
static void put_on_ground(throng_world *world) {
    throng_agents *agents = &world->agents;
    const throng_columns columns = throng_front_columns(world);
    for (uint32_t row = 0; row < agents->count; ++row) {
        if (throng_support_of(world, row)->leaving) {
            throng_change_support(world, row, 0, &columns);
            agents->flags[row] |= THRONG_FLAG_UNPLACED;
        }
        if (THRONG_USES(agents, target_support) && world->supports.items[agents->target_support[row]].leaving) {
            ground_target(world, row);
        }
    }
}

throng_result throng_supports_remove(throng_world *world, const throng_support_id *ids, uint32_t count) {
    if (!world || (count && !ids)) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "supports_remove: world and ids must not be null");
    }
    if (world->busy) return throng_fail_busy("supports_remove");
    throng_supports *supports = &world->supports;
    throng_result result = check_ids(world, ids, count, "supports_remove");
    uint32_t marked = 0;
    for (; marked < count && result == THRONG_OK; ++marked) {
        if (supports->items[ids[marked].index].leaving) {
            result =
                throng_fail(THRONG_ERROR_ARGUMENT, marked, "supports_remove: ids[%u] is named twice", (unsigned)marked);
            break;
        }
        supports->items[ids[marked].index].leaving = true;
    }
    if (result != THRONG_OK) {
        for (uint32_t i = 0; i < marked; ++i) supports->items[ids[i].index].leaving = false;
        return result;
    }
    if (count == 0) return THRONG_OK;
    put_on_ground(world);
    for (uint32_t i = 0; i < count; ++i) {
        throng_support_release(&supports->items[ids[i].index], &world->memory);
        throng_slots_give(&supports->slots, ids[i].index);
        supports->count--;
    }
    throng_places_changed(world);
    throng_renew_world_columns(world);
    return THRONG_OK;
}

// ---- moving and reading

throng_result throng_supports_move(throng_world *world, const throng_support_id *ids,
                                   const throng_support_motion *motions, uint32_t count) {
    if (!world || (count && (!ids || !motions))) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "supports_move: world, ids and motions must not be null");
    }
    if (world->busy) return throng_fail_busy("supports_move");
    throng_result result = check_ids(world, ids, count, "supports_move");
    for (uint32_t i = 0; i < count && result == THRONG_OK; ++i) {
        result = check_motion(world->supports.items[ids[i].index].kind, &motions[i], i);
    }
    if (result != THRONG_OK) return result;
    bool placed = false;
    for (uint32_t i = 0; i < count; ++i) {
        throng_support *support = &world->supports.items[ids[i].index];
        const throng_pose before = support->pose;
        throng_support_set_motion(support, &motions[i]);
        placed = placed || before.x != support->pose.x || before.y != support->pose.y ||
                 before.ux != support->pose.ux || before.uy != support->pose.uy;
    }
    if (placed) world->index.fresh = false;
    throng_renew_world_columns(world);
    return THRONG_OK;
}

throng_result throng_support_read(const throng_world *world, throng_support_id id, throng_support_motion *motion) {
    if (!world || !motion) {
        return throng_fail(THRONG_ERROR_ARGUMENT, -1, "support_read: world and motion must not be null");
    }
    const throng_result result = check_ids(world, &id, 1, "support_read");
    if (result != THRONG_OK) return result;
    const throng_support *support = &world->supports.items[id.index];
    *motion = (throng_support_motion){.position = {support->pose.x, support->pose.y},
                                      .heading = {support->pose.ux, support->pose.uy},
                                      .velocity = {support->velocity.x, support->velocity.y},
                                      .turn_rate = support->turn_rate};
    return THRONG_OK;
}
