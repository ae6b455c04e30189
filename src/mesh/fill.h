/* The solid that filling a surface makes, and what is done to it one after the other. */
#ifndef TAUT_MESH_FILL_H
#define TAUT_MESH_FILL_H

#include "mesh/bvh.h"

typedef struct tt_solid {
    int ntets, nvertices;
    int *tet;               /* 4 vertices a tet, positively oriented                          */
    float *x;               /* 3 a vertex                                                     */
    int *user_start, *user; /* the tets of v: user[user_start[v]] .. user[user_start[v+1] - 1] */
} tt_solid;

/* All of these return false or NULL when memory ran out. */

/* Renumbers the vertices that tets use, out of `points`, to 0, 1, ... in their order. Returns their old numbers. */
int *tt_solid_number(tt_scope *scope, tt_solid *solid, int points);
/* Finds the tets of each vertex. */
bool tt_solid_link(tt_scope *scope, tt_solid *solid);
/* The tet on the other side of the face across from a tet's vertex `corner` (0..3), or -1. */
int tt_solid_neighbour(const tt_solid *solid, int tet, int corner);
/* Removed tets keep their number, and are no one's neighbour, until the solid is made compact: then vertices that no
 * tet uses any more go too. */
void tt_solid_remove(tt_solid *solid, int tet);
bool tt_solid_is_removed(const tt_solid *solid, int tet);
bool tt_solid_compact(tt_scope *scope, tt_solid *solid);

/* Drops the parts, connected over faces, that are smaller than a tet and its neighbours; the largest stays. */
bool tt_solid_drop_bits(tt_scope *scope, tt_solid *solid);
/* Moves outer vertices to the closest point of the surface, as far as all tets stay good and no farther than a cell.
 * Outer tets that this would make flat are removed. */
bool tt_solid_snap(tt_scope *scope, tt_solid *solid, const tt_triangles *surface, double cell);

#endif
