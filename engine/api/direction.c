#include "base/error.h"
#include "base/scalar.h"

#include <throng/base.h>

static const double degree = 0.017453292519943295; // rad

throng_result throng_direction(double degrees, double direction[2]) {
    if (!direction) return throng_fail(THRONG_ERROR_ARGUMENT, -1, "direction: direction must not be null");
    if (!throng_is_within(degrees, 1e9)) {
        return throng_fail(THRONG_ERROR_VALUE, -1, "direction: degrees must be within +-1e9, is %g", degrees);
    }
    // Quarter turns off, until the rest is within 45 degrees.
    const double turns = degrees / 90.0;
    const int64_t quarters = (int64_t)(turns < 0.0 ? turns - 0.5 : turns + 0.5);
    const double x = (degrees - 90.0 * (double)quarters) * degree, square = x * x;
    // Taylor's series by Horner: the next terms are below 1e-17 there.
    double sine = 1.0, cosine = 1.0;
    for (int i = 17; i > 1; i -= 2) sine = 1.0 - square / (i * (i - 1)) * sine;
    for (int i = 18; i > 0; i -= 2) cosine = 1.0 - square / (i * (i - 1)) * cosine;
    sine *= x;
    const bool swapped = quarters & 1, turned = quarters & 2;
    const double along = swapped ? -sine : cosine, up = swapped ? cosine : sine;
    direction[0] = (turned ? -along : along) + 0.0;
    direction[1] = (turned ? -up : up) + 0.0;
    return THRONG_OK;
}
