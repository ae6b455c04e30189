/* The broad phase: which colliders come near to a box? Boxes and the tree over them hold for a whole step, the places of
 * the colliders for a substep. Items are the slots of colliders in the world. */
#ifndef TAUT_COLLIDE_BROAD_H
#define TAUT_COLLIDE_BROAD_H

#include "collide/shape.h"

typedef struct tt_broad {
    const tt_shape_set *shapes;
    int count; /* slots, used or not */
    int nused;
    tt_placed *placed;    /* per slot: where the collider is in this substep   */
    tt_box *box;          /* per slot: around it in the whole step             */
    int nmoving, *moving; /* slots of colliders that move in this step      */
    tt_bvh tree;
} tt_broad;

/* Room for so many slots. False when memory ran out; then all is as before. What was there before is gone with the next
 * tt_broad_begin. */
bool tt_broad_reserve(tt_broad *broad, tt_scope *scope, int count);

/* Before the first substep of a step: boxes of all colliders on their way, and the tree. */
void tt_broad_begin(tt_broad *broad, const tt_collider *collider, int count);

/* Puts the colliders at fraction `to` of the step; a substep of h ago they were at `from`. */
void tt_broad_advance(tt_broad *broad, const tt_collider *collider, float from, float to, float h);

#endif
