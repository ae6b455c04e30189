/* The compiled model: everything about a body that does not move.
 *
 * Vertices become particles in a new order (reverse Cuthill-McKee), cut into parts of equal length: part i holds
 * particles [i*part_size, (i+1)*part_size). A part is a slice across the mesh; each half of it is then ordered again by
 * itself, along the slice. Constraints of each kind are packed in blocks and sorted into segments:
 *
 *     INSIDE a part       |----0----|----1----|----2----|----3----|    parts run in parallel
 *     ACROSS a cut        |-0--|----1----|----2----|----3----|-4--|    the same cuts, shifted by half a part
 *     REST                constraints that fit in neither (rare): one segment, alone
 *
 * Segments of one phase share no particle, so they may run in any order on any threads with the same result. The cuts
 * depend on the mesh alone, never on the number of threads. */
#ifndef TAUT_MODEL_MODEL_H
#define TAUT_MODEL_MODEL_H

#include "constraints/constraint.h"
#include "mesh/restriction.h"
#include "model/shell.h"
#include "model/site.h"
#include "model/skin.h"

typedef enum tt_phase { TT_INSIDE, TT_ACROSS, TT_REST, TT_PHASES } tt_phase;

/* All constraints of one kind. */
typedef struct tt_group {
    int count, nblocks;
    uint32_t *offset; /* as in tt_batch */
    float *data;
    uint8_t *live;
    int *segment;     /* first block of each segment, nsegments + 1: INSIDE parts, ACROSS parts + 1, REST 1 */
} tt_group;

typedef struct tt_hierarchy tt_hierarchy;

typedef struct tt_rest_edge {
    int a, b; /* particles */
    float length;
} tt_rest_edge;

/* The elements of a mesh decide its type. A mixed mesh has no coarser levels. Cloth and solids may have lines too. */
typedef enum tt_mesh_type { TT_MESH_MIXED, TT_MESH_CLOTH, TT_MESH_ROPES, TT_MESH_SOLID } tt_mesh_type;

struct taut_model {
    tt_scope scope; /* owns all arrays, and the model itself */
    taut_material material;
    int nvertices, nparticles; /* nparticles: rounded up to whole blocks; the extra ones are fixed */
    int *place;                /* vertex -> particle */
    float *rest;               /* {x, y, z, w} per particle, w as if nothing were pinned */
    unsigned char *pinned;     /* per particle */
    int nparts, part_size;
    tt_group group[TT_KINDS];
    tt_mesh_type mesh_type;
    int nanchors;
    int *anchor;               /* particles that tethers hold to */
    int nedges;
    tt_rest_edge *edge;
    tt_skin skin;              /* of the mesh itself: the features by which bodies touch     */
    tt_shell shell;            /* of the mesh itself, if the material has gas                */
    uint64_t hash;
    float stable_step;         /* s: the longest substep at which elastic forces are stable; INFINITY without any */
    /* The next coarser level (levels.c), NULL: none. It is a model of its own that has limits only. */
    taut_model *coarser;
    int level;                 /* 0: the mesh itself */
    bool trained;              /* the coarser levels have limits from a training */
    tt_restriction down;       /* per particle of the coarser level: the particles here that make it up */
    tt_transfer up;            /* per particle here: particles of the coarser level */
    tt_restriction riders;     /* the transpose of `up` */
    bool balances;             /* bodies can be balanced (world/balance.h): `riders` are there */
};

/* Segment numbers of a phase: first .. first + count - 1. */
int tt_segments(const taut_model *model, tt_phase phase, int *first);

/* ---- build.c's helpers, one file each ------------------------------------------------------------------------- */

/* Limits of single elements that differ from those of the material; NULL: none do. As in tt_maker. */
typedef struct tt_own_limits {
    int nlinks;
    const tt_link *link;
    const float *limit_factor, *bend_factor;
} tt_own_limits;

/* One level: a model of a mesh, without coarser ones. NULL when memory ran out. */
taut_model *tt_model_compile(tt_site *site, const taut_mesh *mesh, const tt_topology *topology,
                             const taut_material *material, const taut_model_options *options,
                             const tt_own_limits *limits);
/* Ties the levels of the hierarchy together, whose meshes and weights have been made (hierarchy.h), and adds them to
 * the model. `scratch` is the scope of the hierarchy. */
bool tt_levels_build(taut_model *model, tt_site *site, tt_scope *scratch, tt_hierarchy *hierarchy,
                     const taut_model_options *options, taut_error *error);
/* Lists the riders of all levels, if a body of the model can be balanced. */
bool tt_riders_build(taut_model *model);
/* Whether bodies of that material and mesh can be balanced. */
bool tt_can_be_balanced(const taut_material *material, tt_mesh_type type);
/* The material of the coarser levels, for a body of `model` (the finest) that now has `material`. */
void tt_level_material(const taut_model *model, const taut_material *material, taut_material *coarse);
/* Whether links of the coarser levels that can push (reach.c) may push with this material. */
bool tt_level_pushes(const taut_model *model, const taut_material *material);
/* Whether the material sets any limit; whether it sets a limit that solids have. */
bool tt_has_limits(const taut_material *material);
bool tt_limits_solids(const taut_material *material);
/* TT_MESH_MIXED for NULL. */
tt_mesh_type tt_mesh_type_of(const taut_mesh *mesh);
/* `given`, or if it is NULL the material that a mesh of this type has without one, which is stored in `usual`. */
const taut_material *tt_material_or_usual(const taut_material *given, tt_mesh_type type, taut_material *usual);
/* How a body of this material and type of mesh touches; never TAUT_CONTACT_AUTO. */
taut_contact tt_contact_of(const taut_material *material, tt_mesh_type type);
/* Whether a model can be built from these. */
bool tt_model_check(const taut_mesh *mesh, const taut_material *material, const taut_model_options *options,
                    taut_error *error);
bool tt_material_check(const taut_material *material, taut_error *error);
/* Whether a body of the model may change to this material while it runs (change.c). */
bool tt_material_change_check(const taut_model *model, const taut_material *material, taut_error *error);
/* Whether the elastic law exists for solids, if there are any. */
bool tt_elastic_check(const taut_material *material, bool solid, taut_error *error);
/* Sets the model's stable_step. False when memory ran out. */
bool tt_set_stable_step(taut_model *model, tt_scope *scratch);
/* Masses of vertices from the mesh or the density. Vertices without any element weigh 0. */
void tt_masses(const taut_mesh *mesh, const taut_material *material, double *mass);
/* Which elements of the maker (in vertices) share a block, and the order of blocks. NULL when memory ran out. */
typedef struct tt_plan tt_plan;
tt_plan *tt_plan_blocks(tt_scope *scratch, const taut_model *model, const tt_maker *maker);
/* Packs them into a group of the model. */
bool tt_pack(taut_model *model, tt_pool *pool, tt_plan *plan, tt_group *group);
/* Stiffness and damping of a kind for substep h, with n = substeps * iterations. */
void tt_tuning_prepare(const tt_kind *kind, const taut_material *material, float h, int n, tt_tuning *tuning);

#endif
