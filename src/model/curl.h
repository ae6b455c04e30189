/* How far a coarse hinge can fold on a shell that keeps its limits of bending: the limits of levels that are not
 * trained. */
#ifndef TAUT_MODEL_CURL_H
#define TAUT_MODEL_CURL_H

#include "model/hierarchy.h"

/* Whether the material's limits let coarser levels have limits of bending too. */
bool tt_curl_exists(const taut_material *material);

/* The sharpest curvature of the mesh, 1/m; INFINITY: there is no bound. */
double tt_curl_most(const taut_material *material);

/* The factors of limit_bend, as in tt_maker, of all levels over `mesh`: factor[i] is that of level i. INFINITY: free to
 * fold. False when memory ran out. */
bool tt_curl_factors(tt_scope *scope, const taut_mesh *mesh, const taut_limit *limit, const tt_hierarchy *hierarchy,
                     float **factor);

/* Puts the two factors of a hinge where limit_bend looks for them: 2 per corner of each triangle. */
void tt_put_bend_factors(const taut_mesh *mesh, const tt_hinge *hinge, float low, float high, float *factor);

#endif
