/* How many sides the elements of a mesh have. TAUT_MOST_SIDES and TAUT_MOST_VERTICES let every index and count derived
 * from a mesh (3 floats a vertex, two ring entries an edge) fit an int. */
#ifndef TAUT_MESH_LIMITS_H
#define TAUT_MESH_LIMITS_H

#include "taut.h"

static inline int64_t tt_side_total(int64_t ntris, int64_t ntets, int64_t nlines)
{
    return 3 * ntris + 6 * ntets + nlines;
}

#endif
