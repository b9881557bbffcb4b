// The tree of 3-D points in float.
#include <kdtree.h>

#define KDT_SUFFIX 3f
#define KDT_DIM    3
#define KDT_REAL   float
#define KDT_LIMIT  FLT
#include "template.h"
