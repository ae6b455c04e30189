/* Tets made by the program gmsh, if it is installed. */
#ifndef TOOLS_MESH_GMSH_H
#define TOOLS_MESH_GMSH_H

#include "taut_io.h"

/* Fills a closed surface with tets of about `cell` m (0: a 20th of the largest extent). */
bool gmsh_fill(const taut_mesh *surface, float cell, taut_mesh *solid, taut_error *error);

#endif
