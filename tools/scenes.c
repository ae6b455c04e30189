/* The table of scenes, and functions that all of them use for building. */
#include "scenes.h"

#include <string.h>

static const scene_recipe *const tables[] = {cloth_recipes, bending_recipes, solid_recipes,
                                             motion_recipes, limit_recipes, elastic_recipes, contact_recipes};

static const scene_recipe *recipe(int index)
{
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (const scene_recipe *r = tables[t]; r->name; r++)
            if (index-- == 0) return r;
    return NULL;
}

const char *scene_name(int index) { return recipe(index) ? recipe(index)->name : NULL; }

const char *scene_about(int index) { return recipe(index) ? recipe(index)->about : NULL; }

int scene_find(const char *name)
{
    for (int i = 0; scene_name(i); i++)
        if (strcmp(name, scene_name(i)) == 0) return i;
    return -1;
}

bool scene_open(scene *s, int index, int threads)
{
    taut_world_def def = taut_default_world_def();
    def.threads = threads;
    def.substeps = 8;
    *s = (scene){.threads = threads};
    s->world = taut_world_create(&def, &s->error);
    s->failed = !s->world;
    if (!s->failed) recipe(index)->build(s);
    return !s->failed;
}

void scene_close(scene *s)
{
    taut_world_free(s->world);
    for (int i = 0; i < s->nmodels; i++) taut_model_free(s->model[i]);
    s->world = NULL;
    s->nmodels = 0;
}

bool scene_step(scene *s)
{
    if (s->move) s->move(s, s->steps);
    if (s->failed) return false;
    scene_fail_unless(s, taut_world_step(s->world, 1.0f / 60));
    s->steps++;
    return !s->failed;
}

int scene_constraints(const scene *s, int kind)
{
    int count = 0;
    for (int i = 0; i < s->nmodels; i++) count += taut_model_constraints(s->model[i], kind);
    return count;
}

/* No scene is larger than 10 m, and none moves farther than that in a few seconds. */
bool scene_is_sound(const scene *s)
{
    const float far = 20;
    taut_stats stats = taut_world_stats(s->world);
    if (stats.bad_particles) return false;
    for (int body = 0; body < stats.bodies; body++) {
        int n;
        const float *x = taut_body_positions(s->world, body, &n);
        for (int i = 0; i < 3 * n; i++)
            if (!(x[i] > -far && x[i] < far)) return false;
    }
    return true;
}

/* ---- Building ---- */

void scene_fail_unless(scene *s, bool fine) { s->failed = s->failed || !fine; }

const taut_model *scene_add(scene *s, taut_mesh *mesh, const taut_material *material)
{
    taut_model *model = NULL;
    taut_model_options options = taut_default_model_options();
    taut_training *training = NULL;
    taut_train_def def = taut_default_train_def();
    def.threads = s->threads;
    options.levels = s->levels;
    if (!s->failed && s->trained) {
        training = taut_train(mesh, material, &options, &def, &s->error);
        scene_fail_unless(s, training);
    }
    options.training = training;
    if (!s->failed && s->nmodels < SCENE_MODELS)
        model = taut_model_build(mesh, material, &options, &s->error);
    taut_training_free(training);
    taut_mesh_free(mesh);
    scene_fail_unless(s, model);
    if (!model) return NULL;
    s->model[s->nmodels++] = model;
    scene_add_at(s, model, 0, 0, 0);
    return model;
}

void scene_add_at(scene *s, const taut_model *model, float x, float y, float z)
{
    taut_body_def def = taut_default_body_def();
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    if (!s->failed)
        scene_fail_unless(s, taut_world_add_body(s->world, model, &def, &s->error) >= 0);
}

void scene_add_collider(scene *s, taut_collider_def def)
{
    if (s->failed) return;
    int id = taut_world_add_collider(s->world, &def, &s->error);
    scene_fail_unless(s, id >= 0 && s->ncolliders < SCENE_COLLIDERS);
    if (s->failed) return;
    s->collider_def[s->ncolliders] = def;
    s->collider[s->ncolliders++] = id;
}

void scene_substeps(scene *s, int substeps, int iterations)
{
    if (!s->failed)
        scene_fail_unless(s, taut_world_set_solver(s->world, substeps, iterations, &s->error));
}

void scene_pin(scene *s, taut_mesh *mesh, int vertex)
{
    if (!s->failed) scene_fail_unless(s, taut_mesh_pin(mesh, vertex, &s->error));
}

void scene_sheet(scene *s, taut_mesh *mesh, int n)
{
    scene_fail_unless(s, taut_mesh_sheet(mesh, n, n, 1, 1, &s->error));
    scene_pin(s, mesh, 0);
    scene_pin(s, mesh, n - 1);
}

static taut_material bare_material(taut_units units)
{
    taut_material m = taut_default_material();
    m.units = units;
    m.strain = (taut_strain){.rest = {1, 1, 1}};
    m.bend = (taut_bend){.model = TAUT_BEND_NONE};
    m.tether = 0;
    m.drag = m.lift = 0;
    return m;
}

taut_material scene_ratio_material(void) { return bare_material(TAUT_RATIO); }

taut_material scene_physical_material(void) { return bare_material(TAUT_PHYSICAL); }
