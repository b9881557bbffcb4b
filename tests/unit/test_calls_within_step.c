// Calls from inside a step: what would change the world is refused, and the step goes on as if nobody had called.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/argument_cases.h"

typedef struct intruder {
    fixture *f;
    bool inside;
    int calls;
} intruder;

static void intrude(void *context, throng_task *task, void *task_context, uint32_t count) {
    intruder *own = context;
    for (uint32_t item = 0; item < count; item++) task(task_context, item, 0);
    if (!own->inside) return;
    own->calls++;
    fixture *f = own->f;
    const throng_agent_def def = throng_default_agent_def();
    const double points[] = {0, 0, 1, 0};
    const double place[2] = {1, 2};
    const throng_wall wall = {THRONG_WALL_LINE, 2, points, 1};
    size_t size;
    refuse(BUSY, throng_world_step(f->world, 0.1));
    refuse(BUSY, throng_world_refresh(f->world));
    refuse(BUSY, throng_world_bind_inputs(f->world, NULL));
    refuse(BUSY, throng_world_add_walls(f->world, &wall, 1, NULL));
    refuse(BUSY, throng_world_remove_walls(f->world, &f->wall, 1));
    const throng_support_def support = throng_default_support_def();
    refuse(BUSY, throng_supports_add(f->world, &support, 1, NULL));
    refuse(BUSY, throng_supports_remove(f->world, &f->support, 1));
    refuse(BUSY, throng_supports_move(f->world, &f->support, &support.motion, 1));
    refuse(BUSY, throng_world_save(f->world, NULL, 0, &size));
    refuse(BUSY, throng_world_load(f->world, f->image.bytes, f->image.size));
    refuse(BUSY, throng_agents_add(f->world, &def, 1, NULL));
    refuse(BUSY, throng_agents_remove(f->world, f->ids, 1));
    refuse(BUSY, throng_agents_park(f->world, f->ids, 1, true));
    refuse(BUSY, throng_agents_write(f->world, THRONG_FIELD_POSITION, f->ids, 1, place));
    throng_world_destroy(f->world); // ignored
}

static void changes_within_a_step_are_refused(void **state) {
    (void)state;
    fixture f, plain;
    open_fixture(&f);
    open_fixture(&plain);
    intruder own = {.f = &f};
    throng_world_def def = throng_default_world_def();
    def.executor = (throng_executor){&own, 1, intrude};
    throng_world *world = make_world(&def, f.map);
    must(throng_world_load(world, f.image.bytes, f.image.size));
    throng_world_destroy(f.world);
    throng_plan_destroy(f.plan);
    f.plan = NULL;
    f.world = world;
    // So many that tasks go to the executor.
    for (int i = 0; i < 20; i++) {
        add_crowd(f.world, (uint64_t)i, CROWD, 0, 0, 28, NULL);
        add_crowd(plain.world, (uint64_t)i, CROWD, 0, 0, 28, NULL);
    }
    own.inside = true;
    must(throng_world_step(f.world, 0.1));
    own.inside = false;
    assert_true(own.calls > 0);
    must(throng_world_step(plain.world, 0.1));
    assert_same_state(f.world, plain.world, "after a step with intruders");
    close_fixture(&f);
    close_fixture(&plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_within_a_step_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
