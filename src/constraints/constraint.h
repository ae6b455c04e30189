/* What a constraint kind is: one file that fills one `tt_kind`, one row in kinds.c.
 *
 *     create   (once, at build)  mesh + material -> elements: particles and rest data
 *     tune     (when a material or the step changes)  material -> stiffness of each mode
 *     project  (hot)  moves predicted positions p so that C goes to 0, sixteen elements a block
 *     damp     (hot)  takes the motion along each mode out of the velocities v
 *     force    (hot)  adds h w f(p) to v, for kinds that are not constraints but forces
 *     value    (tests, statistics)  C of one element and its gradient, from the same source in double
 *
 * A mode is one scalar function C of the positions of an element. The strain of a triangle has four, a distance one.
 *
 * SBD, TB and MRSL are papers, and "the notes" are an unpublished description of position-based cloth:
 * docs/constraints.md lists them all. Comments cite their equations and say where the library departs from them. */
#ifndef TAUT_CONSTRAINTS_CONSTRAINT_H
#define TAUT_CONSTRAINTS_CONSTRAINT_H

#include "constraints/real.h"
#include "mesh/topology.h"

enum {
    TT_BLOCK = 16,        /* constraints in a block; they share no particle */
    TT_MAX_PARTICLES = 6, /* of a kind */
    TT_MAX_MODES = 7,
    TT_MAX_FIELDS = 13,
    TT_MAX_FORMS = 6 /* of one element */
};

/* The smallest multiple of a block that is no less than n. */
static inline int tt_whole_blocks(int n) { return (n + TT_BLOCK - 1) / TT_BLOCK * TT_BLOCK; }

/* Stiffness and shape of a body's constraints of one kind, ready for the kernels. `tune` fills the material's raw
 * stiffness and damping; tt_tuning_prepare turns them into what a substep needs. */
typedef struct tt_tuning {
    float stiffness[TT_MAX_MODES];  /* ratio: k' of one iteration. physical: 1, or 0 when the mode is off        */
    float compliance[TT_MAX_MODES]; /* physical: 1/(modulus h^2) for an element of unit weight; ratio: 0         */
    float damping[TT_MAX_MODES];    /* share of the motion along the mode taken away in a substep, 0..1          */
    float rest[3];                  /* strain: rest stretches                                                    */
    float slack;                    /* triangle bending: kappa, m; tether: factor on the rest distance           */
    int stretch_form, shear_form, bend_mode;
    bool physical;
    bool active, damped, forced; /* whether there is anything to project, to damp, to push */
    bool balanced;               /* part of the body's balance instead of being projected */
    /* Limits: of the principal stretches, along each axis, of edges, and of bending; as in taut_limit. */
    float stretch_limit[2], axis_limit[3][2], edge_limit[2], bend_limit[2];
    float tolerance; /* elements outside by no more than this are left alone: stretch or rad */
    /* Aerodynamics: */
    float wind[3], drag, lift, h;
    /* Elastic forces: lambda and 2 mu of the law, bending rigidity, and the time of Kelvin-Voigt damping, s: */
    float lame[2], rigidity, delay;
} tt_tuning;

/* The modulus of a mode in physical units, times h^2, for an element of unit weight. 0: the mode is off. */
static inline float tt_tuning_modulus(const tt_tuning *tuning, int mode)
{
    return tuning->stiffness[mode] > 0 ? 1 / tuning->compliance[mode] : 0;
}

/* A run of blocks for a kernel to work through. Particles are {x, y, z, w}, w = inverse mass; velocities
 * {x, y, z, 0}. */
typedef struct tt_batch {
    real *p;
    real *v;
    const real *x;          /* limits of edges: positions when the substep began, for edges that keep their length */
    const real *anchor;     /* {x, y, z, active} of each place that tethers hold to                              */
    const uint32_t *offset; /* [block][slot][16]: 4 * particle                                                   */
    const real *data;       /* [block][field][16]                                                                */
    const uint8_t *live;    /* [block]: lanes in use, packed to the front; the rest repeat the last of them      */
    real *lambda;           /* [block][mode][16]: XPBD's multipliers of this substep                             */
    int first, last;        /* blocks first .. last-1                                                            */
    int start, stride;      /* limits: the i-th block to work on is first + (start + i * stride) % (last - first) */
    real *sum;              /* limits: NULL, or where each element adds its corrections {dx, dy, dz, 1} per particle
                               instead of moving p (Jacobi)                                                      */
    real *excess;           /* limits: raised to the largest violation met; NULL: not wanted                     */
    uint8_t *idle;          /* limits: [block] how many passes it sits out because it was within; NULL: none     */
    bool whole;             /* limits: in this pass no block sits out                                            */
    const tt_tuning *tuning;
} tt_batch;

/* A linear form sum a_k p_k of the particles of an element. If particles move by u from any place, the energy of the
 * mode grows by no more than the gradient tells, plus the sum over the forms of the mode of 1/2 K factor |sum a_k
 * u_k|^2, where K is the element's stiffness. */
typedef struct tt_form {
    int mode;
    double factor;
    double a[TT_MAX_PARTICLES];
} tt_form;

typedef struct tt_maker tt_maker;

typedef struct tt_kind {
    const char *name;
    int particles; /* slots whose particles the constraint reads and writes          */
    int anchors;   /* slots after those, which index the body's anchors (read only)  */
    int fields;    /* rest data a constraint                                          */
    int modes;
    bool limit;    /* a hard limit: projected after all others, by its own loop       */
    bool (*create)(tt_maker *maker);
    void (*tune)(const taut_material *material, tt_tuning *tuning);
    void (*project)(const tt_batch *batch);
    void (*damp)(const tt_batch *batch);
    /* Adds the force of the constraint as a spring, times h^2, to batch->v. The balance of a body (world/balance.h)
     * consists of these forces. In physical units with finite stiffness only. NULL: always projected. */
    void (*resist)(const tt_batch *batch);
    /* Adds the change of that force under the displacements batch->x, with the opposite sign, to batch->v. Parts of the
     * stiffness that would pull particles further along are left out, so that no displacement gains energy. */
    void (*stiffen)(const tt_batch *batch);
    /* Adds for each particle the symmetric matrix by which `stiffen` answers when that particle moves alone: xx yy zz -
     * to batch->v and xy yz xz - to batch->sum. NULL: the forms are good enough for that. */
    void (*brace)(const tt_batch *batch);
    /* Linear forms that bound the energy from above, for one element. Fills at most TT_MAX_FORMS and returns how
     * many. */
    int (*forms)(const double *data, const tt_tuning *tuning, tt_form *form);
    void (*force)(const tt_batch *batch); /* acts on v once a substep, before the prediction; NULL: it is no force */
    /* For forces that grow with displacement: for each particle an upper bound of the stiffness (N/m) with which an
     * element at x pulls it back. NULL for all other kinds. */
    void (*stiffness_bound)(const double *x, const double *data, const tt_tuning *tuning, double *stiffness);
    /* C of one mode. x: 3 per particle, then 3 per anchor; gradient (NULL: not wanted): 3 per particle. As exact as the
     * instance's numbers. NULL: the kind has no C. */
    double (*value)(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient);
} tt_kind;

/* ---- Making elements ---------------------------------------------------------------------------------------- */

/* Two vertices and how far apart they may get. A link that pushes also keeps them from getting nearer. */
typedef struct tt_link {
    int a, b;
    double length;
    bool pushes;
} tt_link;

/* The input of `create`, and the list that it fills. */
struct tt_maker {
    const taut_mesh *mesh;
    const tt_topology *topology;
    const taut_material *material;
    const float *axis;       /* fallback warp direction, or 0 0 0          */
    const double *geodesic;  /* per vertex: distance to the nearest pin    */
    const int *nearest;      /* per vertex: that pin's anchor index, or -1 */
    int nlinks;                /* if above 0, limits of edges hold these links instead of the edges of the mesh */
    const tt_link *link;
    const float *limit_factor; /* NULL for 1, or 2 per triangle or tet: its limits of stretch are the material's times
                                  these                                     */
    const float *bend_factor;  /* NULL for 1, or 2 per corner of each triangle: the same for bending over the edge
                                  opposite to the corner                    */
    tt_scope *scope;
    const tt_kind *kind;
    int count, capacity;
    int *particle;           /* [count][particles + anchors] */
    float *data;             /* [count][fields]              */
};

/* Adds an element of the maker's kind; false when memory ran out. The last field of every kind is its weight, made of
 * `scale` (the mesh's stiffness scale there) and `measure` (the rest area, volume, ... that turns a modulus into this
 * element's stiffness): ratio: min(scale, 1), multiplies k'; physical: 1/(scale * measure), multiplies the
 * compliance. Elements with scale 0 are left out, and in physical units those without a finite positive measure. `data`
 * holds the other fields. */
bool tt_emit(tt_maker *maker, const int *particle, const double *data, double scale, double measure);

/* A triangle (dimension 2) or tet (3) of the mesh that has a frame. */
typedef struct tt_simplex {
    int number;            /* of the triangle or tet                         */
    const double *inverse; /* Q^-1 by rows (frame.h)                         */
    double measure, scale; /* rest area or volume; the mesh's stiffness scale */
} tt_simplex;

/* Fills the fields of an element, except its weight. */
typedef void tt_simplex_fields(const tt_maker *maker, const tt_simplex *simplex, double *data);

/* Adds an element for each triangle or tet that has a frame; false when memory ran out. */
bool tt_emit_simplices(tt_maker *maker, int dimension, tt_simplex_fields *fields);

/* `tune` of every bending kind. */
void tt_tune_bend(const taut_material *material, tt_tuning *tuning);

/* Stiffness scale of a triangle or tet, mean over the two triangles of a hinge. */
double tt_tri_scale(const taut_mesh *mesh, int tri);
double tt_tet_scale(const taut_mesh *mesh, int tet);
double tt_hinge_scale(const taut_mesh *mesh, const tt_hinge *hinge);
double tt_tri_area(const taut_mesh *mesh, int tri);
/* The factor that turns a bending rigidity B (N m) into the weight of an angle at a hinge: 9/8 |e|^2 / (A1 + A2). If
 * rows of triangles bent about their own edges, 1 in place of 9/8 would be exact. But vertices give way out of the bent
 * surface, and a free strip bends across as well. So a strip of a regular sheet would have 0.83 of that rigidity, a
 * strip of an irregular sheet 1.09. With 9/8 a strip of a regular sheet bends as plate theory and ASTM D1388 say
 * (test_xpbd.c). */
double tt_hinge_measure(const taut_mesh *mesh, const tt_hinge *hinge);

/* A virtual triangle of TB over vertex v: neighbours b0 and b1 on opposite sides of it. `side` is a neighbour off the
 * line b0-b1 such that (b1-b0) x (side-v) points to the surface's outside; -1 where there is no surface. */
typedef struct tt_ring_pair {
    int b0, b1, v, side;
    double height;         /* |v-c|, negative on the inside of the surface                                       */
    double flat_height;    /* the height in the flattened surface: an uneven pair has one                        */
    bool sided;            /* the height stands out of the surface: only then its sign tells the side of a fold  */
    double scale, measure; /* measure: weight of the squared height for a bending rigidity of 1                  */
} tt_ring_pair;

/* TB's creation by one-rings (its Fig. 6, with a set in place of the index test that loses pairs), over edges of
 * triangles and lines. Calls `visit` for each pair. If `visit` returns false, stops and returns false. */
bool tt_ring_pairs(tt_maker *maker, bool (*visit)(tt_maker *maker, const tt_ring_pair *pair));

/* ---- Tables -------------------------------------------------------------------------------------------------- */

enum { TT_KINDS = 22 };

/* An instruction set, and the kinds as compiled for it. */
typedef struct tt_simd {
    const char *name;
    const tt_kind *const *kinds;
} tt_simd;

/* The widest set that machine and build have, or the one that the environment variable TAUT_SIMD names. It reads the
 * environment, so callers ask once and keep the answer. */
tt_simd tt_simd_choose(void);
/* The kinds of one set, for members that are the same in all sets: names, sizes, `create` and `tune`. */
const tt_kind *const *tt_kind_table(void);
/* The same kinds in double. */
const tt_kind *const *tt_oracle(void);

#endif
