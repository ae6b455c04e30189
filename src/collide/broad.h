/* The broad phase: finds the colliders that come near to a box. Boxes and the tree over them are valid for a whole
 * step, the places of the colliders for a substep. Items are the slots of colliders in the world. */
#ifndef TAUT_COLLIDE_BROAD_H
#define TAUT_COLLIDE_BROAD_H

#include "collide/shape.h"

typedef struct tt_broad {
    const tt_shape_set *shapes;
    int count; /* slots, used or not */
    int nused;
    bool any_solid; /* triangles can touch one of them between their corners */
    uint64_t looks; /* how often colliders were placed */
    tt_placed *placed;    /* per slot: the place of the collider in this substep */
    tt_box *box;          /* per slot: around the collider in the whole step   */
    int nmoving, *moving; /* slots of colliders that move in this step      */
    tt_bvh tree;
} tt_broad;

/* Makes room for `count` slots. The contents are undefined until the next tt_broad_begin. False when memory ran out;
 * then everything is as before. */
bool tt_broad_reserve(tt_broad *broad, tt_scope *scope, int count);

/* Call it before the first substep of a step. It makes the boxes around the ways of all colliders, and the tree. */
void tt_broad_begin(tt_broad *broad, const tt_collider *collider, int count);

/* Puts the colliders at fraction `to` of the step. They were at `from` one substep of length h earlier. */
void tt_broad_advance(tt_broad *broad, const tt_collider *collider, float from, float to, float h);

#endif
