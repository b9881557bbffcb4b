// Drawing with Cairo: a title line, the ground with trails and agents, a scale bar and what the colours mean.
#include "record/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *name, const char *ending) {
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcasecmp(name + length - tail, ending) == 0;
}

bool picture_name_check(const char *name, failure *why) {
    if (!ends_with(name, ".png") && !ends_with(name, ".svg")) {
        return fail(why, "%s: the ending says no kind of picture; there are .png and .svg", name);
    }
#ifndef THRONG_HAVE_CAIRO
    return fail(why, "%s: this build draws no pictures (it was made without Cairo)", name);
#else
    return true;
#endif
}

#ifdef THRONG_HAVE_CAIRO

#include <cairo-svg.h>
#include <cairo.h>

static const double pi = 3.14159265358979323846;

// Pixels; those of the frame and its texts are for a picture of the usual size and grow with larger ones.
static const double border = 24, head = 58, foot = 60;
static const double least_size = 720, usual_size = 1600, most_size = 3200;
static const double told_apart = 4.2; // an agent's radius

static const picture_color paper = {0.975, 0.975, 0.965}, solid = {0.80, 0.82, 0.84}, floor_color = {1, 1, 1};
static const picture_color carrier = {0.89, 0.92, 0.97};
static const picture_color ink = {0.16, 0.18, 0.22}, faint_ink = {0.42, 0.45, 0.50}, grid_ink = {0.925, 0.935, 0.945};

typedef struct canvas {
    cairo_t *cairo;
    const picture *picture;
    double min[2], max[2];            // m, what is shown
    double scale;                     // pixels a metre
    double left, top;                 // pixels, of the ground
    double width, height;             // pixels, of the ground
    double total_width, total_height; // pixels
    double unit;                      // pixels of the frame's one
} canvas;

static void use(const canvas *on, picture_color color, double opacity) {
    cairo_set_source_rgba(on->cairo, color.red, color.green, color.blue, opacity);
}

static double to_x(const canvas *on, double x) {
    return on->left + (x - on->min[0]) * on->scale;
}

static double to_y(const canvas *on, double y) {
    return on->top + (on->max[1] - y) * on->scale;
}

static void widen(canvas *on, double x, double y, double by) {
    if (x - by < on->min[0]) on->min[0] = x - by;
    if (y - by < on->min[1]) on->min[1] = y - by;
    if (x + by > on->max[0]) on->max[0] = x + by;
    if (y + by > on->max[1]) on->max[1] = y + by;
}

// What is shown: the ground, or all that is drawn and 1 m around.
static void find_bounds(canvas *on) {
    const picture *of = on->picture;
    if (of->ground && free_space_bounds(of->ground, on->min, on->max)) return;
    on->min[0] = on->min[1] = INFINITY;
    on->max[0] = on->max[1] = -INFINITY;
    for (uint32_t i = 0; i < of->agent_count; i++) widen(on, of->agents[i].x, of->agents[i].y, of->agents[i].radius);
    for (uint32_t i = 0; i < of->shape_count; i++) {
        for (uint32_t k = 0; k < of->shapes[i].count; k++) {
            widen(on, of->shapes[i].points[k][0], of->shapes[i].points[k][1], 0);
        }
    }
    for (uint32_t i = 0; i < of->trail_count; i++) {
        for (uint32_t k = 0; k < of->trails[i].count; k++) {
            widen(on, of->trails[i].points[k][0], of->trails[i].points[k][1], 0);
        }
    }
    if (on->min[0] > on->max[0]) on->min[0] = on->min[1] = on->max[0] = on->max[1] = 0;
    widen(on, on->min[0], on->min[1], 1);
    widen(on, on->max[0], on->max[1], 1);
}

static void find_layout(canvas *on) {
    const picture *of = on->picture;
    double wide = on->max[0] - on->min[0], high = on->max[1] - on->min[1];
    double longer = wide > high ? wide : high;
    double size = of->size;
    if (of->size == 0) {
        double smallest = INFINITY;
        for (uint32_t i = 0; i < of->agent_count; i++) {
            if (of->agents[i].radius > 0 && of->agents[i].radius < smallest) smallest = of->agents[i].radius;
        }
        size = usual_size;
        if (smallest < INFINITY && smallest * size / longer < told_apart) size = told_apart / smallest * longer;
        if (size > most_size) size = most_size;
    }
    on->unit = size > usual_size ? size / usual_size : 1;
    on->scale = (size - 2 * border * on->unit) / longer;
    on->width = wide * on->scale;
    on->height = high * on->scale;
    on->total_width = on->width + 2 * border * on->unit;
    if (on->total_width < least_size) on->total_width = least_size;
    on->total_height = on->height + (head + foot) * on->unit;
    on->left = (on->total_width - on->width) / 2;
    on->top = head * on->unit;
}

// 1, 2 or 5 times a power of ten, at most `limit`.
static double round_length(double limit) {
    double step = pow(10, floor(log10(limit)));
    if (5 * step <= limit) return 5 * step;
    return 2 * step <= limit ? 2 * step : step;
}

static void trace_ring(const canvas *on, const free_ring *ring) {
    const double(*points)[2] = (const double(*)[2])on->picture->ground->points + ring->first;
    cairo_new_sub_path(on->cairo);
    for (uint32_t i = 0; i < ring->count; i++) {
        cairo_line_to(on->cairo, to_x(on, points[i][0]), to_y(on, points[i][1]));
    }
    cairo_close_path(on->cairo);
}

static void trace_ground(const canvas *on) {
    cairo_new_path(on->cairo);
    if (on->picture->ground) {
        for (uint32_t i = 0; i < on->picture->ground->ring_count; i++) trace_ring(on, &on->picture->ground->rings[i]);
    } else {
        cairo_rectangle(on->cairo, on->left, on->top, on->width, on->height);
    }
}

static void draw_ground(const canvas *on) {
    cairo_t *cairo = on->cairo;
    use(on, solid, 1);
    cairo_rectangle(cairo, on->left, on->top, on->width, on->height);
    cairo_fill(cairo);
    cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD);
    trace_ground(on);
    use(on, floor_color, 1);
    cairo_fill_preserve(cairo);
    cairo_save(cairo);
    cairo_clip(cairo);
    double step = round_length((on->max[0] - on->min[0] + on->max[1] - on->min[1]) / 12);
    cairo_set_line_width(cairo, 1);
    use(on, grid_ink, 1);
    for (double x = ceil(on->min[0] / step) * step; x <= on->max[0]; x += step) {
        cairo_move_to(cairo, to_x(on, x), on->top);
        cairo_line_to(cairo, to_x(on, x), on->top + on->height);
    }
    for (double y = ceil(on->min[1] / step) * step; y <= on->max[1]; y += step) {
        cairo_move_to(cairo, on->left, to_y(on, y));
        cairo_line_to(cairo, on->left + on->width, to_y(on, y));
    }
    cairo_stroke(cairo);
    cairo_restore(cairo);
    trace_ground(on);
    use(on, faint_ink, 1);
    cairo_set_line_width(cairo, 1.5);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(cairo);
}

static void draw_shapes(const canvas *on) {
    cairo_t *cairo = on->cairo;
    cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    for (uint32_t i = 0; i < on->picture->shape_count; i++) {
        const picture_shape *shape = &on->picture->shapes[i];
        const bool floor = shape->kind == PICTURE_SHAPE_FLOOR;
        cairo_new_path(cairo);
        for (uint32_t k = 0; k < shape->count; k++) {
            cairo_line_to(cairo, to_x(on, shape->points[k][0]), to_y(on, shape->points[k][1]));
        }
        if (shape->kind != PICTURE_SHAPE_LINE) cairo_close_path(cairo);
        if (floor || shape->kind == PICTURE_SHAPE_SOLID) {
            use(on, floor ? carrier : solid, 1);
            cairo_fill_preserve(cairo);
        }
        use(on, floor ? faint_ink : ink, floor ? 0.5 : 0.8);
        cairo_set_line_width(cairo, floor ? 1 : 2);
        cairo_stroke(cairo);
    }
}

static void draw_trails(const canvas *on) {
    cairo_t *cairo = on->cairo;
    uint32_t count = on->picture->trail_count;
    // The more there are, the fainter, so that a crowd's lanes show.
    double opacity = 6 / sqrt((double)count + 1);
    opacity = opacity > 0.8 ? 0.8 : opacity < 0.15 ? 0.15 : opacity;
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cairo, count > 500 ? 1 : 1.6);
    for (uint32_t i = 0; i < count; i++) {
        const picture_trail *trail = &on->picture->trails[i];
        use(on, trail->color, opacity);
        for (uint32_t k = 0; k < trail->count; k++) {
            cairo_line_to(cairo, to_x(on, trail->points[k][0]), to_y(on, trail->points[k][1]));
        }
        cairo_stroke(cairo);
    }
}

static void draw_agents(const canvas *on) {
    cairo_t *cairo = on->cairo;
    for (uint32_t i = 0; i < on->picture->agent_count; i++) {
        const picture_agent *agent = &on->picture->agents[i];
        double x = to_x(on, agent->x), y = to_y(on, agent->y);
        double radius = agent->radius * on->scale;
        double shown = radius > 1.2 ? radius : 1.2; // never too small to see
        cairo_new_path(cairo);
        cairo_arc(cairo, x, y, shown, 0, 2 * pi);
        use(on, agent->color, 1);
        cairo_fill_preserve(cairo);
        if (shown > 3) {
            use(on, ink, 0.55);
            cairo_set_line_width(cairo, shown > 10 ? 1.2 : 0.7);
            cairo_stroke(cairo);
        }
        cairo_new_path(cairo);
        if (shown < 2.5 || (agent->heading_x == 0 && agent->heading_y == 0)) continue;
        // A nose: a white wedge that points ahead, within the disc.
        double hx = (double)agent->heading_x * shown, hy = -(double)agent->heading_y * shown;
        cairo_move_to(cairo, x + 0.88 * hx, y + 0.88 * hy);
        cairo_line_to(cairo, x - 0.25 * hx - 0.5 * hy, y - 0.25 * hy + 0.5 * hx);
        cairo_line_to(cairo, x + 0.05 * hx, y + 0.05 * hy);
        cairo_line_to(cairo, x - 0.25 * hx + 0.5 * hy, y - 0.25 * hy - 0.5 * hx);
        cairo_close_path(cairo);
        use(on, floor_color, 0.92);
        cairo_fill(cairo);
    }
}

// Text whose left end (align 0), middle (0.5) or right end (1) is at x.
static void draw_text(const canvas *on, const char *text, double x, double y, double align) {
    cairo_text_extents_t extents;
    cairo_text_extents(on->cairo, text, &extents);
    cairo_move_to(on->cairo, x - align * extents.x_advance, y);
    cairo_text_path(on->cairo, text); // outlines, not glyphs: an SVG would hold those as bitmaps
    cairo_fill(on->cairo);
}

// Cairo's own font: the same on every machine, with no fonts installed either.
static void set_font(const canvas *on, cairo_font_weight_t weight, double size) {
    cairo_select_font_face(on->cairo, "@cairo:sans", CAIRO_FONT_SLANT_NORMAL, weight);
    cairo_set_font_size(on->cairo, size);
}

static void draw_head(const canvas *on, double width) {
    use(on, ink, 1);
    set_font(on, CAIRO_FONT_WEIGHT_BOLD, 21);
    draw_text(on, on->picture->title, border, 37, 0);
    set_font(on, CAIRO_FONT_WEIGHT_NORMAL, 18);
    draw_text(on, on->picture->label, width - border, 37, 1);
}

static void draw_scale_bar(const canvas *on, double y) {
    cairo_t *cairo = on->cairo;
    double scale = on->scale / on->unit, most = on->width / on->unit / 3;
    double length = round_length((most < 220 ? most : 220) / scale);
    double right = border + length * scale;
    use(on, ink, 1);
    cairo_set_line_width(cairo, 2);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
    cairo_move_to(cairo, border, y - 5);
    cairo_line_to(cairo, border, y + 5);
    cairo_move_to(cairo, border, y);
    cairo_line_to(cairo, right, y);
    cairo_move_to(cairo, right, y - 5);
    cairo_line_to(cairo, right, y + 5);
    cairo_stroke(cairo);
    char text[32];
    snprintf(text, sizeof text, "%.10g m", length);
    draw_text(on, text, right + 10, y + 5, 0);
}

static void draw_speed_legend(const canvas *on, double width, double y) {
    cairo_t *cairo = on->cairo;
    const double length = 160, thickness = 10;
    char text[32];
    snprintf(text, sizeof text, "%.3g m/s", on->picture->top_speed);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    double right = width - border - extents.x_advance - 8;
    cairo_pattern_t *bar = cairo_pattern_create_linear(right - length, 0, right, 0);
    for (int i = 0; i <= 12; i++) {
        picture_color color = picture_speed_color(i, 12);
        cairo_pattern_add_color_stop_rgb(bar, i / 12.0, color.red, color.green, color.blue);
    }
    cairo_set_source(cairo, bar);
    cairo_rectangle(cairo, right - length, y - thickness / 2, length, thickness);
    cairo_fill(cairo);
    cairo_pattern_destroy(bar);
    use(on, ink, 1);
    draw_text(on, text, right + 8, y + 5, 0);
    draw_text(on, "speed 0", right - length - 8, y + 5, 1);
}

static void draw_goal_legend(const canvas *on, double width, double y) {
    const double outer = 17, inner = 8;
    double x = width - border - outer;
    for (int i = 0; i < 36; i++) {
        const double part = pi / 18;
        double middle = (i + 0.5) * part;
        use(on, picture_direction_color(cos(middle), sin(middle)), 1);
        cairo_new_path(on->cairo);
        cairo_arc(on->cairo, x, y, outer, -(i + 1.05) * part, -(i - 0.05) * part);
        cairo_arc_negative(on->cairo, x, y, inner, -(i - 0.05) * part, -(i + 1.05) * part);
        cairo_close_path(on->cairo);
        cairo_fill(on->cairo);
    }
    use(on, ink, 1);
    draw_text(on, "where they go", x - outer - 10, y + 5, 1);
}

static void draw_frame(const canvas *on) {
    cairo_save(on->cairo);
    cairo_scale(on->cairo, on->unit, on->unit);
    double width = on->total_width / on->unit, y = on->total_height / on->unit - foot / 2;
    draw_head(on, width);
    set_font(on, CAIRO_FONT_WEIGHT_NORMAL, 15);
    draw_scale_bar(on, y);
    if (on->picture->legend == PICTURE_LEGEND_SPEED) {
        draw_speed_legend(on, width, y);
    } else {
        draw_goal_legend(on, width, y);
    }
    cairo_restore(on->cairo);
}

static cairo_status_t draw(const canvas *on, cairo_surface_t *surface, const char *png_path) {
    canvas drawn = *on;
    drawn.cairo = cairo_create(surface);
    use(&drawn, paper, 1);
    cairo_paint(drawn.cairo);
    draw_ground(&drawn);
    cairo_save(drawn.cairo);
    cairo_rectangle(drawn.cairo, drawn.left, drawn.top, drawn.width, drawn.height);
    cairo_clip(drawn.cairo);
    draw_shapes(&drawn);
    draw_trails(&drawn);
    draw_agents(&drawn);
    cairo_restore(drawn.cairo);
    draw_frame(&drawn);
    cairo_status_t status = cairo_status(drawn.cairo);
    cairo_destroy(drawn.cairo);
    if (status == CAIRO_STATUS_SUCCESS && png_path) status = cairo_surface_write_to_png(surface, png_path);
    cairo_surface_finish(surface);
    return status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : status;
}

bool picture_write(const picture *of, const char *path, const char *name, failure *why) {
    canvas on = {.picture = of};
    find_bounds(&on);
    find_layout(&on);
    bool png = ends_with(name, ".png");
    int width = (int)(on.total_width + 0.5), height = (int)(on.total_height + 0.5);
    cairo_surface_t *surface = png ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)
                                   : cairo_svg_surface_create(path, width, height);
    cairo_status_t status = cairo_surface_status(surface);
    if (status == CAIRO_STATUS_SUCCESS) status = draw(&on, surface, png ? path : NULL);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS || fail(why, "%s: %s", name, cairo_status_to_string(status));
}

#else

bool picture_write(const picture *of, const char *path, const char *name, failure *why) {
    (void)of;
    (void)path;
    return picture_name_check(name, why);
}

#endif
