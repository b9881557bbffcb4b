// The tree of 3-D points in double against brute force.
#include <kdtree.h>

#define KDT_SUFFIX      3d
#define KDT_DIM         3
#define KDT_REAL        double
#define KDT_LIMIT(name) DBL_##name
#include "kdtree_cases.h"
