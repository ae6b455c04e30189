/* Origins: the coordinates of a body are floats relative to an origin that travels with it, so bodies may be anywhere.
 *
 * A float has 24 bits. A kilometre away from 0 0 0, floats are 0.06 mm apart, and cloth trembles. So a body measures
 * from an origin of its own, which is in double. The origin lies on a lattice whose spacing is a power of two, the
 * largest that is no more than the body's size. When a body has left its origin behind, the origin follows by whole
 * spacings, but only if that rounds no coordinate. So travelling changes no bit, and a scene that is moved by a
 * multiple of the lattice gives the same bits. */
#ifndef TAUT_WORLD_ORIGIN_H
#define TAUT_WORLD_ORIGIN_H

#include "world/body.h"

/* No place in the world is farther away than this, m. So all published numbers fit in floats. */
#define TT_FARTHEST 1e30

/* The spacing for a model's bodies. */
double tt_lattice_of(const taut_model *model);
/* The point of the lattice nearest to a place; 0 along an axis on which the place is too far away for the lattice. */
void tt_lattice_nearest(double lattice, const double place[3], double point[3]);
/* Moves a point of the lattice to the point nearest to the middle of a box. It moves only along the axes on which it is
 * more than a spacing away from that middle. */
void tt_lattice_approach(double lattice, const double low[3], const double high[3], double point[3]);

/* How far, in whole spacings, the origin can follow along one axis when coordinates are in [low, high]; 0: it stays. */
double tt_lattice_follow(double lattice, double low, double high);

#endif
