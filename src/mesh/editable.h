/* Triangles that can be changed: edges collapse and flip. Every vertex has a list of its corners, so the mesh need not
 * be manifold.
 *
 * Corner 3 t + i is corner i of triangle t. It also names a side: the side from it to the next corner (sides.h). */
#ifndef TAUT_MESH_EDITABLE_H
#define TAUT_MESH_EDITABLE_H

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/sides.h"

typedef struct tt_corner {
    int vertex; /* -1: its triangle is gone            */
    int next;   /* corner of the same vertex, or -1    */
} tt_corner;

typedef struct tt_editable {
    int nvertices, ntris;
    vec3 *at; /* positions, measured from the middle of the mesh */
    tt_corner *corner;
    int *first;    /* a vertex's first corner, or -1 */
    int *ncorners; /* of each vertex */
} tt_editable;

/* The mesh has been checked. False when memory ran out. */
bool tt_editable_build(tt_scope *scope, const taut_mesh *mesh, tt_editable *e);

static inline int tt_after(const tt_editable *e, int corner) { return e->corner[tt_slot_next(corner)].vertex; }
static inline int tt_before(const tt_editable *e, int corner) { return e->corner[tt_slot_apex(corner)].vertex; }

/* How many triangles lie on the edge a b. The first two sides are stored in `side`. */
int tt_editable_sides(const tt_editable *e, int a, int b, int side[2]);

/* Whether a b is an edge of two triangles that run the same way round. side[0] becomes the side from a to b, side[1]
 * the other one. */
bool tt_editable_is_inside(const tt_editable *e, int a, int b, int side[2]);

/* Moves all corners of `from` to `to`; triangles that have both vertices vanish. Returns how many corners moved: they
 * are the first ones in the list of `to`. */
int tt_editable_collapse(tt_editable *e, int from, int to);

/* Turns the edge between two triangles so that it joins their apexes. */
void tt_editable_flip(tt_editable *e, const int side[2]);

#endif
