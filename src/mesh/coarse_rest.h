/* The rest shape of a coarse solid. */
#ifndef TAUT_MESH_COARSE_REST_H
#define TAUT_MESH_COARSE_REST_H

#include "mesh/restriction.h"

/* Puts each vertex of a coarse solid where the restriction puts it when the finer mesh is at rest. Drops the tets that
 * become too flat, and those with a vertex on which nothing rides, because they would measure noise. False when memory
 * ran out. */
bool tt_coarse_rest(tt_scope *scope, const taut_mesh *fine, const tt_restriction *down, taut_mesh *coarse);

#endif
