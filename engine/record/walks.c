#include "record/walks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double thinned = 0.05; // m between points of a trail

void walks_free(walks *all) {
    for (uint32_t i = 0; i < all->count; i++) free(all->items[i].points);
    free(all->items);
    free(all->moment.agents);
    *all = (walks){0};
}

static bool insert_walk(walks *all, uint32_t at, const replay_agent *agent, failure *why) {
    if (all->count == all->capacity) {
        uint32_t larger = all->capacity ? 2 * all->capacity : 256;
        walk *items = larger > all->capacity ? realloc(all->items, larger * sizeof *items) : NULL;
        if (!items) return fail(why, "out of memory");
        all->items = items;
        all->capacity = larger;
    }
    memmove(all->items + at + 1, all->items + at, (all->count - at) * sizeof *all->items);
    all->items[at] = (walk){.number = agent->number, .start = {agent->x, agent->y}};
    all->count++;
    return true;
}

static bool add_point(walk *of, double x, double y, failure *why) {
    if (of->count == of->capacity) {
        uint32_t larger = of->capacity ? 2 * of->capacity : 16;
        double(*points)[2] = larger > of->capacity ? realloc(of->points, larger * sizeof *points) : NULL;
        if (!points) return fail(why, "out of memory");
        of->points = points;
        of->capacity = larger;
    }
    of->points[of->count][0] = x;
    of->points[of->count][1] = y;
    of->count++;
    return true;
}

static bool extend_trail(walk *of, double x, double y, failure *why) {
    if (of->count > 0) {
        double dx = x - of->points[of->count - 1][0], dy = y - of->points[of->count - 1][1];
        if (dx * dx + dy * dy < thinned * thinned) return true;
    }
    return add_point(of, x, y, why);
}

// Both the frame and the walks ascend by number.
static bool add_frame(walks *all, const replay_frame *frame, bool trails, failure *why) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < frame->count; i++) {
        const replay_agent *agent = &frame->agents[i];
        while (at < all->count && all->items[at].number < agent->number) at++;
        if ((at == all->count || all->items[at].number != agent->number) && !insert_walk(all, at, agent, why)) {
            return false;
        }
        walk *of = &all->items[at];
        of->end[0] = agent->x;
        of->end[1] = agent->y;
        if (trails && !extend_trail(of, agent->x, agent->y, why)) return false;
        for (int axis = 0; axis < 2; axis++) {
            if (of->end[axis] < all->min[axis]) all->min[axis] = of->end[axis];
            if (of->end[axis] > all->max[axis]) all->max[axis] = of->end[axis];
        }
        all->speed_sum += (double)agent->speed;
        if ((double)agent->speed > all->top_speed) all->top_speed = (double)agent->speed;
    }
    if (frame->count > all->most) all->most = frame->count;
    if (all->frames == 0) all->first_time = frame->time;
    all->last_time = frame->time;
    all->at_end = frame->count;
    all->rows += frame->count;
    all->frames++;
    return true;
}

static bool keep_moment(walks *all, const replay_frame *frame, failure *why) {
    all->moment.count = 0;
    all->moment_time = frame->time;
    for (uint32_t i = 0; i < frame->count; i++) {
        if (!replay_rows_add(&all->moment, &frame->agents[i], why)) return false;
    }
    return true;
}

bool walks_read(replay *opened, double at, bool trails, walks *all, failure *why) {
    *all = (walks){.min = {INFINITY, INFINITY}, .max = {-INFINITY, -INFINITY}};
    replay_frame frame;
    replay_status status;
    while ((status = replay_next(opened, &frame, why)) == REPLAY_FRAME) {
        bool nearer = all->frames == 0 || !(fabs(frame.time - at) > fabs(all->moment_time - at));
        if (!add_frame(all, &frame, trails, why) || (nearer && !keep_moment(all, &frame, why))) {
            status = REPLAY_FAILED;
            break;
        }
    }
    for (uint32_t i = 0; i < all->count && trails && status == REPLAY_END; i++) {
        walk *of = &all->items[i];
        const double *last = of->points[of->count - 1];
        if (last[0] == of->end[0] && last[1] == of->end[1]) continue;
        if (!add_point(of, of->end[0], of->end[1], why)) status = REPLAY_FAILED;
    }
    if (status == REPLAY_END) return true;
    walks_free(all);
    return false;
}
