/* Animals put together from balls and tapered limbs, as closed shells and as solids. They stand on y = 0 and look along
 * +x. They take the places of the papers' bunny, duck, cow and dragon, whose meshes are not ours. */
#ifndef PAPERS_CREATURE_H
#define PAPERS_CREATURE_H

#include "taut.h"

typedef enum creature { CREATURE_RABBIT, CREATURE_DUCK, CREATURE_COW, CREATURE_DRAGON } creature;

/* `height` and `cell`, the size of the tets, in m. */
bool creature_solid(taut_mesh *solid, creature which, double height, double cell, taut_error *error);
/* The surface of such a solid, smoothed. Its edges are about `cell` long. */
bool creature_shell(taut_mesh *shell, creature which, double height, double cell, taut_error *error);

/* A limb: the convex hull of two balls, each of them x, y, z and radius. */
typedef struct limb {
    double from[4], to[4];
} limb;
/* The shell of any limbs that overlap, smoothed. */
bool limbs_shell(taut_mesh *shell, const limb *limbs, int count, double cell, taut_error *error);

/* Triangles of the vertices of a mesh, as a mesh that has no other vertices. */
bool mesh_of_triangles(taut_mesh *part, const taut_mesh *mesh, const int *tri, int ntris, taut_error *error);

#endif
