/* Neighbourhoods: edges, hinges and one-rings of a mesh of triangles, tets and lines. */
#ifndef TAUT_MESH_TOPOLOGY_H
#define TAUT_MESH_TOPOLOGY_H

#include "base/memory.h"

typedef struct tt_edge {
    int a, b;          /* a < b                                                           */
    int ntris;         /* triangles on it: 1 = boundary, 2 = inside, more = non-manifold  */
    int ntets, nlines;
} tt_edge;

/* Two triangles over a shared edge, in the notation of the dihedral angle (dihedral.c): p3 p4 is the edge, p1 the
 * far vertex of the first triangle (p1,p3,p4) and p2 that of the second (p2,p4,p3). The first triangle runs p3 ->
 * p4, so on a consistent surface the winding fixes the sign of the angle. */
typedef struct tt_hinge {
    int p1, p2, p3, p4;
    int tri1, tri2;
    int edge; /* index into edges */
} tt_hinge;

typedef struct tt_topology {
    int nedges, nhinges;
    tt_edge *edge;   /* sorted by (a, b)                              */
    tt_hinge *hinge; /* in the order of their edges                   */
    int *ring_start; /* nvertices + 1; neighbours of v along edges:   */
    int *ring;       /* ring[ring_start[v]] .. , ascending            */
    int *side_edge;  /* the edge that each side of a triangle lies on, by its slot (sides.h)         */
    int *across;     /* the next triangle's side on the same edge, in a cycle; the side itself if it is alone */
    int nonmanifold_edges, boundary_edges, inconsistent_edges;
} tt_topology;

/* The mesh has been checked. Arrays come from `scope`. False when memory ran out. */
bool tt_topology_build(tt_scope *scope, const taut_mesh *mesh, tt_topology *topology);

/* The edge between two neighbours. */
int tt_find_edge(const tt_topology *topology, int u, int v);

#endif
