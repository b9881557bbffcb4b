// The writing of generated scenes, and the few numbers behind them.
#include "scene/generate_pen.h"

#include <stdlib.h>

static void write_number(FILE *file, double value) {
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value + 0.0); // + 0.0: no "-0"
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, file);
}

static void write_point(FILE *file, generate_point point) {
    fputc('[', file);
    write_number(file, point.x);
    fputs(", ", file);
    write_number(file, point.y);
    fputc(']', file);
}

static void write_points(FILE *file, const generate_point *points, size_t count) {
    fputc('[', file);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) fputs(", ", file);
        write_point(file, points[i]);
    }
    fputc(']', file);
}

generate_pen generate_begin(FILE *file, const generate_kind *kind, double time_step, double duration) {
    fprintf(file, "{\n  \"throng\": 1,\n  \"name\": \"%s\",\n  \"description\": \"%s\",\n  \"time_step\": ", kind->name,
            kind->shows);
    write_number(file, time_step);
    fputs(",\n  \"duration\": ", file);
    write_number(file, duration);
    return (generate_pen){.file = file, .separator = ""};
}

void generate_profiles(generate_pen *pen, const char *object) {
    fprintf(pen->file, ",\n  \"profiles\": %s", object);
}

void generate_doors(generate_pen *pen, const char *value) {
    fprintf(pen->file, ",\n  \"doors\": %s", value);
}

void generate_list_begin(generate_pen *pen, const char *key) {
    fprintf(pen->file, ",\n  \"%s\": [", key);
    pen->separator = "\n    ";
}

void generate_list_end(generate_pen *pen) {
    fputs("\n  ]", pen->file);
}

static void begin_item(generate_pen *pen) {
    fputs(pen->separator, pen->file);
    pen->separator = ",\n    ";
}

void generate_polygon(generate_pen *pen, const generate_point *points, size_t count, bool enclosure) {
    begin_item(pen);
    fputs("{\"polygon\": ", pen->file);
    write_points(pen->file, points, count);
    fputs(enclosure ? ", \"enclosure\": true}" : "}", pen->file);
}

void generate_box(generate_pen *pen, double min_x, double min_y, double max_x, double max_y) {
    const generate_point corners[] = {{min_x, min_y}, {max_x, min_y}, {max_x, max_y}, {min_x, max_y}};
    generate_polygon(pen, corners, 4, false);
}

void generate_agent(generate_pen *pen, const generate_walker *walker) {
    begin_item(pen);
    fputc('{', pen->file);
    if (walker->profile) fprintf(pen->file, "\"profile\": \"%s\", ", walker->profile);
    fputs("\"position\": ", pen->file);
    write_point(pen->file, walker->position);
    if (walker->stop_count == 1) {
        fputs(", \"goal\": ", pen->file);
        write_point(pen->file, walker->stops[0]);
    } else if (walker->stop_count > 1) {
        fputs(", \"route\": ", pen->file);
        write_points(pen->file, walker->stops, walker->stop_count);
    }
    fputs(walker->leave ? ", \"leave\": true}" : "}", pen->file);
}

void generate_end(generate_pen *pen) {
    generate_list_end(pen);
    fputs("\n}\n", pen->file);
}

double generate_millimetre(double value) {
    double scaled = value * 1000;
    return (double)(int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5) / 1000;
}

// Taylor series, exact to the last bit or so for angles up to an eighth of a turn.
static generate_point small_turn(double angle) {
    double square = angle * angle;
    double cosine = 0, sine = 0;
    for (int n = 20; n >= 2; n -= 2) {
        cosine = (1 - cosine) * square / ((double)n * (n - 1));
        sine = (1 - sine) * square / ((double)n * (n + 1));
    }
    return (generate_point){1 - cosine, angle * (1 - sine)};
}

generate_point generate_turn(uint64_t index, uint64_t count) {
    const double full_turn = 6.283185307179586476925286766559;
    // Folded into the first eighth in whole numbers, where nothing is rounded.
    uint64_t part = index % count * 8; // eighths of 1 / count
    uint64_t quarter = part / (2 * count);
    part -= quarter * 2 * count;
    bool mirrored = part > count;
    if (mirrored) part = 2 * count - part;
    generate_point point = small_turn(full_turn * (double)part / (8 * (double)count));
    if (mirrored) point = (generate_point){point.y, point.x};
    switch (quarter) {
    case 0:
        return point;
    case 1:
        return (generate_point){-point.y, point.x};
    case 2:
        return (generate_point){-point.x, -point.y};
    default:
        return (generate_point){point.y, -point.x};
    }
}

// Every bit of the result depends on every bit of the word (a bijection: multiply by odd, fold high bits down).
static uint64_t mix(uint64_t word) {
    word = (word ^ (word >> 32)) * 0x9e6c63d0876a9a47u;
    word = (word ^ (word >> 29)) * 0xd6e8feb86659fd93u;
    return word ^ (word >> 32);
}

double generate_chance(uint64_t seed, uint64_t index, uint64_t purpose) {
    uint64_t word = mix(mix(mix(seed + 0x632be59bd9b4e019u) + index) + purpose);
    return (double)(word >> 11) / 9007199254740992.0; // 2^53
}
