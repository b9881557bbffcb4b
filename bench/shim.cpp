#include "shim.h"

#include <benchmark/benchmark.h>
#include <string>
#include <vector>

struct bench_state {
    benchmark::State *state;
    int64_t items = 0;
    bool voided = false;
};

void bench_add(const char *name, bench_function *function, const int64_t *arguments, int count) {
    auto run = [function](benchmark::State &state) {
        bench_state own{&state};
        function(&own);
        if (own.voided || own.items == 0) return;
        const auto total = static_cast<double>(state.iterations()) * static_cast<double>(own.items);
        state.SetItemsProcessed(static_cast<int64_t>(total));
        // A rate that is inverted: seconds an item, shown with its prefix (n: ns).
        state.counters["per_item"] =
            benchmark::Counter(total, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    };
    benchmark::RegisterBenchmark(name, run)
        ->Args(std::vector<int64_t>(arguments, arguments + count))
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
}

int64_t bench_argument(const bench_state *state, int index) {
    return state->state->range(static_cast<std::size_t>(index));
}

bool bench_running(bench_state *state) {
    return !state->voided && state->state->KeepRunning();
}

void bench_items(bench_state *state, int64_t per_iteration) {
    state->items = per_iteration;
}

void bench_label(bench_state *state, const char *label) {
    state->state->SetLabel(label);
}

void bench_void(bench_state *state, const char *message) {
    state->voided = true;
    state->state->SkipWithError(message);
}

void bench_keep(const void *value) {
    benchmark::DoNotOptimize(value);
    benchmark::ClobberMemory();
}

int bench_main(int count, char **arguments) {
    benchmark::Initialize(&count, arguments);
    if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
