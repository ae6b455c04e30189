/* Samples of the laboratory: strips, their worlds, settling. */
#include "lab.h"

#include <math.h>
#include <string.h>

void lab_turn_warp(taut_mesh *mesh, double degrees)
{
    double c = cos(degrees * LAB_PI / 180), s = sin(degrees * LAB_PI / 180);
    for (int i = 0; i < 3 * mesh->ntris; i++) {
        double u = (double)mesh->uv[2 * i], v = (double)mesh->uv[2 * i + 1];
        mesh->uv[2 * i] = (float)(c * u + s * v);
        mesh->uv[2 * i + 1] = (float)(c * v - s * u);
    }
}

bool lab_strip(lab_sample *sample, const lab_trial *trial, int across, int along, double cell, double degrees,
               taut_error *error)
{
    *sample = (lab_sample){.across = across + 1, .along = along + 1};
    float width = (float)(across * cell), height = (float)(along * cell);
    if (!(trial->irregular
              ? taut_mesh_sheet_irregular(&sample->mesh, across + 1, along + 1, width, height, 0.25f, 3, error)
              : taut_mesh_sheet(&sample->mesh, across + 1, along + 1, width, height, error)))
        return false;
    /* Clamps need straight rows. */
    const int straight[] = {1, along - 1};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i <= across; i++)
            sample->mesh.x[3 * (straight[k] * (across + 1) + i) + 1] = (float)(-straight[k] * cell);
    const float *x = sample->mesh.x;
    for (int i = 0; i < 3 * sample->mesh.ntris; i++) memcpy(&sample->mesh.uv[2 * i], &x[3 * sample->mesh.tri[i]], 8);
    lab_turn_warp(&sample->mesh, degrees);
    return true;
}

bool lab_build(lab_sample *sample, const lab_trial *trial, const double gravity[3], taut_error *error)
{
    taut_material material = *trial->material;
    material.contact = TAUT_CONTACT_OFF; /* a loop begins and ends at one place */
    material.damping.global = 4;
    taut_world_def def = taut_default_world_def();
    for (int i = 0; i < 3; i++) def.gravity[i] = (float)gravity[i];
    def.threads = 1;
    if (trial->substeps) def.stretch = 0; /* solve by counts */
    sample->model = taut_model_build(&sample->mesh, &material, NULL, error);
    sample->world = sample->model ? taut_world_create(&def, error) : NULL;
    if (!sample->world) return false;
    if (trial->substeps && !taut_world_set_solver(sample->world, trial->substeps, trial->iterations, error))
        return false;
    sample->body = taut_world_add_body(sample->world, sample->model, NULL, error);
    return sample->body >= 0;
}

void lab_settle(lab_sample *sample, double seconds)
{
    for (int frame = 0; frame < 60 * seconds; frame++) taut_world_step(sample->world, 1.0f / 60);
}

void lab_free(lab_sample *sample)
{
    taut_world_free(sample->world);
    taut_model_free(sample->model);
    taut_mesh_free(&sample->mesh);
}

void lab_row(const lab_sample *sample, int row, double mean[3])
{
    const float *x = taut_body_positions(sample->world, sample->body, NULL);
    for (int axis = 0; axis < 3; axis++) {
        mean[axis] = 0;
        for (int i = 0; i < sample->across; i++)
            mean[axis] += (double)x[3 * (row * sample->across + i) + axis] / sample->across;
    }
}

void lab_draw_rows(const lab_sample *sample, int right, int up, lab_outline *outline)
{
    outline->count = sample->along < LAB_POINTS ? sample->along : LAB_POINTS;
    for (int row = 0; row < outline->count; row++) {
        double mean[3];
        lab_row(sample, row, mean);
        outline->xy[row][0] = (float)(1000 * mean[right]);
        outline->xy[row][1] = (float)(1000 * mean[up]);
    }
}

bool lab_load_last_row(lab_sample *sample, const lab_trial *trial, double load, double cell, taut_error *error)
{
    int first = (sample->along - 1) * sample->across, last = first + sample->across - 1;
    for (int v = first; v <= last; v++) {
        double from = (double)sample->mesh.x[3 * (v > first ? v - 1 : v)];
        double share = ((double)sample->mesh.x[3 * (v < last ? v + 1 : v)] - from) / 2;
        double mass = share * (load + (double)trial->material->density * cell / 2);
        if (!taut_body_set_mass(sample->world, sample->body, v, (float)mass, error)) return false;
    }
    return true;
}
