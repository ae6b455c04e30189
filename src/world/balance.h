/* The balance of a body: how far every particle has to go so that elastic forces and inertia agree.
 *
 * A substep of implicit Euler asks for positions p with
 *
 *     M (p - aim) + h^2 dE/dp = 0        aim = x + h v + h^2 g,   E the energy of the constraints as springs
 *
 * Conjugate gradients look for them from p = aim, with the true stiffness there. All levels help in each step
 * (stage_search.c). For that a level needs to know only one thing: the stiffness that holds a particle if it moves
 * alone, together with its riders. That is a symmetric matrix for each particle, its brace, which contains the
 * directions of threads and folds. */
#ifndef TAUT_WORLD_BALANCE_H
#define TAUT_WORLD_BALANCE_H

#include "base/memory.h"

typedef struct tt_level tt_level;
typedef struct tt_body tt_body;

/* How a contact holds a particle. */
typedef enum tt_grip { TT_FREE, TT_SLIDES, TT_DRAGGED, TT_STICKS } tt_grip;

/* The part of a level. Vectors have 4 numbers a particle; the last is 0. */
typedef struct tt_balance {
    float spacing;   /* the mean length of an edge, whether the body is balanced or not */
    float *mass;     /* per particle; 0: it cannot move */
    float *plain;    /* per particle: the stiffness, alike in all directions, of kinds that have no `brace` */
    float *brace[2]; /* per particle: the stiffness if it moves alone: xx yy zz 0 and xy yz xz 0; then the inverse */
    float *load;     /* the load out of balance, times h^2 */
    float *move;     /* the level's answer to the load     */
    double *sum;     /* per part: the sum of a product     */
    /* Of the mesh itself: */
    float *loose;     /* the part of the load that no contact holds */
    float *way;       /* the direction of search                    */
    float *push;      /* the resistance against that direction      */
    float *gone;      /* how far the search has gone                */
    float again, far; /* the share of the last direction that the next one keeps; how far the search goes along it */
    float placed;     /* how far along the first direction the search begins */
    double before;    /* the load along it at its beginning */
    double total_mass;
    double size;      /* of the body at rest: root mean square of the distances from its centre */
    float whole[2][3]; /* what other bodies push against it if it moves as a whole: xx yy zz and xy yz xz */
    float left;       /* of the last search: the speed that the load left would give, over that of a small load */
    /* Of the present step, as in taut_stats: */
    int searches, cut;
    float most_left;
    bool met;         /* some particle touches a collider  */
    float *normal;    /* of the surface that a particle touches; and the coefficient of friction */
    float *motion;    /* of that surface over the substep; and how far the particle slides before the search */
    float *landed;    /* how far the collider has moved the particle */
    float *held[2];   /* the force by which other cloth holds the particle, on either side (collide/apart_springs.c) */
    uint8_t *grip;    /* tt_grip */
    uint8_t *bound;   /* whether an attachment acts on the particle */
} tt_balance;

bool tt_balance_create(tt_scope *scope, tt_level *level);
/* Sets masses and `plain` of all levels after a change of material, pins or masses. */
void tt_balance_derive(tt_body *body);
/* The number of substeps in a step of dt for bodies solved by quality. */
int tt_balance_substeps(float dt);

#endif
