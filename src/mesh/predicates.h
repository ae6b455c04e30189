/* On which side a point lies, without rounding: signs of determinants of floats.
 *
 * The signs are exact for all finite floats. Coordinates are multiples of 2^-149 and below 2^128, so products of three
 * differences are multiples of 2^-447 and below 2^390. So doubles neither underflow nor overflow. */
#ifndef TAUT_MESH_PREDICATES_H
#define TAUT_MESH_PREDICATES_H

/* 1, 0 or -1: the sign of the determinant with rows a - d, b - d, c - d. It is 1 when a, b, c run clockwise seen from
 * d, -1 when they run counter-clockwise, and 0 when all four lie in a plane. */
int tt_orient3d(const float a[3], const float b[3], const float c[3], const float d[3]);

/* The same in the plane of the coordinates `u` and `v` (0..2): 1 when a, b, c run counter-clockwise with u to the right
 * and v up, 0 when they lie on a line. */
int tt_orient2d(const float a[3], const float b[3], const float c[3], int u, int v);

#endif
