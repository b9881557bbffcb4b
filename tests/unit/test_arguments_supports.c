// Wrong arguments of every call on supports: the documented code, a message, the first bad item, and nothing changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/argument_cases.h"

static void check_heading(fixture *f) {
    (void)f;
    double heading[2] = {7, 7};
    throng_heading(0.0, NULL);
    throng_heading(NAN, heading);
    assert_true(heading[0] == 1.0 && heading[1] == 0.0);
}

static void check_supports_add(fixture *f) {
    const throng_support_def good = throng_default_support_def();
    const double line[] = {0, 0, 1, 0}, beyond[] = {0, 0, 1, 0, 2e12, 3};
    const throng_wall wall = {THRONG_WALL_LINE, 2, line, .layer = 1},
                      no_wall = {THRONG_WALL_SOLID, 2, line, .layer = 1};
    refuse(ARGUMENT, throng_supports_add(NULL, &good, 1, NULL));
    refuse(ARGUMENT, throng_supports_add(f->world, NULL, 1, NULL));
    throng_support_def bad[16];
    for (int i = 0; i < 16; i++) bad[i] = good;
    bad[0].struct_size--;
    bad[1].kind = (throng_support_kind)2;
    bad[2].outline_count = 3;
    bad[3].wall_count = 1;
    bad[4].outline = line;
    bad[4].outline_count = 2;
    bad[5].outline = beyond;
    bad[5].outline_count = 3;
    bad[6].walls = &no_wall;
    bad[6].wall_count = 1;
    bad[7].motion.position[1] = NAN;
    bad[8].motion.velocity[0] = 1e7;
    bad[9].motion.heading[0] = 0;
    bad[10].motion.heading[1] = INFINITY;
    bad[11].motion.turn_rate = -1e4;
    bad[12].kind = bad[13].kind = bad[14].kind = bad[15].kind = THRONG_SUPPORT_BELT;
    bad[12].motion.position[0] = 1;
    bad[13].motion.heading[1] = 1;
    bad[14].motion.turn_rate = 1;
    bad[15].walls = &wall;
    bad[15].wall_count = 1;
    for (int i = 0; i < 16; i++) {
        const throng_support_def both[2] = {good, bad[i]};
        throng_support_id ids[2] = {{7, 7}, {7, 7}};
        if (i < 4) refuse_item(ARGUMENT, 1, throng_supports_add(f->world, both, 2, ids));
        if (i >= 4) refuse_item(VALUE, 1, throng_supports_add(f->world, both, 2, ids));
        assert_int_equal(ids[0].index, 7);
    }
    throng_agent_def agent = throng_default_agent_def();
    agent.support = f->gone_support;
    refuse_item(STALE_ID, 0, throng_agents_add(f->world, &agent, 1, NULL));
    agent.support = f->support;
    agent.target.support = (throng_support_id){5, 1};
    refuse_item(STALE_ID, 0, throng_agents_add(f->world, &agent, 1, NULL));
}

static void check_supports_remove(fixture *f) {
    const throng_support_id twice[2] = {f->support, f->support}, stale[2] = {f->support, f->gone_support},
                            none = {0, 0};
    refuse(ARGUMENT, throng_supports_remove(NULL, &f->support, 1));
    refuse(ARGUMENT, throng_supports_remove(f->world, NULL, 1));
    refuse_item(ARGUMENT, 1, throng_supports_remove(f->world, twice, 2));
    refuse_item(STALE_ID, 1, throng_supports_remove(f->world, stale, 2));
    refuse_item(STALE_ID, 0, throng_supports_remove(f->world, &none, 1));
}

static void check_supports_move(fixture *f) {
    const throng_support_motion good = throng_default_support_def().motion;
    throng_support_motion both[2] = {good, good};
    const throng_support_id ids[2] = {f->support, f->support}, none = {0, 0};
    refuse(ARGUMENT, throng_supports_move(NULL, ids, both, 1));
    refuse(ARGUMENT, throng_supports_move(f->world, NULL, both, 1));
    refuse(ARGUMENT, throng_supports_move(f->world, ids, NULL, 1));
    refuse_item(STALE_ID, 0, throng_supports_move(f->world, &f->gone_support, both, 1));
    refuse_item(STALE_ID, 0, throng_supports_move(f->world, &none, both, 1));
    both[0].velocity[0] = 1;
    both[1].velocity[1] = NAN;
    refuse_item(VALUE, 1, throng_supports_move(f->world, ids, both, 2));
}

static void check_support_read(fixture *f) {
    throng_support_motion motion;
    refuse(ARGUMENT, throng_support_read(NULL, f->support, &motion));
    refuse(ARGUMENT, throng_support_read(f->world, f->support, NULL));
    refuse(STALE_ID, throng_support_read(f->world, f->gone_support, &motion));
    refuse(STALE_ID, throng_support_read(f->world, (throng_support_id){0, 0}, &motion));
}

static const entry entries[] = {
    {"throng_default_support_def", NULL},          {"throng_heading", check_heading},
    {"throng_supports_add", check_supports_add},   {"throng_supports_remove", check_supports_remove},
    {"throng_supports_move", check_supports_move}, {"throng_support_read", check_support_read},
};

int main(int argc, char **argv) {
    return run_entries(argc, argv, entries, sizeof entries / sizeof entries[0]);
}
