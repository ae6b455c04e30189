/* The stages of a substep. A stage works on one level of one body, cut into pieces: parts of its particles, or segments
 * of its constraints. The pieces of a stage touch different memory, so they may run on any threads in any order. Stages
 * exchange data only through the arrays of the level, its balance and its body. A comment says which arrays each stage
 * reads and writes. It is at the stage's declaration or, if only its file knows the stage, at its definition. */
#ifndef TAUT_WORLD_STAGE_H
#define TAUT_WORLD_STAGE_H

#include "base/four.h"
#include "world/world.h"

/* The properties of a substep that stages need. */
typedef struct tt_substep {
    const taut_world *world;
    float h;
    float rate;    /* 1/s: times this, a correction is a velocity */
    tt_pace pace;  /* the pace of its bodies */
    int count;     /* substeps of this step */
    int remaining; /* substeps of this step that are left, this one included */
    int iterations;
    const tt_broad *broad; /* colliders */
} tt_substep;

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

/* A substep of an island, and the team that works on it. */
typedef struct tt_work {
    tt_team team;
    const tt_island *island;
    const tt_substep *substep;
    bool undone; /* contacts have taken back some motion of a search (contacts.h) */
} tt_work;

/* Run a stage: on a level; on the meshes of all bodies of the island; on the meshes of those that are balanced. */
void tt_run(const tt_work *work, const tt_stage *stage, tt_level *level);
void tt_run_all(const tt_work *work, const tt_stage *stage);
void tt_run_balanced(const tt_work *work, const tt_stage *stage);
/* The same for a stage that leaves a sum in each part; return the total of these sums. */
double tt_sum(const tt_work *work, const tt_stage *stage, tt_level *level);
double tt_sum_balanced(const tt_work *work, const tt_stage *stage);

extern const tt_stage tt_stage_force;        /* p, v -> v              air and elastic forces            */
extern const tt_stage tt_stage_predict;      /* p, v -> x, v, p, lambda, contacts   gravity              */
extern const tt_stage tt_stage_pin;          /* p, pins -> p, pins     hard pins                         */
extern const tt_stage tt_stage_deflate;      /* -> gas_push            the gas has not pushed yet        */
extern const tt_stage tt_stage_anchor;       /* p -> anchor            places that tethers hold to       */
extern const tt_stage tt_stage_down;         /* finer p, finer x -> p, x, contacts   a coarser level begins */
extern const tt_stage tt_stage_mark;         /* p -> before            positions before the limits       */
extern const tt_stage tt_stage_limit;        /* p, x, idle -> p, sum, idle, excess   one pass over the limits */
extern const tt_stage tt_stage_average;      /* p, sum -> p, sum       Jacobi's step                     */
extern const tt_stage tt_stage_change;       /* p, before -> before    how far the limits moved each particle */
extern const tt_stage tt_stage_up;           /* p, coarser before -> p   the finer level moves as far    */
extern const tt_stage tt_stage_momentum;     /* p, coarser p, coarser before -> p   removes momentum of levels */
extern const tt_stage tt_stage_project;      /* p, lambda, anchor -> p, lambda   one iteration           */
extern const tt_stage tt_stage_inflate;      /* p, gas_push -> p, gas, volume, gas_push   gas pushes     */
extern const tt_stage tt_stage_pull;         /* p, pins -> p           soft pins                         */
extern const tt_stage tt_stage_weigh;        /* p, x, v -> motion_before   of a body that nothing touches */
extern const tt_stage tt_stage_gather_moved; /* p, x, v -> sway_sums   of a body that hangs from a line  */
extern const tt_stage tt_stage_lean;         /* p, pins, sway_sums -> axis   how constraints turned it   */
extern const tt_stage tt_stage_turn_back;    /* p, axis -> p           takes this turn out               */
extern const tt_stage tt_stage_weigh_others; /* p, x, v, others -> motion_others   of a body with limits */
extern const tt_stage tt_stage_velocity;     /* p, x, v -> v, p        v = (p - x)/h                     */
extern const tt_stage tt_stage_gather;       /* p, v -> sway_sums      of the new velocities             */
extern const tt_stage tt_stage_fit;          /* sway_sums -> sway      motion of the body as a whole     */
extern const tt_stage tt_stage_rub;          /* p, v, sway -> v        dry friction                      */
extern const tt_stage tt_stage_weigh_again;  /* p, v -> motion_after   the momentum that it has now      */
extern const tt_stage tt_stage_restore;      /* p, v, motion_before, motion_after -> v   gives momentum back */
extern const tt_stage tt_stage_calm; /* p, x, v, pins, motion_before, motion_after, motion_others -> v */
extern const tt_stage tt_stage_brake;        /* v -> v                 damping of all motion             */
extern const tt_stage tt_stage_damp;         /* p, v -> v              motion along constraints          */
extern const tt_stage tt_stage_check;        /* p, x, v -> p, v, bad   bad particles are put back        */
extern const tt_stage tt_stage_bound;        /* p -> box               of the particles that can move    */
extern const tt_stage tt_stage_follow;       /* box -> origin, shift   the origin follows the body       */
extern const tt_stage tt_stage_shift;        /* p, shift -> p          relative to the new origin        */
extern const tt_stage tt_stage_publish;      /* p, v -> out_x, out_v   in the order of the mesh          */

/* The energy that limits add to a body (energy.c). The first call begins a substep. Between the other two, others than
 * limits may act on p. */
typedef enum tt_others {
    TT_JOINED,    /* attachments, and bodies that touch themselves or each other */
    TT_ITERATION, /* springs and gas, and all contacts                           */
    TT_TOUCHED    /* colliders that the body has touched before, and attachments */
} tt_others;
void tt_others_forget(const tt_work *work);
void tt_others_begin(const tt_work *work, tt_others others);
void tt_others_end(const tt_work *work);
bool tt_is_watched(const tt_level *level, const tt_substep *substep);

/* Gas in the balance (stage_gas.c): as a load, and as a resistance against `way`. */
extern const tt_stage tt_stage_gas_load;    /* p, load -> load, gas, volume   the pressure                */
extern const tt_stage tt_stage_gas_stiffen; /* gas, way, push -> push         how it falls as the shell grows */

/* Makes all substeps of the bodies that have this pace (pace.c). */
void tt_pace_step(taut_world *world, tt_pace pace, float dt);
/* Makes one substep of one island (step.c). `stats` NULL: nothing is measured. */
void tt_substep_island(const tt_work *work, taut_stats *stats);

/* Brings all bodies of an island into balance, together (stage_balance.c). */
void tt_balance_island(const tt_work *work);

/* The limits of all bodies of an island (cascade.c): on the coarser levels, and on the mesh itself. */
void tt_correct_by_levels(const tt_work *work, int round);
void tt_enforce_limits(const tt_work *work, int number, int round);
/* Chooses the bodies for another round; false when there are none. */
bool tt_next_round(const tt_island *island, int round);

/* After the last substep: origins follow, and callers see where the bodies are (publish.c). */
void tt_world_publish(taut_world *world);

/* Mixes the value of particle i from those of particles of another level: 4 numbers each. */
static inline tt_four tt_mix(const tt_transfer *transfer, int i, const float *from)
{
    const int *index = transfer->index[i];
    const float *weight = transfer->weight[i];
    tt_four a = tt_four_of(&from[4 * (size_t)index[0]]), b = tt_four_of(&from[4 * (size_t)index[1]]);
    tt_four c = tt_four_of(&from[4 * (size_t)index[2]]), d = tt_four_of(&from[4 * (size_t)index[3]]);
    return weight[0] * a + weight[1] * b + weight[2] * c + weight[3] * d;
}

#endif
