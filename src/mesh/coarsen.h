/* Coarse meshes of triangles, for hierarchies (MRSL 4.1). */
#ifndef TAUT_MESH_COARSEN_H
#define TAUT_MESH_COARSEN_H

#include "base/memory.h"

/* Makes a mesh of about `target` vertices. Each of them is a vertex of `fine`: origin[coarse vertex] is its number
 * there.
 *
 * Edges collapse to one of their ends. The first edges to collapse are those that leave the vertices evenly spaced and
 * the surface in place. Flips keep the triangles well shaped. No triangle turns over. No hole, handle or part opens or
 * closes. Boundaries stay boundaries and keep their corners. Vertices where the mesh is not manifold stay. So there may
 * be more vertices than asked for, and a part ends as one triangle or a tetrahedron. A vertex with keep[v] != 0 (`keep`
 * may be NULL) collapses only to another such vertex: single ones stay, rows of them thin out like the rest.
 *
 * The coarse mesh has positions and pins. The warp direction and the scale of a triangle are means over the fine ones
 * that it stands for. It has directions only if the fine mesh has any; `axis` is that of the model. Masses, lines, tets
 * and vertices without a triangle are left out. Vertices and triangles keep the order of the fine mesh.
 *
 * The mesh has been checked. Arrays come from `scope`. False when memory ran out. */
bool tt_coarsen(tt_scope *scope, const taut_mesh *fine, const float axis[3], int target, const unsigned char *keep,
                taut_mesh *coarse, int **origin);

#endif
