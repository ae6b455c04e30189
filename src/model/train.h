/* Training of coarse limits for shells (MRSL 4.2). It finds how far a coarse triangle can be stretched and compressed,
 * and a coarse hinge can be bent, while the fine mesh keeps its own limits.
 *
 *     train.c         the loop over levels and their items, in parallel; the function that a user calls
 *     train_data.c    the results: counting, saving, loading, telling which model they belong to
 *     train_patch.c   the piece of the fine mesh near a coarse triangle or hinge, in sixteen copies side by side
 *     train_search.c  sixteen searches at once: bend the patch, push the coarse vertices, enforce the fine limits
 *
 * An item is one coarse triangle (its least and largest stretch) or one coarse hinge (its least and largest angle off
 * rest). Items are numbered level by level, triangles before hinges, and are trained in this order. So the number of
 * items done says how far a training has come. No item reads the result of another item of its level. */
#ifndef TAUT_MODEL_TRAIN_H
#define TAUT_MODEL_TRAIN_H

#include "model/model.h"

/* ---- Results (train_data.c) -------------------------------------------------------------------------------------- */

/* Hashes of the mesh, limits and levels that a training was made for. Only a model with the same ones may use it. */
typedef struct tt_train_key {
    uint64_t mesh, limits, levels;
} tt_train_key;

typedef struct tt_range {
    float low, high;
} tt_range;

typedef struct tt_trained_level {
    int ntris, nhinges;
    tt_range *stretch; /* per triangle: principal stretches; 0 and INFINITY: none                    */
    tt_range *bend;    /* per hinge: rad off its rest angle; -pi and pi: free                        */
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
/* A training that has not begun, for levels with `ntris` triangles and `nhinges` hinges. NULL when memory ran out. */
taut_training *tt_training_create(const taut_allocator *allocator, int nlevels, const int *ntris, const int *nhinges);
/* Whether a training is finished and belongs to this mesh, material and options. */
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
    int own;           /* how many particles an element moves; it only reads those after them */
    const int *particle;
    const float *data;
    int *start, *element;
} tt_train_kind;

/* A mesh with limits, from which patches are cut. */
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
    const int *origin;  /* per vertex: its number in the ground             */
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

/* Builds the ground of a mesh, with the kernels of `kinds`. */
bool tt_ground_build(tt_scope *scope, const tt_kind *const *kinds, const tt_maker *like, const taut_mesh *mesh,
                     tt_ground *ground);
bool tt_cover_build(tt_scope *scope, const taut_mesh *mesh, const int *origin, const tt_ground *ground,
                    tt_cover *cover);
/* Memory for `count` patches, each large enough for every triangle and hinge of the cover. */
bool tt_patches_take(tt_scope *scope, const tt_ground *ground, const tt_cover *cover, int count, tt_patch *patch);
/* Cuts a patch: the vertices near one or two triangles of the cover, and the limits among them, all at rest. */
void tt_patch_cut(tt_patch *patch, const tt_ground *ground, const tt_cover *cover, const int *tri, int ntris);
/* One pass over the limits of all lanes; the largest violation met. */
float tt_patch_enforce(tt_patch *patch, const tt_ground *ground);

static inline float *tt_patch_at(const tt_patch *patch, int vertex, int lane)
{
    return &patch->p[4 * ((size_t)vertex * TT_BLOCK + (size_t)lane)];
}

/* ---- Searches (train_search.c) ----------------------------------------------------------------------------------- */

/* Searches the extremes of an item of a cover: its triangles come first, then its hinges. */
tt_range tt_search(tt_patch *patch, const tt_ground *ground, const tt_cover *cover, const taut_limit *limit, int item);

#endif
