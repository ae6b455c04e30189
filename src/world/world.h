/* The world: bodies, colliders, and the islands of a step. */
#ifndef TAUT_WORLD_WORLD_H
#define TAUT_WORLD_WORLD_H

#include "base/pool.h"
#include "collide/contact.h"
#include "world/body.h"
#include "world/slots.h"
#include "world/tie.h"

enum { TT_MOST_SUBSTEPS = 1000 };

/* How a body goes through a step: by counts, in substeps of the solver; by quality, in substeps of at most 1/240 s. */
typedef enum tt_pace { TT_COUNTED, TT_BY_QUALITY, TT_BOTH, TT_PACES } tt_pace;

/* Bodies that may touch each other in a step. They act only on bodies of the same island, so islands run side by side.
 * If bodies of different paces are in one island, they take the larger number of substeps. */
typedef struct tt_island {
    tt_body **body;
    int nbodies;
    tt_pace pace; /* of all its bodies */
    int ntouching; /* how many of its bodies, the first ones, touch themselves and each other */
    int nties;
    tt_tie **tie; /* in the order of their slots */
} tt_island;

/* Which bodies may touch: scratch of island.c. */
typedef struct tt_joint {
    int *root, *next, *head; /* per slot of a body */
    tt_scope scope;          /* owns the rest */
    int room;                /* how many bodies that touch the rest has room for */
    int *slot;
    tt_box *box;
    tt_bvh bvh;
    tt_apart_member *member;
} tt_joint;

struct taut_world {
    tt_scope scope;
    taut_world_def def;
    tt_pool *pool;
    taut_parallel_for *run; /* the world's team: its own pool or the engine's */
    void *run_user;
    const tt_kind *const *kinds;
    const char *simd;
    tt_slots bodies, colliders, ties;
    tt_body **body;        /* per slot: NULL: free */
    tt_collider *collider; /* per slot             */
    tt_tie *tie;           /* per slot             */
    tt_tiers tiers;        /* of pairs of bodies   */
    /* Of a step: */
    int nislands, nsmall; /* the small islands come first */
    tt_island *island;
    tt_body **member; /* the bodies of all islands, one island after the other */
    tt_tie **tied;    /* the ties of all islands, one island after the other */
    tt_joint joint;
    uint64_t looks;   /* of surfaces: see collide/surface.h */
    tt_broad broad;   /* where colliders are */
    int64_t steps;
    double seconds;
    float last_h[TT_PACES]; /* s: the substep before this step; 0: there was none */
    double deadline;        /* ms of tt_clock: when budget_ms is used up; INFINITY: never */
    taut_stats stats;
};

bool tt_world_def_check(const taut_world_def *def, taut_error *error);
/* The body of an id; NULL when there is none. */
tt_body *tt_world_body(const taut_world *world, int body);
/* Makes room for that many bodies and colliders in all; false when memory ran out (the world is as before). */
bool tt_world_reserve(taut_world *world, int nbodies, int ncolliders);

/* The parts of a step, in the order in which it calls them. This one finds the islands of a step of dt (island.c). It
 * takes memory only if there is too little for the bodies and pairs that touch. If memory runs out, it returns false,
 * and the step is not made. */
bool tt_world_find_islands(taut_world *world, float dt);
/* Makes room for the slots of this number of bodies. */
bool tt_joint_reserve(tt_joint *joint, tt_scope *scope, int count);
/* The first three tell whether a body touches itself and others, how its material says so, and at which distance. The
 * last makes room for an island's pairs; it is false when memory ran out. (stage_apart.c) */
bool tt_body_touches(const tt_body *body);
taut_contact tt_body_contact(const tt_body *body);
float tt_apart_thickness(const tt_body *body);
bool tt_apart_prepare(const taut_world *world, tt_island *island);
/* Ties (tie.c). The first finds their bodies and the particles that they fix. The second, after the islands are found,
 * lists the ties of each island. The third, after the step, drops those that broke. */
void tt_world_prepare_ties(taut_world *world);
void tt_world_list_ties(taut_world *world);
void tt_world_finish_ties(taut_world *world, float dt);
/* The first drops the ties of a body or a collider, by its id; -1: of none. The second makes room for `count` ties. */
void tt_world_drop_ties(taut_world *world, int body, int collider);
bool tt_world_reserve_ties(taut_world *world, int count);
/* Sets the counters to 0. */
void tt_world_prepare(taut_world *world);
/* Puts the colliders where they are at the end of a substep of `count`. */
void tt_world_advance_colliders(taut_world *world, int substep, int count, float h);
/* Colliders have reached their targets; the clock goes on. */
void tt_world_arrive(taut_world *world, float dt);

#endif
