/* The body-centred cubic lattice around a surface, and which of its points are inside. */
#ifndef TAUT_IO_LATTICE_H
#define TAUT_IO_LATTICE_H

#include "base/memory.h"
#include "base/vec.h"

#define TIO_MAX_CELLS 50000000

/* Cells of n[0] x n[1] x n[2]. Points are the corners of the cells, numbered first, and then their centres; in both, x
 * runs fastest. */
typedef struct tio_lattice {
    double origin[3];
    double cell; /* m */
    int n[3];
} tio_lattice;

/* Centred on the surface's bounding box, with a layer of cells to spare on every side; `cell` 0: a 20th of the largest
 * extent. Fails when the surface has no extent or the cell is too small. */
bool tio_lattice_around(const taut_mesh *surface, double cell, tio_lattice *lattice, taut_error *error);

int tio_lattice_points(const tio_lattice *lattice);
int tio_lattice_corner(const tio_lattice *lattice, const int at[3]);
int tio_lattice_centre(const tio_lattice *lattice, const int at[3]);
vec3 tio_lattice_position(const tio_lattice *lattice, int point);

/* inside[i] (zeroed before) gets above 0 for the points inside the surface. Memory for the work comes from `scratch`.
 * False when it ran out. */
bool tio_lattice_inside(tt_scope *scratch, const tio_lattice *lattice, const taut_mesh *surface, signed char *inside);

#endif
