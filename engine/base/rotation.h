// Rotations without libm, so that every machine turns alike.
#ifndef THRONG_BASE_ROTATION_H
#define THRONG_BASE_ROTATION_H

typedef struct throng_rotation {
    double cosine, sine;
} throng_rotation;

/// By an angle in radians, within +-1e6 (beyond 2 pi it loses what the angle's own digits leave); exact to 2e-15 within
/// +-2 pi, and cosine² + sine² is 1 to rounding.
throng_rotation throng_rotation_by(double angle);

#endif
