/* Edge flips that make thin triangles less thin. */
#ifndef TAUT_MESH_FLIP_H
#define TAUT_MESH_FLIP_H

#include "mesh/editable.h"

/* Flips the edge a b if that makes the smallest angle of its two triangles larger (as the flips that lead to a Delaunay
 * mesh do), and if the surface there is flat enough to stay as it is. `apex` gets the ends of the new edge. */
bool tt_flip(tt_editable *e, int a, int b, int apex[2]);

#endif
