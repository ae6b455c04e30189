#include "trial.h"

#include "experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

taut_material trial_no_material(void)
{
    taut_material m = taut_default_material();
    m.edge = m.tether = m.bend.stiffness = 0;
    m.bend.model = TAUT_BEND_NONE;
    m.strain.xx = m.strain.yy = m.strain.zz = m.strain.xy = m.strain.yz = m.strain.xz = 0;
    m.strain.area = m.strain.volume = 0;
    m.damping = (taut_damping){0};
    m.drag = m.lift = m.friction = 0;
    m.contact = TAUT_CONTACT_OFF;
    return m;
}

trial trial_default(void)
{
    trial t = {.material = trial_no_material(),
               .options = taut_default_model_options(),
               .world_def = taut_default_world_def(),
               .body_def = taut_default_body_def(),
               .dt = 1.0f / 60,
               .body = -1};
    t.options.levels = 0;
    t.world_def.stretch = 0;
    t.world_def.substeps = t.world_def.iterations = t.world_def.threads = 1;
    t.body_def.imperfection = 0;
    memset(t.world_def.gravity, 0, sizeof t.world_def.gravity);
    return t;
}

bool trial_open(trial *t, taut_error *error)
{
    t->model = taut_model_build(&t->mesh, &t->material, &t->options, error);
    t->world = t->model ? taut_world_create(&t->world_def, error) : NULL;
    if (!t->world) return false;
    t->body = taut_world_add_body(t->world, t->model, &t->body_def, error);
    if (t->body < 0) return false;
    if (t->mesh.ntris + t->mesh.ntets == 0) return true;
    t->measurer = taut_measurer_build(&t->mesh, t->options.axis, error);
    return t->measurer != NULL;
}

bool trial_open_trained(trial *t, taut_error *error)
{
    taut_training *training = NULL;
    if (t->options.levels > 0 && isfinite(t->material.limit.bend[1])) {
        training = taut_train(&t->mesh, &t->material, &t->options, NULL, error);
        if (!training) return false;
    }
    t->options.training = training;
    bool done = trial_open(t, error);
    t->options.training = NULL;
    taut_training_free(training);
    return done;
}

void trial_close(trial *t)
{
    taut_world_free(t->world);
    taut_model_free(t->model);
    taut_measurer_free(t->measurer);
    taut_mesh_free(&t->mesh);
}

bool trial_run(trial *t, int frames, taut_error *error)
{
    for (int i = 0; i < frames; i++)
        if (!taut_world_step(t->world, t->dt)) return paper_fail(error, "there is not enough memory for a step");
    return true;
}

const float *trial_xyz(const trial *t) { return taut_body_positions(t->world, t->body, NULL); }

bool trial_place(trial *t, const float *xyz, taut_error *error)
{
    float *still = calloc(3 * (size_t)t->mesh.nvertices, sizeof *still);
    if (!still) return paper_fail(error, "there is not enough memory");
    bool done = taut_body_set_positions(t->world, t->body, xyz, error) &&
                taut_body_set_velocities(t->world, t->body, still, error);
    free(still);
    return done;
}

bool trial_measure_of(const trial *t, taut_measure which, trial_measure *measure, taut_error *error)
{
    int cells = taut_measurer_cells(t->measurer);
    float *value = malloc(sizeof *value * ((size_t)cells + 1));
    if (!value) return paper_fail(error, "there is not enough memory");
    taut_measurer_apply(t->measurer, trial_xyz(t), which, value);
    double sum = 0, sum_signed = 0, squares = 0, largest = 0, least = INFINITY;
    for (int i = 0; i < cells; i++) {
        double size = fabs((double)value[i]);
        sum += size, sum_signed += (double)value[i], squares += size * size;
        if (size > largest) largest = size;
        if ((double)value[i] < least) least = (double)value[i];
    }
    *measure = (trial_measure){sum / cells, sqrt(squares / cells), largest, sum_signed / cells, least};
    free(value);
    return true;
}
