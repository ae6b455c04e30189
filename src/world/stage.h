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
    int pass;   /* over the limits of a level: 0, 1, ...                   */
    bool whole; /* a pass that leaves none out which was within its limits */
    const tt_broad *broad; /* colliders */
} tt_substep;

/* The constraints of a kind in a segment; the particles of a part: first .. last-1. */
tt_batch tt_batch_of(const tt_body *body, int kind, int segment);
void tt_part_range(const taut_model *model, int part, int *first, int *last);

/* What particle i takes from the particles of another level: 4 numbers each. */
void tt_mix(const tt_transfer *transfer, int i, const float *restrict from, float *restrict to);
/* Takes from what came up to a body from its coarser level the momentum that it did not have there (momentum.c). */
void tt_keep_momentum(tt_body *body);

typedef void tt_stage(tt_body *body, const tt_substep *substep, int piece);

/* Pieces are segments of constraints: */
tt_stage tt_stage_force;    /* p, v -> v         drag and lift               */
tt_stage tt_stage_project;  /* p, lambda -> p    one iteration               */
tt_stage tt_stage_limit;    /* p -> p, or sum    one pass over the limits    */
tt_stage tt_stage_damp;     /* p, v -> v         motion along constraints    */
/* Pieces are parts: */
tt_stage tt_stage_predict;  /* p, v -> x, v, p   gravity; lambda = 0         */
tt_stage tt_stage_contact;  /* p, x -> p         colliders and friction      */
tt_stage tt_stage_velocity; /* p, x, v -> v, p   v = (p - x)/h               */
tt_stage tt_stage_check;    /* p, x, v -> p, v   bad particles put back      */
tt_stage tt_stage_publish;  /* p, v -> out       the mesh's vertex order     */
tt_stage tt_stage_average;  /* sum -> p          Jacobi's step               */
tt_stage tt_stage_down;     /* finer's p, x -> p, x                          */
tt_stage tt_stage_mark;     /* p -> before                                   */
tt_stage tt_stage_change;   /* p, before -> before    what the limits did    */
tt_stage tt_stage_up;       /* coarser's before -> p                         */
/* One piece: */
tt_stage tt_stage_hold;     /* p -> p            hard pins                   */
tt_stage tt_stage_anchor;   /* p -> anchor       where tethers hold          */
tt_stage tt_stage_pull;     /* p -> p            soft pins                   */
tt_stage tt_stage_probe;    /* finest's p, p, before -> p   colliders, of a coarse solid */

#endif
