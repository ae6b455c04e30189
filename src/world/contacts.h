/* Contacts of an island: with colliders, with each other and themselves, and by attachments.
 *
 * The step calls all of them in one way: it says which moment has come. The table in contacts.c tells which contacts
 * act then. */
#ifndef TAUT_WORLD_CONTACTS_H
#define TAUT_WORLD_CONTACTS_H

#include "world/stage.h"

typedef enum tt_moment {
    TT_AT_BEGIN,     /* p, x, v -> p               a substep begins: places, pairs that could meet         */
    TT_AT_ITERATION, /* p, x -> p                  by counts, and after the balance                        */
    TT_AT_LEVEL,     /* p, x -> p                  of coarser levels: at their begin, after each pass      */
    TT_AT_LIMITS,    /* p, x -> p                  of the meshes, after each pass over their limits        */
    TT_AT_END,       /* p, x -> p, x               nothing passes through anything; pulls of ties are added */
    TT_AT_VELOCITY,  /* v -> v                     pushes make no bounce                                   */
    /* In the balance: */
    TT_AT_LANDING,    /* p, x, v -> p, grip         before the load: out of colliders, ends of ties together */
    TT_AT_LOAD,       /* p, load -> load            chooses the contacts that act as springs; their pushes  */
    TT_AT_LOAD_AGAIN, /* p, load -> load            the same springs, after the mesh was moved              */
    TT_AT_BRACE,      /* brace -> brace             stiffness against a particle that moves alone           */
    TT_AT_WHOLE,      /* whole -> whole             stiffness against bodies that move as wholes            */
    TT_AT_SEARCH,     /* load, grip -> grip         lets go of particles that are pulled away               */
    TT_AT_LOOSE,      /* loose -> loose             loads on held particles act on those that hold them     */
    TT_AT_WAY,        /* way -> way                 held particles go along                                 */
    TT_AT_MOVE,       /* move -> move               the same                                                */
    TT_AT_PUSH,       /* way, push -> push          resistance of springs against the way                   */
    TT_AT_CATCH,      /* p, gone -> gone, load      takes back motion of the search that comes too close    */
    TT_AT_RELEASE,    /* load, grip -> load, grip   lets go of what friction cannot hold                    */
    TT_AT_SETTLING,   /* load -> load               the loads that ties and friction bear                   */
    TT_AT_FOLLOWING,  /* p -> p                     ends of ties that are not in the search                 */
    TT_MOMENTS
} tt_moment;

/* All contacts act. Returns whether any has taken back some of what the search of the balance wanted. */
bool tt_contacts_act(const tt_work *work, tt_moment moment);

typedef void tt_contact(tt_work *work);

/* Before a step: takes memory that only some shapes of colliders need, once there is one. Returns false without it. */
bool tt_contacts_reserve(taut_world *world);

/* Colliders push particles out (stage_contact.c): the first function those of all meshes, the second those of the
 * levels whose pass has just ended. Coarser levels of solids touch no colliders, because their vertices may be outside
 * of the solid. */
tt_contact tt_colliders_push, tt_colliders_bound;
/* Pushes the triangles of all meshes out of colliders at places where their corners touch nothing. */
tt_contact tt_faces_push;
/* In the balance (stage_grip.c), one function each: moves meshes out and decides which particles are held; lets go of
 * particles that slide and are pulled away; takes back motion into a collider; lets go of particles that cannot be
 * held. */
tt_contact tt_grip_land, tt_grip_choose, tt_grip_arrest, tt_grip_release;
/* Removes from a vector of particle i the part that its contact holds. */
void tt_grip_filter(const tt_balance *b, int i, float *vector);
/* `fall` is how far gravity moves particle i in a substep. Removes the part that the collider has undone. */
void tt_grip_trim_fall(const tt_balance *b, int i, float *fall);

/* Colliders as the balance sees them (stage_contact.c): the first stage notes which particles touch them, and with
 * which friction; the second adds to these notes. */
extern const tt_stage tt_stage_meet;       /* p, x -> p, normal, motion, contacts                     */
extern const tt_stage tt_stage_meet_again; /* p, x, normal, motion -> p, normal, motion, contacts     */

/* Bodies of an island that touch themselves and each other (stage_apart.c), one function each: finds the pairs that
 * could meet; pushes them apart; takes back motion that would let one pass through another; removes the bounce that
 * pushes make.
 */
tt_contact tt_apart_begin, tt_apart_touch, tt_apart_end, tt_apart_settle;
/* In the balance (collide/apart.h), one function each: pushes of pairs that would be too close, chosen anew; pushes of
 * the same pairs; pushes of pairs that the search has moved together; their resistance against `way`; braces; lets go
 * of what friction cannot hold; notes what friction holds; stiffness against whole
 * bodies, whose `undone` tells that there are springs. */
tt_contact tt_touch_load, tt_touch_load_again, tt_touch_catch, tt_touch_stiffen, tt_touch_brace, tt_touch_release,
    tt_touch_remember, tt_touch_whole;

/* Ties (stage_tie.c), one function each: moves places on colliders, with the particles fixed there; by counts, draws
 * ends together; at the end of a substep, adds up the pulls. */
tt_contact tt_ties_begin, tt_ties_draw, tt_ties_end;
/* In the balance, one function each: brings ends together and chooses slaves; makes slaves follow the other ends in
 * `way`, and in `move`; passes their loads to the other ends; braces; lets go of leashes that would push; finds the
 * loads that ties bear. */
tt_contact tt_ties_land, tt_ties_carry_way, tt_ties_carry_move, tt_ties_gather, tt_ties_brace, tt_ties_release,
    tt_ties_settle;
/* Ends that belong to bodies by counts, one function each: their inertia as a load at p; their inertia against `way`;
 * after the search they follow. */
tt_contact tt_ties_load, tt_ties_stiffen, tt_ties_follow;

#endif
