// Places live on a grid of 2^-28 m (about 4 nm), so that differences of places are exact and a scene moves bit for bit
// the same wherever it lies within 3e7 m of the origin: map coordinates lose nothing against local ones.
#ifndef THRONG_BASE_GRID_H
#define THRONG_BASE_GRID_H

/// The multiple of 2^-28 m nearest to a coordinate or displacement, ties to even. From 2^24 m on a double is one
/// anyway.
static inline double throng_on_grid(double value) {
    const double magnitude = 0x1p24; // here one unit in the last place is the grid
    if (value >= 0.0) return value < magnitude ? (value + magnitude) - magnitude : value;
    return value > -magnitude ? (value - magnitude) + magnitude + 0.0 : value;
}

#endif
