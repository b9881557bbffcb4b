// The tree of 2-D points in double.
#include <kdtree.h>

#define KDT_SUFFIX 2d
#define KDT_DIM    2
#define KDT_REAL   double
#define KDT_LIMIT  DBL
#define KDT_KEY    int64_t
#define KDT_BITS   64
#include "template.h"
