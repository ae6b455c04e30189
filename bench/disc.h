/* A round sheet in the x-z plane around the origin, facing up: rings of triangles. */
#ifndef BENCH_DISC_H
#define BENCH_DISC_H

#include "taut.h"

/* The rings up to ring `inner` have one width, and those from there to the rim another. */
typedef struct disc_shape {
    int rings, inner;
    double radius, inner_radius; /* of the rim and of ring `inner`, m */
} disc_shape;

/* Cusick's drape test: the radius of the disc of fabric, and that of the table or the two plates that hold it; m. */
static const double DISC_RADIUS = 0.15, DISC_TABLE = 0.09;

/* The width of a ring outside the table, if `free` rings hang free. */
static inline double disc_cell(int free) { return (DISC_RADIUS - DISC_TABLE) / (free + 0.5); }

/* The disc of that test. Its first `inner` rings are on the table. Bending at the last of these rings acts over half a
 * cell on either side, so this ring is half a cell outside the table. */
static inline disc_shape disc_of_cusick(int inner, int free)
{
    return (disc_shape){inner + free, inner, DISC_RADIUS, DISC_TABLE + disc_cell(free) / 2};
}

/* Vertex 0 is in the middle; the 6 r vertices of ring r are from disc_ring(r) on. UVs in metres: u along x, v along z.
 * `jitter` (0..0.3) moves vertices between the inner ring and the rim by up to that share of a ring's width. */
bool disc_make(taut_mesh *mesh, const disc_shape *shape, double jitter, taut_error *error);

/* The first vertex of a ring. It is also the number of vertices inside the ring. */
static inline int disc_ring(int ring) { return ring ? 1 + 3 * ring * (ring - 1) : 0; }

#endif
