/* Fields of distances: how far the points of a lattice are from a closed surface, below 0 inside. Between the points
 * distances are mixed. */
#ifndef TAUT_COLLIDE_FIELD_H
#define TAUT_COLLIDE_FIELD_H

#include "mesh/bvh.h"

#define TT_MOST_FIELD_POINTS (1 << 24)

typedef struct tt_field {
    int n[3];    /* points in each direction, at least 2; x runs fastest */
    float cell;  /* m: from point to point                               */
    float low[3]; /* where the first one is, in the shape's own axes      */
    float *value; /* m                                                    */
} tt_field;

/* Who does many things at the same time. */
typedef struct tt_helpers {
    taut_parallel_for *run;
    void *user;
} tt_helpers;

static inline int64_t tt_field_points(const tt_field *f) { return (int64_t)f->n[0] * f->n[1] * f->n[2]; }

/* Of a checked mesh. `cell` 0: a 64th of its longest side. False with an error: no memory, an open mesh, too many
 * points. */
bool tt_field_build(tt_scope *scope, const taut_mesh *mesh, float cell, tt_helpers helpers, tt_field *field,
                    taut_error *error);
/* Whether numbers that come from elsewhere can be those of a field; `value` is not looked at. */
bool tt_field_is_sound(const tt_field *field);
/* The box that holds the surface. */
tt_box tt_field_box(const tt_field *field);
/* The distance at a place, and the way in which it grows most, of length 1 (NULL: not asked for; 0: nowhere). Outside
 * of the lattice it is at least as far as that. */
double tt_field_at(const tt_field *field, vec3 place, vec3 *out);

#endif
