/* The stages of a substep. A stage works on one level of one body, cut into pieces: parts of its particles, or segments
 * of its constraints. The pieces of a stage touch different memory, so they may run on any threads in any order. Stages
 * talk through the arrays of the level and its body only; each says what it reads and what it writes. */
#ifndef TAUT_WORLD_STAGE_H
#define TAUT_WORLD_STAGE_H

#include "world/world.h"

/* What the stages need to know of the substep. */
typedef struct tt_substep {
    const taut_world *world;
    float h;
    float rate;    /* 1/s: what turns a correction into velocity */
    tt_pace pace;  /* of the bodies that it is for */
    int count;     /* substeps of this step */
    int remaining; /* substeps of this step that are left, this one included */
    int iterations;
    const tt_broad *broad; /* colliders */
} tt_substep;

/* Cuts the step into the substeps of a pace, and makes its bodies ready for them. False: no body goes at it. */
bool tt_pace_begin(taut_world *world, tt_pace pace, float dt, tt_substep *substep);

typedef enum tt_pieces { TT_PARTS, TT_CONSTRAINTS, TT_WHOLE } tt_pieces;

typedef struct tt_stage {
    tt_pieces pieces;
    void (*run)(tt_level *level, const tt_substep *substep, int piece);
    bool (*wanted)(const tt_level *level, const tt_substep *substep); /* NULL: always */
} tt_stage;

/* A team runs the pieces of stages: the world's threads, or the caller alone. */
typedef struct tt_team {
    taut_parallel_for *run;
    void *user;
} tt_team;

tt_team tt_team_of_one(void);
/* Runs a stage on a level; on the meshes of all bodies of an island. */
void tt_run(tt_team team, const tt_stage *stage, tt_level *level, const tt_substep *substep);
void tt_run_island(tt_team team, const tt_stage *stage, const tt_island *island, const tt_substep *substep);

extern const tt_stage tt_stage_force;    /* p, v -> v            air and elastic forces             */
extern const tt_stage tt_stage_predict;  /* p, v -> x, v, p      gravity; lambda = 0                */
extern const tt_stage tt_stage_pin;      /* p, pins -> p         hard pins                          */
extern const tt_stage tt_stage_anchor;   /* p -> anchor          where tethers hold                 */
extern const tt_stage tt_stage_down;     /* finer's p, x -> p, x                                    */
extern const tt_stage tt_stage_mark;     /* p -> before                                             */
extern const tt_stage tt_stage_limit;    /* p -> p, or sum       one pass over the limits           */
extern const tt_stage tt_stage_average;  /* sum -> p             Jacobi's step                      */
extern const tt_stage tt_stage_change;   /* p, before -> before  what the limits did                */
extern const tt_stage tt_stage_up;       /* coarser's before -> p                                   */
extern const tt_stage tt_stage_momentum; /* p, coarser's p, before -> p   none comes out of nothing */
extern const tt_stage tt_stage_project;  /* p, lambda -> p       one iteration                      */
extern const tt_stage tt_stage_pull;     /* p, pins -> p         soft pins                          */
extern const tt_stage tt_stage_contact;  /* p, x -> p            colliders and friction             */
extern const tt_stage tt_stage_meet;     /* p, x -> p, normal, motion   the same, noted             */
extern const tt_stage tt_stage_meet_again; /* the same, beside what was noted before                 */
extern const tt_stage tt_stage_weigh;    /* x, v -> motion       of a body that nothing touches     */
extern const tt_stage tt_stage_gather_moved; /* x, v, p -> sums  of a body that hangs from a line   */
extern const tt_stage tt_stage_lean;     /* sums, p -> axis      how its constraints turned it      */
extern const tt_stage tt_stage_turn_back; /* p, axis -> p        takes that out                     */
extern const tt_stage tt_stage_velocity; /* p, x, v -> v, p      v = (p - x)/h                      */
extern const tt_stage tt_stage_gather;   /* p, v -> sums         of the velocities that came out    */
extern const tt_stage tt_stage_fit;      /* sums -> sway         motion of the body as a whole      */
extern const tt_stage tt_stage_rub;      /* p, v, sway -> v      dry friction                       */
extern const tt_stage tt_stage_weigh_again; /* p, v -> motion    what has become of it              */
extern const tt_stage tt_stage_restore;  /* p, v, motion -> v    the momentum that it had           */
extern const tt_stage tt_stage_brake;    /* v -> v               damping of all motion              */
extern const tt_stage tt_stage_damp;     /* p, v -> v            motion along constraints           */
extern const tt_stage tt_stage_check;    /* p, x, v -> p, v      bad particles put back             */
extern const tt_stage tt_stage_bound;    /* p -> box             what can move                      */
extern const tt_stage tt_stage_follow;   /* box -> origin, shift                                    */
extern const tt_stage tt_stage_shift;    /* p, shift -> p        the origin has moved               */
extern const tt_stage tt_stage_publish;  /* p, v -> out          the mesh's vertex order            */

/* Keeps a level out of the colliders. The coarser levels of solids, whose vertices may be outside, touch none. */
void tt_touch_colliders(tt_team team, tt_level *level, const tt_substep *substep);

/* Bodies of an island that touch themselves and each other (stage_apart.c): finds the pairs that could meet; pushes
 * them apart; takes back motion that would let one pass through another. */
void tt_apart_begin(tt_team team, const tt_island *island, const tt_substep *substep);
void tt_apart_touch(const tt_island *island, const tt_substep *substep);
/* In the balance (collide/apart.h): the pushes of pairs that would be too close, chosen anew or as they are; of
 * pairs that the search has moved together; what resists `way`; braces. */
void tt_touch_load(const tt_island *island, const tt_substep *substep, bool choose);
bool tt_touch_catch(const tt_island *island, const tt_substep *substep);
void tt_touch_stiffen(const tt_island *island);
void tt_touch_brace(const tt_island *island);
void tt_apart_end(tt_team team, const tt_island *island);
void tt_apart_settle(const tt_island *island, const tt_substep *substep); /* v -> v   pushes make no bounce */

/* Ties (stage_tie.c): places on colliders move, fixed particles go along. By counts: draws ends together. At the end: what
 * ties bore counts. */
void tt_ties_begin(const tt_island *island, const tt_substep *substep);
void tt_ties_draw(const tt_island *island);
void tt_ties_end(const tt_island *island, const tt_substep *substep);
/* In the balance: ends come together and slaves are chosen; slaves follow the others in a vector of the meshes; their loads
 * go to the others; braces; leashes that would push are let go; what ties bear. */
typedef float *tt_vector_of(const tt_level *mesh);
void tt_ties_land(const tt_island *island);
void tt_ties_carry(const tt_island *island, tt_vector_of *vector);
void tt_ties_gather(const tt_island *island, tt_vector_of *vector);
void tt_ties_brace(const tt_island *island, const tt_substep *substep);
bool tt_ties_release(const tt_island *island);
void tt_ties_settle(const tt_island *island);
/* Ends by counts: their inertia as a load at p, and against `way`; after the search they follow. */
void tt_ties_load(const tt_island *island);
void tt_ties_stiffen(const tt_island *island);
void tt_ties_follow(const tt_island *island);

/* Gas in closed shells (stage_gas.c): by counts; in the balance, as a load and as what resists `way`. */
void tt_gas_begin(const tt_island *island);
void tt_gas_push(const tt_island *island, const tt_substep *substep);
void tt_gas_load(const tt_island *island, const tt_substep *substep);
void tt_gas_stiffen(const tt_island *island, const tt_substep *substep);

/* Brings all bodies of an island into balance, together (balance.h). */
void tt_balance_island(tt_team team, const tt_island *island, const tt_substep *substep);
/* Runs a stage that leaves a sum in each part, and adds these up. */
double tt_sum_of(tt_team team, const tt_stage *stage, tt_level *level, const tt_substep *substep);

/* Contacts in the balance (stage_grip.c). Moves a mesh out of the colliders and decides which particles they hold. */
void tt_grip_land(tt_team team, tt_level *mesh, const tt_substep *substep);
/* Lets go of what slides and is pulled away; of what cannot be held. The second says whether there was any. */
void tt_grip_choose(tt_team team, tt_level *mesh, const tt_substep *substep);
bool tt_grip_release(tt_team team, tt_level *mesh, const tt_substep *substep);
/* Finds free particles that the search has moved into a collider, and how far each has to go back, to `way`. From
 * now on they slide. Returns whether there was any. */
bool tt_grip_arrest(tt_team team, tt_level *mesh, const tt_substep *substep);

/* Takes out of a vector of particle i what its contact holds. */
void tt_grip_filter(const tt_balance *b, int i, float *vector);
/* Takes what the collider has undone off the way that gravity moves particle i in a substep. */
void tt_grip_trim_fall(const tt_balance *b, int i, float *fall);

/* The limits of all bodies of an island (cascade.c): on the coarser levels, and on the mesh itself. */
void tt_correct_by_levels(tt_team team, const tt_island *island, const tt_substep *substep, int round);
void tt_enforce_limits(tt_team team, const tt_island *island, int number, const tt_substep *substep, int round);
/* Chooses the bodies for another round; false when there are none. */
bool tt_next_round(const tt_island *island, int round);

/* After the last substep: origins follow, and callers see where the bodies are (publish.c). */
void tt_world_publish(taut_world *world);

/* What particle i takes from the particles of another level: 4 numbers each. */
void tt_mix(const tt_transfer *transfer, int i, const float *restrict from, float *restrict to);

#endif
