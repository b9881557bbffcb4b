#include "state/density_tables.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/scalar.h"

#include <string.h>

static throng_result check_points(const throng_density_table *table, int64_t item) {
    float before = -1.0f;
    for (uint32_t i = 0; i < table->point_count; ++i) {
        const float density = table->points[2 * (size_t)i], part = table->points[2 * (size_t)i + 1];
        if (!(density >= 0.0f && density <= (float)THRONG_LIMIT_NUMBER)) {
            return throng_fail(THRONG_ERROR_VALUE, item,
                               "density_tables[%lld]: density %u must be from 0 to 1e9, is %g", (long long)item,
                               (unsigned)i, (double)density);
        }
        if (!(density > before)) {
            return throng_fail(THRONG_ERROR_VALUE, item,
                               "density_tables[%lld]: densities must ascend, but %g comes after %g", (long long)item,
                               (double)density, (double)before);
        }
        if (!(part >= 0.0f && part <= 1.0f)) {
            return throng_fail(THRONG_ERROR_VALUE, item,
                               "density_tables[%lld]: part %u of the speed must be from 0 to 1, is %g", (long long)item,
                               (unsigned)i, (double)part);
        }
        before = density;
    }
    return THRONG_OK;
}

throng_result throng_density_tables_check(const throng_density_table *tables, uint32_t count) {
    if (count > THRONG_MAX_DENSITY_TABLES) {
        return throng_fail(THRONG_ERROR_VALUE, -1, "density_table_count must be 0..%d, is %u",
                           THRONG_MAX_DENSITY_TABLES, (unsigned)count);
    }
    if (count > 0 && !tables) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "density_tables must not be null");
    for (uint32_t i = 0; i < count; ++i) {
        if (tables[i].point_count < 1 || tables[i].point_count > THRONG_MAX_DENSITY_POINTS) {
            return throng_fail(THRONG_ERROR_VALUE, i, "density_tables[%u]: point_count must be 1..%d, is %u",
                               (unsigned)i, THRONG_MAX_DENSITY_POINTS, (unsigned)tables[i].point_count);
        }
        if (!tables[i].points) {
            return throng_fail(THRONG_ERROR_ARGUMENT, i, "density_tables[%u]: points must not be null", (unsigned)i);
        }
        const throng_result result = check_points(&tables[i], i);
        if (result != THRONG_OK) return result;
    }
    return THRONG_OK;
}

bool throng_density_tables_copy(throng_density_tables *to, throng_memory *memory, const throng_density_table *tables,
                                uint32_t count) {
    *to = (throng_density_tables){0};
    if (count == 0) return true;
    throng_density_tables made = {.count = count};
    for (uint32_t i = 0; i < count; ++i) made.point_count += tables[i].point_count;
    made.ends = throng_memory_allocate(memory, count, sizeof *made.ends);
    made.points = throng_memory_allocate(memory, 2 * (size_t)made.point_count, sizeof *made.points);
    if (!made.ends || !made.points) {
        throng_density_tables_release(&made, memory);
        return false;
    }
    uint32_t end = 0;
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t j = 0; j < 2 * tables[i].point_count; ++j) {
            const float number = tables[i].points[j] + 0.0f; // -0 is 0
            made.points[2 * (size_t)end + j] = number;
            made.content = throng_mix_pair(made.content, throng_float_bits(number));
        }
        end += tables[i].point_count;
        made.ends[i] = end;
        made.content = throng_mix_pair(made.content, end);
    }
    *to = made;
    return true;
}

void throng_density_tables_release(throng_density_tables *tables, throng_memory *memory) {
    throng_memory_release(memory, tables->ends, tables->count, sizeof *tables->ends);
    throng_memory_release(memory, tables->points, 2 * (size_t)tables->point_count, sizeof *tables->points);
    *tables = (throng_density_tables){0};
}
