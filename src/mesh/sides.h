/* The sides of elements (three of a triangle, six of a tet, one of a line) sorted by the edge they lie on. */
#ifndef TAUT_MESH_SIDES_H
#define TAUT_MESH_SIDES_H

#include "base/memory.h"

/* `slot` names the side: 3 t + c is side c of triangle t, from its corner c (mesh->tri[slot]) to the next one; the
 * slots of tets follow (six each), then those of lines. */
typedef struct tt_side {
    int a, b; /* the edge's vertices, a < b */
    int slot;
} tt_side;

/* All sides of a checked mesh, sorted by (a, b, slot); NULL when memory ran out. Linear time. */
tt_side *tt_sides(tt_scope *scope, const taut_mesh *mesh, int *count);

/* One past the last side on the edge of side[begin]. */
static inline int tt_sides_end(const tt_side *side, int count, int begin)
{
    int end = begin + 1;
    while (end < count && side[end].a == side[begin].a && side[end].b == side[begin].b) end++;
    return end;
}

/* The corner of the triangle after, and opposite to, the side of that slot. */
static inline int tt_slot_next(int slot) { return slot % 3 == 2 ? slot - 2 : slot + 1; }
static inline int tt_slot_apex(int slot) { return slot % 3 == 0 ? slot + 2 : slot - 1; }

#endif
