// Pictures: what is where, in which colour, read back from the pixels.
#include "record/picture.h" // before cmocka.h, which defines fail as a macro

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef THRONG_HAVE_CAIRO
#include <cairo.h>

static char folder[] = "/tmp/throng-test-XXXXXX";

static const char *path_of(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static uint32_t pixel_of(picture_color color) {
    uint32_t red = (uint32_t)(color.red * 255 + 0.5), green = (uint32_t)(color.green * 255 + 0.5);
    return red << 16 | green << 8 | (uint32_t)(color.blue * 255 + 0.5);
}

// The pixels of one colour: how many, and their middle.
typedef struct patch {
    uint32_t count;
    double x, y;
} patch;

static patch find_patch(const char *path, picture_color color) {
    cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    int width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);
    int stride = cairo_image_surface_get_stride(surface);
    const unsigned char *data = cairo_image_surface_get_data(surface);
    patch found = {0, 0, 0};
    uint32_t wanted = pixel_of(color);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint32_t pixel;
            memcpy(&pixel, data + (ptrdiff_t)y * stride + (ptrdiff_t)x * 4, sizeof pixel);
            pixel &= 0xffffff;
            bool alike = true; // rounding may differ by one
            for (int shift = 0; shift < 24; shift += 8) {
                if (abs((int)(pixel >> shift & 255) - (int)(wanted >> shift & 255)) > 1) alike = false;
            }
            if (!alike) continue;
            found.count++;
            found.x += x + 0.5;
            found.y += y + 0.5;
        }
    }
    found.x /= found.count;
    found.y /= found.count;
    cairo_surface_destroy(surface);
    return found;
}

static void draw(const picture *of, const char *name) {
    failure why;
    if (!picture_write(of, path_of(name), path_of(name), &why)) fail_msg("%s", why.text);
}

static double room_points[8][2] = {{0, 0}, {20, 0}, {20, 10}, {0, 10}, {12, 2}, {12, 6}, {16, 6}, {16, 2}};
static free_ring room_rings[2] = {{0, 4, false}, {4, 4, true}};
static const free_space room = {.points = room_points, .rings = room_rings, .point_count = 8, .ring_count = 2};

// Colours that nothing else in a picture has.
static const picture_color magenta = {1, 0, 1}, lime = {0, 1, 0};

static void test_places(void **state) {
    (void)state;
    const picture_agent agents[] = {{.x = 3, .y = 2, .radius = 1.5F, .color = magenta},
                                    {.x = 7, .y = 8, .radius = 0.75F, .color = lime}};
    const picture of = {.title = "test",
                        .label = "0 s",
                        .ground = &room,
                        .agents = agents,
                        .agent_count = 2,
                        .top_speed = 1,
                        .size = 1000};
    draw(&of, "places.png");
    patch large = find_patch(path_of("places.png"), magenta), small = find_patch(path_of("places.png"), lime);
    assert_true(large.count > 0 && small.count > 0);
    // East is right and north is up, in one scale, which the discs' sizes tell as well.
    double scale = (small.x - large.x) / 4;
    if (fabs((large.y - small.y) / 6 - scale) > 0.05) fail_msg("scales %g and %g", scale, (large.y - small.y) / 6);
    double by_size = sqrt(large.count / acos(-1.0)) / 1.5;
    if (fabs(by_size / scale - 1) > 0.05)
        fail_msg("discs are drawn at %g pixels a metre, places at %g", by_size, scale);
    double ratio = (double)large.count / small.count;
    if (fabs(ratio - 4) > 0.3) fail_msg("twice the radius has %g times the pixels", ratio);
    // The hole in the ground, and nothing else within the ground's bounds, has the walls' colour.
    const picture_color wall = {0.80, 0.82, 0.84};
    patch solid = find_patch(path_of("places.png"), wall);
    double area = solid.count / (scale * scale);
    if (fabs(area - 16) > 0.5) fail_msg("a wall of 16 square metres is drawn with %g", area);
    if (fabs((solid.x - large.x) / scale - 11) > 0.1 || fabs((large.y - solid.y) / scale - 2) > 0.1) {
        fail_msg("the wall is drawn %g, %g m from the agent", (solid.x - large.x) / scale, (large.y - solid.y) / scale);
    }
}

// A floor of 5 by 4 m with a solid of 1 by 2 m on it, which may lie anywhere: here turned by a right angle.
static void test_shapes(void **state) {
    (void)state;
    const double floor[4][2] = {{2, 3}, {6, 3}, {6, 8}, {2, 8}}, bench[4][2] = {{3, 4}, {5, 4}, {5, 5}, {3, 5}};
    const double rail[2][2] = {{2, 8}, {6, 8}};
    const picture_shape shapes[] = {
        {PICTURE_SHAPE_FLOOR, floor, 4}, {PICTURE_SHAPE_SOLID, bench, 4}, {PICTURE_SHAPE_LINE, rail, 2}};
    const picture_agent agents[] = {{.x = 1, .y = 1, .radius = 0.5F, .color = magenta},
                                    {.x = 9, .y = 1, .radius = 0.5F, .color = lime}};
    const picture of = {.title = "",
                        .label = "",
                        .ground = &room,
                        .shapes = shapes,
                        .shape_count = 3,
                        .agents = agents,
                        .agent_count = 2,
                        .top_speed = 1,
                        .size = 1000};
    draw(&of, "shapes.png");
    const picture_color carrier = {0.89, 0.92, 0.97}, wall = {0.80, 0.82, 0.84};
    const patch origin = find_patch(path_of("shapes.png"), magenta), east = find_patch(path_of("shapes.png"), lime);
    const patch on = find_patch(path_of("shapes.png"), carrier), solid = find_patch(path_of("shapes.png"), wall);
    const double scale = (east.x - origin.x) / 8, area = on.count / (scale * scale);
    if (fabs(area - 18) > 0.7) fail_msg("18 square metres of floor are drawn with %g", area);
    // The middle of the floor without the bench, in m from the first agent.
    const double x = (on.x - origin.x) / scale, y = (origin.y - on.y) / scale;
    if (fabs(x - 3) > 0.05 || fabs(y - (4.5 + 1.0 / 9)) > 0.05) fail_msg("the floor is drawn at %g, %g", x, y);
    // The room's own wall of 16 square metres, and the bench.
    const double walls = solid.count / (scale * scale);
    if (fabs(walls - 18) > 0.7) fail_msg("18 square metres of walls are drawn with %g", walls);
}

// The nose points ahead: it takes the disc's colour away there.
static void test_headings(void **state) {
    (void)state;
    const float headings[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    picture_agent agent = {.x = 10, .y = 8, .radius = 1.5F, .color = magenta};
    const picture of = {
        .title = "", .label = "", .ground = &room, .agents = &agent, .agent_count = 1, .top_speed = 1, .size = 1000};
    draw(&of, "heading.png");
    patch whole = find_patch(path_of("heading.png"), magenta);
    for (int i = 0; i < 4; i++) {
        agent.heading_x = headings[i][0];
        agent.heading_y = headings[i][1];
        draw(&of, "heading.png");
        patch rest = find_patch(path_of("heading.png"), magenta);
        assert_true(rest.count < whole.count);
        // The rest's middle moves to the back.
        double back_x = whole.x - rest.x, back_y = rest.y - whole.y;
        double along = back_x * (double)headings[i][0] + back_y * (double)headings[i][1];
        double aside = back_x * (double)headings[i][1] - back_y * (double)headings[i][0];
        if (along < 1 || fabs(aside) > 0.5)
            fail_msg("heading %d: the nose is %g pixels ahead, %g aside", i, along, aside);
    }
}

static void test_trails(void **state) {
    (void)state;
    const double points[][2] = {{1, 9}, {9, 9}, {9, 1}};
    const picture_trail trail = {points, 3, magenta};
    picture of = {.title = "",
                  .label = "",
                  .ground = &room,
                  .trails = &trail,
                  .trail_count = 1,
                  .legend = PICTURE_LEGEND_GOAL,
                  .size = 1000};
    draw(&of, "with.png");
    of.trail_count = 0;
    draw(&of, "without.png");
    FILE *files[2] = {fopen(path_of("with.png"), "rb"), NULL};
    files[1] = fopen(path_of("without.png"), "rb");
    assert_true(files[0] && files[1]);
    int same = 1, left, right;
    do {
        left = fgetc(files[0]);
        right = fgetc(files[1]);
        if (left != right) same = 0;
    } while (left != EOF && right != EOF);
    fclose(files[0]);
    fclose(files[1]);
    assert_false(same);
}

static void test_open_plane_and_vectors(void **state) {
    (void)state;
    const picture_agent agent = {.x = 1e6, .y = -5e6, .radius = 0.3F, .heading_x = 1, .color = magenta};
    picture of = {.title = "a < b & c", .label = "0 s", .agents = &agent, .agent_count = 1, .top_speed = 1.5};
    draw(&of, "plane.png");
    assert_true(find_patch(path_of("plane.png"), magenta).count > 100);
    of.agent_count = 0; // nothing at all
    draw(&of, "plane.png");
    of.agent_count = 1;
    draw(&of, "plane.svg");
    FILE *file = fopen(path_of("plane.svg"), "r");
    assert_non_null(file);
    enum { ROOM = 1 << 20 };
    char *text = malloc(ROOM);
    assert_non_null(text);
    size_t size = fread(text, 1, ROOM - 1, file);
    text[size] = '\0';
    fclose(file);
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "</svg>"));
    assert_null(strstr(text, "<image")); // all of it vectors
    free(text);
}

static void test_wrong_places_and_names(void **state) {
    (void)state;
    failure why;
    const picture of = {.title = "", .label = ""};
    assert_false(picture_write(&of, "/nowhere/at/all.png", "/nowhere/at/all.png", &why));
    assert_non_null(strstr(why.text, "/nowhere/at/all.png"));
    assert_false(picture_write(&of, "/nowhere/at/all.svg", "/nowhere/at/all.svg", &why));
    assert_non_null(strstr(why.text, "/nowhere/at/all.svg"));
    assert_true(picture_name_check("a.png", &why));
    assert_true(picture_name_check("b.SVG", &why));
    assert_false(picture_name_check("a.gif", &why));
    assert_non_null(strstr(why.text, ".png and .svg"));
    assert_false(picture_name_check("png", &why));
    assert_false(picture_name_check(".png", &why));
}

static void test_colors(void **state) {
    (void)state;
    // In range, and neighboring speeds differ little, so that the scale is smooth.
    picture_color last = picture_speed_color(-1, 1);
    for (int i = 0; i <= 100; i++) {
        picture_color color = picture_speed_color(i * 0.015, 1.5);
        double jump = fabs(color.red - last.red) + fabs(color.green - last.green) + fabs(color.blue - last.blue);
        assert_true(jump < 0.06);
        last = color;
    }
    picture_color beyond = picture_speed_color(9, 1.5);
    assert_true(beyond.red == last.red && beyond.blue == last.blue);
    for (int i = 0; i < 360; i++) {
        double angle = i * acos(-1.0) / 180;
        picture_color color = picture_direction_color(3 * cos(angle), 3 * sin(angle));
        assert_true(color.red >= 0 && color.red <= 1 && color.green >= 0 && color.green <= 1);
        assert_true(color.blue >= 0 && color.blue <= 1);
        picture_color opposite = picture_direction_color(-cos(angle), -sin(angle));
        double apart =
            fabs(color.red - opposite.red) + fabs(color.green - opposite.green) + fabs(color.blue - opposite.blue);
        if (apart < 0.4) fail_msg("%d degrees and the opposite look alike: %g", i, apart);
    }
    picture_color none = picture_direction_color(0, 0);
    assert_true(fabs(none.red - none.green) < 0.01 && fabs(none.green - none.blue) < 0.01);
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    const char *names[] = {"places.png",  "shapes.png", "heading.png", "with.png",
                           "without.png", "plane.png",  "plane.svg"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) unlink(path_of(names[i]));
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places), cmocka_unit_test(test_headings),
        cmocka_unit_test(test_trails), cmocka_unit_test(test_open_plane_and_vectors),
        cmocka_unit_test(test_colors), cmocka_unit_test(test_wrong_places_and_names),
        cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

#else

int main(void) {
    return 0; // nothing to test in a build without Cairo
}

#endif
