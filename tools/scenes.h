/* Built-in scenes: small scenes that together use every kind of constraint and every feature of the world. `taut hash`
 * uses them to show that results are the same everywhere. Therefore they do not use libm either. */
#ifndef TOOLS_SCENES_H
#define TOOLS_SCENES_H

#include "taut.h"

enum { SCENE_MODELS = 4, SCENE_COLLIDERS = 4 };

typedef struct scene {
    taut_world *world;
    taut_model *model[SCENE_MODELS];
    int nmodels;
    int levels;                                      /* of the models that are added, as in taut_model_options */
    bool trained;                                    /* train their limits first; `threads` as in scene_open */
    int threads;
    taut_collider_def collider_def[SCENE_COLLIDERS]; /* as they are now */
    int collider[SCENE_COLLIDERS], ncolliders;
    void (*move)(struct scene *s, int step); /* before each step; NULL: nothing moves by itself */
    int steps;                               /* so far */
    bool failed;                             /* `error` says why; the rest of what is built is skipped */
    taut_error error;
} scene;

/* Names of the scenes; NULL past the last one. */
const char *scene_name(int index);
const char *scene_about(int index);
int scene_find(const char *name); /* -1 when there is none */

/* `threads` as in taut_world_def. False when something is wrong, see `error`. Close it in any case. */
bool scene_open(scene *s, int index, int threads);
void scene_close(scene *s);
bool scene_step(scene *s);                       /* 1/60 s */
int scene_constraints(const scene *s, int kind); /* of all its models */
bool scene_is_sound(const scene *s);             /* no particle went astray */

/* ---- For builders of scenes: after the first failure, everything does nothing ----------------------------------- */

typedef struct scene_recipe {
    const char *name, *about;
    void (*build)(scene *s);
} scene_recipe;

/* Each table ends with a row without a name. */
extern const scene_recipe cloth_recipes[], bending_recipes[], solid_recipes[], motion_recipes[], limit_recipes[],
    elastic_recipes[], contact_recipes[];

void scene_fail_unless(scene *s, bool fine);
/* Builds a model of the mesh, which it frees, and adds one body at the origin. Returns the model, NULL on failure. */
const taut_model *scene_add(scene *s, taut_mesh *mesh, const taut_material *material);
/* Adds another body of a model, at (x, y, z). */
void scene_add_at(scene *s, const taut_model *model, float x, float y, float z);
void scene_add_collider(scene *s, taut_collider_def def);
void scene_substeps(scene *s, int substeps, int iterations);
/* Makes a sheet of n x n vertices, 1 m x 1 m, pinned at its two upper corners. */
void scene_sheet(scene *s, taut_mesh *mesh, int n);
void scene_pin(scene *s, taut_mesh *mesh, int vertex);

/* Materials with everything off; the scene turns on what it needs. */
taut_material scene_ratio_material(void);
taut_material scene_physical_material(void);

#endif
