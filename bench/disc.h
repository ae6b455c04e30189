/* A round sheet in the x-z plane around the origin, facing up: rings of triangles. */
#ifndef BENCH_DISC_H
#define BENCH_DISC_H

#include "taut.h"

/* `rings` rings as wide as each other. Vertex 0 is in the middle; the 6 r vertices of ring r are from 1 + 3 r (r - 1)
 * on. UVs in metres: u along x, v along z. `jitter` (0..0.3) moves vertices by up to that share of a ring's width; the
 * outermost ring and ring `still` stay round. */
bool disc_make(taut_mesh *mesh, int rings, double radius, double jitter, int still, taut_error *error);

/* The first vertex of a ring, and how many vertices are inside it. */
static inline int disc_ring(int ring) { return ring ? 1 + 3 * ring * (ring - 1) : 0; }

#endif
