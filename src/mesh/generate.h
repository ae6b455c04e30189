/* Shared by the generators: checks of their arguments, and the memory of a mesh. */
#ifndef TAUT_MESH_GENERATE_H
#define TAUT_MESH_GENERATE_H

#include "base/vec.h"
#include "taut.h"

/* Checks of one argument; they fill `error` and return false. */
bool tt_argument_positive(const char *name, float value, taut_error *error);
bool tt_argument_range(const char *name, int value, int least, int most, taut_error *error);

/* a * b for a, b >= 0, or a number too large for any mesh when that overflows. */
int64_t tt_times(int64_t a, int64_t b);

void tt_put_vertex(taut_mesh *mesh, int vertex, vec3 position);
void tt_put_triangle(taut_mesh *mesh, int triangle, int a, int b, int c);
/* Writes the tet so that det[p1-p0, p2-p0, p3-p0] > 0, whatever the order given. The vertices have been put. */
void tt_put_tet(taut_mesh *mesh, int tet, int a, int b, int c, int d);

#endif
