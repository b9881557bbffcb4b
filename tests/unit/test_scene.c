// Scene texts -> scenes, and every problem with its line and path.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static scene *parse(const char *text, scene_problems *problems) {
    *problems = (scene_problems){0};
    return scene_parse(text, strlen(text), "s.json", NULL, 0, problems);
}

static scene *parse_good(const char *text) {
    scene_problems problems;
    scene *read = parse(text, &problems);
    if (!read) fail_msg("%s", problems.count ? problems.items[0].text : "no problem told");
    assert_int_equal(problems.count, 0);
    scene_problems_free(&problems);
    return read;
}

static void defaults_are_filled_in(void **state) {
    (void)state;
    scene *s =
        parse_good("{\"throng\": 1, \"time_step\": 0.1, \"duration\": 60, \"agents\": [{\"position\": [3, -4.5]}]}");
    throng_agent_def plain = throng_default_agent_def();
    assert_true(s->stop_early);
    assert_int_equal(s->seed, 1);
    assert_int_equal(scene_steps(s), 600);
    assert_null(s->name);
    assert_int_equal(s->agent_count, 1);
    assert_true(s->agents[0].position[0] == 3.0 && s->agents[0].position[1] == -4.5);
    assert_true(s->agents[0].radius == plain.radius && s->agents[0].yield == plain.yield);
    assert_true(isinf(s->agents[0].max_acceleration));
    assert_int_equal(s->agents[0].target.kind, THRONG_TARGET_NONE);
    assert_int_equal(s->routes[0].point_count, 0);
    scene_free(s);
}

// Profiles start from "default" wherever it stands; agents override either.
static void profiles_inherit(void **state) {
    (void)state;
    scene *s =
        parse_good("{\"throng\": 1, \"time_step\": 0.1, \"duration\": 60,"
                   " \"agents\": [{\"position\": [0, 0], \"profile\": \"hurried\", \"margin\": 0.5},"
                   "              {\"position\": [0, 0], \"max_acceleration\": 3, \"layer\": 4294967295}],"
                   " \"profiles\": {\"hurried\": {\"max_speed\": 2.5, \"max_acceleration\": null},"
                   "                \"default\": {\"radius\": 0.3, \"max_acceleration\": 1, \"max_neighbors\": 255}}}");
    const throng_agent_def *hurried = &s->agents[0], *other = &s->agents[1];
    assert_true(hurried->radius == 0.3f && hurried->max_speed == 2.5f && hurried->margin == 0.5f);
    assert_true(isinf(hurried->max_acceleration));
    assert_int_equal(hurried->max_neighbors, 255);
    assert_true(other->radius == 0.3f && other->max_speed == 1.6f && other->max_acceleration == 3.0f);
    assert_true(other->layer == UINT32_MAX);
    scene_free(s);
}

static void walls_and_aims_are_read(void **state) {
    (void)state;
    scene *s = parse_good(
        "{\"throng\": 1, \"time_step\": 0.1, \"duration\": 60, \"name\": \"n\", \"inside_walls\": \"refuse\","
        " \"walls\": [{\"polygon\": [[0,0],[4,0],[4,4]]}, {\"polygon\": [[0,0],[4,0],[4,4]], \"enclosure\": true},"
        "             {\"line\": [[0,0],[5,0.5]], \"layer\": 2}],"
        " \"agents\": [{\"position\": [0,0], \"goal\": [10,1]},"
        "              {\"position\": [0,0], \"preferred_velocity\": [1.5,-1]},"
        "              {\"position\": [0,0], \"route\": [[4,0],[9,0.25]], \"leave\": true},"
        "              {\"position\": [0,0], \"goal\": [7,8], \"leave\": true, \"velocity\": [1,0]}]}");
    assert_int_equal(s->wall_count, 3);
    assert_int_equal(s->walls[0].kind, THRONG_WALL_SOLID);
    assert_int_equal(s->walls[1].kind, THRONG_WALL_ENCLOSURE);
    assert_int_equal(s->walls[2].kind, THRONG_WALL_LINE);
    assert_int_equal(s->walls[2].point_count, 2);
    assert_true(s->walls[2].points[3] == 0.5);
    assert_true(s->walls[0].layer == UINT32_MAX && s->walls[2].layer == 2);
    assert_int_equal(s->inside_walls, SCENE_INSIDE_WALLS_REFUSE);
    assert_string_equal(s->name, "n");
    assert_int_equal(s->agents[0].target.kind, THRONG_TARGET_POINT);
    assert_true(s->agents[0].target.x == 10.0 && s->agents[0].target.y == 1.0);
    assert_int_equal(s->agents[1].target.kind, THRONG_TARGET_VELOCITY);
    assert_true(s->agents[1].target.x == 1.5 && s->agents[1].target.y == -1.0);
    assert_int_equal(s->routes[2].point_count, 2);
    assert_true(s->routes[2].leave && s->routes[2].points[3] == 0.25);
    assert_int_equal(s->routes[3].point_count, 1);
    assert_true(s->routes[3].leave && s->routes[3].points[1] == 8.0);
    assert_true(s->agents[3].velocity[0] == 1.0f);
    scene_free(s);
}

#define START "{\"throng\": 1, \"time_step\": 0.1, \"duration\": 60,\n"

// Equal tables are one; what they name is what the world will know them by.
static void density_tables_are_read(void **state) {
    (void)state;
    scene *s = parse_good("{\"throng\": 1, \"time_step\": 0.1, \"duration\": 60,"
                          " \"profiles\": {\"default\": {\"density_response\": [[0, 1], [2.5, 0.5], [5, 0]]},"
                          "                \"plain\": {\"density_response\": \"none\"},"
                          "                \"same\": {\"density_response\": [[0, 1], [2.5, 0.5], [5, 0]]}},"
                          " \"agents\": [{\"position\": [0, 0]}, {\"position\": [1, 0], \"profile\": \"plain\"},"
                          "              {\"position\": [2, 0], \"profile\": \"same\"},"
                          "              {\"position\": [3, 0], \"density_response\": [[1, 0.25]]}]}");
    assert_int_equal(s->density_table_count, 2);
    assert_int_equal(s->density_tables[0].point_count, 3);
    assert_true(s->density_tables[0].points[2] == 2.5f && s->density_tables[0].points[3] == 0.5f);
    assert_int_equal(s->agents[0].density_response, THRONG_DENSITY_TABLE);
    assert_int_equal(s->agents[1].density_response, THRONG_DENSITY_NONE);
    assert_int_equal(s->agents[2].density_response, THRONG_DENSITY_TABLE);
    assert_int_equal(s->agents[3].density_response, THRONG_DENSITY_TABLE + 1);
    assert_true(s->density_tables[1].points[1] == 0.25f);
    scene_free(s);
}

static void every_problem_has_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *told;
    } cases[] = {
        {"", "s.json: line 1, column 0: "},
        {"{\n\"throng\": 1,\n\n", "s.json: line 4, column 0: "},
        {"{\"throng\": 1,\n\"throng\": 1}", "line 2, column 8: duplicate object key"},
        {"[]", "s.json: must be an object, is a list"},
        {"{}", "the key \"throng\" is missing"},
        {"{\"throng\": \"1\"}", "line 1: throng: must be the version of the scene format"},
        {"{\"throng\": 0}", "throng: must be the version"},
        {"{\n\"throng\": 7, \"unheard\": 1}", "line 2: throng: the scene is of version 7"},
        {"{\"throng\": 1, \"duration\": 1}", "the key \"time_step\" is missing"},
        {"{\"throng\": 1, \"time_step\": 1}", "the key \"duration\" is missing"},
        {"{\"throng\": 1, \"duration\": 1,\n\"time_step\": 0}", "line 2: time_step: must be > 0, is 0"},
        {"{\"throng\": 1, \"duration\": 1,\n\"time_step\": 1e-300}",
         "line 2: time_step: must be > 0, also as a float, is 1e-300"},
        {"{\"throng\": 1, \"duration\": 1e9,\n\"time_step\": 1e-44}", "duration: must be less than 9e15 time steps"},
        {"{\"throng\": 1, \"time_step\": 1,\n\"duration\": -1}", "line 2: duration: must be >= 0, is -1"},
        {"{\"throng\": 1, \"time_step\": 1,\n\"duration\": 1e999}", "line 2, column 17: real number overflow"},
        {"{\"throng\": 1, \"time_step\": NaN}", "line 1, column 30: invalid token"},
        {START "\"stop_early\": 1}", "line 2: stop_early: must be true or false, is a number"},
        {START "\"name\": 1}", "line 2: name: must be a text, is a number"},
        {START "\"seed\": -1}", "line 2: seed: must be from 0 to"},
        {START "\"seed\": 0.5}", "line 2: seed: must be a whole number, is 0.5"},
        {START "\"inside_walls\": \"mov\"}", "line 2: inside_walls: must be \"move\" or \"refuse\", is \"mov\""},
        {START "\"profiles\": {\"a\": {\"density_response\": []}}}",
         "line 2: profiles.a.density_response: must have from 1 to 256 points, has 0"},
        {START "\"profiles\": {\"a\": {\"density_response\": \"slow\"}}}",
         "line 2: profiles.a.density_response: must be \"none\" or \"weidmann\" or a list, is \"slow\""},
        {START "\"doors\": {}}", "line 2: doors: must be \"none\" or \"auto\" or a list, is an object"},
        {START "\"obstacles\": [{\"radius\": 1, \"line\": [[0,0],[1,0]]}]}",
         "obstacles[0]: must have exactly one of \"polygon\", \"line\" and \"radius\", has 2"},
        {START "\"agents\": [{\"position\": [0, 0], \"density_response\": [[1, 1], [1, 0.5]]}]}",
         "agents[0].density_response[1]: densities must ascend, but 1 comes after 1"},
        {START "\"agents\": [{\"position\": [0, 0], \"density_response\": [[1, 1.5]]}]}",
         "agents[0].density_response[0][1]: must be from 0 to 1, is 1.5"},
        {START "\"agents\": [{\"position\": [0, 0], \"density_response\": [[true, 1]]}]}",
         "agents[0].density_response[0][0]: must be a number"},
        {START "\"agents\": [{\"position\": [0, 0], \"density_response\": [1, 1]}]}",
         "agents[0].density_response[0]: must be [people per square metre, part of the speed]"},
        {START "\"wals\": []}", "line 2: wals: unknown key; did you mean \"walls\"?"},
        {START "\"zzzzzzzz\": []}", "line 2: zzzzzzzz: unknown key"},
        {START "\"a b\": []}", "line 2: [\"a b\"]: unknown key"},
        {START "\"walls\": {}}", "line 2: walls: must be a list, is an object"},
        {START "\"walls\": [1]}", "line 2: walls[0]: must be an object, is a number"},
        {START "\"walls\": [{}]}", "line 2: walls[0]: must have either \"polygon\" or \"line\""},
        {START "\"walls\": [\n{\"polygon\": [[0,0],[1,0]]}]}",
         "line 3: walls[0].polygon: must have at least 3 points, has 2"},
        {START "\"walls\": [{\"line\": [[0,0]]}]}", "walls[0].line: must have at least 2 points, has 1"},
        {START "\"walls\": [{\"line\": 3}]}", "walls[0].line: must be a list of points [x, y], is a number"},
        {START "\"walls\": [{\"line\": [[0,0],[1,1]], \"enclosure\": true}]}", "walls[0].enclosure: only a polygon"},
        {START "\"walls\": [{\"line\": [[0,0],\n[1,null]]}]}",
         "line 3: walls[0].line[1][1]: must be a number, is null"},
        {START "\"walls\": [{\"line\": [[0,0],[1,1]],\n\"layer\": 4294967296}]}",
         "line 3: walls[0].layer: must be from 0 to 4294967295"},
        {START "\"profiles\": []}", "line 2: profiles: must be an object, is a list"},
        {START "\"profiles\": {\"x\": 3}}", "line 2: profiles.x: must be an object, is a number"},
        {START "\"profiles\": {\"x\":\n{\"radius\": -1}}}", "line 3: profiles.x.radius: must be >= 0, is -1"},
        {START "\"profiles\": {\"x\": {\"time_horizon\": 0}}}", "profiles.x.time_horizon: must be > 0, is 0"},
        {START "\"profiles\": {\"x\": {\"obstacle_horizon\": 1e-60}}}",
         "profiles.x.obstacle_horizon: must be > 0, also as a float, is 1e-60"},
        {START "\"profiles\": {\"x\": {\"max_speed\": 1e39}}}",
         "profiles.x.max_speed: must be at most 1e+09, is 1e+39"},
        {START "\"profiles\": {\"x\": {\"max_neighbors\": 256}}}", "must be from 0 to 255, is 256"},
        {START "\"profiles\": {\"x\": {\"yield\": null}}}", "profiles.x.yield: must be a number, is null"},
        {START "\"profiles\": {\"x\": {\"goal\": [0,0]}}}", "profiles.x.goal: unknown key"},
        {START "\"agents\": [\n{},\n{\"position\": [0,0], \"raduis\": 1}]}",
         "line 4: agents[1].raduis: unknown key; did you mean \"radius\"?"},
        {START "\"agents\": [{}]}", "line 2: agents[0]: the key \"position\" is missing"},
        {START "\"agents\": [{\"position\": [1]}]}", "agents[0].position: must be [x, y], has 1 element"},
        {START "\"agents\": [{\"position\": [0,0], \"velocity\": [1e39,0]}]}",
         "agents[0].velocity[0]: must be at most"},
        {START "\"agents\": [{\"position\": [0,0], \"profile\": \"defalt\"}]}",
         "there is no profile \"defalt\"; did you mean \"default\"?"},
        {START "\"agents\": [{\"position\": [0,0], \"profile\": 3}]}",
         "agents[0].profile: must be a profile's name, is a number"},
        {START "\"agents\": [{\"position\": [0,0], \"leave\": true}]}",
         "agents[0].leave: only an agent with a goal or a route"},
        {START "\"agents\": [{\"position\": [0,0], \"goal\": [0,0], \"route\": [[0,0]]}]}",
         "agents[0]: can have only one of"},
        {START "\"agents\": [{\"position\": [0,0], \"route\": []}]}",
         "agents[0].route: must have at least 1 point, has 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene_problems problems;
        scene *read = parse(cases[i].text, &problems);
        bool found = false;
        for (size_t j = 0; j < problems.count; j++) found |= strstr(problems.items[j].text, cases[i].told) != NULL;
        if (read || !found) {
            fail_msg("%s\n  should tell: %s\n  tells: %s", cases[i].text, cases[i].told,
                     problems.count ? problems.items[0].text : "nothing");
        }
        assert_int_equal(problems.error_count, problems.count);
        scene_problems_free(&problems);
    }
}

static void all_problems_are_told(void **state) {
    (void)state;
    scene_problems problems;
    scene *read = parse(START "\"wals\": 1, \"profiles\": {\"a\": {\"radius\": -1}},\n"
                              "\"walls\": [{\"line\": []}, {\"polygon\": 3}],\n"
                              "\"agents\": [{\"position\": 0}, {\"position\": [0, 0], \"mask\": -1, \"layr\": 0}]}",
                        &problems);
    assert_null(read);
    assert_int_equal(problems.error_count, 7);
    scene_problems_free(&problems);
}

// Lines of later list elements are found from earlier ones; they must not depend on what was asked before.
static void lines_are_right_in_any_order(void **state) {
    (void)state;
    enum { LINES = 300 };
    static char text[LINES * 80];
    size_t used = (size_t)snprintf(text, sizeof text, "{\"a\": \"]}\\\"[\", \"list\": [");
    for (int i = 0; i < LINES; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\n{\"k\": [-1.5e3, true, null], \"v\": %d}",
                                 i ? "," : "", i);
    }
    snprintf(text + used, sizeof text - used, "]}");
    scene_lines lines;
    scene_lines_start(&lines, text, strlen(text));
    scene_place list = {.key = "list"};
    for (size_t i = 0; i < 2000; i++) {
        size_t index = i * 7919 % LINES;
        scene_place element = {.parent = &list, .index = index}, value = {.parent = &element, .key = "v"};
        assert_int_equal(scene_lines_find(&lines, &value), index + 2);
    }
    scene_place beyond = {.parent = &list, .index = LINES}, missing = {.key = "missing"};
    assert_int_equal(scene_lines_find(&lines, &beyond), 0);
    assert_int_equal(scene_lines_find(&lines, &missing), 0);
    assert_int_equal(scene_lines_find(&lines, &list), 1);
}

static const char ordinary[] = START "\"agents\": [{\"position\": [0,0], \"goal\": [1,1]}]}";

static void overrides_replace_values(void **state) {
    (void)state;
    const char *const overrides[] = {"duration=30",          "profiles.default.radius=0.4",
                                     "agents[0].goal=[5,6]", "name=plain",
                                     "stop_early=false",     "name=\"quoted\""};
    scene_problems problems = {0};
    scene *s = scene_parse(ordinary, sizeof ordinary - 1, "s.json", overrides, 6, &problems);
    if (!s) fail_msg("%s", problems.items[0].text);
    assert_true(s->duration == 30.0 && !s->stop_early);
    assert_true(s->agents[0].radius == 0.4f && s->agents[0].target.y == 6.0);
    assert_string_equal(s->name, "quoted");
    scene_free(s);
    scene_problems_free(&problems);
}

static void wrong_overrides_are_told(void **state) {
    (void)state;
    static const struct {
        const char *override;
        const char *told;
    } cases[] = {
        {"duration", "must be PATH=VALUE"},
        {"=3", "the path must look like"},
        {"agents[0.radius=3", "the path must look like"},
        {"agents[x]=3", "the path must look like"},
        {"a..b=3", "the path must look like"},
        {"agents[0]radius=3", "the path must look like"},
        {"agents[1].radius=3", "the list has 1 elements"},
        {"agents[99999999999999999999]=3", "the list has 1 elements"},
        {"agents.x=3", "leads into what is no object"},
        {"duration[0]=3", "leads into what is no list"},
        {"agents[0].raduis=3", "--set agents[0].raduis=3: agents[0].raduis: unknown key"},
        {"agents[0].goal=[1]", "--set agents[0].goal=[1]: agents[0].goal: must be [x, y]"},
        {"time_step=fast", "--set time_step=fast: time_step: must be a number, is a text"},
        {"name=\xff", "can't be set"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene_problems problems = {0};
        scene *s = scene_parse(ordinary, sizeof ordinary - 1, "s.json", &cases[i].override, 1, &problems);
        if (s || !strstr(problems.items[0].text, cases[i].told)) {
            fail_msg("%s should tell: %s; tells: %s", cases[i].override, cases[i].told,
                     problems.count ? problems.items[0].text : "nothing");
        }
        scene_problems_free(&problems);
    }
}

// What an override says of a profile that nobody has would be lost in silence.
static void idle_overrides_are_told(void **state) {
    (void)state;
    static const char text[] = START "\"profiles\": {\"hurried\": {}, \"calm\": {}},"
                                     "\"agents\": [{\"position\": [0,0], \"profile\": \"hurried\"}]}";
    const char *const overrides[] = {"profiles.hurreid.radius=1", "profiles.calm={\"radius\": 1}",
                                     "profiles.hurried.radius=1", "profiles.default.radius=1"};
    scene_problems problems = {0};
    scene *read = scene_parse(text, sizeof text - 1, "s.json", overrides, 4, &problems);
    assert_non_null(read);
    assert_int_equal(problems.count, 2);
    assert_int_equal(problems.error_count, 0);
    for (size_t i = 0; i < problems.count; i++) {
        const bool misspelt =
            strstr(problems.items[i].text, "--set profiles.hurreid.radius=1: no agent has the profile "
                                           "\"hurreid\"; did you mean \"hurried\"?");
        const bool idle = strstr(problems.items[i].text, "--set profiles.calm={\"radius\": 1}: no agent has");
        if (misspelt + idle != 1) fail_msg("%s", problems.items[i].text);
    }
    scene_free(read);
    scene_problems_free(&problems);
}

// A mark before the text, and lines told as without it.
static void a_byte_order_mark_is_skipped(void **state) {
    (void)state;
    scene_free(parse_good("\xEF\xBB\xBF" START "\"agents\": []}"));
    scene_problems problems;
    assert_null(parse("\xEF\xBB\xBF" START "\"agents\": [3]}", &problems));
    assert_non_null(strstr(problems.items[0].text, "line 2: agents[0]: must be an object"));
    scene_problems_free(&problems);
    assert_null(parse("\xEF\xBB\xBF", &problems));
    scene_problems_free(&problems);
}

// What only the library finds wrong is told with its place, once.
static void refusals_name_their_place_once(void **state) {
    (void)state;
    static const char text[] = START "\"doors\": [{\"line\": [[0,0],[1,0]]}, {\"line\": [[2,3],[2,3]]}]}";
    scene_problems problems = {0};
    scene *read = scene_parse(text, sizeof text - 1, "s.json", NULL, 0, &problems);
    assert_non_null(read);
    const throng_world_def def = throng_default_world_def();
    scene_world built;
    assert_false(scene_build(read, &def, &built, &problems));
    assert_int_equal(problems.count, 1);
    assert_string_equal(problems.items[0].text, "s.json: doors[1]: its ends must not be at one place");
    scene_free(read);
    scene_problems_free(&problems);
}

static void a_zero_byte_is_refused(void **state) {
    (void)state;
    static const char text[] = START "\"walls\": [{\"polygon\": [[0,0\0],[1,0],[1,1]]}, {\"lin\": []}]}";
    scene_problems problems = {0};
    assert_null(scene_parse(text, sizeof text - 1, "s.json", NULL, 0, &problems));
    assert_string_equal(problems.items[0].text, "s.json: is no UTF-8 text: it holds a zero byte");
    scene_problems_free(&problems);
}

// Every beginning of a scene text is refused without harm; the sanitizers look on.
static void beginnings_are_refused(void **state) {
    (void)state;
    for (size_t size = 0; size < sizeof ordinary - 1; size++) {
        scene_problems problems = {0};
        char *cut = malloc(size + 1); // its own block, so that reading past the end is seen
        memcpy(cut, ordinary, size);
        scene *s = scene_parse(cut, size, "s.json", NULL, 0, &problems);
        assert_null(s);
        assert_true(problems.error_count > 0);
        free(cut);
        scene_problems_free(&problems);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_filled_in),       cmocka_unit_test(profiles_inherit),
        cmocka_unit_test(density_tables_are_read),      cmocka_unit_test(walls_and_aims_are_read),
        cmocka_unit_test(every_problem_has_its_place),  cmocka_unit_test(all_problems_are_told),
        cmocka_unit_test(lines_are_right_in_any_order), cmocka_unit_test(overrides_replace_values),
        cmocka_unit_test(wrong_overrides_are_told),     cmocka_unit_test(beginnings_are_refused),
        cmocka_unit_test(a_zero_byte_is_refused),       cmocka_unit_test(idle_overrides_are_told),
        cmocka_unit_test(a_byte_order_mark_is_skipped), cmocka_unit_test(refusals_name_their_place_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
