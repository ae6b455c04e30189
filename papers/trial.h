/* One body in a world of its own: mesh, material and solver in, positions out.
 *
 *     trial t = trial_default();              // plain PBD: one substep, ratio units, no levels, no gravity
 *     ok = taut_mesh_sheet(&t.mesh, ...);     // then change t.material, t.world_def, ...
 *     ok = ok && trial_open(&t, error) && trial_run(&t, 60, error);
 *     trial_close(&t);                        // frees the mesh too
 */
#ifndef PAPERS_TRIAL_H
#define PAPERS_TRIAL_H

#include "taut.h"

typedef struct trial {
    taut_mesh mesh;
    taut_material material;
    taut_model_options options;
    taut_world_def world_def;
    taut_body_def body_def;
    float dt; /* s of a frame */

    taut_model *model;
    taut_world *world;
    taut_measurer *measurer; /* NULL for meshes without cells */
    int body;
} trial;

trial trial_default(void);
/* A material with nothing in it: every stiffness, damping and friction is 0, and it does not touch itself. */
taut_material trial_no_material(void);
bool trial_open(trial *t, taut_error *error);
/* The same; where bending is limited and there are levels, their limits are trained. */
bool trial_open_trained(trial *t, taut_error *error);
bool trial_run(trial *t, int frames, taut_error *error);
const float *trial_xyz(const trial *t);
/* Puts the body there, at rest. */
bool trial_place(trial *t, const float *xyz, taut_error *error);
void trial_close(trial *t);

/* How far the body is stretched, sheared and so on, cell by cell: mean and root mean square of the sizes. */
typedef struct trial_measure {
    double mean, rms, largest, mean_signed;
    double least; /* with its sign */
} trial_measure;
bool trial_measure_of(const trial *t, taut_measure which, trial_measure *measure, taut_error *error);

#endif
