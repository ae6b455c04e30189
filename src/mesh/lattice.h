/* The body-centred cubic lattice around a mesh, and which of its points are inside a surface. */
#ifndef TAUT_MESH_LATTICE_H
#define TAUT_MESH_LATTICE_H

#include "base/memory.h"
#include "base/vec.h"

#define TT_MAX_CELLS 50000000

/* A lattice of n[0] x n[1] x n[2] cells. Its points are first the corners of the cells, then their centres; in both, x
 * runs fastest. */
typedef struct tt_lattice {
    double origin[3];
    double cell; /* m */
    int n[3];
} tt_lattice;

/* Makes a lattice that is centred on the bounding box of `count` vertices, given by their numbers, with a spare layer
 * of cells on every side. `cell` 0: a 20th of the largest extent. Fails when the vertices have no extent or the cell is
 * too small. */
bool tt_lattice_around(const float *x, const int *vertex, int count, double cell, tt_lattice *lattice,
                       taut_error *error);

int tt_lattice_points(const tt_lattice *lattice);
int tt_lattice_corner(const tt_lattice *lattice, const int at[3]);
int tt_lattice_centre(const tt_lattice *lattice, const int at[3]);
vec3 tt_lattice_position(const tt_lattice *lattice, int point);

/* The points of the four tets between the centres of a cell and of the next cell along `axis`, which must exist. There
 * is one tet for each side of the face between the cells. Every tet of the lattice lies between two cells and has a
 * twelfth of the volume of one. */
void tt_lattice_tets(const tt_lattice *lattice, const int cell[3], int axis, int point[4][4]);

/* inside[i] (zeroed before) becomes more than 0 for points inside the surface. Memory for the work comes from
 * `scratch`. False when it ran out. */
bool tt_lattice_inside(tt_scope *scratch, const tt_lattice *lattice, const taut_mesh *surface, signed char *inside);

#endif
