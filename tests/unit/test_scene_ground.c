// Scenes with ground, heights and views: regions, ESRI ASCII rasters, limits of legs, angles in degrees.
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
#include <unistd.h>

static char folder[] = "/tmp/throng-ground-XXXXXX";

static void write_file(const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static scene *parse(const char *members, scene_problems *problems) {
    char text[2000], name[200];
    snprintf(text, sizeof text, "{\"throng\": 1, \"time_step\": 0.1, \"duration\": 1%s%s}", *members ? ", " : "",
             members);
    snprintf(name, sizeof name, "%s/scene.json", folder);
    *problems = (scene_problems){0};
    return scene_parse(text, strlen(text), name, NULL, 0, problems);
}

static scene *good(const char *members) {
    scene_problems problems;
    scene *read = parse(members, &problems);
    if (!read) fail_msg("%s: %s", members, problems.items[0].text);
    scene_problems_free(&problems);
    return read;
}

// The scene is refused with one problem that says `wanted`.
static void refused(const char *members, const char *wanted) {
    scene_problems problems;
    scene *read = parse(members, &problems);
    if (read) fail_msg("taken: %s", members);
    const char *told = problems.count ? problems.items[0].text : "nothing";
    if (!strstr(told, wanted)) fail_msg("%s: told \"%s\", should say \"%s\"", members, told, wanted);
    scene_problems_free(&problems);
}

static void rasters(void **state) {
    (void)state;
    write_file("corner.asc", "ncols 3\nnrows 2\nxllcorner -10.5\nyllcorner 20\ncellsize 2.5\nNODATA_value -1\n"
                             "1 2 -1\n4.5 5e1 -9999\n");
    write_file("center.asc", "NCOLS 3\r\nNROWS 2\r\nCELLSIZE 2.5\r\nXLLCENTER -9.25\r\nYLLCENTER 21.25\r\n"
                             "1 2 -9999 4.5 50 nan");
    write_file("nan.asc", "ncols 3\nnrows 2\nxllcorner -10.5\nyllcorner 20\ncellsize 2.5\nNODATA_value nan\n"
                          "1 2 nan\n4.5 5e1 -9999\n");
    static const char *const members[] = {"\"height_grid\": \"corner.asc\"", "\"height_grid\": \"center.asc\"",
                                          "\"height_grid\": \"nan.asc\""};
    for (int i = 0; i < 3; i++) {
        scene *read = good(members[i]);
        const throng_height_grid *grid = &read->heights;
        assert_int_equal(grid->columns, 3);
        assert_int_equal(grid->rows, 2);
        assert_true(grid->x == -10.5 && grid->y == 20.0 && grid->cell == 2.5);
        const double first[] = {4.5, 50, -9999, 1, 2, NAN}, second[] = {4.5, 50, NAN, 1, 2, NAN};
        const double *wanted = i == 1 ? second : first;
        for (int j = 0; j < 6; j++) {
            const double is = grid->heights[j];
            if (is != wanted[j] && !(is != is && wanted[j] != wanted[j])) fail_msg("height %d is %g", j, is);
        }
        scene_free(read);
    }
}

static void rasters_that_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"", "is no key"},
        {"ncols 2\nnrows 2\n1 2 3 4", "line 3: the heights begin without the key \"cellsize\""},
        {"ncols 2\nnrows 2\ncellsize 1\nxllcorner 0\n1 2 3 4", "line 5: there must be either xllcorner"},
        {"ncols 2\nnrows 2\ncellsize 1\nxllcorner 0\nyllcorner 0\nyllcenter 0\n1", "either"},
        {"ncols 2\nncols 2\n", "line 2: a key is given twice"},
        {"ncols 2\nrows 2\n", "line 2: is no key of an ESRI ASCII raster: \"rows\""},
        {"ncols two\n", "must be a number: \"two\""},
        {"ncols 2.5\nnrows 2\ncellsize 1\nxllcorner 0\nyllcorner 0\n1", "whole number"},
        {"ncols 2\nnrows 0\ncellsize 1\nxllcorner 0\nyllcorner 0\n1", "whole number"},
        {"ncols 60000\nnrows 60000\ncellsize 1\nxllcorner 0\nyllcorner 0\n1", "more than 2^31"},
        {"ncols 2\nnrows 2\ncellsize 1\nxllcorner 0\nyllcorner 0\n1 2\n3\n", "ends before"},
        {"ncols 2\nnrows 2\ncellsize 1\nxllcorner 0\nyllcorner 0\n1 2\n3 4\n5", "line 8: there are more"},
        {"ncols 2\nnrows 2\ncellsize 1\nxllcorner 0\nyllcorner 0\n1 2\n3 x4\n", "line 7: must be a number: \"x4\""},
        {"ncols 2\nnrows 2\ncellsize 1\nxllcorner 0\nyllcorner 0\n1 2\n3 inf\n", "must be a number"},
        {"ncols 1\nnrows 1\ncellsize 0\nxllcorner 0\nyllcorner 0\n1",
         "\"bad.asc\", line 6: must be from 0.001 to 1e6 m: \"cellsize\""},
        {"ncols 1\nnrows 1\ncellsize 2e6\nxllcorner 0\nyllcorner 0\n1", "\"cellsize\""},
        {"ncols 1\nnrows 1\ncellsize 1\nxllcorner 0\nyllcorner -6e11\n1", "within +-5e11 m: \"yllcorner\""},
        {"ncols 1\nnrows 2\ncellsize 1\nxllcorner 0\nyllcorner 0\n1\n-2e9", "line 7: must be within +-1e9 m: \"-2e9\""},
        {"0123456789012345678901234567890123456789012345678901234567890123456789", "more than 64 letters"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file("bad.asc", cases[i].text);
        refused("\"height_grid\": \"bad.asc\"", cases[i].wanted);
    }
    refused("\"height_grid\": \"none.asc\"", "can't be read");
    refused("\"height_grid\": \"/dev/zero\"", "is no file");
    refused("\"height_grid\": \"/tmp\"", "no file");
    refused("\"height_grid\": 7", "must be a text");
}

static void regions(void **state) {
    (void)state;
    scene *read = good("\"regions\": [{\"polygon\": [[0,0],[4,0],[4,4]], \"speed_factor\": 0.5, \"gradient\": [0.75, "
                       "-1], \"heights\": [3, null]},"
                       "{\"polygon\": [[0,0],[4,0],[4,4],[0,4]]}]");
    assert_int_equal(read->region_count, 2);
    assert_true(read->regions[0].speed_factor == 0.5f && read->regions[1].speed_factor == 1.0f);
    assert_true(read->regions[0].gradient[0] == 0.75f && read->regions[0].gradient[1] == -1.0f);
    assert_true(read->regions[0].height_low == 3.0f && read->regions[0].height_high == INFINITY);
    assert_true(read->regions[1].height_low == 0.0f && read->regions[1].height_high == 0.0f);
    assert_int_equal(read->regions[1].point_count, 4);
    assert_true(read->regions[0].points[5] == 4.0);
    scene_free(read);
    refused("\"regions\": [{\"speed_factor\": 0.5}]", "the key \"polygon\" is missing");
    refused("\"regions\": [{\"polygon\": [[0,0],[4,0]]}]", "at least 3");
    refused("\"regions\": [{\"polygon\": [[0,0],[4,0],[4,4]], \"speed_factor\": 0}]", "must be > 0");
    refused("\"regions\": [{\"polygon\": [[0,0],[4,0],[4,4]], \"speed_factor\": 1.5}]", "at most 1");
    refused("\"regions\": [{\"polygon\": [[0,0],[4,0],[4,4]], \"speed_facto\": 1}]", "did you mean");
    refused("\"regions\": 3", "must be a list");
    refused("\"regions\": [3]", "must be an object");
}

static void agents_and_walls(void **state) {
    (void)state;
    scene *read =
        good("\"walls\": [{\"line\": [[0,0],[4,0]], \"heights\": [0, 2.5]}, {\"line\": [[0,1],[4,1]]},"
             "{\"line\": [[0,2],[4,2]], \"heights\": [3, null]}],"
             "\"profiles\": {\"default\": {\"view_angle\": 180, \"heights\": [null, 2]}},"
             "\"agents\": [{\"position\": [9,0]}, {\"position\": [9,5], \"view_angle\": 120, \"view_range\": 7,"
             "\"line_of_sight\": true, \"heights\": [3, 5], \"gradient\": [0.5, 0], \"speed_limit\": 0.5,"
             "\"route\": [[9,9],[3,9]], \"speed_limits\": [0.25, null]}, {\"position\": [20,0],"
             "\"view_angle\": 360, \"heights\": [null, null]}]");
    assert_true(read->walls[0].height_low == 0.0f && read->walls[0].height_high == 2.5f);
    assert_true(read->walls[1].height_low == 0.0f && read->walls[1].height_high == 0.0f);
    assert_true(read->walls[2].height_low == 3.0f && read->walls[2].height_high == INFINITY);
    const throng_agent_def *agents = read->agents;
    assert_true(agents[0].view_cosine == 0.0f && agents[0].height_low == -INFINITY && agents[0].height_high == 2.0f);
    assert_true(agents[0].view_range == INFINITY && agents[0].line_of_sight == 0);
    assert_true(fabsf(agents[1].view_cosine - 0.5f) < 1e-7f && agents[1].view_range == 7.0f);
    assert_true(agents[1].line_of_sight == 1 && agents[1].height_low == 3.0f && agents[1].height_high == 5.0f);
    assert_true(agents[1].gradient[0] == 0.5f && agents[1].speed_limit == 0.5f);
    assert_true(read->routes[1].speed_limits[0] == 0.25f && read->routes[1].speed_limits[1] == INFINITY);
    assert_null(read->routes[0].speed_limits);
    assert_true(agents[2].view_cosine == -1.0f && agents[2].height_high == INFINITY);
    scene_free(read);
    const char *const agent = "\"agents\": [{\"position\": [9,0], %s}]";
    static const char *const cases[][2] = {
        {"\"heights\": [2, 2]", "low < high"},
        {"\"heights\": [3, 2]", "low < high, is [3, 2]"},
        {"\"heights\": 3", "must be [low, high]"},
        {"\"heights\": [1, \"2\"]", "must be a number"},
        {"\"view_angle\": 361", "from 0 to 360"},
        {"\"line_of_sight\": 1", "must be true or false"},
        {"\"speed_limits\": [1]", "only an agent with a route"},
        {"\"route\": [[1,1],[2,2]], \"speed_limits\": [1]", "for each point of the route, 2"},
        {"\"route\": [[1,1],[2,2]], \"speed_limits\": [1, -1]", "must be >= 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char members[300];
        snprintf(members, sizeof members, agent, cases[i][0]);
        refused(members, cases[i][1]);
    }
}

// Whether a start is free is asked at the agent's own height.
static void starts_at_heights(void **state) {
    (void)state;
    scene *read =
        good("\"inside_walls\": \"refuse\", \"walls\": [{\"polygon\": [[0,0],[4,0],[4,4],[0,4]], \"heights\": [3,6]}],"
             "\"agents\": [{\"position\": [2,2], \"heights\": [0,2], \"goal\": [3,3]}]");
    const throng_world_def def = throng_default_world_def();
    scene_problems problems = {0};
    scene_world built;
    assert_true(scene_build(read, &def, &built, &problems));
    assert_int_equal(problems.count, 0);
    scene_world_free(&built);
    read->agents[0].height_high = 4.0f;
    assert_false(scene_build(read, &def, &built, &problems));
    assert_non_null(strstr(problems.items[0].text, "starts within a wall"));
    scene_problems_free(&problems);
    scene_free(read);
}

// RiMEA tests 2 and 3: 10 m of stairs along the slope take as long as the assigned speed on them says.
static void stairs(void **state) {
    (void)state;
    static const struct {
        const char *path;
        double speed; // m/s, along the slope
    } cases[] = {{THRONG_DATA "/scenes/rimea-2.json", 0.5 * 1.33}, {THRONG_DATA "/scenes/rimea-3.json", 0.6 * 1.33}};
    for (size_t i = 0; i < 2; i++) {
        scene_problems problems = {0};
        scene *read = scene_read(cases[i].path, NULL, 0, &problems);
        assert_non_null(read);
        const throng_world_def def = throng_default_world_def();
        scene_world built;
        assert_true(scene_build(read, &def, &built, &problems));
        int steps = 0;
        uint8_t arrived = 0;
        while (!arrived && steps < 10000) {
            assert_int_equal(throng_world_step(built.world, read->time_step), THRONG_OK);
            steps++;
            assert_int_equal(throng_agents_read(built.world, THRONG_FIELD_ARRIVED, built.ids, 1, &arrived), THRONG_OK);
            float velocity[2];
            assert_int_equal(throng_agents_read(built.world, THRONG_FIELD_VELOCITY, built.ids, 1, velocity), THRONG_OK);
            const double along = 1.25 * fabsf(velocity[0]); // 4 m across, 3 m up: 5 m
            if (!arrived && !(fabs(along - cases[i].speed) < 1e-6)) fail_msg("step %d: %.9g m/s", steps, along);
        }
        const double time = steps * read->time_step, wanted = 10.0 / cases[i].speed;
        if (!(time >= wanted - 0.002 && time < wanted + read->time_step)) {
            fail_msg("%s: %.9g s, should be %.9g", cases[i].path, time, wanted);
        }
        scene_world_free(&built);
        scene_free(read);
        scene_problems_free(&problems);
    }
}

static void directions(void **state) {
    (void)state;
    static const double exact[][3] = {{0, 1, 0},    {90, 0, 1},  {180, -1, 0},  {270, 0, -1},
                                      {-90, 0, -1}, {720, 1, 0}, {-180, -1, 0}, {3.6e8, 1, 0}};
    double direction[2];
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        assert_int_equal(throng_direction(exact[i][0], direction), THRONG_OK);
        if (direction[0] != exact[i][1] || direction[1] != exact[i][2] || signbit(direction[0] + direction[1] + 1)) {
            fail_msg("%g degrees: (%g, %g)", exact[i][0], direction[0], direction[1]);
        }
    }
    for (double degrees = -1000.0; degrees < 1000.0; degrees += 0.37) {
        assert_int_equal(throng_direction(degrees, direction), THRONG_OK);
        const double angle = degrees * (3.14159265358979323846 / 180.0);
        const double x = fabs(direction[0] - cos(angle)), y = fabs(direction[1] - sin(angle));
        if (!(x < 4e-15 && y < 4e-15)) fail_msg("%g degrees: off by (%g, %g)", degrees, x, y);
    }
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    static const char *const names[] = {"corner.asc", "center.asc", "nan.asc", "bad.asc", "flat.asc"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[200];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rasters),          cmocka_unit_test(rasters_that_are_refused), cmocka_unit_test(regions),
        cmocka_unit_test(agents_and_walls), cmocka_unit_test(starts_at_heights),        cmocka_unit_test(directions),
        cmocka_unit_test(stairs),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
