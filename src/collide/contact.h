/* Contacts of particles with shapes, inside the solver's loop. */
#ifndef TAUT_COLLIDE_CONTACT_H
#define TAUT_COLLIDE_CONTACT_H

#include "collide/shape.h"
#include "constraints/real.h"

/* Particles first .. last-1 (multiples of a block) of a body. */
typedef struct tt_contact_batch {
    real *p;        /* predicted, moved out of the shapes              */
    const real *x;  /* where they were when the substep began          */
    int first, last;
    const tt_shape *shape;
    int nshapes;
    float thickness, friction;
} tt_contact_batch;

/* Returns the number of contacts. */
typedef int tt_contacts(const tt_contact_batch *batch);

/* The kernel of an instruction set, by its name (tt_simd_name). */
tt_contacts *tt_contacts_kernel(const char *simd);

#endif
