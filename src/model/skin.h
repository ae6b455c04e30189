/* The skin of a model: the triangles and edges by which bodies touch each other and themselves.
 *
 * It has the triangles of cloth, the surface of solids, and a triangle without an area for each line. All numbers are
 * particles. The triangles are in the order of a tree, whose nodes are ranges of them. Each vertex and each edge is
 * owned by one triangle, so that a search over pairs of triangles meets each pair of features once. */
#ifndef TAUT_MODEL_SKIN_H
#define TAUT_MODEL_SKIN_H

#include "mesh/topology.h"

typedef struct tt_skin_triangle {
    int corner[3];
    uint8_t owned_corners, owned_sides; /* bit k: corner k; the side from corner k to the next one */
    bool is_face;                       /* false: a line, from corner 0 to corner 1                */
    int first_side;                     /* the number of the first of the sides that it owns       */
} tt_skin_triangle;

typedef struct tt_skin_node {
    int first, count; /* its triangles                                                               */
    int right;        /* its children are the node after it and the node with this number; 0: a leaf */
    int leaf;         /* the number of the leaf, if it is one                                        */
} tt_skin_node;

enum { TT_LEAF = 16 }; /* the most triangles of a leaf */

/* The corners of a leaf's triangles. Negative: it is crowded, or there is no such triangle. */
typedef struct tt_skin_leaf {
    int32_t corner[3][TT_LEAF];
} tt_skin_leaf;

/* Two triangles that share one or two vertices (the second may be -1) and have features that do not touch. Crowded
 * vertices do not count as shared, because there are too many pairs around them. */
typedef struct tt_skin_pair {
    int a, b, shared[2];
} tt_skin_pair;

/* How the triangles lie around a vertex: in a closed fan, in an open one, or in another way. */
enum { TT_FAN_MOST = 64 }; /* triangles around a vertex that is not crowded */
typedef enum tt_fan { TT_FAN_NONE, TT_FAN_CLOSED, TT_FAN_OPEN } tt_fan;

typedef struct tt_skin {
    int ntris, nnodes, nleaves, npairs, nsides;
    tt_skin_triangle *tri;
    tt_skin_node *node; /* children come after their parent */
    tt_skin_leaf *leaf;
    tt_skin_pair *pair;
    uint8_t *crowded; /* per particle: it has too many triangles to list their pairs; the tree finds them */
    uint8_t *fan;    /* tt_fan, per particle                                                             */
    int *fan_start;  /* per particle + 1: the sides of its fan that lie across from it, in fan_side      */
    int *fan_side;   /* 2 particles a side                                                               */
    float mean_edge;
} tt_skin;

/* `place` gives the particle of a vertex, `rest` the places of particles (4 numbers each). */
bool tt_skin_build(tt_scope *scope, tt_scope *scratch, const taut_mesh *mesh, const int *place, const float *rest,
                   int nparticles, tt_skin *skin);

#endif
