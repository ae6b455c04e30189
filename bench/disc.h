/* A round sheet in the x-z plane around the origin, facing up: rings of triangles. */
#ifndef BENCH_DISC_H
#define BENCH_DISC_H

#include "taut.h"

/* The rings up to ring `held` have one width, and those from there to the rim another. */
typedef struct disc_shape {
    int rings, held;
    double radius, held_radius; /* of the rim and of ring `held`, m */
} disc_shape;

/* Vertex 0 is in the middle; the 6 r vertices of ring r are from disc_ring(r) on. UVs in metres: u along x, v along z.
 * `jitter` (0..0.3) moves vertices between the held ring and the rim by up to that share of a ring's width. */
bool disc_make(taut_mesh *mesh, const disc_shape *shape, double jitter, taut_error *error);

/* The first vertex of a ring. It is also the number of vertices inside the ring. */
static inline int disc_ring(int ring) { return ring ? 1 + 3 * ring * (ring - 1) : 0; }

#endif
