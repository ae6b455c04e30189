/* How large a mesh may be, so that every index and count derived from it (3 floats a vertex, two ring entries an edge)
 * fits an int. */
#ifndef TAUT_MESH_LIMITS_H
#define TAUT_MESH_LIMITS_H

#include <limits.h>
#include <stdint.h>

#define TT_MAX_VERTICES 100000000
#define TT_MAX_SIDES (INT_MAX / 2) /* edges of elements, each counted as often as it is used */

static inline int64_t tt_side_total(int64_t ntris, int64_t ntets, int64_t nlines)
{
    return 3 * ntris + 6 * ntets + nlines;
}

#endif
