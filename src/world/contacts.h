/* Contacts of an island: with colliders, with each other and themselves, and by attachments.
 *
 * The step calls all of them in one way: it says which moment has come. The table in contacts.c tells who acts then. */
#ifndef TAUT_WORLD_CONTACTS_H
#define TAUT_WORLD_CONTACTS_H

#include "world/stage.h"

typedef enum tt_moment {
    TT_AT_BEGIN,     /* p, x, v -> p               a substep begins: places, pairs that could meet         */
    TT_AT_ITERATION, /* p, x -> p                  by counts, and after the balance                        */
    TT_AT_LEVEL,     /* p, x -> p                  of coarser levels: where they begin, after each pass    */
    TT_AT_LIMITS,    /* p, x -> p                  of the meshes, after each pass over their limits        */
    TT_AT_END,       /* p, x -> p, x               nothing passes through anything; what ties bore counts  */
    TT_AT_VELOCITY,  /* v -> v                     pushes make no bounce                                   */
    /* In the balance: */
    TT_AT_LANDING,    /* p, x, v -> p, grip         before the load: out of colliders, ends of ties together */
    TT_AT_LOAD,       /* p, load -> load            chooses what acts as a spring; their pushes             */
    TT_AT_LOAD_AGAIN, /* p, load -> load            the same springs, after the mesh was moved              */
    TT_AT_BRACE,      /* brace -> brace             what holds a particle that moves alone                  */
    TT_AT_SEARCH,     /* load, grip -> grip         lets go of what is pulled away                          */
    TT_AT_LOOSE,      /* loose -> loose             loads on what is held act on what holds it              */
    TT_AT_WAY,        /* way -> way                 what is held goes along                                 */
    TT_AT_MOVE,       /* move -> move               the same                                                */
    TT_AT_PUSH,       /* way, push -> push          what springs push against it                            */
    TT_AT_CATCH,      /* p, gone -> gone, load      takes back what the search has moved too close          */
    TT_AT_RELEASE,    /* load, grip -> load, grip   lets go of what cannot be held                          */
    TT_AT_SETTLING,   /* load -> load               what ties bear                                          */
    TT_AT_FOLLOWING,  /* p -> p                     ends of ties that are not in the search                 */
    TT_MOMENTS
} tt_moment;

/* All contacts act. Returns whether any has taken back some of what the search of the balance wanted. */
bool tt_contacts_act(const tt_work *work, tt_moment moment);

typedef void tt_contact(tt_work *work);

/* Colliders push particles out (stage_contact.c): those of all meshes; of the levels whose pass has just ended. The
 * coarser levels of solids, whose vertices may be outside, touch none. */
tt_contact tt_colliders_push, tt_colliders_bound;
/* In the balance (stage_grip.c): moves meshes out and decides which particles are held; lets go of what slides and is
 * pulled away; takes back what went into a collider; lets go of what cannot be held. */
tt_contact tt_grip_land, tt_grip_choose, tt_grip_arrest, tt_grip_release;
/* Takes out of a vector of particle i what its contact holds. */
void tt_grip_filter(const tt_balance *b, int i, float *vector);
/* Takes what the collider has undone off the way that gravity moves particle i in a substep. */
void tt_grip_trim_fall(const tt_balance *b, int i, float *fall);

/* Colliders as the balance sees them: what touches them, and with which friction; the same, beside what was noted
 * before (stage_contact.c). */
extern const tt_stage tt_stage_meet;       /* p, x -> p, normal, motion, contacts                     */
extern const tt_stage tt_stage_meet_again; /* p, x, normal, motion -> p, normal, motion, contacts     */

/* Bodies of an island that touch themselves and each other (stage_apart.c): finds the pairs that could meet; pushes
 * them apart; takes back motion that would let one pass through another; pushes make no bounce. */
tt_contact tt_apart_begin, tt_apart_touch, tt_apart_end, tt_apart_settle;
/* In the balance (collide/apart.h): the pushes of pairs that would be too close, chosen anew or as they are; of pairs
 * that the search has moved together; what resists `way`; braces. */
tt_contact tt_touch_load, tt_touch_load_again, tt_touch_catch, tt_touch_stiffen, tt_touch_brace;

/* Ties (stage_tie.c): places on colliders move, fixed particles go along. By counts: draws ends together. At the end:
 * what ties bore counts. */
tt_contact tt_ties_begin, tt_ties_draw, tt_ties_end;
/* In the balance: ends come together and slaves are chosen; slaves follow the others in `way` and in `move`; their
 * loads go to the others; braces; leashes that would push are let go; what ties bear. */
tt_contact tt_ties_land, tt_ties_carry_way, tt_ties_carry_move, tt_ties_gather, tt_ties_brace, tt_ties_release,
    tt_ties_settle;
/* Ends by counts: their inertia as a load at p, and against `way`; after the search they follow. */
tt_contact tt_ties_load, tt_ties_stiffen, tt_ties_follow;

#endif
