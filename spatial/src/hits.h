// Hits in the order (gap, rank, row), the first so many of them. Few are kept sorted, by column; many as a heap in the
// caller's array with the last on top.

enum { HITS_FEW = 32 }; // up to this capacity

typedef struct hit_list {
    kdt_hit *hits; // the caller's
    uint32_t capacity, count;
    real gap[HITS_FEW];
    uint32_t rank[HITS_FEW], row[HITS_FEW];
} hit_list;

static inline bool hit_before(const kdt_hit *a, const kdt_hit *b) {
    if (a->gap < b->gap) return true;
    if (a->gap > b->gap) return false;
    if (a->rank != b->rank) return a->rank < b->rank;
    return a->row < b->row;
}

static void sift_down(kdt_hit *hits, uint32_t count, uint32_t hole, kdt_hit hit) {
    for (uint32_t child; (child = 2 * hole + 1) < count; hole = child) {
        if (child + 1 < count && hit_before(&hits[child], &hits[child + 1])) ++child;
        if (!hit_before(&hit, &hits[child])) break;
        hits[hole] = hits[child];
    }
    hits[hole] = hit;
}

static void keep_among_many(hit_list *list, kdt_hit hit) {
    kdt_hit *hits = list->hits;
    if (list->count == list->capacity) {
        if (hit_before(&hit, &hits[0])) sift_down(hits, list->capacity, 0, hit);
        return;
    }
    uint32_t hole = list->count++;
    for (; hole > 0 && hit_before(&hits[(hole - 1) / 2], &hit); hole = (hole - 1) / 2)
        hits[hole] = hits[(hole - 1) / 2];
    hits[hole] = hit;
}

static inline bool entry_after(const hit_list *list, uint32_t i, const kdt_hit *hit) {
    if (list->gap[i] > hit->gap) return true;
    if (list->gap[i] < hit->gap) return false;
    return list->rank[i] != hit->rank ? list->rank[i] > hit->rank : list->row[i] > hit->row;
}

static inline void keep_among_few(hit_list *list, kdt_hit hit) {
    uint32_t hole = list->count;
    if (hole == list->capacity) {
        if (hole == 0 || !entry_after(list, hole - 1, &hit)) return;
        --hole;
    } else {
        ++list->count;
    }
    for (; hole > 0 && entry_after(list, hole - 1, &hit); --hole) {
        list->gap[hole] = list->gap[hole - 1];
        list->rank[hole] = list->rank[hole - 1];
        list->row[hole] = list->row[hole - 1];
    }
    list->gap[hole] = hit.gap;
    list->rank[hole] = hit.rank;
    list->row[hole] = hit.row;
}

static inline void keep_hit(hit_list *list, kdt_hit hit) {
    if (list->capacity <= HITS_FEW)
        keep_among_few(list, hit);
    else
        keep_among_many(list, hit);
}

// The last of the hits of a full list.
static inline kdt_hit last_hit(const hit_list *list) {
    if (list->capacity > HITS_FEW) return list->hits[0];
    uint32_t i = list->capacity - 1;
    return (kdt_hit){.gap = list->gap[i], .rank = list->rank[i], .row = list->row[i]};
}

// Puts the hits in order into the caller's array; their number.
static uint32_t finish_hits(hit_list *list) {
    kdt_hit *hits = list->hits;
    if (list->capacity <= HITS_FEW) {
        for (uint32_t i = 0; i < list->count; ++i)
            hits[i] = (kdt_hit){.gap = list->gap[i], .rank = list->rank[i], .row = list->row[i]};
        return list->count;
    }
    for (uint32_t end = list->count; end > 1; --end) {
        kdt_hit last = hits[0];
        sift_down(hits, end - 1, 0, hits[end - 1]);
        hits[end - 1] = last;
    }
    return list->count;
}
