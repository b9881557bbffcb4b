// Supports and obstacles in scene files: read, refused with their place, and moved by keyframes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/scene.h"
#include "support/worlds.h"

#include <stdio.h>

#define HEAD "{\"throng\": 1, \"time_step\": 0.1, \"duration\": 60, "

static scene *parse(const char *text, scene_problems *problems) {
    *problems = (scene_problems){0};
    return scene_parse(text, strlen(text), "s.json", NULL, 0, problems);
}

static scene *parse_good(const char *text, scene_world *built) {
    scene_problems problems;
    scene *read = parse(text, &problems);
    if (!read) fail_msg("%s", problems.count ? problems.items[0].text : "no problem told");
    const throng_world_def def = throng_default_world_def();
    if (!scene_build(read, &def, built, &problems)) fail_msg("%s", problems.items[0].text);
    scene_problems_free(&problems);
    return read;
}

static void supports_obstacles_and_names_are_read(void **state) {
    (void)state;
    scene_world built;
    scene *s = parse_good(
        HEAD "\"supports\": [{\"name\": \"belt\", \"kind\": \"belt\", \"outline\": [[0,0],[9,0],[9,2],[0,2]],"
             "                \"velocity\": [0.5, 0]},"
             "               {\"name\": \"lift\", \"position\": [20, 5], \"heading\": 90, \"turn_rate\": -3,"
             "                \"outline\": [[-1,-1],[1,-1],[1,1],[-1,1]], \"walls\": [{\"line\": [[-1,-1],[1,-1]]}]}],"
             "\"agents\": [{\"position\": [0.5, 0.25], \"support\": \"lift\", \"goal\": [0, 0.75], \"goal_support\": "
             "\"lift\"},"
             "             {\"position\": [4, 1]}],"
             "\"obstacles\": [{\"polygon\": [[0,0],[1,0],[0,1]], \"position\": [40, 0], \"velocity\": [-1, 0.5]},"
             "                {\"radius\": 0.5, \"position\": [7, 7], \"velocity\": [0.25, 0]}]}",
        &built);
    assert_int_equal(s->support_count, 3);
    assert_int_equal(s->agent_count, 3);
    assert_int_equal(s->disc_count, 1);
    assert_true(s->agents[2].mask == 0 && s->agents[2].radius == 0.5f && s->agents[2].velocity[0] == 0.25f);
    throng_support_motion motion;
    must(throng_support_read(built.world, built.supports[0], &motion));
    assert_true(motion.velocity[0] == 0.5);
    must(throng_support_read(built.world, built.supports[1], &motion));
    assert_true(fabs(motion.heading[0]) < 1e-15 && motion.heading[1] == 1.0);
    assert_true(fabs(motion.turn_rate + 3.0 * 3.14159265358979323846 / 180.0) < 1e-15);
    must(throng_support_read(built.world, built.supports[2], &motion));
    assert_true(motion.position[0] == 40.0 && motion.velocity[1] == 0.5);
    throng_support_id on;
    throng_target target;
    must(throng_agents_read(built.world, THRONG_FIELD_SUPPORT, &built.ids[0], 1, &on));
    must(throng_agents_read(built.world, THRONG_FIELD_TARGET, &built.ids[0], 1, &target));
    assert_true(on.index == built.supports[1].index && target.support.index == on.index && target.y == 0.75);
    // Turned by a right angle about (20, 5).
    uint32_t row;
    must(throng_agent_row(built.world, built.ids[0], &row));
    const throng_view view = view_of(built.world);
    assert_true(fabs(view.x[row] - 19.75) < 1e-12 && fabs(view.y[row] - 5.5) < 1e-12);
    scene_world_free(&built);
    scene_free(s);
}

static void keyframes_say_where_a_support_is(void **state) {
    (void)state;
    scene_world built;
    scene *s = parse_good(HEAD "\"supports\": [{\"name\": \"train\", \"position\": [-5, 1], \"keyframes\":"
                               " [{\"time\": 1, \"heading\": 30}, {\"time\": 3, \"position\": [1, 3]},"
                               "  {\"time\": 3.55, \"heading\": 390, \"position\": [1, 4.1]}]}],"
                               "\"agents\": [{\"position\": [2, 0], \"support\": \"train\"}]}",
                          &built);
    const double degree = 3.14159265358979323846 / 180.0;
    for (int step = 0; step <= 50; step++) {
        const double time = 0.1 * step;
        double x = -5, y = 1, heading = 30;
        if (time > 1) x = -5 + 6 * fmin(1, (time - 1) / 2);
        if (time > 1) y = 1 + 2 * fmin(1, (time - 1) / 2);
        if (time > 3) y = 3 + 1.1 * fmin(1, (time - 3) / 0.55);
        if (time > 3) heading = 30 + 360 * fmin(1, (time - 3) / 0.55);
        uint32_t row;
        must(throng_agent_row(built.world, built.ids[0], &row));
        const throng_view view = view_of(built.world);
        const double wanted[2] = {x + 2 * cos(heading * degree), y + 2 * sin(heading * degree)};
        if (!(fabs(view.x[row] - wanted[0]) < 1e-8 && fabs(view.y[row] - wanted[1]) < 1e-8)) {
            fail_msg("at %g s: (%g, %g), should be (%g, %g)", time, view.x[row], view.y[row], wanted[0], wanted[1]);
        }
        assert_true(scene_move_supports(s, &built));
        must(throng_world_step(built.world, s->time_step));
    }
    scene_world_free(&built);
    scene_free(s);
}

// What a picture shows is where the engine has them, however they move.
static void places_at_a_time_are_the_engines(void **state) {
    (void)state;
    scene_world built;
    scene *s =
        parse_good(HEAD "\"supports\": [{\"name\": \"lift\", \"position\": [20, 5], \"heading\": 90, \"turn_rate\": -3,"
                        "                \"velocity\": [1, 0.5]},"
                        "               {\"name\": \"belt\", \"kind\": \"belt\", \"velocity\": [1, 0]},"
                        "               {\"name\": \"train\", \"keyframes\": [{\"time\": 1, \"position\": [4, 0]},"
                        "                {\"time\": 3, \"position\": [1, 3], \"heading\": 40}]}],"
                        "\"obstacles\": [{\"line\": [[0,0],[1,0]], \"position\": [40, 0], \"velocity\": [-1, 0.5]}]}",
                   &built);
    for (int step = 0; step < 40; step++) {
        for (uint32_t i = 0; i < s->support_count; i++) {
            throng_support_motion motion;
            must(throng_support_read(built.world, built.supports[i], &motion));
            double place[2], degrees, heading[2];
            scene_support_place(&s->supports[i], view_of(built.world).time, place, &degrees);
            must(throng_direction(degrees, heading));
            const double off = fabs(place[0] - motion.position[0]) + fabs(place[1] - motion.position[1]) +
                               fabs(heading[0] - motion.heading[0]) + fabs(heading[1] - motion.heading[1]);
            if (!(off < 1e-9)) fail_msg("support %u is %g off after %d steps", i, off, step);
        }
        assert_true(scene_move_supports(s, &built));
        must(throng_world_step(built.world, s->time_step));
    }
    scene_world_free(&built);
    scene_free(s);
}

// More of them than are moved by one call.
static void many_keep_to_their_keyframes(void **state) {
    (void)state;
    enum { COUNT = 130 };
    static char text[COUNT * 160];
    size_t used = (size_t)snprintf(text, sizeof text, HEAD "\"obstacles\": [");
    for (int i = 0; i < COUNT; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "%s{\"line\": [[0,0],[1,0]], \"keyframes\": [{\"time\": 0, \"position\": [%d, 0]},"
                                 " {\"time\": 2, \"position\": [%d, 4]}]}",
                                 i ? "," : "", 3 * i, 3 * i);
    }
    snprintf(text + used, sizeof text - used, "]}");
    scene_world built;
    scene *s = parse_good(text, &built);
    for (int step = 0; step < 10; step++) {
        assert_true(scene_move_supports(s, &built));
        must(throng_world_step(built.world, s->time_step));
    }
    for (int i = 0; i < COUNT; i++) {
        throng_support_motion motion;
        must(throng_support_read(built.world, built.supports[i], &motion));
        if (fabs(motion.position[1] - 2) > 1e-9 || motion.position[0] != 3 * i) {
            fail_msg("obstacle %d is at (%g, %g)", i, motion.position[0], motion.position[1]);
        }
    }
    scene_world_free(&built);
    scene_free(s);
}

static void what_cannot_be_is_told_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *place, *why;
    } bad[] = {
        {"\"supports\": [{}]", "supports[0]", "\"name\" is missing"},
        {"\"supports\": [{\"name\": \"a\"}, {\"name\": \"a\"}]", "supports[1].name", "has this name"},
        {"\"supports\": [{\"name\": \"a\", \"kind\": \"boat\"}]", "supports[0].kind", "\"platform\" or \"belt\""},
        {"\"supports\": [{\"name\": \"a\", \"kind\": \"belt\", \"heading\": 3}]", "supports[0].heading", "a belt"},
        {"\"supports\": [{\"name\": \"a\", \"outline\": [[0,0],[1,1]]}]", "supports[0].outline", "at least 3"},
        {"\"supports\": [{\"name\": \"a\", \"keyframes\": []}]", "supports[0].keyframes", "at least one"},
        {"\"supports\": [{\"name\": \"a\", \"keyframes\": [{\"time\": 1}, {\"time\": 1}]}]",
         "supports[0].keyframes[1].time", "later than 1"},
        {"\"supports\": [{\"name\": \"a\", \"keyframes\": [{\"time\": 1}, {\"time\": 2}, {\"time\": 3, \"position\": "
         "[0, "
         "1.1e6]}]}]",
         "supports[0].keyframes[2].position", "no more than 1e6 m/s along x and y, is at 1.1e+06"},
        {"\"obstacles\": [{\"line\": [[0,0],[1,1]], \"keyframes\": [{\"time\": 1}, {\"time\": 1.5, \"heading\": "
         "-26000}]}]",
         "obstacles[0].keyframes[1].heading", "50000 degrees a second, is at -52000"},
        {"\"supports\": [{\"name\": \"a\", \"turn_rate\": 1, \"keyframes\": [{\"time\": 1}]}]", "supports[0].turn_rate",
         "keyframes"},
        {"\"supports\": [{\"name\": \"a\", \"walls\": [{\"line\": [[0,0]]}]}]", "supports[0].walls[0].line",
         "at least 2"},
        {"\"supports\": [{\"name\": \"train\"}], \"agents\": [{\"position\": [0,0], \"support\": \"trian\"}]",
         "agents[0].support", "did you mean \"train\"?"},
        {"\"supports\": [{\"name\": \"a\"}], \"agents\": [{\"position\": [0,0], \"goal_support\": \"a\"}]",
         "agents[0].goal_support", "only a goal"},
        {"\"obstacles\": [{\"velocity\": [1, 0]}]", "obstacles[0]", "must have exactly one of"},
        {"\"obstacles\": [{\"radius\": 1, \"line\": [[0,0],[1,1]]}]", "obstacles[0]", "must have exactly one of"},
        {"\"obstacles\": [{\"radius\": 0, \"position\": [0,0]}]", "obstacles[0].radius", "> 0"},
        {"\"obstacles\": [{\"radius\": 1}]", "obstacles[0]", "\"position\" is missing"},
        {"\"obstacles\": [{\"radius\": 1, \"position\": [0,0], \"heading\": 1}]", "obstacles[0].heading", "a disc"},
        {"\"obstacles\": [{\"polygon\": [[0,0],[1,0],[0,1]], \"velocity\": [1e7, 0]}]", "obstacles[0].velocity[0]",
         "1000000"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, HEAD "%s}", bad[i].text);
        scene_problems problems;
        assert_null(parse(text, &problems));
        char place[80];
        (void)snprintf(place, sizeof place, ": %s: ", bad[i].place);
        const char *told = problems.count ? problems.items[0].text : "nothing";
        if (!strstr(told, place) || !strstr(told, bad[i].why)) fail_msg("%s: %s", bad[i].text, told);
        scene_problems_free(&problems);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(supports_obstacles_and_names_are_read), cmocka_unit_test(keyframes_say_where_a_support_is),
        cmocka_unit_test(places_at_a_time_are_the_engines),      cmocka_unit_test(many_keep_to_their_keyframes),
        cmocka_unit_test(what_cannot_be_is_told_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
