// Colours that can be told apart on white.
#include "record/picture.h"

#include <math.h>

picture_color picture_speed_color(double speed, double top_speed) {
    static const picture_color stops[] = {
        {0.70, 0.09, 0.17}, {0.94, 0.58, 0.16}, {0.40, 0.68, 0.42}, {0.08, 0.42, 0.72}};
    double part = top_speed > 0 ? 3 * speed / top_speed : 0;
    part = part < 0 ? 0 : part > 3 ? 3 : part;
    int below = part < 1 ? 0 : part < 2 ? 1 : 2;
    double blend = part - below;
    const picture_color *a = &stops[below], *b = &stops[below + 1];
    return (picture_color){a->red + blend * (b->red - a->red), a->green + blend * (b->green - a->green),
                           a->blue + blend * (b->blue - a->blue)};
}

// The sRGB transfer curve.
static double encode(double linear) {
    if (linear <= 0) return 0;
    if (linear >= 1) return 1;
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

// A circle of equal lightness and chroma in Oklab (Ottosson 2020).
picture_color picture_direction_color(double x, double y) {
    const double lightness = 0.64, chroma = 0.15;
    double length = sqrt(x * x + y * y);
    double a = length > 0 ? chroma * x / length : 0, b = length > 0 ? chroma * y / length : 0;
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (picture_color){encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                           encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                           encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}
