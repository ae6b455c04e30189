/* A round sheet in the x-z plane around the origin, facing up: rings of triangles. */
#ifndef BENCH_DISC_H
#define BENCH_DISC_H

#include "taut.h"

/* Rings as wide as each other up to ring `held`, and from there to the rim. */
typedef struct disc_shape {
    int rings, held;
    double radius, held_radius; /* of the rim and of ring `held`, m */
} disc_shape;

/* Vertex 0 is in the middle; the 6 r vertices of ring r are from disc_ring(r) on. UVs in metres: u along x, v along z.
 * `jitter` (0..0.3) moves vertices between the held ring and the rim by up to that share of a ring's width. */
bool disc_make(taut_mesh *mesh, const disc_shape *shape, double jitter, taut_error *error);

/* The first vertex of a ring, and how many vertices are inside it. */
static inline int disc_ring(int ring) { return ring ? 1 + 3 * ring * (ring - 1) : 0; }

#endif
