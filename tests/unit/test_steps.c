// Whole small crowds: every agent heeds all others, its new velocity against answers computed independently.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/program_tile.h"

enum { CROWD = THRONG_LANES };

typedef struct walker {
    double px, py, vx, vy, preferred_x, preferred_y, radius, max_speed, max_acceleration, yield, expected_x, expected_y;
} walker;

typedef struct crowd_tile {
    pair_tile pairs;
    program_tile program;
    program_answer answer;
    uint16_t degenerate[TILE_SLOTS];
} crowd_tile;

static crowd_tile tile;

static void fill_pairs(const walker *crowd, int count, int lane) {
    const walker *a = crowd + lane;
    int slot = 0;
    for (int other = 0; other < count; other++) {
        if (other == lane) continue;
        const walker *b = crowd + other;
        const int at = slot++ * THRONG_LANES + lane;
        const double yields = a->yield + b->yield;
        tile.pairs.px.at[at] = (float)(b->px - a->px);
        tile.pairs.py.at[at] = (float)(b->py - a->py);
        tile.pairs.vx.at[at] = (float)b->vx;
        tile.pairs.vy.at[at] = (float)b->vy;
        tile.pairs.radius.at[at] = (float)(a->radius + b->radius);
        tile.pairs.share.at[at] = yields > 0 ? (float)(a->yield / yields) : 0.0f;
    }
}

static void solve_crowd(const throng_kernels *kernels, const walker *crowd, int count, double horizon,
                        double time_step) {
    memset(&tile, 0, sizeof tile);
    program_tile *p = &tile.program;
    for (int lane = 0; lane < THRONG_LANES; lane++) {
        const walker *a = crowd + (lane < count ? lane : 0);
        tile.pairs.count.at[lane] = lane < count ? count - 1 : 0;
        tile.pairs.horizon.at[lane] = (float)horizon;
        tile.pairs.self_vx.at[lane] = p->reach_vx.at[lane] = (float)a->vx;
        tile.pairs.self_vy.at[lane] = p->reach_vy.at[lane] = (float)a->vy;
        p->reach_radius.at[lane] = (float)(a->max_acceleration * time_step);
        p->preferred_vx.at[lane] = (float)a->preferred_x;
        p->preferred_vy.at[lane] = (float)a->preferred_y;
        p->max_speed.at[lane] = (float)a->max_speed;
        if (lane < count) fill_pairs(crowd, count, lane);
    }
    p->slot_count = count - 1;
    const throng_pairs_input in = pairs_of(&tile.pairs, count - 1, time_step);
    kernels->agent_planes(&in, planes_of(&p->planes), tile.degenerate);
    solve_tile(kernels, p, &tile.answer);
}

static void test_reference_answers(void **state) {
    (void)state;
    FILE *file = open_reference("steps.txt");
    double head[3], r[12];
    int crowds = 0, feasible = 0, infeasible = 0;
    while (read_numbers(file, head, 3)) {
        const int count = (int)head[2];
        walker crowd[CROWD];
        assert_true(count <= CROWD);
        for (int i = 0; i < count; i++) {
            assert_true(read_numbers(file, r, 12));
            crowd[i] = (walker){r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11]};
        }
        for (int k = 0; k < KERNEL_NAMES; k++) {
            if (!kernel_number(k)) continue;
            solve_crowd(kernel_number(k), crowd, count, head[0], head[1]);
            for (int i = 0; i < count; i++) {
                const double vx = tile.answer.vx.at[i], vy = tile.answer.vy.at[i];
                const int due = !isnan(crowd[i].expected_x), got = !(tile.answer.infeasible >> i & 1);
                if (got != due || (due && !(hypot(vx - crowd[i].expected_x, vy - crowd[i].expected_y) < 2e-5))) {
                    fail_msg("%s, crowd %d, agent %d: feasible %d, (%.9g, %.9g), expected %d, (%.9g, %.9g)",
                             kernel_names[k], crowds, i, got, vx, vy, due, crowd[i].expected_x, crowd[i].expected_y);
                }
                due ? feasible++ : infeasible++;
            }
        }
        crowds++;
    }
    fclose(file);
    assert_int_equal(crowds, 150);
    assert_true(feasible > 500 && infeasible > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
