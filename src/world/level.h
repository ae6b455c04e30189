/* A level of a body: the mesh itself, or one of the coarser meshes that carry loads across it (docs/levels.md).
 *
 *     p  {x, y, z, w}   positions; during a substep the predicted ones. w = inverse mass, 0 while pinned
 *     x  {x, y, z, -}   positions when the substep began
 *     v  {x, y, z, 0}   velocities; only the mesh itself has them
 *
 * The levels of a body are an array: level[0] is the mesh, level[i + 1] is coarser than level[i]. A coarser level moves
 * only within a substep: it takes its state from the finer one and hands back the changes that its limits made. */
#ifndef TAUT_WORLD_LEVEL_H
#define TAUT_WORLD_LEVEL_H

#include "model/model.h"
#include "world/balance.h"
#include "world/momentum.h"

struct tt_level {
    const taut_model *model;
    tt_body *body;
    int number;              /* 0: the mesh itself */
    taut_material material;  /* the body's, or the material derived from it for a coarser level */
    float *p, *x, *v;        /* 4 per particle */
    tt_memo *memo;           /* per particle: of meshes near it. NULL: there has been no mesh yet */
    float *pushed;           /* 4 per particle: scratch of contacts, if parts are larger than TT_SMALL_PART */
    tt_balance balance;
    float *free_w;           /* per particle: inverse mass when not pinned */
    float *lambda[TT_KINDS]; /* XPBD's multipliers */
    tt_tuning tuning[TT_KINDS];
    bool phase_rest; /* the phase TT_REST has constraints */
    int *contacts;   /* per part: of the last substep */
    bool *face_touches; /* of the mesh itself, per run of triangles: one of them touches a collider */
    /* Limits: */
    bool limited;            /* there are limits on this level */
    bool pushes;             /* it has links that also push (reach.c) */
    float *excess;           /* per segment: the largest violation that the last pass met */
    uint8_t *idle[TT_KINDS]; /* per block: passes that it sits out */
    float *sum;              /* 4 per particle: corrections to be averaged, and their number */
    int pass, last_pass;     /* of the present round: the present pass, and the one at which it ends */
    bool whole;              /* this pass leaves out no block that was within its limits */
    bool at_work;            /* it has passes left in this round */
    float limit_excess;      /* the largest violation that the last pass met */
    /* Of a coarser level: */
    float *before; /* 4 per particle: p as it came down; then how far the limits moved it */
    /* Of a mesh whose limits are watched (energy.c): */
    float *others; /* 4 per particle: the change of p by all but limits. `before`: p before that change */
    tt_motion *motion_others; /* per part: its sums */
    bool noted;    /* others act now, and p is in `before` */
    bool acted;    /* others have acted in this substep */
};

/* Takes the level's arrays and puts its particles at rest. False when memory ran out. */
bool tt_level_create(tt_scope *scope, const taut_model *model, tt_body *body, int number, tt_level *level);

/* Parts of up to this number of particles have their scratch on the stack. */
enum { TT_SMALL_PART = 512 };

/* The constraints of a kind in a segment; the particles of a part: first .. last-1. */
tt_batch tt_batch_of(const tt_level *level, int kind, int segment);
void tt_part_range(const taut_model *model, int part, int *first, int *last);

/* Whether colliders have pushed some of its particles in this substep. */
bool tt_level_touches(const tt_level *level);

/* The passes that a level's limits get in a substep, and the rounds over all levels in which they are spent. */
int tt_level_passes(const tt_level *level);
int tt_level_rounds(const tt_level *level);
/* Whether the last pass met an element that is outside by more than the threshold. */
static inline bool tt_level_is_outside(const tt_level *level)
{
    return level->limit_excess > level->material.limit.threshold;
}

#endif
