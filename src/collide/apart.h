/* Keeps surfaces apart: bodies never pass through themselves or each other.
 *
 * The certificate. Take a pair of features, A and B: a vertex and a triangle, or two edges. Let their particles move in
 * straight lines from x to p, and let n be a fixed axis. Then
 *
 *     gap(t) = min over A of n.x(t) - max over B of n.x(t)
 *
 * is concave in t. So if the gap is above zero at both ends, the pair cannot have met on the way. No time of contact
 * has to be found, and layers that move together do not hinder each other.
 *
 *     tt_apart_search   at least once a step: gives each particle a box in which it may move, and finds the pairs that
 *                       could meet inside their boxes, with an axis for each
 *     tt_apart_push     in each iteration: pairs closer than their thickness are pushed apart, with friction
 *     tt_apart_calm     after each substep: pairs that were pushed do not bounce
 *     tt_apart_accept   at the end of each substep: motion that has no certificate is taken back. The places where
 *                       particles began are always allowed
 *
 * The functions work on copies of the particles of an island. Coordinates are relative to one origin. It may drift
 * along with the island between two searches, because gaps do not depend on it. Everything is done in a fixed order. */
#ifndef TAUT_COLLIDE_APART_H
#define TAUT_COLLIDE_APART_H

#include "base/four.h"
#include "collide/shape.h"
#include "collide/tiers.h"
#include "model/skin.h"

#include <stdatomic.h>

/* One body of the island. */
typedef struct tt_apart_member {
    const tt_skin *skin;
    const float *rest; /* 4 per particle */
    int first, count;  /* its particles; the last ones may be in no triangle, */
    int used;          /* and these come before them                          */
    int first_tri, first_side, first_node, first_leaf;
    float thickness, friction;
    int body; /* its slot in the world */
    taut_contact contact; /* of its material, never TAUT_CONTACT_AUTO */
    int layer; /* members of higher layers belong where the triangles of lower ones face */
    uint32_t group, mask;
} tt_apart_member;

/* The vectors of a member's balance (world/balance.h), 4 numbers a particle. NULL: the member is not balanced. */
typedef struct tt_apart_view {
    float *load, *way, *push, *gone, *straight, *mixed;
    float *held[2]; /* by friction, per substep squared; lasts from substep to substep */
} tt_apart_view;

/* The fourth numbers are no coordinates: in `high` it is half the thickness, by which tt_grown enlarges boxes, and in
 * `low` it is minus that. */
typedef struct tt_apart_box {
    tt_four low, high;
} tt_apart_box;

enum { TT_PLAIN = 1, TT_WAS_PLAIN = 2 };

typedef enum tt_apart_kind { TT_CORNER_ON_FACE, TT_SIDE_ON_SIDE } tt_apart_kind;

/* The particles of A come first: a vertex and the corners of a triangle, or the ends of two edges. */
typedef struct tt_apart_pair {
    int particle[4];
    float axis[3];   /* from B to A */
    float least;     /* motion must leave at least this gap along the axis */
    float usual;     /* `least` of pairs that are not closer already */
    float rounding;  /* more than twice the error of a computed gap */
    float weight[4]; /* the closest points: A positive, B negative     */
    float gap;       /* along the axis, when the axis was chosen        */
    float thickness; /* the distance that A and B should have; 0: they are not pushed */
    float friction;
    float spare; /* m: sliding that friction could still have stopped in this substep */
    uint8_t kind;
    bool watched; /* it needs a certificate                            */
    bool stuck;   /* no axis separates it, so its particles stay       */
    bool near;    /* it may be closer than its thickness               */
    bool pushed;  /* in this substep                                   */
    bool sprung;  /* springs of the balance may keep it apart          */
    bool borne;   /* they keep it apart in this substep                */
} tt_apart_pair;

/* A spring of the balance between the closest points of a pair (apart_springs.c). */
typedef struct tt_apart_spring {
    int pair, anchor;
    float ease;       /* the change of the distance by a unit impulse  */
    float pressure;   /* when it was last measured                     */
    float firm, hold; /* the stiffness against coming closer and against sliding; 0: none */
    float rub[3];     /* the load on A by friction, but for `hold`     */
} tt_apart_spring;

/* What holds a particle on one side of the cloth. */
typedef struct tt_apart_anchor {
    float force[3], normal[3]; /* sums over its springs: of friction; of pressures along their axes    */
    float pressure, net, most; /* sums: of pressures; less those that pull; of what friction can bear  */
    float bore;                /* what friction could bear in the last substep; 0: it was not pressed  */
    bool sticks, fast;
} tt_apart_anchor;

/* The same as a search of the balance needs it at each step. */
typedef struct tt_packed_spring {
    tt_four weight, axis; /* of the pair; the fourth number of the axis is 0 */
    const float *way[4];  /* of its particles */
    float firm, hold;     /* against coming closer; against sliding */
    float impulse;        /* that changes the distance by 1 */
} tt_packed_spring;

/* One of the four ends of a spring. */
typedef struct tt_spring_end {
    int spring;
    float weight;
} tt_spring_end;

enum {
    TT_APART_CHUNK = 128,
    TT_APART_MOST_CHUNKS = 1 << 16,
    TT_APART_SPARE = 64 /* tasks that one comparison of trees may add after room has become scarce */
};
typedef struct tt_apart_chunk {
    tt_apart_pair pair[TT_APART_CHUNK];
} tt_apart_chunk;

/* A part of the search: neighbours of a member, two nodes of trees, or a member's tree with those of all members from
 * `other` on. */
typedef enum tt_apart_part { TT_NEIGHBOURS, TT_NODES, TT_MEMBERS } tt_apart_part;

typedef struct tt_apart_task {
    tt_apart_part part;
    int a, b;          /* two nodes (a node can be compared with itself), or the neighbours a .. b-1 */
    int member, other; /* the members of a and of b               */
    int first;         /* the first chunk of the pairs it found   */
    int count, chunk;  /* pairs found; the last chunk of its list */
} tt_apart_task;

typedef struct tt_apart_count {
    int64_t searches, pairs, watched, pushed, held; /* held: particles whose motion was cut short */
    int64_t stuck, crowded; /* pairs without an axis; searches that found more pairs than there was room for */
    double ms;              /* of the searches */
} tt_apart_count;

typedef struct tt_apart {
    tt_scope scope;
    int nmembers, nparticles, ntris, nsides, nnodes, nleaves, most_chunks, most_tasks;
    int room_chunks; /* chunks that there is memory for; most_chunks, how many may be used, does not depend on it */
    tt_apart_member *member;
    tt_apart_view *view; /* per member               */
    int *owner;          /* per particle: its member */
    /* Per particle, 4 numbers each: */
    float *p, *x;      /* the place that it is to reach, with its inverse mass; the last accepted place */
    float *before;     /* p before it was pushed or taken back */
    float *aim, *way;  /* p before motion was taken back; the way that it is expected to go until the next search */
    float *moved;      /* the part of pushes that must not become speed */
    float *from, *to;  /* the middle of its box at the search, and where that will be at the next search */
    float *room;       /* half the size of its box                           */
    tt_apart_box *box; /* per particle: where its box gets until the next search */
    float along;       /* how far boxes have moved from `from` to `to` when the present substep ends */
    tt_apart_box *tri_box, *side_box, *node_box; /* those of triangles and sides are grown by half the thickness */
    tt_leaf_boxes *leaf_boxes;
    float *share;     /* per particle: the share of its way that is allowed */
    int *tied;        /* per particle: the first of those that it is attached to; only if any_tied */
    uint8_t *tangled; /* per particle: it is part of a crossing; only if any_tangled */
    float *pull;      /* per particle, 4 numbers: the way out of it, at most 1 long  */
    int *part;        /* per particle: another one of the same part, of those into which crossings cut members */
    uint8_t *cut;     /* per triangle, bit k: the side from corner k is in a crossing */
    uint8_t *plain;   /* per particle, TT_PLAIN: its fan cannot cross itself until the next search */
    uint8_t *loose;   /* per particle: it has left its box and got another one */
    uint8_t *loose_tri, *loose_node; /* per triangle, per node: it has a loose particle */
    float haste;                     /* the share of their usual speed at which crossings are drawn out */
    float margin;                    /* m */
    float mean[3];                   /* the common velocity, which is left out of way */
    float drift[3];                  /* of the origin since the search             */
    float slack;                     /* m: by which all ways are uncertain         */
    bool calm;                       /* particles hardly move                      */
    int substeps, substeps_left;     /* from the search to the next one; until then */
    bool any_strict, any_tied, any_tangled, is_open;
    bool may_cross; /* triangles may have crossed at the last search */
    bool again;     /* the search is only for pairs with a loose particle */
    int ntasks;
    tt_apart_task *task;
    tt_apart_chunk *chunk;
    int *next_chunk;
    atomic_int nchunks;
    int npairs;
    tt_apart_pair **pair; /* all that were found, in order */
    bool crowded, left;   /* there was no room for all pairs; a particle wanted to leave its box */
    int wanted_chunks;
    uint8_t *failing; /* per pair */
    int nsprings;
    tt_apart_spring *spring;  /* of pairs that are closer than they should be */
    tt_apart_anchor *anchor;  /* 2 per particle                               */
    float *normal;            /* 4 per particle: of the triangles around it; only if has_normals */
    bool has_normals;
    tt_packed_spring *packed; /* per spring */
    tt_four *strain;          /* per spring: what it pushes against a way */
    int *first_end;           /* per particle, and one more: its ends of springs */
    tt_spring_end *end;
    tt_apart_count count;
    const tt_shape_set *set; /* the kernels */
    const tt_tiers *tiers;
} tt_apart;

/* Runs task(argument, 0 .. count-1). */
typedef struct tt_apart_team {
    taut_parallel_for *run;
    void *user;
} tt_apart_team;

/* By the thickness: how far particles may be off their expected ways if they are calm. */
#define TT_CALM_ROOM 0.05f

void tt_apart_open(tt_apart *apart, const taut_allocator *allocator);
void tt_apart_close(tt_apart *apart);
/* How two members touch each other, or how one touches itself. */
static inline taut_contact tt_apart_contact(const tt_apart *apart, const tt_apart_member *a, const tt_apart_member *b)
{
    if (a != b && !((a->group & b->mask) && (b->group & a->mask))) return TAUT_CONTACT_OFF;
    return tt_tiers_between(apart->tiers, a->body, a->contact, b->body, b->contact);
}
/* Makes room for these members, whose skin, rest, count, thickness, friction, contact, group and mask are set. Takes
 * memory only if the members are others than before or need more room. Returns false when memory ran out; then nothing
 * may be done with the island. */
bool tt_apart_reserve(tt_apart *apart, const tt_apart_member *member, int nmembers);

/* The parts of the search that do not compare features. Boxes: the places where particles, triangles and nodes of trees
 * may be until the next search. Fans: finds which of them are plain. */
void tt_apart_make_boxes(tt_apart *apart, tt_apart_team team);
void tt_apart_judge_fans(tt_apart *apart, tt_apart_team team);
/* Gives new boxes to the particles that leave theirs on the way to p. If `end` is p, the boxes move along; else they
 * stand around the way from x to `end`. Marks the triangles and nodes that have them. Returns how many particles these
 * are. */
int tt_apart_mend_boxes(tt_apart *apart, const float *end, tt_apart_team team);
/* Before a search, x, way and the inverse masses (in p) have to be set. */
void tt_apart_search(tt_apart *apart, tt_apart_team team);
/* Particles that leave their boxes on the way from x to p get others, in which they can go on to `end`. The pairs that
 * they are in are found anew. Returns whether there are any. */
bool tt_apart_search_again(tt_apart *apart, const float *end, tt_apart_team team);
/* Chooses axes and closest points of near pairs anew, at x. */
void tt_apart_refresh(tt_apart *apart, tt_apart_team team);
/* After a search: finds edges that pass through triangles at x, and lets go of the pairs that keep them there. */
void tt_apart_find_tangles(tt_apart *apart);
/* Moves tangled particles towards their way out, for a substep of h. This does not become speed. */
void tt_apart_untangle(tt_apart *apart, float h);
/* Makes `passes` passes over all near pairs. `h` is the substep. p has to be set, and `moved` has to be 0 at the
 * beginning of the substep. */
void tt_apart_push(tt_apart *apart, float h, int passes);
/* The springs of the balance (world/stage_balance.c) between near pairs that would be too close at p. Both features
 * have to belong to members with a view. Choose: finds the pairs; `fall` is how far gravity moves a particle in a
 * substep. Load: adds their pushes to `load`. Stiffen: adds the resistance of the springs against `way` to `push`.
 * Brace: adds their resistance against a particle that moves alone. */
void tt_apart_choose(tt_apart *apart, float h, float fall);
void tt_apart_load(tt_apart *apart, float h);
/* Adds springs for pairs that have come too close while the balance was sought; p is the state it has reached. Returns
 * whether there was any. */
bool tt_apart_catch(tt_apart *apart, float h);
/* Lets go of anchors that friction cannot hold at p. Returns whether that changed the load. */
bool tt_apart_release(tt_apart *apart, float h);
/* Notes the forces of friction at p, where the search has ended. */
void tt_apart_remember(tt_apart *apart, float h);
/* Makes tt_apart_stiffen ready for the present springs. */
void tt_apart_pack(tt_apart *apart);
void tt_apart_stiffen(tt_apart *apart, tt_apart_team team);
void tt_apart_brace(const tt_apart *apart);
/* The same for a member that moves as a whole: adds to xx yy zz and to xy yz xz. */
void tt_apart_brace_whole(const tt_apart *apart, int member, float straight[3], float mixed[3]);
/* Changes the velocities v (4 numbers a particle) of pairs that were pushed in this substep: takes away their relative
 * motion along the axis, and as much of their sliding as friction can bear. */
void tt_apart_calm(const tt_apart *apart, float *v, float h);
void tt_apart_accept(tt_apart *apart, tt_apart_team team);

#endif
