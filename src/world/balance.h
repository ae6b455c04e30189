/* The balance of a body: how far every particle has to go so that elastic forces and inertia agree.
 *
 * A substep of implicit Euler asks for positions p with
 *
 *     M (p - aim) + h^2 dE/dp = 0        aim = x + h v + h^2 g,   E the energy of the constraints as springs
 *
 * Conjugate gradients look for them from p = aim, with the true stiffness there. Each of their steps is helped by all
 * levels (stage_search.c). For that a level needs to know one thing only: what holds each of its particles if it moves
 * alone, with what rides on it. That is a symmetric matrix per particle, its brace, which knows the directions of
 * threads and folds. */
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
    float *plain;    /* per particle: what holds it in all directions alike, by kinds that have no brace */
    float *brace[2]; /* what holds each particle if it alone moves: xx yy zz 0 and xy yz xz 0; then the inverse */
    float *load;     /* what is out of balance, times h^2  */
    float *move;     /* what the level would do about it   */
    double *sum;     /* per part: of a product             */
    /* Of the mesh itself: */
    float *loose;     /* the load that no contact holds    */
    float *way;       /* the direction of search           */
    float *push;      /* what resists it                   */
    float *gone;      /* how far the search has gone       */
    float again, far; /* how much of the last direction the next one keeps; how far it goes */
    float placed;     /* how far along the first direction the search begins */
    double before;    /* the load along it at its beginning */
    double total_mass;
    bool met;         /* some particle touches a collider  */
    float *normal;    /* there: of the surface; and the coefficient of friction */
    float *motion;    /* of the surface over the substep; and how far the particle slides before the search */
    float *landed;    /* how far the collider has moved the particle */
    uint8_t *grip;    /* tt_grip */
    uint8_t *bound;   /* whether an attachment is at work on it */
} tt_balance;

bool tt_balance_create(tt_scope *scope, tt_level *level);
/* Sets masses and `plain` of all levels after a change of material, pins or masses. */
void tt_balance_derive(tt_body *body);
/* How many substeps a step of dt takes by quality. */
int tt_balance_substeps(float dt);

#endif
