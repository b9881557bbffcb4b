#include "yardsticks.h"

#ifdef BENCH_HAVE_RVO

#include <RVO.h>
#include <chrono>
#include <cmath>
#include <omp.h>

double yardstick_rvo(const float *x, const float *y, const float *goal_x, const float *goal_y, uint32_t count,
                     uint32_t threads, int steps) {
    omp_set_num_threads(static_cast<int>(threads));
    RVO::RVOSimulator simulator;
    simulator.setTimeStep(0.1f);
    simulator.setAgentDefaults(5.0f, 10, 2.0f, 1.0f, 0.25f, 1.6f);
    for (uint32_t i = 0; i < count; i++) simulator.addAgent(RVO::Vector2(x[i], y[i]));
    double least = 1e300;
    for (int step = 0; step <= steps; step++) {
        const auto begin = std::chrono::steady_clock::now();
        for (uint32_t i = 0; i < count; i++) {
            const RVO::Vector2 at = simulator.getAgentPosition(i);
            const float dx = goal_x[i] - at.x(), dy = goal_y[i] - at.y(), distance = std::sqrt(dx * dx + dy * dy);
            const float speed = distance > 0.13f ? 1.3f / distance : 10.0f;
            simulator.setAgentPrefVelocity(i, RVO::Vector2(dx * speed, dy * speed));
        }
        simulator.doStep();
        const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (step > 0 && took < least) least = took;
    }
    return least;
}

#else

double yardstick_rvo(const float *, const float *, const float *, const float *, uint32_t, uint32_t, int) {
    return -1.0;
}

#endif
