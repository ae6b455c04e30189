/* The stages of a substep. Each works on one piece of one body (a part, or a segment of constraints); the pieces of a
 * stage touch different memory, so they may run on any threads in any order. */
#ifndef TAUT_WORLD_STAGE_H
#define TAUT_WORLD_STAGE_H

#include "world/world.h"

/* What the stages need to know of the substep. */
typedef struct tt_substep {
    const taut_world *world;
    float h;
    int remaining; /* substeps of this step that are left, this one included */
    int iterations;
    const tt_shape *shape;
    int nshapes;
} tt_substep;

typedef void tt_stage(tt_body *body, const tt_substep *substep, int piece);

/* Pieces are segments of constraints: */
tt_stage tt_stage_force;    /* p, v -> v         drag and lift               */
tt_stage tt_stage_project;  /* p, lambda -> p    one iteration               */
tt_stage tt_stage_damp;     /* p, v -> v         motion along constraints    */
/* Pieces are parts: */
tt_stage tt_stage_predict;  /* p, v -> x, v, p   gravity; lambda = 0         */
tt_stage tt_stage_contact;  /* p, x -> p         colliders and friction      */
tt_stage tt_stage_velocity; /* p, x, v -> v, p   v = (p - x)/h               */
tt_stage tt_stage_check;    /* p, x, v -> p, v   bad particles put back      */
tt_stage tt_stage_publish;  /* p, v -> out       the mesh's vertex order     */
/* One piece: */
tt_stage tt_stage_hold;     /* p -> p            hard pins                   */
tt_stage tt_stage_anchor;   /* p -> anchor       where tethers hold          */
tt_stage tt_stage_pull;     /* p -> p            soft pins                   */

#endif
