/* Which triangle or tet of a mesh is nearest to a point, and where in it. */
#ifndef TAUT_MESH_ELEMENTS_H
#define TAUT_MESH_ELEMENTS_H

#include "mesh/bvh.h"

/* The triangles, or the tets, of a mesh. Elements that are too flat for barycentric weights are left out. */
typedef struct tt_elements {
    const taut_mesh *mesh;
    int corners; /* 3 or 4 vertices an element */
    int count;
    int *element; /* numbers in the mesh */
    tt_bvh bvh;
} tt_elements;

/* `corners` is 3 for triangles, 4 for tets. The mesh must outlive the elements. False when memory ran out. */
bool tt_elements_build(tt_scope *scope, const taut_mesh *mesh, int corners, tt_elements *elements);

/* The vertices of an item, 0..count-1; `corner` gets their positions. */
const int *tt_elements_corners(const tt_elements *elements, int item, vec3 corner[4]);

/* The tt_distance of tt_elements; it is 0 inside a tet. */
double tt_elements_distance(const void *elements, int item, vec3 point);

/* Barycentric weights of p in a tet that is not flat; outside, some are negative. */
void tt_weights_in_tet(const vec3 corner[4], vec3 p, double weight[4]);

/* The weights of the point of the tet that is closest to p (each in 0..1), and the squared distance between the two. */
double tt_closest_in_tet(const vec3 corner[4], vec3 p, double weight[4]);

#endif
