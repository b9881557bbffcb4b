// Random sequences of calls against a simple model: who lives, by the host's word; who is parked; where the host put
// whom; what a snapshot brings back.
#include <throng/throng.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 64, MOST_WALLS = 8, MOST_SUPPORTS = 4 };

typedef struct model {
    uint32_t count, wall_count, support_count;
    throng_agent_id ids[MOST], gone; // gone: removed last, all zero: nobody
    uint64_t words[MOST], next_word;
    bool parked[MOST];
    throng_wall_id walls[MOST_WALLS];
    throng_support_id supports[MOST_SUPPORTS];
    bool fresh; // the index
} model;

typedef struct run {
    const uint8_t *data;
    size_t left;
    throng_world *world;
    model now, saved;
    unsigned char *image; // a snapshot of `saved`
    size_t image_size;
} run;

static void require(bool holds) {
    if (!holds) abort();
}

static void must(throng_result result) {
    require(result == THRONG_OK);
}

static uint8_t next(run *r) {
    if (r->left == 0) return 0;
    r->left--;
    return *r->data++;
}

static double next_place(run *r) {
    return (next(r) - 128) / 16.0;
}

static throng_agent_def next_agent(run *r) {
    throng_agent_def def = throng_default_agent_def();
    const uint8_t kind = next(r);
    def.position[0] = next_place(r);
    def.position[1] = next_place(r);
    def.target.kind = (throng_target_kind)(kind % 4);
    def.target.x = next_place(r);
    def.target.y = next_place(r);
    def.target.end_x = 2.0;
    def.radius = (float)(kind >> 4) / 16.0f;
    def.max_neighbors = kind & 8 ? 30 : 3;
    def.flags = kind == 77 ? THRONG_AGENT_HOST_MOVED : 0;
    return def;
}

static void add(run *r) {
    model *m = &r->now;
    const uint32_t count = next(r) % 8;
    if (m->count + count > MOST) return;
    throng_agent_def defs[8] = {0};
    for (uint32_t i = 0; i < count; i++) {
        defs[i] = next_agent(r);
        defs[i].host_word = m->words[m->count + i] = m->next_word++;
        m->parked[m->count + i] = false;
    }
    must(throng_agents_add(r->world, defs, count, m->ids + m->count));
    m->count += count;
    if (count) m->fresh = false;
}

static void remove_some(run *r) {
    model *m = &r->now;
    const uint32_t count = next(r) % 5, first = m->count ? next(r) % m->count : 0;
    if (first + count > m->count || count == 0) return;
    m->gone = m->ids[first];
    must(throng_agents_remove(r->world, m->ids + first, count));
    m->count -= count;
    memmove(m->ids + first, m->ids + first + count, (m->count - first) * sizeof *m->ids);
    memmove(m->words + first, m->words + first + count, (m->count - first) * sizeof *m->words);
    memmove(m->parked + first, m->parked + first + count, (m->count - first) * sizeof *m->parked);
    m->fresh = false;
}

static void park(run *r) {
    model *m = &r->now;
    if (m->count == 0) return;
    const uint32_t which = next(r) % m->count;
    const bool parked = next(r) & 1;
    must(throng_agents_park(r->world, &m->ids[which], 1, parked));
    if (m->parked[which] != parked) m->fresh = false;
    m->parked[which] = parked;
}

static void teleport(run *r) {
    model *m = &r->now;
    if (m->count == 0) return;
    const uint32_t which = next(r) % m->count;
    const double to[2] = {next_place(r), next_place(r)};
    double back[2];
    must(throng_agents_write(r->world, THRONG_FIELD_POSITION, &m->ids[which], 1, to));
    must(throng_agents_read(r->world, THRONG_FIELD_POSITION, &m->ids[which], 1, back));
    require(back[0] == to[0] && back[1] == to[1]);
    m->fresh = false;
}

static void change(run *r) {
    model *m = &r->now;
    if (m->count == 0) return;
    const uint32_t which = next(r) % m->count;
    const float radius = (float)next(r) / 128.0f;
    must(throng_agents_write(r->world, THRONG_FIELD_RADIUS, &m->ids[which], 1, &radius));
    m->fresh = false;
}

// Fields of optional columns: what is written is read back.
static void differ(run *r) {
    static const struct {
        throng_field field;
        uint32_t choices; // 0: a number
        float scale, offset;
    } fields[] = {{THRONG_FIELD_MODEL, 3, 0, 0},
                  {THRONG_FIELD_INFEASIBLE, 2, 0, 0},
                  {THRONG_FIELD_LINE_OF_SIGHT, 2, 0, 0},
                  {THRONG_FIELD_AGGRESSIVENESS, 0, 0.1f, 0},
                  {THRONG_FIELD_MAX_TURN_RATE, 0, 0.1f, 0},
                  {THRONG_FIELD_MAX_ACCELERATION, 0, 0.1f, 0},
                  {THRONG_FIELD_SPEED_LIMIT, 0, 0.02f, 0},
                  {THRONG_FIELD_HEIGHT_LOW, 0, 0.1f, -12},
                  {THRONG_FIELD_HEIGHT_HIGH, 0, 0.1f, -12},
                  {THRONG_FIELD_VIEW_COSINE, 0, 1 / 130.0f, -0.97f},
                  {THRONG_FIELD_VIEW_RANGE, 0, 0.1f, 0}};
    model *m = &r->now;
    if (m->count == 0) return;
    const throng_agent_id *id = &m->ids[next(r) % m->count];
    const size_t i = next(r) % (sizeof fields / sizeof fields[0]);
    const uint8_t value = next(r);
    if (fields[i].choices) {
        const uint32_t choice = value % fields[i].choices;
        uint32_t back;
        must(throng_agents_write(r->world, fields[i].field, id, 1, &choice));
        must(throng_agents_read(r->world, fields[i].field, id, 1, &back));
        require(back == choice);
        return;
    }
    const float number = value == 255 && i >= 4 && i != 9 ? INFINITY : value * fields[i].scale + fields[i].offset;
    float back;
    must(throng_agents_write(r->world, fields[i].field, id, 1, &number));
    must(throng_agents_read(r->world, fields[i].field, id, 1, &back));
    require(back == number);
}

static void add_wall(run *r) {
    model *m = &r->now;
    if (m->wall_count == MOST_WALLS) return;
    double points[8];
    for (int i = 0; i < 8; i++) points[i] = next_place(r);
    const throng_wall wall = {(throng_wall_kind)(next(r) % 3), 3 + next(r) % 2, points, 1};
    must(throng_world_add_walls(r->world, &wall, 1, &m->walls[m->wall_count]));
    m->wall_count++;
}

static void remove_wall(run *r) {
    model *m = &r->now;
    if (m->wall_count == 0) return;
    const uint32_t which = next(r) % m->wall_count;
    const throng_wall_id gone = m->walls[which];
    must(throng_world_remove_walls(r->world, &gone, 1));
    require(throng_world_remove_walls(r->world, &gone, 1) == THRONG_ERROR_STALE_ID);
    m->walls[which] = m->walls[--m->wall_count];
}

static throng_support_motion next_motion(run *r, throng_support_kind kind) {
    throng_support_motion motion = throng_default_support_def().motion;
    for (int axis = 0; axis < 2; axis++) motion.velocity[axis] = next_place(r);
    if (kind == THRONG_SUPPORT_BELT) return motion;
    for (int axis = 0; axis < 2; axis++) motion.position[axis] = next_place(r);
    throng_heading(next_place(r), motion.heading);
    motion.turn_rate = next_place(r);
    return motion;
}

static void add_support(run *r) {
    model *m = &r->now;
    if (m->support_count == MOST_SUPPORTS) return;
    double points[8];
    for (int i = 0; i < 8; i++) points[i] = next_place(r);
    const throng_wall wall = {.kind = (throng_wall_kind)(next(r) % 3), .point_count = 3, .points = points, .layer = 1};
    throng_support_def def = throng_default_support_def();
    const uint8_t kind = next(r);
    def.kind = (throng_support_kind)(kind & 1);
    def.motion = next_motion(r, def.kind);
    def.outline = points;
    def.outline_count = kind & 2 ? 4 : 0;
    def.walls = &wall;
    def.wall_count = def.kind == THRONG_SUPPORT_PLATFORM && kind & 4;
    must(throng_supports_add(r->world, &def, 1, &m->supports[m->support_count]));
    m->support_count++;
}

static void remove_support(run *r) {
    model *m = &r->now;
    if (m->support_count == 0) return;
    const uint32_t which = next(r) % m->support_count;
    const throng_support_id gone = m->supports[which];
    must(throng_supports_remove(r->world, &gone, 1));
    require(throng_supports_remove(r->world, &gone, 1) == THRONG_ERROR_STALE_ID);
    m->supports[which] = m->supports[--m->support_count];
    m->fresh = false;
}

static void move_support(run *r) {
    model *m = &r->now;
    if (m->support_count == 0) return;
    const throng_support_id id = m->supports[next(r) % m->support_count];
    throng_support_motion motion;
    must(throng_support_read(r->world, id, &motion));
    motion.velocity[0] = next_place(r);
    if (motion.turn_rate != 0.0) {
        motion = next_motion(r, THRONG_SUPPORT_PLATFORM);
        m->fresh = false;
    }
    must(throng_supports_move(r->world, &id, &motion, 1));
}

// It stays where it is in the world.
static void put_on(run *r) {
    model *m = &r->now;
    if (m->count == 0 || m->support_count == 0) return;
    const throng_agent_id id = m->ids[next(r) % m->count];
    const throng_support_id on = next(r) & 1 ? m->supports[next(r) % m->support_count] : (throng_support_id){0};
    const throng_target target = {.kind = THRONG_TARGET_POINT, .x = next_place(r), .support = on};
    throng_view view;
    throng_support_id read;
    uint32_t row;
    must(throng_agent_row(r->world, id, &row));
    must(throng_world_view(r->world, &view));
    const double x = view.x[row], y = view.y[row];
    must(throng_agents_write(r->world, THRONG_FIELD_SUPPORT, &id, 1, &on));
    must(throng_agents_write(r->world, THRONG_FIELD_TARGET, &id, 1, &target));
    must(throng_agents_read(r->world, THRONG_FIELD_SUPPORT, &id, 1, &read));
    must(throng_world_view(r->world, &view));
    require(read.index == on.index && read.generation == on.generation);
    require(fabs(view.x[row] - x) < 1e-6 && fabs(view.y[row] - y) < 1e-6);
    m->fresh = false;
}

static void step(run *r) {
    static const double steps[] = {0.1, 0.01, 1.0, 0.5};
    must(throng_world_step(r->world, steps[next(r) % 4]));
    r->now.fresh = true;
}

static void query(run *r) {
    const model *m = &r->now;
    throng_query_hit hits[MOST];
    uint32_t count;
    uint32_t active = 0;
    for (uint32_t i = 0; i < m->count; i++) active += !m->parked[i];
    const throng_result result =
        throng_query_nearest(r->world, next_place(r), next_place(r), INFINITY, NULL, hits, MOST, &count);
    if (!m->fresh && active) {
        require(result == THRONG_ERROR_STALE_INDEX);
        must(throng_world_refresh(r->world));
        r->now.fresh = true;
        return;
    }
    must(result);
    require(count == active);
    for (uint32_t i = 1; i < count; i++) require(hits[i - 1].gap <= hits[i].gap);
}

static void explain(run *r) {
    model *m = &r->now;
    if (m->count == 0) return;
    const uint32_t which = next(r) % m->count;
    static throng_explanation why;
    must(throng_world_refresh(r->world));
    m->fresh = true;
    const throng_result result = throng_query_explain(r->world, m->ids[which], 0.1, &why);
    require(result == (m->parked[which] ? THRONG_ERROR_ARGUMENT : THRONG_OK));
}

static void save(run *r) {
    must(throng_world_save(r->world, NULL, 0, &r->image_size));
    free(r->image);
    r->image = malloc(r->image_size);
    require(r->image);
    must(throng_world_save(r->world, r->image, r->image_size, &r->image_size));
    r->saved = r->now;
}

static void load(run *r) {
    if (!r->image) return;
    const uint64_t next_word = r->now.next_word;
    must(throng_world_load(r->world, r->image, r->image_size));
    r->now = r->saved;
    r->now.next_word = next_word;
    r->now.fresh = false;
}

static void check(const run *r) {
    const model *m = &r->now;
    throng_view view;
    throng_counters counters;
    must(throng_world_view(r->world, &view));
    must(throng_world_counters(r->world, &counters));
    require(view.count == m->count && counters.agents == m->count);
    uint64_t parked = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t row;
        uint8_t is_parked;
        must(throng_agent_row(r->world, m->ids[i], &row));
        must(throng_agents_read(r->world, THRONG_FIELD_PARKED, &m->ids[i], 1, &is_parked));
        require(view.host_word[row] == m->words[i] && is_parked == m->parked[i]);
        require(isfinite(view.x[row]) && isfinite(view.y[row]));
        require(view.ids[row].index < view.index_limit);
        parked += m->parked[i];
    }
    require(counters.parked == parked);
    uint32_t row;
    if (m->gone.index) require(throng_agent_row(r->world, m->gone, &row) == THRONG_ERROR_STALE_ID);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const calls[])(run *) = {add,         remove_some,    park,         teleport, change, add_wall,
                                           remove_wall, step,           query,        explain,  save,   load,
                                           add_support, remove_support, move_support, put_on,   differ};
    run r = {.data = data, .left = size < 400 ? size : 400};
    throng_world_def def = throng_default_world_def();
    def.threads = 1;
    def.event_mask = (1u << THRONG_EVENT_KIND_COUNT) - 1;
    must(throng_world_create(&def, &r.world));
    while (r.left) {
        calls[next(&r) % (sizeof calls / sizeof calls[0])](&r);
        check(&r);
    }
    free(r.image);
    throng_world_destroy(r.world);
    return 0;
}
