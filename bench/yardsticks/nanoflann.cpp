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

using index = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, cloud>, cloud, 2, std::uint32_t>;

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

struct yardstick_tree {
    cloud points;
    index built;

    yardstick_tree(const cloud &given, uint32_t leaf_size)
        : points(given), built(2, points, nanoflann::KDTreeSingleIndexAdaptorParams(leaf_size)) {
        built.buildIndex();
    }
};

yardstick_tree *yardstick_nanoflann_open(const float *x, const float *y, uint32_t count, uint32_t leaf_size) {
    return new yardstick_tree(cloud{x, y, count}, leaf_size);
}

void yardstick_nanoflann_close(yardstick_tree *tree) {
    delete tree;
}

void yardstick_nanoflann_nearest(const yardstick_tree *tree, uint32_t k) {
    std::vector<std::uint32_t> found(k);
    std::vector<float> squares(k);
    volatile float keep = 0.0f;
    for (std::size_t i = 0; i < tree->points.count; i++) {
        const float at[2] = {tree->points.x[i], tree->points.y[i]};
        tree->built.knnSearch(at, k, found.data(), squares.data());
        keep = keep + squares[k - 1];
    }
}

double yardstick_nanoflann(const float *x, const float *y, uint32_t count, uint32_t k, double *query_seconds) {
    auto begin = std::chrono::steady_clock::now();
    const yardstick_tree tree(cloud{x, y, count}, 16);
    const double build = seconds_since(begin);
    begin = std::chrono::steady_clock::now();
    yardstick_nanoflann_nearest(&tree, k);
    *query_seconds = seconds_since(begin);
    return build;
}

#else

yardstick_tree *yardstick_nanoflann_open(const float *, const float *, uint32_t, uint32_t) {
    return nullptr;
}

void yardstick_nanoflann_close(yardstick_tree *) {
}

void yardstick_nanoflann_nearest(const yardstick_tree *, uint32_t) {
}

double yardstick_nanoflann(const float *, const float *, uint32_t, uint32_t, double *query_seconds) {
    *query_seconds = -1.0;
    return -1.0;
}

#endif
