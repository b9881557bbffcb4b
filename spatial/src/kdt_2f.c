// The tree of 2-D points in float.
#include <kdtree.h>

#define KDT_SUFFIX 2f
#define KDT_DIM    2
#define KDT_REAL   float
#define KDT_LIMIT  FLT
#define KDT_KEY    int32_t
#define KDT_BITS   32
#include "template.h"
