#include <kdtree.h>

const char *kdt_result_text(kdt_result result) {
    switch (result) {
    case KDT_OK:
        return "no error";
    case KDT_ERROR_ARGUMENT:
        return "an argument is null, out of range or not a number";
    case KDT_ERROR_NOT_FINITE:
        return "a coordinate is not finite, or a radius is negative or not finite";
    case KDT_ERROR_ORDER:
        return "an entry of the previous order is not a row";
    }
    return "unknown result code";
}
