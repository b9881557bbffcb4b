#include "base/rotation.h"

static const double right_angle = 1.57079632679489661923;
/// What a double leaves of the right angle.
static const double right_angle_rest = 6.123233995736766e-17;

throng_rotation throng_rotation_by(double angle) {
    // Quarter turns off, until the rest is within 45 degrees.
    const double turns = angle / right_angle;
    const int quarters = (int)(turns < 0.0 ? turns - 0.5 : turns + 0.5);
    const double x = angle - quarters * right_angle - quarters * right_angle_rest, square = x * x;
    // Taylor's series by Horner: the next terms are below 1e-17 there.
    double sine = 1.0, cosine = 1.0;
    for (int i = 17; i > 1; i -= 2) sine = 1.0 - square / (i * (i - 1)) * sine;
    for (int i = 18; i > 0; i -= 2) cosine = 1.0 - square / (i * (i - 1)) * cosine;
    sine *= x;
    switch (quarters & 3) {
    case 0:
        return (throng_rotation){cosine, sine};
    case 1:
        return (throng_rotation){-sine, cosine};
    case 2:
        return (throng_rotation){-cosine, -sine};
    default:
        return (throng_rotation){sine, -cosine};
    }
}
