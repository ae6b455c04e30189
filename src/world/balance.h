/* The balance of a body: how far every particle has to go so that elastic forces and inertia agree.
 *
 * A substep of implicit Euler asks for positions p with
 *
 *     M (p - aim) + h^2 dE/dp = 0        aim = x + h v + h^2 g,   E the energy of the constraints as springs
 *
 * From any p, a step u with A u = M (aim - p) - h^2 dE/dp brings it nearer. A = M + h^2 L is a matrix that bounds the
 * true one from above wherever the particles are (tt_kind's forms), as in projective dynamics. So a step never goes too
 * far, whatever the mesh, stiffness and h. The same number stands for x, y and z, and A changes with material, pins and
 * masses only.
 *
 * A V-cycle over the levels of the body about solves A. It helps each step of conjugate gradients with the true
 * stiffness (stage_balance.c). A coarse matrix is what the finer one is for motions that the coarse particles can make
 * (Galerkin), so that all levels have the moduli of the mesh, and none adds any. What is left over is that of the mesh
 * itself, so a coarse level never sees a fine wrinkle as a stretch. */
#ifndef TAUT_WORLD_BALANCE_H
#define TAUT_WORLD_BALANCE_H

#include "base/memory.h"

typedef struct tt_level tt_level;
typedef struct tt_body tt_body;

/* The part of a level. Vectors have 4 numbers a particle, of which the last is 0. */
typedef struct tt_balance {
    float *stiff; /* L, per entry of the model's coupling       */
    float *reach; /* per particle: the sum of its row's absolute values */
    float *mass;  /* M, per particle; 0: it cannot move         */
    float *step;  /* per particle: what a load moves in a sweep */
    float *load;  /* what is out of balance                     */
    float *left;  /* what of it is left over                    */
    float *move;  /* u                                          */
    float *wall;  /* 6 per particle: what stiffens it against colliders, a symmetric matrix xx yy zz xy yz xz */
    bool walled;  /* some wall is not 0 */
    /* Of the mesh itself: */
    float *plain;     /* per particle: its own entry of L by kinds whose forms say enough */
    float *brace[2];  /* what holds each particle if it alone moves: xx yy zz 0 and xy yz xz 0; then the inverse */
    float *way;       /* the direction of search                     */
    float *push;      /* what resists it                             */
    float *gone;      /* how far the search has gone                 */
    float again, far; /* how much of the last direction the next one keeps; how far it goes */
    double
        slack[2]; /* what is out of balance when all is stretched by 1: due to mass, and due to stiffness times h^2 */
    double *sum;  /* per part: of products                       */
    float *exact; /* the last level, if it is small: the inverse of A, full; else NULL */
} tt_balance;

bool tt_balance_create(tt_scope *scope, tt_level *level);
/* Sets the matrices of all levels after a change of material, pins or masses. */
void tt_balance_derive(tt_body *body);
/* Sets what depends on the substep too. */
void tt_balance_retune(tt_body *body, float h);
/* How many substeps a step of dt takes by quality. */
int tt_balance_substeps(float dt);

#endif
