// One lane's lists, from the candidates of the quick search, where short keys do not tell who belongs to them.
#include "kernels/nearest.h"

#include <math.h>

enum { SLOTS = THRONG_CONTACT_SLOTS };

// The nearest so far, in order.
typedef struct nearest {
    float key[SLOTS]; // m
    int32_t position[SLOTS];
    int count;
} nearest;

static bool comes_before(const throng_nearest_crowd *crowd, float key, int32_t position, const nearest *all, int slot) {
    if (key != all->key[slot]) return key < all->key[slot];
    return crowd->rank[position] < crowd->rank[all->position[slot]];
}

static void insert(const throng_nearest_crowd *crowd, float key, int32_t position, nearest *all) {
    if (all->count == SLOTS && !comes_before(crowd, key, position, all, SLOTS - 1)) return;
    int slot = all->count < SLOTS ? all->count++ : SLOTS - 1;
    for (; slot > 0 && comes_before(crowd, key, position, all, slot - 1); slot--) {
        all->key[slot] = all->key[slot - 1];
        all->position[slot] = all->position[slot - 1];
    }
    all->key[slot] = key;
    all->position[slot] = position;
}

void throng_nearest_settle_one(throng_nearest_lists *lists, const throng_nearest_crowd *crowd, int lane) {
    nearest all = {.count = 0};
    for (int i = 0; i < lists->listed; i++) {
        const int32_t position = lists->candidates[i];
        if (position == lists->self[lane]) continue;
        const uint32_t row = crowd->order[position];
        const float dx = (float)(crowd->x[row] - lists->x[lane]), dy = (float)(crowd->y[row] - lists->y[lane]);
        insert(crowd, sqrtf(dx * dx + dy * dy) - crowd->radius[position], position, &all);
    }
    lists->found[lane] = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        const bool used = slot < all.count;
        lists->key[slot * THRONG_LANES + lane] = used ? all.key[slot] : INFINITY;
        lists->position[slot * THRONG_LANES + lane] = used ? all.position[slot] : -1;
        if (used && slot < lists->neighbors[lane] && all.key[slot] <= lists->range[lane]) lists->found[lane]++;
    }
    lists->octants_known &= ~(1u << lane);
}
