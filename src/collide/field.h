/* Fields of distances: the distances of the points of a lattice from a closed surface, below 0 inside. Between the
 * points distances are interpolated. */
#ifndef TAUT_COLLIDE_FIELD_H
#define TAUT_COLLIDE_FIELD_H

#include "mesh/bvh.h"

#define TT_MOST_FIELD_POINTS (1 << 24)

typedef struct tt_field {
    int n[3];    /* points in each direction, at least 2; x runs fastest */
    float cell;  /* m: from point to point                               */
    float low[3]; /* the place of the first point, in the shape's own axes */
    float *value; /* m                                                    */
} tt_field;

/* The threads that help. */
typedef struct tt_helpers {
    taut_parallel_for *run;
    void *user;
} tt_helpers;

static inline int64_t tt_field_points(const tt_field *f) { return (int64_t)f->n[0] * f->n[1] * f->n[2]; }

/* Makes the field of a checked mesh. `cell` 0: a 64th of its longest side. Returns false with an error: no memory, an
 * open mesh, too many points. */
bool tt_field_build(tt_scope *scope, const taut_mesh *mesh, float cell, tt_helpers helpers, tt_field *field,
                    taut_error *error);
/* Whether the numbers of a save can be those of a field; `value` is not checked. */
bool tt_field_is_sound(const tt_field *field);
/* The box that holds the surface. */
tt_box tt_field_box(const tt_field *field);
/* The distance at a place. `out`, if not NULL, becomes the direction in which it grows most, of length 1, or 0 if it
 * does not grow. Outside of the lattice the distance is at least the distance to the lattice. */
double tt_field_at(const tt_field *field, vec3 place, vec3 *out);

#endif
