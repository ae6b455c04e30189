/* What a draped sheet looks like, in numbers. */
#ifndef BENCH_DRAPE_MEASURES_H
#define BENCH_DRAPE_MEASURES_H

#include "base/memory.h"
#include "mesh/topology.h"

/* How large the values of one sign are: half of all, 99 % of all and all are below these. */
typedef struct spread {
    double p50, p99, worst;
} spread;

/* Relative changes of length, both ways; 0.01 is 1 %. */
typedef struct strain_spread {
    spread stretch, compression;
} strain_spread;

/* Of n > 0 changes of length, above 0 where something got longer. Puts them in another order. */
strain_spread strain_spread_of(double *change, int n);

/* What the measures of one mesh need. */
typedef struct drape_gauge {
    tt_scope scope;
    int nvertices, ncells, nedges;
    tt_topology topology;
    taut_measurer *measurer;
    double *edge_length; /* at rest */
    double *mass;        /* of each vertex, kg */
    unsigned char *held; /* 1 for each pinned vertex */
    float *cell;         /* room for one number a cell */
    double *number;      /* room for the numbers of all cells twice, or of all edges */
} drape_gauge;

/* The mesh may be freed afterwards. */
bool drape_gauge_open(drape_gauge *g, const taut_mesh *mesh, const taut_material *material, taut_error *error);
void drape_gauge_close(drape_gauge *g);

/* Warp and weft of all triangles: |F x| - 1 and |F y| - 1. */
strain_spread drape_weave(const drape_gauge *g, const float *xyz);
strain_spread drape_edges(const drape_gauge *g, const float *xyz);
/* rad: 99 % of the triangles are sheared less than this. */
double drape_shear(const drape_gauge *g, const float *xyz);
/* rad: 95 % of the edges inside are folded less than this. */
double drape_crease(const drape_gauge *g, const float *xyz);
/* rad: how far the centre of mass is from below the pins, which are on one line along x. Gravity is along -y. */
double drape_plumb(const drape_gauge *g, const float *xyz);
/* m^2: the shadow on the ground, seen from above the origin, if it is star-shaped from there. */
double drape_shadow(const drape_gauge *g, const float *xyz);

/* The root mean square of n > 0 speeds. */
double drape_speed(const float *velocity, int n);

/* How many folds a profile of n heights has: how often it turns after it went up or down by more than `prominence`.
 * A closed profile goes on from its last height to its first; there a fold is a turn down and a turn up. */
int drape_folds(const double *height, int n, double prominence, bool closed);

#endif
