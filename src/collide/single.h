/* One particle and a shape that is not convex, in the shape's own axes. A particle comes from the place to which the
 * shape would have carried it. Time goes from 0 to 1 over the substep. */
#ifndef TAUT_COLLIDE_SINGLE_H
#define TAUT_COLLIDE_SINGLE_H

#include "collide/shape.h"

/* From the world to the shape's own axes. */
typedef struct tt_axes {
    vec3 origin, row[3];
} tt_axes;

/* A shape and a batch that meet. */
typedef struct tt_meeting {
    const tt_contact_batch *batch;
    const tt_placed *placed;
    tt_axes now, before; /* for places now, and for places where the substep began, carried along by the shape */
    double thickness, friction;
    double slack; /* above the rounding of coordinates; the least thickness */
} tt_meeting;

/* A particle goes straight from one place to another in the time from `since` to 1. At time 0 it was at `begin`.
 * Sliding is measured from `rest`. */
typedef struct tt_way {
    vec3 begin, from, to, rest;
    double since;
} tt_way;

/* The contact of a particle at the end of its way. */
typedef struct tt_bump {
    vec3 normal, motion; /* of the surface; in its own axes, over the substep */
    double gap;          /* along the normal                                  */
} tt_bump;

/* `largest` is the largest coordinate of the shape in its own axes. */
tt_meeting tt_meet(const tt_contact_batch *batch, const tt_placed *placed, double largest);
/* The way of particle i of the batch. False if it cannot come near to the shape, or does not move. */
bool tt_way_of(const tt_meeting *m, int i, tt_way *way);
/* Puts the particle at the end of its way. */
void tt_way_end(const tt_meeting *m, int i, const tt_way *way);
/* Pushes the end of a way out of a contact, with friction on the rest of the way. Returns whether it moved. `slowly`:
 * the particle touched or was inside already when the substep began, so it leaves slowly. */
bool tt_push(const tt_meeting *m, int i, tt_way *way, bool slowly, const tt_bump *bump);
/* Notes that a particle touches the shape. */
void tt_note(const tt_meeting *m, int i, const tt_way *way, const tt_bump *bump);
/* Lets a way go on to its end from the place where it was stopped, at a distance from the surface. Sliding is measured
 * from the nearest place that is a thickness away. */
void tt_stop(const tt_meeting *m, tt_way *way, vec3 place, double time, const tt_bump *bump, double distance);

static inline vec3 tt_between(vec3 a, vec3 b, double share) { return vec_add(a, vec_scale(vec_sub(b, a), share)); }

/* The least thickness, as a share of the coordinates. */
#define TT_SKIN 1e-6

#endif
