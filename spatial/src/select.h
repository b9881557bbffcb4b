// Selection: the value of a given rank among keys, in about one pass and a half.

enum {
    SELECT_COUNTED = 32, // keys among which counting finds the wanted one
    SELECT_SAMPLE = 64,  // keys that guess where the wanted one lies
    SELECT_MARGIN = 8,   // two standard deviations of the rank of a median in such a sample
    SELECT_TRIES = 24    // guesses before the range is halved instead
};

static void sort_keys(real *keys, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) {
        real key = keys[i];
        uint32_t j = i;
        for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

// The key with `rank` keys before it. Quadratic, but without branches that mispredict.
static real pick_key(const real *keys, uint32_t count, uint32_t rank) {
    uint32_t i = 0;
    for (;; ++i) {
        assert(i < count);
        uint32_t before = 0, up_to = 0;
        for (uint32_t j = 0; j < count; ++j) {
            before += (uint32_t)(keys[j] < keys[i]);
            up_to += (uint32_t)(keys[j] <= keys[i]);
        }
        if (before <= rank && rank < up_to) return keys[i];
    }
}

static uint32_t keep_inside(real *keys, uint32_t count, real lo, real hi) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        real key = keys[i];
        keys[kept] = key;
        kept += (uint32_t)((key >= lo) & (key <= hi));
    }
    return kept;
}

static uint32_t keep_below(real *keys, uint32_t count, real lo) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        real key = keys[i];
        keys[kept] = key;
        kept += (uint32_t)(key < lo);
    }
    return kept;
}

static uint32_t keep_above(real *keys, uint32_t count, real hi) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        real key = keys[i];
        keys[kept] = key;
        kept += (uint32_t)(key > hi);
    }
    return kept;
}

// A range that likely holds the key of this rank and few others, from a sorted sample.
static void guess_range(const real *keys, uint32_t count, uint32_t rank, real *lo, real *hi) {
    real sample[SELECT_SAMPLE];
    uint32_t size = count / 4 < SELECT_SAMPLE ? count / 4 : SELECT_SAMPLE;
    for (uint32_t i = 0; i < size; ++i) sample[i] = keys[(uint64_t)i * count / size];
    sort_keys(sample, size);
    uint32_t guess = (uint32_t)((uint64_t)rank * size / count);
    uint32_t margin = size < SELECT_SAMPLE ? 1 + size / 8 : SELECT_MARGIN;
    *lo = guess >= margin ? sample[guess - margin] : -KDT_INF;
    *hi = guess + margin < size ? sample[guess + margin] : KDT_INF;
}

// The lower half of the range of the keys. Some key is inside, and not all unless all are equal. Halving ends after as
// many rounds as the exponents have values, so no data can make a selection quadratic.
static void halve_range(const real *keys, uint32_t count, real *lo, real *hi) {
    *lo = *hi = keys[0];
    for (uint32_t i = 1; i < count; ++i) {
        *lo = smaller(*lo, keys[i]);
        *hi = larger(*hi, keys[i]);
    }
    real middle = *lo / 2 + *hi / 2;
    *hi = middle > *lo && middle < *hi ? middle : *lo;
}

// The key that has `rank` keys before it in sorted order (rank < count). Reorders and drops keys.
static real select_key(real *keys, uint32_t count, uint32_t rank) {
    for (int tries = 0; count > SELECT_COUNTED; ++tries) {
        real lo, hi;
        if (tries < SELECT_TRIES)
            guess_range(keys, count, rank, &lo, &hi);
        else
            halve_range(keys, count, &lo, &hi);
        uint32_t below = 0, inside = 0;
        for (uint32_t i = 0; i < count; ++i) {
            below += (uint32_t)(keys[i] < lo);
            inside += (uint32_t)((keys[i] >= lo) & (keys[i] <= hi));
        }
        if (inside == count) tries = SELECT_TRIES;
        if (rank < below) {
            count = keep_below(keys, count, lo);
        } else if (rank >= below + inside) {
            count = keep_above(keys, count, hi);
            rank -= below + inside;
        } else {
            if (lo == hi) return lo;
            count = keep_inside(keys, count, lo, hi);
            rank -= below;
        }
    }
    return pick_key(keys, count, rank);
}
