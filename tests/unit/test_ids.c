// Ids under churn: agents come and go every step, ids are never confused, memory stays flat, and the world is what a
// fresh one with the same survivors would be.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/allocator.h"
#include "support/worlds.h"

enum {
    CROWD = 1000,
    CHURN = 10, // removed and added each step
#ifdef THRONG_LONG_TESTS
    STEPS = 100000
#else
    STEPS = 300
#endif
};

// The host's own book of who lives, by its word.
typedef struct book {
    throng_agent_id id[CROWD];
    uint64_t word[CROWD];
    throng_agent_id gone[CHURN];
} book;

static void check_book(const throng_world *world, const book *own, int step) {
    uint64_t words[CROWD];
    must(throng_agents_read(world, THRONG_FIELD_HOST_WORD, own->id, CROWD, words));
    for (int i = 0; i < CROWD; i++) {
        if (words[i] != own->word[i]) fail_msg("step %d: agent %d has another's word", step, i);
    }
    uint32_t row;
    for (int i = 0; i < CHURN; i++) {
        assert_int_equal(throng_agent_row(world, own->gone[i], &row), THRONG_ERROR_STALE_ID);
    }
}

static throng_agent_def newcomer(uint64_t *random, uint64_t word) {
    throng_agent_def def = throng_default_agent_def();
    def.position[0] = random_between(random, -30, 30);
    def.position[1] = random_between(random, -30, 30);
    def.target = (throng_target){
        .kind = THRONG_TARGET_POINT, .x = random_between(random, -30, 30), .y = random_between(random, -30, 30)};
    def.max_neighbors = 5;
    def.host_word = word;
    return def;
}

// Takes the survivors over into a fresh world by a snapshot, and steps both.
static void compare_with_fresh(const throng_world *world) {
    throng_world *fresh = make_world(NULL, NULL), *second = make_world(NULL, NULL);
    must(load_from(fresh, world));
    assert_same_state(world, fresh, "a fresh world");
    must(load_from(second, world));
    must(throng_world_step(fresh, 0.1));
    must(throng_world_refresh(second));
    must(throng_world_step(second, 0.1));
    assert_same_state(fresh, second, "a fresh world's next step");
    throng_world_destroy(fresh);
    throng_world_destroy(second);
}

static void churn(void **state) {
    (void)state;
    static book own;
    test_allocator allocator;
    throng_world_def def = throng_default_world_def();
    def.allocator = allocator_of(&allocator);
    throng_world *world = make_world(&def, NULL);
    uint64_t random = 1, next_word = 0;
    for (int i = 0; i < CROWD; i++) {
        const throng_agent_def agent = newcomer(&random, own.word[i] = next_word++);
        must(throng_agents_add(world, &agent, 1, &own.id[i]));
    }
    int64_t bytes = 0;
    for (int step = 0; step < STEPS; step++) {
        must(throng_world_step(world, 0.1));
        for (int i = 0; i < CHURN; i++) {
            const uint32_t victim = random_below(&random, CROWD);
            own.gone[i] = own.id[victim];
            must(throng_agents_remove(world, &own.id[victim], 1));
            const throng_agent_def agent = newcomer(&random, own.word[victim] = next_word++);
            must(throng_agents_add(world, &agent, 1, &own.id[victim]));
        }
        if (step % 10 == 0) check_book(world, &own, step);
        if (step % (STEPS / 10) == 0) compare_with_fresh(world);
        if (step == 100) bytes = allocator.bytes;
        if (step > 100 && allocator.bytes != bytes) {
            fail_msg("step %d: %ld bytes instead of %ld", step, (long)allocator.bytes, (long)bytes);
        }
    }
    // Indices are reused first-in first-out: they stay few.
    assert_in_range(view_of(world).index_limit, CROWD + 1, CROWD + 2 * CHURN);
    throng_world_destroy(world);
    assert_int_equal(allocator.blocks, 0);
}

static void slots_are_reused_first_in_first_out(void **state) {
    (void)state;
    throng_world *world = make_world(NULL, NULL);
    throng_agent_id ids[5], again[3];
    add_crowd(world, 1, 5, 0, 0, 9, ids);
    const throng_agent_id leaving[3] = {ids[3], ids[0], ids[4]};
    must(throng_agents_remove(world, leaving, 3));
    add_crowd(world, 2, 3, 0, 0, 9, again);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(again[i].index, leaving[i].index);
        assert_int_equal(again[i].generation, leaving[i].generation + 1);
    }
    throng_world_destroy(world);
}

// Random parking, removing and adding in bulk against a simple model.
static void parked_and_gone(void **state) {
    (void)state;
    enum { MOST = 200 };
    throng_world *world = make_world(NULL, NULL);
    throng_agent_id ids[MOST];
    uint64_t words[MOST];
    bool parked[MOST];
    uint32_t count = 0;
    uint64_t random = 3, next_word = 1;
    for (int round = 0; round < 1000; round++) {
        const uint32_t what = random_below(&random, 5), many = 1 + random_below(&random, 12);
        if (what == 0 && count + many <= MOST) {
            for (uint32_t i = 0; i < many; i++, count++) {
                const throng_agent_def def = newcomer(&random, words[count] = next_word++);
                must(throng_agents_add(world, &def, 1, &ids[count]));
                parked[count] = false;
            }
        } else if (what == 1 && count >= many) {
            const uint32_t first = random_below(&random, count - many + 1);
            must(throng_agents_remove(world, ids + first, many));
            count -= many;
            memmove(ids + first, ids + first + many, (count - first) * sizeof *ids);
            memmove(words + first, words + first + many, (count - first) * sizeof *words);
            memmove(parked + first, parked + first + many, (count - first) * sizeof *parked);
        } else if (what == 4) {
            must(throng_world_step(world, 0.05));
        } else if (count >= many) {
            const uint32_t first = random_below(&random, count - many + 1);
            must(throng_agents_park(world, ids + first, many, what == 2));
            for (uint32_t i = first; i < first + many; i++) parked[i] = what == 2;
        }
        throng_counters counters;
        must(throng_world_counters(world, &counters));
        uint32_t parked_count = 0;
        const throng_view view = view_of(world);
        assert_int_equal(view.count, count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t row;
            uint8_t is_parked;
            must(throng_agent_row(world, ids[i], &row));
            must(throng_agents_read(world, THRONG_FIELD_PARKED, &ids[i], 1, &is_parked));
            if (view.host_word[row] != words[i] || is_parked != parked[i] || view.ids[row].index != ids[i].index) {
                fail_msg("round %d: agent %u is another's row %u", round, i, row);
            }
            parked_count += parked[i];
        }
        assert_int_equal(counters.parked, parked_count);
    }
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(churn),
        cmocka_unit_test(slots_are_reused_first_in_first_out),
        cmocka_unit_test(parked_and_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
