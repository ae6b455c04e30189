/* Functions of a measurer (taut.h) for the statistics of a body. */
#ifndef TAUT_MESH_MEASURE_H
#define TAUT_MESH_MEASURE_H

#include "taut.h"

int tt_measurer_vertices(const taut_measurer *measurer);
/* The number of material axes of a cell: 2 for triangles, 3 for tets. */
int tt_measurer_axes(const taut_measurer *measurer);
/* Measures positions of all vertices: |F axis| - 1 for every axis of every cell, and for every cell the tangent of the
 * shear between its first two axes, >= 0. Cells without a rest area (or volume) get 0. */
void tt_measure_axes(const taut_measurer *measurer, const float *xyz, double *stretch, double *shear);

#endif
