// The tree of 3-D points in float against brute force.
#include <kdtree.h>

#define KDT_SUFFIX      3f
#define KDT_DIM         3
#define KDT_REAL        float
#define KDT_LIMIT(name) FLT_##name
#include "kdtree_cases.h"
