#include "scene/wording.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

void scene_range_text(const scene_key *key, double value, char *text, size_t size) {
    const bool bounded = key->most != THRONG_LIMIT_NUMBER && key->most < DBL_MAX; // else nobody meets its end
    if (bounded && !key->above) {
        snprintf(text, size, "from %.15g to %.20g", key->least, key->most);
    } else if (value > key->most) {
        snprintf(text, size, "at most %.3g", key->most);
    } else {
        const bool vanishes = key->above && value > key->least;
        snprintf(text, size, "%s %.15g%s", key->above ? ">" : ">=", key->least, vanishes ? ", also as a float" : "");
    }
}

void scene_words_text(const char *const *words, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; words[i]; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s\"%s\"", i ? " or " : "", words[i]);
    }
}

enum { WORD_MAX = 40 };

// Insertions, deletions, replacements and swaps of neighbors that turn one word into the other (optimal string
// alignment). Both are at most WORD_MAX long.
static size_t edits(const char *a, const char *b) {
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    size_t length_a = strlen(a), length_b = strlen(b);
    for (size_t j = 0; j <= length_b; j++) last[j] = before[j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        now[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            now[j] = best;
        }
        size_t *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[length_b];
}

const char *scene_nearest_word(const char *word, const char *(*next)(void *context), void *context) {
    const char *nearest = NULL, *known;
    if (strlen(word) > WORD_MAX) return NULL;
    size_t best = strlen(word) / 3 + 1; // farther is another word, not a misspelt one
    while ((known = next(context))) {
        if (strlen(known) > WORD_MAX) continue;
        size_t distance = edits(word, known);
        if (distance < best || (distance == best && !nearest)) {
            best = distance;
            nearest = known;
        }
    }
    return nearest;
}
