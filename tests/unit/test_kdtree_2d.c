// The tree of 2-D points in double against brute force.
#include <kdtree.h>

#define KDT_SUFFIX      2d
#define KDT_DIM         2
#define KDT_REAL        double
#define KDT_LIMIT(name) DBL_##name
#include "kdtree_cases.h"
