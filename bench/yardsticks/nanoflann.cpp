#include "yardsticks.h"

#ifdef BENCH_HAVE_NANOFLANN

#include <chrono>
#include <nanoflann.hpp>

namespace {

struct cloud {
    const float *x, *y;
    std::size_t count;

    std::size_t kdtree_get_point_count() const {
        return count;
    }
    float kdtree_get_pt(std::size_t index, std::size_t axis) const {
        return axis == 0 ? x[index] : y[index];
    }
    template <class Box> bool kdtree_get_bbox(Box &) const {
        return false;
    }
};

using tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, cloud>, cloud, 2, std::uint32_t>;

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

double yardstick_nanoflann(const float *x, const float *y, uint32_t count, uint32_t k, double *query_seconds) {
    const cloud points{x, y, count};
    auto begin = std::chrono::steady_clock::now();
    tree index(2, points, nanoflann::KDTreeSingleIndexAdaptorParams(16));
    index.buildIndex();
    const double build = seconds_since(begin);
    std::vector<std::uint32_t> found(k);
    std::vector<float> squares(k);
    volatile float keep = 0.0f;
    begin = std::chrono::steady_clock::now();
    for (uint32_t i = 0; i < count; i++) {
        const float at[2] = {x[i], y[i]};
        index.knnSearch(at, k, found.data(), squares.data());
        keep = keep + squares[k - 1];
    }
    *query_seconds = seconds_since(begin);
    return build;
}

#else

double yardstick_nanoflann(const float *, const float *, uint32_t, uint32_t, double *query_seconds) {
    *query_seconds = -1.0;
    return -1.0;
}

#endif
