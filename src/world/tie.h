/* A tie holds a particle to a place: the attachment of taut.h, as the step sees it.
 *
 *     C = sum of by x over its ends, less the place on a collider       |C| <= leash
 *
 * The ends are the particle itself (by 1) and the corners of the place on another body (by -weight). The leash begins
 * at the distance of the two and shrinks to the slack.
 *
 * A backstop is a wall behind the place: n.C >= -wall, where n is the normal of the triangle of the first three
 * corners. The wall begins where the particle is and comes as fast as a leash shrinks. */
#ifndef TAUT_WORLD_TIE_H
#define TAUT_WORLD_TIE_H

#include "base/vec.h"
#include "collide/ride.h"

typedef struct tt_body tt_body;

enum { TT_TIE_ENDS = 5 };

typedef struct tt_tie_end {
    tt_body *body;
    int particle;
    double by;
} tt_tie_end;

/* How a tie acts in a substep: not; along a direction, because it is a taut leash; in all directions. */
typedef enum tt_tie_mode { TT_TIE_LOOSE, TT_TIE_ALONG, TT_TIE_WHOLE } tt_tie_mode;

typedef struct tt_tie {
    int body, particle;  /* ids and particles */
    int collider, other; /* one of them is -1 */
    int corner[TT_TIE_ENDS - 1];
    float weight[TT_TIE_ENDS - 1];
    tt_ride ride; /* the place on the collider */
    float slack, backstop, speed, strength;
    double leash, wall, force; /* force: N, of the last step */
    /* Of a step: */
    bool fixed; /* the particle is where its place is, and cannot move by itself */
    int nends;
    tt_tie_end end[TT_TIE_ENDS];
    const tt_collider *holder; /* NULL: a body */
    vec3 pulled;               /* N: the sum over substeps */
    /* Of a substep: */
    vec3 place; /* on the collider, in the world */
    tt_tie_mode mode;
    vec3 axis;     /* of a leash: from the place to the particle; of a backstop: into the wall */
    double reach;  /* how far C may go along the axis */
    double spring; /* in the balance: the mass of the ends by counts; 0: none can move, or the tie is loose */
    int slave;     /* in the balance: the end that goes where the other ends take it; -1: none */
    vec3 impulse;  /* on C, times the substep: kg m */
} tt_tie;

/* How far the particle is from its place. */
vec3 tt_tie_gap(const tt_tie *tie);
/* Whether the tie has a backstop. Then n is its normal, and `size` the longest side of the triangle. */
bool tt_tie_normal(const tt_tie *tie, vec3 *n, double *size);

#endif
