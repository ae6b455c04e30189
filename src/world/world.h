/* The world: bodies, colliders, and the arrays through which the stages of a step talk.
 *
 *     p  {x, y, z, w}   positions; during a substep the predicted ones. w = inverse mass, 0 while pinned
 *     x  {x, y, z, -}   positions when the substep began
 *     v  {x, y, z, 0}   velocities
 */
#ifndef TAUT_WORLD_WORLD_H
#define TAUT_WORLD_WORLD_H

#include "base/pool.h"
#include "collide/contact.h"
#include "model/model.h"

typedef struct tt_soft_pin {
    int particle;
    float stiffness; /* ratio, as given       */
    float k;         /* of one iteration: k'  */
} tt_soft_pin;

typedef struct tt_body tt_body;
struct tt_body {
    tt_scope scope; /* owns the body and its arrays */
    const taut_model *model;
    taut_material material;
    float *p, *x, *v;      /* 4 per particle */
    float *free_w;         /* per particle: inverse mass when not pinned */
    float *target;         /* 4 per particle: where a pin goes; [3] = its stiffness, 0: not pinned */
    float *anchor;         /* 4 per anchor */
    float *lambda[TT_KINDS];
    tt_tuning tuning[TT_KINDS];
    float tuned_h;         /* the substep and count that the tuning is for; 0: none yet */
    int tuned_n;
    int nheld, nsoft;
    int *held;             /* particles pinned hard */
    tt_soft_pin *soft;
    int *contacts, *bad;   /* per part, of the last step */
    float *out_x, *out_v;  /* 3 per vertex, in the mesh's order */
    bool has_rest;         /* the REST phase has constraints */
    float *excess;         /* per segment: the largest violation of a limit that the last pass met */
    uint8_t *idle[TT_KINDS]; /* of limits, per block: passes that it sits out */
    float *sum;            /* 4 per particle: corrections to be averaged, and their number (Jacobi) */
    bool limited;          /* there are limits on this level */
    int limit_passes;      /* of the last substep */
    float limit_excess;    /* the largest violation that the last pass met */
    /* Of a coarser level, which is a body of its own; it moves only within a substep. */
    tt_body *coarser, *finer;
    bool pushes;           /* links that can hold their length (reach.c) */
    float *before;         /* 4 per particle: p as it came down; then what the limits did to it */
    float *probe, *probed; /* 4 per probe of a solid: where it goes, and where colliders push it */
    float *probe_x;        /* 4 per probe: where it was when the substep began */
};

struct taut_world {
    tt_scope scope;
    taut_world_def def;
    tt_pool *pool;
    taut_parallel_for *run; /* the world's team: its own pool or the engine's */
    void *run_user;
    const tt_kind *const *kinds;
    const char *simd;
    int nbodies, body_capacity; /* slots, used or not */
    tt_body **body;             /* NULL: a free slot  */
    tt_body **small;            /* scratch of a step: bodies that run whole in one task */
    int ncolliders, collider_capacity;
    tt_collider *collider;
    tt_broad broad;             /* where colliders are in a step */
    int64_t steps;
    double seconds;
    taut_stats stats;
};

static inline const tt_body *tt_finest(const tt_body *body)
{
    while (body->finer) body = body->finer;
    return body;
}

/* ---- bodies (body.c) ------------------------------------------------------------------------------------------- */

tt_body *tt_body_create(const tt_scope *like, const taut_model *model, const taut_body_def *def, taut_error *error);
void tt_body_free(tt_body *body);
/* Copies p and v to out_x and out_v for vertices first .. last-1. */
void tt_body_publish(tt_body *body, int first, int last);
/* Puts the anchors of tethers where their pins are. */
void tt_body_anchor(tt_body *body);
/* Holds a particle at its target, or lets it go. */
void tt_body_hold(tt_body *body, int particle, float stiffness);
void tt_body_let_go(tt_body *body, int particle);

/* Tuning for substep h and the world's counts; does nothing when it is up to date (stage.c). */
void tt_body_tune(tt_body *body, const taut_world *world, float h);

/* ---- world (world.c) ------------------------------------------------------------------------------------------- */

tt_body *tt_world_body(const taut_world *world, int body);
/* Room for that many bodies and colliders in all; false when memory ran out (the world is as before). */
bool tt_world_reserve(taut_world *world, int nbodies, int ncolliders);

#endif
