/* The look of a draped sheet, in numbers. */
#ifndef BENCH_DRAPE_MEASURES_H
#define BENCH_DRAPE_MEASURES_H

#include "base/memory.h"
#include "mesh/topology.h"

/* Data for the measures of one mesh. */
typedef struct drape_gauge {
    tt_scope scope;
    int nvertices;
    tt_topology topology;
    taut_measurer *measurer;
    double *mass;          /* of each vertex, kg */
    unsigned char *pinned; /* 1 for each pinned vertex */
    double *number;        /* room for one number an edge */
} drape_gauge;

/* The mesh may be freed afterwards. */
bool drape_gauge_open(drape_gauge *g, const taut_mesh *mesh, const taut_material *material, taut_error *error);
void drape_gauge_close(drape_gauge *g);

/* rad: 95 % of the inner edges are folded less than this. */
double drape_crease(const drape_gauge *g, const float *xyz);
/* rad: the angle by which the centre of mass is off the place below the pins, which are on one line along x. Gravity is
 * along -y. */
double drape_plumb(const drape_gauge *g, const float *xyz);
/* m^2: the shadow on the ground under light from above. It has to be star-shaped around the origin. */
double drape_shadow(const drape_gauge *g, const float *xyz);

#endif
