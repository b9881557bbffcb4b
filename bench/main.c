// throng_bench [--print-hash] [Google Benchmark's options]: refuses to measure an engine that computes something else.
#include "benches.h"
#include "crowd.h"
#include "golden_hash.h"
#include "shim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t hash_of_this_build(void) {
    crowd_def def = crowd_default();
    def.agents = 3000;
    def.wall_segments = 100;
    def.threads = 0;
    return crowd_hash_after(&def, 20);
}

int main(int count, char **arguments) {
    const uint64_t hash = hash_of_this_build();
    if (count > 1 && strcmp(arguments[1], "--print-hash") == 0) {
        printf("0x%016" PRIx64 "\n", hash);
        return 0;
    }
    if (hash != BENCH_GOLDEN_HASH) {
        fprintf(stderr,
                "throng_bench: the state hash is 0x%016" PRIx64 ", golden_hash.h has 0x%016" PRIx64
                ": the figures would be void\n",
                hash, BENCH_GOLDEN_HASH);
        return 1;
    }
    bench_tree_add();
    bench_kernels_add();
    bench_step_add();
    bench_calls_add();
    return bench_main(count, arguments);
}
