/* The solid that filling a surface makes, and the functions that finish it, in the order of their use. */
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
/* A removed tet keeps its number, but is no neighbour of any other, until the solid is made compact. Then vertices that
 * no tet uses go too. */
void tt_solid_remove(tt_solid *solid, int tet);
bool tt_solid_is_removed(const tt_solid *solid, int tet);
bool tt_solid_compact(tt_scope *scope, tt_solid *solid);

/* Drops parts that have fewer tets than one tet with its neighbours; the largest part stays. Tets that share a face are
 * in the same part. */
bool tt_solid_drop_bits(tt_scope *scope, tt_solid *solid);
/* Moves outer vertices towards the closest point of the surface, by no more than a cell, and only as far as all tets
 * stay well shaped. Outer tets that would become flat are removed. */
bool tt_solid_snap(tt_scope *scope, tt_solid *solid, const tt_triangles *surface, double cell);

#endif
