// ESRI ASCII rasters: a header of words and numbers (ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter,
// cellsize, nodata_value), then the heights, row by row from the north.
#include "scene/ground.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_WORD = 64 }; // no number or key of a raster is longer

static const double default_nodata = -9999.0;            // the format's
static const double least_cell = 0.001, most_cell = 1e6; // m, as maps take them
static const double most_height = 1e9;                   // m, either sign

typedef struct raster_file {
    FILE *file;
    const char *name;   ///< as the scene gives it
    unsigned long line; ///< of the word read last
    char word[MAX_WORD + 1];
    scene_problems *problems;
} raster_file;

static const scene_place grid_place = {.key = "height_grid"};

static bool complain(const raster_file *r, const char *what, const char *word) {
    return scene_problem_add(r->problems, SCENE_ERROR, &grid_place, "\"%.120s\", line %lu: %s%s%s%s", r->name, r->line,
                             what, word ? " \"" : "", word ? word : "", word ? "\"" : "");
}

/// The next word, "" at the end. False: it is too long to be of a raster.
static bool next_word(raster_file *r) {
    int c = getc(r->file);
    while (c != EOF && isspace(c)) {
        if (c == '\n') r->line++;
        c = getc(r->file);
    }
    size_t length = 0;
    for (; c != EOF && !isspace(c); c = getc(r->file)) {
        if (length < MAX_WORD) r->word[length] = (char)c;
        if (length++ == MAX_WORD) return complain(r, "is no ESRI ASCII raster: a word of more than 64 letters", NULL);
    }
    r->word[length] = '\0';
    if (c == '\n') ungetc(c, r->file); // counted before the next word
    return true;
}

/// The word as a number; NaN is one where a height may be unknown.
static bool number_of(const raster_file *r, double *number) {
    char *end;
    *number = strtod(r->word, &end);
    return end != r->word && *end == '\0' && !isinf(*number);
}

typedef enum header_key { COLUMNS, ROWS, X_CORNER, Y_CORNER, X_CENTER, Y_CENTER, CELL, NODATA, KEY_COUNT } header_key;

static const char *const key_names[KEY_COUNT] = {"ncols",     "nrows",     "xllcorner", "yllcorner",
                                                 "xllcenter", "yllcenter", "cellsize",  "nodata_value"};

static int key_of(const char *word) {
    char small[MAX_WORD + 1];
    size_t length = 0;
    for (; word[length]; length++) small[length] = (char)tolower((unsigned char)word[length]);
    small[length] = '\0';
    for (int key = 0; key < KEY_COUNT; key++) {
        if (strcmp(small, key_names[key]) == 0) return key;
    }
    return -1;
}

/// Reads keys until a word is none: that one is the first height.
static bool read_header(raster_file *r, double header[KEY_COUNT], bool given[KEY_COUNT]) {
    for (;;) {
        if (!next_word(r)) return false;
        const int key = key_of(r->word);
        double number;
        if (key < 0 && number_of(r, &number)) return true;
        if (key < 0) return complain(r, "is no key of an ESRI ASCII raster:", r->word);
        if (given[key]) return complain(r, "a key is given twice:", key_names[key]);
        if (!next_word(r)) return false;
        const bool is_number = number_of(r, &header[key]);
        if (!is_number || (key != NODATA && header[key] != header[key])) { // NaN is a word for unknown heights
            return complain(r, "must be a number:", r->word);
        }
        given[key] = true;
    }
}

static bool check_header(const raster_file *r, const double header[KEY_COUNT], const bool given[KEY_COUNT]) {
    static const header_key needed[] = {COLUMNS, ROWS, CELL};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!given[needed[i]]) return complain(r, "the heights begin without the key", key_names[needed[i]]);
    }
    for (int axis = 0; axis < 2; axis++) {
        if (given[X_CORNER + axis] == given[X_CENTER + axis]) {
            return complain(r, "there must be either xllcorner or xllcenter, and the same for y", NULL);
        }
    }
    for (int key = COLUMNS; key <= ROWS; key++) {
        if (!(header[key] >= 1.0 && header[key] <= 2147483648.0) || header[key] != floor(header[key])) {
            return complain(r, "must be a whole number from 1 to 2^31:", key_names[key]);
        }
    }
    if (header[COLUMNS] * header[ROWS] > 2147483648.0) return complain(r, "there are more than 2^31 heights", NULL);
    if (!(header[CELL] >= least_cell && header[CELL] <= most_cell)) {
        return complain(r, "must be from 0.001 to 1e6 m:", key_names[CELL]);
    }
    for (int key = X_CORNER; key <= Y_CENTER; key++) {
        if (given[key] && fabs(header[key]) > 0.5 * THRONG_LIMIT_PLACE) {
            return complain(r, "must be within +-5e11 m:", key_names[key]);
        }
    }
    return true;
}

/// The first height is in `word`. Rows are turned round: the grid's begin in the south.
static bool read_heights(raster_file *r, double *heights, uint32_t columns, uint32_t rows, double nodata) {
    for (uint32_t row = rows; row-- > 0;) {
        for (uint32_t column = 0; column < columns; column++) {
            const bool first = row + 1 == rows && column == 0;
            if (!first && !next_word(r)) return false;
            double number;
            if (r->word[0] == '\0') return complain(r, "the file ends before the last height", NULL);
            if (!number_of(r, &number)) return complain(r, "must be a number:", r->word);
            if (number == nodata) number = NAN;
            if (fabs(number) > most_height) return complain(r, "must be within +-1e9 m:", r->word);
            heights[(size_t)row * columns + column] = number;
        }
    }
    if (!next_word(r)) return false;
    return r->word[0] == '\0' || complain(r, "there are more heights than ncols * nrows:", r->word);
}

static bool read_raster(raster_file *r, throng_height_grid *grid) {
    double header[KEY_COUNT] = {[NODATA] = default_nodata};
    bool given[KEY_COUNT] = {false};
    if (!read_header(r, header, given) || !check_header(r, header, given)) return false;
    const double half = 0.5 * header[CELL];
    *grid = (throng_height_grid){.columns = (uint32_t)header[COLUMNS],
                                 .rows = (uint32_t)header[ROWS],
                                 .x = given[X_CORNER] ? header[X_CORNER] : header[X_CENTER] - half,
                                 .y = given[Y_CORNER] ? header[Y_CORNER] : header[Y_CENTER] - half,
                                 .cell = header[CELL]};
    double *heights = malloc((size_t)grid->columns * grid->rows * sizeof *heights);
    if (!heights) return scene_problem_add_memory(r->problems, &grid_place);
    grid->heights = heights;
    return read_heights(r, heights, grid->columns, grid->rows, header[NODATA]);
}

/// The path of a file that a scene names, relative to the scene's folder; the caller frees. Null: no memory.
static char *path_beside(const char *scene_path, const char *name) {
    const char *slash = name[0] == '/' ? NULL : strrchr(scene_path, '/');
    const size_t folder = slash ? (size_t)(slash - scene_path) + 1 : 0, length = strlen(name) + 1;
    char *path = malloc(folder + length);
    if (!path) return NULL;
    memcpy(path, scene_path, folder);
    memcpy(path + folder, name, length);
    return path;
}

/// Whether it is a file: pipes and devices may never end.
static bool is_file(FILE *file) {
    struct stat told;
    return fstat(fileno(file), &told) == 0 && S_ISREG(told.st_mode);
}

void scene_read_height_grid(scene *which, scene_problems *problems) {
    char *path = path_beside(problems->file, which->height_grid);
    if (!path) {
        scene_problem_add_memory(problems, &grid_place);
        return;
    }
    raster_file r = {.file = fopen(path, "r"), .name = which->height_grid, .line = 1, .problems = problems};
    if (!r.file) {
        scene_problem_add(problems, SCENE_ERROR, &grid_place, "\"%.120s\" can't be read: %s", path, strerror(errno));
    } else if (!is_file(r.file)) {
        scene_problem_add(problems, SCENE_ERROR, &grid_place, "\"%.120s\" is no file", path);
    } else {
        read_raster(&r, &which->heights);
    }
    if (r.file) fclose(r.file);
    free(path);
}
