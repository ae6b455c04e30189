/* Training of coarse limits for shells (MRSL 4.2): how far may a coarse triangle be stretched and compressed, and a
 * coarse hinge be bent, by a fine mesh that keeps its own limits?
 *
 *     train.c         the loop over levels and their items, in parallel; what a user calls
 *     train_data.c    the results: counting, saving, loading, telling which model they belong to
 *     train_patch.c   the piece of the fine mesh near a coarse triangle or hinge, sixteen times side by side
 *     train_search.c  sixteen searches at once: bend the patch, push the coarse vertices, enforce the fine limits
 *
 * An item is one coarse triangle (its least and largest stretch) or one coarse hinge (its least and largest angle off
 * rest). Items are numbered level by level, triangles before hinges, and worked through in this order, so that a count
 * of items is all that says how far a training has come. No item reads the result of another of its level. */
#ifndef TAUT_MODEL_TRAIN_H
#define TAUT_MODEL_TRAIN_H

#include "model/model.h"

/* ---- Results (train_data.c) -------------------------------------------------------------------------------------- */

/* What a training was made for. A model of anything else may not use it. */
typedef struct tt_train_key {
    uint64_t mesh, limits, levels;
} tt_train_key;

typedef struct tt_range {
    float low, high;
} tt_range;

typedef struct tt_trained_level {
    int ntris, nhinges;
    tt_range *stretch; /* per triangle: principal stretches; 0 and INFINITY: none                    */
    tt_range *bend;    /* per hinge: rad off its rest angle; beyond -pi and pi there is nothing left */
} tt_trained_level;

struct taut_training {
    tt_scope scope; /* owns all arrays, and the training itself */
    tt_train_key key;
    taut_train_way way;
    int nlevels, done, total; /* items */
    tt_trained_level level[TAUT_MOST_LEVELS];
    tt_range *item;           /* all of them; the levels point into it */
};

tt_train_key tt_train_key_of(const taut_mesh *mesh, const taut_material *material, const taut_model_options *options);
/* A training that has not begun. `ntris` and `nhinges` per level. NULL when memory ran out. */
taut_training *tt_training_create(const taut_allocator *allocator, int nlevels, const int *ntris, const int *nhinges);
/* Whether it is whole and belongs to this mesh, material and options. */
bool tt_training_check(const taut_training *training, const taut_mesh *mesh, const taut_material *material,
                       const taut_model_options *options, taut_error *error);
/* The results of a level as factors on the material's limits: 2 per triangle, and 2 per corner of each triangle, as in
 * tt_maker. */
void tt_trained_factors(const tt_trained_level *level, const taut_mesh *mesh, const tt_topology *topology,
                        const taut_limit *limit, float *limit_factor, float *bend_factor);

/* ---- Patches (train_patch.c) ------------------------------------------------------------------------------------- */

/* The limits of one kind on a mesh, by the first particle of each element. */
typedef struct tt_train_kind {
    const tt_kind *kind;
    tt_tuning tuning;
    int own;           /* particles that an element moves; it only looks at those after them */
    const int *particle;
    const float *data;
    int *start, *element;
} tt_train_kind;

/* A mesh with limits that patches are cut from. */
typedef struct tt_ground {
    const taut_mesh *mesh;
    tt_topology topology;
    int nkinds;
    tt_train_kind kind[TT_KINDS];
} tt_ground;

/* A coarser mesh over a ground. */
typedef struct tt_cover {
    const taut_mesh *mesh;
    tt_topology topology;
    const int *origin;  /* per vertex: which one of the ground it is        */
    int *start, *near;  /* vertices of the ground over each coarse triangle */
} tt_cover;

typedef struct tt_patch {
    int nvertices;
    int *vertex; /* of the ground                                     */
    int *local;  /* per vertex of the ground: 1 + number here, or 0   */
    float *p;    /* [vertex][lane] {x, y, z, w}                       */
    int nblocks[TT_KINDS];
    uint32_t *offset[TT_KINDS]; /* a block is one element, its lanes the searches */
    float *data[TT_KINDS];
    uint8_t *live;
} tt_patch;

/* With the kernels of `kinds`. */
bool tt_ground_build(tt_scope *scope, const tt_kind *const *kinds, const tt_maker *like, const taut_mesh *mesh,
                     tt_ground *ground);
bool tt_cover_build(tt_scope *scope, const taut_mesh *mesh, const int *origin, const tt_ground *ground,
                    tt_cover *cover);
/* Memory for `count` patches, each large enough for every triangle and hinge of the cover. */
bool tt_patches_take(tt_scope *scope, const tt_ground *ground, const tt_cover *cover, int count, tt_patch *patch);
/* The vertices near one or two triangles of the cover, and the limits among them, all at rest. */
void tt_patch_cut(tt_patch *patch, const tt_ground *ground, const tt_cover *cover, const int *tri, int ntris);
/* One pass over the limits of all lanes; the largest violation met. */
float tt_patch_enforce(tt_patch *patch, const tt_ground *ground);

static inline float *tt_patch_at(const tt_patch *patch, int vertex, int lane)
{
    return &patch->p[4 * ((size_t)vertex * TT_BLOCK + (size_t)lane)];
}

/* ---- Searches (train_search.c) ----------------------------------------------------------------------------------- */

/* Item i of a cover: its triangles, then its hinges. */
tt_range tt_search(tt_patch *patch, const tt_ground *ground, const tt_cover *cover, const taut_limit *limit, int item);

#endif
