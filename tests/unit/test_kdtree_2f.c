// The tree of 2-D points in float against brute force.
#include <kdtree.h>

#define KDT_SUFFIX      2f
#define KDT_DIM         2
#define KDT_REAL        float
#define KDT_LIMIT(name) FLT_##name
#include "kdtree_cases.h"
