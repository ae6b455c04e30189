/* A bounding volume hierarchy over boxes. It finds the item nearest to a point, and the items whose boxes overlap a
 * box. The tree does not know the items (triangles, tets, colliders): the caller keeps them and measures the distance
 * to one. */
#ifndef TAUT_MESH_BVH_H
#define TAUT_MESH_BVH_H

#include "base/memory.h"
#include "base/vec.h"

typedef struct tt_box {
    double low[3], high[3];
} tt_box;

typedef struct tt_bvh_node {
    tt_box box;
    int first, count; /* a leaf has `count` items from item[first] on; if count is 0, the children of the node are nodes
                         first and first + 1 */
} tt_bvh_node;

typedef struct tt_bvh {
    int nnodes;
    tt_bvh_node *node;
    int *item;
    struct tt_bvh_centre *centre; /* scratch of tt_bvh_fill */
} tt_bvh;

/* The smallest box around `count` points. */
tt_box tt_box_around(const vec3 *point, int count);
/* Makes `box` large enough to contain the other one too. */
void tt_box_grow(tt_box *box, const tt_box *other);

/* Over the boxes of items 0..count-1. Arrays come from `scope`. False when memory ran out. */
bool tt_bvh_build(tt_scope *scope, const tt_box *box, int count, tt_bvh *bvh);

/* The same in two calls, for a tree that is filled again and again: memory for up to `count` items, then the tree. */
bool tt_bvh_reserve(tt_scope *scope, int count, tt_bvh *bvh);
void tt_bvh_fill(tt_bvh *bvh, const tt_box *box, int count);

/* Finds the items with a number above `after` whose boxes overlap or touch `box`: the first `most` of them, in
 * ascending order. `item` are the boxes of the tree. Returns how many were found. */
int tt_bvh_overlapping(const tt_bvh *bvh, const tt_box *item, const tt_box *box, int after, int *found, int most);

/* The squared distance of a point from an item. */
typedef double tt_distance(const void *items, int item, vec3 point);

/* The item nearest to `point` among those with a squared distance below *nearest; *nearest becomes its squared
 * distance. If there is none, returns -1 and leaves *nearest. */
int tt_bvh_nearest(const tt_bvh *bvh, tt_distance *distance, const void *items, vec3 point, double *nearest);

/* The nearest of all items. The search is faster if the item `guess` (-1: no guess) is near; the guess wins a tie.
 * Returns -1 when there is no item. */
int tt_bvh_nearest_from(const tt_bvh *bvh, tt_distance *distance, const void *items, vec3 point, int guess);

/* The point of triangle a b c closest to p, by its weights (each in 0..1, adding up to 1). Triangles without an area
 * are fine. */
vec3 tt_closest_on_triangle(vec3 p, vec3 a, vec3 b, vec3 c, double weight[3]);

/* The triangles of a mesh, with or without an area. */
typedef struct tt_triangles {
    const taut_mesh *mesh;
    tt_bvh bvh;
} tt_triangles;

/* False when memory ran out. There is at least one triangle, and the mesh must stay. */
bool tt_triangles_build(tt_scope *scope, const taut_mesh *mesh, tt_triangles *triangles);
int tt_triangles_nearest(const tt_triangles *triangles, vec3 point); /* a triangle */
vec3 tt_triangles_closest(const tt_triangles *triangles, vec3 point);

#endif
