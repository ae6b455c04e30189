/* A body: an instance of a model. It has pins, masses and a material, and publishes the places of its vertices. Its
 * levels are what moves. */
#ifndef TAUT_WORLD_BODY_H
#define TAUT_WORLD_BODY_H

#include "base/vec.h"
#include "collide/apart.h"
#include "world/level.h"
#include "world/momentum.h"
#include "world/sway.h"

typedef struct tt_pin {
    int particle;
    float stiffness;  /* a ratio; 1: it holds exactly */
    float share;      /* below 1: the share of the way that one iteration pulls */
    double target[3]; /* in the world */
    bool arrived;     /* a hard pin that is at its target */
} tt_pin;

struct tt_body {
    tt_scope scope;           /* owns the body and its arrays */
    taut_material material;   /* as the caller gave it */
    uint32_t group, mask;     /* which colliders it touches */
    double origin[3];         /* in the world: positions of all levels are relative to it (origin.h) */
    double lattice, shift[3]; /* the origin's lattice; how far it goes at the end of this step */
    float *box;               /* 6 per part: lowest and highest coordinates of particles that can move */
    int nlevels;              /* at least 1 */
    tt_level *level;          /* the mesh itself first */
    int npins, nsoft;         /* nsoft: pins whose stiffness is below 1 */
    tt_pin *pin;              /* room for one per vertex */
    int *pin_of;              /* per particle: the number of its pin plus 1, 0: not pinned */
    float *anchor;            /* 4 per anchor of a tether: {x, y, z, active} */
    float *gas;               /* 4 per particle: how the volume of the shell grows; NULL: it holds no gas */
    double volume, gas_push;  /* the volume as last measured; the pressure so far, times the substep squared */
    int *bad;                 /* per part: particles put back in this step */
    float *out_x, *out_v;     /* 3 per vertex, in the mesh's order */
    bool balanced;            /* its elastic forces are balanced rather than projected (balance.h) */
    float tuned_h;            /* substep and count for which the levels are ready; count 0: none */
    int tuned_n;
    tt_motion *motion_before, *motion_after; /* per part: before the constraints, and after them (momentum.c) */
    tt_sway_sums *sway_sums; /* per part; read by friction within a substep */
    tt_sway sway;
    tt_axis axis;
    tt_apart *apart; /* of the island whose first body this is; NULL until it touches */
    bool may_cross;  /* it was placed, and no search has shown since then that it crosses nothing; saved */
    int pair_chunks; /* chunks of the largest search of that island; saved, because room for pairs depends on it */
    const struct tt_island *island; /* of this step */
    int slot;       /* in the world */
    bool paired;    /* it touches some other body whatever its material says */
    int member;     /* its number in the island */
    bool alone;     /* in its island            */
    bool tied;      /* attachments hold it to something, or something to it */
    bool on_collider; /* an attachment holds it to a collider */
    bool in_round; /* elements are outside their limits, so it takes part in this round over the levels */
};

static inline const taut_model *tt_body_model(const tt_body *body) { return body->level[0].model; }

tt_body *tt_body_create(const tt_scope *like, const taut_model *model, const taut_body_def *def, taut_error *error);
void tt_body_free(tt_body *body);

/* Call this whenever a caller or a restore changes material, masses or soft pins. tt_body_derive then brings the change
 * to every level before the next step. */
static inline void tt_body_changed(tt_body *body) { body->tuned_n = 0; }
/* Gives every level the material, masses and tuning that follow from the body, for substeps of h and n iterations in
 * the whole step. Cheap when they are up to date. */
void tt_body_derive(tt_body *body, const taut_world *world, float h, int n);
/* Whether coarser levels have limits, so that they move the body. */
static inline bool tt_body_has_limits_above(const tt_body *body) { return body->nlevels > 1 && body->level[1].limited; }
/* Whether elastic forces of the body are balanced instead of projected, with its present material. */
bool tt_body_is_balanced(const tt_body *body);

/* Adds a pin, or changes it. */
void tt_body_set_pin(tt_body *body, int particle, const double target[3], float stiffness);
void tt_body_remove_pin(tt_body *body, int particle);

/* Puts every vertex at origin + xyz, with pins and their targets. */
void tt_body_place(tt_body *body, const double origin[3], const float *xyz);
/* The place of a particle, measured from a place in the world. A pin that has arrived is exactly at its target. */
void tt_body_where_from(const tt_body *body, int particle, const double origin[3], double where[3]);
/* The place of a particle in the world. */
static inline void tt_body_where(const tt_body *body, int particle, double where[3])
{
    for (int c = 0; c < 3; c++) where[c] = body->origin[c] + (double)body->level[0].p[4 * (size_t)particle + (size_t)c];
}
/* Copies p and v to out_x and out_v for vertices first .. last-1. */
void tt_body_publish(tt_body *body, int first, int last);
/* Puts the anchors of tethers where their pins are. */
void tt_body_anchor(tt_body *body);
/* Publishes all vertices and sets the anchors, after positions or velocities were set. */
void tt_body_show(tt_body *body);

#endif
