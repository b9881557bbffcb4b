// The snapshot reader on forged snapshots: a sound one with some bytes changed and its checksums made to hold again,
// or anything at all. What it accepts can be stepped and saved; what it refuses leaves the world alone.
#include "api/snapshot.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(throng_result result) {
    if (result != THRONG_OK) abort();
}

static throng_world *make_world(void) {
    throng_world_def def = throng_default_world_def();
    def.threads = 1;
    throng_world *world = NULL;
    must(throng_world_create(&def, &world));
    return world;
}

static throng_world *sample_world(void) {
    throng_world *world = make_world();
    throng_agent_def defs[12];
    throng_agent_id ids[12];
    for (int i = 0; i < 12; i++) {
        defs[i] = throng_default_agent_def();
        defs[i].position[0] = i % 4;
        defs[i].position[1] = 0.6 * i;
        defs[i].target.kind = (throng_target_kind)(i % 4);
        defs[i].target.x = 5 - i;
        defs[i].target.end_x = i;
    }
    const double points[] = {2, 2, 4, 2, 3, 4};
    const throng_wall walls[2] = {{THRONG_WALL_SOLID, 3, points, 1}, {THRONG_WALL_LINE, 2, points, 3}};
    throng_wall_id wall_ids[2];
    must(throng_agents_add(world, defs, 12, ids));
    must(throng_agents_park(world, ids + 2, 2, true));
    must(throng_agents_remove(world, ids + 5, 2));
    must(throng_world_add_walls(world, walls, 2, wall_ids));
    must(throng_world_remove_walls(world, wall_ids, 1));
    must(throng_world_add_walls(world, walls, 1, wall_ids));
    must(throng_world_step(world, 0.1));
    return world;
}

/// Data as edits of a sound snapshot: two bytes of place, one of length, then so many bytes.
static void forge(unsigned char *image, size_t image_size, const uint8_t *data, size_t size) {
    while (size >= 3) {
        const size_t at = (size_t)(data[0] | data[1] << 8) % image_size, length = data[2] % 9;
        data += 3;
        size -= 3;
        for (size_t i = 0; i < length && i < size && at + i < image_size; i++) image[at + i] = data[i];
        const size_t used = length < size ? length : size;
        data += used;
        size -= used;
    }
}

static void use(throng_world *world) {
    for (int i = 0; i < 2; i++) {
        // Numbers near the limits of double may leave them; nothing else may go wrong.
        const throng_result result = throng_world_step(world, 0.1);
        if (result != THRONG_OK && result != THRONG_ERROR_MEMORY) abort();
    }
    throng_view view;
    must(throng_world_view(world, &view));
    for (uint32_t row = 0; row < view.count; row++) {
        uint32_t found;
        must(throng_agent_row(world, view.ids[row], &found));
        if (found != row) abort();
    }
    const throng_agent_def def = throng_default_agent_def();
    throng_agent_id id;
    must(throng_agents_add(world, &def, 1, &id));
    if (view.count) must(throng_agents_remove(world, &id, 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    throng_world *world = sample_world(), *other = make_world();
    size_t image_size;
    must(throng_world_save(world, NULL, 0, &image_size));
    unsigned char *image = malloc(image_size);
    if (!image) abort();
    must(throng_world_save(world, image, image_size, &image_size));
    if (throng_world_load(other, data, size) == THRONG_OK) use(other);

    uint64_t header[THRONG_WORD_COUNT];
    throng_snapshot_layout layout;
    throng_snapshot_copy(header, image, THRONG_WORD_COUNT, sizeof *header);
    if (!throng_snapshot_lay_out(header, &layout)) abort();
    forge(image, image_size, data, size);
    const throng_executor none = {0};
    throng_parallel serial;
    throng_parallel_init(&serial, &none, 1);
    throng_snapshot_seal(image, &layout, &serial);
    throng_hashes before, after;
    must(throng_world_hash(world, &before));
    if (throng_world_load(world, image, image_size) == THRONG_OK) {
        use(world);
    } else {
        must(throng_world_hash(world, &after));
        if (memcmp(&before, &after, sizeof before) != 0) abort();
    }
    free(image);
    throng_world_destroy(world);
    throng_world_destroy(other);
    return 0;
}
