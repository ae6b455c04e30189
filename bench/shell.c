#define _POSIX_C_SOURCE 200809L

#include "shell.h"

#include "limited_body.h"
#include "own_clock.h"

#include <math.h>
#include <stdio.h>

static const int iterations[] = {5, 10, 20, 40, 80, 160};

enum { RUNS = sizeof iterations / sizeof iterations[0] };

typedef enum method { ONE_LEVEL, LEVELS, TRAINED, METHODS } method;

static const char *const names[METHODS] = {"one level", "levels", "trained"};

/* Means over all frames. */
typedef struct row {
    double ms, stretch, bend;
} row;

static taut_material shell_material(const shell_options *options)
{
    taut_limit limit = taut_default_material().limit;
    limit.stretch[0] = 0.95f, limit.stretch[1] = 1.05f;
    limit.bend[1] = (float)(options->bend * 3.141592653589793 / 180);
    limit.bend[0] = -limit.bend[1];
    taut_material m = limited_body_material(&limit);
    m.density = 0.2f;
    m.damping.global = 0.5f;
    return m;
}

/* The shell starts level, held by one side, and swings down. */
static bool fall(const shell_options *options, const taut_model *model, row *r, taut_error *error)
{
    const float quarter = 0.70710678f;
    taut_world_def def = taut_default_world_def();
    taut_body_def lying = taut_default_body_def();
    int tri = taut_kind_find("limit_tri"), bend = taut_kind_find("limit_bend");
    def.substeps = def.iterations = def.threads = 1;
    lying.rotation[0] = -quarter, lying.rotation[3] = quarter;
    taut_world *world = taut_world_create(&def, error);
    bool ok = world && taut_world_add_body(world, model, &lying, error) >= 0;
    *r = (row){0};
    for (int frame = 0; frame < options->frames && ok; frame++) {
        double start = own_clock();
        taut_world_step(world, 1.0f / 60);
        r->ms += (own_clock() - start) / options->frames;
        r->stretch += 100 * taut_world_residual(world, tri).rms / options->frames;
        r->bend += 1000 * taut_world_residual(world, bend).rms / options->frames;
    }
    taut_world_free(world);
    return ok;
}

static void print_row(const shell_options *options, method m, int passes, const row *r)
{
    if (options->json)
        printf("%s{\"method\":\"%s\",\"passes\":%d,\"ms\":%.3f,\"stretch\":%.4f,\"bend\":%.4f}\n",
               m == ONE_LEVEL && passes == iterations[0] ? "" : ",", names[m], passes, r->ms, r->stretch, r->bend);
    else
        printf("%-10s %6d %10.2f %11.3f %% %9.2f mrad\n", names[m], passes, r->ms, r->stretch, r->bend);
    fflush(stdout);
}

static bool run_method(const shell_options *options, const taut_mesh *mesh, method m, taut_error *error)
{
    taut_material material = shell_material(options);
    taut_model_options model_options = taut_default_model_options();
    model_options.levels = m == ONE_LEVEL ? 0 : options->levels;
    taut_training *training = m == TRAINED ? taut_train(mesh, &material, &model_options, NULL, error) : NULL;
    if (m == TRAINED && !training) return false;
    model_options.training = training;
    bool ok = true;
    for (int i = 0; i < RUNS && ok; i++) {
        row r;
        material.limit.iterations = iterations[i];
        taut_model *model = taut_model_build(mesh, &material, &model_options, error);
        ok = model && fall(options, model, &r, error);
        if (ok) print_row(options, m, iterations[i], &r);
        taut_model_free(model);
    }
    taut_training_free(training);
    return ok;
}

bool shell_run(const shell_options *options, taut_error *error)
{
    taut_mesh mesh;
    if (!taut_mesh_sheet(&mesh, options->n, options->n, 1, 1, error)) return false;
    bool ok = true;
    for (int v = 0; v < options->n && ok; v++) ok = taut_mesh_pin(&mesh, v, error);
    if (options->json) puts("[");
    else printf("%-10s %6s %10s %13s %14s\n", "method", "passes", "ms a frame", "stretch", "bend");
    for (method m = ONE_LEVEL; m < METHODS && ok; m++) ok = run_method(options, &mesh, m, error);
    if (options->json) puts("]");
    taut_mesh_free(&mesh);
    return ok;
}
